"""Cards of decks that have no test beside the readers: what they say is what other cards or formulas say, and broken ones are refused by name.

Every deck goes through the command ``flexura deck``, as a user would look at it; frequencies are those of the free part.
"""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest

from flexura import _flexura

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 2, 0), (0, 2, 0), (0, 0, 3), (1, 0, 3), (1, 2, 3), (0, 2, 3)]
EDGES = [(1, 2), (2, 3), (3, 1), (1, 5), (2, 5), (3, 5)]
"""Of the tetrahedron 1, 2, 3, 5, as both programs count their middles."""
STEEL = "MAT1,1,2.+11,,.3,7800.\n"
MATERIAL = "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800\n"


class Deck:
    """Runs ``flexura deck`` on texts."""

    def __init__(self, folder: pathlib.Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capture = folder, capture

    def said(self, name: str, text: str, modes: int) -> tuple[int, dict]:
        file = self.folder / name
        file.write_text(text)
        self.capture.readouterr()
        status = _flexura.command(["flexura", "deck", str(file), "--modes", str(modes), "--json"])
        return status, json.loads(self.capture.readouterr().out)

    def sound(self, text: str, modes: int = 6) -> np.ndarray:
        """Mass and frequencies."""
        status, found = self.said("a.inp" if text.startswith("*") else "a.bdf", text, modes)
        assert status == 0, (text, found)
        rigid, elastic = np.split(np.array(found["frequencies"]), [6])
        assert (rigid < 1e-4 * elastic[0]).all(), found
        return np.array([found["mass"], *elastic])

    def refused(self, text: str) -> list[str]:
        status, found = self.said("a.inp" if text.startswith("*") else "a.bdf", text, 0)
        assert status == 3 and found["outcome"] == "refused", (text, found)
        return [f"{fault['line']} {fault['card']}: {fault['message']}" for fault in found["blockers"]]


@pytest.fixture
def deck(tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> Deck:
    return Deck(tmp_path, capfd)


def grids(points: list[tuple[float, float, float]]) -> str:
    return "".join(f"GRID,{i},,{x:.4f},{y:.4f},{z:.4f}\n" for i, (x, y, z) in enumerate(points, 1))


def nodes(points: list[tuple[float, float, float]]) -> str:
    return "*NODE, NSET=ALL\n" + "".join(f"{i},{x},{y},{z}\n" for i, (x, y, z) in enumerate(points, 1))


def middles(edges: list[tuple[int, int]], points: list[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    return [tuple((np.array(points[a - 1]) + points[b - 1]) / 2) for a, b in edges]


def same(found: np.ndarray, expected: np.ndarray, limit: float = 1e-9) -> None:
    assert len(found) > 2 and np.allclose(found, expected, rtol=limit), (found, expected)


def test_tetrahedra_and_pyramids(deck: Deck) -> None:
    points = CORNERS + middles(EDGES, CORNERS)
    for card, kind, numbers, volume in [
        ("CTETRA,1,1,1,2,3,5", ["C3D4"], "1,2,3,5", 1.0),
        ("CTETRA,1,1,1,2,3,5,9,10\n,11,12,13,14", ["C3D10", "C3D10M"], "1,2,3,5,9,10,11,12,13,14", 1.0),
        ("CPYRAM,1,1,1,2,3,4,5", ["C3D5"], "1,2,3,4,5", 2.0),
    ]:
        nastran = deck.sound(grids(points) + STEEL + f"PSOLID,1,1\n{card}\n")
        assert nastran[0] == pytest.approx(7800 * volume, rel=1e-12)
        for other in kind:
            text = f"*ELEMENT, TYPE={other}, ELSET=E\n1,{numbers}\n{MATERIAL}*SOLID SECTION, ELSET=E, MATERIAL=M\n"
            same(deck.sound(nodes(points) + text), nastran)


def plate(kind: str, numbers: str, extra: str = "") -> str:
    points = CORNERS[:4] + middles([(1, 2), (2, 3), (3, 4), (4, 1), (3, 1)], CORNERS)
    text = f"*ELEMENT, TYPE={kind}, ELSET=E\n{numbers}\n{MATERIAL}*SHELL SECTION, ELSET=E, MATERIAL=M\n0.02\n"
    return nodes(points) + text + extra


def test_shells_by_all_their_names(deck: Deck) -> None:
    """Reduced integration of others is no other element here; quadratic ones are split, with the same mass."""
    three, four = deck.sound(plate("S3", "1,1,2,3\n2,1,3,4")), deck.sound(plate("S4", "1,1,2,3,4"))
    assert three[0] == pytest.approx(7800 * 2 * 0.02, rel=1e-12) == four[0]
    for kind in ["S3R", "STRI3"]:
        same(deck.sound(plate(kind, "1,1,2,3\n2,1,3,4")), three)
    same(deck.sound(plate("S4R", "1,1,2,3,4")), four)
    six, eight = deck.sound(plate("S6", "1,1,2,3,5,6,9\n2,1,3,4,9,7,8")), deck.sound(plate("S8R", "1,1,2,3,4,5,6,7,8"))
    same(deck.sound(plate("STRI65", "1,1,2,3,5,6,9\n2,1,3,4,9,7,8")), six)
    assert six[0] == pytest.approx(four[0], rel=1e-12) and eight[0] == pytest.approx(four[0], rel=1e-12)
    points = CORNERS[:4] + middles([(1, 2), (2, 3), (3, 4), (4, 1), (3, 1)], CORNERS)
    head = grids(points) + STEEL + "PSHELL,1,1,.02,1\n"
    same(deck.sound(head + "CTRIA6,1,1,1,2,3,5,6,9\nCTRIA6,2,1,1,3,4,9,7,8\n"), six)
    same(deck.sound(head + "CQUAD8,1,1,1,2,3,4,5,6\n,7,8\n"), eight)


def test_bricks_by_all_their_names(deck: Deck) -> None:
    def brick(kind: str) -> str:
        return nodes(CORNERS) + f"*ELEMENT, TYPE={kind}, ELSET=E\n1,1,2,3,4,5,6,7,8\n{MATERIAL}*SOLID SECTION, ELSET=E, MATERIAL=M\n"

    same(deck.sound(brick("C3D8I")), deck.sound(brick("C3D8")))


LINE = [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (0.5, 0.0, 0.0), (0.75, 0.0, 0.0), (1.0, 0.0, 0.0)]
TWO = "1,1,2\n2,2,3\n3,3,4\n4,4,5"
"""Four beams of two nodes; of three nodes they are two."""


def beam(kind: str, elements: str, section: str, material: str = MATERIAL) -> str:
    return nodes(LINE) + f"*ELEMENT, TYPE={kind}, ELSET=E\n{elements}\n{material}{section}"


def test_beams_by_all_their_names_and_sections(deck: Deck) -> None:
    box = "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n0.02,0.03\n0,1,0\n"
    plain = deck.sound(beam("B31", TWO, box), 8)
    assert plain[0] == pytest.approx(7800 * 6e-4, rel=1e-12)
    for kind in ["B31R", "B31H", "B33"]:
        same(deck.sound(beam(kind, TWO, box), 8), plain)
    for kind in ["B32", "B32R"]:
        same(deck.sound(beam(kind, "1,1,2,3\n2,3,4,5", box), 8), plain)

    def bar(card: str) -> str:
        return grids(LINE) + STEEL + card + "".join(f"CBAR,{i},1,{i},{i + 1},0.,1.,0.\n" for i in range(1, 5))

    # A pipe of outer radius 0.02 and wall 0.004.
    pipe = deck.sound(beam("B31", TWO, "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=PIPE\n0.02,0.004\n0,1,0\n"), 8)
    assert pipe[0] == pytest.approx(7800 * np.pi * (0.02**2 - 0.016**2), rel=1e-12)
    same(deck.sound(bar("PBARL,1,1,,TUBE2\n,.02,.004\n"), 8), pipe)
    same(deck.sound(bar("PBARL,1,1,,TUBE\n,.02,.016\n"), 8), pipe)
    # Constants: about the first axis, (0, 1, 0), and about the second.
    constants = "*BEAM GENERAL SECTION, ELSET=E, SECTION=GENERAL, DENSITY=7800\n6e-4, 2e-8, 0, 4.5e-8, 3e-8\n0,1,0\n2e11, 8e10\n"
    general = deck.sound(beam("B31", TWO, constants, ""), 8)
    by_bar = bar("PBAR,1,1,6.-4,4.5-8,2.-8,3.-8\n,,,,,,,,\n,1.,1.\n").replace(STEEL, "MAT1,1,2.+11,8.+10,,7800.\n")
    turned = bar("PBAR,1,1,6.-4,2.-8,4.5-8,3.-8\n,,,,,,,,\n,1.,1.\n").replace(STEEL, "MAT1,1,2.+11,8.+10,,7800.\n")
    same(deck.sound(by_bar, 8), general)
    # A free beam does not tell its two planes apart: an arm across at its end does.
    arm = "*NODE\n6,1,0.4,0\n*ELEMENT, TYPE=MASS, ELSET=P\n9,6\n*MASS, ELSET=P\n2.\n*NSET, NSET=ARM\n6\n*RIGID BODY, NSET=ARM, REF NODE=5\n"
    levered = "GRID,6,,1.,.4,0.\nCONM2,9,6,,2.\nRBE2,8,5,123456,6\n"
    with_arm = deck.sound(beam("B31", TWO, constants, "") + arm, 8)
    same(deck.sound(by_bar + levered, 8), with_arm)
    assert np.abs(deck.sound(turned + levered, 8) / with_arm - 1).max() > 0.05


BLOCK = [(x - 0.5, y - 1.0, z - 1.5) for x, y, z in CORNERS]
MASS = 6.0
INERTIA = MASS / 12 * np.array([13.0, 10.0, 5.0])
"""Of the block about its middle."""


def block(rest: str) -> str:
    """A light block held rigid by node 9 in its middle, and node 10 there with 3 kg and moments of inertia."""
    solid = "MAT1,1,2.+5,,.3,1.\n" + "PSOLID,1,1\nCHEXA,1,1,1,2,3,4,5,6\n,7,8\nRBE2,7,9,123456,1,THRU,8\n"
    lump = "CONM2,12,10,,3.\n,.4,0.,.5,0.,0.,.6\n"
    return grids([*BLOCK, (0, 0, 0), (0, 0, 0)]) + solid + lump + rest


def test_bushings_and_springs_have_the_frequencies_of_two_bodies(deck: Deck) -> None:
    stiffness = np.array([1e4, 2e4, 3e4, 4e3, 5e3, 6e3])
    inverse = np.array([*[1 / MASS + 1 / 3] * 3, *(1 / INERTIA + 1 / np.array([0.4, 0.5, 0.6]))])
    expected = np.sort(np.sqrt(stiffness * inverse)) / (2 * np.pi)
    bushing = "PBUSH,5,K,1.+4,2.+4,3.+4,4.+3,5.+3,6.+3\nCBUSH,21,5,9,10,,,,0\n"
    same(deck.sound(block(bushing)), [MASS + 3, *expected], 1e-8)
    springs = "".join(f"PELAS,{k},{value:.1f}\nCELAS1,{30 + k},{k},9,{k},10,{k}\n" for k, value in enumerate(stiffness, 1))
    same(deck.sound(block(springs)), [MASS + 3, *expected], 1e-8)
    half = "".join(f"CELAS2,{30 + k},{value / 2:.1f},9,{k},10,{k}\n" for k, value in enumerate(stiffness, 1))
    both = bushing.replace("1.+4,2.+4,3.+4,4.+3,5.+3,6.+3", "5.+3,1.+4,1.5+4,2.+3,2.5+3,3.+3") + half
    same(deck.sound(block(both)), [MASS + 3, *expected], 1e-8)


def test_rigid_bars_are_rigid_links(deck: Deck) -> None:
    bushing = "PBUSH,5,K,1.+4,2.+4,3.+4,4.+3,5.+3,6.+3\nCBUSH,21,5,9,10,,,,0\n"
    arm = "GRID,11,,.3,.1,-.2\nCONM2,13,11,,2.\n"
    link = deck.sound(block(bushing + arm + "RBE2,8,10,123456,11\n"))
    same(deck.sound(block(bushing + arm + "RBAR,8,10,11,123456,,,123456\n")), link)
    same(deck.sound(block(bushing + arm + "RBAR,8,11,10,,123456\n")), link)
    loose = deck.sound(block(bushing + "CONM2,13,10,,2.\n"))
    assert np.abs(link / loose - 1).max() > 0.05


def test_rotary_inertia_is_that_of_a_lump(deck: Deck) -> None:
    """Principal moments and products of a point of a beam, as *ROTARY INERTIA orders them and as CONM2 does."""
    box = "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n0.02,0.03\n0,1,0\n"
    lump = "*ELEMENT, TYPE=MASS, ELSET=P\n9,5\n*MASS, ELSET=P\n2.\n*ELEMENT, TYPE=ROTARYI, ELSET=R\n10,5\n*ROTARY INERTIA, ELSET=R\n"
    base = beam("B31", TWO, box) + lump
    found = deck.sound(base + "0.03,0.04,0.05,0.002,0.004,-0.006\n", 8)
    cells = "".join(f"CBAR,{i},1,{i},{i + 1},0.,1.,0.\n" for i in range(1, 5))
    nastran = grids(LINE) + STEEL + "PBARL,1,1,,BAR\n,.03,.02\n" + cells
    # CONM2: the matrix has the products with a minus.
    same(deck.sound(nastran + "CONM2,9,5,,2.\n,.03,-.002,.04,-.004,.006,.05\n", 8), found)
    for other in ["0.03,0.04,0.05,0.004,0.002,-0.006", "0.03,0.05,0.04,0.002,0.004,-0.006", "0.03,0.04,0.05"]:
        assert np.abs(deck.sound(base + other + "\n", 8) / found - 1).max() > 1e-4, other


BROKEN = [
    (block("PBUSH,5,K,1.+4\nCBUSH,21,5,9,10\n"), "CBUSH: a bushing in other than basic axes"),
    (block("PBUSH,5,K,1.+4\nCBUSH,21,6,9,10,,,,0\n"), "CBUSH: there is no property 6"),
    (block("PBUSH,5,X,1.+4\nCBUSH,21,5,9,10,,,,0\n"), "PBUSH: `X` is not supported here"),
    (block("PELAS,5,1.+4\nCELAS1,21,6,9,1,10,1\n"), "CELAS1: there is no property 6"),
    (block("PELAS,5,1.+4\nCELAS1,21,5,9,1,10,2\n"), "CELAS1: a spring between different freedoms"),
    (block("PELAS,5,1.+4\nCELAS1,21,5,9,7,10,7\n"), "CELAS1: the freedom (field 5) is `7`"),
    (block("RBAR,8,9,10,123,456\n"), "RBAR: one end must have all six freedoms independent"),
    (block("RBAR,8,9,9,123456,,,123456\n"), "RBAR: grid point 9 follows itself"),
    (block("CPYRAM,8,1,1,2,3,4,5,6\n"), "CPYRAM: a solid with 6 grid points"),
    (block("CTETRA,8,1,1,2,3\n"), "CTETRA: a solid with 3 grid points"),
    (block("PSHELL,3,1,.1,1\nCTRIA6,8,3,1,2,3,4,5,99\n"), "CTRIA6: node 99 does not exist"),
    (plate("S3R", "1,1,2"), "*ELEMENT: element 1 of type S3R has 2 nodes instead of 3"),
    (plate("STRI65", "1,1,2,3,5,6,6"), "*ELEMENT: element 1 names a node twice"),
    (plate("S4R", "1,1,2,3,4", "*ELEMENT, TYPE=ROTARYI, ELSET=R\n10,4\n"), "*ELEMENT: element 10 has no value"),
    (plate("S4R", "1,1,2,3,4", "*ROTARY INERTIA, ELSET=E\n1.,1.,1.\n"), "*ROTARY INERTIA: element 1 is of another type"),
    (beam("B31", TWO, "*BEAM GENERAL SECTION, ELSET=E, DENSITY=1.\n1.,1.,.5,1.,1.\n0,1,0\n1.,.4\n"), "a product of inertia is not supported"),
    (beam("B31", TWO, "*BEAM GENERAL SECTION, ELSET=E\n1.,1.,0.,1.,1.\n0,1,0\n1.,.4\n"), "*BEAM GENERAL SECTION: the density is missing"),
    (beam("B31", TWO, "*BEAM GENERAL SECTION, ELSET=E, SECTION=MESHED, DENSITY=1.\n1.\n"), "only SECTION=GENERAL is supported here"),
    (beam("B32", "1,1,2", "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=CIRC\n.01\n0,1,0\n"), "element 1 of type B32 has 2 nodes instead of 3"),
]


@pytest.mark.parametrize(("text", "words"), BROKEN, ids=[words for _, words in BROKEN])
def test_broken_cards_are_refused_by_name(deck: Deck, text: str, words: str) -> None:
    told = deck.refused(text)
    assert any(words in line for line in told), told
