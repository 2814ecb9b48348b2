"""Control laws in Python at a fixed rate."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

import flexura

from places import MODELS

KP, KD, DT = 60.0, 6.0, 0.002


def pd(t: float, error: np.ndarray, memory: np.ndarray) -> float:
    """The PD law of the model file, with the backward difference of the engine's sampled law."""
    slope = (error[0] - memory[0]) * (1.0 / DT)
    memory[0] = error[0]
    return error[0] * KP + 0.0 * 0.0 + slope * KD


def test_a_law_in_python_is_the_law_of_the_file() -> None:
    path = MODELS / "controlled_arm.toml"
    theirs = flexura.simulate(flexura.load(path), end=0.6)
    model = flexura.load(path, controllers={"servo": flexura.PythonLaw(pd, memory=1)})
    ours = flexura.simulate(model, end=0.6)
    np.testing.assert_allclose(ours["motor.angle"], theirs["motor.angle"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours["servo.output.1"], theirs["servo.output.1"], rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="laws in Python"):
        flexura.sensitivity(model, ["hub.mass"], ["motor.angle"], end=0.1)
    again = pickle.loads(pickle.dumps(model))
    assert flexura.simulate(again, end=0.6).data.tobytes() == ours.data.tobytes()


def test_several_sensors_and_actuators() -> None:
    calls: list[float] = []

    def law(t: float, error: np.ndarray, memory: np.ndarray) -> list[float]:
        calls.append(t)
        return [20.0 * error[0] + 2.0 * error[1], 0.0]

    model = (
        flexura.ModelBuilder("double", gravity=[0, 0, 0])
        .rigid("a", 1.0, [0.1, 0.1, 0.1], frames={"end": [0.5, 0, 0]})
        .rigid("b", 1.0, [0.1, 0.1, 0.1])
        .revolute("one", "ground.origin", "a.origin", position=0.3)
        .revolute("two", "a.end", "b.origin")
        .controller(
            "both", sensors=["one.angle", "one.rate"], actuators=["one.effort", "two.effort"], law=law, sample_time=0.01
        )
        .simulation(end=1.0)
        .build()
    )
    result = flexura.simulate(model)
    np.testing.assert_allclose(calls, np.arange(len(calls)) * 0.01, atol=1e-12)
    assert len(calls) in (100, 101)
    assert abs(result["one.angle"][-1]) < 0.3
    runs = flexura.rollout(model, initial_states=[([0.3, 0.0], [0.0, 0.0])] * 3, end=0.2)
    alone = flexura.simulate(model, end=0.2, picture=False)
    assert all(run.data.tobytes() == alone.data.tobytes() for run in runs)


def drag(t: float, speed: np.ndarray, memory: np.ndarray) -> float:
    """Quadratic drag against a fall (N)."""
    memory[0] += 1.0
    return -0.5 * speed[0] * abs(speed[0])


def test_a_force_in_python() -> None:
    """A stone that falls with quadratic drag: v = −V tanh(g t / V), V² = m g / c."""
    model = (
        flexura.ModelBuilder("stone")
        .point("stone", 2.0)
        .prismatic("fall", "ground.origin", "stone.origin", axis=[0, 0, 1])
        .force("drag", "stone.origin", force=[0, 0, 1.0], sensors=["fall.speed"], sample_time=1e-3,
               law=flexura.PythonLaw(drag, memory=1))
        .simulation(end=2.0)
        .build()
    )
    result = flexura.simulate(pickle.loads(pickle.dumps(model)))
    terminal = np.sqrt(2.0 * 9.81 / 0.5)
    # The force is held over a sample: an error of first order in the sample time.
    np.testing.assert_allclose(result["fall.speed"], -terminal * np.tanh(9.81 * result.time / terminal), atol=5e-3)
    with pytest.raises(flexura.ModelError, match="sample_time"):
        flexura.ModelBuilder("stone").point("a", 1.0).prismatic("b", "ground.origin", "a.origin").force(
            "drag", "a.origin", force=[0, 0, 1.0], sensors=["b.speed"], law=drag
        ).build()


def test_errors_of_a_law_end_the_run() -> None:
    path = MODELS / "controlled_arm.toml"

    def late(t: float, error: np.ndarray, memory: np.ndarray) -> float:
        if t > 0.1:
            raise ZeroDivisionError("law")
        return 0.0

    for law, words in [
        (late, "ZeroDivisionError"),
        (lambda t, e, m: float("nan"), "returned \\[NaN\\]"),
        (lambda t, e, m: [1.0, 2.0], "2 values for 1 actuators"),
        (lambda t, e, m: "x", "Error"),
        (lambda: 0.0, "TypeError"),
    ]:
        model = flexura.load(path, controllers={"servo": law})
        with pytest.raises(flexura.SimulationError, match=words) as caught:
            flexura.simulate(model, end=0.3)
        assert caught.value.result is not None
        kept = flexura.rollout(model, initial_states=[model.initial_state()] * 2, end=0.3, errors="keep")
        assert all(isinstance(run, flexura.SimulationError) for run in kept)
    assert caught.value.result.data.shape[0] >= 1
    with pytest.raises(flexura.ModelError, match="no such controller"):
        flexura.load(path, controllers={"sevro": late})
    with pytest.raises(flexura.ModelError, match="sample_time"):
        flexura.load(path, set={"servo.sample_time": 0.0}, controllers={"servo": late})
    with pytest.raises(TypeError, match="cannot be called"):
        flexura.load(path, controllers={"servo": 3})  # type: ignore[dict-item]


def test_cost_of_a_law_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """Timing never decides a test: the figure is shown."""
    path = MODELS / "controlled_arm.toml"
    models = {
        "file": flexura.load(path),
        "python": flexura.load(path, controllers={"servo": flexura.PythonLaw(pd, memory=1)}),
    }
    best = {}
    for name, model in models.items():
        best[name] = np.inf
        for _ in range(5):
            started = time.perf_counter()
            flexura.simulate(model, end=3.0, channels=["motor.angle"], picture=False)
            best[name] = min(best[name], time.perf_counter() - started)
    samples = 3.0 / DT
    cost = (best["python"] - best["file"]) / samples
    with capsys.disabled():
        print(f"\na law in Python: {cost * 1e6:.1f} us a sample more than the same law of the engine")
    assert np.isfinite(cost)
