"""One model on several ranks: threads of this process, processes of MPI. The bits of one process."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import flexura
from places import MODELS, without

SETTINGS = {"end": 0.01, "channels": ["energy.*", "hinge*.angle", "link7.tip.position.*"]}

SCRIPT = """
import os
import sys
import flexura
import numpy as np
model = flexura.load(sys.argv[1], set={"n": 40})
result = flexura.simulate(model, ranks="mpi", end=0.01, channels=["energy.*", "hinge*.angle", "link7.tip.position.*"])
again = flexura.simulate(model, ranks="mpi", end=0.002, channels=["energy.total"])
assert again.names[1] == "energy.total"
number = os.environ.get("PMI_RANK") or os.environ["OMPI_COMM_WORLD_RANK"]
np.save(f"{sys.argv[2]}/{number}.npy", result.data)
"""


def chain():
    return flexura.load(MODELS / "chain_of_many.toml", set={"n": 40})


def same(a, b):
    return np.array_equal(a.data.view(np.uint64), b.data.view(np.uint64))


def test_threads_as_ranks_have_the_bits_of_one():
    model = chain()
    one = flexura.simulate(model, **SETTINGS)
    for count in (1, 2, 3, 8):
        many = flexura.simulate(model, ranks=count, **SETTINGS)
        assert many.names == one.names and same(many, one), count
        assert many.outcome["steps"] == one.outcome["steps"]
    q, v = model.initial_state()
    q = np.asarray(q) + 0.1
    moved = [flexura.simulate(model, initial_state=(q, v), **keys, **SETTINGS) for keys in ({}, {"ranks": 2})]
    assert same(*moved) and not same(moved[0], one)


def test_what_ranks_do_not_have_is_named():
    model = chain()
    with pytest.raises(ValueError, match="1 to 1024"):
        flexura.simulate(model, ranks=0)
    with pytest.raises(ValueError, match='"mpi"'):
        flexura.simulate(model, ranks="slurm")
    with pytest.raises(ValueError, match="checkpoint"):
        flexura.simulate(model, ranks=2, checkpoint="no.fxc")
    with pytest.raises(ValueError, match="mpirun"):
        flexura.simulate(model, ranks="mpi")
    with pytest.raises(flexura.SimulationError, match="divide-and-conquer"):
        flexura.simulate(flexura.load(MODELS / "pendulum.toml"), ranks=2)


def test_processes_of_mpi_have_the_bits_of_one(tmp_path):
    tools = pathlib.Path(sys.executable).parent
    if not (tools / "mpicc").exists():
        without("needs the package mpich")
    environment = dict(os.environ, FLEXURA_CACHE=str(tmp_path / "cache"))

    def call(words):
        done = subprocess.run(words, env=environment, timeout=120, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    call([sys.executable, "-m", "flexura", "mpi", "--build", "--mpicc", str(tools / "mpicc")])
    (tmp_path / "script.py").write_text(SCRIPT)
    words = [str(tools / "mpiexec"), "-n", "3", sys.executable, str(tmp_path / "script.py")]
    call([*words, str(MODELS / "chain_of_many.toml"), str(tmp_path)])
    one = flexura.simulate(chain(), **SETTINGS).data
    for rank in range(3):
        assert np.array_equal(np.load(tmp_path / f"{rank}.npy").view(np.uint64), one.view(np.uint64)), rank
