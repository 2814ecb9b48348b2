"""The examples on clusters, and a worker that is killed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import numpy as np
import pytest

import flexura

from places import MODELS, ROOT

sys.path.insert(0, str(ROOT / "python/examples"))


def test_joblib() -> None:
    import joblib_study

    masses = [1.0, 3.0]
    lowest = joblib_study.study(masses)
    for mass, found in zip(masses, lowest):
        assert found == joblib_study.sag(flexura.load(MODELS / "flexible_arm.toml", set={"payload.mass": mass}))


def test_two_hundred_cases_survive_a_killed_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    import dask_study
    from dask.distributed import Client, LocalCluster

    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python/examples"))
    waiting: list[int] = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:

        def kill_in_the_middle() -> None:
            while True:
                states = [task.state for task in list(cluster.scheduler.tasks.values())]
                if states.count("memory") > 20:
                    break
                time.sleep(0.002)
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            waiting.append(200 - states.count("memory"))

        killer = threading.Thread(target=kill_in_the_middle, daemon=True)
        killer.start()
        found = dask_study.study(client, 200)
        killer.join(timeout=30)
    assert waiting and waiting[0] > 20, "the worker died too late to matter"
    model = flexura.load(MODELS / "pendulum.toml")
    alone = [dask_study.period(model, float(angle)) for angle in np.linspace(0.0, 1.2, 200)]
    assert found == alone
