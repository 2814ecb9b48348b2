//! Level `gram`: definite for every deformation, exact to first order, closer to `full` with more carriers.

use crate::common::random_model::{Random, Recipe};
use flexura::beam::{Boundary, ModeCounts, Section, SectionProperties};
use flexura::build;
use flexura::model::Body;
use flexura::model::body::InertiaModel;
use flexura::model::description::*;

const STEEL: [f64; 3] = [7850.0, 2.1e11, 8.1e10];
const LENGTH: f64 = 1.0;

fn beam(boundary: Boundary, counts: ModeCounts, section: Section, level: InertiaLevel) -> Body {
    let [density, young, shear] = STEEL;
    let beam = BeamDescription::new(LENGTH, density, young, shear, section).modes(boundary, counts);
    let body = BodyDescription::beam("beam", beam).level(level);
    let joint = JointDescription::free("float", ["ground.origin", "beam.origin"]);
    let built = Description::new("one").body(body).joint(joint).build().expect("valid");
    built.model.bodies[0].clone()
}

/// Random modal coordinates whose largest displacement of a mass node is `deflection` times the length.
fn deflected(body: &Body, deflection: f64, random: &mut Random) -> Vec<f64> {
    // Coordinates of equal displacement, so that no mode hides behind another.
    let shift = |r: usize| {
        let moved = |node: &flexura::model::body::MassNode| {
            let (t, s) = (&node.shape.translations[r], &node.shape.slopes[r]);
            t.iter().chain(s).fold(0.0_f64, |m, x| m.max(x.abs()))
        };
        body.nodes.iter().map(moved).fold(1e-300, f64::max)
    };
    let raw: Vec<f64> = (0..body.modes).map(|r| random.between(-1.0, 1.0) / shift(r)).collect();
    let largest = body.nodes.iter().map(|node| {
        let moved = raw.iter().zip(&node.shape.translations).zip(&node.shape.slopes);
        let sum = moved.fold([0.0; 6], |mut sum, ((x, t), s)| {
            (0..3).for_each(|i| sum[i] += x * t[i]);
            (0..3).for_each(|i| sum[i + 3] += x * s[i]);
            sum
        });
        sum[..3].iter().map(|x| x * x).sum::<f64>().sqrt().max(sum[3].abs())
    });
    let largest = largest.fold(1e-300, f64::max);
    raw.iter().map(|x| x * deflection * LENGTH / largest).collect()
}

/// Whether a symmetric matrix, scaled to a unit diagonal, has a Cholesky factor.
fn is_definite(mass: &[f64]) -> bool {
    let n = mass.len().isqrt();
    let size: Vec<f64> = (0..n).map(|i| mass[i * (n + 1)].sqrt()).collect();
    let mut scaled: Vec<f64> = (0..n * n).map(|k| mass[k] / (size[k / n] * size[k % n])).collect();
    scaled.iter().all(|x| x.is_finite()) && flexura::linear::cholesky_in_place(&mut scaled, n).is_ok()
}

/// Kinds of modes tried: one plane, both, with stretch, with twist, everything.
fn counts(kind: usize, modes: usize) -> ModeCounts {
    let share = |parts: usize, part: usize| modes / parts + usize::from(part < modes % parts);
    match kind {
        0 => ModeCounts { bending_y: modes, ..ModeCounts::default() },
        1 => ModeCounts { bending_y: share(2, 0), bending_z: share(2, 1), ..ModeCounts::default() },
        2 => ModeCounts { bending_y: share(2, 0), axial: share(2, 1), ..ModeCounts::default() },
        3 => ModeCounts {
            bending_y: share(3, 0),
            bending_z: share(3, 1),
            torsion: share(3, 2),
            ..ModeCounts::default()
        },
        _ => ModeCounts {
            bending_y: share(4, 0),
            bending_z: share(4, 1),
            torsion: share(4, 2),
            axial: share(4, 3),
        },
    }
}

/// Clamped, free, pinned and interface-static beams, 1 to 40 modes in one or two planes, with twist and
/// stretch, to half their length: every mass block of the free body is positive definite. At level
/// `consistent` many of the same blocks are not.
#[test]
fn mass_blocks_are_definite_at_every_deformation() {
    let boundaries =
        [Boundary::ClampedFree, Boundary::FreeFree, Boundary::PinnedPinned, Boundary::InterfaceStatic];
    let sections = [
        Section::Circle { radius: 0.005 },
        Section::Rectangle { width_y: 0.002, height_z: 0.04 },
        Section::Tube { outer_radius: 0.03, inner_radius: 0.028 },
    ];
    let mut random = Random::new(18);
    let (mut states, mut failures, mut before) = (0, 0, 0);
    for modes in [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 35, 40] {
        for boundary in boundaries {
            for kind in 0..5 {
                let section = sections[(modes + kind) % sections.len()];
                let level = |level| beam(boundary, counts(kind, modes), section, level);
                let (gram, consistent) = (level(InertiaLevel::Gram), level(InertiaLevel::Consistent));
                for _ in 0..34 {
                    let eta = deflected(&gram, random.between(0.001, 0.5), &mut random);
                    let still = vec![0.0; eta.len()];
                    let block = |body: &Body| body.mass_and_bias(&eta, &still, &[0.0; 3]).0;
                    states += 1;
                    failures += usize::from(!is_definite(&block(&gram)));
                    before += usize::from(!is_definite(&block(&consistent)));
                }
            }
        }
    }
    println!("{states} states: {failures} not definite, at level consistent {before}");
    assert!(states >= 10_000);
    assert_eq!(failures, 0);
    assert!(before > states / 2, "the states are too tame to tell: {before}");
}

/// Largest difference of the blocks of two levels, by block: modal, angular-modal, linear-modal, angular, moment.
fn block_differences(a: &[f64], b: &[f64], n: usize) -> [f64; 5] {
    let size = n + 6;
    let mut out = [0.0_f64; 5];
    for i in 0..size {
        for j in 0..=i {
            let block = match (i, j) {
                _ if i < n => 0,
                _ if i < n + 3 && j < n => 1,
                _ if j < n => 2,
                _ if i < n + 3 => 3,
                _ => 4,
            };
            out[block] = out[block].max((a[i * size + j] - b[i * size + j]).abs());
        }
    }
    out
}

/// The body of one random description at another level.
fn at_level(body: &BodyDescription, level: InertiaLevel, carriers: Carriers) -> Body {
    let mut body = body.clone();
    body.level = Some(level);
    body.carriers = Some(carriers);
    let joint = JointDescription::free("float", ["ground.origin", &format!("{}.origin", body.name)]);
    Description::new("one").body(body).joint(joint).build().expect("valid").model.bodies[0].clone()
}

/// Random bodies of nodes and modes with second-order displacements, offsets and rotary inertia: against `full`,
/// all blocks differ at second order, mass moment and angular inertia at third. With affine carriers
/// alone the modal mass differs at first order.
#[test]
fn all_blocks_are_exact_to_first_order() {
    let mut worst = [f64::INFINITY; 5];
    let mut first_order = 0;
    for seed in 1..=30 {
        let mut random = Random::new(seed);
        let description = Recipe { bodies: 4, ..Recipe::small(InertiaLevel::Gram) }.describe(&mut random);
        for body in description.bodies.iter().filter(|body| body.level.is_some()) {
            let full = at_level(body, InertiaLevel::Full, Carriers::Modal);
            let n = full.modes;
            let (eta, still) = (random.numbers(n, 1.0), vec![0.0; n]);
            let differ = |carriers: Carriers, scale: f64| {
                let gram = at_level(body, InertiaLevel::Gram, carriers);
                let eta: Vec<f64> = eta.iter().map(|x| scale * x).collect();
                let [a, b] = [&gram, &full].map(|body| body.mass_and_bias(&eta, &still, &[0.0; 3]).0);
                block_differences(&a, &b, n)
            };
            let [coarse, fine] = [2e-2, 1e-2].map(|scale| differ(Carriers::Modal, scale));
            for (order, (coarse, fine)) in worst.iter_mut().zip(coarse.iter().zip(fine)) {
                if fine > 1e-10 {
                    *order = order.min((coarse / fine).log2());
                }
            }
            let [coarse, fine] = [2e-2, 1e-2].map(|scale| differ(Carriers::Affine, scale)[0]);
            first_order += usize::from(fine > 1e-8 && (coarse / fine).log2() < 1.3);
        }
    }
    println!("orders of the blocks: {worst:.2?}; affine carriers of first order in {first_order} bodies");
    assert!(worst[..3].iter().all(|order| *order > 1.8) && worst[3..].iter().all(|order| *order > 2.7));
    assert!(first_order > 10, "{first_order}");
}

/// More carriers come closer to `full`; twist and stretch ask for modal carriers, bending in planes does not.
#[test]
fn carriers_are_chosen_by_what_they_carry() {
    let section = Section::Rectangle { width_y: 0.002, height_z: 0.04 };
    let carriers =
        |kind: usize| match beam(Boundary::ClampedFree, counts(kind, 8), section, InertiaLevel::Gram).inertia
        {
            InertiaModel::Gram(inertia) => (inertia.carriers(), inertia.modal_carriers()),
            other => panic!("{other:?}"),
        };
    assert_eq!(
        [0, 1, 2, 3].map(carriers).map(|(places, modal)| (places, modal > 0)),
        [(4, false), (4, false), (4, true), (4, true)]
    );
    let random = &mut Random::new(5);
    let properties = SectionProperties {
        rotary: [0.0; 3],
        ..SectionProperties::homogeneous(STEEL[0], STEEL[1], STEEL[2], &section.constants().expect("valid"))
    };
    let body = |level, carriers| {
        let beam = BeamDescription::with_properties(LENGTH, properties)
            .modes(Boundary::ClampedFree, ModeCounts { bending_y: 5, ..ModeCounts::default() });
        at_level(&BodyDescription::beam("beam", beam), level, carriers)
    };
    let full = body(InertiaLevel::Full, Carriers::Modal);
    let eta = deflected(&full, 0.1, random);
    let still = vec![0.0; eta.len()];
    let exact = full.mass_and_bias(&eta, &still, &[0.0; 3]).0;
    let errors = [Carriers::Modal, Carriers::Quadratic, Carriers::Cubic].map(|carriers| {
        let found = body(InertiaLevel::Gram, carriers).mass_and_bias(&eta, &still, &[0.0; 3]).0;
        block_differences(&found, &exact, eta.len())[0]
    });
    println!("modal mass against full: affine, quadratic, cubic {errors:?}");
    assert!(errors[1] < 0.6 * errors[0] && errors[2] < 0.8 * errors[1], "{errors:?}");
}

/// A body given by its sums is the body of the nodes they were taken over.
#[test]
fn sums_stand_for_their_nodes() {
    for seed in 1..=30 {
        let mut random = Random::new(seed);
        let description = Recipe { bodies: 3, ..Recipe::small(InertiaLevel::Gram) }.describe(&mut random);
        for body in description.bodies.iter().filter(|body| body.level.is_some()) {
            let mut summed = body.clone();
            let BodyKind::Modal(modal) = &mut summed.kind else { continue };
            modal.invariants = Some(ModalInvariants::of_nodes(&modal.nodes, modal.modes));
            for node in &mut modal.nodes {
                (node.mass, node.inertia) = (0.0, [[0.0; 3]; 3]);
            }
            let [a, b] = [body, &summed].map(|body| at_level(body, InertiaLevel::Gram, Carriers::Modal));
            let (eta, rate) = (random.numbers(a.modes, 0.3), random.numbers(a.modes, 1.0));
            let omega = random.vector(1.0);
            let [a, b] = [&a, &b].map(|body| body.mass_and_bias(&eta, &rate, &omega));
            assert!(
                crate::common::relative_error(&b.0, &a.0, 1.0) < 1e-12
                    && crate::common::relative_error(&b.1, &a.1, 1.0) < 1e-12
            );
        }
    }
}

/// Sums from which level `gram` cannot be made give level `consistent` and say so; asked for by name they are refused.
#[test]
fn sums_without_second_order_apart_fall_back_by_name() {
    let mut random = Random::new(3);
    let description = Recipe { bodies: 1, ..Recipe::small(InertiaLevel::Gram) }.describe(&mut random);
    let mut description = description;
    let name = description.bodies[0].name.clone();
    description.bodies[0].level = None;
    let BodyKind::Modal(modal) = &mut description.bodies[0].kind else { panic!("not modal") };
    let mut sums = ModalInvariants::of_nodes(&modal.nodes, modal.modes);
    sums.sums = None;
    sums.moment2.resize(modal.modes * modal.modes, [1e-3; 3]);
    modal.invariants = Some(sums);
    modal.nodes.iter_mut().for_each(|node| (node.mass, node.inertia) = (0.0, [[0.0; 3]; 3]));
    let built = build(description.clone()).expect("valid");
    assert_eq!(built.model.bodies[0].level(), InertiaLevel::Consistent);
    let warning = built.warnings.iter().find(|found| found.code == "level-fallback").expect("a warning");
    assert!(warning.to_string().contains(&name), "{warning}");
    description.bodies[0].level = Some(InertiaLevel::Gram);
    let refused = build(description).expect_err("refused");
    assert!(refused.diagnostics.iter().any(|found| found.code == "level-without-sums"), "{refused}");
}
