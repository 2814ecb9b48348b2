#!/usr/bin/env python3
"""FMUs of six models in other importers than FMPy: the bits of `flexura run`, and what checkers say.

    scripts/fmi_importers.py

- libcosimpy (Open Simulation Platform), over the FMI Library, which the FMU Compliance Checker is made of: FMI 2.0
- ecospy (Ecos), over fmi4c: FMI 2.0 and 3.0
- fmu-manipulation-toolbox, `fmutool -check`: schema and rules of both versions

The models are those of python/tests/test_fmi.py. FMI's own checkers (FMU Compliance Checker, fmusim of the Reference FMUs) and PyFMI are in
no package registry as programs that need no compiler. The importers are installed into target/compare-fmi; program, library and
extension must be built (`cargo build`, `maturin develop`).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "target/compare-fmi"
PACKAGES = {"libcosimpy": "0.0.6", "ecospy": "0.7.2", "fmu-manipulation-toolbox": "2.0", "tbb": "", "matplotlib": "", "pandas": ""}


def by_libcosim(fmu, step, rows, names):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave

    execution = CosimExecution.from_step_size(round(step * 1e9))
    index = execution.add_local_slave(local_slave=CosimLocalSlave(fmu_path=fmu, instance_name="model"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer=observer)
    at = {variable.name.decode(): variable.reference for variable in execution.slave_variables(slave_index=index)}
    references = [at[name] for name in names]
    found = []
    for _ in range(rows):
        execution.step()
        found.append(list(observer.last_real_values(slave_index=index, variable_references=references)))
    return found


def by_ecos(fmu, step, rows, names):
    from ecospy import EcosSimulation, EcosSimulationStructure

    with EcosSimulationStructure() as structure:
        structure.add_model("model", fmu)
        with EcosSimulation(structure=structure, step_size=step) as simulation:
            simulation.init()
            found = []
            for _ in range(rows):
                simulation.step()
                found.append([simulation.get_real(f"model::{name}") for name in names])
            simulation.terminate()
    return found


def ready():
    python = VENV / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if subprocess.run([python, "-c", "import libcosimpy, fmu_manipulation_toolbox"], capture_output=True).returncode != 0:
        wanted = [f"{name}=={version}" if version else name for name, version in PACKAGES.items()]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)


def rows_of(importer, fmu, step, rows, names):
    """Rows of an importer in a process of its own; numbers come back with all digits."""
    words = [VENV / "bin/python", __file__, "--inside", importer, json.dumps([str(fmu), step, rows, names])]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": str(VENV / "lib")})
    if done.returncode != 0:
        raise SystemExit(f"{importer}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def main():
    sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python/tests")]
    import warnings

    import numpy as np

    import flexura
    from test_fmi import SIX, exported, fixed

    warnings.simplefilter("ignore", flexura.ModelWarning)
    ready()
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind, model, settings, channels in SIX:
            path = fixed(model, settings, folder)
            known = flexura.simulate(flexura.load(path), channels=[channels], picture=False)
            step = float(known.time[1] - known.time[0])
            names = [channel for channel in known.names if channel != "time"][:40]
            table = np.stack([known[channel] for channel in names], 1)[1:]
            for version in ("2", "3"):
                fmu = exported(path, folder / f"{kind}{version}.fmu", "--fmi", version, "-c", channels)
                said = subprocess.run([VENV / "bin/fmutool", "-input", fmu, "-check"], capture_output=True, text=True)
                text = said.stdout + said.stderr
                clean = "compliant" in text and "No semantic error" in text
                line = [f"{kind:10s} FMI {version}: fmutool {'finds no fault' if clean else 'COMPLAINS'}"]
                faults += not clean
                for importer in ("libcosim", "ecos") if version == "2" else ("ecos",):
                    found = np.array(rows_of(importer, fmu, step, len(table), names))
                    same = bool((found == table).all())
                    worst = abs(found - table).max() / max(abs(table).max(), 1e-300)
                    line.append(f"{importer} {'bits of the run' if same else f'differs by {worst:.1e}'} ({found.size} values)")
                    faults += worst > 1e-9
                print("; ".join(line), flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        act = {"libcosim": by_libcosim, "ecos": by_ecos}[sys.argv[2]]
        print(json.dumps(act(*json.loads(sys.argv[3]))))
    else:
        main()
