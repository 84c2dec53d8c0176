import pytest

from labagent.reproduce.release_lines import older_bounds


def said(installed, *versions):
    """What ``pip index versions`` prints."""
    known = f"  INSTALLED: {installed}\n" if installed else ""
    return (
        f"x ({versions[0]})\nAvailable versions: {', '.join(versions)}\n{known}  LATEST:    {versions[0]}\n"
    )


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        # Newer releases than the installed one are no candidates; majors come first.
        (said("11.3.0", "12.1", "11.3.0", "11.2.1", "10.4.0", "9.5.0", "8.0"), ("11", "10", "9", "11.3")),
        (said("3.1", "3.1", "3.0.3", "2.8.8", "1.11"), ("3", "2", "3.1")),
        # Below 2 a major says nothing: minor lines with growing steps.
        (
            said("1.17.1", *"1.17.1 1.16.0 1.15.3 1.14.1 1.13.1 1.12.0 1.11.4 1.10.1 1.9 0.19.1".split()),
            ("1.17", "1.16", "1.14", "1.10"),
        ),
        (said("0.12.1", "0.12.1", "0.11.4", "0.10.9"), ("0.12", "0.11")),
        (said("2.0", "2.0"), ()),
        (said("", "2.0", "1.0"), ()),
        (said("2.0", "2.0", "1.0rc1", "2.0.dev0"), ()),
        ("ERROR: No matching distribution found for x\n", ()),
        ("", ()),
    ],
)  # fmt: skip
def test_bounds_leave_out_ever_more(text, bounds):
    assert older_bounds(text) == bounds
