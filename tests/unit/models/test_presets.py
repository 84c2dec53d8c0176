"""Presets of arms: what each sets, what it refuses, and the explorer that one of them makes."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from labagent.inputs import load_config, skill_origin
from labagent.models.config import Arm, Config, Explorer, ModelSettings
from labagent.models.presets import arm_presets
from labagent.models.tables import Lab

MODELS = {"gpt": {"model": "openai/gpt-5-mini"}}
EXPLORERS = {"deep": {"model": "gpt", "rounds": 5, "usd": 2.0}, "offline": {}}
LABS = {
    source: Lab(skill=f"{source}d-lab", source=source, repository="x") for source in ("explore", "curated")
}


def config(arms, explorers=EXPLORERS) -> Config:
    return Config.model_validate({"models": MODELS, "explorers": explorers, "arms": arms})


def test_every_preset_of_attribution_is_there():
    assert set(arm_presets()) >= {"full", "no-explore", "no-skill", "no-memory", "offline"}


@pytest.mark.parametrize("preset", arm_presets())
def test_a_preset_differs_from_full_in_one_part(preset):
    sets = arm_presets()[preset]
    full = arm_presets()["full"]
    different = {key for key in {*sets, *full} if sets.get(key) != full.get(key)}
    assert len(different) == (preset != "full")


def test_presets_leave_the_rest_to_the_arm():
    found = config(
        {name: {"preset": name, **({"model": "gpt"} if name != "offline" else {})} for name in arm_presets()}
    ).arms
    assert {arm.model for name, arm in found.items() if name != "offline"} == {"gpt"}
    assert found["offline"].model == "offline"
    assert (found["no-skill"].skills, found["no-memory"].memory) == ("none", "off")
    assert found["full"] == Arm(model="gpt", skills="all", memory="live", preset="full")


def test_an_arm_without_a_search_reads_drafts_of_an_explorer_of_its_own():
    found = config({"a": {"preset": "full", "model": "gpt"}, "b": {"preset": "no-explore", "model": "gpt"}})
    assert found.default_explorer == "deep"
    assert found.explorers["deep-no-explore"] == Explorer(model="gpt", rounds=0, usd=2.0)
    origins = {(arm, source): skill_origin(found, arm, lab) for arm in "ab" for source, lab in LABS.items()}
    assert origins == {
        ("a", "explore"): "deep",
        ("b", "explore"): "deep-no-explore",
        ("a", "curated"): "curated",
        ("b", "curated"): "curated",
    }


def test_explore_can_be_left_out_without_a_preset():
    arms = {"x": {"model": "gpt", "skills": "explored:deep", "explore": False}}
    found = config(arms)
    assert skill_origin(found, "x", LABS["curated"]) == "deep-no-explore"
    own = config(arms, {**EXPLORERS, "deep-no-explore": {"model": "gpt", "rounds": 1}})
    assert own.explorers["deep-no-explore"].rounds == 1
    assert "deep-no-explore" not in config({"x": {"model": "gpt", "explore": True}}).explorers
    built = Config(
        models={"gpt": ModelSettings(model="openai/x")},
        explorers={"deep": Explorer(model="gpt")},
        arms={"x": Arm(model="gpt", explore=False)},
    )
    assert built.explorers["deep-no-explore"].rounds == 0


@pytest.mark.parametrize(
    ("arm", "message"),
    [
        ({"preset": "no-skills"}, 'preset "no-skills" is not known; allowed: full, no-explore'),
        ({"preset": "no-skill", "skills": "all"}, 'preset "no-skill" sets skills: none, the arm all'),
        ({"preset": "offline", "model": "gpt"}, 'preset "offline" sets model: offline, the arm gpt'),
        ({"explore": False, "skills": "none"}, "explore: false changes nothing with skills: none"),
        ({"explore": False, "skills": "explored:offline"}, 'the explorer "offline" drafts without a model'),
        ({"explore": False, "skills": "explored:deeep"}, 'explorer "deeep-no-explore" is not defined'),
    ],
)
def test_what_cannot_be_meant_is_refused(arm, message):
    with pytest.raises(ValidationError, match=message):
        config({"x": arm})


def test_off_is_a_word(tmp_path: Path):
    (tmp_path / "config").mkdir()
    text = """
models: {gpt: {model: openai/x}}
explorers: {deep: {model: gpt, admit_patches: on}}
arms: {x: {model: gpt, memory: off, explore: off}, y: {memory: off, preset: no-memory},
       z: {model: gpt, explore: off, preset: no-explore}}
sandbox: {network: off}
"""
    (tmp_path / "config/config.yaml").write_text(text)
    found = load_config(tmp_path)
    assert (found.arms["x"].memory, found.arms["x"].explore, found.arms["y"].memory) == ("off", False, "off")
    assert (found.sandbox.network, found.explorers["deep-no-explore"].admit_patches) == ("off", True)


def test_faults_have_a_line(tmp_path: Path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text("arms:\n  a: {}\n  b:\n    preset: nothing\n")
    with pytest.raises(Exception, match=r'line 3, "arms.b".*preset "nothing" is not known'):
        load_config(tmp_path)
