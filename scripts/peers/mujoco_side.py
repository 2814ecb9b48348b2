"""MuJoCo's side of scripts/compare_peers: one JSON request per line in (model, step, steps), one answer out.

Runs inside the scratch environment. The steps are Runge and Kutta's, taken by one call of the library: contacts and constraints are
switched off in the model, so that a step is four evaluations of smooth forward dynamics.
"""

import json
import sys
import time

import mujoco


def model_of(path, step):
    """The tree of a table (`table` in trees.py), body by body: XML may not be as deep as chains are."""
    with open(path) as file:
        first, *rows = ([float(word) for word in line.split()] for line in file)
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = step, first[1:4]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    flags = mujoco.mjtDisableBit
    spec.option.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_CONSTRAINT | flags.mjDSBL_EULERDAMP
    bodies = [spec.worldbody]
    for number, row in enumerate(rows):
        parent, free, axis, place, mass, center, inertia = int(row[0]), row[1], row[2:5], row[5:8], row[8], row[9:12], row[12:15]
        body = bodies[parent + 1].add_body(name=f"b{number}", pos=place, mass=mass, ipos=center, inertia=inertia)
        body.explicitinertial = True
        if free:
            body.add_freejoint(name=f"j{number}")
        else:
            body.add_joint(name=f"j{number}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
        bodies.append(body)
    return spec.compile()


def run(request):
    model = model_of(request["model"], request["step"])
    data = mujoco.MjData(model)
    places = [(model.joint(name).qposadr[0], model.joint(name).dofadr[0]) for name in request["hinges"]]
    for (q, v), angle, rate in zip(places, request["angles"], request["rates"]):
        data.qpos[q], data.qvel[v] = angle, rate
    mujoco.mj_forward(model, data)
    accelerations = [float(data.qacc[v]) for _, v in places]
    began = time.process_time()
    mujoco.mj_step(model, data, request["steps"])
    seconds = time.process_time() - began
    return {
        "us": 1e6 * seconds / (4 * request["steps"]),
        "accelerations": accelerations,
        "speeds": [float(data.qvel[v]) for _, v in places],
        "version": mujoco.__version__,
    }


for line in sys.stdin:
    print("result " + json.dumps(run(json.loads(line))), flush=True)
