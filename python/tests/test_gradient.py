"""Gradients from Python: against whole runs, alone and in batches, and mistakes."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import flexura
from places import MODELS, ROOT

# Steps of one length: whole runs at shifted values take the same steps, so that differences have no noise of step control.
FIXED = {"method": "rk4", "step": 5e-4}
TIP = "fore.hand.position.x"


@pytest.fixture(scope="module")
def run() -> flexura.DifferentiableRun:
    model = flexura.load(MODELS / "flexible_arm.toml")
    return flexura.DifferentiableRun(
        model,
        [TIP, "fore.eta.1", "shoulder.rate"],
        parameters=["fore.young", "payload.mass", "upper.density"],
        inputs=["elbow.effort"],
        times=[0.0, 0.02, 0.05, 0.1],
        simulation=FIXED,
    )


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).uniform(-1.0, 1.0, shape)


def test_rows_are_those_of_a_run(run: flexura.DifferentiableRun) -> None:
    rows = run.rows()
    result = flexura.simulate(run.model, end=0.1, output_interval=0.01)
    assert rows.shape == (4, 3) and run.channels == [TIP, "fore.eta.1", "shoulder.rate"]
    for place, at in enumerate([0, 2, 5, 10]):
        # Steps end at the rows of each: their ends differ by rounding of the times.
        assert np.allclose(rows[place], [result[name][at] for name in run.channels], rtol=1e-10, atol=1e-14)


def test_derivatives_follow_whole_runs(run: flexura.DifferentiableRun) -> None:
    q, v = run.model.initial_state()
    inputs, weights = 5.0 * numbers(run.intervals, 1), numbers(4, 3)
    pulled = run.pull_back(weights, inputs=inputs, state=(q, v))

    def slope(h: float, value: object) -> float:
        total = lambda by: float((weights * value(by)).sum())  # noqa: E731
        return (total(-2 * h) - 8 * total(-h) + 8 * total(h) - total(2 * h)) / (12 * h)

    # Fourth-order differences: their error is 1e-7 and less at these steps, most of it rounding.
    def close(found: float, wanted: float, size: float) -> None:
        assert abs(found - wanted) < 1e-5 * size, (found, wanted)

    for place, value in enumerate(run.parameter_values):
        shifted = lambda by: run.rows(run.parameter_values * (1 + by * np.eye(3)[place]), inputs, (q, v))  # noqa: E731, B023
        close(pulled.parameters[place] * value, slope(1e-3, shifted), abs(pulled.parameters[place] * value))
    for place in np.ndindex(inputs.shape):
        one = np.zeros_like(inputs)
        one[place] = 1.0
        shifted = lambda by: run.rows(inputs=inputs + by * one, state=(q, v))  # noqa: E731, B023
        close(pulled.inputs[place], slope(1e-2, shifted), np.abs(pulled.inputs).max())
    for place in range(len(q)):
        one = np.eye(len(q))[place]
        close(pulled.q[place], slope(1e-5, lambda by: run.rows(inputs=inputs, state=(q + by * one, v))), np.abs(pulled.q).max())  # noqa: B023
        close(pulled.v[place], slope(1e-4, lambda by: run.rows(inputs=inputs, state=(q, v + by * one))), np.abs(pulled.v).max())  # noqa: B023


def test_values_of_inputs_by_name_are_those_of_a_run(run: flexura.DifferentiableRun) -> None:
    effort = 5.0 * numbers(run.intervals)
    by_name = {"elbow.effort": effort}
    found = flexura.grad(run.model, f"2*end:{TIP}", run.parameters, inputs=by_name, times=run.time)
    weights = np.zeros((4, 3))
    weights[-1, 0] = 2.0
    rows, pulled = run.rows(inputs=effort[:, None]), run.pull_back(weights, inputs=effort[:, None])
    assert found.value == 2.0 * rows[-1, 0] != 2.0 * run.rows()[-1, 0]
    # Other channels are in the rows: their recorded evaluations round differently.
    assert np.allclose(found.parameters, pulled.parameters, rtol=1e-10) and np.allclose(found.inputs, pulled.inputs, rtol=1e-10)


def test_a_batch_has_the_bits_of_single_runs(run: flexura.DifferentiableRun) -> None:
    parameters = run.parameter_values * (1.0 + 0.1 * numbers(2, 1, 3))
    inputs = numbers(2, run.intervals, 1)
    rows, pulled = run.rows(parameters, inputs), run.pull_back(np.ones((4, 3)), parameters, inputs)
    assert rows.shape == (2, 2, 4, 3) and pulled.parameters.shape == (2, 2, 3) and pulled.inputs.shape == (2, 2, 3, 1)
    for i in range(2):
        for j in range(2):
            assert np.array_equal(rows[i, j], run.rows(parameters[i, 0], inputs[j]))
            alone = run.pull_back(np.ones((4, 3)), parameters[i, 0], inputs[j])
            for name in ("parameters", "inputs", "q", "v"):
                assert np.array_equal(getattr(pulled, name)[i, j], getattr(alone, name)), name


def test_quaternions_keep_their_length() -> None:
    model = flexura.load(MODELS / "spinning_top.toml")
    fixed = {"method": "rk4", "step": 1e-3, "relative_tolerance": None, "absolute_tolerance": None}
    run = flexura.DifferentiableRun(model, ["energy.gravity"], times=[0.0, 0.02], simulation=fixed)
    q, v = model.initial_state()
    assert len(q) > len(v)
    weights = np.array([[0.0], [1.0]])
    pulled = run.pull_back(weights, state=(q, v))
    assert abs(pulled.q @ q) < 1e-12 * np.abs(pulled.q).max()
    found = flexura.grad(model, "end:energy.gravity", times=[0.0, 0.02], simulation=fixed, initial_state=(q, v))
    for place, one in enumerate(np.eye(len(v))):
        ends = [run.rows(state=(model.retract(q, by * one), v))[-1, 0] for by in (-1e-5, 1e-5)]
        difference = (ends[1] - ends[0]) / 2e-5
        # A first-order move of q is the chain of what is stored and what speeds do to it.
        chained = pulled.q @ (model.retract(q, 1e-5 * one) - model.retract(q, -1e-5 * one)) / 2e-5
        size = np.abs(found.position).max()
        assert abs(found.position[place] - difference) < 1e-5 * size and abs(chained - difference) < 1e-5 * size


def test_the_command_says_the_same() -> None:
    arguments = ["--objective", "peak:motor.rate", "0.5*end:arm.eta.1", "--parameters", "arm.young", "--inputs", "motor.effort"]
    command = [sys.executable, "-m", "flexura", "gradient", str(MODELS / "controlled_arm.toml"), *arguments, "--end", "0.3", "--json"]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    model = flexura.load(MODELS / "controlled_arm.toml")
    found = model.gradient(["peak:motor.rate", "0.5*end:arm.eta.1"], ["arm.young"], inputs=["motor.effort"], end=0.3)
    assert found.value == said["objective"] and found["arm.young"] == said["parameters"]["arm.young"]
    assert found["motor.effort"].tolist() == said["input_derivatives"] and found.v.tolist() == said["speed"]
    assert found.cost["runs"] > 1.0


def test_a_record_counts_as_in_the_command() -> None:
    model = flexura.load(MODELS / "fit/ringdown.toml", simulation={"method": "dormand-prince", "step": None, "spectral_radius": None})
    record = {"time": np.linspace(0.05, 0.5, 10), "boom.tip.position.y": 0.01 * numbers(10)}
    found = flexura.grad(model, (), ["boom.young"], record=record)
    rows = flexura.DifferentiableRun(model, ["boom.tip.position.y"], times=record["time"]).rows()[:, 0]
    wanted = record["boom.tip.position.y"]
    assert found.value == pytest.approx(np.mean(((rows - wanted) / wanted.std()) ** 2), rel=1e-12)


def test_the_example_leaves_no_vibration() -> None:
    sys.path.insert(0, str(ROOT / "python/examples"))
    import arm_by_gradient

    found = arm_by_gradient.main()
    assert found["bending"] < 1e-3 * found["bending before"] and found["angle"] < 1e-4
    assert found["torque"] <= arm_by_gradient.LIMIT


@pytest.mark.filterwarnings("ignore::flexura.ModelWarning")  # a plane loop in space
def test_mistakes_are_named(run: flexura.DifferentiableRun) -> None:
    model, tip = run.model, f"end:{TIP}"

    def refused(words: str, *arguments: object, **options: object) -> None:
        with pytest.raises(ValueError, match=words):
            flexura.grad(model, *arguments, **options)

    refused("did you mean", "end:fore.hand.position.xx")
    refused("write TERM:CHANNEL", "ends:fore.hand.position.x")
    refused("give an objective")
    refused("fore.yuong", tip, ["fore.yuong"])
    refused("no influence", tip, ["fore.poisson"])
    refused("is a check of the run", "end:energy.balance")
    refused("no input", tip, inputs=["elbow.efort"])
    refused("has the shape", tip, inputs={"elbow.effort": [1.0, 2.0]}, end=0.1)
    refused("is no number", tip, inputs={"elbow.effort": np.nan}, end=0.1)
    refused("must rise", tip, times=[0.0, 0.2, 0.1])
    refused("no column `time`|has a column", record={TIP: [1.0]})
    refused("value 2 of column", record={"time": [0.0, 0.1], TIP: [1.0, np.nan]})
    refused("use `method = ", tip, simulation={"method": "auto", "step": None})
    for words, call in [
        ("its last axes must be", lambda: run.rows(parameters=[1.0])),
        ("no number", lambda: run.rows(parameters=[np.nan, 1.0, 1.0])),
        ("weights has the shape", lambda: run.pull_back(np.ones((3, 3)))),
    ]:
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(flexura.ModelError) as caught:
        run.rows(parameters=[[1e9, 1.0, 2700.0], [1e9, -1.0, 2700.0]])
    assert any("case 1 of 2" in note for note in getattr(caught.value, "__notes__", ["case 1 of 2"]))
    driven = flexura.load(MODELS / "controlled_arm.toml", controllers={"servo": lambda t, e, m: 0.0})
    for make in (lambda: driven.gradient("end:arm.eta.1"), lambda: driven.gradient("end:arm.eta.1", simulation=FIXED)):
        with pytest.raises(ValueError, match="laws in Python"):
            make()
    with pytest.warns(flexura.ModelWarning, match="closes the loop"):
        loop = flexura.load(MODELS / "four_bar.toml")
    implicit = {"method": "trapezoidal", "step": 1e-4, "output_interval": 1e-3}
    with pytest.raises(ValueError, match="has the work of drives"):
        loop.gradient("end:energy.work", simulation=implicit)
    found = loop.gradient("end:coupler.eta.1", ["coupler.length"], end=0.003, simulation=implicit)
    assert found.parameters.shape == (1,) and found.parameters[0] != 0.0
