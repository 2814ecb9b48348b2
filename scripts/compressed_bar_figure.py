#!/usr/bin/env python3
"""Draws book/src/pictures/compressed_bar.svg: end of the released bar and its error, like figure 4 of Mukherjee and Anderson.

    FLEXURA_BAR_CSV=/tmp/bar.csv cargo test -p flexura --test bodies compressed_bar::
    scripts/compressed_bar_figure.py /tmp/bar.csv book/src/pictures/compressed_bar.svg
"""
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 640, 210, 78, 34, 62
INNER = WIDTH - LEFT - 24


def panel(title, unit, top, series, low, high, ticks):
    """One diagram over 0 to 10 s; series: (rows, colour, dash, label)."""
    y = lambda v: top + HEIGHT * (high - v) / (high - low)
    x = lambda t: LEFT + INNER * t / 10
    out = [f'<text x="{LEFT}" y="{top - 10}" font-weight="bold">{title}</text>']
    for v in ticks:
        out.append(f'<path d="M{LEFT} {y(v):.1f}H{LEFT + INNER}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{v:g}</text>')
    for t in range(0, 11, 2):
        out.append(f'<text x="{x(t):.1f}" y="{top + HEIGHT + 18}" text-anchor="middle">{t}</text>')
    out.append(f'<rect x="{LEFT}" y="{top}" width="{INNER}" height="{HEIGHT}" fill="none" stroke="#444"/>')
    out.append(f'<text transform="translate(18 {top + HEIGHT / 2}) rotate(-90)" text-anchor="middle">{unit}</text>')
    for rows, colour, dash, _ in series:
        points = " ".join(f"{x(t):.2f},{y(v):.2f}" for t, v in rows)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6" {dash}/>')
    for i, (_, colour, dash, label) in enumerate(s for s in series if s[3]):
        row = top + HEIGHT - 34 + 17 * i
        out.append(f'<path d="M{LEFT + INNER - 212} {row - 4}h28" stroke="{colour}" stroke-width="1.6" {dash}/>')
        out.append(f'<text x="{LEFT + INNER - 178}" y="{row}">{label}</text>')
    return out


def main(source, target):
    rows = [tuple(map(float, line.split(","))) for line in open(source) if line.strip()]
    found = [(t, u) for t, u, _ in rows]
    exact = [(t, e) for t, _, e in rows]
    error = [(t, 1e3 * (u - e)) for t, u, e in rows]
    dashed = 'stroke-dasharray="6 4"'
    second = TOP + HEIGHT + GAP
    total = second + HEIGHT + 44
    body = panel("Displacement of the end", "m", TOP,
                 [(exact, "#888", dashed, "exact"), (found, "#0b5fa5", "", "four pieces of four modes")],
                 -0.05, 0.05, [-0.04, -0.02, 0, 0.02, 0.04])
    body += panel("Error", "mm", second, [(error, "#b3261e", "", "")], -4, 4, [-4, -2, 0, 2, 4])
    body.append(f'<text x="{LEFT + INNER / 2}" y="{total - 6}" text-anchor="middle">time (s)</text>')
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" '
            f'font-family="DejaVu Sans, sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>')
    with open(target, "w") as file:
        file.write(head + "\n" + "\n".join(body) + "\n</svg>\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
