"""Closed loops, formulations, methods, threads, checkpoints: all from Python, with the bits of the program."""

from __future__ import annotations

import pathlib
import pickle
import signal
import threading
from typing import Any

import numpy as np
import pytest

import flexura

from places import MODELS
from test_simulate import command

pytestmark = pytest.mark.filterwarnings("ignore:.*constraints with which it closes:flexura.ModelWarning")

GLOBAL = {"formulation": "global", "method": "trapezoidal", "step": 0.005}


@pytest.mark.parametrize(
    ("name", "end"), [("squeezer", 0.003), ("double_four_bar_flexible", 0.2), ("bricard", 0.3), ("compressed_bar", 0.02)]
)
def test_loops_and_implicit_steps_are_those_of_the_program(name: str, end: float, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "out.fxr"
    done = command("run", MODELS / f"{name}.toml", "--end", end, "--output", file, "--quiet")
    assert done.returncode == 0, done.stderr
    ours = flexura.simulate(flexura.load(MODELS / f"{name}.toml"), end=end)
    assert flexura.open_result(file).data.tobytes() == ours.data.tobytes()


def test_settings_of_the_simulation_are_those_of_a_file(tmp_path: pathlib.Path) -> None:
    """The global formulation of a file that asks for none."""
    text = (MODELS / "pendulum.toml").read_text()
    written = tmp_path / "global.toml"
    keys = "".join(f"{key} = {value!r}\n" for key, value in GLOBAL.items()).replace("'", '"')
    written.write_text(text.replace("[simulation]\n", "[simulation]\n" + keys))
    file = tmp_path / "out.fxr"
    done = command("run", written, "--end", 0.5, "--output", file, "--quiet")
    assert done.returncode == 0, done.stderr
    ours = flexura.simulate(flexura.load(MODELS / "pendulum.toml", simulation=GLOBAL), end=0.5)
    assert flexura.open_result(file).data.tobytes() == ours.data.tobytes()
    other = flexura.simulate(flexura.load(MODELS / "pendulum.toml"), end=0.5)
    assert other.data.tobytes() != ours.data.tobytes()
    # Two formulations, one motion: the trapezoidal rule is off by the square of its step.
    np.testing.assert_allclose(ours["hinge.angle"], other["hinge.angle"], atol=1e-3)


def test_settings_are_added_changed_and_taken_away() -> None:
    top = MODELS / "spinning_top.toml"
    changed = flexura.load(top, simulation={"method": "rk4", "step": 1e-3, "relative_tolerance": None, "absolute_tolerance": None})
    assert flexura.simulate(changed, end=0.1).outcome["steps"] == 100
    bare = "\n".join(line for line in (MODELS / "pendulum.toml").read_text().split("[simulation]")[:1])
    assert flexura.loads(bare, simulation={"end": 0.25}).time_span == (0.0, 0.25)
    for keys, words in [
        ({"method": "guess"}, "method"),
        ({"setp": 1.0}, "did you mean"),
        ({"end": [1.0]}, "end"),
        ({"formulation": "global"}, "trapezoidal"),
    ]:
        with pytest.raises(flexura.ModelError, match=words):
            flexura.load(top, simulation=keys)
    with pytest.raises(TypeError):
        flexura.load(top, simulation={"step": object()})


def test_threads_do_not_change_the_bits() -> None:
    model = flexura.load(MODELS / "compressed_bar.toml")
    one, two = (flexura.simulate(model, end=0.02, threads=count) for count in (1, 2))
    assert one.data.tobytes() == two.data.tobytes()
    with pytest.raises(ValueError, match="divide-and-conquer"):
        flexura.simulate(flexura.load(MODELS / "pendulum.toml"), threads=2)
    with pytest.raises(ValueError, match="threads = 0"):
        flexura.simulate(model, threads=0)


@pytest.mark.parametrize(
    ("name", "end", "keys"),
    [
        ("flexible_arm", 0.1, {}),
        ("controlled_arm", 0.3, {}),
        ("double_four_bar", 0.2, {}),
        ("pendulum", 0.5, GLOBAL),
    ],
)
def test_a_restarted_run_has_the_same_bits(name: str, end: float, keys: dict[str, Any], tmp_path: pathlib.Path) -> None:
    model = flexura.load(MODELS / f"{name}.toml", simulation=keys)
    made: list[flexura.Checkpoint] = []
    whole = flexura.simulate(model, end=end, checkpoint=made.append, checkpoint_interval=0.0)
    assert len(made) == whole.outcome["steps"]
    for kept in (made[0], made[len(made) // 2], pickle.loads(pickle.dumps(made[-2]))):
        again = flexura.simulate(model, end=end, restart=kept)
        assert again.data.tobytes() == whole.data.tobytes()
        assert again.outcome == whole.outcome
    file = tmp_path / "run.checkpoint"
    flexura.simulate(model, end=0.5 * end, checkpoint=file, checkpoint_interval=0.0)
    assert flexura.simulate(model, end=end, restart=file)["time"][-1] == whole["time"][-1]


def test_an_interrupted_run_goes_on() -> None:
    model = flexura.load(MODELS / "pendulum.toml")
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(flexura.Interrupted) as caught:
        flexura.simulate(model, end=1e5, channels=["hinge.angle"])
    timer.join()
    checkpoint = caught.value.checkpoint
    assert checkpoint is not None and checkpoint.rows.shape[0] > 10
    end = checkpoint.time + 2.0
    again = flexura.simulate(model, end=end, channels=["hinge.angle"], restart=checkpoint)
    whole = flexura.simulate(model, end=end, channels=["hinge.angle"])
    # The last row is at the end; the steps before it are those of the longer run.
    assert again.data.tobytes() == whole.data.tobytes()


def test_wrong_checkpoints(tmp_path: pathlib.Path) -> None:
    model, other = flexura.load(MODELS / "pendulum.toml"), flexura.load(MODELS / "flexible_arm.toml")
    made: list[flexura.Checkpoint] = []
    flexura.simulate(model, end=0.1, checkpoint=made.append, checkpoint_interval=0.0)
    with pytest.raises(ValueError, match="another model"):
        flexura.simulate(other, restart=made[0])
    with pytest.raises(ValueError, match="columns"):
        flexura.simulate(model, restart=made[0], channels=["hinge.angle"])
    with pytest.raises(ValueError, match="no other state"):
        flexura.simulate(model, restart=made[0], from_static=True)
    with pytest.raises(ValueError, match="checkpoint_interval"):
        flexura.simulate(model, checkpoint=made.append, checkpoint_interval=-1.0)
    (tmp_path / "x").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="no checkpoint"):
        flexura.simulate(model, restart=tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        flexura.simulate(model, restart=tmp_path / "missing")
    short = flexura.Checkpoint(made[0].time, made[0].words[:-3], made[0].rows, made[0].model)
    with pytest.raises(flexura.SimulationError, match="does not fit"):
        flexura.simulate(model, restart=short)
    with pytest.raises(flexura.SimulationError, match="ZeroDivisionError"):
        flexura.simulate(model, checkpoint=lambda made: 1 / 0, checkpoint_interval=0.0)


def test_formulation_by_name() -> None:
    """A closed loop in natural coordinates and in joint coordinates; what does not fit is refused by name."""
    text = (MODELS / "four_bar.toml").read_text()
    text = text[: text.index("[simulation]")] + (
        '[simulation]\nmethod = "trapezoidal"\nstep = 1e-4\nend = 0.01\noutput_interval = 1e-3\n'
    )
    model = flexura.loads(text)
    ends = [
        flexura.simulate(model, formulation=word, channels=["b.angle"])["b.angle"][-1]
        for word in ("topological", "global")
    ]
    assert abs(ends[0] - ends[1]) < 1e-5
    with pytest.raises(ValueError, match="topological formulation"):
        flexura.simulate(model, formulation="recursive")
    with pytest.raises(ValueError, match="explicit methods and radau"):
        flexura.simulate(model, formulation="graph")
    with pytest.raises(ValueError, match="choose recursive"):
        flexura.simulate(model, formulation="magic")
