"""Writes crates/flexura/tests/data/formulas.tsv: random formulas of model files with the values Python gives them.

    python3 scripts/formula_table.py > crates/flexura/tests/data/formulas.tsv

Each line has a formula and its value as a hexadecimal number. Both sides use the C library's functions, so the test asks for the
same bits where only + - * / and comparisons occur (`exact`), and for four units in the last place elsewhere (`close`).
"""

import math
import random

ONE = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "sqrt": math.sqrt, "exp": math.exp, "ln": math.log,
    "log10": math.log10, "abs": abs, "floor": math.floor, "ceil": math.ceil, "radians": math.radians,
    "degrees": math.degrees, "sign": lambda x: float((x > 0) - (x < 0)),
}
TWO = {"atan2": math.atan2, "hypot": math.hypot, "mod": lambda a, b: a % b,
       "min": min, "max": max}
VARIABLES = {"a": 0.375, "b": -2.5, "count": 7.0, "small": 1e-3}
EXACT = {"abs", "floor", "ceil", "min", "max", "sign", "mod"}


def number(rng):
    """A plain number as a file has it."""
    return rng.choice([str(rng.randint(0, 20)), repr(round(rng.uniform(0, 9), 3)), f"{rng.uniform(1, 9):.2e}", "pi"])


def formula(rng, depth):
    """(text for model files, text for Python, whether only exact operations occur)."""
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.4:
            name = rng.choice(list(VARIABLES))
            return name, name, True
        text = number(rng)
        return text, "math.pi" if text == "pi" else f"float({text})", True
    kind = rng.random()
    left, right = formula(rng, depth - 1), formula(rng, depth - 1)
    exact = left[2] and right[2]
    space = rng.choice(["", " "])
    if kind < 0.5:
        sign = rng.choice("+-*/")
        # Without brackets: precedence and order of evaluation are Python's.
        return f"{left[0]}{space}{sign}{space}{right[0]}", f"{left[1]} {sign} {right[1]}", exact
    if kind < 0.6:
        return f"({left[0]})", f"({left[1]})", left[2]
    if kind < 0.68:
        return f"-{left[0]}", f"-{left[1]}", left[2]
    if kind < 0.76:
        power = rng.choice(["2", "3", "-1", "0.5"])
        return f"({left[0]})^{power}", f"math.pow({left[1]}, {power})", False
    if kind < 0.82:
        sign = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return (f"if({left[0]} {sign} {right[0]}, {left[0]}, {right[0]})",
                f"({left[1]} if ({left[1]}) {sign} ({right[1]}) else {right[1]})", exact)
    if kind < 0.92:
        name = rng.choice(list(ONE))
        return f"{name}({left[0]})", f"ONE['{name}']({left[1]})", left[2] and name in EXACT
    name = rng.choice(list(TWO))
    return f"{name}({left[0]}, {right[0]})", f"TWO['{name}']({left[1]}, {right[1]})", exact and name in EXACT


def main():
    """400 formulas with finite real values."""
    rng = random.Random(28)
    print("# Formula, value as Python has it, whether the bits must agree; scripts/formula_table.py writes this file.")
    lines = 0
    while lines < 400:
        text, python, exact = formula(rng, rng.randint(1, 5))
        if len(text) > 160:
            continue
        try:
            value = eval(python, {"math": math, "ONE": ONE, "TWO": TWO, **VARIABLES})  # noqa: S307
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            continue
        if isinstance(value, complex) or not math.isfinite(value):
            continue
        print(f"{text}\t{float(value).hex()}\t{'exact' if exact else 'close'}")
        lines += 1


if __name__ == "__main__":
    main()
