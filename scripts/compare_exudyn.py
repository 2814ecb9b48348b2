#!/usr/bin/env python3
"""The flexible double four-bar: Flexura beside Exudyn, in one run, at equal error.

Five steel bars of 1 m and 1 kg, two loops, upright, 1 rad/s clockwise, gravity, no damping; 2 s. Exudyn's fastest
route that was found is planar cable elements (ANCF, 1, 2 or 4 per bar) with its generalised-alpha method, modified
Newton, sparse matrices; Flexura has the topological formulation with 2 to 4 modal amplitudes per bar and the same
method. Both run with one thread and several steps. The error is the largest distance of the tip of the first bar
from a fine reference at 0.5, 1, 1.5 and 2 s; the reference is Flexura with steps of 0.1 ms, and Exudyn's finest run
is printed beside it. Of each side the quickest run within the error counts; the sides take turns, seven rounds.

Usage: scripts/compare_exudyn.py [--rounds N] [--bench PATH] [--python PATH]
Exudyn is installed into target/compare-exudyn, unless --python names an interpreter that has it; without it the script says so and prints no
ratio. The bench is built by cargo unless --bench names it.
"""

import json
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, "target", "compare-exudyn")
END = 2.0
STEPS = [0.01, 0.005, 0.002, 0.001]
ERRORS = [3e-3, 1e-3, 3e-4]


def option(name, default):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def venv_python():
    python = os.path.join(VENV, "bin", "python")
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    probe = subprocess.run([python, "-c", "import exudyn"], capture_output=True)
    if probe.returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "exudyn"], check=False)
        probe = subprocess.run([python, "-c", "import exudyn"], capture_output=True)
    return python if probe.returncode == 0 else None


def flexura_binary():
    command = ["cargo", "bench", "-p", "flexura", "--bench", "peer_four_bar", "--no-run", "--message-format=json"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    return [m["executable"] for m in messages if m.get("executable")][-1]


def peer_side():
    """Runs inside the virtual environment: one JSON list of (elements, radius, step) per line in, results out."""
    import time
    import warnings

    warnings.simplefilter("ignore")
    import exudyn as exu
    from exudyn.utilities import (
        Cable2D,
        Gravity,
        MarkerBodyMass,
        MarkerBodyPosition,
        MarkerNodePosition,
        ObjectGround,
        Point2DS1,
        RevoluteJoint2D,
        SensorNode,
    )

    def solve(elements, radius, step):
        mbs = exu.SystemContainer().AddSystem()
        ground = mbs.AddObject(ObjectGround())
        area = 1.0 / 7850.0

        def bar(root, along, start, end):
            nodes = []
            for i in range(elements + 1):
                s = i / elements
                place = [root[k] + along[k] * s for k in range(2)] + along
                turn = [end[k] - start[k] for k in range(2)]
                speed = [start[k] + turn[k] * s for k in range(2)] + turn
                nodes.append(mbs.AddNode(Point2DS1(referenceCoordinates=place, initialVelocities=speed)))
            for i in range(elements):
                element = mbs.AddObject(
                    Cable2D(
                        physicsLength=1.0 / elements,
                        physicsMassPerLength=1.0,
                        physicsBendingStiffness=2.1e11 * 1.291371e-9,
                        physicsAxialStiffness=2.1e11 * area,
                        nodeNumbers=[nodes[i], nodes[i + 1]],
                    )
                )
                mass = mbs.AddMarker(MarkerBodyMass(bodyNumber=element))
                mbs.AddLoad(Gravity(markerNumber=mass, loadVector=[0, -9.81, 0]))
            ends = [mbs.AddMarker(MarkerNodePosition(nodeNumber=n)) for n in (nodes[0], nodes[-1])]
            return ends, nodes[-1]

        links = [bar([float(i), 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]) for i in range(3)]
        couplers = [bar([float(i), 1.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]) for i in range(2)]
        for i in range(3):
            base = mbs.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=[i, 0, 0]))
            mbs.AddObject(RevoluteJoint2D(markerNumbers=[base, links[i][0][0]]))
        for i in range(2):
            mbs.AddObject(RevoluteJoint2D(markerNumbers=[links[i][0][1], couplers[i][0][0]]))
            mbs.AddObject(RevoluteJoint2D(markerNumbers=[couplers[i][0][1], links[i + 1][0][1]]))
        sensor = mbs.AddSensor(
            SensorNode(
                nodeNumber=links[0][1], storeInternal=True, outputVariableType=exu.OutputVariableType.Position
            )
        )
        mbs.Assemble()
        settings = exu.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(END / step)
        settings.timeIntegration.endTime = END
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.newton.relativeTolerance = 1e-6
        settings.timeIntegration.generalizedAlpha.spectralRadius = radius
        settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 0.5
        settings.linearSolverType = exu.LinearSolverType.EigenSparse
        settings.parallel.numberOfThreads = 1
        began = time.process_time()
        try:
            mbs.SolveDynamic(settings)
        except Exception:
            return {"seconds": None}
        seconds = time.process_time() - began
        rows = mbs.GetSensorStoredData(sensor)
        places = [[float(row[1]), float(row[2])] for row in rows if row[0] > 0.25]
        return {"seconds": seconds, "places": places}

    for line in sys.stdin:
        result = solve(*json.loads(line))
        print("result " + json.dumps(result), flush=True)


class Peer:
    def __init__(self, python):
        command = [python, os.path.abspath(__file__), "--peer"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, elements, radius, step):
        self.process.stdin.write(json.dumps([elements, radius, step]) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("result "):
                return json.loads(line[7:])
        raise RuntimeError("Exudyn stopped")


def flexura_run(binary, amplitudes, radius, step):
    words = [binary, str(step), str(amplitudes), str(radius), str(END)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


def distance(result, reference):
    if result["seconds"] is None or len(result["places"]) != len(reference):
        return float("inf")
    pairs = zip(result["places"], reference)
    return max(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in pairs)


def main():
    rounds = int(option("--rounds", 7))
    python = option("--python", None) or venv_python()
    if python is None:
        print("peer not installed")
        return
    binary, peer = option("--bench", None) or flexura_binary(), Peer(python)
    reference = flexura_run(binary, 4, 1.0, 1e-4)["places"]
    finest = peer.run(4, 0.9, 2.5e-4)
    print(f"reference: Flexura, 4 amplitudes, h = 0.1 ms; Exudyn, 4 elements, h = 0.25 ms: {distance(finest, reference):.1e} m away")
    sides = {
        "Flexura": [(a, r, h) for a in (2, 3, 4) for r in (1.0, 0.9) for h in STEPS],
        "Exudyn": [(e, r, h) for e in (1, 2, 4) for r in (0.9, 0.95) for h in STEPS],
    }
    call = {"Flexura": lambda *case: flexura_run(binary, *case), "Exudyn": peer.run}
    errors, times = {}, {}
    for number in range(rounds):
        for name, cases in sides.items():
            for case in cases:
                result = call[name](*case)
                errors[name, case] = distance(result, reference)
                if result["seconds"] is not None:
                    times.setdefault((name, case), []).append(result["seconds"])
    print("side     amplitudes/elements  radius  h (ms)  error (m)  ms for 2 s  x real time")
    for (name, case), list_ in times.items():
        median = statistics.median(list_)
        print(f"{name:8} {case[0]:19} {case[1]:7} {1e3 * case[2]:7.1f} {errors[name, case]:10.1e} {1e3 * median:11.2f} {END / median:12.0f}")
    for limit in ERRORS:
        best = {}
        for name, cases in sides.items():
            good = [c for c in cases if errors[name, c] <= limit and (name, c) in times]
            if good:
                best[name] = min(good, key=lambda c: statistics.median(times[name, c]))
        if len(best) < 2:
            print(f"error {limit:.0e} m: reached by {', '.join(best) or 'neither'} only, no ratio")
            continue
        pairs = zip(times["Exudyn", best["Exudyn"]], times["Flexura", best["Flexura"]])
        ratios = sorted(a / b for a, b in pairs)
        own, other = (1e3 * statistics.median(times[n, best[n]]) for n in ("Flexura", "Exudyn"))
        print(
            f"error {limit:.0e} m: Flexura {best['Flexura']} {own:.2f} ms, Exudyn {best['Exudyn']} {other:.2f} ms, "
            f"ratio {statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})"
        )


if __name__ == "__main__":
    peer_side() if "--peer" in sys.argv else main()
