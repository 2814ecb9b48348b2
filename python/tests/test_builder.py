"""Models built in code, finite element parts."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import flexura

from places import MODELS


def test_the_builder_gives_the_model_of_the_file(arm: flexura.Model) -> None:
    tube = {"density": 2700, "young": 70e9, "poisson": 0.33, "boundary": "clamped-free", "bending_y": 2, "bending_z": 2}
    motion = {"cycloidal": {"from": 0, "to": np.pi / 2, "start": 0.1, "duration": 1.0}}
    model = (
        flexura.ModelBuilder("flexible arm", gravity=[0, 0, -9.81])
        .beam("upper", length=2.0, section={"tube": [0.025, 0.022]}, torsion=1, damping={"ratios": [0.01] * 5},
              frames={"elbow": {"station": "tip"}}, **tube)
        .beam("fore", length=1.5, section={"tube": [0.02, 0.018]}, damping={"ratios": [0.01] * 4},
              frames={"hand": {"station": "tip"}}, **tube)
        .rigid("payload", mass=2.0, inertia=[0.004] * 3)
        .revolute("shoulder", "ground.origin", "upper.origin", axis=[0, 0, 1], motion=motion)
        .revolute("elbow", "upper.elbow", "fore.origin", axis=[0, 0, 1], position=-0.5, stiffness=150.0, rest=-0.5,
                  damping=4.0)
        .weld("grip", "fore.hand", "payload.origin")
        .simulation(end=2.5, output_interval=0.01)
        .build()
    )
    ours, theirs = flexura.simulate(model, end=0.4), flexura.simulate(arm, end=0.4)
    assert ours.names == theirs.names
    assert ours.data.tobytes() == theirs.data.tobytes()


def test_all_kinds_of_items() -> None:
    model = (
        flexura.ModelBuilder("all")
        .ground_frame("wall", [1.0, 0, 0])
        .modal("plate", [{"name": "end", "mass": 1.0, "inertia": [0.01] * 3, "position": [1, 0, 0],
                "translations": [[0, 0, 1.0]]}], [1000.0], frames={"end": {"node": "end"}}, damping={"ratios": [0.1]})
        .point("bob", 0.5)
        .rigid("hub", 1.0, np.diag([0.1, 0.1, 0.1]))
        .free("float", "ground.origin", "hub.origin")
        .revolute("hinge", "hub.origin", "plate.origin", axis=[0, 1, 0], stiffness=10.0)
        .joint("slide", "translational", "ground.wall", "bob.origin")
        .element("spring", "spring-damper", "ground.wall", "bob.origin", stiffness=5.0, free_length=0.1)
        .force("push", "plate.end", force=[0, 0, 1.0], scale={"harmonic": {"amplitude": 1.0, "frequency": 2.0}})
        .load("heat", "modal", "plate", forces=[0.1])
        .controller("servo", sensors=["hinge.angle"], actuators=["hinge.effort"], type="pid", proportional=1.0)
        .initial("plate", modal_position=[0.01])
        .event("low", "slide.z", value=-0.5, direction="falling")
        .picture("hub", box=[0.1, 0.1, 0.1])
        .output(channels=["*"])
        .simulation(end=0.5)
        .build()
    )
    assert set(model.bodies) == {"plate", "bob", "hub"} and model.modes_of_bodies["plate"] == 1
    result = flexura.simulate(model)
    assert abs(result["energy.balance"]).max() < 1e-5
    assert result.outcome["events"][0][0] == "low"


def test_errors_name_the_line_of_the_text() -> None:
    builder = flexura.ModelBuilder("wrong").rigid("rod", mass=-1.0, inertia=[1, 1, 1])
    builder.revolute("hinge", "ground.origin", "rod.origin")
    with pytest.raises(flexura.ModelError) as caught:
        builder.build()
    found = caught.value.diagnostics[0]
    assert found.item == "body `rod`" and "mass" in builder.text.splitlines()[found.line - 1]
    with pytest.raises(TypeError, match="no place in a model"):
        flexura.ModelBuilder("wrong").rigid("rod", mass=object(), inertia=1).text
    odd = flexura.ModelBuilder('quote " back \\ line\n')
    odd.rigid("rod", 1.0, [1, 1, 1]).revolute("hinge", "ground.origin", "rod.origin")
    assert odd.build().name == 'quote " back \\ line\n'


def test_parts_are_reduced_and_used(tmp_path: pathlib.Path) -> None:
    body = flexura.reduce(MODELS / "parts/boom.toml", output=tmp_path / "boom.fxb")
    assert body.frequencies.size == body.stiffness.shape[0] == body.mass.shape[0]
    assert (tmp_path / "boom.fxb").exists() and body.total_mass > 0 and "Hz" in str(body)
    values = np.linalg.eigvals(np.linalg.solve(body.mass, body.stiffness))
    np.testing.assert_allclose(np.sort(np.sqrt(values.real)) / (2 * np.pi), np.sort(body.frequencies), rtol=1e-6)
    model = flexura.load(MODELS / "panel_swing.toml")
    assert model.modes_of_bodies["panel"] > 0
    with pytest.raises(flexura.ModelError) as caught:
        flexura.reduce("part.toml", text="[[beam]]\nnam = 1\n")
    assert caught.value.diagnostics
    with pytest.raises(FileNotFoundError):
        flexura.reduce(tmp_path / "missing.toml")
    with pytest.raises(ValueError, match="give enough too"):
        flexura.reduce(MODELS / "parts/boom.toml", band=100.0)
    with pytest.raises(flexura.ModelError, match="1e-6 and 0.5"):
        flexura.reduce(MODELS / "parts/boom.toml", enough=2.0)


def test_parts_to_an_error() -> None:
    few = flexura.reduce(MODELS / "parts/boom.toml")
    assert few.reached is None
    body = flexura.reduce(MODELS / "parts/boom.toml", enough=1e-3, band=200.0)
    reached = body.reached
    assert reached is not None and (reached.asked, reached.band) == (1e-3, 200.0)
    assert max(reached.statics, reached.held, reached.free or 0.0) <= 1e-3
    assert len(body.frequencies) > len(few.frequencies)
    assert "asked for 1.0e-3 up to 200.0000 Hz" in body.report
    text = (MODELS / "parts/boom.toml").read_text().replace("modes = 4", "enough = 1e-3\nband = 200")
    assert flexura.reduce("boom.toml", text=text).frequencies.tolist() == body.frequencies.tolist()


def test_another_build_makes_new_entries_of_the_cache(tmp_path: pathlib.Path) -> None:
    """The key holds the build of the extension, not that of the interpreter."""
    extension = pathlib.Path(flexura._flexura.__file__)
    lines = f"import flexura; flexura.load({str(MODELS / 'panel_swing.toml')!r})"

    def entries() -> int:
        subprocess.run([sys.executable, "-c", lines], env={**os.environ, "FLEXURA_CACHE": str(tmp_path)}, check=True)
        return len(list(tmp_path.iterdir()))

    before = extension.stat()
    assert (entries(), entries()) == (1, 1)
    try:
        os.utime(extension, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000_000))
        assert entries() == 2
    finally:
        os.utime(extension, ns=(before.st_atime_ns, before.st_mtime_ns))


def language_model(count: int = 3) -> flexura.ModelBuilder:
    """A row of pendulums by variables, a definition and an array."""
    return (
        flexura.ModelBuilder("row")
        .let(n=count, l=0.5, weights=[1.0, 2.0, 3.0])
        .define("bob", mass="= weights[i]", inertia=[1e-3, 1e-3, 1e-3])
        .body("bob{i}", repeat="= n", like="bob", frames={"pivot": [0, 0, "= l*i"]})
        .revolute("swing{i}", "ground.origin", "bob{i}.pivot", repeat="= n", axis=[0, 1, 0], position=0.3)
        .simulation(end=0.2, output_interval=0.1)
    )


def test_language_gives_the_bits_of_the_model_written_out() -> None:
    by_hand = flexura.ModelBuilder("row").simulation(end=0.2, output_interval=0.1)
    for i in (1, 2, 3):
        by_hand.rigid(f"bob{i}", mass=float(i), inertia=[1e-3] * 3, frames={"pivot": [0, 0, 0.5 * i]})
        by_hand.revolute(f"swing{i}", "ground.origin", f"bob{i}.pivot", axis=[0, 1, 0], position=0.3)
    ours, theirs = flexura.simulate(language_model().build()), flexura.simulate(by_hand.build())
    assert ours.names == theirs.names
    assert ours.data.tobytes() == theirs.data.tobytes()


def test_variables_are_parameters() -> None:
    model = language_model().build()
    assert model.parameters["let.l"] == 0.5


def test_errors_name_the_used_file(tmp_path: pathlib.Path) -> None:
    (tmp_path / "part.toml").write_text('[let]\nm = 1\n[[body]]\nname = "b"\nmass = "= m"\ninertia = [1, 1, 1]\n')
    builder = flexura.ModelBuilder("outer").use("left", "part.toml", let={"m": "= 1 - 3"})
    with pytest.raises(flexura.ModelError) as caught:
        builder.build(file_name=str(tmp_path / "model.toml"))
    (found,) = caught.value.diagnostics
    assert (found.code, found.line, found.item) == ("negative-mass", 5, "body `left/b`")
    assert found.file.endswith("part.toml")
    assert "used at" in str(caught.value)
