#!/usr/bin/env python3
"""Cost of gradients in runs and their memory, over shipped models and up to a million steps.

    python3 scripts/gradient_cost.py [--binary target/release/flexura]

Build with optimisation first (cargo build --release -p flexura-cli): ratios of other builds mean little.
"""

import argparse
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CASES = [
    # model, objective, parameters, further options
    ("pendulum", "end:hinge.angle", ["rod.mass"], []),
    ("robot_arm", "integral:energy.kinetic", [], ["--initial"]),
    ("flexible_arm", "peak:fore.eta.1", ["fore.young", "upper.young"], []),
    ("flexible_arm", "peak:fore.eta.1", "all", []),
    ("spin_up_beam", "integral:energy.kinetic", [], ["--initial", "--end", "2"]),
    ("satellite", "integral:energy.kinetic", [], ["--initial", "--end", "2"]),
    ("controlled_arm", "integral:energy.kinetic", [], ["--inputs", "motor.effort", "--end", "1"]),
    ("gallery/crane", "integral:energy.kinetic", [], ["--initial", "--end", "2"]),
    ("gallery/whip", "integral:energy.kinetic", [], ["--initial", "--end", "0.2"]),
    ("gallery/chain", "integral:energy.kinetic", [], ["--initial", "--end", "0.5"]),
    # Implicit steps.
    ("fit/ringdown", "end:boom.tip.position.y", ["boom.young"], []),
    ("rod_shaken", "integral:energy.kinetic", [], ["--initial", "--end", "0.5"]),
    ("gallery/space_manipulator", "integral:energy.kinetic", [], ["--initial", "--end", "10"]),
    # Closed loops, by implicit and by explicit steps.
    ("gallery/slider_crank", "peak:rod.eta.1", ["rod.young", "rod.length"], []),
    ("gallery/slider_crank", "peak:rod.eta.1", [], ["--initial", "--method", "rk4:5e-6", "--end", "0.02"]),
    ("double_four_bar", "integral:energy.kinetic", [], ["--initial", "--method", "rk4:1e-3", "--end", "5"]),
    ("double_four_bar_flexible", "integral:energy.kinetic", [], ["--initial", "--end", "1"]),
    ("engine_flexible", "mean-square:rod.eta.1", [], ["--initial"]),
    ("vehicle/iltis_ramp_steer", "end:chassis.omega.z", ["chassis.mass", "tyre_fl.stiffness"], []),
]
LONG = ["--method", "rk4:1e-4", "--end", "100", "--initial", "--checkpoints"]


def gradient(binary: str, model: str, objective: str, options: list[str]) -> dict:
    command = [binary, "gradient", str(ROOT / "models" / f"{model}.toml"), "--objective", objective, "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"fault": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


def line(name: str, found: dict) -> None:
    if "fault" in found:
        print(f"{name:34} {found['fault']}")
        return
    cost, count = found["cost"], len(found["parameters"]) + len(found["input_derivatives"])
    print(
        f"{name:34} {count:6} {cost['steps']:8} {cost['runs']:6.1f} {cost['repeated_steps']:8} {cost['states']:7} "
        f"{cost['bytes'] / 1e6:8.2f} {cost['models']:6} {cost['model_seconds']:7.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=str(ROOT / "target" / "release" / "flexura"))
    binary = parser.parse_args().binary
    print(f"{'model':34} {'over':>6} {'steps':>8} {'runs':>6} {'repeated':>8} {'states':>7} {'MB':>8} {'models':>6} {'s':>7}")
    for model, objective, parameters, options in CASES:
        chosen = ["--all"] if parameters == "all" else (["--parameters", *parameters] if parameters else [])
        line(model, gradient(binary, model, objective, chosen + options))
    for states in ("1000000000", "1000", "100"):
        line(f"pendulum, 1e6 steps, {states} states", gradient(binary, "pendulum", "end:hinge.angle", LONG + [states]))


if __name__ == "__main__":
    main()
