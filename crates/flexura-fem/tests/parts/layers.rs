//! Composite shells and coordinate systems of decks and part files: the same plate said in several ways is the same plate.

use crate::common::relative;
use flexura_fem::import::{Imported, abaqus, gmsh, nastran};
use flexura_fem::part::description::Group;
use flexura_fem::*;
use nalgebra::Vector3;

fn bulk(text: &str) -> Imported {
    nastran::read_text(text, "a.bdf").unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn refused(text: &str) -> String {
    nastran::read_text(text, "a.bdf").map(|_| text.to_owned()).unwrap_err().to_string()
}

/// Nine points of a square of 0.4 m as four quadrilaterals in a format of one's own.
fn square(node: impl Fn(usize, f64, f64) -> String, quad: impl Fn(usize, [usize; 4]) -> String) -> String {
    let at = |row: usize, column: usize| 3 * row + column + 1;
    let nodes = (0..9).map(|i| node(i + 1, 0.2 * (i % 3) as f64, 0.2 * (i / 3) as f64));
    let quads = (0..4).map(|i| {
        let (row, column) = (i / 2, i % 2);
        quad(i + 1, [at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)])
    });
    nodes.chain(quads).collect()
}

const MATERIALS: &str = "MAT8,1,140.+9,10.+9,.3,5.+9,,,1600.\nMAT1,2,70.+9,,.33,2700.\n";

fn nastran_square(property: &str, axis: &str) -> String {
    let node = |n: usize, x: f64, y: f64| format!("GRID,{n},,{x:.3},{y:.3},0.\n");
    let quad = |n: usize, [a, b, c, d]: [usize; 4]| format!("CQUAD4,{n},5,{a},{b},{c},{d},{axis}\n");
    square(node, quad) + MATERIALS + property
}

fn abaqus_square(section: &str) -> String {
    let node =
        |n: usize, x: f64, y: f64| format!("{}{n},{x:.3},{y:.3},0\n", if n == 1 { "*NODE\n" } else { "" });
    let quad = |n: usize, [a, b, c, d]: [usize; 4]| {
        format!("{}{n},{a},{b},{c},{d}\n", if n == 1 { "*ELEMENT, TYPE=S4, ELSET=E\n" } else { "" })
    };
    let materials = "*MATERIAL, NAME=FIBRE\n*ELASTIC, TYPE=LAMINA\n140e9,10e9,.3,5e9,5e9,5e9\n*DENSITY\n1600\n\
                     *MATERIAL, NAME=CORE\n*ELASTIC\n70e9,.33\n*DENSITY\n2700\n*ORIENTATION, NAME=SKEW\n1,1,0, -1,1,0\n";
    square(node, quad) + materials + section
}

/// Free frequencies and mass, which tell layups apart.
fn sound(imported: &Imported) -> Vec<f64> {
    let (mass, center, _) = assemble::mass_properties(&imported.mesh, MassModel::Consistent).unwrap();
    let mut all = crate::common::free_frequencies(&imported.mesh, 6, MassModel::Consistent);
    all.extend([mass, 1.0 + center.z]);
    all
}

fn worst(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| relative(*a, *b)).fold(0.0, f64::max)
}

fn same(left: &[f64], right: &[f64]) {
    assert!(worst(left, right) < 1e-9, "{left:?} {right:?}");
}

fn layup_of(imported: &Imported) -> &Layup {
    assert_eq!(imported.mesh.layups.len(), 1, "elements share their layers");
    &imported.mesh.layups[0]
}

#[test]
fn laminates_of_nastran_have_their_layers() {
    // Empty fields repeat the layer before; Z0 and NSM count.
    let given = bulk(&nastran_square(
        "PCOMP,5,-.001,.75,,,,,\n,1,.00025,30.,,2,.001,0.,\n,1,.0005,-45.,,,,90.\n",
        "",
    ));
    let layup = layup_of(&given);
    let expected = [(0, 0.00025, 30.0), (1, 0.001, 0.0), (0, 0.0005, -45.0), (0, 0.0005, 90.0)];
    assert_eq!(layup.plies.len(), 4);
    for (ply, (material, thickness, degrees)) in layup.plies.iter().zip(expected) {
        assert_eq!((ply.material, ply.thickness), (material, thickness));
        assert!((ply.angle.to_degrees() - degrees).abs() < 1e-12);
    }
    assert!((layup.middle - (-0.001 + 0.001125)).abs() < 1e-15 && layup.additional == 0.75);
    let (mass, center, _) = assemble::mass_properties(&given.mesh, MassModel::Consistent).unwrap();
    let area = 0.16;
    let layers: [(f64, f64); 4] = [(1600.0 * 0.00025, 0.000125), (2.7, 0.00075), (0.8, 0.0015), (0.8, 0.002)];
    let by_hand: f64 = layers.iter().map(|(mass, _)| mass * area).sum::<f64>() + 0.75 * area;
    assert!(relative(mass, by_hand) < 1e-12);
    let first: f64 =
        layers.iter().map(|(mass, z)| mass * area * (z - 0.001)).sum::<f64>() + 0.75 * area * layup.middle;
    assert!(relative(center.z, first / by_hand) < 1e-9);
    // SYM mirrors, PCOMPG numbers its layers.
    let whole = bulk(&nastran_square("PCOMP,5\n,1,.00025,30.,,2,.001,0.\n,2,.001,0.,,1,.00025,30.\n", ""));
    let half = bulk(&nastran_square("PCOMP,5,,,,,,,SYM\n,1,.00025,30.,,2,.001,0.\n", ""));
    let global = bulk(&nastran_square(
        "PCOMPG,5\n,101,1,.00025,30.\n,102,2,.001,0.\n,103,2,.001\n,104,1,.00025,30.\n",
        "",
    ));
    same(&sound(&whole), &sound(&half));
    same(&sound(&whole), &sound(&global));
    assert!(worst(&sound(&whole), &sound(&given)) > 0.01);
    // One layer is PSHELL.
    let single = bulk(&nastran_square("PCOMP,5\n,2,.002\n", ""));
    same(&sound(&single), &sound(&bulk(&nastran_square("PSHELL,5,2,.002,2\n", ""))));
}

/// An angle of the element turns all layers; a system points the axis for all elements.
#[test]
fn axes_of_layers_follow_angle_and_system() {
    let layers = |turn: f64| format!("PCOMP,5\n,1,.0005,{:.1},,1,.0005,{:.1}\n", 20.0 + turn, -50.0 + turn);
    let turned = bulk(&nastran_square(&layers(35.0), ""));
    same(&sound(&turned), &sound(&bulk(&nastran_square(&layers(0.0), "35."))));
    let system = "CORD2R,7,,0.,0.,0.,0.,0.,1.\n,.8191520442889918,.573576436351046,0.\n";
    let by_system = bulk(&(nastran_square(&layers(0.0), "7") + system));
    assert!(worst(&sound(&turned), &sound(&by_system)) < 1e-7, "digits of the deck");
    let basic = bulk(&nastran_square(&layers(0.0), "0"));
    same(&sound(&basic), &sound(&bulk(&nastran_square(&layers(0.0), ""))));
    assert!(worst(&sound(&basic), &sound(&turned)) > 0.01);
    // The same of an orthotropic material without layers.
    let single = |axis: &str| sound(&bulk(&nastran_square("PSHELL,5,1,.001,1\n", axis)));
    same(&single("0"), &single(""));
    assert!(worst(&single("35."), &single("")) > 0.01);
    // A cylindrical system points away from its axis: on the ray through the middle of the first element by 45 degrees.
    let round = bulk(&(nastran_square(&layers(0.0), "8") + "CORD2C,8,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"));
    let Element::Shell(shell) = &round.mesh.elements[0] else { panic!("no shell") };
    let axis = Vector3::from(shell.material_axis.unwrap());
    assert!((axis - Vector3::new(0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0)).amax() < 1e-12);
}

#[test]
fn composites_of_abaqus_are_those_of_nastran() {
    let nastran = bulk(&nastran_square("PCOMP,5\n,1,.00025,30.,,2,.001,0.\n,1,.0005,-45.\n", "0"));
    let read = |section: &str| abaqus::read_text(&abaqus_square(section), "a.inp").unwrap();
    let layers = ".00025,3,FIBRE,30.\n.001,3,CORE,0.\n.0005,3,FIBRE,-45.\n";
    let plain = read(&format!("*SHELL SECTION, ELSET=E, COMPOSITE\n{layers}"));
    layup_of(&plain);
    same(&sound(&nastran), &sound(&plain));
    // Axes of the section, and of a layer, by name: both at 45 degrees.
    let skew = read(&format!("*SHELL SECTION, ELSET=E, COMPOSITE, ORIENTATION=SKEW\n{layers}"));
    let turned = bulk(&nastran_square("PCOMP,5\n,1,.00025,75.,,2,.001,45.\n,1,.0005,0.\n", "0"));
    same(&sound(&turned), &sound(&skew));
    let own =
        read("*SHELL SECTION, ELSET=E, COMPOSITE\n.00025,3,FIBRE,75.\n.001,3,CORE,0.\n.0005,3,FIBRE,SKEW\n");
    let by_hand = bulk(&nastran_square("PCOMP,5\n,1,.00025,75.,,2,.001,45.\n,1,.0005,45.\n", "0"));
    same(&sound(&by_hand), &sound(&own));
    let half = read("*SHELL SECTION, ELSET=E, COMPOSITE, SYMMETRIC\n.00025,3,FIBRE,30.\n.001,,CORE\n");
    let whole = bulk(&nastran_square("PCOMP,5,,,,,,,SYM\n,1,.00025,30.,,2,.001,0.\n", "0"));
    same(&sound(&whole), &sound(&half));
    for (section, said) in [
        ("*SHELL SECTION, ELSET=E, COMPOSITE\n", "no layers"),
        ("*SHELL SECTION, ELSET=E, COMPOSITE\n.001,3,,0.\n", "names no material"),
        ("*SHELL SECTION, ELSET=E, COMPOSITE\n-.001,3,FIBRE,0.\n", "thickness"),
        ("*SHELL SECTION, ELSET=E, COMPOSITE\n.001,3,FIBRE,NOWHERE\n", "there is no orientation NOWHERE"),
        ("*SHELL SECTION, ELSET=E, COMPOSITE, STACK DIRECTION=1\n.001,3,FIBRE,0.\n", "STACK DIRECTION"),
    ] {
        let fault = abaqus::read_text(&abaqus_square(section), "a.inp").unwrap_err().to_string();
        assert!(fault.contains(said), "{fault}");
    }
}

/// A part file's own plate, and a group of a Gmsh file, with the layers of a deck.
#[test]
fn layups_of_part_files_are_those_of_decks() {
    let layup = "layup = [{ material = \"fibre\", thickness = 0.00025, angle_deg = 30 }, { material = \"core\", thickness = 0.001 }, { material = \"fibre\", thickness = 0.0005, angle_deg = -45 }]";
    let part = |plate: &str| {
        format!(
            "name = \"p\"\n[[material]]\nname = \"fibre\"\ndensity = 1600\northotropic = {{ young_1 = 140e9, young_2 = 10e9, poisson_12 = 0.3, shear_12 = 5e9 }}\n\
             [[material]]\nname = \"core\"\ndensity = 2700\nyoung = 70e9\npoisson = 0.33\n\
             [[plate]]\nname = \"skin\"\nedge_x = [0.4, 0, 0]\nedge_y = [0, 0.4, 0]\ncells = [8, 8]\n{plate}\n\
             [[interface]]\nname = \"root\"\nset = \"skin.x0\"\n[reduction]\nmodes = 6\nmethod = \"clamped-free\"\n"
        )
    };
    let read = |plate: &str| {
        let read = Part::from_text(&part(plate), std::path::Path::new("p.toml"));
        read.map_err(|fault| format!("{fault:?} {fault}"))
    };
    let mesh = read(layup).unwrap().mesh;
    assert_eq!(mesh.layups.len(), 1);
    let (mass, ..) = assemble::mass_properties(&mesh, MassModel::Consistent).unwrap();
    assert!(relative(mass, (1600.0 * 0.00075 + 2700.0 * 0.001) * 0.16) < 1e-12);
    for (plate, said) in [
        ("", "thickness"),
        ("layup = []", "no layer"),
        ("layup = [{ material = \"fibre\" }]", "thickness"),
        ("layup = [{ material = \"nylon\", thickness = 0.001 }]", "nylon"),
        ("layup = [{ material = \"fibre\", thickness = 0.001, angle = 0.1 }]", "angle"),
    ] {
        let fault = read(plate).map(|_| plate.to_owned()).unwrap_err();
        assert!(fault.contains(said), "{fault}");
    }
    let head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"skin\"\n$EndPhysicalNames\n$Nodes\n9\n";
    let node = |n: usize, x: f64, y: f64| {
        format!("{n} {x:.3} {y:.3} 0\n{}", if n == 9 { "$EndNodes\n$Elements\n4\n" } else { "" })
    };
    let quad = |n: usize, [a, b, c, d]: [usize; 4]| format!("{n} 3 2 1 1 {a} {b} {c} {d}\n");
    let text = head.to_owned() + &square(node, quad) + "$EndElements\n";
    let fibre = OrthotropicShell { young_1: 140e9, young_2: 10e9, poisson_12: 0.3, shear_12: 5e9 };
    let materials = vec![Material::orthotropic_shell(fibre, 1600.0), Material::isotropic(70e9, 0.33, 2700.0)];
    let ply = |material, thickness, degrees: f64| Ply { material, thickness, angle: degrees.to_radians() };
    let group = Group {
        name: "skin".into(),
        material: 0,
        thickness: Some(0.00175),
        section: None,
        material_axis: Some([1.0, 0.0, 0.0]),
        layup: vec![ply(0, 0.00025, 30.0), ply(1, 0.001, 0.0), ply(0, 0.0005, -45.0)],
    };
    // The same group of a solid.
    let solid =
        text.replace("2 1 \"skin\"", "3 1 \"skin\"").replace("1 3 2 1 1 1 2 5 4", "1 4 2 1 1 1 2 5 4");
    let fault =
        gmsh::read_text(&solid, "a.msh", materials.clone(), std::slice::from_ref(&group)).unwrap_err();
    assert!(fault.to_string().contains("is no surface"), "{fault}");
    let meshed = gmsh::read_text(&text, "a.msh", materials, &[group]).unwrap();
    let deck = bulk(&nastran_square("PCOMP,5\n,1,.00025,30.,,2,.001,0.\n,1,.0005,-45.\n", "0"));
    same(&sound(&deck), &sound(&meshed));
}

/// PARAM,WTMASS scales all mass, that of no layer as well.
#[test]
fn the_unit_of_mass_counts_for_laminates() {
    let deck = nastran_square("PCOMP,5,,5.\n,1,.00025,30.,,2,.001,0.\n", "");
    let mass = |text: &str| {
        assemble::mass_properties(&bulk(text).mesh, MassModel::Consistent).map(|(mass, ..)| mass).unwrap()
    };
    assert!(relative(mass(&(deck.clone() + "PARAM,WTMASS,.001\n")), 1e-3 * mass(&deck)) < 1e-12);
}

#[test]
fn broken_laminates_are_refused_by_line() {
    for (property, said) in [
        ("PCOMP,5\n", "no layers"),
        ("PCOMP,5\n,,.001,0.\n", "the material of a layer"),
        ("PCOMP,5\n,1,-.001,0.\n", "thickness of a layer"),
        ("PCOMP,5\n,9,.001,0.\n", "there is no material 9"),
        ("PCOMP,5,,,,,,,SMEAR\n,1,.001,0.\n", "SMEAR"),
        ("PCOMPG,5,,,,,,,SYM\n,11,1,.001,0.\n", "SYM"),
        ("PCOMP,5\n,1,.001,x\n", "angle of a layer"),
        ("PCOMP,5\n,1,.001,0.\nPSHELL,5,1,.001,1\n", "property 5 is defined twice"),
        ("PSHELL,5,1,.001,1\nPCOMP,5\n,1,.001,0.\n", "property 5 is defined twice"),
    ] {
        let fault = refused(&nastran_square(property, ""));
        assert!(fault.contains(said) && fault.contains("a.bdf:1"), "{fault}");
    }
    for (axis, said) in [("7", "there is no coordinate system 7"), ("-7", "a system has a positive number")] {
        let fault = refused(&nastran_square("PCOMP,5\n,1,.001,0.\n", axis));
        assert!(fault.contains(said), "{fault}");
    }
}

/// One point in all kinds of systems, given by places and by grid points, chained, and as a default.
#[test]
fn points_of_all_systems_are_where_they_are() {
    // System 3: origin (1, 2, 3), z along basic x, x along basic y.
    let base = "CORD2R,3,,1.,2.,3.,2.,2.,3.\n,1.,3.,3.\n";
    let grids = "GRID,1,,1.,2.,3.\nGRID,2,,2.,2.,3.\nGRID,3,,1.,3.,3.\nGRID,7,,0.,1.,0.\n";
    let elements = "CBAR,1,1,1,9,0.,0.,1.\nCBAR,2,1,2,9,0.,0.,1.\nCBAR,3,1,3,9,0.,0.,1.\nCBAR,4,1,7,9,0.,0.,1.\nPBAR,1,1,1.-4,1.-9,1.-9,2.-9\nMAT1,1,2.+11,,.3,7800.\n";
    let place = |systems: &str, grid: &str| {
        let found = bulk(&format!("{base}{grids}{elements}{systems}{grid}\n"));
        Vector3::from(found.mesh.nodes[found.numbers[&9]])
    };
    // In system 3: x = 0.3 cos 40, y = 0.3 sin 40 (basic z), z = 0.5 (basic x).
    let (c, s) = (40.0_f64.to_radians().cos(), 40.0_f64.to_radians().sin());
    let exact = Vector3::new(1.5, 2.0 + 0.3 * c, 3.0 + 0.3 * s);
    let radius = 0.34_f64.sqrt();
    let lean = (0.3_f64 / 0.5).atan().to_degrees();
    let by_places = |kind: char| format!("CORD2{kind},4,,1.,2.,3.,2.,2.,3.\n,1.,3.,3.\n");
    let by_grids = |kind: char| format!("CORD1{kind},4,1,2,3\n");
    let chained = |kind: char| format!("CORD2{kind},4,3,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n");
    for systems in [by_places, by_grids, chained] as [fn(char) -> String; 3] {
        let close = |found: Vector3<f64>| assert!((found - exact).amax() < 1e-9, "{found} {exact}");
        close(place(&systems('R'), &format!("GRID,9,4,{:.12},{:.12},.5", 0.3 * c, 0.3 * s)));
        close(place(&systems('C'), "GRID,9,4,.3,40.,.5"));
        close(place(&systems('S'), &format!("GRID,9,4,{radius:.12},{lean:.12},40.")));
    }
    // The second system of a card; systems on points of systems.
    let two = "CORD1R,5,7,1,2,4,1,2,3\n";
    let found = place(two, "GRID,9,4,.1,.2,.3");
    assert!((found - Vector3::new(1.3, 2.1, 3.2)).amax() < 1e-12, "{found}");
    let defaulted = bulk(&format!(
        "GRDSET,,4\nCORD2C,4,,1.,2.,3.,2.,2.,3.\n,1.,3.,3.\nGRID,9,,.3,40.,.5\nGRID,8,0,1.,1.,1.\nCBAR,1,1,8,9,0.,1.,1.\n{}",
        "PBAR,1,1,1.-4,1.-9,1.-9,2.-9\nMAT1,1,2.+11,,.3,7800.\n"
    ));
    assert!((Vector3::from(defaulted.mesh.nodes[defaulted.numbers[&9]]) - exact).amax() < 1e-9);
    assert_eq!(defaulted.mesh.nodes[defaulted.numbers[&8]], [1.0; 3]);
    for (systems, said) in [
        ("CORD1R,4,1,2,99\nGRID,9,4,0.,0.,0.", "grid point 99 does not exist"),
        ("CORD1R,4,1,2,9\nGRID,9,4,0.,0.,0.", "in a circle"),
        ("CORD2C,4,,0.,0.,0.,0.,0.,1.\n,0.,0.,2.\nGRID,9,4,0.,0.,0.", "on a line"),
        ("CORD2C,3,,0.,0.,0.,0.,0.,1.\n,0.,1.,2.\nGRID,9,3,0.,0.,0.", "system 3 is defined twice"),
        ("GRID,9,44,0.,0.,0.", "there is no coordinate system 44"),
    ] {
        let fault = refused(&format!("{base}{grids}{elements}{systems}\n"));
        assert!(fault.contains(said), "{fault}");
    }
}

/// Long chains of systems cost what their length costs, and a fault is told once, not by every point.
#[test]
fn chains_of_systems_are_found_once() {
    let mut deck = String::from("CORD2R,1,,1.,0.,0.,1.,0.,1.\n,2.,0.,0.\n");
    for number in 2..=300 {
        let before = number - 1;
        deck += &format!("CORD2R,{number},{before},1.,0.,0.,1.,0.,1.\n,2.,0.,0.\n");
    }
    let rest = "GRID,1,,0.,0.,0.\nGRID,2,300,.5,0.,0.\nCBAR,1,1,1,2,0.,0.,1.\nPBAR,1,1,1.-4,1.-9,1.-9,2.-9\nMAT1,1,2.+11,,.3,7800.\n";
    let found = bulk(&(deck.clone() + rest));
    assert_eq!(found.mesh.nodes[found.numbers[&2]], [300.5, 0.0, 0.0]);
    let fault = refused(&(deck.replace("1.,0.,0.,1.,0.,1.\n,2.", "1.,0.,0.,1.,0.,1.\n,1.") + rest));
    assert_eq!(fault.matches("on a line").count(), 1, "{fault}");
}

/// Orientation and offsets of bars are given along the displacement axes of their ends.
#[test]
fn bars_follow_the_displacement_axes_of_their_ends() {
    let deck = |systems: [&str; 2], orientation: &str, offsets: &str| {
        format!(
            "CORD2R,4,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\nGRID,1,,0.,0.,0.,{}\nGRID,2,,2.,0.,0.,{}\nCBAR,1,1,1,2,{orientation}\n,,,{offsets}\n\
             PBAR,1,1,1.-4,5.-9,1.-9,2.-9\nMAT1,1,2.+11,,.3,7800.\n",
            systems[0], systems[1]
        )
    };
    // System 4: x along basic y, y along basic z, z along basic x.
    let plain = bulk(&deck(["", ""], "0.,1.,.5", "0.,.1,.2,0.,.1,.3"));
    let turned = bulk(&deck(["4", "4"], "1.,.5,0.", ".1,.2,0.,.1,.3,0."));
    assert_eq!(plain.mesh.elements, turned.mesh.elements);
    let one = bulk(&deck(["4", ""], "1.,.5,0.", ".1,.2,0.,0.,.1,.3"));
    assert_eq!(plain.mesh.elements, one.mesh.elements);
    let round = deck(["5", ""], "1.,.5,0.", "") + "CORD2C,5,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n";
    assert!(refused(&round).contains("lies on the axis of its displacement system 5"));
}

/// Displacement systems have no say where freedoms are all of a kind, and are refused by name where they have.
#[test]
fn displacement_systems_are_left_where_they_do_not_matter() {
    let deck = |rest: &str| {
        format!(
            "CORD2C,4,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.,4\nGRID,3,,1.,1.,0.\nCBAR,1,1,1,2,0.,0.,1.\nCBAR,2,1,2,3,0.,0.,1.\n\
             PBAR,1,1,1.-4,1.-9,1.-9,2.-9\nMAT1,1,2.+11,,.3,7800.\n{rest}"
        )
    };
    let plain = bulk(&deck("").replace("0.,0.,4\n", "0.,0.\n"));
    same(&sound(&plain), &sound(&bulk(&deck(""))));
    bulk(&deck("GRID,4,,2.,0.,0.\nRBE2,9,4,123456,2\nCONM2,8,4,,1.\n"));
    bulk(&deck("GRID,4,,2.,0.,0.\nRBE2,9,4,123,2\nCONM2,8,4,,1.\n"));
    for rest in [
        "GRID,4,,2.,0.,0.\nRBE2,9,4,12,2\n",
        "CELAS2,9,5.,2,1\n",
        "MPC,5,2,1,1.,3,1,-1.\n",
        "GRID,4,,2.,0.,0.\nRBE3,9,,4,123456,1.,12,2,3\n",
    ] {
        let fault = refused(&deck(rest));
        assert!(fault.contains("grid point 2") && fault.contains("displacement system"), "{fault}");
    }
}
