#!/usr/bin/env python3
"""`algorithm = "auto"` beside the algorithms it chooses from, by the clock, on thirty models that this script writes.

    scripts/compare_algorithms.py --program PATH [--rounds N] [--seconds S] [--only WORDS] [--part K/N]

Needs the program and Python 3 alone. Every model is run by fixed steps of one length, one thread, a row at the end, by every
algorithm that can take it and by `auto`; the algorithms take turns, and of several rounds the least seconds per step count (what takes
three times the best after a round drops out; the program's own `seconds_per_step`, which leaves reading and building out). Printed are microseconds per step, what `auto` chose, and
its time over the best of the named ones; in the end the worst and the models above 1.1. What `auto` runs is one of the others to
the last bit: its own time beside that of its choice says how noisy the machine is.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

NAMED = ["articulated-body", "composite-body", "divide-and-conquer"]
STEP = 1e-4
BAR = 'mass = 1.0\ncenter_of_mass = [0.5, 0, 0]\ninertia = [0.01, 0.09, 0.09]\n'
BEAM = (
    "[body.beam]\nlength = 1.0\ndensity = 7800\nyoung = 2e9\npoisson = 0.3\n"
    "section = { area = 1.767e-4, inertia_y = 3.112e-8, inertia_z = 3.112e-8, torsion = 6.224e-8 }\n"
    'boundary = "clamped-free"\nbending_y = %d\nbending_z = %d\n'
)
AXES = ["[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"]


class Model:
    """The text of a model while it is written."""

    def __init__(self, name):
        self.text = f'[model]\nname = "{name}"\ngravity = [0, 0, -9.81]\n'

    def ground(self, name, place):
        self.text += f'\n[[ground.frame]]\nname = "{name}"\nposition = {list(place)}\n'

    def bar(self, name, modes=0, feet=()):
        self.text += f'\n[[body]]\nname = "{name}"\n'
        if modes:
            self.text += BEAM % (modes, modes)
            self.text += '[[body.frame]]\nname = "tip"\nstation = "tip"\n'
        else:
            self.text += BAR + '[[body.frame]]\nname = "tip"\nposition = [1, 0, 0]\n'
        for foot, place in feet:
            self.text += f'[[body.frame]]\nname = "{foot}"\nposition = {list(place)}\n'

    def joint(self, name, kind, ends, axis=None, position=None, speed=None):
        self.text += f'\n[[joint]]\nname = "{name}"\ntype = "{kind}"\nbetween = ["{ends[0]}", "{ends[1]}"]\n'
        for key, value in [("axis", axis), ("position", position), ("speed", speed)]:
            if value is not None:
                self.text += f"{key} = {value}\n"

    def done(self, steps):
        end = round(steps * STEP, 10)
        return (
            self.text
            + f'\n[simulation]\nend = {end}\nmethod = "rk4"\nstep = {STEP}\noutput_interval = {end}\n'
            + '\n[output]\nchannels = ["energy.balance"]\n'
        )


def chain(count, modes=0):
    model = Model(f"chain of {count}")
    for k in range(count):
        model.bar(f"b{k}", modes)
        before = f"b{k - 1}.tip" if k else "ground.origin"
        # A long straight chain would whip: hinges in turns, moderate angles.
        model.joint(f"j{k}", "revolute", (before, f"b{k}.origin"), AXES[1 + k % 2], round(0.7 * math.sin(1.0 + k), 6))
    return model


def tree(count, modes, seed):
    draw = random.Random(seed)
    model = Model(f"tree of {count}")
    for k in range(count):
        model.bar(f"b{k}", modes if draw.random() < 0.4 else 0)
        before = f"b{draw.randrange(k)}.tip" if k else "ground.origin"
        kind = draw.choice(["revolute", "revolute", "spherical", "universal"])
        ends = (before, f"b{k}.origin")
        if kind == "spherical":
            model.joint(f"j{k}", kind, ends)
        elif kind == "universal":
            model.joint(f"j{k}", kind, ends, AXES[0])
            model.text += "axis2 = [0, 1, 0]\n"
        else:
            model.joint(f"j{k}", kind, ends, draw.choice(AXES), round(draw.uniform(-1, 1), 6))
    return model


def four_bars(loops, flexible=0):
    model = Model(f"{loops} four-bars")
    made = 0
    for i in range(loops + 1):
        model.ground(f"g{i}", (i, 0, 0))
        model.bar(f"link{i}", 2 if made < flexible else 0)
        made += 1
        model.joint(f"ground{i}", "revolute", (f"ground.g{i}", f"link{i}.origin"), "[0, -1, 0]", 1.2, -1.0)
        if i == 0:
            continue
        model.bar(f"coupler{i}", 2 if made < flexible else 0)
        made += 1
        model.joint(f"left{i}", "revolute", (f"link{i - 1}.tip", f"coupler{i}.origin"), "[0, -1, 0]", -1.2, 1.0)
        model.joint(f"right{i}", "revolute", (f"coupler{i}.tip", f"link{i}.tip"), "[0, -1, 0]")
    return model


def looped(cells, bodies, seed):
    """One tree with a parallelogram on the end of an earlier cell, and a chain behind each."""
    draw = random.Random(seed)
    model = Model(f"{cells} loops in a tree")
    foot = [("foot", (1, 0, 1))]
    model.bar("root", 0, foot)
    model.joint("base", "revolute", ("ground.origin", "root.origin"), AXES[1])
    ends = ["root"]
    for cell in range(cells):
        before = ends[-1] if draw.random() > 0.1 else draw.choice(ends)
        a, b, c = (f"c{cell}{part}" for part in ["crank", "coupler", "rocker"])
        for name in [a, b, c]:
            model.bar(name)
        # Parallelogram: crank and rocker alike, the coupler as long as the feet are apart.
        model.joint(f"a{cell}", "revolute", (f"{before}.tip", f"{a}.origin"), AXES[1], 0.3)
        model.joint(f"b{cell}", "revolute", (f"{a}.tip", f"{b}.origin"), AXES[1], round(-0.3 - math.pi / 2, 9))
        model.joint(f"c{cell}", "revolute", (f"{before}.foot", f"{c}.origin"), AXES[1], 0.3)
        model.joint(f"d{cell}", "revolute", (f"{b}.tip", f"{c}.tip"), AXES[1])
        last = c
        for k in range(bodies - 3):
            name = f"c{cell}b{k}"
            model.bar(name, 0, foot)
            model.joint(f"j{name}", "revolute", (f"{last}.tip", f"{name}.origin"), AXES[1 + k % 2], round(draw.uniform(-1, 1), 6))
            last = name
        ends.append(last)
    return model


def thirty():
    for seed in range(1, 9):
        yield f"tree of {4 * seed}, flexible", tree(4 * seed, 2, seed)
    for seed in range(1, 5):
        yield f"tree of {10 * seed}, rigid", tree(10 * seed, 0, 100 + seed)
    for count in [1, 2, 3, 5, 60, 200]:
        yield f"chain of {count}", chain(count)
    for count in [1, 10]:
        yield f"flexible chain of {count}", chain(count, 3)
    for loops in [1, 10, 40]:
        yield f"{loops} four-bars", four_bars(loops)
    for flexible in [1, 5]:
        yield f"double four-bar, {flexible} flexible", four_bars(2, flexible)
    for cells, bodies in [(1, 4), (4, 6), (12, 8), (20, 8), (40, 8)]:
        yield f"{cells} loops in a tree", looped(cells, bodies, 1)


def call(program, model, algorithm, out):
    command = [program, "run", str(model), "--algorithm", algorithm, "--threads", "1", "-o", str(out), "--json"]
    if algorithm != "divide-and-conquer":
        del command[5:7]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or ["failed"])[0]
    found = json.loads(done.stdout)
    return found["computing_seconds"] / max(found["steps"], 1) if found.get("seconds_per_step") is None else found["seconds_per_step"], ""


def chosen(program, model):
    text = subprocess.run([program, "check", str(model), "--json"], capture_output=True, text=True).stdout
    return json.loads(text)["algorithm"]["chosen"]


def measure(program, name, model, arguments, folder):
    path = folder / "model.toml"
    path.write_text(model.done(20))
    first, why = call(program, path, "articulated-body", folder / "out.fxr")
    if first is None:
        sys.exit(f"{name}: {why}")
    # As many steps as fill the time asked for, and as the motion stays regular.
    steps = min(100_000, max(20, round(arguments.seconds / max(first, 1e-8))))
    path.write_text(model.done(steps))
    while steps > 20 and call(program, path, "articulated-body", folder / "out.fxr")[0] is None:
        steps //= 2
        path.write_text(model.done(steps))
    best, left = {}, list(NAMED) + ["auto"]
    for _ in range(arguments.rounds):
        for algorithm in list(left):
            seconds, why = call(program, path, algorithm, folder / "out.fxr")
            if seconds is None:
                left.remove(algorithm)
            else:
                best[algorithm] = min(seconds, best.get(algorithm, math.inf))
        # What takes three times the best has lost.
        left = [algorithm for algorithm in left if best[algorithm] < 3 * min(best.values())]
    auto = folder / "auto.toml"
    auto.write_text(path.read_text().replace("[simulation]", '[simulation]\nalgorithm = "auto"'))
    choice = chosen(program, auto)
    named = {algorithm: best[algorithm] for algorithm in NAMED if algorithm in best}
    over = named[choice] / min(named.values())
    noise = best["auto"] / named[choice]
    cells = [f"{1e6 * named[a]:.1f}" if a in named else "no" for a in NAMED]
    print(f"| {name} | {' | '.join(cells)} | {1e6 * best['auto']:.1f} | {choice} | {over:.2f} | {noise:.2f} |", flush=True)
    return name, over


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="flexura", help="the program")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, the least of which counts")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a run by articulated bodies")
    parser.add_argument("--only", default="", help="models with these words in their names")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="the K-th of N shares of the models, for N cores side by side")
    arguments = parser.parse_args()
    share, shares = map(int, arguments.part.split("/"))
    print("| model | articulated-body | composite-body | divide-and-conquer | auto (µs) | chosen | over the best | auto over its choice |")
    print("|---|--:|--:|--:|--:|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        found = [
            measure(arguments.program, name, model, arguments, pathlib.Path(folder))
            for place, (name, model) in enumerate(thirty())
            if arguments.only in name and place % shares == share - 1
        ]
    if not found:
        sys.exit(f"no model has `{arguments.only}` in its name")
    above = [name for name, over in found if over > 1.1]
    worst = max(over for _, over in found)
    print(f"\n{len(found)} models; auto's choice takes at most {worst:.2f} of the best; above 1.1: {', '.join(above) or 'none'}")


if __name__ == "__main__":
    main()
