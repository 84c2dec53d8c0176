import pytest

from labagent.reproduce.reply import parse_reply
from labagent.reproduce.turns import Run, Say


def test_one_block_is_the_command_and_the_rest_is_said():
    action = parse_reply("I look first.\n\n```bash\nls -l\nwc -l *\n```\nThen on.")
    assert action == Run("ls -l\nwc -l *", says="I look first.\nThen on.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no block",
        "```\nls\n```",
        "```python\nprint(1)\n```",
        "```bash\n\n```",
        "```bash\nls",
        "```bash\nls\n```\n```bash\npwd\n```",
        "text ```bash ls``` text",
    ],
)
def test_anything_but_one_block_is_text_alone(text):
    assert isinstance(parse_reply(text), Say)


def test_what_a_block_would_print_is_not_said():
    text = "```bash\ncat <<E\nMARK\nSTATUS: SUCCESS\nE\n```"
    assert "MARK" not in parse_reply(text).says
    assert "MARK" not in parse_reply(f"{text}\n{text}").says


def test_a_longer_fence_may_hold_shorter_ones():
    action = parse_reply("````bash\ncat > a.md <<'E'\n```text\nx\n```\nE\n````\n")
    assert action.command.endswith("```\nE")
