#!/usr/bin/env python3
"""Six models by FMPy's CVode beside runs of ours: the table of book/src/exchange/fmi.md.

    scripts/fmi_whole_runs.py                        # all, FMI 3.0
    scripts/fmi_whole_runs.py vehicle --version 2    # one of them
    scripts/fmi_whole_runs.py implicit --end 5       # where CVode ends, in its own words

Prints the largest difference (of what each channel comes to, of one at least), its channel and instant, and the seconds both sides took. Both have a
relative tolerance of 1e-12. Models and spans are those of python/tests/test_fmi.py. Program, library and extension must be
built (`cargo build`, `maturin develop`).
"""

import argparse
import pathlib
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python/tests")]
    import flexura
    from test_fmi import WHOLE, by_cvode

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(WHOLE)}")
    parser.add_argument("--version", default="3", choices=("2", "3"))
    parser.add_argument("--end", type=float, help="another end (s)")
    given = parser.parse_args()
    for kind in given.models:
        if kind not in WHOLE:
            parser.error(f"no model is called {kind}: there are {', '.join(WHOLE)}")
    warnings.simplefilter("ignore", flexura.ModelWarning)
    faults = 0
    for kind in given.models or WHOLE:
        end, rows = WHOLE[kind]
        if given.end:
            end, rows = given.end, max(1, round(rows * given.end / end))
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            try:
                [(off, channel, instant)] = by_cvode(pathlib.Path(folder), kind, given.version, end, rows)
            except Exception as error:  # FMPy hands CVode's words over as plain exceptions
                print(f"{kind:10s} {end:g} s: {error}", flush=True)
                faults += 1
                continue
        seconds = time.perf_counter() - begun
        print(f"{kind:10s} {end:g} s: {off:.1e} ({channel} at {instant:.3f} s), {seconds:.1f} s", flush=True)
        faults += off > 1e-8
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
