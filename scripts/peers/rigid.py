"""Rigid forward dynamics: `flexura run` beside Pinocchio, MuJoCo and Drake on the same trees.

All take the same steps of the classical Runge-Kutta method (Drake its own of order three) from the same state, and what is compared is the
processor time of one evaluation: of a step over its stages. Flexura's side is the program itself: the processor time of a whole run less
that of a run of ten steps, rows and all. Accelerations at the start and hinge rates at the end are held against each other.
"""

import csv
import json
import pathlib
import resource
import statistics
import subprocess
from dataclasses import dataclass, field

import trees
from environment import Missing, Peer

STEP = 1e-5
FEW = 10
# Flexura is built for any x86-64; the second choice is what the processor could give Pinocchio beyond that.
FLAGS = [["-O3", "-march=x86-64"], ["-O3", "-march=native"]]
# How far results may be apart, as a share of the largest one: methods differ at the order of the step, and the mass matrix of a chain of n,
# which MuJoCo factorises, has a condition that grows as n⁴.
NEAR, ROUNDING = 1e-9, 2.2e-16


@dataclass
class Case:
    name: str
    bodies: list
    steps: int
    times: dict = field(default_factory=dict)  # name of a side: one time per round (µs)
    found: dict = field(default_factory=dict)  # name of a side: accelerations and speeds of the hinges
    alone: dict = field(default_factory=dict)  # name of a side: times of single algorithms, per round

    def hinges(self):
        return [k for k, body in enumerate(self.bodies) if body.axis is not None]


def cases(sizes, humanoid):
    """About as long for every size: a step costs so many bodies."""
    found = [Case(f"chain of {n}", trees.chain(n), max(200, 100_000 // n)) for n in sizes]
    if humanoid:
        bodies = trees.humanoid()
        found.append(Case(f"humanoid, {trees.speeds(bodies)} speeds", bodies, 3_000))
    return found


def child_seconds(words, **where):
    """Output and processor seconds of a command, all of its threads together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, capture_output=True, text=True, **where)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise Missing(f"{pathlib.Path(words[0]).name}: {(done.stderr.strip().splitlines() or ['failed'])[0]}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Flexura:
    name = "Flexura"

    def __init__(self, program, folder, evaluator):
        self.program, self.folder, self.evaluator = program, folder, evaluator

    def prepare(self, case):
        for steps, name in [(case.steps, "long"), (FEW, "few")]:
            (self.folder / f"{name}.toml").write_text(trees.flexura(case.bodies, STEP, steps))
        out, _ = self.call("accel", "few", "--json")
        joints = json.loads(out)["joints"]
        accelerations = [joints[f"j{k}"]["acceleration"][0] for k in case.hinges()]
        self.call("run", "long", "-o", self.folder / "long.fxr", "--quiet")
        case.found[self.name] = (accelerations, self.last_rates(case))

    def call(self, command, name, *words):
        return child_seconds([self.program, command, self.folder / f"{name}.toml", *words])

    def last_rates(self, case):
        words = [self.program, "export", self.folder / "long.fxr"]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        rows = [row for row in csv.reader(text.splitlines()) if row and not row[0].startswith("#")]
        last = dict(zip((name.split(" ")[0] for name in rows[0]), rows[-1]))
        return [float(last[f"j{k}.rate"]) for k in case.hinges()]

    def measure(self, case):
        _, few = self.call("run", "few", "-o", self.folder / "few.fxr", "--quiet")
        _, long = self.call("run", "long", "-o", self.folder / "long.fxr", "--quiet")
        if self.evaluator:
            out, _ = child_seconds([self.evaluator, self.folder / "few.toml", "0.2"])
            case.alone.setdefault(self.name, []).append(json.loads(out))
        return 1e6 * (long - few) / (4 * (case.steps - FEW))

    def close(self):
        pass


class Pinocchio:
    def __init__(self, environment, flags, name):
        self.name, self.folder = name, environment.folder
        self.program = environment.compile_pinocchio(flags)

    def prepare(self, case):
        (self.folder / "tree.txt").write_text(trees.table(case.bodies))
        free = sum(5 for body in case.bodies if body.axis is None)
        answer = self.run(case)
        places = [k + free for k in case.hinges()]
        case.found[self.name] = tuple([answer[key][place] for place in places] for key in ("accelerations", "speeds"))

    def run(self, case):
        words = [self.program, self.folder / "tree.txt", repr(STEP), str(case.steps), "0.05"]
        return json.loads(child_seconds(words)[0])

    def measure(self, case):
        answer = self.run(case)
        case.alone.setdefault(self.name, []).append(answer)
        return answer["run_us"]

    def close(self):
        pass


class Asked:
    """A side that answers from the scratch environment."""

    def __init__(self, environment, name, script, write, ending):
        environment.install(name)
        self.name, self.write = name, write
        self.path = environment.folder / f"{script}.{ending}"
        self.peer = Peer(environment, script)

    def prepare(self, case):
        self.path.write_text(self.write(case.bodies))
        answer = self.run(case)
        case.found[self.name] = (answer["accelerations"], answer["speeds"])

    def run(self, case):
        hinges = case.hinges()
        request = {"model": str(self.path), "step": STEP, "steps": case.steps, "hinges": [f"j{k}" for k in hinges]}
        request["angles"] = [case.bodies[k].angle for k in hinges]
        request["rates"] = [case.bodies[k].rate for k in hinges]
        return self.peer.ask(request)

    def measure(self, case):
        return self.run(case)["us"]

    def close(self):
        self.peer.close()


def evaluator(path, root):
    """The bench that repeats one evaluation: a path, or `cargo`, which builds it."""
    if path != "cargo":
        return path
    command = ["cargo", "bench", "-p", "flexura", "--bench", "peer_trees", "--no-run", "--message-format=json"]
    built = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if built.returncode:
        raise Missing("cargo could not build the bench peer_trees")
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    return [message["executable"] for message in messages if message.get("executable")][-1]


def sides(environment, flexura, there, native):
    """Flexura, and those of the peers that compute trees."""
    found = [flexura]
    if "Pinocchio" in there:
        found.append(Pinocchio(environment, FLAGS[0], "Pinocchio"))
    if "Pinocchio" in there and native:
        found.append(Pinocchio(environment, FLAGS[1], "Pinocchio native"))
    if "MuJoCo" in there:
        found.append(Asked(environment, "MuJoCo", "mujoco_side.py", trees.table, "txt"))
    if "Drake" in there:
        found.append(Asked(environment, "Drake", "drake_side.py", trees.urdf, "urdf"))
    return found


def apart(case, name):
    """Largest difference to Flexura's accelerations at the start and rates at the end, as shares of the largest."""
    found = []
    for own, other in zip(case.found["Flexura"], case.found[name]):
        size = max(map(abs, own))
        found.append(max(abs(a - b) for a, b in zip(own, other)) / size)
    return found


def near(case):
    return NEAR + ROUNDING * len(case.bodies) ** 4


def agrees(case, name):
    return max(apart(case, name)) <= near(case)


def measure(case, there, rounds):
    """Every side in turn, round after round; a side that differs is not timed."""
    for side in there:
        side.prepare(case)
    trusted = [side for side in there if side.name == "Flexura" or agrees(case, side.name)]
    for _ in range(rounds):
        for side in trusted:
            case.times.setdefault(side.name, []).append(side.measure(case))


def cell(values):
    """The median with three digits, large ones whole."""
    value = statistics.median(values)
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def spread(ratios):
    """Median and range."""
    found = sorted(ratios)
    return f"{statistics.median(found):.2f} ({found[0]:.2f}–{found[-1]:.2f})"


def ratio(case, name):
    """Flexura's time over that of another side."""
    return spread([a / b for a, b in zip(case.times["Flexura"], case.times[name])])


def table(done, there):
    others = [side.name for side in there[1:]]
    head = ["model", "Flexura (µs)", *(f"{name} (µs)" for name in others), *(f"Flexura / {name}" for name in others), "largest difference"]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    for case in done:
        times = [cell(case.times[name]) if name in case.times else "differs" for name in ("Flexura", *others)]
        ratios = [ratio(case, name) if name in case.times else "–" for name in others]
        worst = max((max(apart(case, name)) for name in others if name in case.found), default=0.0)
        lines.append("| " + " | ".join([case.name, *times, *ratios, f"{worst:.0e}"]) + " |")
    return "\n".join(lines)


def alone(done, name):
    """Single algorithms without a run around them, Pinocchio's and, where its bench is at hand, the engine's (µs)."""
    keys = [("aba_us", "evaluation_us", "accelerations"), ("derivatives_us", "derivatives_us", "derivatives")]
    head = [f"{name} {word}" for _, _, word in keys] + [f"Flexura {word}" for _, _, word in keys] + [f"ratio of {word}" for _, _, word in keys]
    lines = ["| alone (µs) | " + " | ".join(head) + " | derivatives apart |", "|---" + "|--:" * (len(head) + 1) + "|"]
    for case in done:
        theirs, ours = case.alone.get(name, []), case.alone.get("Flexura", [])
        cells = [cell([answer[key] for answer in theirs]) if theirs else "differs" for key, _, _ in keys]
        cells += [cell([answer[key] for answer in ours]) if ours else "not measured" for _, key, _ in keys]
        pairs = list(zip(ours, theirs))
        far = norms_apart(case, pairs)
        for other, own, word in keys:
            wrong = word == "derivatives" and far is not None and far > near(case)
            cells.append("differs" if wrong else spread([a[own] / b[other] for a, b in pairs]) if pairs else "–")
        lines.append(f"| {case.name} | " + " | ".join(cells) + f" | {'–' if far is None else f'{far:.0e}'} |")
    return "\n".join(lines)


def norms_apart(case, pairs):
    """Relative difference of the norms of both derivatives; none of a free body, for which the programs have other coordinates."""
    if not pairs or any(body.axis is None for body in case.bodies):
        return None
    own, other = (answer["derivative_norms"] for answer in pairs[0])
    return max(abs(a / b - 1) for a, b in zip(own, other))
