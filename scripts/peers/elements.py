"""Finite elements: frequencies of one deck by `flexura deck`, by CalculiX, and by SciPy on the matrices that CalculiX assembled.

The deck is a free steel block of 20-node hexahedra. Flexura and CalculiX read it, assemble and solve: processor time of the whole program.
SciPy gets the matrices in memory: processor time of `eigsh` in shift-invert mode alone, so its figure is the least it could be.
"""

import json
import statistics

from environment import Missing, Peer
from rigid import child_seconds, spread

SIZE = (0.6, 0.1, 0.12)
MODES = 10
# CalculiX prints seven digits.
NEAR = 1e-6
# Places of the nodes of a C3D20 in half cells, Abaqus' order.
NODES = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2),
         (1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2),
         (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]


def deck(cells):
    """The block of so many elements along each edge, and its unknowns."""
    numbers, elements = {}, []
    for i in range(cells[0]):
        for j in range(cells[1]):
            for k in range(cells[2]):
                corner = (2 * i, 2 * j, 2 * k)
                places = [tuple(corner[a] + node[a] for a in range(3)) for node in NODES]
                elements.append([numbers.setdefault(place, len(numbers) + 1) for place in places])
    lines = ["*NODE, NSET=ALL"]
    for place, number in numbers.items():
        position = (SIZE[a] * place[a] / (2 * cells[a]) for a in range(3))
        lines.append(f"{number}, " + ", ".join(f"{x:.12g}" for x in position))
    lines.append("*ELEMENT, TYPE=C3D20, ELSET=BLOCK")
    for number, nodes in enumerate(elements, 1):
        words = [str(number), *map(str, nodes)]
        lines.append(", ".join(words[:16]) + ",\n" + ", ".join(words[16:]))
    lines += ["*MATERIAL, NAME=STEEL", "*ELASTIC", "2.1e11, 0.3", "*DENSITY", "7850", "*SOLID SECTION, ELSET=BLOCK, MATERIAL=STEEL"]
    return "\n".join(lines) + "\n", 3 * len(numbers)


def step(storage):
    solver = ", SOLVER=MATRIXSTORAGE" if storage else ""
    return f"*STEP\n*FREQUENCY{solver}\n{MODES + 6}\n*END STEP\n"


def elastic(frequencies):
    """The first frequencies behind the six rigid motions."""
    return sorted(frequencies)[6 : 6 + MODES]


class Flexura:
    name = "flexura deck"

    def __init__(self, program, folder):
        self.words = [program, "deck", folder / "block.inp", "--json", "--modes", str(MODES)]

    def measure(self):
        out, seconds = child_seconds(self.words)
        return seconds, elastic(json.loads(out)["frequencies"])

    def close(self):
        pass


class CalculiX:
    name = "CalculiX"

    def __init__(self, environment, folder):
        self.program, self.variables = environment.calculix()
        self.variables |= {"OMP_NUM_THREADS": "1"}
        self.folder = folder

    def run(self, name):
        words = [self.program, "-i", name]
        return child_seconds(words, cwd=self.folder, env=self.variables)[1]

    def matrices(self, text):
        """Lets it assemble without solving; paths of stiffness and mass."""
        (self.folder / "stored.inp").write_text(text + step(True))
        try:
            self.run("stored")
        except Missing:
            pass  # It stops behind the matrices with a status of its own.
        paths = [self.folder / f"stored.{ending}" for ending in ("sti", "mas")]
        if not all(path.exists() for path in paths):
            raise Missing("SciPy: CalculiX stored no matrices")
        return paths

    def measure(self):
        seconds = self.run("solved")
        text = (self.folder / "solved.dat").read_text().split("P A R T I C I P A T I O N")[0]
        rows = [line.split() for line in text.splitlines()]
        values = [float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()]
        return seconds, elastic(values)

    def close(self):
        pass


class SciPy:
    name = "SciPy eigsh"

    def __init__(self, environment, paths):
        environment.install("SciPy")
        self.peer = Peer(environment, "scipy_side.py")
        self.request = {"stiffness": str(paths[0]), "mass": str(paths[1]), "modes": MODES + 6}

    def measure(self):
        answer = self.peer.ask(self.request)
        return answer["seconds"], elastic(answer["frequencies"])

    def close(self):
        self.peer.close()


def sides(environment, program, folder, cells, only):
    """Those that can be had, Flexura first, why others cannot, and the unknowns of the deck."""
    text, unknowns = deck(cells)
    (folder / "block.inp").write_text(text)
    (folder / "solved.inp").write_text(text + step(False))
    there, missing = [Flexura(program, folder)], []
    try:
        ccx = CalculiX(environment, folder)
        if "CalculiX" in only:
            there.append(ccx)
        if "SciPy" in only:
            there.append(SciPy(environment, ccx.matrices(text)))
    except Missing as why:
        missing.append(str(why))
    return there, missing, unknowns


def table(there, rounds, unknowns):
    """Every side in turn; one whose frequencies differ gets no ratio."""
    times, found = {}, {}
    for _ in range(rounds):
        for side in there:
            seconds, found[side.name] = side.measure()
            times.setdefault(side.name, []).append(seconds)
    own, *others = times
    lines = [f"| {unknowns} unknowns, {MODES} modes | processor time (s) | Flexura / it | frequencies apart |", "|---|--:|--:|--:|"]
    lines.append(f"| {own} | {statistics.median(times[own]):.2f} | | |")
    for name in others:
        apart = max(abs(a / b - 1) for a, b in zip(found[own], found[name], strict=True))
        ratio = spread([a / b for a, b in zip(times[own], times[name])]) if apart < NEAR else "differs"
        lines.append(f"| {name} | {statistics.median(times[name]):.2f} | {ratio} | {apart:.0e} |")
    return "\n".join(lines)
