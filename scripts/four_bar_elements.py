#!/usr/bin/env python3
"""Richard's flexible four-bar (2012, section 5.1) with his own beam elements: what its error comes from.

    scripts/four_bar_elements.py [--flexura PATH] [--only causes elements modes levels pieces] [-o tables.md]

Coupler and follower of finite elements, in nodal coordinates (no modes: `method = "all"`) or reduced, over two turns of the
crank. Printed are the least and largest deflection of both mid-points across the chord, in per cent of those of the
reference (geometrically exact beams, case `flexnet-four-bar` of `flexura validate`, which asks for 2 %), and the root mean
square of the difference of both curves over the range of the reference. Runs side by side on all cores.
"""

import argparse
import csv
import math
import os
import pathlib
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = (ROOT / "models/validation/flexnet_four_bar.toml").read_text()
SPEED = 210.0
END = 4 * math.pi / SPEED
LENGTHS = {"coupler": 0.9, "follower": 0.6}
# Least and largest deflection of the reference (m), as the case has them.
PEAKS = {"coupler": (-0.02990, 0.04209), "follower": (-0.01472, 0.01092)}
SECTION = "area = 1.767e-4, inertia_y = 3.112e-8, inertia_z = 3.112e-8, torsion = 6.224e-8"
SHEAR = ", shear_area_y = 8.835e-5, shear_area_z = 8.835e-5"  # k = 1/2, as in the reference


def part(length, elements, reference, method, modes, mass, shear, damping, more):
    """A straight piece of a link, of one line of elements or of two with a node `middle` between them."""
    places = {"a": 0.0, "middle": 0.5, "b": 1.0} if elements % 2 == 0 else {"a": 0.0, "b": 1.0}
    names = list(places)
    text = '[[material]]\nname = "steel"\nyoung = 2.0e11\npoisson = 0.2987\ndensity = 7800\n'
    for name, share in places.items():
        text += f'[[node]]\nname = "{name}"\nposition = [{share * length}, 0, 0]\n'
        text += f'[[interface]]\nname = "{name}"\nnode = "{name}"\n'
    for pair in zip(names, names[1:]):
        text += f'[[beam]]\nbetween = ["{pair[0]}", "{pair[1]}"]\nelements = {elements // (len(names) - 1)}\n'
        text += f'material = "steel"\nsection = {{ {SECTION}{SHEAR if shear else ""} }}\norientation = [0, 1, 0]\n'
    text += f'[reduction]\nreference = "{reference}"\nmethod = "{method}"\nplane = "xy"\nmass = "{mass}"\n'
    text += "" if method == "all" else f"modes = {modes}\n"
    text += f"damping = {{ kelvin_voigt = {damping} }}\n" if damping else ""
    return text + more


def four_bar(elements=8, reference="middle", method="all", modes=10, mass="consistent", shear=True, damping=0.0,
             level="", more="", pieces=1, step=5e-6):
    """Model, parts, and the frames at start, middle and end of each link."""
    text, parts, frames = MODEL, {}, {}
    for link, length in LENGTHS.items():
        own = part(length / pieces, elements // pieces, reference, method, modes, mass, shear, damping, more)
        parts[f"{link}.toml"] = own
        bodies = [f"{link}{k + 1}" for k in range(pieces)] if pieces > 1 else [link]
        tables = "".join(f'[[body]]\nname = "{body}"\nfe = "{link}.toml"\n{level}\n' for body in bodies)
        for one, two in zip(bodies, bodies[1:]):
            tables += f'[[joint]]\nname = "{two}"\ntype = "weld"\nbetween = ["{one}.b", "{two}.a"]\n'
        start = text.index(f'[[body]]\nname = "{link}"')
        end = text.index("[[joint]]", start) if link == "follower" else text.index("[[body]]", start + 2)
        text = text[:start] + tables + "\n" + text[end:]
        for joint in ["crank.a", "ground.c"]:
            text = text.replace(f'"{joint}", "{link}.a"', f'"{joint}", "{bodies[0]}.a"')
        text = text.replace(f'"{link}.b"', f'"{bodies[-1]}.b"')
        middle = f"{bodies[pieces // 2 - 1]}.b" if pieces > 1 else f"{link}.middle"
        frames[link] = [f"{bodies[0]}.a", middle, f"{bodies[-1]}.b"]
    run = f'end = {END}\noutput_interval = {END / 1200}\nmethod = "trapezoidal"\nstep = {step}'
    text = text.replace("end = 0.06\noutput_interval = 1e-4", run)
    wanted = [f'"{frame}.position.?"' for link in frames.values() for frame in link]
    return text + f"[output]\nchannels = [{', '.join(wanted)}]\n", parts, frames


def deflections(columns, frames):
    """Of the mid-point across the chord."""
    x, y = ([columns[f"{frame}.position.{axis}"] for frame in frames] for axis in "xy")
    for ax, mx, bx, ay, my, by in zip(*x, *y):
        ex, ey = bx - ax, by - ay
        yield ((my - ay) * ex - (mx - ax) * ey) / math.hypot(ex, ey)


def reference():
    with open(ROOT / "crates/flexura-validate/data/flexnet_four_bar.csv") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    return [dict(zip(rows[0], map(float, row))) for row in rows[1:]]


def difference(times, values, link, known):
    """Root mean square over the range of the reference (%)."""
    angle = next(iter(known[0]))
    total = 0.0
    for row in known:
        place = min(row[angle] / SPEED / times[-1], 1.0) * (len(times) - 1)
        i = min(int(place), len(times) - 2)
        total += ((i + 1 - place) * values[i] + (place - i) * values[i + 1] - row[link]) ** 2
    low, high = PEAKS[link]
    return 100 * math.sqrt(total / len(known)) / (high - low)


def measure(flexura, settings, known):
    """Cells of a row: four peaks, the largest of them, both curves, time; or why there are none."""
    text, parts, frames = four_bar(**settings)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "model.toml").write_text(text)
        for name, own in parts.items():
            (folder / name).write_text(own)
        start = time.time()
        command = [flexura, "run", "model.toml", "-o", "r.fxr", "--no-cache"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        seconds = time.time() - start
        if done.returncode:
            error = [line for line in done.stderr.splitlines() if line.startswith("error")]
            return [(error or ["failed"])[0].removeprefix("error: ")[:90], "", "", "", "", "", "", f"{seconds:.0f}"]
        subprocess.run([flexura, "export", "r.fxr", "-o", "r.csv"], cwd=folder, check=True, capture_output=True)
        with open(folder / "r.csv") as file:
            rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    names = [name.split(" ")[0] for name in rows[0]]
    columns = {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(names)}
    peaks, curves = [], []
    for link in LENGTHS:
        values = list(deflections(columns, frames[link]))
        peaks += [100 * (found / exact - 1) for found, exact in zip((min(values), max(values)), PEAKS[link])]
        curves.append(difference(columns["time"], values, link, known))
    worst = max(map(abs, peaks))
    return [f"{peak:+.2f}" for peak in peaks] + [f"**{worst:.2f}**"] + [f"{c:.2f}" for c in curves] + [f"{seconds:.0f}"]


OLD = {"reference": "a", "method": "craig-bampton", "shear": False, "damping": 1e-6}
TABLES = {
    "causes": ("eight elements unless said otherwise", [
        ("ten modes, tangent at one end, no shear, damped (the part before)", OLD),
        ("… with the reference's shear", OLD | {"shear": True}),
        ("… and without damping", OLD | {"shear": True, "damping": 0.0}),
        ("… and no modes: nodal coordinates", {"reference": "a"}),
        ("… and 32 elements with 20 modes", {"reference": "a", "elements": 32, "method": "craig-bampton", "modes": 20}),
        ("eight elements, nodal coordinates, frame at the middle", {}),
        ("ten modes, frame at the middle, no shear", OLD | {"reference": "middle", "damping": 0.0}),
        ("ten modes, frame at the middle, shear, no damping", {"method": "craig-bampton"}),
        ("… at half the step", {"method": "craig-bampton", "step": 2.5e-6}),
    ]),
    "elements": ("elements, mass; nodal coordinates to 16 elements, then 20 modes", [
        (f"{count}, {mass}", {"elements": count, "mass": mass} | ({"method": "craig-bampton", "modes": 20} if count > 16 else {}))
        for mass in ["consistent", "linear", "lumped"] for count in [2, 4, 8, 16, 32]
    ]),
    "modes": ("eight elements: frame, modes", [
        (f"{where}, {count if count else 'nodal'}{' ' + kind if count else ''}",
         {"reference": frame, "method": kind if count else "all", "modes": count})
        for frame, where in [("a", "end"), ("middle", "middle")]
        for kind in ["craig-bampton", "attachment"]
        for count in ([1, 2, 3, 4, 6, 8, 10] + ([0] if kind == "attachment" else []))
    ]),
    "levels": ("eight elements, nodal coordinates: level", [
        (label, {"reference": frame, "level": level, "more": more})
        for frame, where in [("a", "end"), ("middle", "middle")]
        for label, level, more in [
            (f"{where}, gram", "", ""),
            (f"{where}, full", 'level = "full"', "mass_nodes = true\n"),
            (f"{where}, paper", 'level = "paper"\nattachments = "exact"', "mass_nodes = true\n"),
            (f"{where}, ruthless", 'level = "ruthless"\nattachments = "exact"', "mass_nodes = true\n"),
            (f"{where}, consistent", 'level = "consistent"', ""),
            (f"{where}, gram without stiffening, the paper's (58) and (59)", "", "stiffening = false\n"),
        ]
    ]),
    "pieces": ("eight elements: bodies per link, frame of each; nodal coordinates", [
        ("1, end", {"reference": "a"}), ("2, end", {"reference": "a", "pieces": 2}), ("4, end", {"reference": "a", "pieces": 4}),
        ("8, end", {"reference": "a", "pieces": 8}),
        ("1, middle", {}), ("2, middle", {"pieces": 2}), ("4, middle", {"pieces": 4}),
        ("16 elements: 8, middle", {"elements": 16, "pieces": 8}),
    ]),
}
HEAD = ["coupler least", "largest", "follower least", "largest", "worst", "curve of the coupler", "of the follower", "time (s)"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flexura", default=os.environ.get("FLEXURA_BINARY", str(ROOT / "target/release/flexura")))
    parser.add_argument("--only", nargs="*", choices=list(TABLES), default=list(TABLES))
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    flexura, known, lines = str(pathlib.Path(options.flexura).resolve()), reference(), []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in options.only:
            what, rows = TABLES[name]
            lines += ["", f"| {what} | " + " | ".join(HEAD) + " |", "|---" * (len(HEAD) + 1) + "|"]
            print("\n".join(lines[-3:]), flush=True)
            found = pool.map(lambda row: measure(flexura, row[1], known), rows)
            for (label, _), cells in zip(rows, found):
                lines.append(f"| {label} | " + " | ".join(cells) + " |")
                print(lines[-1], flush=True)
    if options.output:
        pathlib.Path(options.output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
