//! Small decks for every card: what they say arrives in the mesh, and broken ones are refused with all their faults.

use crate::common::relative;
use flexura_fem::import::{ImportError, Imported, Options, abaqus, gmsh, nastran};
use flexura_fem::part::description::Group;
use flexura_fem::*;
use nalgebra::Vector3;

/// Corners of a box of 1 x 2 x 3 as nodes 1 to 8, material M, and what stands between.
fn inp(middle: &str) -> String {
    let corners = "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,2,0\n4,0,2,0\n5,0,0,3\n6,1,0,3\n7,1,2,3\n8,0,2,3\n";
    format!("{corners}{middle}*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800\n")
}

/// A box of one hexahedron with a section, and what comes after.
fn cube(after: &str) -> String {
    inp("*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,3,4,5,6,7,8\n")
        + "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
        + after
}

fn read(text: &str) -> Imported {
    abaqus::read_text(text, "a.inp").unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn refused(text: &str) -> ImportError {
    abaqus::read_text(text, "a.inp").map(|_| text.to_owned()).unwrap_err()
}

fn bulk(text: &str) -> Imported {
    nastran::read_text(text, "a.bdf").unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn mass(imported: &Imported) -> (f64, Vector3<f64>) {
    let (mass, center, _) = assemble::mass_properties(&imported.mesh, MassModel::Consistent).unwrap();
    (mass, center)
}

fn unknowns(imported: &Imported) -> usize {
    assemble(&imported.mesh, &Supports::none(), MassModel::Consistent).unwrap().dofs.unknowns()
}

/// Elastic frequencies of a free mesh, with six rigid motions before them.
fn free(imported: &Imported, count: usize) -> Vec<f64> {
    crate::common::free_frequencies(&imported.mesh, count, MassModel::Consistent)
}

fn same(left: &[f64], right: &[f64], limit: f64) {
    for (a, b) in left.iter().zip(right) {
        assert!(relative(*a, *b) < limit, "{left:?} {right:?}");
    }
}

/// Places of the middles of edges of the box, as nodes from 9 on.
fn middles(edges: &[(usize, usize)]) -> String {
    let corner = |node: usize| -> [f64; 3] {
        [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0], [0, 0, 3], [1, 0, 3], [1, 2, 3], [0, 2, 3]][node]
            .map(f64::from)
    };
    let line = |(place, (a, b)): (usize, &(usize, usize))| {
        let [p, q] = [corner(*a), corner(*b)];
        format!("{},{},{},{}\n", 9 + place, (p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0, (p[2] + q[2]) / 2.0)
    };
    edges.iter().enumerate().map(line).collect()
}

const HEX_EDGES: [(usize, usize); 12] = element::solid::serendipity::EDGES;

#[test]
fn every_solid_has_its_volume() {
    // A box of 6, the wedge of half of it, the pyramid of a third, the tetrahedron of a sixth.
    let quadratic: String = "*NODE\n".to_owned() + &middles(&HEX_EDGES);
    let wedge: Vec<(usize, usize)> =
        [(0, 1), (1, 2), (2, 0), (4, 5), (5, 6), (6, 4), (0, 4), (1, 5), (2, 6)].to_vec();
    let wedge = "*NODE\n".to_owned() + &middles(&wedge);
    for (kind, nodes, more, volume, count) in [
        ("C3D8", "1,2,3,4,5,6,7,8", String::new(), 6.0, 8),
        ("C3D8R", "1,2,3,4,5,6,7,8", String::new(), 6.0, 8),
        ("C3D20", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20", quadratic.clone(), 6.0, 20),
        ("C3D20R", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20", quadratic, 6.0, 20),
        ("C3D6", "1,2,3,5,6,7", String::new(), 3.0, 6),
        ("C3D15", "1,2,3,5,6,7,9,10,11,12,13,14,15,16,17", wedge, 3.0, 15),
        ("C3D5", "1,2,3,4,5", String::new(), 2.0, 5),
        ("C3D4", "1,2,3,5", String::new(), 1.0, 4),
    ] {
        let deck = inp(&format!("{more}*ELEMENT, TYPE={kind}, ELSET=E\n1,{nodes}\n"));
        let read = read(&(deck + "*SOLID SECTION, ELSET=E, MATERIAL=M\n"));
        assert!(relative(mass(&read).0, 7800.0 * volume) < 1e-12, "{kind}: {}", mass(&read).0);
        assert_eq!(read.mesh.elements[0].nodes().len(), count);
        assert_eq!(read.summary.elements[kind], 1);
        assert_eq!(matches!(read.mesh.elements[0], Element::Hex8Reduced(_)), kind == "C3D8R");
        let system = assemble(&read.mesh, &Supports::none(), MassModel::Consistent).unwrap();
        let values = dense(&system.stiffness).symmetric_eigenvalues();
        let still = values.iter().filter(|value| value.abs() < 1e-10 * values.amax()).count();
        assert_eq!(still, 6, "{kind} has six rigid motions and stiffness");
    }
}

/// The shells have stiffness against drilling in any case.
#[test]
fn shells_with_drilling_are_the_plain_ones() {
    let deck = |kind: &str, nodes: &str| {
        let grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,2.,0.\nGRID,4,,0.,2.,0.\n";
        let head = format!("{grids}MAT1,1,2.+11,,0.3,7800.\nPSHELL,1,1,0.02,1\n");
        nastran::read_text(&format!("{head}{kind},1,1,{nodes}\nENDDATA\n"), "shell.bdf")
    };
    for (plain, drilling, nodes) in
        [("CTRIA3", "CTRIAR", "1,2,3,,0.01"), ("CQUAD4", "CQUADR", "1,2,3,4,,0.01")]
    {
        let (plain, found) = (deck(plain, nodes).unwrap(), deck(drilling, nodes).unwrap());
        assert_eq!((&found.mesh.elements, &found.mesh.nodes), (&plain.mesh.elements, &plain.mesh.nodes));
        assert_eq!(found.mesh.links, plain.mesh.links);
        assert_eq!(found.summary.elements[drilling], 1);
    }
}

fn dense(matrix: &linear::SymmetricMatrix) -> nalgebra::DMatrix<f64> {
    matrix.multiply(&nalgebra::DMatrix::identity(matrix.size(), matrix.size()))
}

/// The same bricks in Abaqus, Nastran and Gmsh, which count the middles of edges differently.
#[test]
fn quadratic_solids_are_the_same_in_three_programs() {
    let places = "*NODE\n".to_owned() + &middles(&HEX_EDGES);
    let hex = inp(&format!(
        "{places}*ELEMENT, TYPE=C3D20, ELSET=E\n1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20\n"
    )) + "*SOLID SECTION, ELSET=E, MATERIAL=M\n";
    let expected = free(&read(&hex), 4);
    let grids = |edges: &[(usize, usize)]| {
        let corners =
            ["0.,0.,0.", "1.,0.,0.", "1.,2.,0.", "0.,2.,0.", "0.,0.,3.", "1.,0.,3.", "1.,2.,3.", "0.,2.,3."];
        let corners = corners.iter().enumerate().map(|(i, at)| format!("GRID,{},,{at}\n", i + 1));
        let inner = middles(edges)
            .lines()
            .map(|line| {
                let words: Vec<&str> = line.split(',').collect();
                let at = words[1..]
                    .iter()
                    .map(|w| format!("{:.4}", w.parse::<f64>().unwrap()))
                    .collect::<Vec<_>>();
                format!("GRID,{},,{}\n", words[0], at.join(","))
            })
            .collect::<Vec<_>>();
        corners.chain(inner).collect::<String>()
    };
    // Nastran: lower edges, edges between, upper edges.
    let order: Vec<(usize, usize)> =
        HEX_EDGES[..4].iter().chain(&HEX_EDGES[8..]).chain(&HEX_EDGES[4..8]).copied().collect();
    let deck = grids(&order)
        + "MAT1,1,2.+11,,0.3,7800.\nPSOLID,1,1\nCHEXA,1,1,1,2,3,4,5,6\n,7,8,9,10,11,12,13,14\n,15,16,17,18,19,20\n";
    same(&free(&bulk(&deck), 4), &expected, 1e-9);
    let swapped = deck.replace("13,14\n,15,16,17,18", "17,18\n,15,16,13,14");
    let wrong = assemble(&bulk(&swapped).mesh, &Supports::none(), MassModel::Consistent);
    assert!(wrong.is_err() || free(&bulk(&swapped), 1)[0] != expected[0], "another order is another element");
    // Gmsh: from corner to corner.
    let order =
        [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)];
    let lines = |edges: &[(usize, usize)]| {
        inp("").lines().skip(1).take(8).map(|l| l.replace(',', " ") + "\n").collect::<String>()
            + &middles(edges).replace(',', " ")
    };
    let mesh = |edges: &[(usize, usize)], kind: usize, nodes: &str| {
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"b\"\n$EndPhysicalNames\n$Nodes\n{}\n{}$EndNodes\n\
             $Elements\n1\n1 {kind} 2 1 1 {nodes}\n$EndElements\n",
            8 + edges.len(),
            lines(edges)
        )
    };
    let group = Group {
        name: "b".into(),
        material: 0,
        thickness: None,
        section: None,
        material_axis: None,
        layup: Vec::new(),
    };
    let materials = vec![Material::isotropic(2e11, 0.3, 7800.0)];
    let text = mesh(&order, 17, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20");
    let found = gmsh::read_text(&text, "a.msh", materials.clone(), std::slice::from_ref(&group)).unwrap();
    same(&free(&found, 4), &expected, 1e-9);
    // Wedges.
    let own = [(0, 1), (1, 2), (2, 0), (4, 5), (5, 6), (6, 4), (0, 4), (1, 5), (2, 6)];
    let places = "*NODE\n".to_owned() + &middles(&own);
    let wedge =
        inp(&format!("{places}*ELEMENT, TYPE=C3D15, ELSET=E\n1,1,2,3,5,6,7,9,10,11,12,13,14,15,16,17\n"))
            + "*SOLID SECTION, ELSET=E, MATERIAL=M\n";
    let expected = free(&read(&wedge), 4);
    let order: Vec<(usize, usize)> = own[..3].iter().chain(&own[6..]).chain(&own[3..6]).copied().collect();
    let deck = grids(&order)
        + "MAT1,1,2.+11,,0.3,7800.\nPSOLID,1,1\nCPENTA,1,1,1,2,3,5,6,7\n,9,10,11,12,13,14,15,16\n,17\n";
    same(&free(&bulk(&deck), 4), &expected, 1e-9);
    let order = [(0, 1), (0, 2), (0, 4), (1, 2), (1, 5), (2, 6), (4, 5), (4, 6), (5, 6)];
    let text = mesh(&order, 18, "1 2 3 5 6 7 9 10 11 12 13 14 15 16 17");
    let found = gmsh::read_text(&text, "a.msh", materials, &[group]).unwrap();
    same(&free(&found, 4), &expected, 1e-9);
}

#[test]
fn equations_eliminate_and_redundant_ones_are_named() {
    assert_eq!(unknowns(&read(&cube(""))), 24);
    let one = read(&cube("*EQUATION\n2\n1,1,1.0, 2,1,-1.0\n"));
    assert_eq!(unknowns(&one), 23);
    // Terms over several lines, a set in place of a node, and an equation that says nothing new.
    let many = cube(
        "*NSET, NSET=TOP\n6,7,8\n*EQUATION\n3\n1,2,1.0, 2,2,-2.0,\n3,2,1.0\n2\nTOP,3,1.0, 5,3,-1.0\n2\n6,3,2., 7,3,-2.\n",
    );
    let many = read(&many);
    assert_eq!(unknowns(&many), 24 - 4);
    assert!(
        many.notices.iter().any(|n| n.contains("*EQUATION: left out 1 equations that follow")),
        "{:?}",
        many.notices
    );
    // The deflection obeys the equations.
    let system = assemble(&many.mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let nodal = system.dofs.expand(&nalgebra::DMatrix::from_fn(20, 1, |i, _| (i as f64).sin()));
    assert!((nodal[1] - 2.0 * nodal[7] + nodal[13]).abs() < 1e-12);
    for node in 5..8 {
        assert!((nodal[6 * node + 2] - nodal[6 * 4 + 2]).abs() < 1e-12);
    }
    // In axes of the nodes: along (1, 1, 0) / sqrt 2, the same as written out.
    let local = read(&cube(
        "*NSET, NSET=T\n1,2\n*TRANSFORM, NSET=T\n1,1,0, -1,1,0\n*EQUATION\n2\n1,1,1.0, 2,1,-1.0\n",
    ));
    let plain = read(&cube("*EQUATION\n4\n1,1,1.0, 1,2,1.0, 2,1,-1.0, 2,2,-1.0\n"));
    same(&free_or_less(&local), &free_or_less(&plain), 1e-9);
    let round =
        read(&cube("*NSET, NSET=T\n3\n*TRANSFORM, NSET=T, TYPE=C\n0,0,0, 0,0,1\n*EQUATION\n1\n3,1,1.0\n"));
    let plain = read(&cube("*EQUATION\n2\n3,1,1.0, 3,2,2.0\n"));
    same(&free_or_less(&round), &free_or_less(&plain), 1e-9);
    let temperatures = read(&cube("*EQUATION\n2\n1,11,1.0, 2,11,-1.0\n"));
    assert!(temperatures.notices.iter().any(|n| n.contains("*EQUATION of temperatures")));
}

/// Frequencies of a mesh that its equations may hold.
fn free_or_less(imported: &Imported) -> Vec<f64> {
    let system = assemble(&imported.mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let options = EigenOptions { free: true, ..EigenOptions::default() };
    lowest_modes(system.pencil(), 9, &options).unwrap().frequencies().split_off(6)
}

#[test]
fn equations_of_nastran_are_those_of_abaqus() {
    let deck = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,2.,0.\nGRID,4,,0.,2.,0.\nGRID,5,,0.,0.,3.\nGRID,6,,1.,0.,3.\n\
                GRID,7,,1.,2.,3.\nGRID,8,,0.,2.,3.\nMAT1,1,2.+11,,0.3,7800.\nPSOLID,1,1\nCHEXA,1,1,1,2,3,4,5,6\n,7,8\n";
    let plain = bulk(&(deck.to_owned() + "MPC,5,1,2,1.,2,2,-2.\n,,3,2,1.\n"));
    let other = read(&cube("*EQUATION\n3\n1,2,1.0, 2,2,-2.0, 3,2,1.0\n"));
    assert_eq!(plain.mesh.equations, other.mesh.equations);
    let fault =
        nastran::read_text(&(deck.to_owned() + "MPC,5,1,2,1.\nMPC,6,1,7,1.\nRBE9,1\n"), "a.bdf").unwrap_err();
    let told: Vec<String> = fault.all().map(|f| format!("{}:{}", f.line, f.card)).collect();
    assert_eq!(told, ["14:MPC", "15:RBE9"]);
    assert!(fault.to_string().contains("the deck has 1 CHEXA; 8 nodes"), "{fault}");
    let rigid = bulk(&(deck.to_owned() + "GRID,9,,0.,0.,4.\nRBE2,7,9,123456,5,THRU,8\n"));
    assert_eq!(rigid.mesh.links[0].followers.len(), 4);
}

/// Two boxes on each other: shared nodes, tied nodes, and a tie of meshes that do not match.
#[test]
fn ties_join_what_they_touch() {
    let upper = "*NODE\n11,0,0,3\n12,1,0,3\n13,1,2,3\n14,0,2,3\n15,0,0,5\n16,1,0,5\n17,1,2,5\n18,0,2,5\n";
    let shared = cube(
        "*NODE\n15,0,0,5\n16,1,0,5\n17,1,2,5\n18,0,2,5\n*ELEMENT, TYPE=C3D8, ELSET=E\n2, 5,6,7,8,15,16,17,18\n",
    );
    let tied = cube(&format!(
        "{upper}*ELEMENT, TYPE=C3D8, ELSET=E\n2, 11,12,13,14,15,16,17,18\n*SURFACE, NAME=DOWN\n2, S1\n*SURFACE, NAME=UP\n1, S2\n*TIE, NAME=T\nDOWN, UP\n"
    ));
    let (shared, tied) = (read(&shared), read(&tied));
    assert_eq!((tied.summary.pieces, tied.mesh.equations.len()), (1, 12));
    same(&free(&tied, 5), &free(&shared, 5), 1e-9);
    // A smaller box somewhere on the face: twelve rows of four factors, a gap of 0.01 closed.
    let small = "*NODE\n11,.2,.3,3.01\n12,.7,.3,3.01\n13,.7,1.2,3.01\n14,.2,1.2,3.01\n15,.2,.3,5\n16,.7,.3,5\n17,.7,1.2,5\n18,.2,1.2,5\n";
    let deck = cube(&format!(
        "{small}*ELEMENT, TYPE=C3D8, ELSET=E\n2, 11,12,13,14,15,16,17,18\n*NSET, NSET=FEET\n11,12,13,14\n*SURFACE, NAME=DOWN, TYPE=NODE\nFEET\n*SURFACE, NAME=UP\n1, S2\n*TIE, NAME=T, POSITION TOLERANCE=0.05\nDOWN, UP\n"
    ));
    let found = read(&deck);
    assert_eq!(unknowns(&found), 48 - 12);
    assert_eq!(free(&found, 2).len(), 2, "six rigid motions");
    assert!(
        found.notices.iter().any(|n| n.contains("4 nodes of DOWN moved by up to 1.000e-2 onto UP")),
        "{:?}",
        found.notices
    );
    let told = read(&deck.replace("NAME=T,", "NAME=T, ADJUST=NO,"));
    assert!(told.notices.iter().any(|n| n.contains("ADJUST=NO")), "{:?}", told.notices);
    let far = read(&deck.replace("=0.05", "=0.005"));
    assert_eq!((far.summary.pieces, far.mesh.equations.len()), (2, 0));
    assert!(far.notices.iter().any(|n| n.contains("4 farther away than the tolerance stay free")));
    let sector = read(&cube(
        "*SURFACE, NAME=A\n1,S3\n*SURFACE, NAME=B\n1,S5\n*TIE, NAME=C, CYCLIC SYMMETRY\nA, B\n*CYCLIC SYMMETRY MODEL, N=4\n",
    ));
    assert!(sector.notices.iter().any(|n| n.contains("the sector alone is read")));
}

#[test]
fn constants_with_directions_are_those_of_their_axes() {
    // Steel written with nine, with twenty-one and with engineering constants.
    let (young, poisson) = (2e11, 0.3);
    let shear = young / (2.0 * (1.0 + poisson));
    let h = hooke(young, poisson);
    let (d, o) = (h[(0, 0)], h[(0, 1)]);
    let with = |law: &str, after: &str| cube(after).replace("*ELASTIC\n2e11, 0.3\n", law);
    let plain = free(&read(&cube("")), 5);
    let nine = format!("*ELASTIC, TYPE=ORTHO\n{d},{o},{d},{o},{o},{d},{shear},{shear},\n{shear},293.\n");
    let engineering = format!(
        "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n{young},{young},{young},.3,.3,.3,{shear},{shear},\n{shear}\n"
    );
    let all = format!(
        "*ELASTIC, TYPE=ANISO\n{d},{o},{d},{o},{o},{d},0.,0.,\n0.,{shear},0.,0.,0.,0.,{shear},0.,\n0.,0.,0.,0.,{shear}\n"
    );
    for law in [&nine, &engineering, &all] {
        same(&free(&read(&with(law, "")), 5), &plain, 1e-9);
    }
    // Wood along x, and the same box with its grain along the direction that was turned with it.
    let wood = "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1e10,8e8,4e8,.3,.4,.3,7e8,6e8,\n6e7\n";
    let straight = free(&read(&with(wood, "")), 5);
    let (c, s) = (0.6, 0.8);
    let mut turned = with(wood, "*ORIENTATION, NAME=O\n.6,.8,0., -.8,.6,0.\n")
        .replace("MATERIAL=M\n*OR", "MATERIAL=M, ORIENTATION=O\n*OR");
    for (node, [x, y, z]) in
        [[0, 0, 0], [1, 0, 0], [1, 2, 0], [0, 2, 0], [0, 0, 3], [1, 0, 3], [1, 2, 3], [0, 2, 3]]
            .into_iter()
            .enumerate()
    {
        let (x0, y0) = (f64::from(x), f64::from(y));
        let line = format!("\n{},{},{},{z}\n", node + 1, c * x0 - s * y0, s * x0 + c * y0);
        turned = turned.replace(&format!("\n{},{x},{y},{z}\n", node + 1), &line);
    }
    same(&free(&read(&turned), 5), &straight, 1e-9);
    // The grain across: another part. An additional turn by 90 degrees is the same as turned axes.
    let across = free(
        &read(
            &with(wood, "*ORIENTATION, NAME=O\n0.,1.,0., -1.,0.,0.\n")
                .replace("MATERIAL=M\n*OR", "MATERIAL=M, ORIENTATION=O\n*OR"),
        ),
        5,
    );
    assert!(relative(across[0], straight[0]) > 0.01);
    let angle = read(
        &with(wood, "*ORIENTATION, NAME=O\n1.,0.,0., 0.,1.,0.\n3, 90.\n")
            .replace("MATERIAL=M\n*OR", "MATERIAL=M, ORIENTATION=O\n*OR"),
    );
    same(&free(&angle, 5), &across, 1e-9);
    // Around an axis every element has its own.
    let round = with(wood, "*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL\n0.5,1.,0., 0.5,1.,1.\n*ELEMENT, TYPE=C3D8, ELSET=E\n2, 5,6,7,8,15,16,17,18\n*NODE\n15,0,0,5\n16,1,0,5\n17,1,3,5\n18,0,3,5\n").replace("MATERIAL=M\n*OR", "MATERIAL=M, ORIENTATION=O\n*OR");
    let mesh = read(&round).mesh;
    assert_ne!(mesh.elements[0].material(), mesh.elements[1].material());
    // At several temperatures the first counts, with a word about it.
    let warm = read(&with("*ELASTIC\n2e11, 0.3, 293.\n1e11, 0.3, 800.\n", ""));
    assert!(
        warm.notices.iter().any(|n| n.contains("temperatures other than the first (293.)")),
        "{:?}",
        warm.notices
    );
    same(&free(&warm, 3), &plain, 1e-12);
}

#[test]
fn nodes_and_elements_are_generated() {
    let section =
        "*MATERIAL, NAME=M\n*ELASTIC\n2e11,.3\n*DENSITY\n7800\n*SOLID SECTION, ELSET=E, MATERIAL=M\n";
    // A row of four cells: edges by NGEN, the second face by NFILL, the elements by ELGEN.
    let deck = format!(
        "*NODE\n1,0,0,0\n5,4,0,0\n11,0,1,0\n15,4,1,0\n*NGEN, NSET=A\n1,5,1\n11,15,1\n*NODE, NSET=B\n201,0,0,2\n202,1,0,2\n203,2,0,2\n\
         204,3,0,2\n205,4,0,2\n211,0,1,2\n212,1,1,2\n213,2,1,2\n214,3,1,2\n215,4,1,2\n*NFILL, NSET=ALL\nA,B,2,100\n\
         *ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,12,11,101,102,112,111\n*ELGEN, ELSET=E\n1,4,1,1,1,1,1,2,100,10\n{section}"
    );
    let found = read(&deck);
    assert_eq!((found.mesh.nodes.len(), found.mesh.elements.len()), (30, 8));
    assert!(relative(mass(&found).0, 7800.0 * 8.0) < 1e-12);
    assert_eq!(found.mesh.sets["ALL"].len(), 10);
    let at = |number: u64| found.mesh.nodes[found.numbers[&number]];
    assert_eq!((at(4), at(113)), ([3.0, 0.0, 0.0], [2.0, 1.0, 1.0]));
    // In cylindrical coordinates, and in a system that is moved and turned.
    let round =
        "*NODE, SYSTEM=C\n1,1,0,0\n2,2,0,0\n3,2,90,0\n4,1,90,0\n5,1,0,1\n6,2,0,1\n7,2,90,1\n8,1,90,1\n";
    let round = read(&format!("{round}*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n{section}"));
    assert!((Vector3::from(round.mesh.nodes[2]) - Vector3::new(0.0, 2.0, 0.0)).norm() < 1e-12);
    let moved = cube("").replace("*NODE, NSET=ALL\n", "*SYSTEM\n10,0,0, 10,1,0\n9,0,0\n*NODE, NSET=ALL\n");
    let place = Vector3::from(read(&moved).mesh.nodes[1]);
    assert!((place - Vector3::new(10.0, 1.0, 0.0)).norm() < 1e-12, "{place}");
}

#[test]
fn rods_beams_and_shells_have_their_sections() {
    let rods = "*ELEMENT, TYPE=T3D2, ELSET=R\n1,1,2\n2,2,3\n3,3,1\n";
    let found = read(&(inp(rods) + "*SOLID SECTION, ELSET=R, MATERIAL=M\n2e-4\n"));
    let length = 3.0 + 5_f64.sqrt();
    assert!(relative(mass(&found).0, 7800.0 * 2e-4 * length) < 1e-12);
    let deck = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,2.,0.\nMAT1,1,2.+11,,0.3,7800.\nPROD,1,1,2.-4\nCROD,1,1,1,2\nCROD,2,1,2,3\nCONROD,3,3,1,1,2.-4\n";
    let other = bulk(deck);
    assert_eq!(other.mesh.elements, found.mesh.elements);
    // Nodes on the upper face of a shell, on the side of a beam: its middle lies half a side away.
    let shell = "*ELEMENT, TYPE=S4, ELSET=S\n1,1,2,3,4\n";
    let upper = read(&(inp(shell) + "*SHELL SECTION, ELSET=S, MATERIAL=M, OFFSET=0.5\n0.02\n"));
    assert!((mass(&upper).1 - Vector3::new(0.5, 1.0, -0.01)).norm() < 1e-12, "{}", mass(&upper).1);
    let plain = read(&(inp(shell) + "*SHELL SECTION, ELSET=S, MATERIAL=M\n0.02\n"));
    same(&free(&upper, 4), &free(&plain, 4), 1e-9);
    let grids = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,2.,0.\nGRID,4,,0.,2.,0.\nMAT1,1,2.+11,,0.3,7800.\nPSHELL,1,1,0.02,1\n";
    let zoffs = bulk(&format!("{grids}CQUAD4,1,1,1,2,3,4,,-0.01\n"));
    assert!((mass(&zoffs).1 - mass(&upper).1).norm() < 1e-12);
    let thick = read(
        &(inp(&format!("{shell}*NSET, NSET=T\n1,2\n*NODAL THICKNESS\nT,0.02\n3,0.04\n4,0.04\n"))
            + "*SHELL SECTION, ELSET=S, MATERIAL=M, NODAL THICKNESS\n1.\n"),
    );
    assert!(relative(mass(&thick).0, 7800.0 * 2.0 * 0.03) < 1e-12);
    let beam = inp("*ELEMENT, TYPE=B31, ELSET=B\n1,1,2\n");
    let side = read(
        &(beam.clone() + "*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=RECT, OFFSET1=0.5\n0.04,0.02\n0,1,0\n"),
    );
    assert!((mass(&side).1 - Vector3::new(0.5, -0.02, 0.0)).norm() < 1e-12, "{}", mass(&side).1);
    let ellipse = read(&(beam + "*BEAM SECTION, ELSET=B, MATERIAL=M, SECTION=CIRC\n0.04,0.02\n0,1,0\n"));
    assert!(relative(mass(&ellipse).0, 7800.0 * std::f64::consts::PI * 2e-4) < 1e-12);
}

#[test]
fn cards_without_mass_and_stiffness_are_named() {
    for (card, word) in [
        ("*CONTACT PAIR, INTERACTION=I\nA, B\n", "*CONTACT PAIR"),
        ("*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR\n1.\n", "*SURFACE BEHAVIOR"),
        ("*FRICTION\n0.1,1e5\n", "*FRICTION"),
        ("*PLASTIC\n1e8,0.\n", "*PLASTIC"),
        ("*SECTION CONTROLS, NAME=C\n", "*SECTION CONTROLS"),
        ("*NORMAL\n1,1,0,0,1\n", "*NORMAL"),
        ("*PRE-TENSION SECTION, NODE=1\n", "*PRE-TENSION SECTION"),
        ("*DESIGNVARIABLES, TYPE=COORDINATE\nALL\n", "*DESIGNVARIABLES"),
        ("*ELEMENT, TYPE=DASHPOTA, ELSET=D\n5,1,7\n*DASHPOT, ELSET=D\n\n3.\n", "*ELEMENT, TYPE=DASHPOTA"),
        ("*ELEMENT, TYPE=GAPUNI, ELSET=G\n5,1,7\n*GAP, ELSET=G\n.1,1,0,0\n", "*ELEMENT, TYPE=GAPUNI"),
        ("*MPC\nMEANROT,5,5,5,6,6,6,7\n", "MEANROT"),
        ("*STEP\n*STATIC\n*CLOAD\n1,1,2.\n*END STEP\n", "*STEP"),
    ] {
        let found = read(&cube(card));
        assert!(
            found.notices.iter().any(|n| n.contains(word) && n.contains("ignored")),
            "{card}: {:?}",
            found.notices
        );
        assert_eq!(unknowns(&found), 24, "{card}");
    }
    for (card, word) in [
        ("DESVAR,1,A,1.", "DESVAR"),
        ("CAERO1,1,1", "CAERO1"),
        ("TABLEM1,1", "TABLEM1"),
        ("PLOTEL,9,1,2", "PLOTEL"),
        ("CDAMP2,9,1.,1,1", "CDAMP2"),
        ("ACCEL1,1", "ACCEL1"),
    ] {
        let deck = format!(
            "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,2.,0.\nMAT1,1,2.+11,,0.3,7800.\nPSHELL,1,1,0.02,1\nCTRIA3,1,1,1,2,3\n{card}\n"
        );
        assert!(bulk(&deck).notices.iter().any(|n| n.contains(word)), "{card}");
    }
    let couples = read(&cube(
        "*ELEMENT, TYPE=DCOUP3D, ELSET=C\n9, 9\n*NODE\n9,.5,1,4\n*NSET, NSET=UP\n5,6,7,8\n*DISTRIBUTING COUPLING, ELSET=C\nUP, 1.\n",
    ));
    assert_eq!(couples.mesh.averages[0].sources.len(), 4);
    for word in ["PLANE, 5,6,7,8", "STRAIGHT, 1,2,9"] {
        let deck = cube(&format!(
            "*NODE\n9,3,0,0\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n9,2,9\n*SPRING, ELSET=S\n\n1e5\n*MPC\n{word}\n"
        ));
        let found = read(&deck);
        let wanted = if word.starts_with('P') { 1 } else { 2 };
        assert_eq!(found.mesh.equations.len(), wanted);
        // A rigid motion obeys: turned about an oblique axis.
        let turn = Vector3::new(0.3, -0.2, 0.5);
        for equation in &found.mesh.equations {
            let sum: f64 = equation
                .terms
                .iter()
                .map(|(n, f, x)| x * turn.cross(&Vector3::from(found.mesh.nodes[*n]))[*f])
                .sum();
            assert!(sum.abs() < 1e-12, "{word}: {sum}");
        }
    }
    let pinned = read(&cube(
        "*NODE\n9,.5,1,4\n*ELEMENT, TYPE=MASS, ELSET=P\n9,9\n*MASS, ELSET=P\n1.\n*MPC\nPIN, 9, 7\n",
    ));
    // Equal displacements, though the nodes are apart: no arm turns.
    assert!(pinned.mesh.links.is_empty());
    let [pinned_node, leader] = [9, 7].map(|number: u64| pinned.numbers[&number]);
    for (axis, equation) in pinned.mesh.equations.iter().enumerate() {
        assert_eq!(equation.terms, [(pinned_node, axis, 1.0), (leader, axis, -1.0)]);
    }
    assert_eq!(pinned.mesh.equations.len(), 3);
}

/// Counts and words that would fill the memory, wrap around or be passed over are refused by name.
#[test]
fn rules_that_go_too_far_are_refused() {
    for (extra, words) in [
        ("*NODE\n9000000001,9,9,9\n*NGEN\n1,9000000001,1\n", "do not make a line"),
        ("*ELGEN\n1,4000000000,1,1,4000000000,1,1\n", "too many elements"),
        ("*ELGEN\n1,2,18446744073709551615,1\n", "too large"),
        ("*EQUATION\n6148914691236517206\n", "terms"),
        ("*EQUATION, INPUT=other.inp\n", "INPUT"),
        ("*EQUATION, REMOVE\n2\n1,1,1.,2,1,-1.\n", "REMOVE"),
        ("*SURFACE, NAME=UP\n1, S2\n*TIE, NAME=T, POSITION TOLERANCE=-1\nALL, UP\n", "no distance"),
    ] {
        let told = refused(&cube(extra)).to_string();
        assert!(told.contains(words), "{extra}: {told}");
    }
}

#[test]
fn density_may_be_given_beside_the_deck() {
    let bare = cube("").replace("*DENSITY\n7800\n", "");
    let fault = refused(&bare).to_string();
    assert!(
        fault.contains("material M has no DENSITY") && fault.contains("`density` in the part file"),
        "{fault}"
    );
    let folder = std::env::temp_dir().join(format!("flexura-decks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("bare.inp"), &bare).unwrap();
    let given = abaqus::read_file_with(&folder.join("bare.inp"), &Options { density: Some(100.0) }).unwrap();
    assert!(relative(mass(&given).0, 600.0) < 1e-12);
    // In a part the density is in SI, whatever the deck's units.
    let part = "mesh = \"bare.inp\"\nunits = \"mm-t-s\"\ndensity = 7800\n[[interface]]\nname = \"foot\"\nset = \"ALL\"\n";
    let part = Part::from_text(part, &folder.join("part.toml")).unwrap();
    let (mass, _, _) = assemble::mass_properties(&part.mesh, MassModel::Consistent).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(relative(mass, 7800.0 * 6e-9) < 1e-9, "{mass}");
}

/// Broken decks: a word that must be in the message, and the line.
#[test]
fn broken_cards_are_refused_by_line() {
    for (card, line, word) in [
        ("*EQUATION\n2\n1,1,1.0\n", 19, "2 terms are announced, 1 given"),
        ("*EQUATION\n1\n1,8,1.0\n", 19, "the freedom is `8`"),
        ("*EQUATION\n1\n1,1,a\n", 19, "the factor `a` is no number"),
        ("*EQUATION\n1\n99,1,1.\n", 19, "node 99 does not exist"),
        (
            "*NSET, NSET=A\n1,2\n*NSET, NSET=B\n3,4,5\n*EQUATION\n2\nA,1,1., B,1,1.\n",
            23,
            "different numbers of nodes",
        ),
        ("*TIE, NAME=T\nA, B\n", 19, "there is no surface A"),
        ("*SURFACE, NAME=A, TYPE=NODE\nALL\n*TIE, NAME=T\nA, A\n", 21, "surface A has no faces"),
        ("*TRANSFORM, NSET=ALL\n1,0,0, 2,0,0\n", 19, "the axes have no direction"),
        ("*TRANSFORM, NSET=ALL, TYPE=S\n1,0,0, 0,1,0\n", 18, "TYPE=S is not supported"),
        ("*ORIENTATION, NAME=O, SYSTEM=SPHERICAL\n1,0,0,0,1,0\n", 18, "systems of the kind SPHERICAL"),
        ("*ORIENTATION, NAME=O, DEFINITION=NODES\n1,2\n", 18, "axes given by nodes"),
        ("*MPC\nSLIDER,1,2,3\n", 19, "constraints of type SLIDER"),
        ("*MPC\nPLANE,1,2\n", 19, "make no plane or line"),
        ("*NGEN\n1,2,7\n", 19, "do not make a line of nodes"),
        ("*NGEN\n1,77,1\n", 19, "node 77 does not exist"),
        ("*NFILL\nALL,NONE,2,1\n", 19, "there is no node set NONE"),
        ("*ELGEN\n7,2,1,1\n", 19, "element 7 does not exist"),
        ("*ELGEN\n1,2,1,5\n*ELGEN\n1,2,1,5\n", 21, "element 6 is defined twice"),
        ("*SYSTEM\n0,0,0, 1,0,0\n2,0,0\n", 19, "the axes of the system have no direction"),
        ("*NODE, SYSTEM=X\n9,0,0,0\n", 18, "SYSTEM=X is not known"),
        ("*NODE\n1,9,9,9\n", 19, "node 1 is defined twice"),
        ("*DISTRIBUTING COUPLING, ELSET=E\nALL\n", 18, "not one element of type DCOUP3D"),
        ("*NODAL THICKNESS\nALL,-1.\n", 19, "thickness"),
        ("*USER MATERIAL, CONSTANTS=2\n1.,2.\n", 18, "no linear elasticity"),
        ("*MEMBRANE SECTION, ELSET=E\n1.\n", 18, "this keyword is not supported"),
        ("*ELEMENT, TYPE=C3D20, ELSET=F\n2,1,2,3,4,5,6,7,8\n", 19, "8 nodes instead of 20"),
        ("*ELEMENT, TYPE=C3D6, ELSET=E\n2,1,2,3,5,6,6\n", 19, "names a node twice"),
        ("*ELEMENT, TYPE=SPRING1, ELSET=P\n2,1\n", 19, "element 2 has no value"),
        ("*MATERIAL, NAME=M\n", 18, "material M is defined twice"),
        ("*MATERIAL, NAME=W\n*ELASTIC, TYPE=TRACTION\n1.\n", 19, "type TRACTION are not supported"),
    ] {
        let fault = refused(&cube(card));
        assert!(fault.all().any(|f| f.line == line && f.message.contains(word)), "{card}\n{fault}");
    }
    let thin = refused(
        &(inp("*ELEMENT, TYPE=S4, ELSET=S\n1,1,2,3,4\n") + "*SHELL SECTION, ELSET=S, COMPOSITE\n1.,3,\n"),
    );
    assert!(thin.also().is_empty() && thin.message.contains("names no material"), "{thin}");
    let unstable =
        cube("").replace("*ELASTIC\n2e11, 0.3\n", "*ELASTIC, TYPE=ORTHO\n1.,9.,1.,9.,9.,1.,1.,1.,\n1.\n");
    assert!(refused(&unstable).message.contains("every strain must cost energy"));
}

/// Many faults of one deck, each once, in order, and what the deck has.
#[test]
fn all_that_stands_in_the_way_is_told_at_once() {
    let deck = cube(
        "*ELEMENT, TYPE=CPS4, ELSET=P\n2,1,2,3,4\n3,1,2,3,4\n*SOLID SECTION, ELSET=P, MATERIAL=M\n1.\n*ELEMENT, TYPE=F3D8, ELSET=Q\n\
         4,1,2,3,4,5,6,7,8\n*MATERIAL, NAME=RUBBER\n*HYPERELASTIC, NEO HOOKE\n1.,2.\n*SOLID SECTION, ELSET=Q, MATERIAL=RUBBER\n\
         *ELEMENT, TYPE=C3D4, ELSET=T\n5,1,2,3,5\n*SOLID SECTION, ELSET=T, MATERIAL=GLASS\n*WIND\n1.\n",
    );
    let fault = refused(&deck);
    let told: Vec<String> = fault.all().map(|f| format!("{} {} {}", f.line, f.card, f.message)).collect();
    assert_eq!(
        told,
        [
            "18 *ELEMENT elements of type CPS4 are not supported: plane and axisymmetric elements are no bodies in space (2 of them)",
            "23 *ELEMENT elements of type F3D8 are not supported: fluids and networks of fluids are no structure (1 of them)",
            "26 *HYPERELASTIC this law of a material has no linear elasticity",
            "31 *SOLID SECTION there is no material GLASS",
            "32 *WIND this keyword is not supported",
        ]
    );
    let text = fault.to_string();
    assert!(text.contains("5 things stand in the way of this file"), "{text}");
    assert!(
        text.contains(
            "the deck has 1 C3D4, 1 C3D8, 2 CPS4, 1 F3D8; 8 nodes in a box of 1.0000e0 x 2.0000e0 x 3.0000e0"
        ),
        "{text}"
    );
    assert!(text.contains("look like metre, kilogram, second"), "{text}");
}
