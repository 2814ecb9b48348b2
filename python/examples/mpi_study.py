"""A study on the ranks of an MPI job with mpi4py.futures: one payload per task.

    pip install mpi4py mpich
    mpiexec -n 3 python -m mpi4py.futures python/examples/mpi_study.py

Rank 0 hands out models by pickle, the other ranks run them. On a cluster the same line stands in
the job script, with the MPI of the cluster in place of the package ``mpich``.
"""

from __future__ import annotations

import pathlib

import numpy as np
from mpi4py.futures import MPIPoolExecutor

import flexura

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models/flexible_arm.toml"


def sag(model: flexura.Model) -> float:
    """Lowest position of the hand (m)."""
    run = flexura.simulate(model, end=0.3, channels=["fore.hand.position.z"], progress=False)
    return float(run["fore.hand.position.z"].min())


def study(masses: list[float]) -> list[float]:
    """Sag of the hand for every payload (kg)."""
    models = [flexura.load(MODEL, set={"payload.mass": mass}) for mass in masses]
    with MPIPoolExecutor() as pool:
        return list(pool.map(sag, models))


def main() -> None:
    masses = [float(mass) for mass in np.linspace(0.5, 4.0, 8)]
    for mass, lowest in zip(masses, study(masses)):
        print(f"payload {mass:.1f} kg: hand down to {1000 * lowest:.4f} mm")


if __name__ == "__main__":
    main()
