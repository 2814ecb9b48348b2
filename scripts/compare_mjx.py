#!/usr/bin/env python3
"""Batches of rigid chains and trees beside MuJoCo MJX on one GPU: the same physics, float64, states compared.

    scripts/compare_mjx.py DEVICE_REPORT

DEVICE_REPORT is the program of `cargo build --release -p flexura-gpu --features emulation --example device_report`. Needs JAX with CUDA,
mujoco and mujoco-mjx in this Python. Both sides take the same number of Runge-Kutta 4 steps of one length, without contacts and
constraints; printed are system steps per second of both (best of three, compilation apart) and the largest difference of the
coordinates and speeds of one of the systems at the end.
"""

import json
import subprocess
import sys
import time

import jax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402
from mujoco import mjx  # noqa: E402


def mjcf(case):
    """Bars of 1 kg, 1 x 0.1 x 0.1 m along x, hinges about x, y, z in turn, as `flexura_samples::chains` has them."""
    names, parents = case["names"], case["parents"]
    children = {k: [j for j, p in enumerate(parents) if p == k] for k in range(-1, len(parents))}
    thin, long = 0.02 / 12, 0.0 + 1.01 / 12

    def body(k):
        number = int(names[k][1:])
        axis = " ".join("1" if i == number % 3 else "0" for i in range(3))
        place = "0 0 0" if parents[k] < 0 else "1 0 0"
        inside = "".join(body(j) for j in children[k])
        return (
            f'<body name="{names[k]}" pos="{place}"><joint name="{names[k]}" type="hinge" axis="{axis}"/>'
            f'<inertial pos="0.5 0 0" mass="1" diaginertia="{thin} {long} {long}"/>{inside}</body>'
        )

    gravity = " ".join(str(g) for g in case["gravity"])
    bodies = "".join(body(k) for k in children[-1])
    return (
        f'<mujoco><option timestep="{case["step"]}" integrator="RK4" gravity="{gravity}">'
        '<flag contact="disable" constraint="disable" eulerdamp="disable"/></option>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def run(case):
    model = mujoco.MjModel.from_xml_string(mjcf(case))
    device_model = mjx.put_model(model)
    joint = [model.joint(name).dofadr[0] for name in case["names"]]
    systems, count = case["systems"], len(joint)
    phase = (np.arange(count) + 1)[None, :] + 0.1 * (np.arange(systems) % 64)[:, None]
    q, v = np.zeros((systems, count)), np.zeros((systems, count))
    q[:, joint], v[:, joint] = 0.3 * np.sin(phase), 0.2 * np.cos(phase)
    blank = mjx.make_data(model)

    def rollout(q, v):
        data = blank.replace(qpos=q, qvel=v)
        data, _ = jax.lax.scan(lambda d, _: (mjx.step(device_model, d), None), data, None, length=case["steps"])
        return data.qpos, data.qvel

    batch = jax.jit(jax.vmap(rollout))
    q, v = jnp.asarray(q), jnp.asarray(v)
    end = jax.block_until_ready(batch(q, v))
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        end = jax.block_until_ready(batch(q, v))
        best = min(best, time.perf_counter() - start)
    assert end[0].dtype == jnp.float64
    which = 7 % systems
    apart = max(
        np.abs(np.asarray(end[0][which])[joint] - case["q"]).max(), np.abs(np.asarray(end[1][which])[joint] - case["v"]).max()
    )
    return best, apart


def main():
    out = subprocess.run([sys.argv[1], "peer"], capture_output=True, text=True, check=True).stdout
    print(f"MuJoCo {mujoco.__version__}, JAX {jax.__version__} on {jax.devices()[0]}")
    print("| model | bodies | systems | steps | Flexura, million system steps/s | MJX | ratio | largest difference |\n|---|---|---|---|---|---|---|---|")
    for line in out.splitlines():
        if not line.startswith("{"):
            continue
        case = json.loads(line)
        seconds, apart = run(case)
        done = case["systems"] * case["steps"] / 1e6
        print(
            f"| {case['kind']} | {len(case['names'])} | {case['systems']} | {case['steps']} | {done / case['seconds']:.2f} | "
            f"{done / seconds:.3f} | {seconds / case['seconds']:.1f} | {apart:.1e} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
