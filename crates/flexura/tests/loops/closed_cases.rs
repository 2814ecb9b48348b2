//! Published mechanisms by the implicit formulations, topological and global.
//!
//! Second-order steps of h and h/2: the error must fall fourfold, and the extrapolated value (4 f(h/2) − f(h))/3 must
//! meet the reference, whose source stands at each case.
use crate::common::four_bars::four_bar_chain;
use crate::common::mechanisms::*;
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions};
use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::{Model, Recording, State, Workspace};
use flexura_samples::slider_rod::{simeon, simeon_start};

/// The two implicit formulations with steps of `h` (s).
fn methods(h: f64) -> [(&'static str, MethodDescription); 2] {
    let topological = MethodDescription::Implicit { damping: DampingChoice::None, step: h, tolerance: 0.0 };
    [("topological", topological), ("global", MethodDescription::Global { step: h })]
}

fn simulated(description: &Description, method: &MethodDescription, end: f64, rows: f64) -> Recording {
    let built = description.clone().method(method.clone()).run_for(end).output_interval(rows).build();
    let built = built.unwrap_or_else(|error| panic!("{}: {error}", description.name));
    built.simulate().unwrap_or_else(|error| panic!("{} {method:?}: {error}", description.name))
}

/// Value of a channel at the row nearest to `time`.
fn at(recording: &Recording, channel: &str, time: f64) -> f64 {
    let times = recording.time();
    let rows = times.iter().enumerate();
    let nearest = rows.min_by(|a, b| (a.1 - time).abs().total_cmp(&(b.1 - time).abs())).expect("rows").0;
    assert!((recording.time()[nearest] - time).abs() < 1e-9, "no row at {time} s");
    recording.channel(channel).unwrap_or_else(|error| panic!("{error}"))[nearest]
}

/// What a reference says: channel, time (s), value.
type Known<'a> = (&'a str, f64, f64);

/// Asserts order two and extrapolated values within `limit` of the reference, by both formulations.
fn assert_case(description: &Description, h: f64, rows: f64, known: &[Known<'_>], limit: f64) {
    let end = known.iter().fold(0.0, |last: f64, k| last.max(k.1));
    for index in 0..2 {
        let runs = [h, 0.5 * h].map(|h| simulated(description, &methods(h)[index].1, end, rows));
        let name = methods(h)[index].0;
        let mut worst = [0.0_f64; 3];
        for &(channel, time, value) in known {
            let [coarse, fine] = [0, 1].map(|i| at(&runs[i], channel, time));
            let extrapolated = (4.0 * fine - coarse) / 3.0;
            for (slot, found) in worst.iter_mut().zip([coarse, fine, extrapolated]) {
                *slot = slot.max((found - value).abs());
            }
        }
        println!("{} {name}: errors at h, h/2, extrapolated {worst:?}", description.name);
        let order = (worst[0] / worst[1]).log2();
        assert!((1.7..2.3).contains(&order), "{} {name}: order {order} of {worst:?}", description.name);
        assert!(worst[2] < limit, "{} {name}: {worst:?}", description.name);
    }
}

/// A01 of the IFToMM library with the exact solution of the pendulum; the body is free and its hinge a constraint.
#[test]
fn pendulum_in_absolute_coordinates() {
    let bob = BodyDescription::rigid("bob", 1.0, [1e-9; 3]).center_of_mass([1.0, 0.0, 0.0]);
    let hinge = JointDescription::revolute("hinge", ["ground.origin", "bob.origin"], [0.0, 0.0, 1.0]);
    let pendulum = Description::new("A01")
        .gravity([0.0, -9.81, 0.0])
        .body(bob.frame("mass", [1.0, 0.0, 0.0]))
        .joint(hinge.position(&[std::f64::consts::PI]));
    let pendulum = with_tree(pendulum, TreeChoice::Absolute, &[]);
    let known = [
        ("bob.mass.position.x", 1.0, 0.986291751132),
        ("bob.mass.position.y", 1.0, -0.165010853126),
        ("bob.mass.position.x", 10.0, -0.275087462577),
        ("bob.mass.position.y", 10.0, -0.961419205099),
    ];
    // Left over at fourth order, and the inertia of 1e-9 kg m² that the solver needs.
    assert_case(&pendulum, 2e-3, 1.0, &known, 2e-6);
}

/// A02 with forty loops: the equation of one freedom of all bars in step.
#[test]
fn forty_four_bars_in_a_row() {
    // ((N+1)/3 + N) θ'' = ((N+1)/2 + N) g sin θ by RK4 with steps of 0.1 ms.
    let (n, end, h) = (40.0_f64, 1.0, 1e-4);
    let factor = ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n) * 9.81;
    let (mut angle, mut rate) = (0.0_f64, 1.0_f64);
    for _ in 0..10_000 {
        let k1 = (rate, factor * angle.sin());
        let k2 = (rate + 0.5 * h * k1.1, factor * (angle + 0.5 * h * k1.0).sin());
        let k3 = (rate + 0.5 * h * k2.1, factor * (angle + 0.5 * h * k2.0).sin());
        let k4 = (rate + h * k3.1, factor * (angle + h * k3.0).sin());
        angle += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        rate += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    let known = [("link0.tip.position.x", end, angle.sin()), ("link0.tip.position.y", end, angle.cos())];
    assert_case(&four_bar_chain(40), 4e-3, end, &known, 1e-6);
}

/// A03: Mazzia & Magherini, Test Set for IVP Solvers, problem ANDREWS at 0.03 s (PSIDE, tolerance 1e-14).
#[test]
fn squeezer_reaches_the_angles_of_the_test_set() {
    let values = [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ];
    let names = SQUEEZER_ANGLES.map(|name| format!("{name}.angle"));
    let known: Vec<Known> =
        names.iter().zip(values).map(|(name, value)| (name.as_str(), 0.03, value)).collect();
    // A thousand rad/s over sixteen turns: left over at fourth order.
    assert_case(&squeezer(), 1e-5, 0.03, &known, 1e-5);
}

/// A04: published positions of the hinge at (1, −1, 1).
#[test]
fn bricard_moves_as_published() {
    let known = [
        ("rod3.b.position.x", 0.5, 0.968283679),
        ("rod3.b.position.y", 0.5, -1.224625159),
        ("rod3.b.position.z", 0.5, 0.750146609),
        ("rod3.b.position.x", 1.0, 0.510501461),
        ("rod3.b.position.y", 1.0, -1.649167599),
        ("rod3.b.position.z", 1.0, 0.140123115),
    ];
    assert_case(&bricard(), 2e-3, 0.5, &known, 1e-6);
}

/// Haug's spatial slider-crank: positions of the slider by an independent rigid solver.
#[test]
fn spatial_slider_crank_moves_as_the_reference() {
    let known = [("slide.displacement", 0.5, 0.18501670), ("slide.displacement", 1.0, 0.20830870)];
    assert_case(&slider_crank(), 5e-4, 0.5, &known, 1e-6);
}

/// φ2, x3 and q1 … q4 of Simeon's slider-crank at 0.1 s (Test Set for IVP Solvers, problem CRANK; MEBDFI, 1e-14).
const SIMEON: [f64; 6] = [
    -0.331173498825626,
    0.169737332842786,
    1.893192899613509e-4,
    2.375751249879174e-5,
    -5.323896770569702e-6,
    -8.363313279112129e-6,
];

/// φ2, x3 and q of a state of the tree.
fn simeon_values(model: &Model, state: &State) -> [f64; 6] {
    let [rod, slider] =
        ["knee", "slide"].map(|name| &model.layout.bodies[model.joint(name).expect("branch").0]);
    let crank = &model.layout.bodies[model.joint("drive").expect("branch").0];
    let modes = &state.q[rod.modal_q()];
    let absolute = state.q[crank.joint_q()][0] + state.q[rod.joint_q()][0];
    [absolute, state.q[slider.joint_q()][0], modes[0], modes[1], modes[2], modes[3]]
}

/// Largest error of angle and distance, and of the deformations, at 0.1 s.
fn simeon_errors(found: [f64; 6]) -> [f64; 2] {
    let error =
        |range: std::ops::Range<usize>| range.map(|i| (found[i] - SIMEON[i]).abs()).fold(0.0, f64::max);
    [error(0..2), error(2..6)]
}

/// The given reduced model by explicit and implicit steps of the tree and in natural coordinates.
#[test]
fn flexible_slider_crank_of_simeon() {
    let built = simeon().build().unwrap_or_else(|error| panic!("{error}"));
    let model = &built.model;
    let start = simeon_start(model);
    let run = |method: &MethodDescription| {
        let (mut state, mut work) = (start.clone(), Workspace::new(model));
        let mut integrator = Integrator::new(model, method);
        while state.time < 0.1 - 1e-12 {
            integrator.step(model, &mut state, &mut work, 0.1).unwrap_or_else(|error| panic!("{error}"));
        }
        simeon_values(model, &state)
    };
    let explicit = simeon_errors(run(&tolerance(1e-10)));
    println!("recursive: {explicit:?}");
    assert!(explicit[0] < 1e-7 && explicit[1] < 1e-9, "{explicit:?}");
    let steps = [1e-5, 5e-6];
    let topological = steps.map(|h| run(&methods(h)[0].1));
    let global = GlobalModel::new(model, &GlobalOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let natural = steps.map(|h| {
        let mut integrator = GlobalIntegrator::new(model, &global);
        let mut state = integrator.start(model, &global, &start).expect("starts");
        for _ in 0..(0.1 / h).round() as usize {
            integrator.step(model, &global, &mut state, h).expect("converges");
        }
        simeon_values(model, &global.tree_state(model, &state, &start))
    });
    for (name, runs) in [("topological", topological), ("global", natural)] {
        let extrapolated = std::array::from_fn(|i| (4.0 * runs[1][i] - runs[0][i]) / 3.0);
        let errors = [runs[0], runs[1], extrapolated].map(simeon_errors);
        println!("{name}: errors at h, h/2, extrapolated {errors:?}");
        assert!(errors[2][0] < 1e-7 && errors[2][1] < 1e-8, "{name}: {errors:?}");
    }
}

/// Four-bar with a hinge tilted by 5° (Bauchau, IFToMM library of flexible benchmarks); displacements of the far
/// corner by an independent beam program (mb_sef_py), up to the position in line where the motion branches.
#[test]
fn misaligned_four_bar_bends_as_the_reference() {
    let description = flexura_samples::slider_rod::misaligned_four_bar();
    let known = [
        (1.04, [0.0701052099, -0.0226108357, -0.000621912244]),
        (2.0, [0.111823544, -0.0765950605, -0.0026697081]),
        (2.56, [0.119880125, -0.118096016, -0.00411774591]),
    ];
    let damping = DampingChoice::SpectralRadius(0.6);
    let topological = MethodDescription::Implicit { damping, step: 4e-3, tolerance: 0.0 };
    for (name, method) in [("topological", topological), ("global", MethodDescription::Global { step: 4e-3 })]
    {
        let run = simulated(&description, &method, 2.56, 0.04);
        for (time, expected) in known {
            for ((axis, start), expected) in [("x", 0.24), ("y", 0.12), ("z", 0.0)].into_iter().zip(expected)
            {
                let moved = at(&run, &format!("right.tip.position.{axis}"), time) - start;
                println!("{name} {axis} at {time} s: {moved:.6}, expected {expected:.6}");
                // Our bars do not shear: half a percent of the largest deflection across, 0.1 % of the motion.
                let limit = if axis == "z" { 0.005 * 0.00412 } else { 0.001 * 0.12 };
                assert!((moved - expected).abs() < limit, "{name} {axis} at {time} s: {moved} {expected}");
            }
        }
    }
}
