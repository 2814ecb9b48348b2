//! Attachment shapes with and without inertia relief, selection of modes, orthonormal shapes.

use crate::common::*;
use flexura_fem::linear::solve_definite;
use flexura_fem::*;
use nalgebra::DMatrix;

#[test]
fn attachment_shapes_make_statics_exact() {
    let mesh = bracket();
    let plain =
        Reduction::new("base", ReductionKind::Clamped { modes: 4 }).interface("end").run(&mesh).unwrap();
    let corrected =
        Reduction::new("base", ReductionKind::Attachment { modes: 4 }).interface("end").run(&mesh).unwrap();
    let residual = |model: &ReducedModel| model.report.static_residual.unwrap();
    println!("static residual: modes alone {:.2e}, corrected {:.2e}", residual(&plain), residual(&corrected));
    assert!(residual(&plain) > 1e-2 && residual(&corrected) < 1e-9);
    assert_eq!(corrected.static_shapes, 6);
    // Neither mass nor stiffness couples corrections and modes; modes keep their frequencies.
    for (matrix, what) in [(&corrected.mass, "mass"), (&corrected.stiffness, "stiffness")] {
        let scale = |i: usize, j: usize| (matrix[(i, i)] * matrix[(j, j)]).sqrt();
        let coupling = (0..6).flat_map(|i| (6..10).map(move |j| (i, j)));
        let worst = coupling.map(|(i, j)| matrix[(i, j)].abs() / scale(i, j)).fold(0.0, f64::max);
        println!("{what} coupling {worst:.1e}");
        assert!(worst < 1e-9, "{what}");
    }
    // Corrections have the scale of modes: unit mass.
    let identity = DMatrix::identity(10, 10);
    let scale = (&corrected.mass - identity).amax();
    println!("mass less unit mass {scale:.1e}");
    assert!(scale < 1e-9);
    let pairs = corrected.report.frequencies.iter().zip(&plain.report.frequencies);
    assert!(pairs.into_iter().all(|(a, b)| relative(*a, *b) < 1e-6));
}

/// Free bar pushed at one end: N = F x/L, elastic deflection of the end F L/(3 E A); pushed
/// sideways: E I w'''' = q(x) with the rigid accelerations' line load, end deflection
/// F L^3/(105 E I) (integrated by hand).
#[test]
fn inertia_relief_of_a_free_bar() {
    let (length, section) = (2.0_f64, Section::rectangle(0.02, 0.03).constants().unwrap());
    let mesh = generate::beam(length, 40, steel(), Section::General(section.without_shear())).unwrap();
    let reduce = |kind| Reduction::new("root", kind).interface("tip").run(&mesh).unwrap();
    let corrected = reduce(ReductionKind::FreeAttachment { modes: 3 });
    let plain = reduce(ReductionKind::Free { modes: 3 });
    println!(
        "static residual: modes alone {:.2e}, corrected {:.2e}",
        plain.report.static_residual.unwrap(),
        corrected.report.static_residual.unwrap()
    );
    assert!(corrected.report.static_residual.unwrap() < 1e-8 && plain.report.static_residual.unwrap() > 0.05);
    let deflection = |direction: usize| {
        let row = 6 * mesh.named("tip").unwrap() + direction;
        let load = DMatrix::from_fn(corrected.shapes.ncols(), 1, |shape, _| corrected.shapes[(row, shape)]);
        solve_definite(&corrected.stiffness, &load).unwrap().tr_mul(&load)[(0, 0)]
    };
    let axial = length / (3.0 * steel().young * section.area);
    let sideways = length.powi(3) / (105.0 * steel().young * section.inertia_z);
    println!(
        "axial {:.6e} against {axial:.6e}; sideways {:.6e} against {sideways:.6e}",
        deflection(0),
        deflection(1)
    );
    assert!(relative(deflection(0), axial) < 2e-3 && relative(deflection(1), sideways) < 2e-3);
    // No shape carries rigid momentum.
    let total: f64 = 7800.0 * section.area * length;
    assert!(corrected.report.effective.iter().all(|mode| mode[..3].iter().all(|m| *m < 1e-9 * total)));
}

#[test]
fn selection_by_frequency_and_effective_mass() {
    let mesh = bracket();
    let reduce = |selection| {
        Reduction::new("base", ReductionKind::Clamped { modes: 0 })
            .select(selection)
            .run(&mesh)
            .unwrap()
            .report
    };
    let all = reduce(Selection::Count(20));
    let limit = 0.5 * (all.frequencies[7] + all.frequencies[8]);
    let below = reduce(Selection::Below { frequency: limit });
    assert_eq!(below.frequencies.len(), 8);
    assert!(below.frequencies.iter().zip(&all.frequencies).all(|(a, b)| relative(*a, *b) < 1e-9));
    let free = Reduction::new("base", ReductionKind::Free { modes: 0 });
    let free = free.select(Selection::Below { frequency: limit }).run(&mesh).unwrap().report;
    assert!(free.frequencies.iter().all(|f| *f < limit) && !free.frequencies.is_empty());
    // Shares refer to the mass that can move, the report to all of it.
    let carried = |report: &reduce::TruncationReport, count: usize| {
        (0..3)
            .map(|d| report.effective[..count].iter().map(|mode| mode[d]).sum::<f64>() / report.total[d])
            .fold(f64::INFINITY, f64::min)
    };
    let share = 0.6;
    let chosen = reduce(Selection::EffectiveMass { share, most: 60 });
    let count = chosen.frequencies.len();
    println!(
        "{count} modes carry {:.3}, one less {:.3}",
        carried(&chosen, count),
        carried(&chosen, count - 1)
    );
    assert!(carried(&chosen, count) > 0.95 * share && carried(&chosen, count - 1) < share);
    let refused = Reduction::new("base", ReductionKind::Clamped { modes: 0 })
        .select(Selection::EffectiveMass { share: 0.99, most: 4 })
        .run(&mesh);
    assert!(refused.unwrap_err().to_string().contains("allow more modes"));
}

#[test]
fn orthonormal_shapes_span_the_same() {
    let mesh = bracket();
    let reduction = Reduction::new("base", ReductionKind::CraigBampton { modes: 5 }).interface("end");
    let (plain, clean) = (reduction.run(&mesh).unwrap(), reduction.clone().orthonormal().run(&mesh).unwrap());
    assert_eq!((clean.shapes.ncols(), clean.static_shapes), (11, 0));
    assert!((&clean.mass - DMatrix::identity(11, 11)).amax() < 1e-8);
    let off = (0..11).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| clean.stiffness[(i, j)].abs());
    assert!(off.fold(0.0, f64::max) < 1e-7 * clean.stiffness.amax());
    let pairs = plain.report.frequencies.iter().zip(&clean.report.frequencies);
    assert!(pairs.into_iter().all(|(a, b)| relative(*a, *b) < 1e-7));
    assert!(clean.report.static_residual.unwrap() < 1e-8);
}
