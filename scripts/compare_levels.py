#!/usr/bin/env python3
"""Cost of an evaluation at the inertia levels, by the program a user starts, old and new build in turn.

    scripts/compare_levels.py OLD NEW [--rounds 5] [--bodies 20]

A chain of hinged beams with n bending modes each is run by rk4 with few and with many steps; the difference of the processor
times over the number of evaluations and bodies is what an evaluation of one body costs. Best of the rounds, builds and levels
taking turns. Columns: OLD at `consistent`; NEW at `consistent` and at its default, without and with `curvature = "third-order"`.
"""

import argparse
import pathlib
import resource
import subprocess
import tempfile

FEW = 50
STEP = 1e-7


def model(bodies: int, modes: int, level: str, extra: str, steps: int) -> str:
    text = "[model]\nname = \"chain\"\n"
    for k in range(bodies):
        text += (
            f"[[body]]\nname = \"b{k}\"\n" + (f"level = \"{level}\"\n" if level else "") +
            "[body.beam]\nlength = 1.0\ndensity = 2700\nyoung = 7e10\npoisson = 0.3\nsection = { circle = 0.01 }\n"
            f"boundary = \"clamped-free\"\nbending_y = {modes}\nrotary_inertia = true\n{extra}"
            "[[body.frame]]\nname = \"tip\"\nstation = \"tip\"\n"
        )
    for k in range(bodies):
        first = "ground.origin" if k == 0 else f"b{k - 1}.tip"
        text += (
            f"[[joint]]\nname = \"j{k}\"\ntype = \"revolute\"\nbetween = [\"{first}\", \"b{k}.origin\"]\n"
            f"axis = [0, 0, 1]\nposition = {0.1 * (k % 3)}\n"
        )
    end = steps * STEP
    return text + (
        f"[simulation]\nmethod = \"rk4\"\nstep = {STEP}\nend = {end!r}\noutput_interval = {end!r}\n"
        "[output]\nchannels = [\"j0.angle\"]\n"
    )


def seconds(program: str, file: pathlib.Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([program, "run", str(file), "-q", "-o", str(file.with_suffix(".fxr"))], check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--bodies", type=int, default=20)
    parser.add_argument("--modes", default="3,5,10,20,30")
    given = parser.parse_args()
    columns = [
        ("old, consistent", given.old, "consistent", ""),
        ("new, consistent", given.new, "consistent", ""),
        ("new default", given.new, "", ""),
        ("new, third-order curvature", given.new, "", "curvature = \"third-order\"\n"),
    ]
    print("| modes | " + " | ".join(name for name, *_ in columns) + " | default over old |\n" + "|---" * (len(columns) + 2) + "|")
    for modes in map(int, given.modes.split(",")):
        # Enough evaluations for some tenths of a second.
        lengths = (FEW, FEW + 30000 // (modes + 5))
        best = [[float("inf")] * len(columns) for _ in lengths]
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(given.rounds):
                for c, (_, program, level, extra) in enumerate(columns):
                    for s, steps in enumerate(lengths):
                        file = pathlib.Path(folder) / f"{c}_{s}.toml"
                        file.write_text(model(given.bodies, modes, level, extra, steps))
                        best[s][c] = min(best[s][c], seconds(program, file))
        evaluations = 4 * (lengths[1] - lengths[0]) * given.bodies
        cost = [1e6 * (many - few) / evaluations for few, many in zip(*best)]
        print(f"| {modes} | " + " | ".join(f"{x:.2f} µs" for x in cost) + f" | {cost[2] / cost[0]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
