"""Verdicts of a run: modes that do not suffice, accelerations that steps do not follow."""

from __future__ import annotations

import pytest

import flexura

from places import MODELS

pytestmark = pytest.mark.filterwarnings("ignore:.*constraints with which it closes:flexura.ModelWarning")


def test_modes_that_lack_deflection_are_told() -> None:
    outcome = flexura.simulate(flexura.load(MODELS / "flexible_arm.toml"), end=0.2).outcome
    judged = {(body, family): share for body, family, _, share, _ in outcome["modes"]}
    assert judged["upper", "bending modes along z"] is not None
    assert any("lack" in words and "`upper.elbow`" in words for words in outcome["verdicts"])


def test_modes_that_suffice_are_not() -> None:
    outcome = flexura.simulate(flexura.load(MODELS / "four_bar.toml"), end=0.005).outcome
    assert outcome["modes"] and not any("lack" in words for words in outcome["verdicts"])
