"""Many runs: equal to single ones, on threads, processes and clusters."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import flexura
from flexura._run import cores

from places import MODELS


def test_a_thousand_runs_equal_single_runs(capsys: pytest.CaptureFixture[str]) -> None:
    path = MODELS / "pendulum.toml"
    model = flexura.load(path)
    random = np.random.default_rng(7)
    parameters = {
        "hinge.position": random.uniform(-1, 1, 1000),
        "rod.mass": random.uniform(0.5, 2.0, 1000),
    }
    # What other tests left behind is none of the collector's business here.
    gc.collect()
    gc.freeze()
    counts = [1, *(2**k for k in range(1, 7) if 2**k <= cores())]
    wall, work, alone_share = {}, {}, {}
    for threads in counts:
        clocks = time.perf_counter(), time.process_time(), time.thread_time()
        runs = flexura.rollout(model, parameters, end=0.5, channels=["hinge.*"], threads=threads)
        wall[threads], work[threads] = time.perf_counter() - clocks[0], time.process_time() - clocks[1]
        alone_share[threads] = (time.thread_time() - clocks[2]) / work[threads]
    gc.unfreeze()
    assert len(runs) == 1000
    for index, run in enumerate(runs):
        numbers = {name: float(values[index]) for name, values in parameters.items()}
        alone = flexura.simulate(flexura.load(path, set=numbers), end=0.5, channels=["hinge.*"], picture=False)
        assert alone.data.tobytes() == run.data.tobytes()
    # Timing never decides a test. On a busy machine the time of the processor says more than that of the clock.
    with capsys.disabled():
        for threads in counts:
            print(
                f"\n1000 runs on {threads} threads: {wall[threads]:.2f} s, {wall[1] / wall[threads]:.2f} times as fast;"
                f" work {work[threads] / work[1]:.2f} times, {100 * alone_share[threads]:.1f} % of it on the calling thread",
                end="",
            )


def test_initial_states_and_both(arm: flexura.Model) -> None:
    q, v = arm.initial_state()
    free = np.flatnonzero(~np.array(arm.prescribed))
    states = []
    for index in range(4):
        speeds = v.copy()
        speeds[free[-1]] = 0.1 * index
        states.append((q, speeds))
    runs = flexura.rollout(arm, initial_states=states, end=0.1)
    for state, run in zip(states, runs):
        alone = flexura.simulate(arm, initial_state=state, end=0.1, picture=False)
        assert alone.data.tobytes() == run.data.tobytes()
    assert runs[0].data.tobytes() != runs[3].data.tobytes()
    both = flexura.rollout(arm, [{"payload.mass": 1.0 + i} for i in range(4)], states, end=0.1)
    lighter = flexura.load(MODELS / "flexible_arm.toml", set={"payload.mass": 3.0})
    alone = flexura.simulate(lighter, initial_state=states[2], end=0.1, picture=False)
    assert alone.data.tobytes() == both[2].data.tobytes()


def test_failures_are_raised_or_kept(pendulum: flexura.Model) -> None:
    masses = [1.0, -1.0, 2.0]
    with pytest.raises(flexura.ModelError, match="rod"):
        flexura.rollout(pendulum, {"rod.mass": masses}, end=0.1)
    kept = flexura.rollout(pendulum, {"rod.mass": masses}, end=0.1, errors="keep")
    assert isinstance(kept[1], flexura.ModelError) and kept[1].diagnostics[0].item == "body `rod`"
    assert isinstance(kept[0], flexura.Result) and isinstance(kept[2], flexura.Result)
    with pytest.raises(flexura.ModelError, match="no number"):
        flexura.rollout(pendulum, {"rod.mas": [1.0]}, end=0.1)
    with pytest.raises(ValueError, match="different lengths"):
        flexura.rollout(pendulum, {"rod.mass": [1.0], "hinge.position": [1.0, 2.0]})
    with pytest.raises(ValueError, match="parameters, initial_states"):
        flexura.rollout(pendulum)
    with pytest.raises(ValueError, match="threads"):
        flexura.rollout(pendulum, {"rod.mass": [1.0]}, threads=0)
    assert flexura.rollout(pendulum, []) == []


def test_ctrl_c_ends_a_rollout(pendulum: flexura.Model) -> None:
    timer = threading.Timer(0.4, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        flexura.rollout(pendulum, {"rod.mass": np.linspace(1, 2, 50)}, end=1e5, channels=["hinge.angle"])
    timer.join()
    assert time.monotonic() - started < 30.0


def _last_angle(model: flexura.Model) -> float:
    return float(flexura.simulate(model, end=0.2)["hinge.angle"][-1])


def test_models_travel_to_other_processes(pendulum: flexura.Model) -> None:
    models = [flexura.load(MODELS / "pendulum.toml", set={"rod.mass": mass}) for mass in (1.0, 1.5)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(_last_angle, models)) == [_last_angle(model) for model in models]


def test_runs_as_one_array_that_others_take_without_a_copy() -> None:
    model = flexura.load(MODELS / "pendulum.toml")
    runs = flexura.rollout(model, {"rod.mass": [1.0, -2.0, 2.0]}, end=0.1, errors="keep")
    with pytest.raises(ValueError, match="case 1 has no rows"):
        flexura.stack(runs, ["hinge.angle"])
    good = [runs[2], runs[0]]
    names = ["hinge.rate", "hinge.angle"]
    array = flexura.stack(good, names)
    assert array.shape == (2, 11, 2) and array.dtype == np.float64 and array.flags.c_contiguous
    for case, run in enumerate(good):
        for place, name in enumerate(names):
            assert (array[case, :, place] == run[name]).all()
    assert not (array[0] == array[1]).all()
    taken = np.from_dlpack(array)
    assert np.shares_memory(taken, array) and taken.__dlpack_device__()[0] == 1
    array[0, 0, 0] = 7.0
    assert taken[0, 0, 0] == 7.0 and good[0]["hinge.rate"][0] != 7.0
    shorter = flexura.rollout(model, {"rod.mass": [1.0]}, end=0.05)
    with pytest.raises(ValueError, match="case 1 has its rows at other times"):
        flexura.stack([runs[0], *shorter], names)
    with pytest.raises(KeyError, match="did you mean 'hinge.angle'"):
        flexura.stack(good, ["hinge.angel"])
    assert flexura.stack([], names).shape == (0, 0, 2)
