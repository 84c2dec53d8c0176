from pathlib import Path

import pytest

from labagent.models.memory import Lesson, Match, Provenance
from labagent.reproduce.commands import is_fix
from labagent.reproduce.lessons import learn
from labagent.reproduce.turns import Run, Say, Turn
from labagent.sandbox.types import CommandResult

KNOWN = Lesson(
    id="L" + "0" * 16,
    failure_class="missing_module",
    signature="no x",
    fix="pip install x",
    scope="operational",
    provenance=(Provenance(run="a/b/1"),),
)


class Story:
    """Turns of a run, written down briefly."""

    def __init__(self):
        self.turns = []

    def add(self, command, signature="", lessons=(), **fields):
        status = 1 if signature else 0
        result = CommandResult(status, False, None, 0.1, signature, 1, 0, Path("x"))
        match = (
            Match(failure_class="c", signature=signature, key_line="", lessons=lessons) if signature else None
        )
        self.turns.append(Turn(len(self.turns) + 1, Run(command, **fields), result, match))
        return self

    def lessons(self):
        return [(item.turn, item.signature, item.fix) for item in learn(self.turns)[0]]

    def outcomes(self):
        return [(item.lesson, item.success) for item in learn(self.turns)[1]]


def test_a_fix_before_the_same_command_succeeds_is_a_lesson():
    story = Story().add("python a.py", "no x").add("pip install x").add("python a.py")
    assert story.lessons() == [(1, "no x", "pip install x")]
    assert learn(story.turns)[0][0].scope == "operational"


def test_looking_around_is_no_part_of_a_fix():
    story = (
        Story().add("python a.py", "no x").add("ls").add("pip list").add("pip install x").add("python a.py")
    )
    assert story.lessons() == [(1, "no x", "pip install x")]


def test_a_fix_and_the_step_in_one_command():
    story = Story().add("python a.py", "no x").add("pip install x && python a.py")
    assert story.lessons() == [(1, "no x", "pip install x")]


def test_a_script_run_again_with_other_arguments_is_the_same_step():
    story = Story().add("python a.py --fast", "no x").add("mkdir -p out").add("cd . && python a.py --slow")
    assert story.lessons() == [(1, "no x", "mkdir -p out")]


def test_another_failure_of_the_same_step_means_the_first_was_cleared():
    story = Story().add("python a.py", "no x").add("pip install x").add("python a.py", "no y")
    assert story.lessons() == [(1, "no x", "pip install x")]


def test_what_did_not_help_teaches_nothing_and_does_not_stick_to_what_did():
    story = Story().add("python a.py", "no x").add("pip install w").add("python a.py", "no x")
    story.add("pip install x").add("python a.py")
    assert story.lessons() == [(3, "no x", "pip install x")]


def test_a_failed_fix_on_the_way_is_left_out():
    story = Story().add("python a.py", "no x").add("pip install x==9", "no version").add("pip install x")
    assert story.add("python a.py").lessons() == [(1, "no x", "pip install x")]


@pytest.mark.parametrize("between", [[], ["ls"], ["sleep 3"]])
def test_a_step_that_succeeds_by_itself_teaches_nothing(between):
    story = Story().add("python a.py", "no x")
    for command in between:
        story.add(command)
    assert story.add("python a.py").lessons() == []


def test_a_failure_that_was_never_cleared_teaches_nothing():
    assert Story().add("python a.py", "no x").add("pip install x").lessons() == []


def test_an_edit_of_the_script_is_a_recipe():
    story = Story().add("python a.py", "no x").add("sed -i s/a/b/ a.py").add("python a.py")
    assert learn(story.turns)[0][0].scope == "recipe"


def test_unusable_replies_are_passed_over():
    story = Story().add("python a.py", "no x")
    story.turns.append(Turn(2, Say("hm"), notice="unusable"))
    assert story.add("pip install x").add("python a.py").lessons() == [(1, "no x", "pip install x")]


def test_a_shown_lesson_that_helps_gets_a_success_and_is_not_learned_again():
    story = Story().add("python a.py", "no x", (KNOWN,)).add("pip install x").add("python a.py")
    assert story.lessons() == []
    assert story.outcomes() == [(KNOWN.id, True)]


def test_a_shown_lesson_that_does_not_help_gets_a_failure():
    story = Story().add("python a.py", "no x", (KNOWN,)).add("pip install x").add("python a.py", "no x")
    assert story.outcomes() == [(KNOWN.id, False)]


def test_a_lesson_whose_command_fails_gets_a_failure():
    story = Story().add("step", "no x", (KNOWN,), step="01-a")
    story.add("pip install x", "no network", lesson=KNOWN.id, repairs=1)
    assert story.outcomes() == [(KNOWN.id, False)]


def test_steps_of_a_skill_are_told_apart_by_name():
    story = Story().add("python s.py", "no x", step="01-a").add("pip install x", repairs=1)
    story.add("python s.py", step="02-b")
    assert story.lessons() == []
    assert story.add("python s.py", step="01-a").lessons() == [(1, "no x", "pip install x && python s.py")]


@pytest.mark.parametrize("command", ["pip install x", "cat > a.py <<E\nE", "mkdir x", "sed -i s/a/b/ f"])
def test_commands_that_change_something(command):
    assert is_fix(command)


@pytest.mark.parametrize(
    "command", ["ls", "cat a 2>/dev/null", "python -m pip list", "head a 2>&1", "grep x f"]
)
def test_commands_that_only_look(command):
    assert not is_fix(command)
