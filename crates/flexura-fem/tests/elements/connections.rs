//! Average links, springs, and nodes of solids that cannot turn.

use crate::common::*;
use flexura_fem::generate::{SolidKind, block};
use flexura_fem::statics::{Loads, solve};
use flexura_fem::*;
use nalgebra::{DMatrix, DVector, Vector3};

fn bar() -> Mesh {
    block([0.5, 0.06, 0.04], [20, 4, 4], SolidKind::Hex8, steel()).unwrap()
}

/// The bar with a node at each end: `root` moves its face rigidly, `tip` averages its face.
fn held_bar() -> Mesh {
    let mut mesh = bar();
    let (root, tip) = (mesh.node([0.0, 0.03, 0.02]), mesh.node([0.6, 0.05, 0.01]));
    mesh.links.push(RigidLink::new(root, &mesh.sets["x0"].clone()));
    mesh.averages.push(AverageLink::new(tip, &mesh.sets["x1"].clone()));
    mesh.name("root", root);
    mesh.name("tip", tip);
    mesh
}

/// The dependent motion is the least-squares fit, computed here from stacked equations.
#[test]
fn average_link_is_a_weighted_fit() {
    let mut mesh = held_bar();
    let tip = mesh.named("tip").unwrap();
    for (place, source) in mesh.averages[0].sources.iter_mut().enumerate() {
        source.weight = 0.3 + 0.2 * place as f64;
    }
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let unknowns = DMatrix::from_fn(system.dofs.unknowns(), 1, |row, _| ((row * 37) % 101) as f64 / 101.0);
    let moved = system.dofs.expand(&unknowns);
    let link = &mesh.averages[0];
    let (mut rows, mut right) =
        (DMatrix::zeros(3 * link.sources.len(), 6), DVector::zeros(3 * link.sources.len()));
    for (place, source) in link.sources.iter().enumerate() {
        let arm = Vector3::from(mesh.nodes[source.node]) - Vector3::from(mesh.nodes[tip]);
        let root = source.weight.sqrt();
        for i in 0..3 {
            rows[(3 * place + i, i)] = root;
            right[3 * place + i] = root * moved[(6 * source.node + i, 0)];
            for j in 0..3 {
                rows[(3 * place + i, 3 + j)] = -root * arm.cross_matrix()[(i, j)];
            }
        }
    }
    // The residual of the best fit is orthogonal to every rigid motion.
    let found = moved.rows(6 * tip, 6).column(0).into_owned();
    let residual = &rows * found - &right;
    let slope = rows.tr_mul(&residual).amax();
    println!("slope of the misfit {slope:.1e} beside {:.1e}", rows.tr_mul(&right).amax());
    assert!(residual.norm() > 0.1 && slope < 1e-12 * rows.tr_mul(&right).amax());
}

/// A rigid motion of the sources moves the dependent node rigidly, also with counted rotations.
#[test]
fn average_link_follows_rigid_motion() {
    let mut mesh = generate::plate([0.4, 0.3], [3, 2], 0.01, steel()).unwrap();
    let hub = mesh.node([0.1, 0.5, 0.2]);
    let mut link = AverageLink::new(hub, &mesh.sets["y1"].clone());
    // Nodes on one line: without their rotations the fit is not determined.
    mesh.averages.push(link.clone());
    let refused = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap_err();
    assert!(refused.to_string().contains("on one line"), "{refused}");
    link.sources.iter_mut().for_each(|source| source.freedoms = [true; 6]);
    mesh.averages[0] = link;
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let rigid = assemble::rigid_motions(&mesh, Vector3::new(0.3, -0.2, 0.1));
    let rebuilt = system.dofs.expand(&system.dofs.restrict(&rigid));
    assert!((rebuilt - rigid).amax() < 1e-13);
}

/// A load on an average link spreads without adding stiffness: resultants are kept, and the
/// section may warp, so that the tip is softer than with a rigid face but only slightly.
#[test]
fn loads_through_links_reach_the_beam() {
    let mesh = held_bar();
    let (root, tip) = (mesh.named("root").unwrap(), mesh.named("tip").unwrap());
    let mut stiff = mesh.clone();
    stiff.averages.clear();
    stiff.links.push(RigidLink::new(tip, &mesh.sets["x1"].clone()));
    let load = Loads::none(mesh.nodes.len()).at(tip, [0.0, 0.0, 1.0], [0.0; 3]).unwrap();
    let deflection = |mesh: &Mesh| {
        let system = assemble(mesh, &Supports::none().clamp(&[root]), MassModel::Consistent).unwrap();
        solve(&system, &load).unwrap()[6 * tip + 2]
    };
    let (soft, rigid) = (deflection(&mesh), deflection(&stiff));
    // Load 0.1 m beyond the end and 0.02 m off the axis: bending and twist of a 0.5 m bar.
    let inertia = 0.06 * 0.04_f64.powi(3) / 12.0;
    let torsion = Section::rectangle(0.06, 0.04).constants().unwrap().torsion;
    let (l, a, e) = (0.5_f64, 0.1_f64, steel().young);
    let bending = (l.powi(3) / 3.0 + l * l * a + l * a * a) / (e * inertia);
    let shear = l / (steel().shear() * 0.06 * 0.04 * 5.0 / 6.0);
    let twist = 0.02_f64.powi(2) * l / (steel().shear() * torsion);
    let exact = bending + shear + twist;
    println!("tip through average {soft:.4e}, through rigid face {rigid:.4e}, beam {exact:.4e}");
    assert!(soft > rigid && relative(soft, exact) < 0.02 && relative(rigid, exact) < 0.02);
}

#[test]
fn spring_between_nodes_and_to_the_frame() {
    let axes: [[f64; 3]; 3] = std::array::from_fn(|i| {
        let column = oblique().matrix().column(i).into_owned();
        [column[0], column[1], column[2]]
    });
    let mut mesh = held_bar();
    let (root, tip) = (mesh.named("root").unwrap(), mesh.named("tip").unwrap());
    let far = mesh.node([0.9, 0.3, -0.2]);
    let stiffness = [1e3, 2e3, 3e3, 40.0, 50.0, 60.0];
    mesh.springs.push(Spring { node: tip, other: Some(far), stiffness, axes });
    mesh.masses.push(PointMass { node: far, mass: 1.0, inertia: [[0.0; 3]; 3], offset: [0.0; 3] });
    // Rigid motions store no energy, although the nodes lie apart.
    let free = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let rigid = free.dofs.restrict(&assemble::rigid_motions(&mesh, Vector3::zeros()));
    let force = free.stiffness.multiply(&rigid).amax();
    assert!(force < 1e-8 * free.stiffness.diagonal().into_iter().fold(0.0, f64::max), "{force}");
    // A force and its moment about the middle, so that only one axis is strained.
    let middle = (Vector3::from(mesh.nodes[far]) - Vector3::from(mesh.nodes[tip])) / 2.0;
    let axis = Vector3::from(axes[1]);
    let load = Loads::none(mesh.nodes.len()).at(far, axis.into(), (-middle.cross(&axis)).into()).unwrap();
    let system = assemble(&mesh, &Supports::none().clamp(&[root]), MassModel::Consistent).unwrap();
    let moved = solve(&system, &load).unwrap();
    let vector = |first: usize| Vector3::new(moved[first], moved[first + 1], moved[first + 2]);
    let seen = |node: usize, arm: Vector3<f64>| vector(6 * node) + vector(6 * node + 3).cross(&arm);
    let stretch = axis.dot(&(seen(far, -middle) - seen(tip, middle)));
    assert!(relative(stretch, 1.0 / 2e3) < 1e-9, "{stretch}");
    // To the frame: a bar held by nothing else.
    let mut mesh = held_bar();
    mesh.springs.push(Spring::new(root, None, [1e5, 2e5, 3e5, 1e4, 2e4, 3e4]));
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let load = Loads::none(mesh.nodes.len()).at(root, [0.0, 7.0, 0.0], [0.0, 0.0, 11.0]).unwrap();
    let moved = solve(&system, &load).unwrap();
    // Rounding of the bar's own stiffness, 3e10 N/m beside the 1e4 of the springs: 6e-10 for every sum of a digit lost.
    assert!(
        relative(moved[6 * root + 1], 7.0 / 2e5) < 5e-9 && relative(moved[6 * root + 5], 11.0 / 3e4) < 5e-9
    );
}

#[test]
fn masses_that_cannot_turn_and_circles_are_refused() {
    let mut mesh = bar();
    mesh.masses.push(PointMass { node: 3, mass: 1.0, inertia: [[0.0; 3]; 3], offset: [0.0, 0.1, 0.0] });
    let error = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap_err();
    assert!(error.to_string().contains("cannot turn"), "{error}");
    let mut mesh = bar();
    let (a, b) = (mesh.node([0.7, 0.0, 0.0]), mesh.node([0.8, 0.0, 0.0]));
    let mut faces = mesh.sets["x1"].clone();
    faces.push(b);
    mesh.averages.push(AverageLink::new(a, &faces));
    mesh.links.push(RigidLink::new(a, &[b]));
    let error = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap_err();
    assert!(error.to_string().contains("circle"), "{error}");
}

/// A frame needs a rotation: a node of solids alone is refused as an attachment, by name and by part file,
/// and the remedy works.
#[test]
fn frames_at_nodes_that_cannot_turn_are_refused() {
    let mut mesh = bar();
    let root = mesh.node([0.0, 0.03, 0.02]);
    mesh.links.push(RigidLink::new(root, &mesh.sets["x0"].clone()));
    mesh.name("root", root);
    let tip = mesh.sets["x1"][0];
    mesh.name("tip", tip);
    let reduced = Reduction::new("root", ReductionKind::Clamped { modes: 2 }).run(&mesh).unwrap();
    for fault in [
        modal_description(&mesh, &reduced, Stiffening::None).unwrap_err(),
        compact_description(&mesh, &reduced, InvariantSource::Pieces, Stiffening::None).unwrap_err(),
    ] {
        let words = fault.to_string();
        assert!(
            words.contains("`tip`") && words.contains("no rotation") && words.contains("RBE2"),
            "{words}"
        );
    }
    let deck = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4, ELSET=E\n1, 1, 2, 3, 4\n\
                *NSET, NSET=FOOT\n1, 2, 3\n*NSET, NSET=TOP\n4\n\
                *MATERIAL, NAME=P\n*ELASTIC\n140e9, 0.3\n*DENSITY\n1600\n*SOLID SECTION, ELSET=E, MATERIAL=P\n";
    let folder = std::env::temp_dir().join(format!("flexura-frames-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("t.inp"), deck).unwrap();
    let part = |tip: &str| {
        let text = format!(
            "mesh = \"t.inp\"\n[[interface]]\nname = \"root\"\nset = \"FOOT\"\n[[interface]]\nname = \"tip\"\n{tip}\n\
             [reduction]\nmethod = \"clamped-free\"\nmodes = 1\nstiffening = false\n"
        );
        Part::from_text(&text, &folder.join("t.toml"))
    };
    for tip in ["node = 4", "set = \"TOP\""] {
        let fault = part(tip).unwrap_err().to_string();
        assert!(fault.contains("interface `tip`") && fault.contains("no rotation"), "{fault}");
    }
    let sound = part("set = \"FOOT\"\nconnection = \"average\"").unwrap();
    assert!(sound.reduce(&mut |_| {}).is_ok());
    std::fs::remove_dir_all(folder).unwrap();
}
