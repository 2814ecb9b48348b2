"""Exudyn's side of scripts/compare_peers: one JSON request per line (a beam in numbers, a method), one answer out.

Runs inside the scratch environment. Bodies are floating frames of reduced order by Exudyn's own C++ (not its user functions), joints are
its revolute joints between averaged end faces; generalised-alpha, modified Newton, sparse matrices, one thread.
"""

import json
import sys
import time

import exudyn as exu
import numpy as np
from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
from exudyn.utilities import (
    Force,
    MarkerBodyRigid,
    MarkerSuperElementRigid,
    ObjectGround,
    RevoluteJointZ,
    RotationMatrixX,
    SensorMarker,
)
from scipy.sparse import csr_matrix, diags

exu.config.suppressWarnings = True


def reduced(beam):
    """The reduced body: masses and shapes as given, stiffness mode by mode."""
    places, shapes = np.array(beam["places"]), np.array(beam["shapes"])
    fem = FEMinterface()
    fem.nodes = {"Position": places}
    fem.massMatrix = diags(np.repeat(beam["masses"], 3)).tocsr()
    fem.stiffnessMatrix = csr_matrix(fem.massMatrix.shape)
    fem.modeBasis = {"matrix": np.swapaxes(shapes, 1, 2).reshape(3 * len(places), -1), "type": "NormalModes"}
    cms = ObjectFFRFreducedOrderInterface(fem)
    cms.stiffnessMatrixReduced = np.diag(beam["stiffness"])
    return cms


def chain(beam, count):
    """The system, and the marker of its end."""
    mbs = exu.SystemContainer().AddSystem()
    cms = reduced(beam)
    nodes = len(beam["places"])
    ends = [[0, 1, 2, 3], [nodes - 4, nodes - 3, nodes - 2, nodes - 1]]
    before = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
    # Its revolute joint turns about z: about y from axes that are turned.
    turned = {0: np.eye(3), 1: RotationMatrixX(-0.5 * np.pi)}
    for k in range(count):
        place = [beam["length"] * k, 0.0, 0.0]
        added = cms.AddObjectFFRFreducedOrder(mbs, positionRef=place, stiffnessProportionalDamping=beam["damping"])
        number = added["oFFRFreducedOrder"]
        first, last = (
            mbs.AddMarker(MarkerSuperElementRigid(bodyNumber=number, meshNodeNumbers=end, weightingFactors=[0.25] * 4)) for end in ends
        )
        axes = turned[(k + 1) % 2]
        mbs.AddObject(RevoluteJointZ(markerNumbers=[before, first], rotationMarker0=axes, rotationMarker1=axes))
        before = last
    mbs.AddLoad(Force(markerNumber=before, loadVector=beam["force"]))
    return mbs, before


def settings_of(request):
    settings = exu.SimulationSettings()
    steps = round(request["end"] / request["step"])
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = request["end"]
    settings.timeIntegration.newton.useModifiedNewton = True
    settings.timeIntegration.newton.relativeTolerance = 1e-6
    settings.timeIntegration.generalizedAlpha.spectralRadius = request["radius"]
    settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = request["end"] / request["instants"]
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    settings.parallel.numberOfThreads = 1
    return settings


def solve(request):
    mbs, end = chain(request["beam"], request["count"])
    sensor = mbs.AddSensor(SensorMarker(markerNumber=end, outputVariableType=exu.OutputVariableType.Position, storeInternal=True))
    mbs.Assemble()
    settings = settings_of(request)
    began = time.process_time()
    try:
        mbs.SolveDynamic(settings)
    except Exception:
        return {"seconds": None, "places": []}
    seconds = time.process_time() - began
    rows = mbs.GetSensorStoredData(sensor)
    first = 0.5 * request["end"] / request["instants"]
    return {"seconds": seconds, "places": [[float(x) for x in row[1:]] for row in rows if row[0] > first]}


for line in sys.stdin:
    print("result " + json.dumps(solve(json.loads(line))), flush=True)
