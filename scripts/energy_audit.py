#!/usr/bin/env python3
"""Energy audit of all shipped models with the methods that take them, as a page of the book.

    scripts/energy_audit.py PATH/TO/flexura [--out book/src/energy_audit.md] [--only TEXT] [--limit SECONDS] [--column METHOD]

Every model of models/, the book's examples and the templates is run as it is and with other methods in place of its own.
A run that takes longer than the limit is cut to a tenth of its time, then a hundredth: the page says so. Where the audit
speaks up, the run is repeated with a quarter of the step (or a hundredth of the tolerances): an error that
falls has the step as its cause. `--column` computes one method again and leaves the other columns of the page as they are; models that the
page does not have yet wait for a whole run. Nothing here decides a number: `flexura run --json` does.
"""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
METHOD_KEYS = ("method", "formulation", "step", "tolerance", "spectral_radius", "alpha", "relative_tolerance",
               "absolute_tolerance", "initial_step", "largest_step", "algorithm", "leaf_bodies", "refinements")
# Fixed steps: a five-hundredth of the run, and at most this (s).
LONGEST_STEP = 2e-3


def methods(end):
    step = min(LONGEST_STEP, end / 500)
    return {
        "as written": None,
        "dormand-prince": {"method": "dormand-prince"},
        "radau": {"method": "radau"},
        "trapezoidal, tolerance": {"method": "trapezoidal", "step": step, "tolerance": 1e-5},
        "generalized-alpha": {"method": "generalized-alpha", "step": step},
        "energy-preserving": {"method": "energy-preserving", "step": step},
        "global": {"method": "trapezoidal", "formulation": "global", "step": step},
    }


def simulation_section(text):
    """Start and end of the keys of [simulation] in `text`."""
    head = re.search(r"^\[simulation\]\s*(#.*)?$", text, re.M)
    if not head:
        return None
    rest = re.search(r"^\[", text[head.end():], re.M)
    return head.end(), head.end() + rest.start() if rest else len(text)


def with_method(text, settings, finer):
    """`text` with another method, or a finer one of its own."""
    start, end = simulation_section(text)
    section = text[start:end]
    if settings is not None:
        keys = "|".join(METHOD_KEYS)
        section = re.sub(rf"^({keys})\s*=.*$", "", section, flags=re.M)
        lines = [f'{key} = {json.dumps(value)}' for key, value in settings.items()]
        section = "\n" + "\n".join(lines) + section
    if finer:
        def smaller(match):
            factor = 0.25 if match[1] == "step" else 0.01
            return f"{match[1]} = {float(match[2]) * factor!r}"
        section = re.sub(r"^(step|tolerance|relative_tolerance|absolute_tolerance)\s*=\s*([-+.\deE]+)", smaller, section,
                         flags=re.M)
        adaptive = settings is None and "method" not in section or "dormand" in section or "radau" in section
        if adaptive and "relative_tolerance" not in section:
            section = "\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12" + section
    return text[:start] + section + text[end:]


def run(binary, path, end, limit, folder):
    command = [binary, "run", str(path), "--json", "--end", repr(end), "-o", str(folder / "audit.fxr")]
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if found.returncode != 0:
        line = next((line for line in found.stderr.splitlines() if "error" in line), found.stderr[:200])
        return {"failed": line}
    return json.loads(found.stdout)["validity"]


def audit(binary, path, text, settings, end, limit, folder):
    """The audit of one run, cut where it takes too long: (validity, share of the time simulated)."""
    path.write_text(with_method(text, settings, False))
    for cut in (1, 10, 100):
        found = run(binary, path, end / cut, limit, folder)
        if found is not None:
            break
    else:
        return {"failed": "slower than the limit"}, 0, None
    finer = None
    if found.get("energy_warning"):
        path.write_text(with_method(text, settings, True))
        finer = run(binary, path, end / cut, 6 * limit, folder)
    return found, cut, finer


def verdict(found, cut, finer):
    """A cell of the table, and whether the audit spoke up without a cause that was found."""
    if "failed" in found:
        return "—", False
    cell = f"{found['energy_error_share']:.0e}" + (f" ({1 / cut:.0%})" if cut > 1 else "")
    if not found.get("energy_warning"):
        return cell, False
    if finer and "failed" not in finer and finer["energy_error_share"] < 0.5 * found["energy_error_share"]:
        return f"**{cell}** step: {finer['energy_error_share']:.0e}", False
    return f"**{cell}**", True


def models():
    folders = [ROOT / "models", ROOT / "book" / "examples", ROOT / "crates" / "flexura-cli" / "templates"]
    for folder in folders:
        for path in sorted(folder.rglob("*.toml")):
            text = path.read_text()
            if "parts" not in path.parts and simulation_section(text):
                yield path, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--out", type=Path, default=ROOT / "book" / "src" / "energy_audit.md")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=5.0)
    parser.add_argument("--column", choices=list(methods(1.0)))
    arguments = parser.parse_args()
    rows, suspects, names = [], [], list(methods(1.0))
    with tempfile.TemporaryDirectory() as place:
        # Models refer to parts beside them, so all of them are copied.
        copy = Path(place) / "tree"
        for folder in ("models", "book/examples", "crates/flexura-cli/templates"):
            shutil.copytree(ROOT / folder, copy / folder)
        for path, text in models():
            name = path.relative_to(ROOT)
            if arguments.only not in str(name):
                continue
            given = re.search(r"^end\s*=\s*([-+.\deE]+)", text, re.M)
            end, cells = float(given[1]) if given else 1.0, []
            target = copy / name
            known = known_cells(arguments.out, name) if arguments.column else None
            if arguments.column and known is None:
                continue
            for place_in_row, (label, settings) in enumerate(methods(end).items()):
                if known is not None and label != arguments.column:
                    cells.append(known[place_in_row])
                    continue
                found, cut, finer = audit(arguments.binary, target, text, settings, end, arguments.limit, Path(place))
                cell, suspect = verdict(found, cut, finer)
                cells.append(cell)
                if suspect:
                    suspects.append(f"{name}, {label}: {found['energy_warning']}")
                print(f"{name} | {label} | {cell} | {found.get('failed', '')}", file=sys.stderr, flush=True)
            target.write_text(text)
            rows.append(f"| `{name}` | " + " | ".join(cells) + " |")
    arguments.out.write_text(page(names, rows, suspects, arguments.column))
    return 1 if suspects else 0


def known_cells(page, name):
    """The cells of a model in a page that was written before."""
    start = f"| `{name}` | "
    line = next((line for line in page.read_text().splitlines() if line.startswith(start)), None)
    return line and line[len(start):].rstrip(" |").split(" | ")


def page(names, rows, suspects, column=None):
    head = "| model | " + " | ".join(names) + " |\n|" + "---|" * (len(names) + 1)
    found = "\n".join(f"- {line}" for line in suspects) or "None."
    later = f" The column `{column}` was computed again after the others, with limits of its own on time." if column else ""
    return f"""# Energy audit of the shipped models

Written by `scripts/energy_audit.py`. Each number is the energy that the integration created or lost, as a share of the
largest energy of the run; the limits by method are those of `--strict` ([running](running.md)). Bold: beyond the
limit of the method, with what is left at a quarter of the step (or a hundredth of the tolerance) where that is less than half:
then the step is the cause. A percentage in brackets: the run was cut to that part of its time. A dash: the method does not
take the model, the motion stops it, or it is too slow for the table. Fixed steps are a five-hundredth of the run, at
most 2 ms, whatever the model needs.{later}

{head}
{chr(10).join(rows)}

Beyond the limit without a cause that a smaller step shows:

{found}
"""


if __name__ == "__main__":
    sys.exit(main())
