//! Beams of Nastran decks: forms of sections, sections that change, pins.

use crate::common::relative;
use flexura_fem::import::{Imported, nastran};
use flexura_fem::*;
use nalgebra::{DMatrix, DVector};

fn read(text: &str) -> Imported {
    nastran::read_text(text, "b.bdf").unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn refused(text: &str) -> String {
    nastran::read_text(text, "b.bdf").map(|_| text.to_owned()).expect_err("refused").to_string()
}

/// A beam along x from 1 to 2 with a property.
fn bar(element: &str, property: &str) -> String {
    format!("GRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\n{element}\nMAT1,1,2.+11,,.25,8000.\n{property}\nENDDATA\n")
}

fn section(imported: &Imported) -> BeamSection {
    let Element::Beam(beam) = imported.mesh.elements[0] else { panic!("a beam") };
    beam.section
}

type Inside = fn(f64, f64, &[f64]) -> bool;

/// Forms with dimensions (mm) and what is inside, straight from the figures: y upwards, z along the width, from the lower left.
fn forms() -> Vec<(&'static str, Vec<f64>, Inside)> {
    vec![
        ("BAR", vec![20.0, 40.0], |y, z, d| y < d[1] && z < d[0]),
        ("BOX", vec![60.0, 40.0, 4.0, 6.0], |y, z, d| {
            let hole = y > d[2] && y < d[1] - d[2] && z > d[3] && z < d[0] - d[3];
            y < d[1] && z < d[0] && !hole
        }),
        ("BOX1", vec![60.0, 40.0, 4.0, 8.0, 6.0, 6.0], |y, z, d| {
            let hole = y > d[3] && y < d[1] - d[2] && z > d[4] && z < d[0] - d[5];
            y < d[1] && z < d[0] && !hole
        }),
        ("I", vec![80.0, 60.0, 40.0, 6.0, 8.0, 10.0], |y, z, d| {
            let beside = (z - 30.0).abs();
            match y {
                y if y < d[4] => beside < d[1] / 2.0,
                y if y > d[0] - d[5] => y < d[0] && beside < d[2] / 2.0,
                _ => beside < d[3] / 2.0,
            }
        }),
        ("I", vec![80.0, 60.0, 60.0, 6.0, 8.0, 8.0], |y, z, d| {
            let beside = (z - 30.0).abs();
            if !(8.0..=72.0).contains(&y) { y < 80.0 && beside < 30.0 } else { beside < d[3] / 2.0 }
        }),
        ("I1", vec![40.0, 6.0, 60.0, 76.0], |y, z, d| {
            let web = z > d[0] / 2.0 && z < d[0] / 2.0 + d[1];
            let flange = !(8.0..68.0).contains(&y);
            y < d[3] && z < d[0] + d[1] && (web || flange)
        }),
        ("CHAN", vec![40.0, 80.0, 6.0, 8.0], |y, z, d| {
            y < d[1] && z < d[0] && (z < d[2] || y < d[3] || y > d[1] - d[3])
        }),
        ("CHAN1", vec![34.0, 6.0, 64.0, 80.0], |y, z, d| {
            y < d[3] && z < d[0] + d[1] && (z < d[1] || !(8.0..72.0).contains(&y))
        }),
        ("CHAN2", vec![6.0, 8.0, 50.0, 40.0], |y, z, d| {
            y < d[2] && z < d[3] && (y < d[1] || z < d[0] || z > d[3] - d[0])
        }),
        ("T", vec![60.0, 50.0, 8.0, 6.0], |y, z, d| {
            y < d[1] && (y > d[1] - d[2] && z < d[0] || (z - d[0] / 2.0).abs() < d[3] / 2.0)
        }),
        ("T2", vec![60.0, 50.0, 8.0, 6.0], |y, z, d| {
            y < d[1] && (y < d[2] && z < d[0] || (z - d[0] / 2.0).abs() < d[3] / 2.0)
        }),
        ("T1", vec![60.0, 40.0, 8.0, 6.0], |y, z, d| {
            y < d[0] && z < d[1] + d[2] && (z < d[2] || (y - d[0] / 2.0).abs() < d[3] / 2.0)
        }),
        ("CROSS", vec![40.0, 8.0, 60.0, 6.0], |y, z, d| {
            let whole = d[0] + d[1];
            y < d[2]
                && z < whole
                && ((z - whole / 2.0).abs() < d[1] / 2.0 || (y - d[2] / 2.0).abs() < d[3] / 2.0)
        }),
        ("H", vec![30.0, 20.0, 60.0, 6.0], |y, z, d| {
            let whole = d[0] + d[1];
            let web = (y - d[2] / 2.0).abs() < d[3] / 2.0;
            y < d[2] && z < whole && ((z - whole / 2.0).abs() > d[0] / 2.0 || web)
        }),
        ("HAT", vec![50.0, 4.0, 40.0, 16.0], |y, z, d| {
            let (whole, t) = (d[2] + 2.0 * d[3], d[1]);
            let beside = (z - whole / 2.0).abs();
            let hat = beside < d[2] / 2.0 && (y > d[0] - t || beside > d[2] / 2.0 - t);
            y < d[0] && z < whole && (hat || y < t && beside > d[2] / 2.0)
        }),
    ]
}

/// Area and second moments about z and y of what is inside, by millimetre squares.
fn counted(dimensions: &[f64], inside: Inside) -> [f64; 3] {
    let mut squares = Vec::new();
    for y in 0..120 {
        for z in 0..120 {
            let place = [f64::from(y) + 0.5, f64::from(z) + 0.5];
            if inside(place[0], place[1], dimensions) {
                squares.push(place);
            }
        }
    }
    let area = squares.len() as f64;
    let middle = [0, 1].map(|i| squares.iter().map(|place| place[i]).sum::<f64>() / area);
    let own = area / 12.0;
    let second = |i: usize| own + squares.iter().map(|place| (place[i] - middle[i]).powi(2)).sum::<f64>();
    [area, second(0), second(1)]
}

#[test]
fn forms_have_the_constants_of_their_figures() {
    for (name, dimensions, inside) in forms() {
        let list: Vec<String> = dimensions.iter().map(|d| format!("{d:?}")).collect();
        let text = bar("CBAR,1,1,1,2,0.,1.,0.", &format!("PBARL,1,1,,{name}\n,{}", list.join(",")));
        let found = section(&read(&text));
        let [area, second_z, second_y] = counted(&dimensions, inside);
        println!("{name}: {area} {second_z:.1} {second_y:.1}, torsion {:.1}", found.torsion);
        for (found, expected) in
            [(found.area, area), (found.inertia_z, second_z), (found.inertia_y, second_y)]
        {
            assert!(relative(found, expected) < 1e-9, "{name}: {found} against {expected}");
        }
        assert!(found.torsion > 0.0 && found.torsion < 1.01 * (found.inertia_y + found.inertia_z), "{name}");
        assert!(found.shear_area_y > 0.0 && found.shear_area_y < area, "{name}");
        assert!(found.shear_area_z > 0.0 && found.shear_area_z < area, "{name}");
        // Corners of the outline lie about the centroid: the normal stress of bending about y and z has both signs.
        let fibres = found.outline.expect("an outline").fibres(found.torsion);
        for axis in 0..2 {
            let reach = |sign: f64| fibres.iter().map(|fibre| sign * fibre.place[axis]).fold(0.0, f64::max);
            assert!(reach(1.0) > 0.0 && reach(-1.0) > 0.0, "{name}");
        }
    }
}

/// Tip displacements of a cantilever (node 1 held) under a unit force and moment on node 2.
fn tip(imported: &Imported, force: [f64; 3], moment: [f64; 3]) -> DVector<f64> {
    let root = imported.numbers[&1];
    let system =
        assemble(&imported.mesh, &Supports::none().clamp(&[root]), MassModel::Consistent).expect("matrices");
    let loads = statics::Loads::none(imported.mesh.nodes.len())
        .at(imported.numbers[&2], force, moment)
        .expect("a load");
    let all = statics::solve(&system, &loads).expect("a solution");
    all.rows(6 * imported.numbers[&2], 6).into_owned()
}

/// A cantilever whose section falls linearly to a half: the unit-load integrals of x²/(E I(x)) and 1/(E A(x)).
#[test]
fn sections_that_change_bend_as_by_the_integrals() {
    let end = "YES,1.,2.-4,1.-8,.5-8,,1.-8,.4";
    for property in [
        format!("PBEAM,1,1,4.-4,2.-8,1.-8,,2.-8,.8\n,,,,,,,,\n,{end}\n,,,,,,,,\n,0.,0."),
        // Squares whose sides shrink: constants at the ends, linear between.
        "PBEAML,1,1,,BAR\n,.02,.02,.8,YES,1.,.01,.01,.8".to_owned(),
    ] {
        let imported = read(&bar("CBEAM,1,1,1,2,0.,1.,0.", &property));
        assert_eq!(imported.mesh.elements.len(), 8);
        let square = property.contains("BAR");
        let [a0, a1] = if square { [4e-4, 1e-4] } else { [4e-4, 2e-4] };
        let [i0, i1] = if square { [0.02_f64.powi(4) / 12.0, 0.01_f64.powi(4) / 12.0] } else { [2e-8, 1e-8] };
        let n = 20000;
        let at = |k: usize| (k as f64 + 0.5) / n as f64;
        let sum = |f: &dyn Fn(f64) -> f64| (0..n).map(|k| f(at(k)) * 2.0 / n as f64).sum::<f64>();
        let bend = sum(&|s| (2.0 * (1.0 - s)).powi(2) / (2e11 * (i0 + (i1 - i0) * s)));
        let shear =
            if square { sum(&|s| 1.0 / (2e11 / 2.5 * 5.0 / 6.0 * (a0 + (a1 - a0) * s))) } else { 0.0 };
        let stretch = sum(&|s| 1.0 / (2e11 * (a0 + (a1 - a0) * s)));
        // Eight pieces with the constants in their middles: errors of second order of an eighth, larger where the second moment falls
        // to a sixteenth than to a half.
        let found = tip(&imported, [0.0, 1.0, 0.0], [0.0; 3])[1];
        println!("{found:.6e} against {:.6e}", bend + shear);
        assert!(relative(found, bend + shear) < if square { 8e-3 } else { 3e-3 });
        assert!(relative(tip(&imported, [1.0, 0.0, 0.0], [0.0; 3])[0], stretch) < 1e-2);
        // Mass: the mean of the linear areas, and of the mass per length.
        let (mass, centre, _) =
            assemble::mass_properties(&imported.mesh, MassModel::Consistent).expect("a mass");
        let line = if square { 0.8 } else { 0.6 };
        assert!(relative(mass, 8000.0 * (a0 + a1) + 2.0 * line) < 1e-9, "{mass}");
        assert!(centre[0] < 1.0 && centre[0] > 0.8, "{centre}");
    }
    // Ends that are equal are one element.
    let same = "PBEAM,1,1,4.-4,2.-8,1.-8,,2.-8,.8\n,,,,,,,,\n,YES,1.,4.-4";
    assert_eq!(read(&bar("CBEAM,1,1,1,2,0.,1.,0.", same)).mesh.elements.len(), 1);
    let same = "PBEAML,1,1,,BAR\n,.02,.02,.8";
    assert_eq!(read(&bar("CBEAM,1,1,1,2,0.,1.,0.", same)).mesh.elements.len(), 1);
}

/// Two bars in line between walls; the second is pinned to the first in bending: a hinge. Beside one whose hinge is made of springs.
#[test]
fn pins_are_hinges() {
    let deck = |pins: &str| {
        format!(
            "GRID,1,,0.,0.,0.\nGRID,3,,1.,0.,0.\nGRID,2,,2.,0.,0.\nCBAR,1,1,1,3,0.,1.,0.\nCBAR,2,1,3,2,0.,1.,0.\n{pins}\n\
             PBAR,1,1,4.-4,2.-8,1.-8,2.-8\nMAT1,1,2.+11,,.25,8000.\nENDDATA\n"
        )
    };
    let imported = read(&deck(",56"));
    // The load on the hinge is carried by the first bar alone, L³/(3 E I); the second hangs on it without strain.
    let root = imported.numbers[&1];
    let (middle, far) = (imported.numbers[&3], imported.numbers[&2]);
    let supports = Supports::none().clamp(&[root, far]);
    let system = assemble(&imported.mesh, &supports, MassModel::Consistent).expect("matrices");
    let loads = statics::Loads::none(3).at(middle, [0.0, 1.0, 0.0], [0.0; 3]).expect("a load");
    let found = statics::solve(&system, &loads).expect("a solution")[6 * middle + 1];
    // Both cantilevers push back alike: half of one.
    assert!(relative(found, 1.0 / (3.0 * 2e11 * 2e-8) / 2.0) < 1e-9, "{found}");
    let stiff = read(&deck(""));
    let system = assemble(&stiff.mesh, &supports, MassModel::Consistent).expect("matrices");
    let whole = statics::solve(&system, &loads).expect("a solution")[6 * middle + 1];
    assert!(relative(whole, 8.0 / (192.0 * 2e11 * 2e-8)) < 1e-9, "{whole}");
    // At the other end, which is held: the same as a bar on a hinge there, 7 P L³/(768 E I).
    let propped = read(&deck(",,56"));
    let system = assemble(&propped.mesh, &supports, MassModel::Consistent).expect("matrices");
    let found = statics::solve(&system, &loads).expect("a solution")[6 * middle + 1];
    assert!(relative(found, 7.0 * 8.0 / (768.0 * 2e11 * 2e-8)) < 1e-9, "{found}");
    let Element::Beam(beam) = imported.mesh.elements[1] else { panic!("a beam") };
    assert_eq!(beam.pins, [[false, false, false, false, true, true], [false; 6]]);
    let fields = DMatrix::from_fn(18, 1, |row, _| if row == 6 * middle + 5 { 1.0 } else { 0.0 });
    let forces = recovery::section_force_rows(&imported.mesh, 1, 0.0, &fields).expect("forces");
    assert!(forces.amax() < 1e-6, "{forces}");
    let forces = recovery::section_force_rows(&stiff.mesh, 1, 0.0, &fields).expect("forces");
    assert!(forces.amax() > 1e3);
    // The mass follows: its rigid motions are untouched.
    let free = assemble(&imported.mesh, &Supports::none(), MassModel::Consistent).expect("matrices");
    let rigid = free.dofs.restrict(&assemble::rigid_motions(&imported.mesh, nalgebra::Vector3::zeros()));
    assert!(free.stiffness.congruence(&rigid).amax() < 1e-3);
    assert!(relative(free.mass.congruence(&rigid)[(0, 0)], 2.0 * 8000.0 * 4e-4) < 1e-12);
}

#[test]
fn broken_beams_are_refused_by_their_cards() {
    let line = "CBAR,1,1,1,2,0.,1.,0.";
    for (element, property, words) in [
        (line, "PBARL,1,1,,ZZ\n,1.,2.", "supported: ROD, TUBE"),
        (line, "PBARL,1,1,,L\n,60.,50.,8.,6.", "sections of type L"),
        (line, "PBARL,1,1,,T\n,60.,50.,8.", "a dimension"),
        (line, "PBARL,1,1,,T\n,60.,50.,60.,6.", "must be positive"),
        (line, "PBARL,1,1,,BOX\n,60.,40.,30.,6.", "inside its walls"),
        (line, "PBEAML,1,1,,T\n,60.,50.,8.,6.", "shear centre"),
        (line, "PBEAM,1,1,4.-4,2.-8,1.-8,,2.-8\n,,,,,,,,\n,YES,.5,2.-4", "no second end"),
        (line, "PBEAM,1,1,4.-4,2.-8,1.-8,,2.-8\n,,,,,,,,\n,YES,1.5,2.-4", "1.5 of the length"),
        (line, "PBEAM,1,1,4.-4,2.-8,1.-8,,2.-8\n,,,,,,,,\n,YES,1.,-2.-4", "positive"),
        (line, "PBEAM,1,1,4.-4,2.-8,1.-8,1.-9,2.-8", "product of inertia"),
        ("CBAR,1,1,1,2,0.,1.,0.\n,7", "PBAR,1,1,4.-4,3.-8,1.-8,2.-8", "digits from 1 to 6"),
    ] {
        let message = refused(&bar(element, property));
        assert!(message.contains(words), "{property}: {message}");
    }
    // Pins that leave the bar loose: turning about its axis, or along it.
    for pins in [",4,4", ",1,1", ",56,256"] {
        let imported = read(&bar(&format!("CBAR,1,1,1,2,0.,1.,0.\n{pins}"), "PBAR,1,1,4.-4,3.-8,1.-8,2.-8"));
        let fault =
            assemble(&imported.mesh, &Supports::none(), MassModel::Consistent).expect_err(pins).to_string();
        assert!(fault.contains("loose"), "{pins}: {fault}");
    }
}
