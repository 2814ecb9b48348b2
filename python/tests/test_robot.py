"""Robots of other programs."""

from __future__ import annotations

import pathlib
import warnings

import numpy as np
import pytest

import flexura

from places import ROOT

ROBOT = ROOT / "models/robots/two_links.urdf"


def test_a_robot_falls_as_its_equations_say() -> None:
    model = flexura.import_robot(ROBOT).load()
    assert model.joints == ["shoulder", "elbow"]
    # Both links level: M a = g times the mass moments, by hand.
    inertia = np.array([[0.06 + 2.0 * 0.09 + 0.014 + 0.64, 0.014 + 0.16], [0.014 + 0.16, 0.014 + 0.04]])
    moments = 9.81 * np.array([2.0 * 0.3 + 0.8, 0.2])
    found = model.accelerations(np.zeros(2), np.zeros(2))
    assert np.allclose(found, np.linalg.solve(inertia, moments), rtol=1e-12)


def test_flexible_links_and_their_table() -> None:
    imported = flexura.import_robot(ROBOT, flexible=ROOT / "models/robots/two_links_flexible.toml")
    assert any("give way to a beam" in notice for notice in imported.notices)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", flexura.ModelWarning)
        model = imported.load()
    result = flexura.simulate(model, end=0.05)
    assert np.abs(result["upper.eta.3"]).max() > 1e-6


def test_refusals_are_model_errors(tmp_path: pathlib.Path) -> None:
    text = ROBOT.read_text()
    wrong = tmp_path / "wrong.urdf"
    wrong.write_text(text.replace('<parent link="upper"/>', '<parent link="uper"/>\n<mimic joint="shoulder"/>'))
    with pytest.raises(flexura.ModelError, match=r"wrong.urdf:36: no link is called `uper`") as caught:
        flexura.import_robot(wrong)
    assert "<mimic>" in str(caught.value)
    mimic = tmp_path / "mimic.urdf"
    mimic.write_text(text.replace('<parent link="upper"/>', '<parent link="upper"/><mimic joint="shoulder"/>'))
    with pytest.raises(flexura.ModelError, match="mimic"):
        flexura.import_robot(mimic)
    assert any("left out: <mimic>" in notice for notice in flexura.import_robot(mimic, leave_out=True).notices)
    with pytest.raises(OSError, match="cannot read"):
        flexura.import_robot(tmp_path / "none.urdf")
