"""Stresses, displacements, meshes and fatigue as arrays."""

import json

import numpy as np
import pytest
from places import MODELS

import flexura
from flexura import _flexura

BEAM = """
[model]
gravity = [0, 0, 0]
[[body]]
name = "beam"
[body.beam]
length = 2.0
density = 2700
young = 70e9
poisson = 0.33
section = { rectangle = [0.02, 0.05] }
shapes = [{ kind = "bending_y", polynomial = [0, 0, 1.5, -0.5] }]
[[joint]]
name = "clamp"
type = "weld"
between = ["ground.origin", "beam.origin"]
[simulation]
end = 0.2
output_interval = 0.0005
[[simulation.initial]]
body = "beam"
modal_position = [0.03]
"""


@pytest.fixture(scope="module")
def beam() -> flexura.Result:
    return flexura.simulate(flexura.loads(BEAM))


@pytest.fixture(scope="module")
def crane() -> flexura.Result:
    # Until it travels, from 0.5 s on, it bends about one axis only.
    return flexura.simulate(flexura.load(MODELS / "crane_travel.toml"), end=0.8)


def test_a_cantilever_has_the_stresses_of_its_theory(beam):
    mesh = beam.mesh("beam")
    assert mesh.positions.shape == (25, 3) and mesh.find("tip") == 24 and mesh.find(1) == 0
    # v = d (3 s^2 - s^3)/2: the tip moves by d, the root has E (b/2) 3 d/L^2.
    moved = beam.displacements("beam")
    assert moved[0, 24] == pytest.approx([0.0, 0.03, 0.0], abs=1e-15)
    stress = beam.stress("beam", nodes=["root"])
    assert stress.values.shape == (len(beam.time), 8, 6)
    assert stress.von_mises[0].max() == pytest.approx(70e9 * 0.01 * 3 * 0.03 / 4, rel=1e-12)
    assert np.abs(stress.principal[:, :, 0] - np.maximum(stress.values[:, :, 0], 0)).max() < 1.0
    place, most, when = stress.worst()
    assert most == stress.von_mises.max() and stress.layers[place].startswith("line1.fibre")
    forces = beam.section_forces("beam")
    assert forces.shape == (len(beam.time), 24, 2, 6)
    assert forces[0, 0, 0, 5] == pytest.approx(70e9 * 0.05 * 0.02**3 / 12 * 3 * 0.03 / 4, rel=1e-12)


def test_arrays_are_those_of_the_command(crane, tmp_path):
    """NumPy and the program recover stresses by different code from the same rows."""
    file, table = tmp_path / "crane.fxr", tmp_path / "peaks.json"
    crane.save(file)
    assert _flexura.command(["flexura", "stress", str(file), "-o", str(table)]) == 0
    places = json.loads(table.read_text())["bodies"][0]["places"]
    stress = crane.stress("crane")
    assert len(places) == len(stress.layers)
    peaks, when = stress.peaks()
    assert [place["layer"] for place in places] == stress.layers
    assert [place["node"] for place in places] == stress.numbers.tolist()
    signed = np.array([place["von_mises"]["value"] for place in places])
    assert np.abs(np.abs(signed) - peaks).max() < 1e-9 * peaks.max()
    first = np.array([place["tension"]["value"] for place in places])
    assert np.abs(first - stress.principal[:, :, 0].max(axis=0)).max() < 1e-6 * peaks.max()


def test_layers_and_sets_of_a_part():
    result = flexura.simulate(flexura.load(MODELS / "panel_swing.toml"), end=0.6)
    top, bottom, middle = (result.stress("panel", sets=["plate"], layer=layer) for layer in ("top", "bottom", "middle"))
    assert np.abs(0.5 * (top.values + bottom.values) - middle.values).max() < 1e-6 * np.abs(top.values).max()
    assert set(top.layers) == {"top"}
    with pytest.raises(KeyError, match="has no set 'rim'; its sets: plate"):
        result.stress("panel", sets=["rim"])
    with pytest.raises(ValueError, match="no layer 'outer'"):
        result.stress("panel", layer="outer")


def test_what_is_missing_is_named(beam):
    with pytest.raises(KeyError, match="no stresses of a body 'arm'; bodies with stresses: beam"):
        beam.stress("arm")
    with pytest.raises(KeyError, match="did you mean 'tip'"):
        beam.stress("beam", nodes=["tipp"])
    rigid = flexura.simulate(flexura.load(MODELS / "pendulum.toml"), end=0.1)
    with pytest.raises(ValueError, match="holds no stresses"):
        rigid.stress("rod")


def test_cycles_and_damage(beam, tmp_path):
    curve = tmp_path / "curve.toml"
    curve.write_text("stress = 100e6\ncycles = 1e6\nexponent = 4\n")
    found = beam.fatigue("beam", curve, nodes=["root"])
    stress = beam.stress("beam", nodes=["root"])
    cycles = flexura.rainflow(stress.signed_von_mises[:, 0])
    by_hand = (cycles[:, 2] / (1e6 * (100e6 / (cycles[:, 0] / 2)) ** 4)).sum()
    assert found.damage[0] == pytest.approx(by_hand, rel=1e-12)
    assert found.largest_range[0] == pytest.approx(cycles[:, 0].max(), rel=1e-12)
    doubled = beam.fatigue("beam", curve, nodes=["root"], factor=2.0)
    assert doubled.damage == pytest.approx(16 * found.damage, rel=1e-9)
    with pytest.raises(ValueError, match="no equivalent stress 'tresca'"):
        beam.fatigue("beam", curve, equivalent="tresca")
    with pytest.raises(OSError, match="cannot be read"):
        beam.fatigue("beam", tmp_path / "none.toml")


def test_meshes_for_paraview(beam, tmp_path):
    beam.save_vtk(tmp_path / "beam.pvd", every=200)
    assert "vtu" in (tmp_path / "beam.pvd").read_text()
    with pytest.raises(OSError, match="cannot write"):
        beam.save_vtk(tmp_path / "beam.pvd" / "below_a_file.pvd")
    with pytest.raises(ValueError, match="end the name with .pvd"):
        beam.save_vtk(tmp_path / "beam.vtk")
