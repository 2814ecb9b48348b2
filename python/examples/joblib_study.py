"""A study on joblib's process pool (loky): one mass per task.

    pip install joblib
    python python/examples/joblib_study.py

``mpi4py.futures.MPIPoolExecutor().map(tip_height, models)`` runs the same function on the
ranks of an MPI job: models and results can be pickled.
"""

from __future__ import annotations

import pathlib

import numpy as np
from joblib import Parallel, delayed

import flexura

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models/flexible_arm.toml"


def sag(model: flexura.Model) -> float:
    """Lowest position of the hand (m)."""
    run = flexura.simulate(model, end=0.3, channels=["fore.hand.position.z"], progress=False)
    return float(run["fore.hand.position.z"].min())


def study(masses: list[float]) -> list[float]:
    """Sag of the hand for every payload (kg)."""
    models = [flexura.load(MODEL, set={"payload.mass": mass}) for mass in masses]
    found: list[float] = Parallel(n_jobs=2)(delayed(sag)(model) for model in models)
    return found


def main() -> None:
    masses = [float(mass) for mass in np.linspace(0.5, 4.0, 8)]
    for mass, lowest in zip(masses, study(masses)):
        print(f"payload {mass:.1f} kg: hand down to {1000 * lowest:.2f} mm")


if __name__ == "__main__":
    main()
