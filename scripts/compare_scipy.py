#!/usr/bin/env python3
"""Modes and Craig-Bampton shapes of a shell plate: flexura-fem beside SciPy, in one run.

Both get the same matrices, already in memory, on the same machine, one after the other.
SciPy's route: `eigsh` in shift-invert mode at zero (SuperLU, ARPACK), and for Craig-Bampton
`splu` of the interior for the static shapes, then `eigsh` of the interior.
Usage: scripts/compare_scipy.py [CELLS]   (default 100: 60,600 unknowns)
SciPy is installed into target/compare-scipy; without it the script says so and prints no ratio.
"""

import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, "target", "compare-scipy")
DATA = os.path.join(ROOT, "target", "compare-scipy-data")
MODES = 20


def venv_python():
    python = os.path.join(VENV, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    probe = subprocess.run([python, "-c", "import scipy"], capture_output=True)
    if probe.returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "scipy"], check=False)
        probe = subprocess.run([python, "-c", "import scipy"], capture_output=True)
    return python if probe.returncode == 0 else None


def scipy_side():
    """Runs inside the virtual environment; prints one line of JSON."""
    import resource

    import numpy as np
    import scipy
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    def read(name, kind):
        return np.fromfile(os.path.join(DATA, name), dtype=kind)

    start, rows = read("column_start.u64", "<u8").astype(np.int64), read("rows.u64", "<u8").astype(np.int64)
    size = len(start) - 1

    def matrix(name):
        lower = csc_matrix((read(name, "<f8"), rows, start), shape=(size, size))
        full = lower + lower.T
        full.setdiag(lower.diagonal())
        return full.tocsc()

    stiffness, mass = matrix("stiffness.f64"), matrix("mass.f64")
    interfaces = read("interfaces.u64", "<u8").astype(np.int64)
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0

    begin, busy = time.perf_counter(), time.process_time()
    values, _ = eigsh(stiffness, MODES, M=mass, sigma=0.0)
    modes_s, modes_cpu_s = time.perf_counter() - begin, time.process_time() - busy

    begin, busy = time.perf_counter(), time.process_time()
    inner = np.setdiff1d(np.arange(size), interfaces)
    k_ii, m_ii = stiffness[inner][:, inner].tocsc(), mass[inner][:, inner].tocsc()
    factor = splu(k_ii)
    shapes = np.zeros((size, len(interfaces) + MODES))
    shapes[interfaces, np.arange(len(interfaces))] = 1.0
    shapes[inner, : len(interfaces)] = -factor.solve(stiffness[inner][:, interfaces].toarray())
    inverse = LinearOperator(k_ii.shape, matvec=factor.solve, dtype=float)
    _, fixed = eigsh(k_ii, MODES, M=m_ii, sigma=0.0, OPinv=inverse)
    shapes[inner, len(interfaces) :] = fixed
    craig_bampton_s, craig_bampton_cpu_s = time.perf_counter() - begin, time.process_time() - busy

    reduced = np.linalg.eigvals(np.linalg.solve(shapes.T @ (mass @ shapes), shapes.T @ (stiffness @ shapes)))
    print(
        json.dumps(
            {
                "scipy": scipy.__version__,
                "modes_s": modes_s,
                "craig_bampton_s": craig_bampton_s,
                "modes_cpu_s": modes_cpu_s,
                "craig_bampton_cpu_s": craig_bampton_cpu_s,
                "loaded_mib": loaded,
                "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
                "frequencies": sorted(float(v) ** 0.5 / (2 * np.pi) for v in values),
                "reduced_first": float(np.sqrt(min(reduced.real)) / (2 * np.pi)),
            }
        )
    )


def last_json(command):
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{run.stderr[-2000:]}")
    return json.loads(run.stdout.strip().splitlines()[-1])


def main():
    cells = sys.argv[1] if len(sys.argv) > 1 else "100"
    build = ["cargo", "build", "--release", "-q", "-p", "flexura-fem", "--example", "plate_modes"]
    subprocess.run(build, check=True, cwd=ROOT)
    ours = last_json([os.path.join(ROOT, "target", "release", "examples", "plate_modes"), cells, DATA])
    print(f"{ours['unknowns']} unknowns, {MODES} modes, 6 static shapes")
    print(
        f"flexura-fem: modes with Sturm check {ours['modes_s']:.2f} s, Craig-Bampton "
        f"{ours['craig_bampton_s']:.2f} s, peak memory {ours['peak_mib']:.0f} MiB "
        f"({ours['assembled_mib']:.0f} after assembly, {ours['assembly_s']:.2f} s)"
    )
    python = venv_python()
    if python is None:
        print("SciPy could not be installed: nothing to compare with, no ratio")
        return
    theirs = last_json([python, os.path.abspath(__file__), "--scipy-side"])
    print(
        f"SciPy {theirs['scipy']}: modes {theirs['modes_s']:.2f} s, Craig-Bampton "
        f"{theirs['craig_bampton_s']:.2f} s, peak memory {theirs['peak_mib']:.0f} MiB "
        f"({theirs['loaded_mib']:.0f} with the matrices loaded)"
    )
    apart = max(abs(a / b - 1) for a, b in zip(ours["frequencies"], theirs["frequencies"]))
    reduced = abs(ours["reduced_first"] / theirs["reduced_first"] - 1)
    print(f"frequencies agree to {apart:.1e}, the first of the reduced model to {reduced:.1e}")
    for name, key in [("modes", "modes_s"), ("Craig-Bampton", "craig_bampton_s")]:
        busy = key.replace("_s", "_cpu_s")
        print(
            f"{name}: flexura-fem takes {ours[key] / theirs[key]:.2f} of SciPy's time; processor time "
            f"{ours[busy]:.2f} s beside {theirs[busy]:.2f} s, {ours[busy] / theirs[busy]:.2f} of it"
        )


if __name__ == "__main__":
    if sys.argv[1:] == ["--scipy-side"]:
        scipy_side()
    else:
        main()
