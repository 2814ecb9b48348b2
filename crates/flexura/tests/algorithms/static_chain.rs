//! Hanging chains of elastic bars: exact equilibrium of every bar, the elastic catenary, rest in a
//! simulation, and dynamic relaxation where Newton alone goes elsewhere.

use flexura::analysis::{Equilibrium, EquilibriumOptions, equilibrium};
use flexura::beam::{BeamMode, ModeKind, Section, SectionConstants, Shape};
use flexura::build::Built;
use flexura::model::description::*;
use flexura::record::{Recorder, Recording};
use flexura::simulate::run_from;
use flexura::{State, Workspace};

const GRAVITY: f64 = 9.81;

/// A chain of `count` pinned bars of total length 2 m along −z, axially elastic (exact shapes), 0.1 kg/m and
/// the given axial rigidity (N); `pull` is a horizontal force at the free end (N).
fn chain(count: usize, rigidity: f64, pull: f64, angle: f64) -> Built {
    let length = 2.0 / count as f64;
    let area = 1e-4;
    let (density, young) = (0.1 / area, rigidity / area);
    let section =
        Section::General(SectionConstants { area, inertia_y: 1e-10, inertia_z: 1e-10, torsion: 1e-10 });
    let mut description = Description::new("chain").gravity([0.0, 0.0, -GRAVITY]);
    let mut outer = "ground.origin".to_string();
    for i in 0..count {
        let mut beam = BeamDescription::new(length, density, young, young / 2.6, section);
        for power in [1, 2] {
            let mut coefficients = vec![0.0; power + 1];
            coefficients[power] = 1.0;
            beam.modes.push(BeamMode { kind: ModeKind::Axial, shape: Shape::Polynomial(coefficients) });
        }
        let name = format!("bar{i}");
        description =
            description.body(BodyDescription::beam(&name, beam).station("root", 0.0).station("end", length));
        // The first joint turns +x down; angles after it are relative.
        let start = if i == 0 { std::f64::consts::FRAC_PI_2 + angle } else { 0.0 };
        let joint = JointDescription::revolute(
            &format!("pin{i}"),
            [&outer, &format!("{name}.root")],
            [0.0, 1.0, 0.0],
        );
        description = description.joint(joint.position(&[start]));
        outer = format!("{name}.end");
    }
    if pull != 0.0 {
        description = description.force("pull", &outer, [pull, 0.0, 0.0], None);
    }
    description.build().expect("chain")
}

/// Position of the free end (x, z).
fn end_position(built: &Built, state: &State) -> [f64; 2] {
    let mut recorder = Recorder::new(&built.model, &["*.end.position.?".to_string()]).expect("channels");
    let mut row = vec![0.0; recorder.channels().len() + 1];
    let mut work = Workspace::new(&built.model);
    recorder.sample(&built.model, state, 0.0, &mut work, &mut row).expect("row");
    let n = row.len();
    [row[n - 3], row[n - 1]]
}

fn rest(built: &Built, relaxations: usize) -> Equilibrium {
    let start = State::initial(&built.model, 0.0);
    equilibrium(&built.model, &start, &EquilibriumOptions { relaxations, ..EquilibriumOptions::default() })
        .expect("equilibrium")
}

/// End of a chain of elastic bars, each in exact equilibrium: bar i carries (H, V) at its lower end, its
/// own weight w at its deformed centre of mass; elongation and centre follow from the axial force.
fn exact_end(count: usize, rigidity: f64, pull: f64) -> [f64; 2] {
    let length = 2.0 / count as f64;
    let weight = 0.1 * length * GRAVITY;
    let (mut x, mut z) = (0.0, 0.0);
    for i in 0..count {
        let below = weight * (count - 1 - i) as f64;
        let mut angle = (pull / (below + 0.5 * weight)).atan();
        for _ in 0..100 {
            let (sin, cos) = angle.sin_cos();
            // T(x) = T₁ + w cos θ (L − x)/L, u' = T/EA
            let (low, own) = (pull * sin + below * cos, weight * cos);
            let stretch = (low + 0.5 * own) * length / rigidity;
            let center = 0.5 * length + (0.5 * low + own / 3.0) * length / rigidity;
            angle = (pull * (length + stretch)).atan2(below * (length + stretch) + weight * center);
        }
        let (sin, cos) = angle.sin_cos();
        let stretch = (pull * sin + (below + 0.5 * weight) * cos) * length / rigidity;
        x += (length + stretch) * sin;
        z -= (length + stretch) * cos;
    }
    [x, z]
}

/// Straight down: each bar stretches under its own weight and what hangs below: w L²/2EA in all.
#[test]
fn a_hanging_chain_stretches_under_its_weight() {
    let built = chain(5, 400.0, 0.0, 0.0);
    let end = end_position(&built, &rest(&built, 0).state);
    let exact = 2.0 + 0.1 * GRAVITY * 4.0 / (2.0 * 400.0);
    assert!((-end[1] - exact).abs() < 1e-12 && end[0].abs() < 1e-12, "{end:?} {exact}");
}

/// Pulled aside: every bar takes its exact place.
#[test]
fn a_chain_pulled_aside_has_every_bar_in_balance() {
    for (count, rigidity) in [(3, 50.0), (12, 200.0)] {
        let built = chain(count, rigidity, 0.8, -0.4);
        let end = end_position(&built, &rest(&built, 0).state);
        let exact = exact_end(count, rigidity, 0.8);
        assert!((end[0] - exact[0]).abs() < 1e-9 && (end[1] - exact[1]).abs() < 1e-9, "{end:?} {exact:?}");
    }
}

/// The elastic catenary (Irvine, Cable Structures, section 2.2) is the limit of many bars, at second order.
#[test]
fn many_bars_approach_the_elastic_catenary() {
    let (pull, rigidity, weight, length) = (0.8_f64, 200.0, 0.1 * GRAVITY, 2.0);
    let x = pull * length / rigidity + pull / weight * (weight * length / pull).asinh();
    let z = -(weight * length * length / (2.0 * rigidity)
        + ((pull * pull + weight * weight * length * length).sqrt() - pull) / weight);
    let end = |count: usize| {
        let built = chain(count, rigidity, pull, -0.4);
        end_position(&built, &rest(&built, 0).state)
    };
    let distance = |end: &[f64; 2]| (end[0] - x).hypot(end[1] - z);
    let (coarse, fine) = (end(10), end(20));
    let order = (distance(&coarse) / distance(&fine)).log2();
    // Without the error of second order what is left is of fourth: a hundredth of it.
    let limit: [f64; 2] = std::array::from_fn(|i| (4.0 * fine[i] - coarse[i]) / 3.0);
    println!(
        "distance from the catenary: 10 bars {:.3e} m, 20 bars {:.3e} m, extrapolated {:.3e} m",
        distance(&coarse),
        distance(&fine),
        distance(&limit)
    );
    assert!((order - 2.0).abs() < 0.1, "order {order}");
    assert!(distance(&limit) < 0.01 * distance(&fine), "{:e}", distance(&limit));
}

/// From the equilibrium nothing moves.
#[test]
fn the_chain_stays_at_rest() {
    let built = chain(6, 200.0, 0.8, -0.4);
    let found = rest(&built, 0);
    let settings = SimulationDescription {
        end: 1.0,
        method: MethodDescription::Rk4 { step: 2e-4 },
        output_interval: 0.05,
        ..SimulationDescription::default()
    };
    let patterns = ["*.angle".to_string(), "*.eta.?".to_string(), "energy.kinetic".to_string()];
    let mut recorder = Recorder::new(&built.model, &patterns).expect("channels");
    let mut recording = Recording::new(recorder.channels());
    let start = found.state.clone();
    run_from(&built.model, &settings, start, &mut recorder, &mut recording, &mut |_| true).expect("run");
    let mut moved = 0.0_f64;
    for channel in recorder.channels() {
        let values = recording.channel(&channel.name).expect("channel").to_vec();
        moved = values.iter().fold(moved, |m, x| m.max((x - values[0]).abs()));
    }
    println!("largest change of any coordinate in a second: {moved:.1e}, residual {:.1e}", found.residual);
    assert!(moved < 1e-12, "{moved:e}");
}

/// Newton finds the nearest balance, here the upright one; relaxation falls into the hanging one.
#[test]
fn relaxation_finds_the_stable_equilibrium() {
    let built = chain(1, 400.0, 0.0, 3.0);
    let upright = end_position(&built, &rest(&built, 0).state);
    assert!(upright[1] > 1.9, "{upright:?}");
    let hanging = end_position(&built, &rest(&built, 100).state);
    let exact = 2.0 + 0.1 * GRAVITY * 4.0 / (2.0 * 400.0);
    assert!((hanging[1] + exact).abs() < 1e-10, "{hanging:?}");
}

/// A long chain that starts far away, pulled to the side: Newton alone does not get there.
#[test]
fn relaxation_reaches_what_newton_does_not() {
    let built = chain(8, 200.0, 0.5, 2.6);
    let start = State::initial(&built.model, 0.0);
    let exact = exact_end(8, 200.0, 0.5);
    let direct = equilibrium(&built.model, &start, &EquilibriumOptions::default());
    let far = direct.map_or(f64::INFINITY, |found| {
        let end = end_position(&built, &found.state);
        (end[0] - exact[0]).hypot(end[1] - exact[1])
    });
    assert!(far > 0.1, "Newton alone would do: {far}");
    let end = end_position(&built, &rest(&built, 300).state);
    assert!((end[0] - exact[0]).hypot(end[1] - exact[1]) < 1e-9, "{end:?} {exact:?}");
}
