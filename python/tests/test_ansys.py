"""Archives of Ansys: the same bodies as through arrays, degenerate elements, units, refusals."""

from __future__ import annotations

import pathlib
import sys
from typing import Any, Sequence

import numpy as np
import pytest

import flexura
from hexahedra import Block, block


def archive(
    path: pathlib.Path,
    nodes: Any,
    elements: Sequence[tuple[int, Sequence[int]]],
    components: dict[str, Any],
    *,
    material: str = "",
    section: int = 1,
) -> pathlib.Path:
    """An archive as CDWRITE writes it: nodes from 11 on in steps of ten, elements of one material."""
    number = [10 * k + 11 for k in range(len(nodes))]
    lines = ["/PREP7"]
    kinds = sorted({kind for kind, _ in elements})
    lines += [f"ET,{index},{kind}" for index, kind in enumerate(kinds, 1)]
    lines += [f"NBLOCK,6,SOLID,{number[-1]:8d},{len(nodes):8d}", "(3i9,6e21.13e3)"]
    lines += [f"{number[k]:9d}{0:9d}{0:9d}" + "".join(f"{x:21.13E}" for x in place) for k, place in enumerate(np.asarray(nodes).tolist())]
    lines += ["N,R5.3,LOC,       -1,", f"EBLOCK,19,SOLID,{len(elements):8d},{len(elements):8d}", "(19i9)"]
    for index, (kind, own) in enumerate(elements, 1):
        head = [1, kinds.index(kind) + 1, 1, section, 0, 0, 0, 0, len(own), 0, index]
        fields = head + [number[node] for node in own]
        lines.append("".join(f"{field:9d}" for field in fields[:19]))
        if len(fields) > 19:
            lines.append("".join(f"{field:9d}" for field in fields[19:]))
    lines.append("       -1")
    for name, own in components.items():
        lines += [f"CMBLOCK,{name:8s},NODE,{len(own):8d}", "(8i10)"]
        for start in range(0, len(own), 8):
            lines.append("".join(f"{number[node]:10d}" for node in own[start : start + 8]))
    lines += material.splitlines() + ["/GO", "FINISH", ""]
    path.write_text("\n".join(lines), encoding="ascii")
    return path


def material(young: float, poisson: float, density: float) -> str:
    words = (("EX", young), ("NUXY", poisson), ("DENS", density))
    return "\n".join(f"MPTEMP,R5.0, 1, 1,  0.0    ,\nMPDATA,R5.0, 1,{label},       1, 1, {value:.9E},\nMPDATA,R5.0, 1,ALPX,1,1,1e-5," for label, value in words)


def stuff(part: Block) -> dict[str, float]:
    return {"young": part.young, "poisson": part.poisson, "density": part.density}


def same(first: flexura.ReducedBody, second: flexura.ReducedBody) -> None:
    assert np.allclose(first.frequencies, second.frequencies, rtol=1e-9)
    assert np.isclose(first.total_mass, second.total_mass, rtol=1e-10)


def test_hexahedra_are_the_body_of_their_arrays(tmp_path: pathlib.Path) -> None:
    part = block()
    parts = {"ROOT": part.left, "TIP": part.right}
    text = material(part.young, part.poisson, part.density)
    path = archive(tmp_path / "beam.cdb", part.nodes, [(185, row) for row in part.elements.tolist()], parts, material=text)
    keys = {"reference": "root", "modes": 4}
    found = flexura.import_ansys(path, {"root": "root", "tip": "TIP"}, **keys)
    known = flexura.reduce_mesh(
        (part.nodes, [("hexahedron", part.elements)]), {"root": part.left, "tip": part.right}, stuff(part), **keys
    )
    same(found, known)
    assert np.isclose(found.total_mass, part.total_mass, rtol=1e-10)
    # Nodes by the numbers of the archive.
    numbers = {"root": 10 * part.left + 11, "tip": {"nodes": 10 * part.right + 11, "connection": "rigid"}}
    same(flexura.import_ansys(path, numbers, **keys), known)
    # The same archive in millimetres and tonnes.
    text = material(part.young / 1e6, part.poisson, part.density / 1e12)
    small = archive(tmp_path / "mm.cdb", 1e3 * part.nodes, [(185, row) for row in part.elements.tolist()], parts, material=text)
    same(flexura.import_ansys(small, {"root": "ROOT", "tip": "TIP"}, units="mm-t-s", **keys), known)
    # Numbers given here take the place of those of the archive.
    heavy = flexura.import_ansys(path, {"root": "ROOT"}, materials={1: {**stuff(part), "density": 2 * part.density}}, modes=2)
    assert np.isclose(heavy.total_mass, 2 * part.total_mass)


MIDDLE = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]


def with_middle_nodes(part: Block) -> tuple[Any, list[list[int]]]:
    """Nodes and elements with twelve middle nodes each."""
    nodes, known, elements = part.nodes.tolist(), {}, []
    for row in part.elements.tolist():
        for a, b in MIDDLE:
            edge = tuple(sorted((row[a], row[b])))
            if edge not in known:
                known[edge] = len(nodes)
                nodes.append(((part.nodes[edge[0]] + part.nodes[edge[1]]) / 2).tolist())
        elements.append(row + [known[tuple(sorted((row[a], row[b])))] for a, b in MIDDLE])
    return np.array(nodes), elements


def test_twenty_nodes_bend_as_a_beam(tmp_path: pathlib.Path) -> None:
    """Against the formula of a slender clamped beam, and against the same elements as an Abaqus deck."""
    part = block((6, 1, 1), (1.0, 0.04, 0.06), poisson=0.0)
    nodes, elements = with_middle_nodes(part)
    left = np.flatnonzero(np.isclose(nodes[:, 0], 0.0))
    text = material(part.young, part.poisson, part.density)
    path = archive(tmp_path / "beam.cdb", nodes, [(186, row) for row in elements], {"ROOT": left}, material=text)
    found = flexura.import_ansys(path, {"root": "ROOT"}, method="clamped-free", modes=4)
    rate = 1.8751040687**2 * np.sqrt(part.young / part.density / 12) / (2 * np.pi)
    assert np.isclose(found.frequencies[0], 0.04 * rate, rtol=5e-3) and np.isclose(found.frequencies[1], 0.06 * rate, rtol=8e-3)
    deck = ["*NODE"] + [f"{k + 1}, {x!r}, {y!r}, {z!r}" for k, (x, y, z) in enumerate(nodes.tolist())]
    deck += ["*ELEMENT, TYPE=C3D20, ELSET=ALL"]
    for index, row in enumerate(elements, 1):
        fields = [index] + [node + 1 for node in row]
        deck += [", ".join(map(str, fields[:16])) + ",", ", ".join(map(str, fields[16:]))]
    deck += ["*NSET, NSET=ROOT"] + [f"{node + 1}," for node in left]
    deck += ["*MATERIAL, NAME=M", "*ELASTIC", f"{part.young!r}, {part.poisson!r}", "*DENSITY", repr(part.density)]
    deck += ["*SOLID SECTION, ELSET=ALL, MATERIAL=M", ""]
    (tmp_path / "beam.inp").write_text("\n".join(deck), encoding="ascii")
    part_file = 'mesh = "beam.inp"\n[[interface]]\nname = "root"\nset = "ROOT"\n[reduction]\nmethod = "clamped-free"\nmodes = 4\n'
    same(found, flexura.reduce(tmp_path / "part.toml", text=part_file))


def test_degenerate_elements_are_wedges_pyramids_and_tetrahedra(tmp_path: pathlib.Path) -> None:
    """A cube of each: the mass is that of its volume, whatever it is cut into."""
    cube = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]], dtype=float)
    wedges = [[0, 1, 2, 2, 4, 5, 6, 6], [0, 2, 3, 3, 4, 6, 7, 7]]
    pyramids = [[*face, 8, 8, 8, 8] for face in ([0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0])]
    tetrahedra = [[a, b, c, c, d, d, d, d] for a, b, c, d in ([0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6])]
    text = material(1e9, 0.3, 1000.0)
    for name, cells in (("wedge", wedges), ("pyramid", pyramids), ("tetra", tetrahedra)):
        nodes = np.vstack([cube, [[0.5, 0.5, 0.5]]]) if name == "pyramid" else cube
        path = archive(tmp_path / f"{name}.cdb", nodes, [(185, row) for row in cells], {"BASE": [0, 1, 2, 3]}, material=text)
        body = flexura.import_ansys(path, {"base": "BASE"}, method="clamped-free", modes=2)
        assert np.isclose(body.total_mass, 1000.0, rtol=1e-9), name
    # Twelve middle nodes of which some fall together: fifteen and ten nodes.
    def middle(corners: list[int], rows: list[list[float]]) -> list[int]:
        own = []
        for a, b in MIDDLE:
            if corners[a] == corners[b]:
                own.append(corners[a])
                continue
            place = ((cube[corners[a]] + cube[corners[b]]) / 2).tolist()
            if place not in rows:
                rows.append(place)
            own.append(rows.index(place))
        return own

    for name, cells in (("wedge15", wedges), ("tetra10", tetrahedra)):
        rows = cube.tolist()
        whole = [(186, corners + middle(corners, rows)) for corners in cells]
        path = archive(tmp_path / f"{name}.cdb", rows, whole, {"BASE": [0, 1, 2, 3]}, material=text)
        body = flexura.import_ansys(path, {"base": "BASE"}, method="clamped-free", modes=2)
        assert np.isclose(body.total_mass, 1000.0, rtol=1e-9), name


def test_shells_take_their_thickness(tmp_path: pathlib.Path) -> None:
    x, y = np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 0.2, 3), indexing="ij")
    nodes = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], 1)
    quads = [[3 * i + j, 3 * i + 3 + j, 3 * i + 4 + j, 3 * i + 1 + j] for i in range(8) for j in range(2)]
    # The last one as two triangles.
    a, b, c, d = quads.pop()
    cells = [(181, row) for row in quads] + [(181, [a, b, c, c]), (181, [a, c, d, d])]
    text = material(70e9, 0.33, 2700.0)
    path = archive(tmp_path / "plate.cdb", nodes, cells, {"ROOT": [0, 1, 2]}, material=text, section=3)
    with pytest.raises(ValueError, match=r"shells of section 3: .*`thickness=\{3: 0.002\}`"):
        flexura.import_ansys(path, {"root": "ROOT"})
    body = flexura.import_ansys(path, {"root": "ROOT"}, thickness={3: 0.004}, method="clamped-free", modes=2)
    assert np.isclose(body.total_mass, 2700.0 * 0.2 * 0.004, rtol=1e-9)
    # The older element has its thickness among the real constants, here number 1.
    older = [(63, row) for _, row in cells]
    path = archive(tmp_path / "older.cdb", nodes, older, {"ROOT": [0, 1, 2]}, material=text, section=3)
    with pytest.raises(ValueError, match="shells of section 1: "):
        flexura.import_ansys(path, {"root": "ROOT"}, thickness={3: 0.004})


def test_archives_of_the_package(tmp_path: pathlib.Path) -> None:
    """A file that Ansys 2019 R2 wrote, and one whose elements have dropped their middle nodes."""
    from mapdl_archive import Archive, examples

    def low_end(path: str, axis: int) -> list[int]:
        found = Archive(path, parse_vtk=False)
        used = {int(node) for row in found.elem for node in row[10:]}
        places = np.asarray(found.nodes)[:, axis]
        return [int(number) for number, place in zip(found.nnum, places) if abs(place) < 1e-9 and int(number) in used]

    beam = flexura.import_ansys(examples.hexarchivefile, {"root": low_end(examples.hexarchivefile, 2)}, method="clamped-free", modes=3)
    # 1 m × 1 m × 5 m of 2700 kg/m³, 70 GPa; a thick beam lies below Euler's formula, 32.9 Hz.
    assert np.isclose(beam.total_mass, 13500.0, rtol=1e-12)
    assert np.isclose(beam.frequencies[0], beam.frequencies[1], rtol=1e-6) and 31.5 < beam.frequencies[0] < 32.9
    steel = {number: {"young": 2e11, "poisson": 0.3, "density": 8000.0} for number in range(1, 4)}
    tetrahedra = flexura.import_ansys(
        examples.tetarchivefile, {"root": low_end(examples.tetarchivefile, 0)}, materials=steel, method="clamped-free", modes=2
    )
    assert np.isclose(tetrahedra.total_mass, 80000.0, rtol=1e-9)


def test_refusals_name_what_and_where(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = block((2, 1, 1))
    cells = [(185, row) for row in part.elements.tolist()]
    text = material(part.young, part.poisson, part.density)
    path = archive(tmp_path / "a.cdb", part.nodes, cells + [(21, [0]), (188, [0, 1])], {"ROOT": part.left}, material=text)
    with pytest.raises(ValueError, match="1 × element type 188; 1 × element type 21"):
        flexura.import_ansys(path, {"root": "ROOT"})
    path = archive(tmp_path / "b.cdb", part.nodes, cells, {"ROOT": part.left}, material=text + "\nMPDATA,R5.0, 1,EY,1,1,7e10,")
    with pytest.raises(ValueError, match=r"b.cdb:\d+: EY of material 1"):
        flexura.import_ansys(path, {"root": "ROOT"})
    path = archive(tmp_path / "c.cdb", part.nodes, cells, {"ROOT": part.left}, material=text.split("\n", 3)[3])
    with pytest.raises(ValueError, match="material 1 lacks one of EX"):
        flexura.import_ansys(path, {"root": "ROOT"})
    with pytest.raises(ValueError, match="no node component is called `tip`: there are ROOT"):
        flexura.import_ansys(path, {"tip": "tip"}, materials={1: stuff(part)})
    with pytest.raises(ValueError, match="no element has a node 5"):
        flexura.import_ansys(path, {"tip": [5]}, materials={1: stuff(part)})
    with pytest.raises(ValueError, match="known are SI and mm-t-s"):
        flexura.import_ansys(path, {}, units="inch")
    hot = text.replace("2.000000000E+09,", "2.0E+09, 1.0E+09,")
    path = archive(tmp_path / "d.cdb", part.nodes, cells, {"ROOT": part.left}, material=hot)
    with pytest.raises(ValueError, match="changes with temperature"):
        flexura.import_ansys(path, {"root": "ROOT"})
    later = text + "\nMPDATA,R5.0, 1,EX,1,2,1.0E+09,"
    path = archive(tmp_path / "e.cdb", part.nodes, cells, {"ROOT": part.left}, material=later)
    with pytest.raises(ValueError, match="changes with temperature"):
        flexura.import_ansys(path, {"root": "ROOT"})
    for line, words in (("CE,R5.0,DEFI, 2, 1, 0.0", "CE ties nodes together"), ("CP,1,UX,11,21", "CP ties"), ("TB,ANEL,1,1,21,0", "elasticity")):
        path = archive(tmp_path / "f.cdb", part.nodes, cells, {"ROOT": part.left}, material=text + "\n" + line)
        with pytest.raises(ValueError, match=rf"f.cdb:\d+: .*{words}"):
            flexura.import_ansys(path, {"root": "ROOT"})
    with pytest.raises(FileNotFoundError):
        flexura.import_ansys(tmp_path / "none.cdb", {})
    monkeypatch.setitem(sys.modules, "mapdl_archive", None)
    with pytest.raises(ImportError, match="pip install mapdl-archive"):
        flexura.import_ansys(path, {})
