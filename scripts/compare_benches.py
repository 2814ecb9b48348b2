#!/usr/bin/env python3
"""Times of two builds beside each other: every bench of OLD_DIR and NEW_DIR in turns, line by line.

    scripts/compare_benches.py OLD_DIR NEW_DIR [--out TABLE.md] [--seconds 300] [--only BENCH …] [--limit 3]

Both folders hold the bench programs by their names (articulated_body, closed_loops, …), as `cargo bench --no-run` builds them, or
packed by xz (articulated_body.xz).
A bench runs old, new, new, old, … on cores of its own until its share of the time is used; several benches run side by side
where the machine has the cores. Of every printed time the best of all rounds counts: other work on the machine only adds. Printed: best
times, their ratio, and the spread, which is how far the median of the rounds lies above the best, the larger of both builds. A line
is flagged where the new build is slower by more than the limit (per cent); where the spread is larger than that, the line says little.
Needs Python alone.
"""

import argparse
import json
import lzma
import math
import os
import queue
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

NUMBER = r"[\d.]+(?:e-?\d+)?"


def sections(text: str, titles: dict[str, str]):
    """Lines with the short name of the section they stand in: `titles` maps the beginning of a title to it."""
    section = ""
    for line in text.splitlines():
        found = next((short for title, short in titles.items() if title in line), None)
        if found is None:
            yield section, line
        else:
            section = found


def articulated_body(text: str):
    titles = {"Articulated bodies: ns": "per body", "Parts of an": "part", "Composite bodies (a)": "composite",
              "Direct against": "route", "Rigid chain, forward": "chain", "published elsewhere": "published"}
    for section, line in sections(text, titles):
        name, rest = line[:22].strip(), line[22:]
        if section in ("per body", "part") and name not in ("", "N"):
            for i, value in enumerate(rest.split()):
                yield f"{section}, {name}, column {i + 1}", value
        elif section == "composite":
            for size, a, b in re.findall(rf"(\d+): ({NUMBER})/({NUMBER})", rest):
                yield f"composite, {name}, N = {size}", a
                yield f"articulated, {name}, N = {size}", b
        elif section == "route" and (found := re.match(r"\s*(\d+) modes: direct\s+(\d+), low-rank\s+(\d+)", line)):
            yield f"direct, {found[1]} modes", found[2]
            yield f"low rank, {found[1]} modes", found[3]
        elif section == "chain" and (found := re.match(rf"N\s+(\d+):\s+({NUMBER})", line)):
            yield f"rigid chain, N = {found[1]}", found[2]


def closed_loops(text: str):
    titles = {"topological, flexible bars": "topological, flexible", "global, flexible bars": "global, flexible",
              "topological, all flexible": "topological", "formulation": "inertia"}
    for section, line in sections(text, titles):
        if section == "inertia":
            found = re.match(rf"\s*(topological|global)\s+(\w+)\s+({NUMBER})", line)
            if found:
                yield f"inertia by {found[2]}, {found[1]}", found[3]
        elif found := re.match(rf"\s+\d+\s+({NUMBER})\s+\d+\s", line[28:]):
            yield f"{section} {line[:28].strip()}", found[1]


def divide_and_conquer(text: str):
    names = ["articulated", "divided, 1 thread", "divided, 2 threads"]
    parts = ["kinematics", "loads", "recursion"]
    for section, line in sections(text, {"0 modes (": "rigid", "5 modes (": "5 modes"}):
        found = re.match(rf"\s*(\d+)\s+({NUMBER})\s+({NUMBER})\s+({NUMBER});[^;]*;(.*)", line)
        if found:
            for name, value in zip(names, found.groups()[1:4]):
                yield f"{section}, n = {found[1]}, {name}", value
            for name, group in zip(names, found[5].split(";")):
                for part, value in zip(parts, group.split("+")):
                    yield f"{section}, n = {found[1]}, {part} of {name}", value


def global_formulation(text: str):
    for line in text.splitlines():
        found = re.match(rf"\s+(\d)\s+\d+\s+(\w+)\s+({NUMBER})\s", line)
        if found:
            yield f"{found[1]} flexible bars, {found[2]}", found[3]


def inertia_levels(text: str):
    kind = ""
    for line in text.splitlines():
        found = re.match(r"\s*(\d+) modes, ", line)
        if not found:
            kind = line.strip() or kind
            continue
        for level in ("consistent", "gram", "full"):
            block, whole = re.search(rf"{level}\s+(\d+) \|\s+(\d+)", line).groups()
            yield f"{kind}, {found[1]} modes, {level}, mass block", block
            yield f"{kind}, {found[1]} modes, {level}, accelerations", whole


def loop_chains(text: str):
    names: list[str] = []
    for section, line in sections(text, {"in a row, rigid": "rigid", "in a row, flexible": "flexible"}):
        words = line.split()
        if words[:2] == ["N", "build"]:
            names = re.split(r"\s{2,}", line.strip())[2:]
            names = names if len(names) == 5 else [f"column {i + 1}" for i in range(5)]
        elif len(words) == 7 and words[0].isdigit():
            for name, value in zip(names, words[2:]):
                yield f"{section}, N = {words[0]}, {name}", value


def peer_four_bar(text: str):
    yield "flexible double four-bar, 5 s", str(json.loads(text)["seconds"])


def scaling(text: str):
    for line in text.splitlines():
        words = line.split(",")
        if len(words) == 6 and words[0].isdigit():
            yield f"{words[0]} modes, n = {words[1]}, divided on {words[2]}", words[3]
            if words[2] == "1":
                yield f"{words[0]} modes, n = {words[1]}, articulated", words[4]


def vehicle(text: str):
    for section, line in sections(text, {"Suspension, 5 s": "suspension", "Vehicle, 8 s": "vehicle"}):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) >= 16 and cells[2].isdigit():
            yield f"{section}, flexible {cells[1]}, topological", cells[3]
            yield f"{section}, flexible {cells[1]}, global", cells[10]


def shell_modes(text: str):
    units = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
    size = ""
    for line in text.splitlines():
        if found := re.match(r"(\d+) x", line):
            size = found[1]
        for name, value, unit in re.findall(r"(assembly|factor|20 modes|report|elastic modes) ([\d.]+)(ns|µs|ms|s)\b", line):
            yield f"{size} cells, {name}", str(float(value) * units[unit])


# Program, arguments, cores, reader, and the words with which what is wanted has been printed.
BENCHES = [
    ("closed_loops", [], 1, closed_loops, "usable"),
    ("vehicle", ["tables"], 1, vehicle, "mean times"),
    ("articulated_body", [], 1, articulated_body, "published elsewhere"),
    ("inertia_levels", [], 1, inertia_levels, None),
    ("divide_and_conquer", ["6", "12", "2"], 2, divide_and_conquer, None),
    ("scaling", ["6", "11", "1"], 2, scaling, None),
    ("loop_chains", ["20"], 1, loop_chains, None),
    ("global_formulation", [], 1, global_formulation, None),
    ("shell_modes", ["40"], 1, shell_modes, None),
    ("peer_four_bar", ["0.01", "4", "1", "5"], 1, peer_four_bar, None),
]


def unpacked(folder: Path, names: list[str], scratch: Path) -> Path:
    """A folder with the programs, those packed by xz unpacked into `scratch`."""
    missing = []
    for name in names:
        packed, place = folder / f"{name}.xz", scratch / name
        if (folder / name).exists():
            place.symlink_to((folder / name).resolve())
        elif packed.exists():
            place.write_bytes(lzma.decompress(packed.read_bytes()))
            place.chmod(0o755)
        else:
            missing.append(name)
    if missing:
        sys.exit(f"{folder} has no {', '.join(missing)}")
    return scratch


def printed(program: Path, words: list[str], cores: list[int], until: str | None) -> str:
    """What the program prints, up to the line with `until`."""
    pin = (lambda: os.sched_setaffinity(0, cores)) if hasattr(os, "sched_setaffinity") else None
    folder = os.environ.get("TMPDIR", "/tmp")
    process = subprocess.Popen([program.resolve(), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               encoding="utf-8", preexec_fn=pin, cwd=folder, env={**os.environ, "SCALING_OUT": folder})
    lines = []
    for line in process.stdout:
        lines.append(line)
        if until and until in line:
            process.kill()
    code = process.wait()
    if code and not until:
        raise RuntimeError(f"{program} ended with {code}")
    return "".join(lines)


def times_of(reader, text: str) -> dict[str, float]:
    found = {}
    for label, value in reader(text):
        number = float(value)
        if math.isfinite(number) and number > 0.0:
            found[label] = number
    return found


def compare(bench, folders: list[Path], cores: list[int], seconds: float):
    """Times of every line by build, rounds in turns until the time is used; at least two rounds."""
    name, words, wanted, reader, until = bench
    found: list[dict[str, list[float]]] = [{}, {}]
    began, rounds = time.monotonic(), 0
    while True:
        for side in ([0, 1], [1, 0])[rounds % 2]:
            text = printed(folders[side] / name, words, cores[:wanted], until)
            for label, value in times_of(reader, text).items():
                found[side].setdefault(label, []).append(value)
        rounds += 1
        used = time.monotonic() - began
        if rounds >= 2 and used * (rounds + 1) / rounds > seconds:
            return rounds, found


def rows_of(found) -> list[tuple[str, float, float, float, float]]:
    """Label, best old, best new, ratio, spread."""
    rows = []
    for label, old in found[0].items():
        new = found[1].get(label)
        if new:
            spread = max(statistics.median(times) / min(times) - 1.0 for times in (old, new))
            rows.append((label, min(old), min(new), min(new) / min(old), spread))
    return rows


def report(results, limit: float) -> str:
    text = ["| bench | rounds | lines | ratio, geometric mean | largest | flagged |", "|---|---|---|---|---|---|"]
    for name, rounds, rows in results:
        mean = math.exp(statistics.fmean(math.log(row[3]) for row in rows))
        slow = sum(row[3] > 1.0 + limit for row in rows)
        text.append(f"| {name} | {rounds} | {len(rows)} | {mean:.3f} | {max(row[3] for row in rows):.3f} | {slow} |")
    text += ["", f"Lines slower by more than {100 * limit:g} %:", "", "| bench | line | old | new | ratio | spread |",
             "|---|---|---|---|---|---|"]
    line = "| {0} | {1} | {2:.4g} | {3:.4g} | {4:.3f} | {5:.1%} |"
    text += [line.format(name, *row) for name, _, rows in results for row in rows if row[3] > 1.0 + limit]
    text += ["", "All lines:", "", "| bench | line | old | new | ratio | spread |", "|---|---|---|---|---|---|"]
    text += [line.format(name, *row) for name, _, rows in results for row in rows]
    return "\n".join(text) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--out", type=Path, help="file for the tables, instead of the terminal")
    parser.add_argument("--seconds", type=float, default=300.0, help="time for all benches together")
    parser.add_argument("--only", nargs="*", help="names of benches")
    parser.add_argument("--limit", type=float, default=3.0, help="flagged above so many per cent")
    chosen = parser.parse_args()
    benches = [bench for bench in BENCHES if not chosen.only or bench[0] in chosen.only]
    with tempfile.TemporaryDirectory() as scratch:
        folders = []
        for side, folder in (("old", chosen.old), ("new", chosen.new)):
            place = Path(scratch) / side
            place.mkdir()
            folders.append(unpacked(folder, [bench[0] for bench in benches], place))
        compare_all(chosen, benches, folders)


def compare_all(chosen, benches, folders: list[Path]) -> None:
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    places: queue.Queue = queue.Queue()
    for i in range(0, max(len(cores) - 1, 1), 2):
        places.put(cores[i:i + 2])
    share = chosen.seconds / math.ceil(len(benches) / places.qsize())
    results: dict[str, tuple] = {}

    def work(bench) -> None:
        place = places.get()
        try:
            rounds, found = compare(bench, folders, place, share)
            results[bench[0]] = (bench[0], rounds, rows_of(found))
        except (RuntimeError, OSError, ValueError, AttributeError) as error:
            print(f"{bench[0]}: {error}", file=sys.stderr)
        finally:
            places.put(place)

    threads = [threading.Thread(target=work, args=(bench,)) for bench in benches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = [results[bench[0]] for bench in benches if bench[0] in results and results[bench[0]][2]]
    text = report(done, chosen.limit / 100.0)
    if chosen.out:
        chosen.out.write_text(text, encoding="utf-8")
        print(text.split("\nAll lines:")[0])
    else:
        print(text)
    lost = [bench[0] for bench in benches if bench[0] not in [name for name, _, _ in done]]
    if lost:
        sys.exit("no times of: " + ", ".join(lost))


if __name__ == "__main__":
    main()
