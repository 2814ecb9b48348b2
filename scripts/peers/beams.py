"""A chain of flexible beams: `flexura run` beside Exudyn's reduced floating frames, the same masses, shapes and stiffness, at equal error.

A beam is an aluminium bar of 1 m, 30 mm by 20 mm, as point masses at four lines along it (their distance gives sections their rotary inertia),
with the analytic modes of a clamped bar: bending in two planes, torsion, extension. Hinges about y and z in turn; the chain lies straight and
at rest, and a force pulls its end sideways. There is no gravity: Exudyn 1.13 adds a deformation of its own to bodies that fall
(scripts/exudyn_exchange.py). The error is the largest distance of the chain's end from the same side's own fine run at five instants.
"""

import csv
import math
import statistics
import subprocess

from environment import Missing, Peer
from rigid import child_seconds

LENGTH, WIDTH, HEIGHT = 1.0, 0.03, 0.02  # along x, y, z (m)
YOUNG, SHEAR, DENSITY = 7e10, 2.63e10, 2700.0
DAMPING = 2e-4  # Kelvin-Voigt (s): 1 % of critical for the first bending mode
STATIONS = 13
FORCE = (0.0, 12.0, 20.0)
END, INSTANTS = 2.0, 5
# Roots of 1 + cos cosh: a bar clamped at one end.
ROOTS = [1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349, 14.1371683910]
KINDS = {5: (2, 2, 1, 0), 10: (4, 4, 1, 1), 15: (5, 5, 3, 2)}  # bending towards z, towards y, torsion, extension


def bending(root, x):
    """Deflection, slope and curvature of a mode of unit deflection at its end."""
    k = root / LENGTH
    ratio = (math.cosh(root) + math.cos(root)) / (math.sinh(root) + math.sin(root))

    def parts(x):
        c, s, ch, sh = math.cos(k * x), math.sin(k * x), math.cosh(k * x), math.sinh(k * x)
        return ch - c - ratio * (sh - s), k * (sh + s - ratio * (ch - c)), k * k * (ch + c - ratio * (sh + s))

    unit = parts(LENGTH)[0]
    return [part / unit for part in parts(x)]


def shapes(modes):
    """Functions of place (x, y, z): displacement; of x: rotation of the section; and stiffness, mode by mode."""
    area, square = WIDTH * HEIGHT, 12.0
    about_y, about_z = WIDTH * HEIGHT**3 / square, HEIGHT * WIDTH**3 / square
    # Torsion of a rectangle, by the usual series' first terms.
    twist = WIDTH * HEIGHT**3 * (1 / 3 - 0.21 * HEIGHT / WIDTH * (1 - (HEIGHT / WIDTH) ** 4 / 12))
    found = []

    def integral(f, count=2000):
        return sum(f((i + 0.5) / count * LENGTH) for i in range(count)) * LENGTH / count

    def sine(i):
        k = (2 * i + 1) * math.pi / (2 * LENGTH)
        return (lambda x: math.sin(k * x)), k * k * LENGTH / 2

    for kind, count in zip("zytx", KINDS[modes]):
        for i in range(count):
            if kind in "zy":
                root = ROOTS[i]
                rigidity = YOUNG * (about_y if kind == "z" else about_z)
                stiffness = rigidity * integral(lambda x: bending(root, x)[2] ** 2)

                def move(x, y, z, root=root, kind=kind):
                    w, slope, _ = bending(root, x)
                    return (-z * slope, 0.0, w) if kind == "z" else (-y * slope, w, 0.0)

                def turn(x, root=root, kind=kind):
                    slope = bending(root, x)[1]
                    return (0.0, -slope, 0.0) if kind == "z" else (0.0, 0.0, slope)

            else:
                f, square = sine(i)
                stiffness = square * (SHEAR * twist if kind == "t" else YOUNG * area)

                def move(x, y, z, f=f, kind=kind):
                    return (0.0, -z * f(x), y * f(x)) if kind == "t" else (f(x), 0.0, 0.0)

                def turn(x, f=f, kind=kind):
                    return (f(x), 0.0, 0.0) if kind == "t" else (0.0,) * 3

            found.append((move, turn, stiffness))
    return found


def body(modes):
    """The beam in numbers: nodes with masses, displacements of every node in every mode, stiffness, and its end."""
    mass = DENSITY * LENGTH * WIDTH * HEIGHT
    # Four equal masses have the rotary inertia of the section at its radii of gyration.
    y, z = WIDTH / math.sqrt(12), HEIGHT / math.sqrt(12)
    places, masses = [], []
    for i in range(STATIONS):
        share = mass / (STATIONS - 1) * (0.5 if i in (0, STATIONS - 1) else 1.0)
        for corner in ((y, z), (-y, z), (-y, -z), (y, -z)):
            places.append((LENGTH * i / (STATIONS - 1), *corner))
            masses.append(share / 4)
    modal = shapes(modes)
    return {
        "places": places,
        "masses": masses,
        "shapes": [[move(*place) for move, _, _ in modal] for place in places],
        "stiffness": [stiffness for _, _, stiffness in modal],
        "end": ([move(LENGTH, 0.0, 0.0) for move, _, _ in modal], [turn(LENGTH) for _, turn, _ in modal]),
        "damping": DAMPING,
        "force": FORCE,
        "length": LENGTH,
    }


def vectors(rows):
    return "[" + ", ".join("[" + ", ".join(f"{x!r}" for x in row) + "]" for row in rows) + "]"


def model(beam, count, method):
    """A model file of the chain; bodies b1, b2, …, its end is the frame tip of the last."""
    nodes = [
        f"[[define.beam.modal.node]]\nmass = {mass!r}\nposition = {list(place)}\ntranslations = {vectors(shape)}"
        for place, mass, shape in zip(beam["places"], beam["masses"], beam["shapes"])
    ]
    move, turn = beam["end"]
    nodes.append(f'[[define.beam.modal.node]]\nname = "tip"\nposition = [{LENGTH}, 0, 0]\ntranslations = {vectors(move)}\nslopes = {vectors(turn)}')
    return "\n".join([
        '[model]\nname = "beams"\ngravity = [0, 0, 0]',
        '[define.beam]\nframe = [{ name = "tip", node = "tip" }]',
        f"[define.beam.modal]\nstiffness = {beam['stiffness']}\ndamping = {{ kelvin_voigt = {DAMPING} }}",
        *nodes,
        f'[[body]]\nname = "b{{i}}"\nrepeat = {count}\nlike = "beam"',
        f'[[joint]]\nname = "j{{i}}"\nrepeat = {count}\ntype = "revolute"\naxis = ["= 0", "= mod(i, 2)", "= 1 - mod(i, 2)"]',
        "between = [\"{if(i == 1, 'ground.origin', 'b' & (i - 1) & '.tip')}\", \"b{i}.origin\"]",
        f'[[force]]\nname = "pull"\nat = "b{count}.tip"\nforce = {list(FORCE)}',
        f"[simulation]\nend = {END}\noutput_interval = {END / INSTANTS}\n{method}",
        f'[output]\nchannels = ["b{count}.tip.position.*"]\n',
    ])


def implicit(step, radius):
    return f'method = "generalized-alpha"\nstep = {step!r}\nspectral_radius = {radius!r}'


def adaptive(name, tolerance):
    return f'method = "{name}"\nrelative_tolerance = {tolerance!r}\nabsolute_tolerance = {1e-2 * tolerance!r}\nlargest_step = 0.01'


STEPS = [1e-2, 8e-3, 5e-3, 4e-3, 2.5e-3, 2e-3, 1.25e-3, 1e-3]
METHODS = {
    "Flexura": {
        **{f"generalised-α {1e3 * h:g} ms, ρ {r}": implicit(h, r) for h in STEPS for r in (0.8, 1.0)},
        **{f"dormand-prince {t:g}": adaptive("dormand-prince", t) for t in (1e-3, 1e-4, 1e-5)},
    },
    "Exudyn": {f"generalised-α {1e3 * h:g} ms, ρ {r}": (h, r) for h in STEPS for r in (0.8, 0.95)},
}
FINEST = {"Flexura": implicit(2.5e-5, 1.0), "Exudyn": (2.5e-4, 0.95)}
ERRORS = [1e-3, 3e-4, 1e-4]


class Flexura:
    """Runs of the program; their processor time less that of a run of 10 ms, which reads, builds and writes as well."""

    def __init__(self, program, folder, beam, count):
        self.program, self.folder, self.beam, self.count = program, folder, beam, count

    def run(self, method):
        path, out = self.folder / "beams.toml", self.folder / "beams.fxr"
        path.write_text(model(self.beam, self.count, method))
        _, first = child_seconds([self.program, "run", path, "-o", out, "--quiet", "--end", "0.01"])
        try:
            _, whole = child_seconds([self.program, "run", path, "-o", out, "--quiet"])
        except Missing:
            return None, []
        text = subprocess.run([self.program, "export", out], capture_output=True, text=True, check=True).stdout
        rows = [row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("#")][2:]
        return max(whole - first, 1e-6), [[float(x) for x in row[-3:]] for row in rows]


class Exudyn:
    def __init__(self, environment, beam, count):
        environment.install("Exudyn")
        self.peer, self.beam, self.count = Peer(environment, "exudyn_side.py"), beam, count

    def run(self, method):
        step, radius = method
        request = {"beam": self.beam, "count": self.count, "step": step, "radius": radius, "end": END, "instants": INSTANTS}
        answer = self.peer.ask(request)
        return answer["seconds"], answer["places"]


def distance(places, reference):
    if len(places) != len(reference) or not all(math.isfinite(x) for place in places for x in place):
        return math.inf
    return max(math.dist(a, b) for a, b in zip(places, reference))


def study(sides, rounds):
    """Errors and times of the methods of both sides, which take turns, and how far their references are apart. The first round runs every
    method; the others those that may be a side's quickest within an error."""
    references = {name: side.run(FINEST[name])[1] for name, side in sides.items()}
    for name, places in references.items():
        if len(places) != INSTANTS:
            raise Missing(f"{name}: its finest run did not reach its end")
    errors, times = {}, {}
    left = {name: list(METHODS[name]) for name in sides}
    for turn in range(rounds):
        for name, side in sides.items():
            for label in left[name]:
                seconds, places = side.run(METHODS[name][label])
                if seconds is not None:
                    errors[name, label] = distance(places, references[name])
                    times.setdefault((name, label), []).append(seconds)
        if turn == 0:
            left = {name: candidates(name, errors, times) for name in sides}
    return errors, times, distance(*references.values())


def within(name, limit, errors, times):
    """Methods of a side within an error, the quickest first."""
    good = [key for key in times if key[0] == name and errors[key] <= limit]
    return sorted(good, key=lambda key: statistics.median(times[key]))


def candidates(name, errors, times):
    """The two quickest of a side for every error."""
    return sorted({key[1] for limit in ERRORS for key in within(name, limit, errors, times)[:2]})


def rows(modes, found):
    """One row of the table per error: both sides at their quickest."""
    errors, times, _ = found
    # A method that one round alone has run stands in no row.
    times = {key: list_ for key, list_ in times.items() if len(list_) == max(map(len, times.values()))}
    for limit in ERRORS:
        own, other = (within(name, limit, errors, times)[:1] for name in ("Flexura", "Exudyn"))
        if not own or not other:
            reached = "Flexura" if own else "Exudyn" if other else "neither"
            yield f"| {modes} | {1e3 * limit:g} | reached by {reached} | | |"
            continue
        ratios = sorted(b / a for a, b in zip(times[own[0]], times[other[0]]))
        cells = [f"{1e3 * statistics.median(times[key]):.0f} ({key[1]})" for key in (own[0], other[0])]
        yield f"| {modes} | {1e3 * limit:g} | {cells[0]} | {cells[1]} | {statistics.median(ratios):.1f} ({ratios[0]:.1f}–{ratios[-1]:.1f}) |"


HEAD = "| modes | error (mm) | Flexura (ms for 2 s) | Exudyn (ms for 2 s) | Exudyn / Flexura |\n|--:|--:|---|---|--:|"
