#!/usr/bin/env python3
"""`method = "auto"` beside the methods it chooses from, on models of the repository.

    scripts/compare_methods.py [--flexura PATH] [--rounds N] [--limit SECONDS] [MODEL ...]

Every model is run by `dormand-prince`, `radau` and `auto` at the same tolerances, the program's own computing time taken as the
least of the rounds, the three in turns. Printed are steps, evaluations, times, auto over the better of the two, and how far the last
rows are apart, as a share of the largest value in them. A run that takes longer than the limit is ended.
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = ["dormand-prince", "radau", "auto"]
FOLDERS = ["models", "models/gallery", "models/vehicle", "models/validation"]


def models():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.toml")):
            text = path.read_text()
            if "[[body]]" in text or "[[use]]" in text:
                yield path


def run(flexura, model, method, folder, limit):
    out = folder / f"{method}.fxr"
    command = [flexura, "run", str(model), "--method", method, "-o", str(out), "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "too long"
    if done.returncode not in (0, 1):
        return None, (done.stderr.strip().splitlines() or ["failed"])[0][:60]
    try:
        return json.loads(done.stdout), ""
    except ValueError:
        return None, (done.stderr.strip().splitlines() or ["failed"])[0][:60]


def last_row(flexura, path):
    text = subprocess.run([flexura, "export", str(path)], capture_output=True, text=True).stdout
    rows = [row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("#")]
    if len(rows) < 2:
        return []
    place = re.compile(r"\.(position\.[xyz]|angle|displacement|eta\.\d+) ")
    return [float(x) for name, x in zip(rows[0], rows[-1]) if place.search(name)]


def apart(a, b):
    if not a or len(a) != len(b):
        return None
    size = max(max(map(abs, a)), 1e-12)
    return max(abs(x - y) for x, y in zip(a, b)) / size


def compare(flexura, model, rounds, limit):
    best, why = {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for _ in range(rounds):
            for method in METHODS:
                if method in why:
                    continue
                found, reason = run(flexura, model, method, folder, limit)
                if found is None:
                    why[method] = reason
                elif method not in best or found["computing_seconds"] < best[method]["computing_seconds"]:
                    best[method] = found
        rows = {method: last_row(flexura, folder / f"{method}.fxr") for method in best if method not in why}
    return best, why, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flexura", default=str(ROOT / "target/release/flexura"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    flexura = str(pathlib.Path(options.flexura).resolve())
    print("| model | dormand-prince: evaluations, s | radau | auto (by radau) | auto / best | apart |")
    print("|---|--:|--:|--:|--:|--:|")
    for model in options.models or models():
        best, why, rows = compare(flexura, model.resolve(), options.rounds, options.limit)
        cells = []
        for method in METHODS:
            if method in best:
                found = best[method]
                stiff = f" ({found['stiff_steps']} of {found['steps']})" if method == "auto" else ""
                cells.append(f"{found['evaluations']:,}, {found['computing_seconds']:.3f}{stiff}")
            else:
                cells.append(why[method])
        others = [m for m in METHODS[:2] if m in best]
        ratio = difference = ""
        if "auto" in best and others:
            fastest = min(others, key=lambda m: best[m]["computing_seconds"])
            ratio = f"{best['auto']['computing_seconds'] / best[fastest]['computing_seconds']:.2f}"
            gap = apart(rows.get(others[0]), rows.get("auto"))
            difference = "" if gap is None else f"{gap:.0e}"
        try:
            name = model.resolve().relative_to(ROOT)
        except ValueError:
            name = model
        print(f"| {name} | {' | '.join(cells)} | {ratio} | {difference} |", flush=True)


if __name__ == "__main__":
    main()
