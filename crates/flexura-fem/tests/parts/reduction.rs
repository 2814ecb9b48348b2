//! Reduction: exact statics at the interfaces, frequencies from above, reports.

use crate::common::*;
use flexura_fem::assemble::mass_properties;
use flexura_fem::linear::solve_definite;
use flexura_fem::statics::{Loads, solve};
use flexura_fem::*;
use nalgebra::DMatrix;

fn craig_bampton(mesh: &Mesh, modes: usize) -> ReducedModel {
    Reduction::new("base", ReductionKind::CraigBampton { modes }).interface("end").run(mesh).unwrap()
}

#[test]
fn static_interface_response_is_exact() {
    let mesh = bracket();
    let base = mesh.named("base").unwrap();
    let end = mesh.named("end").unwrap();
    let system = assemble(&mesh, &Supports::none().clamp(&[base]), MassModel::Consistent).unwrap();
    let reduced = craig_bampton(&mesh, 4);
    assert_eq!(reduced.static_shapes, 6);
    let mut worst = 0.0_f64;
    for direction in 0..6 {
        let mut unit = [0.0; 6];
        unit[direction] = 1.0;
        let [fx, fy, fz, mx, my, mz] = unit;
        let load = Loads::none(mesh.nodes.len()).at(end, [fx, fy, fz], [mx, my, mz]).unwrap();
        let full = solve(&system, &load).unwrap();
        let right = DMatrix::from_fn(reduced.shapes.ncols(), 1, |shape, _| {
            reduced.shapes[(6 * end + direction, shape)]
        });
        let answer = &reduced.shapes * solve_definite(&reduced.stiffness, &right).unwrap();
        worst = worst.max((answer.column(0) - &full).amax() / full.amax());
    }
    println!("static response, all nodes, six interface loads: {worst:.2e}");
    println!("static residual of the report: {:.2e}", reduced.report.static_residual.unwrap());
    assert!(worst < 1e-9 && reduced.report.static_residual.unwrap() < 1e-9);
}

#[test]
fn frequencies_converge_from_above() {
    let mesh = bracket();
    let base = mesh.named("base").unwrap();
    let full = held_frequencies(&mesh, &Supports::none().clamp(&[base]), 6, MassModel::Consistent);
    let mut last = f64::INFINITY;
    for modes in [0, 2, 6, 12, 24] {
        let found = craig_bampton(&mesh, modes).report.frequencies;
        let errors: Vec<f64> = found.iter().zip(&full).map(|(a, b)| a / b - 1.0).collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        println!("{modes:2} fixed-interface modes: worst of six {worst:.3e}");
        assert!(errors.iter().all(|error| *error > -1e-9) && worst < last);
        last = worst;
    }
    assert!(last < 2e-3);
}

#[test]
fn statics_and_dynamics_do_not_couple_in_stiffness() {
    let reduced = craig_bampton(&bracket(), 8);
    let block = reduced.stiffness.view((0, 6), (6, 8));
    let scale = reduced.stiffness.amax();
    println!("coupling of static and dynamic shapes: {:.2e}", block.amax() / scale);
    assert!(block.amax() < 1e-9 * scale);
}

#[test]
fn effective_masses_sum_to_the_mass() {
    let mesh = generate::beam(1.0, 10, steel(), Section::rectangle(0.02, 0.03)).unwrap();
    let all = Reduction::new("root", ReductionKind::Clamped { modes: 60 }).run(&mesh).unwrap();
    let few =
        Reduction::new("root", ReductionKind::Clamped { modes: 6 }).interface("tip").run(&mesh).unwrap();
    println!("{}", few.report);
    println!("60 of 60 modes carry {:.6?}", all.report.carried());
    let (mass, ..) = mass_properties(&mesh, MassModel::Consistent).unwrap();
    assert!(relative(all.report.total[0], mass) < 1e-12);
    // What a held node moves with itself is missing: a few per cent of ten elements.
    assert!(all.report.carried().iter().all(|part| *part > 0.85 && *part <= 1.0 + 1e-9));
    assert!(few.report.carried().iter().zip(all.report.carried()).all(|(a, b)| *a <= b + 1e-9));
    assert!(few.report.static_residual.unwrap() > 1e-4);
}

#[test]
fn free_shapes_leave_out_rigid_motions() {
    let mesh = generate::plate([0.5, 0.3], [8, 5], 0.004, steel()).unwrap();
    let mut mesh = rotated(&mesh, &oblique());
    mesh.name("corner", 0);
    let reduced = Reduction::new("corner", ReductionKind::Free { modes: 5 }).run(&mesh).unwrap();
    let carried = reduced.report.carried();
    println!("free: {:.4?} Hz, share of rigid motion {carried:.3?}", reduced.report.frequencies);
    assert!(reduced.report.frequencies[0] > 10.0);
    assert!(carried.iter().all(|part| *part < 1e-9));
}

#[test]
fn lumped_and_consistent_mass_agree_in_the_limit() {
    let gap = |cells: usize| {
        let mesh = generate::plate([0.4, 0.4], [cells, cells], 0.004, steel()).unwrap();
        let supports = Supports::none().clamp(mesh.set("x0").unwrap());
        let found = |model| held_frequencies(&mesh, &supports, 4, model);
        let (consistent, lumped) = (found(MassModel::Consistent), found(MassModel::Lumped));
        consistent.iter().zip(&lumped).map(|(a, b)| relative(*b, *a)).fold(0.0, f64::max)
    };
    let (coarse, fine) = (gap(6), gap(12));
    println!("lumped against consistent: {coarse:.2e} on 6x6x2, {fine:.2e} on 12x12x2");
    assert!(fine < 0.4 * coarse);
}

#[test]
fn interfaces_must_be_independent() {
    let mut mesh = bracket();
    mesh.name("edge", 10);
    let reduction = Reduction::new("base", ReductionKind::CraigBampton { modes: 1 });
    let linked = reduction.clone().interface("edge").run(&mesh).unwrap_err();
    let held = reduction.clone().interface("base").run(&mesh).unwrap_err();
    println!("{linked}\n{held}\n{}", reduction.interface("nowhere").run(&mesh).unwrap_err());
}

/// Both mass models carry the same rigid body in the limit; the consistent one exactly.
#[test]
fn mass_properties_of_a_plate() {
    let (a, b, h) = (0.4, 0.3, 0.004);
    let error = |cells: usize, model: MassModel| {
        let mesh = generate::plate([a, b], [cells, cells], h, steel()).unwrap();
        let (mass, center, inertia) = mass_properties(&mesh, model).unwrap();
        let exact = 7800.0 * a * b * h;
        assert!(relative(mass, exact) < 1e-12 && (center.x - a / 2.0).abs() < 1e-12);
        relative(inertia[(0, 0)], exact * (b * b + h * h) / 12.0)
    };
    let lumped = [8, 16].map(|cells| error(cells, MassModel::Lumped));
    println!("inertia: consistent {:.1e}, lumped {lumped:.5?}", error(8, MassModel::Consistent));
    assert!(error(8, MassModel::Consistent) < 1e-12 && lumped[1] < 0.3 * lumped[0]);
}

#[test]
fn odd_requests_do_not_panic() {
    let mesh = generate::beam(1.0, 3, steel(), Section::circle(0.01)).unwrap();
    for kind in [
        ReductionKind::Clamped { modes: 0 },
        ReductionKind::Free { modes: 0 },
        ReductionKind::CraigBampton { modes: 0 },
        ReductionKind::Clamped { modes: 1000 },
        ReductionKind::CraigBampton { modes: 12 },
        ReductionKind::CraigBampton { modes: 13 },
    ] {
        let verdict = Reduction::new("root", kind).interface("tip").run(&mesh);
        println!("{kind:?}: {:?}", verdict.map(|reduced| reduced.report.frequencies.len()));
    }
    let reduced = Reduction::new("root", ReductionKind::Clamped { modes: 2 }).run(&mesh).unwrap();
    let other = generate::beam(1.0, 4, steel(), Section::circle(0.01)).unwrap();
    println!("{}", modal_description(&other, &reduced, Stiffening::None).unwrap_err());
}
