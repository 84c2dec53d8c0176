import subprocess
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

    def add(self, command, signature="", lessons=(), *, failure_class="c", key_line="", says="", **fields):
        status = 1 if signature else 0
        result = CommandResult(status, False, None, 0.1, says or signature, 1, 0, Path("x"))
        match = None
        if signature:
            match = Match(
                failure_class=failure_class, signature=signature, key_line=key_line, lessons=lessons
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


def install(distribution):
    return f"python -m pip install '{distribution}'"


def test_a_fix_of_two_commands_is_one_lesson_in_order():
    story = Story().add("python a.py", "no x").add("apt-get install libx").add("ls").add("pip install x")
    assert story.add("python a.py").lessons() == [(1, "no x", "apt-get install libx && pip install x")]
    assert learn(story.turns)[0][0].scope == "operational"


def test_a_known_lesson_that_did_not_suffice_is_part_of_the_fix():
    story = (
        Story().add("python a.py", "no x", (KNOWN,)).add("pip install x").add("python a.py", "no x", (KNOWN,))
    )
    story.add("mkdir -p cache").add("python a.py")
    assert story.lessons() == [(3, "no x", "pip install x && mkdir -p cache")]
    assert story.outcomes() == [(KNOWN.id, False)]


def test_of_several_releases_of_one_distribution_the_last_counts():
    story = Story().add("python a.py", "no x").add(install("y<3")).add("mkdir out").add(install("y<2"))
    assert story.add("python a.py").lessons() == [(1, "no x", f"mkdir out && {install('y<2')}")]


def test_a_fix_that_led_to_another_failure_and_was_undone_was_a_wrong_turn():
    story = Story().add("python a.py", "no x").add(install("y<3")).add("python a.py", "no z")
    story.add(install("y<3.1")).add("python a.py")
    assert story.lessons() == [(1, "no x", install("y<3.1"))]


def test_a_wrong_turn_is_seen_through_several_tries():
    story = Story().add("python a.py", "no x").add(install("y<3")).add("python a.py", "no z")
    story.add(install("y<2")).add("python a.py", "no z").add(install("y<3.1")).add("python a.py")
    assert story.lessons() == [(1, "no x", install("y<3.1"))]


def test_a_second_failure_that_has_its_own_fix_teaches_both():
    story = Story().add("python a.py", "no x").add("pip install x").add("python a.py", "no z")
    story.add("pip install z").add("python a.py")
    assert story.lessons() == [(1, "no x", "pip install x"), (3, "no z", "pip install z")]


def test_one_fix_for_two_failures_is_a_lesson_for_each_signature():
    story = Story().add("python a.py", "no x").add("python b.py", "x is none").add("pip install x")
    story.add("python b.py").add("python a.py")
    assert story.lessons() == [(2, "x is none", "pip install x"), (1, "no x", "pip install x")]


def test_the_same_program_called_in_another_way_is_a_recipe():
    story = Story().add("mytool sort --by pos a.bam", "no option", failure_class="wrong_argument")
    story.add("mytool sort --help").add("mytool sort --coordinate a.bam")
    (lesson,) = learn(story.turns)[0]
    assert (lesson.fix, lesson.scope) == ("mytool sort --coordinate a.bam", "recipe")


def test_looking_at_the_help_of_a_program_does_not_clear_its_failure():
    story = Story().add("mytool sort --by pos a.bam", "no option", failure_class="wrong_argument")
    assert story.add("mytool sort --help").lessons() == []


def test_another_call_of_a_program_clears_only_failures_of_calls():
    story = Story().add("git clone a", "no network", failure_class="network").add("git clone b")
    assert story.lessons() == []


def test_a_script_that_succeeds_with_another_argument_is_a_recipe():
    story = Story().add("python a.py --fast", "too large").add("python a.py --slow 2>&1 | tail -5")
    assert story.lessons() == [(1, "too large", "python a.py --slow 2>&1 | tail -5")]
    assert learn(story.turns)[0][0].scope == "recipe"


def test_the_same_call_shown_in_another_way_teaches_nothing():
    story = Story().add("python a.py", "network").add("python a.py 2>&1 | tail -5")
    assert story.lessons() == []


def test_a_status_that_a_pipe_hides_clears_nothing():
    story = Story().add("python a.py", "no x", key_line="KeyError: x").add("pip install x")
    story.add("python a.py | tail -3", says="KeyError: x")
    assert story.lessons() == []


def script(body):
    return f"cat > a.py <<'EOF'\nimport pandas\n{body}\nEOF"


def test_a_script_written_anew_counts_by_what_changed():
    story = (
        Story()
        .add(script("t = pandas.read_csv('x', delim_whitespace=True)\nprint(t)"))
        .add("python a.py", "no d")
    )
    story.add(script("t = pandas.read_csv('x', sep=r'\\s+')\nprint(t)")).add("python a.py")
    (lesson,) = learn(story.turns)[0]
    assert lesson.scope == "recipe"
    assert (
        "-t = pandas.read_csv('x', delim_whitespace=True)\n+t = pandas.read_csv('x', sep=r'\\s+')"
        in lesson.fix
    )


def test_a_script_written_and_run_in_one_command_counts_by_what_changed(tmp_path):
    before, after = script("print(1/0)\nprint('end')"), script("print(1)\nprint('end')")
    story = Story().add(f"{before}\npython a.py", "no /").add(f"{after}\npython a.py")
    (lesson,) = learn(story.turns)[0]
    (tmp_path / "a.py").write_text("import pandas\nprint(1/0)\nprint('end')\n")
    subprocess.run(["bash", "-c", lesson.fix], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "a.py").read_text() == "import pandas\nprint(1)\nprint('end')\n"


def test_a_program_of_its_own_is_no_lesson():
    story = Story().add("python a.py", "no x").add(script("\n".join(f"x{i} = {i}" for i in range(400))))
    assert story.add("python a.py").lessons() == []


def test_a_lesson_applied_before_its_failure_has_an_outcome():
    for found, success in (("", True), (f"{KNOWN.id} ImportError: x", False)):
        story = Story().add("python - <<'END'", step="check-lessons")
        story.add("pip install x && python -", step="check-lessons", lesson=KNOWN.id, repairs=1, says=found)
        assert story.outcomes() == [(KNOWN.id, success)] and story.lessons() == []


def test_a_known_lesson_stays_part_of_the_fix_over_several_tries():
    story = Story().add("python a.py", "no x", (KNOWN,)).add("pip install x").add("python a.py", "no x")
    story.add("mkdir a").add("python a.py", "no x").add("mkdir b").add("python a.py")
    assert story.lessons() == [(5, "no x", "pip install x && mkdir b")]
