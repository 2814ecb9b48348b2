#!/usr/bin/env python3
"""Binary files of Nastran as bodies: OUTPUT2 and OUTPUT4 through pyNastran, against the same matrices as arrays.

    scripts/nastran_binary.py

The matrices are those of a beam of hexahedra (python/tests/hexahedra.py), six freedoms per node as of the g-set. OUTPUT4 as text is
written by pyNastran; OUTPUT2, which it does not write, and binary OUTPUT4, which version 1.4.1 writes broken, by the functions below from
the layouts that its readers document.
pyNastran asks for NumPy 1, which the tests do not use: it is installed into target/compare-nastran. The extension must be built
(`maturin develop`).
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VENV = ROOT / "target/compare-nastran"


def write_op2(path: pathlib.Path, matrices: dict) -> None:
    """Real square matrices, double precision: columns as strings of rows, each number of words before its block."""
    out = bytearray()

    def marker(*values: int) -> None:
        for value in values:
            out.extend(struct.pack("<3i", 4, value, 4))

    def block(content: bytes) -> None:
        out.extend(struct.pack("<i", len(content)) + content + struct.pack("<i", len(content)))

    marker(3)
    block(struct.pack("<3i", 11, 18, 26))
    marker(7)
    block(b"NASTRAN FORT TAPE ID CODE - ")
    marker(2)
    block(b"XXXXXXXX")
    marker(-1, 0)
    for number, (name, matrix) in enumerate(matrices.items()):
        label = name.encode().ljust(8)
        columns = matrix.tocsc()
        marker(2)
        block(label)
        marker(-1, 7)
        block(struct.pack("<7i", 101 + number, matrix.shape[1], matrix.shape[0], 6, 2, int(columns.nnz), 0))
        marker(-2, 1, 0, 4)
        block(label + struct.pack("<2i", 170, 170))
        table = -3
        for column in range(matrix.shape[1]):
            marker(table, 1, 1)
            rows = columns.indices[columns.indptr[column] : columns.indptr[column + 1]]
            values = columns.data[columns.indptr[column] : columns.indptr[column + 1]]
            for row, value in sorted(zip(rows.tolist(), values.tolist())):
                marker(2)
                block(struct.pack("<i", row + 1) + struct.pack("<d", value))
            table -= 1
        marker(table, 1, 0, 0)
    marker(0)
    path.write_bytes(out)


def write_op4(path: pathlib.Path, matrices: dict) -> None:
    """Real square matrices, double precision, dense columns, as records of Fortran."""
    out = bytearray()

    def record(content: bytes) -> None:
        out.extend(struct.pack("<i", len(content)) + content + struct.pack("<i", len(content)))

    for name, matrix in matrices.items():
        table = matrix.toarray()
        size = len(table)
        record(struct.pack("<4i", size, size, 6, 2) + name.encode().ljust(8))
        for column in range(size):
            filled = table[:, column].nonzero()[0]
            if len(filled):
                first, last = int(filled[0]), int(filled[-1])
                values = table[first : last + 1, column].tolist()
                record(struct.pack(f"<3i{len(values)}d", column + 1, first + 1, 2 * len(values), *values))
        record(struct.pack("<3id", size + 1, 1, 2, 1.0))
    path.write_bytes(out)


def check(folder: pathlib.Path) -> None:
    """Every file gives the body of the arrays."""
    import numpy as np
    from pyNastran.op4.op4 import OP4
    from scipy import sparse

    import flexura
    from hexahedra import block

    part = block((6, 1, 1))
    count = len(part.nodes)
    # Three translations of six freedoms.
    spread = sparse.kron(sparse.eye(count), np.eye(6)[:, :3]).tocsr()
    matrices = {"KGG": (spread @ part.stiffness @ spread.T).tocsr(), "MGG": (spread @ part.mass @ spread.T).tocsr()}
    numbers = [7 * k + 3 for k in range(count)]
    interfaces = {"root": [numbers[k] for k in part.left], "tip": [numbers[k] for k in part.right]}
    known = flexura.reduce_matrices(
        part.mass, part.stiffness, part.nodes, {"root": part.left, "tip": part.right}, freedoms="123", reference="root", modes=4
    )
    grids = [f"GRID,{number},,{x!r},{y!r},{z!r}" for number, (x, y, z) in zip(numbers, part.nodes.tolist())]
    bulk = folder / "nodes.bdf"
    bulk.write_text("\n".join(["CEND", "BEGIN BULK", *grids, "ENDDATA", ""]), encoding="ascii")
    write_op2(folder / "part.op2", matrices)
    write_op4(folder / "binary.op4", matrices)
    OP4().write_op4(str(folder / "text.op4"), {key: (6, matrix.toarray()) for key, matrix in matrices.items()}, is_binary=False)
    for name in ("part.op2", "binary.op4", "text.op4"):
        found = flexura.import_nastran(folder / name, bulk, interfaces, reference="root", modes=4)
        worst = float(abs(found.frequencies / known.frequencies - 1).max())
        shift = abs(found.total_mass / known.total_mass - 1)
        print(f"{name:11s} {found.total_mass:.9f} kg (arrays {known.total_mass:.9f}), frequencies differ by {worst:.1e}")
        # The text has nine digits; the first frequency is 1e-4 of the largest.
        assert worst < (1e-4 if name == "text.op4" else 1e-9) and shift < 1e-7
    # A set of rows in another order, in millimetres and tonnes.
    rng = np.random.default_rng(1)
    rows = [(numbers[k], axis) for k in range(count) for axis in (1, 2, 3)]
    order = rng.permutation(len(rows))
    small = {"KAA": (part.stiffness * 1e-3)[order][:, order], "MAA": (part.mass * 1e-3)[order][:, order]}
    write_op2(folder / "small.op2", small)
    places = {number: 1e3 * place for number, place in zip(numbers, part.nodes)}
    found = flexura.import_nastran(
        folder / "small.op2", places, interfaces, stiffness="KAA", mass="MAA", rows=[rows[k] for k in order], units="mm-t-s",
        reference="root", modes=4,
    )  # fmt: skip
    worst = float(abs(found.frequencies / known.frequencies - 1).max())
    print(f"{'small.op2':11s} {found.total_mass:.9f} kg, frequencies differ by {worst:.1e}")
    assert worst < 1e-9 and abs(found.total_mass / known.total_mass - 1) < 1e-9
    for words, act in (
        ("has no matrix `KHH`: there are", lambda: flexura.import_nastran(folder / "part.op2", bulk, interfaces, stiffness="KHH")),
        ("say by `rows`", lambda: flexura.import_nastran(folder / "small.op2", places, interfaces, stiffness="KAA", mass="MAA")),
        ("no row belongs to node 1", lambda: flexura.import_nastran(folder / "part.op2", bulk, {"root": 1})),
    ):
        try:
            act()
        except ValueError as refusal:
            assert words in str(refusal), refusal
        else:
            raise AssertionError(f"not refused: {words}")


def main() -> None:
    python = VENV / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    if subprocess.run([python, "-c", "import pyNastran"], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pyNastran==1.4.1"], check=True)
    paths = [str(ROOT / "python"), str(ROOT / "python/tests")]
    subprocess.run([python, __file__, "--inside"], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})


if __name__ == "__main__":
    if "--inside" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            check(pathlib.Path(folder))
    else:
        main()
