#!/usr/bin/env python3
"""Imports every finite element deck of a folder and tells what became of it.

Usage: scripts/import_survey.py FOLDER [--program PATH] [--density D] [--frequencies] [--json FILE] [--only NAME ...]

FOLDER holds decks of Abaqus, CalculiX or Nastran (.inp, .bdf, .dat, .nas, .fem; also with .gz behind). Each is handed to
`flexura deck` unedited; where materials have no density, a second time with --density (default 1, in the deck's units).
Prints one line per deck, what stood in the way by count, and a table of outcomes for bodies in space on their own: decks
with solids, shells, beams, rods or springs that have an elasticity. With --frequencies and the program `ccx` (Debian
package calculix-ccx) the first ten elastic frequencies of the free part are computed by both, side by side: the deck's
model without its supports, contact and steps.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

ENDINGS = {".inp", ".bdf", ".dat", ".nas", ".fem", ".blk", ".bulk"}
STRUCTURAL = re.compile(r"^(C3D\d|S[34689]|STRI|SC\d|B3\d|T3D|SPRING|MASS|DCOUP|DASHPOT|GAPUNI|CHEXA|CTETRA|CPENTA|CPYRA|CQUAD|"
                        r"CTRIA|CBAR|CBEAM|CROD|CONROD|CELAS|CBUSH|RBE)", re.I)
FLAT = re.compile(r"^(CPS|CPE|CAX|CGAX|SAX|MAX)", re.I)
# What a free vibration of the model itself has no use for.
LEFT_OUT = {"BOUNDARY", "CONTACT PAIR", "AMPLITUDE", "INITIAL CONDITIONS", "RESTART", "TIME POINTS", "CYCLIC SYMMETRY MODEL",
            "CONTACT DAMPING", "PRE-TENSION SECTION", "SUBMODEL", "DESIGNVARIABLES", "CLOAD", "DLOAD", "DASHPOT", "GAP",
            "HEADING", "VALUES AT INFINITY", "PLASTIC", "CREEP", "CYCLIC HARDENING"}


def decks(folder):
    for path in sorted(folder.rglob("*")):
        name = path.name[:-3] if path.name.endswith(".gz") else path.name
        if pathlib.Path(name).suffix.lower() in ENDINGS and not name.lower().endswith(".dat.ref"):
            yield path, name


def text_of(path):
    data = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    return data.decode("utf-8", errors="replace")


def keyword(line):
    return " ".join(line.strip()[1:].split(",")[0].upper().split())


def kind_of(text, name):
    """What a deck describes: `space`, `flat`, or `other` (fluids, heat, networks); and whether a density is given."""
    if not name.lower().endswith(".inp"):
        words = {line[:8].split(",")[0].strip().rstrip("*").upper() for line in text.splitlines()}
        kind = "space" if any(STRUCTURAL.match(word) for word in words) else "other"
        return kind, True
    stars = [line for line in text.splitlines() if line.startswith("*") and not line.startswith("**")]
    types = {m.group(1).upper() for line in stars if keyword(line) == "ELEMENT" for m in [re.search(r"TYPE\s*=\s*(\w+)", line, re.I)] if m}
    words = {keyword(line) for line in stars}
    steps = words & {"STATIC", "DYNAMIC", "FREQUENCY", "BUCKLE", "MODAL DYNAMIC", "STEADY STATE DYNAMICS", "VISCO", "COMPLEX FREQUENCY",
                     "COUPLED TEMPERATURE-DISPLACEMENT", "GREEN", "SUBSTRUCTURE GENERATE", "SENSITIVITY", "CRACK PROPAGATION"}
    elastic = words & {"ELASTIC", "HYPERELASTIC", "HYPERFOAM", "USER MATERIAL", "SPRING"}
    if not elastic or not steps:
        return "other", "DENSITY" in words
    if any(FLAT.match(word) for word in types):
        return "flat", "DENSITY" in words
    return ("space" if any(STRUCTURAL.match(word) for word in types) else "other"), "DENSITY" in words


def ask(program, path, density, modes):
    command = [program, "deck", str(path), "--json", "--modes", str(modes)]
    if density is not None:
        command += ["--density", str(density)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return {"outcome": "too slow", "blockers": []}
    try:
        return json.loads(done.stdout)
    except ValueError:
        words = (done.stderr or done.stdout).strip().splitlines()
        message = words[-1] if words else f"exit {done.returncode}"
        return {"outcome": "refused", "blockers": [{"line": 0, "card": "", "message": message.split(": ", 2)[-1], "help": ""}]}


def by_ccx(text, density, pieces):
    """Frequencies of the deck's model, free, as CalculiX has them; None where it does not."""
    out, skip, in_step = [], False, False
    materials = re.split(r"(?im)^(?=\*material)", text)
    text = "".join(part if not re.match(r"(?i)\*material", part) or re.search(r"(?im)^\*density", part) or density is None
                   else re.sub(r"(?im)^(\*elastic)", f"*DENSITY\n{density}\n\\1", part, count=1) for part in materials)
    for line in text.splitlines():
        star = line.lstrip().startswith("*") and not line.lstrip().startswith("**")
        if star:
            word = keyword(line)
            in_step = in_step and word != "END STEP"
            skip = word in LEFT_OUT or word == "END STEP" or (word == "TIE" and re.search(r"CYCLIC|MULTISTAGE", line, re.I))
            in_step = in_step or word == "STEP"
        if not (skip or in_step):
            out.append(line)
    out += ["*STEP", "*FREQUENCY", str(10 + 6 * max(1, pieces)), "*END STEP", ""]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "free.inp").write_text("\n".join(out))
        try:
            subprocess.run(["ccx", "-i", "free"], cwd=folder, capture_output=True, timeout=120)
        except subprocess.TimeoutExpired:
            return None
        result = pathlib.Path(folder) / "free.dat"
        if not result.exists():
            return None
        # Participation factors and effective masses follow in rows of the same look.
        eigenvalues = result.read_text().split("P A R T I C I P A T I O N")[0]
        rows = re.findall(r"^\s+\d+\s+(-?[\d.]+E[+-]\d+)\s+[-\d.E+]+\s+([-\d.E+]+)", eigenvalues, re.M)
        # Frequencies in cycles; the eigenvalues of rigid motions may be negative.
        return [float(frequency) if float(value) > 0 else 0.0 for value, frequency in rows] or None


def elastic(frequencies, pieces=1, count=10):
    """The frequencies behind the rigid motions: those that are not far below the tenth behind six of each piece. Neither list need be
    in order, and a last one may be far off: iterations of a few vectors end with it."""
    if not frequencies:
        return []
    ordered = sorted(frequencies)
    limit = 1e-4 * ordered[min(len(ordered), 6 * max(1, pieces) + count) - 1]
    return [value for value in ordered if value > limit][:count]


def study(path, name, arguments):
    text = text_of(path)
    kind, dense = kind_of(text, name)
    modes = 10 if arguments.frequencies and kind == "space" else 0
    with tempfile.TemporaryDirectory() as folder:
        file = path
        if path.suffix == ".gz":
            file = pathlib.Path(folder) / name
            file.write_text(text)
        answer, density = ask(arguments.program, file, None, modes), None
        lacks = [b for b in answer.get("blockers", []) if "has no density" in b["message"] or "has no DENSITY" in b["message"]]
        if answer["outcome"] == "refused" and lacks:
            density = arguments.density
            answer = ask(arguments.program, file, density, modes)
    row = {"deck": name, "kind": kind, "given density": density, **answer}
    if modes and answer["outcome"] == "imported" and name.lower().endswith(".inp") and shutil.which("ccx"):
        other = by_ccx(text, density, answer.get("pieces", 1))
        ours, theirs = (elastic(found, answer.get("pieces", 1)) for found in (answer.get("frequencies"), other))
        pairs = list(zip(ours, theirs))
        row["ccx"] = theirs
        if pairs:
            row["worst"] = max(abs(a / b - 1) for a, b in pairs)
            row["first"] = pairs[0][0] / pairs[0][1] - 1
    return row


def outcome(row):
    if row["outcome"] != "imported":
        return row["outcome"]
    return "imported" + (" (density given)" if row["given density"] is not None else "") + (", no solution" if row.get("fault") else "")


def generic(message):
    """A message without the names and numbers of its deck."""
    return re.sub(r"\d[\d.eE+-]*", "#", re.sub(r"(set|material|surface|element|orientation) \S+", r"\1 _", message))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default=shutil.which("flexura") or "target/release/flexura")
    parser.add_argument("--density", type=float, default=1.0)
    parser.add_argument("--frequencies", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--quiet", action="store_true", help="no line per deck")
    arguments = parser.parse_args()
    todo = [(p, n) for p, n in decks(arguments.folder) if not arguments.only or any(word in n for word in arguments.only)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda pair: study(*pair, arguments), todo))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    for row in [] if arguments.quiet else rows:
        first = "; ".join(f"{b['line']} {b['card']}: {b['message']}"[:110] for b in row.get("blockers", [])[:3]) or row.get("fault") or ""
        spread = f"  worst {row['worst']:.1e}" if "worst" in row else ""
        print(f"{row['deck']:28} {row['kind']:6} {outcome(row):28}{spread} {first}")
    print()
    for kind, words in [("space", "bodies in space"), ("flat", "plane or axisymmetric"), ("other", "no structure")]:
        of_kind = [row for row in rows if row["kind"] == kind]
        print(f"{len(of_kind):4} {words}")
        for name, count in collections.Counter(map(outcome, of_kind)).most_common():
            print(f"       {count:4} {name}")
    space = [row for row in rows if row["kind"] == "space"]
    taken = sum(row["outcome"] == "imported" for row in space)
    if space:
        print(f"\n{taken} of {len(space)} bodies in space import: {100 * taken / len(space):.1f} %")
    print("\nwhat stands in the way of bodies in space (decks, alone):")
    reasons, alone = collections.Counter(), collections.Counter()
    for row in space:
        own = {(b["card"], generic(b["message"])) for b in row.get("blockers", [])}
        reasons.update(own)
        if len(own) == 1:
            alone.update(own)
    for reason, count in reasons.most_common(40):
        print(f"  {count:4} {alone[reason]:4}  {reason[0]}: {reason[1][:150]}")
    compared = sorted((row["worst"], row["deck"]) for row in rows if "worst" in row)
    if compared:
        middle = compared[len(compared) // 2][0]
        print(f"\nfrequencies beside CalculiX: {len(compared)} decks, middle of the worst of ten {middle:.1e}")
        for limit in [1e-4, 1e-3, 1e-2, 1e-1]:
            print(f"  {sum(worst < limit for worst, _ in compared):4} within {limit:g}")
        for worst, name in compared[-25:]:
            print(f"  {name:28} {worst:.2e}")


if __name__ == "__main__":
    main()
