#!/usr/bin/env python3
"""Imports public robots and compares their accelerations with Pinocchio's, at a random state each.

    scripts/public_robots.py target/debug/flexura [FOLDER]

FOLDER holds URDF files, by default the robots of the package example-robot-data. Packages go into target/compare-robots. Things without a counterpart are left out
(`--leave-out`); robots that are refused, and why, are printed, then the share by which the largest acceleration differs.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "target/compare-robots"
PACKAGES = ["pin==4.1.0", "example-robot-data==6.0.0"]
if "--inside" in sys.argv:
    sys.argv.remove("--inside")
    import numpy as np
    import pinocchio as pin

AGREE = 1e-10
SPEED_OF_FRICTION = 1e-3  # the default of `friction_speed`
JOINT = re.compile(r'\[\[joint\]\]\nname = "([^"]+)"\ntype = "(revolute|prismatic)"\n')


def with_state(text: str, rng: "np.random.Generator") -> tuple[str, dict[str, tuple[float, float]]]:
    """The model with random positions and speeds of its joints."""
    state: dict[str, tuple[float, float]] = {}

    def put(match: re.Match[str]) -> str:
        state[match[1]] = float(0.7 * rng.normal()), float(rng.normal())
        position, speed = state[match[1]]
        return f"{match[0]}position = {position!r}\nspeed = {speed!r}\n"

    return JOINT.sub(put, text), state


def known_accelerations(path: pathlib.Path, state: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Pinocchio's accelerations, with the damping and friction of the file."""
    model = pin.buildModelFromUrdf(str(path))
    dynamics = {joint.get("name"): joint.find("dynamics") for joint in ElementTree.parse(path).getroot().findall("joint")}
    q, v, effort = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    joints = {re.sub(r"[.*?\s]", "_", name): (name, model.joints[k]) for k, name in enumerate(model.names) if k}
    if set(joints) != set(state):
        raise ValueError("Pinocchio has other joints")
    for own, (position, speed) in state.items():
        name, joint = joints[own]
        q[joint.idx_q : joint.idx_q + joint.nq] = [position] if joint.nq == 1 else [np.cos(position), np.sin(position)]
        v[joint.idx_v] = speed
        law = dynamics[name]
        if law is not None:
            friction = float(law.get("friction", 0)) * np.tanh(speed / SPEED_OF_FRICTION)
            effort[joint.idx_v] = -float(law.get("damping", 0)) * speed - friction
    found = pin.aba(model, model.createData(), q, v, effort)
    return {own: float(found[joints[own][1].idx_v]) for own in state}


def compare(program: str, path: pathlib.Path, folder: pathlib.Path, rng: "np.random.Generator") -> float | str:
    """The share by which accelerations differ, or why there is none."""
    model = folder / "robot.toml"
    done = subprocess.run([program, "import", path, "-o", model, "--leave-out"], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.splitlines()[0]
    text, state = with_state(model.read_text(), rng)
    if not state:
        return "nothing moves by joints with one coordinate"
    model.write_text(text)
    try:
        known = known_accelerations(path, state)
    except ValueError as fault:
        return str(fault)
    report = subprocess.run([program, "accel", model, "--json"], capture_output=True, text=True, check=True).stdout
    joints = json.loads(report)["joints"]
    scale = max(map(abs, known.values()))
    if not np.isfinite(scale) or scale == 0:
        return "Pinocchio has no accelerations"
    return max(abs(joints[name]["acceleration"][0] - value) for name, value in known.items()) / scale


def inside() -> None:
    program = sys.argv[1]
    packaged = pathlib.Path(pin.__file__).parents[4] / "share/example-robot-data/robots"
    robots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else packaged
    rng = np.random.default_rng(29)
    good = bad = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(robots.rglob("*.urdf")):
            found = compare(program, path, pathlib.Path(folder), rng)
            shown = found if isinstance(found, str) else f"{found:.1e}"
            print(f"{path.relative_to(robots)}: {shown}")
            refused += isinstance(found, str)
            good += not isinstance(found, str) and found < AGREE
            bad += not isinstance(found, str) and not found < AGREE
    print(f"{good} robots agree to {AGREE:g}, {bad} do not, {refused} were not compared")
    sys.exit(bad > 0 or good == 0)


def main() -> None:
    python = VENV / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if subprocess.run([python, "-c", "import pinocchio, example_robot_data"], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    sys.exit(subprocess.run([python, __file__, *sys.argv[1:], "--inside"]).returncode)


if __name__ == "__main__":
    inside() if "pin" in globals() else main()
