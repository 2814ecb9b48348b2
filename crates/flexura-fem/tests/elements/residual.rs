//! Residual shapes: what modes miss of the response to accelerations of the frame.

use crate::common::*;
use flexura_fem::linear::solve_definite;
use flexura_fem::part::Part;
use flexura_fem::*;
use nalgebra::DMatrix;
use std::path::Path;

const LENGTH: f64 = 2.0;

fn bar() -> Mesh {
    let section = Section::rectangle(0.02, 0.03).constants().unwrap();
    generate::beam(LENGTH, 40, steel(), Section::General(section.without_shear())).unwrap()
}

fn reduce(kind: ReductionKind, residual: Residual) -> ReducedModel {
    Reduction::new("root", kind).interface("tip").residual(residual).run(&bar()).unwrap()
}

/// Displacement of the node in the middle along `direction` under a line load of 1 N/m there, static shapes held still.
fn sag(model: &ReducedModel, direction: usize) -> f64 {
    let free = model.static_shapes..model.shapes.ncols();
    let (first, count) = (free.start, free.len());
    let step = LENGTH / 40.0;
    let load = DMatrix::from_fn(count, 1, |shape, _| {
        // Consistent forces and moments of a line load on elements of one length: the moments cancel between elements.
        let row = |node: usize| model.shapes[(6 * node + direction, first + shape)];
        (1..40).map(|node| row(node) * step).sum::<f64>()
    });
    let stiffness = model.stiffness.view((first, first), (count, count)).into_owned();
    let found = solve_definite(&stiffness, &load).unwrap();
    (0..count).map(|shape| model.shapes[(6 * 20 + direction, first + shape)] * found[(shape, 0)]).sum()
}

/// A bar held at both ends under its weight: q L^2/(8 E A) along itself, q L^4/(384 E I) sideways (textbook). Four modes of bending
/// know nothing of stretch; with residual shapes both are met at once.
#[test]
fn a_held_bar_sags_as_in_the_textbook() {
    let section = Section::rectangle(0.02, 0.03).constants().unwrap();
    let exact = [
        LENGTH.powi(2) / (8.0 * steel().young * section.area),
        LENGTH.powi(4) / (384.0 * steel().young * section.inertia_z),
        LENGTH.powi(4) / (384.0 * steel().young * section.inertia_y),
    ];
    let kind = ReductionKind::CraigBampton { modes: 4 };
    let (plain, complete) = (reduce(kind, Residual::None), reduce(kind, Residual::Accelerations));
    for (direction, exact) in exact.into_iter().enumerate() {
        let (missed, met) = (sag(&plain, direction), sag(&complete, direction));
        println!(
            "direction {direction}: {missed:.6e} with modes, {met:.6e} with residual shapes, {exact:.6e} by hand"
        );
        assert!(relative(met, exact) < 1e-9, "{met} against {exact}");
        assert!(relative(missed, exact) > 1e-3, "nothing was missing");
    }
}

/// Static shapes and modes stay what they are; the new shapes have unit mass, are coupled with nothing in K and, behind
/// Craig-Bampton shapes, leave interfaces where they are.
#[test]
fn residual_shapes_leave_the_others_alone() {
    for kind in [
        ReductionKind::CraigBampton { modes: 3 },
        ReductionKind::Clamped { modes: 3 },
        ReductionKind::Attachment { modes: 3 },
    ] {
        let plain = reduce(kind, Residual::None);
        let once = reduce(kind, Residual::Accelerations);
        let complete = reduce(kind, Residual::Inertia);
        let old = plain.shapes.ncols();
        let new = complete.shapes.ncols() - old;
        let first = once.shapes.ncols() - old;
        assert!((1..=12).contains(&first), "{first} residual shapes");
        assert!(new > first && new <= 24 + plain.static_shapes, "{new} residual shapes in two steps");
        assert_eq!(complete.shapes.columns(0, old + first), once.shapes);
        assert_eq!(complete.static_shapes, plain.static_shapes);
        assert_eq!(complete.shapes.columns(0, old), plain.shapes);
        let (k, m) = (&complete.stiffness, &complete.mass);
        for added in old..old + new {
            assert!((m[(added, added)] - 1.0).abs() < 1e-9);
            for other in (0..old + new).filter(|other| *other != added) {
                let size = (k[(added, added)] * k[(other, other)]).sqrt();
                assert!(k[(added, other)].abs() < 1e-7 * size, "{kind:?}: {added} and {other}");
            }
        }
        if let ReductionKind::CraigBampton { .. } = kind {
            let tip = 6 * bar().named("tip").unwrap();
            let moved = complete.shapes.view((tip, old), (6, new)).amax();
            assert!(moved < 1e-9 * complete.shapes.columns(old, new).amax(), "{moved}");
        }
    }
}

/// However a bar lies in its mesh: as many shapes, and the same frequencies, twist included.
#[test]
fn a_bar_that_lies_askew_is_the_same_bar() {
    let along = |direction: [f64; 3]| {
        let mut mesh = bar();
        mesh.nodes.iter_mut().for_each(|x| *x = direction.map(|d| d * x[0]));
        Reduction::new("root", ReductionKind::CraigBampton { modes: 4 })
            .interface("tip")
            .residual(Residual::Accelerations)
            .run(&mesh)
            .unwrap()
    };
    let straight = along([1.0, 0.0, 0.0]);
    for direction in [[0.6, 0.8, 0.0], [0.6, 0.64, 0.48], [0.5, -0.5, 0.5f64.sqrt()]] {
        let askew = along(direction);
        assert_eq!(askew.shapes.ncols(), straight.shapes.ncols(), "{direction:?}");
        let pairs = askew.report.frequencies.iter().zip(&straight.report.frequencies);
        for (a, b) in pairs {
            assert!(relative(*a, *b) < 1e-6, "{direction:?}: {a} and {b} Hz");
        }
    }
}

/// A bar that spins about one end, the other held there: u(L/2) = ρ Ω² L³/(16 E) (ρAΩ²x along it, both ends fixed; by hand).
#[test]
fn a_spinning_bar_between_its_ends_stretches_as_by_hand() {
    let complete = reduce(ReductionKind::CraigBampton { modes: 4 }, Residual::Accelerations);
    let (first, count) = (complete.static_shapes, complete.shapes.ncols() - complete.static_shapes);
    let (step, material) = (LENGTH / 40.0, steel());
    let line = material.density * Section::rectangle(0.02, 0.03).constants().unwrap().area;
    let load = DMatrix::from_fn(count, 1, |shape, _| {
        // Linear elements under a load that grows with x: f_i = q h x_i.
        let force = |node: usize| line * step * (node as f64 * step);
        (1..40).map(|node| complete.shapes[(6 * node, first + shape)] * force(node)).sum::<f64>()
    });
    let stiffness = complete.stiffness.view((first, first), (count, count)).into_owned();
    let found = solve_definite(&stiffness, &load).unwrap();
    let middle: f64 = (0..count).map(|s| complete.shapes[(6 * 20, first + s)] * found[(s, 0)]).sum();
    let exact = material.density * LENGTH.powi(3) / (16.0 * material.young);
    println!("{middle:.6e} against {exact:.6e}");
    assert!(relative(middle, exact) < 1e-9);
}

/// Where modes have the response already, nothing is added.
#[test]
fn what_modes_have_gets_no_shape() {
    let kind = ReductionKind::CraigBampton { modes: 234 };
    for residual in [Residual::Accelerations, Residual::Inertia] {
        assert_eq!(reduce(kind, residual).shapes.ncols(), reduce(kind, Residual::None).shapes.ncols());
    }
}

/// Twice the energy of the static response to the inertia of each static shape, by the shapes of a model.
fn inertial_responses(model: &ReducedModel) -> Vec<f64> {
    let loads = model.mass.columns(0, model.static_shapes).into_owned();
    let response = solve_definite(&model.stiffness, &loads).unwrap();
    (0..loads.ncols()).map(|load| loads.column(load).dot(&response.column(load))).collect()
}

/// Four modes and the second step of residual shapes have the response to the inertia of every static shape, as the whole model (all
/// 234 modes between the ends) has it; four modes and the first step do not.
#[test]
fn the_inertia_of_static_shapes_is_answered() {
    let kind = ReductionKind::CraigBampton { modes: 4 };
    let whole = inertial_responses(&reduce(ReductionKind::CraigBampton { modes: 234 }, Residual::None));
    let missed = |residual: Residual| {
        let found = inertial_responses(&reduce(kind, residual));
        found.iter().zip(&whole).map(|(found, whole)| 1.0 - found / whole).fold(0.0, f64::max)
    };
    let (first, second) = (missed(Residual::Accelerations), missed(Residual::Inertia));
    println!("missed of the energy: {first:.1e} with the static response alone, {second:.1e} with both");
    assert!(first > 1e-6, "nothing was missing");
    assert!(second < 2e-8, "the limit is 1e-8 for each load before those after it");
}

/// Frequencies of the bar with its far end free, which no mode kept knows: stretch (2n-1) c/(4 L) by hand, and all others against the whole model.
#[test]
fn frequencies_of_the_free_end_are_right_to_the_next_power() {
    let frequencies = |modes: usize, residual: Residual| {
        let mut found = reduce(ReductionKind::CraigBampton { modes }, residual).report.frequencies.clone();
        found.sort_by(f64::total_cmp);
        found
    };
    let whole = frequencies(234, Residual::None);
    let stretch = (steel().young / steel().density).sqrt() / (4.0 * LENGTH);
    let nearest = |list: &[f64]| list.iter().map(|f| relative(*f, stretch)).fold(f64::MAX, f64::min);
    assert!(nearest(&whole) < 1e-4, "stretch of forty linear elements by hand: {}", nearest(&whole));
    // The six below the first mode left out of the four, at 144 Hz with both ends held.
    let error = |residual: Residual| {
        let found = frequencies(4, residual);
        (0..6).map(|mode| relative(found[mode], whole[mode])).fold(0.0, f64::max)
    };
    let [none, first, second] = [Residual::None, Residual::Accelerations, Residual::Inertia].map(error);
    println!("six frequencies off by {none:.1e} without, {first:.1e} with one step, {second:.1e} with two");
    assert!(second < 0.01 * first && second < 5e-7, "{second:.1e}");
}

#[test]
fn parts_that_have_nothing_to_add_say_so() {
    let text = |method: &str, word: &str| {
        format!(
            "name = \"bar\"\n[[material]]\nname = \"steel\"\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n\
             [[node]]\nname = \"a\"\nposition = [0, 0, 0]\n[[node]]\nname = \"b\"\nposition = [1, 0, 0]\n\
             [[beam]]\nbetween = [\"a\", \"b\"]\nelements = 4\nmaterial = \"steel\"\nsection = {{ rectangle = [0.01, 0.02] }}\n\
             [[interface]]\nname = \"a\"\nnode = \"a\"\n[[interface]]\nname = \"b\"\nnode = \"b\"\n\
             [reduction]\nmethod = \"{method}\"\nresidual = \"{word}\"\n"
        )
    };
    let part = |method: &str, word: &str| Part::from_text(&text(method, word), Path::new("bar.toml"));
    for method in ["free-free", "free-attachment", "all"] {
        let error = part(method, "accelerations").unwrap().reduce(&mut |_| {}).unwrap_err().to_string();
        assert!(
            error.contains("residual shapes complete") || error.contains("nothing to add"),
            "{method}: {error}"
        );
        part(method, "none").unwrap();
    }
    part("craig-bampton", "accelerations").unwrap().reduce(&mut |_| {}).unwrap();
    part("craig-bampton", "inertia").unwrap().reduce(&mut |_| {}).unwrap();
    assert!(part("craig-bampton", "gravity").is_err(), "an unknown word is refused");
}
