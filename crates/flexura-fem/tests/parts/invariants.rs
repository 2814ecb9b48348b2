//! Invariants from mass pieces, lumped nodes and the mass matrix; bodies given by them.

use crate::common::*;
use flexura::model::description::*;
use flexura_fem::generate::{SolidKind, block};
use flexura_fem::*;

fn with_root(mut mesh: Mesh, at: [f64; 3]) -> Mesh {
    let node = mesh.node(at);
    mesh.links.push(RigidLink::new(node, &mesh.sets["x0"].clone()));
    mesh.name("root", node);
    mesh
}

fn part(kind: &str, fineness: usize, thickness: f64) -> Mesh {
    match kind {
        "beam" => {
            let section = Section::rectangle(2.0 * thickness, thickness);
            generate::beam(0.8, 2 * fineness, steel(), section).unwrap()
        }
        "plate" => {
            let cells = [2 * fineness, fineness];
            with_root(generate::plate([0.6, 0.3], cells, thickness, steel()).unwrap(), [0.0, 0.15, 0.0])
        }
        _ => {
            let cells = [2 * fineness, fineness, fineness.div_ceil(3)];
            let mesh = block([0.6, 0.2, 0.04], cells, SolidKind::Hex8, steel()).unwrap();
            with_root(mesh, [0.0, 0.1, 0.02])
        }
    }
}

fn reduced(mesh: &Mesh, mass: MassModel) -> ReducedModel {
    Reduction::new("root", ReductionKind::Clamped { modes: 4 }).mass(mass).run(mesh).unwrap()
}

fn invariants(mesh: &Mesh, reduced: &ReducedModel, source: InvariantSource) -> ModalInvariants {
    compact_description(mesh, reduced, source, Stiffening::None).unwrap().invariants.unwrap()
}

/// Largest difference of two lists, relative to the largest entry.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

/// Differences in every kind of coefficient, relative to what mass, size and modal mass make of it.
fn differences(a: &ModalInvariants, b: &ModalInvariants) -> [f64; 8] {
    let largest = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let (inertia, modal) = (largest(&a.inertia0), largest(&a.modal));
    let apart = |x: &[f64], y: &[f64], size: f64| {
        x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) / size
    };
    [
        (a.mass - b.mass).abs() / a.mass,
        apart(&a.moment0, &b.moment0, (a.mass * inertia).sqrt()),
        apart(a.moment1.as_flattened(), b.moment1.as_flattened(), (a.mass * modal).sqrt()),
        apart(&a.inertia0, &b.inertia0, inertia),
        apart(a.inertia1.as_flattened(), b.inertia1.as_flattened(), (inertia * modal).sqrt()),
        apart(a.inertia2.as_flattened(), b.inertia2.as_flattened(), modal),
        apart(a.angular0.as_flattened(), b.angular0.as_flattened(), (inertia * modal).sqrt()),
        apart(a.angular1.as_flattened(), b.angular1.as_flattened(), modal),
    ]
}

/// Sums over mass nodes and the compact body hold the same numbers.
#[test]
fn compact_bodies_hold_the_sums_of_their_nodes() {
    for (kind, mass) in
        [("beam", MassModel::Consistent), ("plate", MassModel::Lumped), ("solid", MassModel::Consistent)]
    {
        let mesh = part(kind, 3, 0.02);
        let reduced = reduced(&mesh, mass);
        let nodes = modal_description(&mesh, &reduced, Stiffening::None).unwrap().nodes;
        let sums = ModalInvariants::of_nodes(&nodes, 4);
        let worst = differences(&sums, &invariants(&mesh, &reduced, InvariantSource::Pieces));
        assert!(worst.iter().all(|d| *d < 1e-10), "{kind}: {worst:?}");
    }
    let mesh = part("beam", 3, 0.02);
    let reduced = reduced(&mesh, MassModel::Consistent);
    let nodes = modal_description(&mesh, &reduced, Stiffening::Beams).unwrap().nodes;
    let compact = compact_description(&mesh, &reduced, InvariantSource::Pieces, Stiffening::Beams).unwrap();
    let (a, b) = (ModalInvariants::of_nodes(&nodes, 4), compact.invariants.unwrap());
    assert!(apart(a.moment2.as_flattened(), b.moment2.as_flattened()) < 1e-12);
    assert!(differences(&a, &b).iter().all(|d| *d < 1e-10));
}

/// Unit load cases find the mass integrals of the beam's displacements of second order.
#[test]
fn unit_loads_give_the_integrals_of_the_chain() {
    let worst = |elements: usize| {
        let section = Section::rectangle(0.01, 0.02);
        let mesh = generate::beam(0.8, elements, steel(), section).unwrap();
        let reduced = reduced(&mesh, MassModel::Consistent);
        let [chain, cases] = [Stiffening::Beams, Stiffening::UnitLoads]
            .map(|way| compact_description(&mesh, &reduced, InvariantSource::Pieces, way).unwrap());
        let (a, b) = (chain.invariants.clone().unwrap(), cases.invariants.clone().unwrap());
        let tip = |body: &ModalDescription| {
            body.nodes.iter().find(|node| node.name == "tip").unwrap().quadratic.clone()
        };
        // A straight beam without twist has no integral about its origin: measured in moments times length.
        let size = a.moment2.as_flattened().iter().fold(0.0_f64, |m, x| m.max(x.abs())) * 0.8;
        let spin = a.angular1.as_flattened().iter().zip(b.angular1.as_flattened());
        [
            apart(a.moment2.as_flattened(), b.moment2.as_flattened()),
            spin.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) / size,
            apart(a.inertia2.as_flattened(), b.inertia2.as_flattened()),
            apart(tip(&chain).as_flattened(), tip(&cases).as_flattened()),
        ]
    };
    let (coarse, fine) = (worst(20), worst(40));
    println!("moment, spin, centrifugal, tip: 20 elements {coarse:.6?}, 40 elements {fine:.6?}");
    // About the origin only the rotary inertia of the sections is left, which the chain does not turn.
    let rotary = (0.02_f64 / 0.8).powi(2) / 6.0;
    assert!(coarse[1] < rotary && fine[1] < rotary);
    for place in [0, 2, 3] {
        let (coarse, fine) = (coarse[place], fine[place]);
        assert!(fine < 1e-3 && (fine < 1e-9 || fine < coarse / 3.0));
    }
}

/// B^T M B with nodal velocities of the deformed mesh equals the polynomial of the invariants.
#[test]
fn polynomial_is_the_projected_mass_matrix() {
    for kind in ["beam", "plate", "solid"] {
        let mesh = rotated(&part(kind, 2, 0.02), &oblique());
        let reduced = reduced(&mesh, MassModel::Consistent);
        let sums = invariants(&mesh, &reduced, InvariantSource::MassMatrix);
        let mass = assemble::nodal_mass(&mesh, MassModel::Consistent).unwrap();
        let eta = nalgebra::DVector::from_vec(vec![0.3, -0.2, 0.5, 0.1]);
        let mut moved = mesh.clone();
        let shift = &reduced.shapes * &eta;
        for (node, x) in moved.nodes.iter_mut().enumerate() {
            (0..3).for_each(|i| x[i] += shift[6 * node + i]);
        }
        let origin = nalgebra::Vector3::from(mesh.nodes[reduced.reference]);
        let spin = assemble::rigid_motions(&moved, origin).columns(3, 3).into_owned();
        let inertia = mass.congruence(&spin);
        let coupling = spin.tr_mul(&mass.multiply(&reduced.shapes));
        let places = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        for (part, at) in places.into_iter().enumerate() {
            let mut value = sums.inertia0[part];
            for r in 0..4 {
                value += sums.inertia1[r][part] * eta[r];
                value += (0..4).map(|s| sums.inertia2[4 * r + s][part] * eta[r] * eta[s]).sum::<f64>();
            }
            assert!((value - inertia[at]).abs() < 1e-10 * inertia.amax(), "{kind}");
        }
        for (r, i) in (0..4).flat_map(|r| (0..3).map(move |i| (r, i))) {
            let bent: f64 = (0..4).map(|s| sums.angular1[4 * r + s][i] * eta[s]).sum();
            let value = sums.angular0[r][i] + bent;
            assert!((value - coupling[(i, r)]).abs() < 1e-10 * coupling.amax(), "{kind}");
        }
    }
}

/// Twist with bending swings the tip sideways: both routes agree on every pair of modes.
#[test]
fn unit_loads_give_the_swing_of_twisted_strips() {
    let worst = |elements: usize| {
        let section = Section::rectangle(0.05, 0.002);
        let mesh = generate::beam(0.8, elements, steel(), section).unwrap();
        let reduced = Reduction::new("root", ReductionKind::Clamped { modes: 10 }).run(&mesh).unwrap();
        let tips = [Stiffening::Beams, Stiffening::UnitLoads].map(|way| {
            let body = compact_description(&mesh, &reduced, InvariantSource::Pieces, way).unwrap();
            body.nodes.into_iter().find(|node| node.name == "tip").unwrap().quadratic
        });
        // Along the beam and across it apart: shortening is much larger than the swing.
        let side = |tip: &[[f64; 3]], axis: usize| tip.iter().map(|v| v[axis]).collect::<Vec<_>>();
        [0, 1, 2].map(|axis| apart(&side(&tips[0], axis), &side(&tips[1], axis)))
    };
    let (coarse, fine) = (worst(20), worst(40));
    println!("tip x, y, z: 20 elements {coarse:.6?}, 40 elements {fine:.6?}");
    assert!(coarse.iter().chain(&fine).all(|error| *error < 1e-6));
}

/// Pieces against mass matrix, and lumped against consistent, on finer and finer meshes.
#[test]
fn sources_agree_in_the_limit() {
    for kind in ["beam", "plate", "solid"] {
        let worst = |fineness: usize, other: (InvariantSource, MassModel)| {
            let mesh = part(kind, fineness, 0.001);
            let fine = reduced(&mesh, MassModel::Consistent);
            let mut second = reduced(&mesh, other.1);
            // The same shapes, so that only the mass differs.
            second.shapes.clone_from(&fine.shapes);
            let a = invariants(&mesh, &fine, InvariantSource::Pieces);
            let b = invariants(&mesh, &second, other.0);
            differences(&a, &b).into_iter().fold(0.0, f64::max)
        };
        let matrix = [3, 6, 12].map(|n| worst(n, (InvariantSource::MassMatrix, MassModel::Consistent)));
        let lumped = [3, 6, 12].map(|n| worst(n, (InvariantSource::Pieces, MassModel::Lumped)));
        let order = |e: &[f64; 3]| (e[1] / e[2]).log2();
        println!(
            "{kind}: mass matrix {matrix:.6?} order {:.2}, lumped {lumped:.6?} order {:.2}",
            order(&matrix),
            order(&lumped)
        );
        assert!(order(&lumped) > 1.5, "{kind}");
        assert!(matrix[2] < 1e-10 || order(&matrix) > 1.5, "{kind}");
    }
}

/// Swinging from a hinge under gravity: energy stays, whatever the source and the stiffening.
#[test]
fn compact_bodies_keep_their_energy() {
    for kind in ["beam", "plate", "solid"] {
        let mesh = rotated(&part(kind, 3, 0.02), &oblique());
        for (source, mass, stiffening) in [
            (InvariantSource::Pieces, MassModel::Consistent, Stiffening::UnitLoads),
            (InvariantSource::Pieces, MassModel::Lumped, Stiffening::None),
            (InvariantSource::MassMatrix, MassModel::Consistent, Stiffening::None),
            (InvariantSource::MassMatrix, MassModel::Consistent, Stiffening::UnitLoads),
        ] {
            let model = compact_description(&mesh, &reduced(&mesh, mass), source, stiffening).unwrap();
            let body = BodyDescription::modal("part", model);
            let hinge =
                JointDescription::revolute("hinge", ["ground.origin", "part.origin"], [0.2, 1.0, 0.1]);
            let built =
                Description::new("swing").body(body).joint(hinge.speed(&[8.0])).run_for(0.2).build().unwrap();
            let result = built.simulate().unwrap();
            let (total, kinetic) =
                (result.channel("energy.total").unwrap(), result.channel("energy.kinetic").unwrap());
            let largest = |values: &[f64]| values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let drift: Vec<f64> = total.iter().map(|energy| energy - total[0]).collect();
            let relative = largest(&drift) / largest(&kinetic);
            println!("{kind}, {source:?}, {mass:?}, {stiffening:?}: drift {relative:.1e}");
            assert!(relative < 1e-6);
        }
    }
}

/// Without modes the invariants are those of a rigid body: the swing of a rod about its end.
#[test]
fn invariants_without_modes_are_a_rigid_body() {
    let mesh = part("beam", 4, 0.001);
    let none = Reduction::new("root", ReductionKind::Clamped { modes: 0 }).run(&mesh).unwrap();
    let model = compact_description(&mesh, &none, InvariantSource::Pieces, Stiffening::None).unwrap();
    let hinge = JointDescription::revolute("hinge", ["ground.origin", "rod.origin"], [0.0, 1.0, 0.0]);
    let description = Description::new("rod")
        .gravity([0.0, 0.0, -9.81])
        .body(BodyDescription::modal("rod", model))
        .joint(hinge.speed(&[0.0]))
        .run_for(0.01);
    let result = description.build().unwrap().simulate().unwrap();
    // 3 g/(2 L) about +y turns x towards -z.
    let speed = result.last("hinge.rate").unwrap();
    assert!(relative(speed, 1.5 * 9.81 / 0.8 * 0.01) < 1e-3, "{speed}");
}

#[test]
fn levels_that_need_nodes_are_refused() {
    let mesh = part("beam", 2, 0.02);
    let model = compact_description(
        &mesh,
        &reduced(&mesh, MassModel::Consistent),
        InvariantSource::Pieces,
        Stiffening::None,
    );
    let mut body = BodyDescription::modal("part", model.unwrap());
    body.level = Some(InertiaLevel::Full);
    let joint = JointDescription::weld("wall", ["ground.origin", "part.origin"]);
    let error = Description::new("refused").body(body).joint(joint).build().unwrap_err();
    assert!(error.diagnostics.iter().any(|d| d.code == "level-needs-nodes"), "{error:?}");
}

/// Differences of B^T M B, from the nodal section of a file, and the mass block whose coefficients the
/// sums over the mass matrix are, at a deformation: of the block of velocity and spin, and of all others.
fn nodal_differences(kind: &str, mass: MassModel, fineness: usize) -> [f64; 2] {
    let mesh = part(kind, fineness, 0.01);
    let reduced = reduced(&mesh, mass);
    let body = ReducedBody {
        modal: modal_description(&mesh, &reduced, Stiffening::None).unwrap(),
        mass: reduced.mass.clone(),
        report: reduced.report.clone(),
        nodal: Some(reduced::NodalRows::new(&mesh, &reduced).unwrap()),
        ..Default::default()
    };
    let read = reduced::from_bytes(&reduced::to_bytes(&body)).unwrap();
    assert_eq!(read.nodal, body.nodal);
    let sums = invariants(&mesh, &reduced, InvariantSource::MassMatrix);
    let eta: Vec<f64> = (0..reduced.shapes.ncols()).map(|mode| 0.3 - 0.13 * mode as f64).collect();
    let expected = block_of(&sums, &eta);
    let mut off = read.nodal.as_ref().unwrap().mass_block(&eta).unwrap() - &expected;
    let coupling = off.view((0, 3), (3, 3)).amax();
    off.view_mut((0, 3), (3, 3)).fill(0.0);
    off.view_mut((3, 0), (3, 3)).fill(0.0);
    let [coupling, others] = [coupling, off.amax()].map(|off| off / expected.amax());
    println!("{kind} {mass:?} {fineness}: velocity with spin {coupling:.1e}, others {others:.1e}");
    [coupling, others]
}

/// Where nodes carry all mass (lumped nodes, solids), B^T M B is the polynomial of the sums. With the
/// consistent mass of beams and shells its coupling of velocity and spin is that of nodes that
/// move without turning; the sums take the mode's own momentum there, as momentum must. The
/// two meet in the limit of refinement.
#[test]
fn nodal_rows_contract_to_the_invariants() {
    for kind in ["beam", "plate", "block"] {
        let [coupling, others] = nodal_differences(kind, MassModel::Lumped, 3);
        assert!(coupling < 1e-13 && others < 1e-13, "{kind}");
    }
    let [coupling, others] = nodal_differences("block", MassModel::Consistent, 3);
    assert!(coupling < 1e-13 && others < 1e-13, "block");
    for kind in ["beam", "plate"] {
        let [coarse, fine] = [6, 12].map(|fineness| nodal_differences(kind, MassModel::Consistent, fineness));
        assert!(coarse[1] < 1e-13 && fine[1] < 1e-13, "{kind}");
        assert!(coarse[0] > 1e-5 && fine[0] < 0.3 * coarse[0], "{kind}: second order");
    }
}

/// Mass of (v, w, eta') from the coefficients (book/src/theory/inertia.md (IN.8)).
fn block_of(sums: &ModalInvariants, eta: &[f64]) -> nalgebra::DMatrix<f64> {
    let n = eta.len();
    let mut block = nalgebra::DMatrix::zeros(6 + n, 6 + n);
    let mut moment = nalgebra::Vector3::from(sums.moment0);
    let mut inertia = sums.inertia0;
    for (r, x) in eta.iter().enumerate() {
        moment += nalgebra::Vector3::from(sums.moment1[r]) * *x;
        for i in 0..6 {
            inertia[i] += x * sums.inertia1[r][i];
            (0..n).for_each(|s| inertia[i] += x * eta[s] * sums.inertia2[r * n + s][i]);
        }
        for i in 0..3 {
            let angular =
                sums.angular0[r][i] + (0..n).map(|s| sums.angular1[r * n + s][i] * eta[s]).sum::<f64>();
            (block[(i, 6 + r)], block[(6 + r, i)]) = (sums.moment1[r][i], sums.moment1[r][i]);
            (block[(3 + i, 6 + r)], block[(6 + r, 3 + i)]) = (angular, angular);
        }
        (0..n).for_each(|s| block[(6 + r, 6 + s)] = sums.modal[r * n + s]);
    }
    let arm = -moment.cross_matrix();
    let [xx, xy, xz, yy, yz, zz] = inertia;
    let full = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    for i in 0..3 {
        block[(i, i)] = sums.mass;
        for j in 0..3 {
            (block[(i, 3 + j)], block[(3 + j, i)]) = (arm[(i, j)], arm[(i, j)]);
            block[(3 + i, 3 + j)] = full[i][j];
        }
    }
    block
}
