"""The table of distributions against a maintained list."""

from labagent.memory.renew import differences


def test_what_a_list_says_otherwise_is_said() -> None:
    found = list(
        differences("sklearn:sklearn\ncv2:opencv_python_headless\nfoo_bar:foo-bar\nnew:python-new\nx\n")
    )
    assert "sklearn: here scikit-learn, there sklearn" in found
    assert "new: not here, there python-new" in found
    assert any(line.endswith("not there") for line in found)
    assert not any(line.startswith(("cv2:", "foo_bar:")) for line in found)
