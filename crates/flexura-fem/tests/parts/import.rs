//! Decks of other programs: one model in three formats is one mesh, and what cannot be
//! read is explained with file, line and card.

use flexura_fem::import::{ImportError, Imported, abaqus, gmsh, nastran};
use flexura_fem::part::description::Group;
use flexura_fem::{Element, MassModel, Material, Mesh, Section};
use std::fmt::Write;

/// A plate of 2 x 2 cells with a bar, a block, a lump and a rigid and a mean connection, in Abaqus.
const ABAQUS: &str = include_str!("../decks/small.inp");
const NASTRAN: &str = include_str!("../decks/small.bdf");
const NASTRAN_FREE: &str = include_str!("../decks/small_free.bdf");
const GMSH_2: &str = include_str!("../decks/small_2.msh");
const GMSH_4: &str = include_str!("../decks/small_4.msh");

fn groups() -> (Vec<Material>, Vec<Group>) {
    let section = Section::rectangle(0.02, 0.03).constants().unwrap();
    let group = |name: &str, thickness, section| Group {
        name: name.into(),
        material: 0,
        thickness,
        section,
        material_axis: None,
        layup: Vec::new(),
    };
    let groups = vec![
        group("bar", None, Some((section, [0.0, 1.0, 0.0]))),
        group("skin", Some(0.004), None),
        group("block", None, None),
    ];
    (vec![Material::isotropic(70e9, 0.3, 2700.0)], groups)
}

fn gmsh_of(text: &str) -> Result<Imported, ImportError> {
    let (materials, groups) = groups();
    gmsh::read_text(text, "small.msh", materials, &groups)
}

fn mass(mesh: &Mesh) -> (f64, [f64; 3]) {
    let (mass, center, _) = flexura_fem::assemble::mass_properties(mesh, MassModel::Consistent).unwrap();
    (mass, center.into())
}

#[test]
fn one_model_in_two_programs_is_one_mesh() {
    let abaqus = abaqus::read_text(ABAQUS, "small.inp").unwrap();
    let nastran = nastran::read_text(NASTRAN, "small.bdf").unwrap();
    let free = nastran::read_text(NASTRAN_FREE, "small_free.bdf").unwrap();
    assert_eq!(nastran.mesh, free.mesh, "small and large fields against free ones");
    assert_eq!(abaqus.numbers, nastran.numbers);
    let (a, n) = (&abaqus.mesh, &nastran.mesh);
    assert_eq!(
        (&a.nodes, &a.masses, &a.links, &a.averages, &a.springs),
        (&n.nodes, &n.masses, &n.links, &n.averages, &n.springs)
    );
    assert_eq!(a.elements.len(), n.elements.len());
    for (left, right) in a.elements.iter().zip(&n.elements) {
        assert_eq!(left.nodes(), right.nodes());
        if let (Element::Beam(left), Element::Beam(right)) = (left, right) {
            assert_eq!(
                (left.section.area, left.section.inertia_y),
                (right.section.area, right.section.inertia_y)
            );
        }
    }
    assert_eq!(mass(a), mass(n));
    // 8 triangles, a bar, a block: 1, 4 and 0.6 litres; half a kilogram on a node.
    assert_eq!(a.elements.len(), 10);
    assert!((mass(a).0 - (2700.0 * (0.001 + 0.004 + 0.0006) + 0.5)).abs() < 1e-9, "{:?}", mass(a));
    a.validate().unwrap();
    for (told, place, card) in [
        (&abaqus, "small.inp:", "*BOUNDARY"),
        (&abaqus, "small.inp:", "*STEP"),
        (&nastran, "small.bdf:", "SPC1"),
    ] {
        let known =
            |notice: &String| notice.starts_with(place) && notice.contains(&format!(": {card}: ignored"));
        assert!(told.notices.iter().any(known), "{card}: {:?}", told.notices);
    }
    assert_eq!(a.set("edge").err().map(|_| ()), Some(()), "names are in capitals");
    assert_eq!(a.set("EDGE").unwrap().len(), 3);
}

#[test]
fn gmsh_formats_agree_with_the_decks() {
    let (old, new) = (gmsh_of(GMSH_2).unwrap(), gmsh_of(GMSH_4).unwrap());
    assert_eq!(old.mesh, new.mesh);
    let deck = abaqus::read_text(ABAQUS, "small.inp").unwrap();
    let structure =
        |mesh: &Mesh| mesh.elements.iter().map(|element| element.nodes().to_vec()).collect::<Vec<_>>();
    assert_eq!(structure(&old.mesh), structure(&deck.mesh));
    assert!((mass(&old.mesh).0 - (mass(&deck.mesh).0 - 0.5)).abs() < 1e-9, "the lump is missing");
    assert_eq!(old.mesh.set("edge").unwrap(), deck.mesh.set("EDGE").unwrap());
}

#[test]
fn what_is_left_out_of_a_deck_is_named_with_its_line() {
    let deck = NASTRAN_FREE
        .replace("SPC1,1,", "PARAM,AUTOSPC,YES\nPARAM,WTMASS,2.0\nSPC1,1,")
        .replace("MAT1,1,7.E10,,0.3,2.7+3", "MAT1,1,7.E10,2.0+10,0.3,2.7+3,,,0.02")
        + "GRID,99,,0.,0.,0.\n";
    let deck = format!("SOL 103\nCEND\nBEGIN BULK\n{deck}");
    let read = nastran::read_text(&deck, "a.bdf").unwrap();
    assert_eq!(
        read.notices,
        [
            "a.bdf:38: G of MAT1 (E and NU are given): ignored, it has no part in a reduction",
            "a.bdf:42: PARAM AUTOSPC: ignored, it has no part in a reduction",
            "a.bdf:44: SPC1: ignored, it has no part in a reduction",
            "a.bdf:38: damping (GE) of MAT1: ignored, it has no part in a reduction",
            "a.bdf:1: 2 lines of executive and case control before BEGIN BULK: left out",
            "a.bdf:46: 1 lines after ENDDATA: left out",
        ]
    );
    let plain = nastran::read_text(NASTRAN_FREE, "a.bdf").unwrap();
    assert!((mass(&read.mesh).0 / mass(&plain.mesh).0 - 2.0).abs() < 1e-12, "WTMASS");
    let wide = NASTRAN_FREE.replace("CQUAD4,1,1,1,2,5,4", "CQUAD4,1,1,1,2,5,4,,,,,7");
    let fault = nastran::read_text(&wide, "a.bdf").unwrap_err().to_string();
    assert!(fault.starts_with("a.bdf:22: CQUAD4: the line has more fields"), "{fault}");
}

/// Replaces a part of a deck and returns the message.
fn spoiled(deck: &str, from: &str, to: &str) -> String {
    assert!(deck.contains(from), "{from}");
    let text = deck.replacen(from, to, 1);
    let read = match deck {
        _ if deck.starts_with("**") => abaqus::read_text(&text, "small.inp"),
        _ if deck.starts_with('$') && deck.contains("MeshFormat") => gmsh_of(&text),
        _ => nastran::read_text(&text, "small.bdf"),
    };
    read.err().map_or_else(|| "no error".into(), |fault| fault.to_string())
}

#[test]
fn abaqus_faults_name_line_and_card() {
    for (from, to, expected) in [
        (
            "*ELEMENT, TYPE=S4",
            "*ELEMENT, TYPE=S9R5",
            "small.inp:23: *ELEMENT: elements of type S9R5 are not supported: there is no counterpart (4 of them) (help: supported: B31",
        ),
        ("5, 0.5, 0.5, 0", "5, 0.5, x, 0", "small.inp:7: *NODE: a coordinate of node 5 is `x`, not a number"),
        ("5, 0.5, 0.5, 0", "4, 0.5, 0.5, 0", "small.inp:7: *NODE: node 4 is defined twice"),
        ("1, 1, 2, 5, 4", "1, 1, 2, 5, 44", "small.inp:24: *ELEMENT: node 44 does not exist"),
        (
            "1, 1, 2, 5, 4",
            "1, 1, 2, 5",
            "small.inp:24: *ELEMENT: element 1 of type S4 has 3 nodes instead of 4",
        ),
        ("1, 1, 2, 5, 4", "1, 1, 2, 5, 5", "small.inp:24: *ELEMENT: element 1 names a node twice"),
        (
            "*DENSITY\n2700",
            "*HYPERELASTIC\n2700",
            "*HYPERELASTIC: this law of a material has no linear elasticity",
        ),
        (
            "*DENSITY\n2700\n",
            "",
            "*MATERIAL: material ALU has no DENSITY (help: add *DENSITY, or `density` in the part file)",
        ),
        ("MATERIAL=ALU\n0.004", "MATERIAL=ALUU\n0.004", "*SHELL SECTION: there is no material ALUU"),
        (
            "*SHELL SECTION, ELSET=SKIN",
            "*SHELL SECTION, ELSET=BAR",
            "*SHELL SECTION: element 5 of set BAR is of another kind",
        ),
        ("*MASS, ELSET=LUMP\n0.5", "", "*ELEMENT: element 7 has no value"),
        (
            "SECTION=RECT",
            "SECTION=TRAPEZOID",
            "*BEAM SECTION: sections of the form TRAPEZOID are not supported",
        ),
        ("REF NODE=20", "REF NODE=X", "*RIGID BODY: REF NODE=X is no node"),
        ("*BOUNDARY", "*WIND", "*WIND: this keyword is not supported"),
        (
            "70e9, 0.3",
            "70e9, 0.7",
            "*MATERIAL: material ALU: Poisson's ratio is 0.7: it must lie between -1 and 0.5",
        ),
    ] {
        let message = spoiled(ABAQUS, from, to);
        assert!(message.contains(expected), "{message}\nexpected {expected}");
        assert!(message.starts_with("small.inp:") && message.contains("help:"), "{message}");
    }
}

#[test]
fn nastran_faults_name_line_and_card() {
    for (from, to, expected) in [
        ("CQUAD4", "CSHEAR", "CSHEAR: this card is not supported"),
        ("CHEXA", "CPENTA", "CPENTA: a solid with 8 grid points is not supported"),
        ("70.+9", "70.+x9", "MAT1: Young's modulus (field 3) is `70.+x9`, not a number"),
        ("PSHELL", "PSOLID", "CQUAD4: element 1 has a property of another kind of element"),
        (
            "RBE2    30      20      123456",
            "RBE2    30      20      123476",
            "RBE2: freedoms (field 4) are `123476`",
        ),
        ("CONM2   7       3", "CONM2   7       93", "CONM2: node 93 does not exist"),
        ("BEGIN BULK", "BEGIN BULK\n+       1", "a continuation before the first card"),
    ] {
        let message = spoiled(NASTRAN, from, to);
        assert!(message.contains(expected), "{message}\nexpected {expected}");
        assert!(message.starts_with("small.bdf:") && message.contains("help:"), "{message}");
    }
}

#[test]
fn gmsh_faults_name_line_and_section() {
    for (deck, from, to, expected) in [
        (GMSH_2, "2.2 0 8", "3.0 0 8", "small.msh:2: $MeshFormat: version 3.0 is not supported"),
        (GMSH_2, "2.2 0 8", "2.2 1 8", "small.msh: $MeshFormat: its bytes are not those of the format"),
        (GMSH_2, "2.2 0 8", "2.2 2 8", "small.msh:2: $MeshFormat: the mesh is neither ASCII nor binary"),
        (GMSH_2, "$Nodes\n", "$Nodes\n1000000\n", "$Nodes: node 18 needs three coordinates"),
        (GMSH_4, "\"skin\"", "\"skinn\"", "there is no physical group `skin` with elements"),
        (
            GMSH_2,
            "1 3 2 1 1 1 2 5 4",
            "1 10 2 1 1 1 2 5 4",
            "$Elements: elements of type 10 are not supported",
        ),
    ] {
        let message = spoiled(deck, from, to);
        assert!(message.contains(expected), "{message}\nexpected {expected}");
    }
}

/// Announced sizes cost nothing: three nodes under a header of a million, or of 10^15.
#[test]
fn announced_sizes_are_not_believed() {
    for count in ["1000000", "1000000000000000"] {
        let nodes = "1 0 0 0\n2 1 0 0\n3 0 1 0\n";
        let old = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{count}\n{nodes}$EndNodes\n");
        let message = gmsh_of(&old).unwrap_err().to_string();
        assert!(message.contains(&format!("announces {count} nodes")), "{message}");
        let new = format!(
            "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {count} 1 {count}\n2 1 0 {count}\n1\n2\n3\n$EndNodes\n"
        );
        assert!(gmsh_of(&new).is_err());
        let sets =
            format!("{}*NSET, NSET=MANY, GENERATE\n1, {count}, 1\n", ABAQUS.split("*STEP").next().unwrap());
        assert_eq!(abaqus::read_text(&sets, "a.inp").unwrap().mesh.set("MANY").unwrap().len(), 20);
        let sets = NASTRAN_FREE.replace("ENDDATA", &format!("SET1,5,1,THRU,{count}\nENDDATA"));
        assert_eq!(nastran::read_text(&sets, "a.bdf").unwrap().mesh.set("5").unwrap().len(), 20);
    }
}

#[test]
fn quadratic_elements_are_split_at_their_nodes() {
    let mut deck =
        String::from("*NODE\n1,0,0,0\n2,2,0,0\n3,2,2,0\n4,0,2,0\n5,1,0,0\n6,2,1,0\n7,1,2,0\n8,0,1,0\n");
    let _ = write!(
        deck,
        "*ELEMENT,TYPE=S8R,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n1e9,0.3\n*DENSITY\n1000\n*SHELL SECTION,ELSET=E,MATERIAL=M\n0.01\n"
    );
    let mesh = abaqus::read_text(&deck, "q.inp").unwrap().mesh;
    assert_eq!(mesh.elements.len(), 6);
    let normal_up = mesh.elements.iter().all(|element| {
        let [a, b, c] = [0, 1, 2].map(|place| mesh.nodes[element.nodes()[place]]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    });
    assert!(normal_up);
    assert!((mass(&mesh).0 - 4.0 * 0.01 * 1000.0).abs() < 1e-12);
}

/// PBAR and PBEAM by constants, shear factors and non-structural mass; inertia and systems of Nastran.
#[test]
fn nastran_constants_go_where_they_belong() {
    let deck = |property: &str, more: &str| {
        let text = format!(
            "CORD2R,1,0,1.,0.,0.,1.,0.,1.\n,1.,1.,0.\nGRID,1,1,0.,0.,0.\nGRID,2,1,2.,0.,0.\nGRID,3,,9.,9.,9.\n\
             CBAR,1,1,1,2,3\nMAT1,1,2.+11,,.25,8000.\n{property}\n{more}\nENDDATA\n"
        );
        nastran::read_text(&text, "p.bdf").unwrap()
    };
    for (property, shear) in [
        ("PBAR,1,1,4.-4,3.-8,1.-8,2.-8,.8\n,,,,,,,,\n,0.5,0.25", [2e-4, 1e-4]),
        ("PBEAM,1,1,4.-4,3.-8,1.-8,,2.-8,.8\n,,,,,,,,\n,0.5,0.25", [2e-4, 1e-4]),
        ("PBEAM,1,1,4.-4,3.-8,1.-8,,2.-8,.8", [4e-4, 4e-4]),
    ] {
        let mesh = deck(property, "").mesh;
        let Element::Beam(beam) = mesh.elements[0] else { panic!("a beam") };
        let section = beam.section;
        // Plane 1 is x-y: I1 is about z.
        assert_eq!([section.inertia_z, section.inertia_y, section.torsion], [3e-8, 1e-8, 2e-8], "{property}");
        assert_eq!([section.shear_area_y, section.shear_area_z], shear, "{property}");
        assert!((mesh.materials[0].density - (8000.0 + 0.8 / 4e-4)).abs() < 1e-9);
        // x of the system is y of the basic one, shifted along x.
        assert_eq!(mesh.nodes, [[1.0, 0.0, 0.0], [1.0, 2.0, 0.0]]);
        assert_eq!(beam.orientation, [8.0, 9.0, 9.0]);
    }
    let lump = "CONM2,7,2,,3.,.1,.2,.3\n,1.,.5,2.,.6,.7,3.\nPARAM,WTMASS,2.0";
    let mesh = deck("PBAR,1,1,4.-4,3.-8,1.-8,2.-8", lump).mesh;
    assert_eq!((mesh.masses[0].mass, mesh.masses[0].offset), (6.0, [0.1, 0.2, 0.3]));
    assert_eq!(mesh.masses[0].inertia, [[2.0, -1.0, -1.2], [-1.0, 4.0, -1.4], [-1.2, -1.4, 6.0]]);
    assert_eq!(mesh.materials[0].density, 16000.0);
}

#[test]
fn gmsh_heads_are_compared_with_what_is_there() {
    let message = spoiled(GMSH_4, "2 18 1 18", "2 19 1 18");
    assert!(message.contains("$Nodes: 18 nodes instead of 19"), "{message}");
    let message = spoiled(GMSH_4, "4 8 1 8", "4 7 1 8");
    assert!(message.contains("$Elements: 8 elements instead of 7"), "{message}");
}
