"""The examples on clusters, and a worker that is killed."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import flexura

from places import MODELS, ROOT

sys.path.insert(0, str(ROOT / "python/examples"))


def test_joblib() -> None:
    from joblib import Parallel, delayed

    models = [flexura.load(MODELS / "pendulum.toml", set={"rod.mass": mass}) for mass in (1.0, 1.5)]
    runs = Parallel(n_jobs=2)(delayed(flexura.simulate)(model, end=0.2) for model in models)
    for model, run in zip(models, runs):
        assert run.data.tobytes() == flexura.simulate(model, end=0.2).data.tobytes()


def test_mpi() -> None:
    """Three ranks of MPI on this machine; rank 0 hands out the cases."""
    launcher = pathlib.Path(sys.executable).with_name("mpiexec")
    example = ROOT / "python/examples/mpi_study.py"
    command = [launcher, "-n", "3", sys.executable, "-m", "mpi4py.futures", example]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    masses = np.linspace(0.5, 4.0, 8)
    assert len(lines) == len(masses)
    for line, mass in zip(lines, masses):
        model = flexura.load(MODELS / "flexible_arm.toml", set={"payload.mass": float(mass)})
        lowest = flexura.simulate(model, end=0.3)["fore.hand.position.z"].min()
        assert line == f"payload {mass:.1f} kg: hand down to {1000 * lowest:.4f} mm"


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
