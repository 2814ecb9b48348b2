"""A study on a Dask cluster: 200 pendulums, one task each.

    pip install "dask[distributed]"
    python python/examples/dask_study.py

The model travels to the workers by pickle; put the address of a cluster of many
machines into ``Client`` and nothing else changes. A worker that dies costs its own
tasks only: Dask runs them again elsewhere.
"""

from __future__ import annotations

import math
import pathlib
from typing import Any

import numpy as np
from dask.distributed import Client, LocalCluster

import flexura

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models/pendulum.toml"


def period(model: flexura.Model, angle: float) -> float:
    """Quarter swing of a pendulum released at ``angle`` from horizontal (s)."""
    q, v = model.initial_state()
    run = flexura.simulate(model, end=2.0, initial_state=([angle], v), channels=["hinge.angle"], progress=False)
    # The lowest point is at a quarter turn.
    above = run["hinge.angle"] < math.pi / 2
    last = int(np.argmin(above)) - 1
    rise = run["hinge.angle"][last : last + 2]
    share = (math.pi / 2 - rise[0]) / (rise[1] - rise[0])
    return float(run.time[last] + share * (run.time[last + 1] - run.time[last]))


def study(client: Client, cases: int) -> list[float]:
    """One task per angle; the model is sent to every worker once."""
    model = client.scatter(flexura.load(MODEL), broadcast=True)
    angles = np.linspace(0.0, 1.2, cases)
    futures = [client.submit(period, model, float(angle), pure=False, retries=2) for angle in angles]
    found: list[Any] = client.gather(futures)
    return found


def main() -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        quarters = study(client, 200)
    print(f"quarter swing from {quarters[0]:.4f} s to {quarters[-1]:.4f} s over {len(quarters)} cases")


if __name__ == "__main__":
    main()
