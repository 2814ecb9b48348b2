#!/usr/bin/env python3
"""Large parts: `flexura reduce` beside CalculiX on the same mesh of 20-node hexahedra, time and memory of both programs.

    scripts/compare_large_parts.py --program PATH [--unknowns 100000 300000] [--rounds 2] [--only flexura] [--folder DIR]

The part is a steel block, held at one end and with an interface at the other. Flexura reduces it by Craig-Bampton: six static shapes and
twenty modes between held ends, with everything else that a reduction makes (mass, stiffening, stresses, flexibility). CalculiX computes
the same twenty modes with both ends held, and nothing else; the frequencies of both are held against each other. Printed, as Markdown: elapsed
and processor time, the most memory each process had, their ratios. Both may use all cores. `ccx` must be on the path (Debian's package
calculix-ccx); without it, or with --only flexura, Flexura's own figures are printed.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
from elements import NODES  # noqa: E402

SIZE = (0.6, 0.2, 0.12)
MODES = 20
# CalculiX prints seven digits.
NEAR = 1e-6


def cells_for(unknowns):
    """Elements along the edges of about cubic elements with about so many unknowns."""
    # A block of n elements has about four nodes per element.
    edge = (SIZE[0] * SIZE[1] * SIZE[2] / (unknowns / 12.6)) ** (1 / 3)
    return tuple(max(1, round(length / edge)) for length in SIZE)


def mesh(cells):
    """Lines of a deck with the sets NEAR and FAR, and its unknowns."""
    numbers, elements = {}, []
    for i in range(cells[0]):
        for j in range(cells[1]):
            for k in range(cells[2]):
                places = [(2 * i + a, 2 * j + b, 2 * k + c) for a, b, c in NODES]
                elements.append([numbers.setdefault(place, len(numbers) + 1) for place in places])
    lines = ["*NODE, NSET=ALL"]
    for place, number in numbers.items():
        lines.append(f"{number}, " + ", ".join(f"{SIZE[a] * place[a] / (2 * cells[a]):.12g}" for a in range(3)))
    lines.append("*ELEMENT, TYPE=C3D20, ELSET=BLOCK")
    for number, nodes in enumerate(elements, 1):
        words = [str(number), *map(str, nodes)]
        lines.append(", ".join(words[:16]) + ",\n" + ", ".join(words[16:]))
    for name, ends in (("NEAR", [0]), ("FAR", [2 * cells[0]]), ("BOTH", [0, 2 * cells[0]])):
        held = [str(number) for place, number in numbers.items() if place[0] in ends]
        lines += [f"*NSET, NSET={name}", *(", ".join(held[i : i + 12]) for i in range(0, len(held), 12))]
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "2.1e11, 0.3", "*DENSITY", "7850", "*SOLID SECTION, ELSET=BLOCK, MATERIAL=STEEL"]
    return lines, 3 * len(numbers)


def write(folder, cells):
    lines, unknowns = mesh(cells)
    text = "\n".join(lines) + "\n"
    (folder / "part.inp").write_text(text)
    step = f"*BOUNDARY\nBOTH,1,3\n*STEP\n*FREQUENCY\n{MODES}\n*END STEP\n"
    (folder / "held.inp").write_text(text + step)
    middle = ", ".join(f"{SIZE[a] / 2}" for a in (1, 2))
    ends = "".join(
        f'[[interface]]\nname = "{name.lower()}"\nset = "{name}"\nposition = [{x}, {middle}]\n\n'
        for name, x in (("NEAR", 0.0), ("FAR", SIZE[0]))
    )
    reduction = f'[reduction]\nmethod = "craig-bampton"\nreference = "near"\nmodes = {MODES}\n'
    both = f'[[interface]]\nname = "ends"\nset = "BOTH"\nposition = [{SIZE[0] / 2}, {middle}]\n\n'
    held = f'[reduction]\nmethod = "clamped-free"\nreference = "ends"\nmodes = {MODES}\nstiffening = false\n'
    (folder / "held.toml").write_text('name = "held"\nmesh = "part.inp"\n\n' + both + held)
    (folder / "part.toml").write_text('name = "block"\nmesh = "part.inp"\n\n' + ends + reduction)
    return unknowns


def measured(words, folder):
    """Elapsed and processor seconds and the most memory (MiB) of a process; ends where it fails."""
    log = folder / "log"
    start = time.monotonic()
    with open(log, "w") as out:
        child = os.posix_spawnp(
            words[0], [str(word) for word in words], {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
            file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, out.fileno(), 2)],
        )
        _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"{words[0]} failed:\n{log.read_text()[-2000:]}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def flexura(program, folder):
    """One reduction, and the frequencies of the modes between held ends."""
    figures = measured([program, "reduce", folder / "part.toml", "-o", folder / "part.fxb", "--pictures", "0"], folder)
    return figures


def held_frequencies(program, folder):
    """Frequencies with both ends held: the modes of a part whose frame is hung on both."""
    words = [program, "reduce", folder / "held.toml", "--json", "--no-files"]
    out = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")})
    return sorted(json.loads(out.stdout)["frequencies_hz"])[:MODES]


def calculix(folder):
    here = os.getcwd()
    os.chdir(folder)
    os.environ.setdefault("OMP_NUM_THREADS", str(os.cpu_count()))
    figures = measured(["ccx", "-i", "held"], folder)
    os.chdir(here)
    text = (folder / "held.dat").read_text().split("P A R T I C I P A T I O N")[0]
    rows = [line.split() for line in text.splitlines()]
    return figures, sorted(float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit())[:MODES]


def best(rounds):
    """The round with the least elapsed time; memory is the largest."""
    return (*min(rounds)[:2], max(figures[2] for figures in rounds))


def line(unknowns, program, folder, rounds, peer):
    own, other, frequencies = [], [], []
    for _ in range(rounds):
        own.append(flexura(program, folder))
        if peer:
            figures, frequencies = calculix(folder)
            other.append(figures)
    cells = [f"{unknowns:,}", *(f"{value:,.0f}" for value in best(own))]
    if peer:
        ratios = [a[0] / b[0] for a, b in zip(other, own)]
        memory = best(own)[2] / best(other)[2]
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
        mine = held_frequencies(program, folder)
        apart = max(abs(a - b) / b for a, b in zip(mine, frequencies))
        if not (len(mine) == len(frequencies) == MODES and apart < NEAR):
            spread = f"none: frequencies are {apart:.1e} apart"
        cells += [*(f"{value:,.0f}" for value in best(other)), spread, f"{memory:.2f}", f"{apart:.0e}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the flexura to run")
    parser.add_argument("--unknowns", nargs="+", type=int, default=[100_000, 300_000])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", choices=["flexura"], help="leave CalculiX out")
    parser.add_argument("--folder", type=pathlib.Path, help="keep decks and results there")
    options = parser.parse_args()
    peer = options.only is None and shutil.which("ccx") is not None
    if not peer and options.only is None:
        print("`ccx` is not on the path: no ratios", file=sys.stderr)
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    heads = ["unknowns", "Flexura (s)", "processor (s)", "MiB"]
    if peer:
        heads += ["CalculiX (s)", "processor (s)", "MiB", "CalculiX / Flexura, time", "Flexura / CalculiX, memory", "frequencies apart"]
    print("| " + " | ".join(heads) + " |\n|" + "--:|" * len(heads))
    with tempfile.TemporaryDirectory() as scratch:
        for unknowns in options.unknowns:
            folder = (options.folder or pathlib.Path(scratch)).resolve() / str(unknowns)
            folder.mkdir(parents=True, exist_ok=True)
            line(write(folder, cells_for(unknowns)), options.program.resolve(), folder, options.rounds, peer)


if __name__ == "__main__":
    main()
