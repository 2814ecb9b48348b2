//! Abaqus decks of parts and instances: the same mesh as the flat deck, moved instances, names and numbers of assemblies.

use crate::common::{free_frequencies, relative};
use flexura_fem::import::{Imported, abaqus};
use flexura_fem::*;
use nalgebra::Vector3;

fn read(text: &str) -> Imported {
    abaqus::read_text(text, "a.inp").unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn refused(text: &str) -> String {
    abaqus::read_text(text, "a.inp").map(|_| text.to_owned()).expect_err("refused").to_string()
}

/// A block of 1 x 2 x 3 with an orthotropic material in axes of its own, and a shell on one face of it.
const PART: &str = "*PART, NAME=Brick\n*NODE, NSET=all\n1,0,0,0\n2,1,0,0\n3,1,2,0\n4,0,2,0\n5,0,0,3\n6,1,0,3\n7,1,2,3\n8,0,2,3\n\
*ELEMENT, TYPE=C3D8, ELSET=solid\n1, 1,2,3,4,5,6,7,8\n*ELEMENT, TYPE=S4, ELSET=skin\n2, 5,6,7,8\n\
*NSET, NSET=low, GENERATE\n1,4\n*NSET, NSET=high\n5,6,\n7,8\n*ELSET, ELSET=both\nsolid, skin\n\
*SURFACE, NAME=bottom\nsolid, S1\n*SURFACE, NAME=top\nsolid, S2\n\
*ORIENTATION, NAME=axes\n0.8,0.6,0.,-0.6,0.8,0.\n\
*SOLID SECTION, ELSET=solid, MATERIAL=wood, ORIENTATION=axes\n*SHELL SECTION, ELSET=skin, MATERIAL=steel\n0.02\n*END PART\n";

const MATERIALS: &str = "*MATERIAL, NAME=steel\n*ELASTIC\n2e11,0.3\n*DENSITY\n7800\n*MATERIAL, NAME=wood\n\
*ELASTIC, TYPE=ENGINEERING CONSTANTS\n12e9,1e9,0.5e9,0.3,0.3,0.3,0.7e9,0.6e9,\n0.1e9\n*DENSITY\n600\n";

fn assembly(content: &str) -> String {
    format!("{PART}*ASSEMBLY, NAME=whole\n{content}*END ASSEMBLY\n{MATERIALS}")
}

fn instance(name: &str, place: &str) -> String {
    format!("*INSTANCE, NAME={name}, PART=Brick\n{place}*END INSTANCE\n")
}

fn mass(imported: &Imported) -> (f64, Vector3<f64>) {
    let (mass, centre, _) = assemble::mass_properties(&imported.mesh, MassModel::Consistent).unwrap();
    (mass, centre)
}

/// One instance, unmoved and moved: the same body elsewhere, its material turned along.
#[test]
fn a_moved_instance_is_the_same_body() {
    let still = read(&assembly(&instance("one", "")));
    assert!(still.mesh.sets.contains_key("LOW"), "names of a single part stay");
    let moved = read(&assembly(&instance("one", "10.,20.,30.\n0.,0.,0., 1.,1.,0., 120.\n")));
    assert_eq!(moved.numbers, still.numbers);
    let turn = nalgebra::Rotation3::from_axis_angle(
        &nalgebra::Unit::new_normalize(Vector3::new(1.0, 1.0, 0.0)),
        120_f64.to_radians(),
    );
    for (a, b) in still.mesh.nodes.iter().zip(&moved.mesh.nodes) {
        // First the shift, then the rotation about the axis through the points.
        let expected = turn * (Vector3::from(*a) + Vector3::new(10.0, 20.0, 30.0));
        assert!((expected - Vector3::from(*b)).norm() < 1e-12, "{b:?}");
    }
    let (own, other) = (
        free_frequencies(&still.mesh, 6, MassModel::Consistent),
        free_frequencies(&moved.mesh, 6, MassModel::Consistent),
    );
    for (a, b) in own.iter().zip(&other) {
        assert!(relative(*a, *b) < 1e-8, "{own:?} {other:?}");
    }
    assert!(moved.mesh.sets.contains_key("ONE.LOW"));
}

/// Two instances tied to each other, beside the flat deck of both.
#[test]
fn two_instances_are_the_flat_deck_of_both() {
    let both = instance("a", "") + &instance("b", "0.,0.,3.\n");
    let tied = assembly(&(both.clone() + "*TIE, NAME=t, POSITION TOLERANCE=0.1\nb.bottom, a.top\n"));
    let found = read(&tied);
    // Numbers of the second are raised by the next power of ten.
    assert_eq!(found.numbers.len(), 16);
    assert!(found.numbers.contains_key(&8) && found.numbers.contains_key(&18), "{:?}", found.numbers);
    assert_eq!(found.mesh.nodes[found.numbers[&15]], [0.0, 0.0, 6.0]);
    assert_eq!(found.mesh.sets["B.HIGH"].len(), 4);
    let told = found.notices.iter().any(|notice| notice.contains("A as in its part, B raised by 10"));
    assert!(told, "{:?}", found.notices);
    let flat = "*NODE\n1,0,0,0\n2,1,0,0\n3,1,2,0\n4,0,2,0\n5,0,0,3\n6,1,0,3\n7,1,2,3\n8,0,2,3\n15,0,0,6\n16,1,0,6\n17,1,2,6\n18,0,2,6\n\
*ELEMENT, TYPE=C3D8, ELSET=solid\n1, 1,2,3,4,5,6,7,8\n11, 5,6,7,8,15,16,17,18\n\
*ELEMENT, TYPE=S4, ELSET=skin\n2, 5,6,7,8\n12, 15,16,17,18\n*ORIENTATION, NAME=axes\n0.8,0.6,0.,-0.6,0.8,0.\n\
*SOLID SECTION, ELSET=solid, MATERIAL=wood, ORIENTATION=axes\n*SHELL SECTION, ELSET=skin, MATERIAL=steel\n0.02\n";
    let flat = read(&format!("{flat}{MATERIALS}"));
    assert!(relative(mass(&found).0, mass(&flat).0) < 1e-12);
    let (own, other) = (
        free_frequencies(&found.mesh, 8, MassModel::Consistent),
        free_frequencies(&flat.mesh, 8, MassModel::Consistent),
    );
    println!("{own:?}");
    for (a, b) in own.iter().zip(&other) {
        assert!(relative(*a, *b) < 1e-6, "{own:?} {other:?}");
    }
}

/// Sets, reference points and equations of the assembly name nodes of instances in all of its ways.
#[test]
fn assemblies_name_nodes_of_their_instances() {
    let both = instance("a", "") + &instance("b", "5.,0.,0.\n");
    let found = read(&assembly(
        &(both
            + "*NODE\n1, 2.5,1.,1.5\n*ELEMENT, TYPE=MASS, ELSET=lump\n1, 1\n*MASS, ELSET=lump\n4.\n\
               *NSET, NSET=ends, INSTANCE=b\n2,3\n*NSET, NSET=faces, INSTANCE=b\nhigh\n*NSET, NSET=point\n1\n\
               *NSET, NSET=mixed\na.low, b.low\n\
               *RIGID BODY, NSET=a.high, REF NODE=1\n*COUPLING, REF NODE=point, SURFACE=b.top, CONSTRAINT NAME=c\n*KINEMATIC\n1,3\n\
               *EQUATION\n2\na.1, 1, 1., b.1, 1, -1.\n"),
    ));
    assert_eq!(found.mesh.sets["ENDS"], [found.numbers[&12], found.numbers[&13]]);
    assert_eq!(found.mesh.sets["FACES"].len(), 4);
    assert_eq!(found.mesh.sets["MIXED"].len(), 8);
    // The assembly's own node comes behind the instances.
    assert_eq!(found.mesh.nodes[found.numbers[&21]], [2.5, 1.0, 1.5]);
    assert!((found.mesh.masses[0].mass - 4.0).abs() < 1e-12);
    let [one, other] = [found.numbers[&1], found.numbers[&11]];
    assert_eq!(found.mesh.equations[0].terms, [(one, 0, 1.0), (other, 0, -1.0)]);
    assert_eq!(found.mesh.links.len(), 2);
}

#[test]
fn broken_assemblies_are_refused() {
    let both = instance("a", "") + &instance("b", "5.,0.,0.\n");
    for (text, words) in [
        (assembly(&(both.clone() + "*NSET, NSET=x, INSTANCE=c\n1\n")), "there is no instance C"),
        (assembly("*INSTANCE, NAME=a, PART=Other\n1.,0.,0.\n*END INSTANCE\n"), "there is no part OTHER"),
        (assembly(&instance("a", "1.,0.,0.\n0.,0.,0.,0.,0.,0.,90.\n")), "no direction"),
        (assembly(&instance("a", "1.,x,0.\n")), "`x`, not a number"),
        (assembly(&instance("a", "1.,0.,0.\n0.,0.,0.,1.,0.,0.\n")), "the angle of the rotation"),
        (assembly(&both).replace("*END PART", "*SPRING, ELSET=skin\n\n1e3\n*END PART"), "inside a part"),
        (assembly(&both).replace("3,1,2,0\n", "3,1,two,0\n"), "`two`"),
        (assembly(&(both + "*NSET, NSET=x\nb.99\n")), "there is no node set B.99"),
    ] {
        let message = refused(&text);
        assert!(message.contains(words), "{words}: {message}");
    }
}
