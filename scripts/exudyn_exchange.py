#!/usr/bin/env python3
"""Files of Exudyn, written and read by Exudyn itself: the same frequencies, masses and motions on both sides.

    scripts/exudyn_exchange.py

1. Exudyn takes the matrices of a beam of hexahedra (python/tests/hexahedra.py), makes Hurty-Craig-Bampton modes and saves both kinds of
   files (.npz, .pkl). Flexura reads them: total mass, frequencies, and a spinning flight of the reduced body beside Exudyn's.
2. Flexura reduces the same mesh by its own elements and writes the body; Exudyn loads it, puts it on a hinge by its frame and lets it
   turn, and lets it fly, beside Flexura's own runs.

Compared are runs without gravity. With it, a body that flies must deform as without; in Exudyn 1.13.6 it does not (1 %), which is printed.

Exudyn is installed into target/compare-exudyn. The extension must be built (`maturin develop`).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "target/compare-exudyn"
SPIN = [1.0, 4.0, 12.0]
TURN = 12.0
# Kelvin-Voigt damping of Flexura's body (s): undamped high modes would ring with every rounding.
DAMPING = 1e-4
END, STEPS = 0.3, 6000

FLIGHT = """
[model]
gravity = [0, 0, {gravity}]
[[body]]
name = "beam"
fe = "{file}"
[[joint]]
name = "joint"
type = "{kind}"
{more}
[simulation]
end = {end}
method = "trapezoidal"
step = {step}
output_interval = 0.03
"""


def exudyn_saves(folder):
    """Side of Exudyn: both files of a structure, and a flight."""
    import numpy as np
    from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface

    from hexahedra import block, surface

    part = block()
    fem = FEMinterface()
    fem.nodes = {"Position": part.nodes}
    fem.elements = [{"Name": "beam", "Hex8": part.elements}]
    fem.massMatrix, fem.stiffnessMatrix = part.mass, part.stiffness
    fem.surface = [{"Name": "all", "Trigs": surface(part.elements)}]
    for name, nodes in (("left", part.left), ("right", part.right)):
        weights = np.full(len(nodes), 1 / len(nodes))
        fem.nodeSets.append({"Name": name, "NodeNumbers": nodes, "NodeWeights": weights})
    fem.ComputeHurtyCraigBamptonModes([part.left.tolist(), part.right.tolist()], 4, useSparseSolver=False)
    for ending in ("npz", "pkl"):
        fem.SaveToFile(str(folder / f"fem.{ending}"))
    cms = ObjectFFRFreducedOrderInterface(fem)
    for ending in ("npz", "pkl"):
        cms.SaveToFile(str(folder / f"cms.{ending}"))
    # Free-free frequencies by Exudyn's own solver.
    fem.ComputeEigenmodes(nModes=4, excludeRigidBodyModes=6, useSparseSolver=False)
    frequencies = sorted(float(value) for value in fem.GetEigenFrequenciesHz() if value > 1.0)[:4]
    motion = fly(folder / "cms.npz", {"initialAngularVelocity": SPIN}, None)
    return {"frequencies": frequencies, "mass": float(cms.totalMass), "motion": motion}


def fly(path, start, hinge):
    """Side of Exudyn: rows of modal coordinates of a body that flies or, with a hinge, swings."""
    import exudyn as exu
    from exudyn.FEM import ObjectFFRFreducedOrderInterface
    from exudyn.utilities import (
        GenericJoint,
        MarkerBodyRigid,
        MarkerSuperElementRigid,
        ObjectGround,
        SensorNode,
    )

    cms = ObjectFFRFreducedOrderInterface()
    cms.LoadFromFile(str(path))
    mbs = exu.SystemContainer().AddSystem()
    added = cms.AddObjectFFRFreducedOrder(mbs, **start)
    if hinge is not None:
        ground = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
        weights = [1 / len(hinge)] * len(hinge)
        held = mbs.AddMarker(
            MarkerSuperElementRigid(bodyNumber=added["oFFRFreducedOrder"], meshNodeNumbers=hinge, weightingFactors=weights)
        )
        # All but the turn about y.
        mbs.AddObject(GenericJoint(markerNumbers=[ground, held], constrainedAxes=[1, 1, 1, 1, 0, 1]))
    sensor = mbs.AddSensor(
        SensorNode(nodeNumber=added["nGenericODE2"], outputVariableType=exu.OutputVariableType.Coordinates, storeInternal=True)
    )
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = STEPS
    settings.timeIntegration.endTime = END
    # The trapezoidal rule on both sides, the hinge by its velocities.
    settings.timeIntegration.generalizedAlpha.useNewmark = True
    settings.timeIntegration.generalizedAlpha.useIndex2Constraints = True
    settings.timeIntegration.newton.relativeTolerance = 1e-10
    settings.solutionSettings.sensorsWritePeriod = 0.03
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.verboseMode = 0
    mbs.SolveDynamic(settings)
    rows = mbs.GetSensorStoredData(sensor)
    return [[float(x) for x in row] for row in rows]


def inside(words, folder):
    python = VENV / "bin/python"
    paths = os.pathsep.join([str(ROOT / "python/tests")])
    script = [python, __file__, *words, str(folder)]
    done = subprocess.run(script, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths})
    return json.loads(done.stdout.splitlines()[-1])


def ready():
    python = VENV / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if subprocess.run([python, "-c", "import exudyn, scipy"], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "exudyn==1.13.6", "scipy"], check=True)


def run(folder, file, kind, more, gravity=0.0):
    import flexura

    (folder / "model.toml").write_text(FLIGHT.format(file=file, kind=kind, more=more, gravity=gravity, end=END, step=END / STEPS))
    names = ["beam.eta.*"]
    return flexura.simulate(flexura.load(folder / "model.toml"), channels=names, picture=False)


def compared(words, known, found):
    """Largest difference of modal coordinates over their largest value."""
    import numpy as np

    table = np.array(known)
    rows = table[np.argmin(abs(table[:, :1] - found.time[None]), axis=0)]
    assert np.allclose(rows[:, 0], found.time, atol=1e-9)
    own = np.stack([found[name] for name in found.names if name != "time"], 1)
    scale = abs(rows[:, 1:]).max()
    worst = abs(own - rows[:, 1:]).max() / scale
    print(f"{words}: modal coordinates up to {scale:.3e} differ by {worst:.1e} of that")
    return worst


def main():
    sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python/tests")]
    import warnings

    import numpy as np

    import flexura
    from hexahedra import block

    warnings.simplefilter("ignore", flexura.ModelWarning)
    ready()
    with tempfile.TemporaryDirectory() as name:
        folder, part = pathlib.Path(name), block()
        known = inside(["--saves"], folder)
        frames = {"left": part.left, "right": part.right}
        for ending in ("npz", "pkl"):
            # A frame that follows a mean stiffens nothing.
            means = {"left": {"nodes": "left", "connection": "average"}}
            body = flexura.import_exudyn(folder / f"fem.{ending}", means, method="free-free", modes=4)
            worst = abs(body.frequencies / np.array(known["frequencies"]) - 1).max()
            print(f"fem.{ending}: {body.total_mass:.9f} kg (Exudyn {known['mass']:.9f}), free frequencies differ by {worst:.1e}")
            assert worst < 1e-6
            kept = flexura.import_exudyn(folder / f"cms.{ending}", frames, output=folder / "cms.fxb")
            print(f"cms.{ending}: {kept.total_mass:.9f} kg, {len(kept.frequencies)} modes, first {kept.frequencies[0]:.4f} Hz")
            assert abs(kept.total_mass / known["mass"] - 1) < 1e-12
        more = f'between = ["ground.origin", "beam.origin"]\nspeed = [{", ".join(map(str, SPIN))}, 0, 0, 0]'
        worst = compared("flight of Exudyn's body", known["motion"], run(folder, "cms.fxb", "free", more))
        assert worst < 1e-4
        stuff = {"young": part.young, "poisson": part.poisson, "density": part.density}
        keys = {"reference": "left", "modes": 4, "stiffening": False, "damping": {"rayleigh": {"stiffness": DAMPING}}}
        mesh = (part.nodes, [("hexahedron", part.elements)])
        flexura.reduce_mesh(mesh, frames, stuff, output=folder / "own.fxb", **keys)
        out = flexura.export_exudyn(folder / "own.fxb", folder / "own.npz")
        print("left out for Exudyn:", "; ".join(out.left_out))
        (folder / "hinge.json").write_text(json.dumps(out.nodes["left"]))
        turns, flies, falls = inside(["--turns"], folder)
        more = f'between = ["ground.origin", "beam.left"]\naxis = [0, 1, 0]\nspeed = {TURN}'
        assert compared("turn of Flexura's body on a hinge", turns, run(folder, "own.fxb", "revolute", more)) < 1e-4
        more = f'between = ["ground.origin", "beam.left"]\nspeed = [{", ".join(map(str, SPIN))}, 0, 0, 0]'
        flight = run(folder, "own.fxb", "free", more)
        assert compared("flight of Flexura's body", flies, flight) < 1e-4
        falling = run(folder, "own.fxb", "free", more, -9.81)
        change = max(abs(falling[name] - flight[name]).max() for name in flight.names if name != "time")
        theirs = abs(np.array(falls)[:, 1:] - np.array(flies)[:, 1:]).max()
        scale = abs(np.array(flies)[:, 1:]).max()
        print(f"gravity changes the deformation in flight by {change / scale:.1e} (Flexura), {theirs / scale:.1e} (Exudyn)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--saves"]:
        print(json.dumps(exudyn_saves(pathlib.Path(sys.argv[2]))))
    elif sys.argv[1:2] == ["--turns"]:
        place = pathlib.Path(sys.argv[2])
        hinge = json.loads((place / "hinge.json").read_text())
        damped = {"stiffnessProportionalDamping": DAMPING}
        flying = {**damped, "initialAngularVelocity": SPIN}
        starts = [({**damped, "initialAngularVelocity": [0, TURN, 0]}, hinge), (flying, None), ({**flying, "gravity": [0, 0, -9.81]}, None)]
        print(json.dumps([fly(place / "own.npz", *start) for start in starts]))
    else:
        main()
