#!/usr/bin/env python3
"""Draws book/src/pictures/flexible_arm.svg from the result of models/flexible_arm.toml (standard library only).

Usage: cargo run --release -- run models/flexible_arm.toml && scripts/readme_figure.py flexible_arm.fxr
"""
import csv
import io
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PANELS = [
    ("angle [rad]", [("shoulder.angle", "shoulder", "#1f77b4"), ("elbow.angle", "elbow", "#d62728")]),
    ("hand height [mm]", [("fore.hand.position.z", "hand", "#2ca02c")]),
    ("energy [J]", [("energy.total", "total", "#000000"), ("energy.kinetic", "kinetic", "#9467bd"),
                    ("energy.elastic", "elastic", "#ff7f0e"), ("energy.springs", "elbow spring", "#8c564b")]),
]
WIDTH, HEIGHT, LEFT, TOP, GAP = 760, 160, 70, 26, 46


def table(result):
    names = [name for _, lines in PANELS for name, _, _ in lines]
    command = ["cargo", "run", "-q", "--release", "--", "export", result, "--channels", *names]
    rows = list(csv.reader(io.StringIO(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)))
    heads = [head.split(" [")[0] for head in rows[0]]
    return {head: [float(row[i]) for row in rows[1:]] for i, head in enumerate(heads)}


def nice_step(rough):
    """The nearest of 1, 2, 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return min((1, 2, 5, 10), key=lambda m: abs(m * power - rough)) * power


def panel(data, index, title, lines):
    y0 = TOP + index * (HEIGHT + GAP)
    scale = 1000.0 if "[mm]" in title else 1.0
    series = [[scale * v for v in data[name]] for name, _, _ in lines]
    low, high = min(map(min, series)), max(map(max, series))
    pad = 0.08 * (high - low or 1.0)
    low, high = low - pad, high + pad
    end = data["time"][-1]
    place = lambda t, v: (LEFT + (WIDTH - LEFT - 15) * t / end, y0 + HEIGHT * (high - v) / (high - low))
    out = [f'<rect x="{LEFT}" y="{y0}" width="{WIDTH - LEFT - 15}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    step = nice_step((high - low) / 4)
    for k in range(math.ceil(low / step), math.floor(high / step) + 1):
        value = k * step
        y = place(0, value)[1]
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - 15}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}</text>')
    for k in range(6):
        x = place(end * k / 5, low)[0]
        out.append(f'<text x="{x:.1f}" y="{y0 + HEIGHT + 15}" text-anchor="middle">{end * k / 5:.3g}</text>')
    for (_, label, colour), values, at in zip(lines, series, range(9)):
        points = " ".join("%.1f,%.1f" % place(t, v) for t, v in zip(data["time"], values))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out.append(f'<text x="{LEFT + 110 * at}" y="{y0 - 7}" fill="{colour}">— {label}</text>')
    out.append(f'<text transform="translate(16,{y0 + HEIGHT / 2:.0f}) rotate(-90)" text-anchor="middle">{title}</text>')
    return out


def main():
    data = table(sys.argv[1] if len(sys.argv) > 1 else "flexible_arm.fxr")
    height = TOP + len(PANELS) * (HEIGHT + GAP) + 14
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
             'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for index, (title, lines) in enumerate(PANELS):
        parts += panel(data, index, title, lines)
    parts.append(f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{height - 6}" text-anchor="middle">time [s]</text></svg>')
    (ROOT / "docs" / "flexible_arm.svg").write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
