#!/usr/bin/env python3
"""Cost of gradients in runs and their memory, over shipped models and up to a million steps.

    python3 scripts/gradient_cost.py [--binary target/release/flexura] [--only models|long|many] [--links 100]

Build with optimisation first (cargo build --release -p flexura-cli): ratios of other builds mean little. MB is what the program says that it
keeps, resident what the system says about the whole process at its largest. `many` is a chain with ten numbers of each link as parameters, a
thousand for a hundred links; some of its derivatives are held against central differences of whole runs.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CASES = [
    # model, objective, parameters, further options
    ("pendulum", "end:hinge.angle", ["rod.mass"], []),
    ("robot_arm", "integral:energy.kinetic", [], ["--initial"]),
    ("flexible_arm", "peak:fore.eta.1", ["fore.young", "upper.young"], []),
    ("flexible_arm", "peak:fore.eta.1", ["fore.young", "upper.young", "fore.density", "upper.density", "payload.mass", "model.gravity.3"], []),
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
ALL = 1_000_000_000
LONG = [
    # model, objective, parameters, options that make a million steps, states kept (zero: what fits into the program's 64 MB)
    ("pendulum", "end:hinge.angle", ["rod.mass"], ["--method", "rk4:1e-4", "--end", "100"], [ALL, 0, 1000, 100]),
    ("flexible_arm", "end:fore.eta.1", ["fore.young", "upper.young"], ["--method", "rk4:1e-5", "--end", "10"], [ALL, 0, 1000, 100]),
    ("fit/ringdown", "end:boom.tip.position.y", ["boom.young"], ["--set", "simulation.step=1e-5", "--end", "10"], [ALL, 0, 1000]),
]

NUMBERS = ["mass", "inertia.1", "inertia.2", "center_of_mass.1", "center_of_mass.3", "frame.end.position.1", "frame.end.position.3"]
"""Numbers of a link that are parameters …"""
HOLDS = ["stiffness", "damping", "position"]
"""… and those of its joint."""


def chain(links: int) -> tuple[str, list[str]]:
    """A hanging chain of links on springs, bent at the start about two axes in turns; the text of the model and its parameters."""
    draw, before = random.Random(1), "ground.origin"
    text, names = ['[model]\nname = "chain"\n'], []
    for i in range(links):
        mass, stiffness, angle = draw.uniform(0.1, 0.3), draw.uniform(1, 3), draw.uniform(-0.2, 0.2)
        text.append(
            f'[[body]]\nname = "link{i}"\nmass = {mass:.6f}\ninertia = [2e-4, 2.5e-4, 1e-4]\ncenter_of_mass = [0.01, 0, -0.05]\n'
            f'[[body.frame]]\nname = "end"\nposition = [0.002, 0, -0.1]\n'
            f'[[joint]]\nname = "hold{i}"\ntype = "revolute"\nbetween = ["{before}", "link{i}.origin"]\naxis = [{i % 2}, {1 - i % 2}, 0]\n'
            f"stiffness = {stiffness:.6f}\ndamping = 0.02\nposition = {angle:.6f}\n"
        )
        names += [f"link{i}.{name}" for name in NUMBERS] + [f"hold{i}.{name}" for name in HOLDS]
        before = f"link{i}.end"
    text.append(
        f'[[body]]\nname = "bob"\nmass = 0.5\ninertia = [1e-3, 1e-3, 1e-3]\n'
        f'[[joint]]\nname = "knot"\ntype = "weld"\nbetween = ["{before}", "bob.origin"]\n'
    )
    text.append('[simulation]\nend = 0.1\nmethod = "rk4"\nstep = 1e-3\noutput_interval = 0.01\n')
    return "".join(text), names


def gradient(binary: str, model: str, objective: str, options: list[str]) -> dict:
    file = model if model.endswith(".toml") else str(ROOT / "models" / f"{model}.toml")
    command = [binary, "gradient", file, "--objective", objective, "--json", *options]
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=said, stderr=errors, text=True)
        # Not `wait`: the largest memory of this process alone.
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        errors.seek(0)
        if process.returncode:
            return {"fault": (errors.read().strip().splitlines() or [f"status {process.returncode}"])[-1]}
        return json.load(said) | {"resident": 1024 * used.ru_maxrss}


def line(name: str, found: dict) -> None:
    if "fault" in found:
        print(f"{name:41} {found['fault']}", flush=True)
        return
    cost, count = found["cost"], len(found["parameters"]) + len(found["input_derivatives"])
    count += 2 * len(found["speed"])
    print(
        f"{name:41} {count:6} {cost['steps']:8} {cost['runs']:6.1f} {cost['forward_seconds'] + cost['backward_seconds']:8.1f} "
        f"{cost['repeated_steps']:8} {cost['states']:7} {cost['bytes'] / 1e6:8.2f} {found['resident'] / 1e6:8.1f} "
        f"{cost['models']:6} {cost['model_seconds']:8.2f}",
        flush=True,
    )


def chosen(parameters: list[str]) -> list[str]:
    return ["--parameters", *parameters] if parameters else []


def many(binary: str, links: int) -> None:
    """Ten parameters of each link, and differences of whole runs for some of them."""
    text, names = chain(links)
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "chain.toml")
        Path(file).write_text(text)
        objective = "mean-square:energy.kinetic"
        found = gradient(binary, file, objective, ["--parameters", *names])
        line(f"chain of {links} links", found)
        if "fault" in found:
            return
        base, worst = tomllib.loads(text), 0.0
        items = {item["name"]: item for item in [*base["body"], *base["joint"]]}
        tried = random.Random(2).sample(names, min(len(names), 20))
        most = max(abs(found["parameters"][name] * value_of(items, name)) for name in names)
        for name in tried:
            value = value_of(items, name)
            by = 1e-3 * value
            ends = [gradient(binary, file, objective, ["--initial", "--set", f"{name}={value + k * by!r}"])["objective"] for k in (-2, -1, 1, 2)]
            slope = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * by)
            worst = max(worst, abs(slope - found["parameters"][name]) * abs(value) / most)
        print(f"  {len(tried)} of {len(names)} against fourth-order differences of whole runs: {worst:.1e} of the largest p dJ/dp")


def value_of(items: dict, name: str) -> float:
    """The number of the file that a path names."""
    item, *rest = name.split(".")
    here = items[item]
    for word in rest:
        if word.isdigit():
            here = here[int(word) - 1]
        else:
            here = here[word] if isinstance(here, dict) else next(entry for entry in here if entry["name"] == word)
    return float(here)


def long(binary: str) -> None:
    """A million steps, with all states kept and with few."""
    words = {ALL: "all", 0: "default"}
    for model, objective, parameters, steps, limits in LONG:
        options = [*chosen(parameters), "--initial", *steps]
        for states in limits:
            name = f"{model}, {words.get(states, states)} states"
            line(name, gradient(binary, model, objective, [*options, "--checkpoints", str(states)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=str(ROOT / "target" / "release" / "flexura"))
    parser.add_argument("--only", choices=["models", "long", "many"], help="one of the three tables alone")
    parser.add_argument("--links", type=int, default=100, help="links of the chain, ten parameters each (default 100)")
    given = parser.parse_args()
    print(
        f"{'model':41} {'over':>6} {'steps':>8} {'runs':>6} {'s':>8} {'repeated':>8} {'states':>7} {'MB':>8} {'resident':>8} "
        f"{'models':>6} {'for s':>8}"
    )
    if given.only in (None, "models"):
        for model, objective, parameters, options in CASES:
            line(model, gradient(given.binary, model, objective, chosen(parameters) + options))
    if given.only in (None, "long"):
        long(given.binary)
    if given.only in (None, "many"):
        many(given.binary, given.links)


if __name__ == "__main__":
    main()
