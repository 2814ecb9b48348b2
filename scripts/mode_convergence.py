#!/usr/bin/env python3
"""Motion over the number of modes at the default inertia level: tables of how far results still move.

    scripts/mode_convergence.py [--flexura PATH] [--only NAME ...] [--counts 1 2 4 ...] [-o table.md]

Every model is run with more and more modes. Printed are the largest change of its channels from the count before,
the difference from level `full` with the same modes where that level takes the body, both as shares of the
largest range of a channel, and the deflection. Runs side by side on all cores.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTS = [1, 2, 3, 4, 6, 8, 10, 12, 15, 20, 30, 40]
STEEL = "density = 7850, young = 2.1e11, poisson = 0.3"


def swing(count, level):
    return f"""
[model]
gravity = [0, -9.81, 0]
[[body]]
name = "beam"
{level}
beam = {{ length = 1, {STEEL}, section = {{ rectangle = [0.0016, 0.02] }}, boundary = "clamped-free", bending_y = {count} }}
frame = [{{ name = "tip", station = "tip" }}]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground.origin", "beam.origin"]
[simulation]
end = 1
method = "radau"
tolerance = 1e-8
output_interval = 0.005
[output]
channels = ["beam.tip.position.x", "beam.tip.position.y"]
""", {}


def double_pendulum(count, level):
    beam = f"beam = {{ length = 0.5, {STEEL}, section = {{ rectangle = [0.0012, 0.02] }}, boundary = \"clamped-free\", bending_y = {count} }}"
    return f"""
[model]
gravity = [0, -9.81, 0]
[[body]]
name = "upper"
{level}
{beam}
frame = [{{ name = "tip", station = "tip" }}]
[[body]]
name = "lower"
{level}
{beam}
frame = [{{ name = "tip", station = "tip" }}]
[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground.origin", "upper.origin"]
[[joint]]
name = "elbow"
type = "revolute"
between = ["upper.tip", "lower.origin"]
[simulation]
end = 0.8
method = "trapezoidal"
step = 1e-4
output_interval = 0.004
[output]
channels = ["lower.tip.position.x", "lower.tip.position.y"]
""", {}


def double_four_bar(count, level):
    text = (ROOT / "models/double_four_bar_flexible.toml").read_text()
    text = text.replace("bending_y = 3 }", f"bending_y = {max(count, 2)} }}\n{level}")
    text = text.replace("step = 0.01", "step = 0.001")
    return re.sub(r"channels = .*", 'channels = ["link_left.tip.position.x", "link_left.tip.position.y"]', text), {}


def four_bar_by(method, plane="", residual=""):
    """The same part reduced otherwise: by another method, with the modes that move in its plane alone, `plane = "xy"`, or with residual shapes."""

    def make(count, level):
        text, parts = four_bar(count, level)
        settings = f'method = "{method}"' + (f'\nplane = "{plane}"' if plane else "")
        settings += f'\nresidual = "{residual}"' if residual else ""
        return text, {name: part.replace('method = "craig-bampton"', settings) for name, part in parts.items()}

    return make


def four_bar(count, level):
    """Richard's four-bar with its links from finite elements."""
    text = (ROOT / "models/validation/flexnet_four_bar.toml").read_text()
    parts = {}
    for name, length in [("coupler", 0.9), ("follower", 0.6)]:
        start = text.index(f'[[body]]\nname = "{name}"')
        end = text.index("[[", start + 2)
        text = f'{text[:start]}[[body]]\nname = "{name}"\nfe = "{name}.toml"\n\n{text[end:]}'
        parts[f"{name}.toml"] = f"""
name = "{name}"
[[material]]
name = "steel"
young = 2.0e11
poisson = 0.2987
density = 7800
[[node]]
name = "a"
position = [0, 0, 0]
[[node]]
name = "middle"
position = [{length / 2}, 0, 0]
[[node]]
name = "b"
position = [{length}, 0, 0]
[[beam]]
between = ["a", "middle"]
elements = 16
material = "steel"
section = {{ area = 1.767e-4, inertia_y = 3.112e-8, inertia_z = 3.112e-8, torsion = 6.224e-8 }}
orientation = [0, 1, 0]
[[beam]]
between = ["middle", "b"]
elements = 16
material = "steel"
section = {{ area = 1.767e-4, inertia_y = 3.112e-8, inertia_z = 3.112e-8, torsion = 6.224e-8 }}
orientation = [0, 1, 0]
[[interface]]
name = "a"
node = "a"
[[interface]]
name = "middle"
node = "middle"
[[interface]]
name = "b"
node = "b"
[reduction]
reference = "a"
method = "craig-bampton"
modes = {count}
damping = {{ kelvin_voigt = 1e-6 }}
"""
    text = text.replace("output_interval = 1e-4", 'output_interval = 1e-4\nmethod = "trapezoidal"\nstep = 5e-6')
    return text + '[output]\nchannels = ["coupler.middle.position.x", "coupler.middle.position.y", "c.angle"]\n', parts


def four_bar_validated(elements, settings="", everywhere=False):
    """The four-bar that `flexura validate flexnet-four-bar` judges against geometrically exact beams: shear, frame at the middle of each link, no
    damping, the modes that move in its plane or, `everywhere`, those of all directions."""

    def make(count, level):
        text = (ROOT / "models/validation/flexnet_four_bar_elements.toml").read_text().replace("parts/four_bar_", "")
        parts = {}
        for name in ["coupler", "follower"]:
            part = (ROOT / f"models/validation/parts/four_bar_{name}.toml").read_text()
            part = part.replace("elements = 4", f"elements = {elements // 2}").replace("modes = 10", f"modes = {count}")
            part = (part.replace('plane = "xy"', "") if everywhere else part).rstrip() + "\n" + settings
            parts[f"{name}.toml"] = part
        return text + '[output]\nchannels = ["coupler.middle.position.x", "coupler.middle.position.y", "c.angle"]\n', parts

    return make


def panel(count, level):
    text = (ROOT / "models/panel_swing.toml").read_text().replace("parts/panel.toml", "panel.toml")
    part = (ROOT / "models/parts/panel.toml").read_text().replace("up_to_frequency = 20", f"modes = {count}")
    text = text.replace("output_interval = 0.01", 'output_interval = 0.01\nmethod = "trapezoidal"\nstep = 5e-4')
    return text + '[output]\nchannels = ["panel.edge.position.x", "panel.edge.position.z"]\n', {"panel.toml": part}


def blade(count, level):
    text = (ROOT / "models/rotor_blade.toml").read_text()
    text = text.replace("gravity = [0, 0, 0]", "gravity = [0, 0, -9.81]")
    text = text.replace('name = "blade"', f'name = "blade"\n{level}', 1)
    text = re.sub(r"bending_(.) = 3", rf"bending_\1 = {count}", text)
    text = re.sub(r"damping = .*", "damping = { kelvin_voigt = 1e-5 }", text)
    text = text.replace("end = 0.5", 'end = 0.5\nmethod = "trapezoidal"\nstep = 1e-4')
    return text + '[output]\nchannels = ["blade.tip.position.z", "blade.tip.position.x"]\n', {}


def iltis(count, level):
    text = (ROOT / "models/vehicle/iltis_flexible.toml").read_text().replace('fe = "parts/', 'fe = "')
    text = text.replace("step = 0.01", "step = 0.001")
    text = re.sub(r"channels = \[.*\]", 'channels = ["chassis.position.z", "hub_fl.position.z"]', text)
    parts = {}
    for path in (ROOT / "models/vehicle/parts").glob("*.toml"):
        parts[path.name] = re.sub(r"(?m)^modes = 2$", f"modes = {count}", path.read_text())
    return text, parts


CASES = {
    "hinged beam swing": (swing, True),
    "double pendulum": (double_pendulum, True),
    "double four-bar": (double_four_bar, True),
    "four-bar of finite elements": (four_bar, False),
    "four-bar of finite elements, residual shapes": (four_bar_by("craig-bampton", residual="accelerations"), False),
    "four-bar of finite elements, residual shapes of inertia": (four_bar_by("craig-bampton", residual="inertia"), False),
    "four-bar of finite elements, modes of its plane": (four_bar_by("craig-bampton", "xy"), False),
    "four-bar of finite elements, held modes of its plane": (four_bar_by("attachment", "xy"), False),
    "four-bar of finite elements, free modes": (four_bar_by("free-attachment"), False),
    "four-bar of finite elements as validated": (four_bar_validated(32), False),
    "four-bar of finite elements as validated, 1 µs": (four_bar_validated(32, "damping = { kelvin_voigt = 1e-6 }\n"), False),
    "four-bar of finite elements as validated, residual shapes": (four_bar_validated(32, 'residual = "accelerations"\n'), False),
    "four-bar of finite elements as validated, residual shapes of inertia": (four_bar_validated(32, 'residual = "inertia"\n'), False),
    "four-bar of finite elements as validated, residual shapes of inertia, all directions": (
        four_bar_validated(32, 'residual = "inertia"\n', True), False
    ),
    "four-bar of finite elements as validated, the paper's eight elements": (four_bar_validated(8), False),
    "panel": (panel, False),
    "rotor blade": (blade, True),
    "Iltis with flexible arms": (iltis, False),
}


def run(flexura, make, count, level):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        text, parts = make(count, level)
        (folder / "model.toml").write_text(text)
        for name, part in parts.items():
            (folder / name).write_text(part)
        start = time.time()
        done = subprocess.run(
            [flexura, "run", "model.toml", "-o", "r.fxr", "--json"],
            cwd=folder, capture_output=True, text=True, timeout=1500,
        )
        seconds = time.time() - start
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or ["failed"])[-1], seconds
        subprocess.run([flexura, "export", "r.fxr", "-o", "r.csv"], cwd=folder, check=True, capture_output=True)
        with open(folder / "r.csv") as file:
            rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
        columns = [[float(x) for x in column[1:]] for column in list(zip(*rows))[1:]]
        shares = re.findall(r'"deflection_share":\s*([0-9.e+-]+)', done.stdout)
        return columns, max((float(x) for x in shares), default=0.0), seconds


def difference(a, b):
    if a is None or b is None:
        return None
    size = max(max(column) - min(column) for column in b)
    return max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q)) / size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flexura", default=os.environ.get("FLEXURA_BINARY", str(ROOT / "target/release/flexura")))
    parser.add_argument("--only", nargs="*", default=list(CASES))
    parser.add_argument("--counts", nargs="*", type=int, default=COUNTS)
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    options.flexura = str(pathlib.Path(options.flexura).resolve())  # runs stand in folders of their own
    lines = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {}
        for name in options.only:
            make, nodes = CASES[name]
            for count in options.counts:
                jobs[name, count, ""] = pool.submit(run, options.flexura, make, count, "")
                if nodes and count <= 30:
                    jobs[name, count, "full"] = pool.submit(run, options.flexura, make, count, 'level = "full"')
        for name in options.only:
            lines += [f"\n### {name}\n", "| modes | change | from full | deflection | time (s) |", "|---|---|---|---|---|"]
            before = None
            for count in options.counts:
                here, note, seconds = jobs[name, count, ""].result()
                full = jobs[name, count, "full"].result()[0] if (name, count, "full") in jobs else None
                show = lambda x: "" if x is None else f"{x:.1e}"
                shape = f"{100 * note:.1f} %" if isinstance(note, float) else note
                lines.append(f"| {count} | {show(difference(here, before))} | {show(difference(here, full))} | {shape} | {seconds:.1f} |")
                print(name, lines[-1], file=sys.stderr, flush=True)
                before = here
    text = "\n".join(lines) + "\n"
    print(text)
    if options.output:
        pathlib.Path(options.output).write_text(text)


if __name__ == "__main__":
    main()
