#!/usr/bin/env python3
"""Runs every shipped model with two builds of the program and prints how far results moved.

    scripts/compare_builds.py OLD NEW [-o table.md] [--limit SECONDS]

For each model: of places and angles, of modal coordinates and of energies, the channel that moved most, as a share
of the largest range of a channel of its kind. Models with flexible bodies only, unless --all.
"""

import argparse
import csv
import os
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {
    "places and angles": (".position.", ".angle [", ".displacement ["),
    "modal coordinates": (".eta.",),
    "energies": ("energy.kinetic", "energy.elastic"),
}


def run(program, model, folder, limit):
    result = pathlib.Path(folder) / "r.fxr"
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder))
    try:
        done = subprocess.run([program, "run", str(model), "-o", str(result)], capture_output=True, text=True, timeout=limit, env=environment)
    except subprocess.TimeoutExpired:
        return None, f"longer than {limit} s"
    note = "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["failed"])[-1][:90]
    if not result.exists():
        return None, note
    listing = pathlib.Path(folder) / "r.csv"
    subprocess.run([program, "export", str(result), "-o", str(listing)], capture_output=True, env=environment)
    if not listing.exists():
        return None, note
    with open(listing) as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    names, body = rows[0], rows[1:]
    columns = {name: [float(row[i]) for row in body] for i, name in enumerate(names)}
    return columns, note


def compare(model, options):
    with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
        (old, old_note), (new, new_note) = run(options.old, model, a, options.limit), run(options.new, model, b, options.limit)
    name = str(model.relative_to(ROOT / "models"))
    if old is None or new is None:
        return name, ["", "", ""], old_note or "ran", new_note or "ran"
    moved = []
    for words in KINDS.values():
        channels = [channel for channel in old if channel in new and any(word in channel for word in words)]
        size = max((max(old[channel]) - min(old[channel]) for channel in channels), default=0.0)
        worst, where = 0.0, ""
        for channel in channels:
            apart = max((abs(x - y) for x, y in zip(old[channel], new[channel])), default=0.0)
            if size > 0 and apart / size > worst:
                worst, where = apart / size, channel
        moved.append(f"{worst:.1e} ({where.split(' ')[0]})" if where else "0" if channels else "")
    return name, moved, old_note, new_note


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("-o", "--output")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    flexible = lambda path: options.all or any(word in path.read_text() for word in ("[body.beam]", "beam =", "fe =", "[body.modal]"))
    models = sorted(path for path in (ROOT / "models").rglob("*.toml") if "parts" not in path.parts and flexible(path))
    lines = [f"| model | {' | '.join(KINDS)} | old build | new build |", "|---|---|---|---|---|---|"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, moved, old, new in pool.map(lambda model: compare(model, options), models):
            lines.append(f"| {name} | {' | '.join(moved)} | {old} | {new} |")
            print(lines[-1], flush=True)
    if options.output:
        pathlib.Path(options.output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
