//! `flexura deck`: what a deck has, and all that stands in its way.

use crate::common::{Folder, has};

const CUBE: &str = "*NODE
1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1
*ELEMENT,TYPE=C3D8,ELSET=ALL
1,1,2,3,4,5,6,7,8
*MATERIAL,NAME=STEEL
*ELASTIC
2.1e11,0.3
*SOLID SECTION,ELSET=ALL,MATERIAL=STEEL
";

/// Mass and frequencies follow the density given for materials that have none: the cube has a volume of one.
#[test]
fn a_density_makes_a_deck_whole() {
    let folder = Folder::new();
    folder.write("cube.inp", CUBE);
    has(&folder.fail(3, &["deck", "cube.inp"]), &["STEEL", "DENSITY"]);
    let found = |density: &str| -> serde_json::Value {
        let text = folder.succeed(&["deck", "cube.inp", "--density", density, "--modes", "3", "--json"]);
        serde_json::from_str(&text).expect("JSON")
    };
    let (light, heavy) = (found("1000"), found("4000"));
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    assert!((number(&light["mass"]) - 1000.0).abs() < 1e-6, "{light}");
    // Six rigid motions come first.
    let first = |found: &serde_json::Value| number(&found["frequencies"][6]);
    assert!((first(&light) / first(&heavy) - 2.0).abs() < 1e-6, "{light} {heavy}");
}

#[test]
fn everything_in_the_way_is_told_at_once() {
    let folder = Folder::new();
    let text = format!(
        "{CUBE}*ELEMENT,TYPE=CAX4,ELSET=FLAT\n2,1,2,3,4\n*MATERIAL,NAME=RUBBER\n*HYPERELASTIC\n1,2\n"
    );
    folder.write("mixed.inp", &text);
    let told = folder.fail(3, &["deck", "mixed.inp"]);
    has(&told, &["mixed.inp:16", "CAX4", "HYPERELASTIC", "things stand in the way", "1 C3D8"]);
}
