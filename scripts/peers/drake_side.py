"""Drake's side of scripts/compare_peers: one JSON request per line in (URDF, step, steps), one answer out.

Runs inside the scratch environment. Drake has no method of Runge and Kutta of order four with a fixed step: its method of order three takes
the steps, inside the library, and an evaluation is a third of one.
"""

import json
import sys
import time

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator


def plant_of(request):
    plant = MultibodyPlant(0.0)
    with open(request["model"]) as file:
        Parser(plant).AddModelsFromString(file.read(), "urdf")
    if plant.HasBodyNamed("base"):
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -9.81])
    plant.Finalize()
    return plant


def run(request):
    plant = plant_of(request)
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    hinges = [plant.GetJointByName(name) for name in request["hinges"]]
    for hinge, angle, rate in zip(hinges, request["angles"], request["rates"]):
        hinge.set_angle(context, angle)
        hinge.set_angular_rate(context, rate)
    places = [hinge.velocity_start() for hinge in hinges]
    rates = plant.EvalTimeDerivatives(context).CopyToVector()[plant.num_positions() :]
    ResetIntegratorFromFlags(simulator, "runge_kutta3", request["step"])
    integrator = simulator.get_mutable_integrator()
    integrator.set_fixed_step_mode(True)
    simulator.Initialize()
    before = integrator.get_num_derivative_evaluations()
    began = time.process_time()
    simulator.AdvanceTo(request["step"] * request["steps"])
    seconds = time.process_time() - began
    speeds = plant.GetVelocities(context)
    return {
        "us": 1e6 * seconds / (integrator.get_num_derivative_evaluations() - before),
        "accelerations": [float(rates[place]) for place in places],
        "speeds": [float(speeds[place]) for place in places],
        "version": "",
    }


for line in sys.stdin:
    print("result " + json.dumps(run(json.loads(line))), flush=True)
