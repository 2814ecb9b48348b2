//! Implicit integration of closed loops by the topological formulation: exact solutions, orders, constraint
//! violation at all levels, other integrators.

use crate::common::four_bars;

use flexura::algorithm::energy;
use flexura::constraint::prepare_at;
use flexura::formulation::topological::*;
use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::motion::observe::frame_motion;
use flexura::{Model, State, Workspace, evaluate};
use four_bars::{crank_rocker, four_bars, implicit};
use std::f64::consts::TAU;

/// A model, an integrator and its state.
struct Run {
    model: Model,
    integrator: Integrator,
    state: State,
    work: Workspace,
}

impl Run {
    fn new(description: Description, method: &MethodDescription, options: TopologicalOptions) -> Self {
        let model = description.build().unwrap_or_else(|error| panic!("{error}")).model;
        let mut integrator = Integrator::new(&model, method);
        integrator.set_topological(&model, options);
        let (state, work) = (State::initial(&model, 0.0), Workspace::new(&model));
        Self { model, integrator, state, work }
    }

    fn trapezoidal(description: Description, step: f64) -> Self {
        Self::new(description, &implicit(DampingChoice::None, step), TopologicalOptions::default())
    }

    fn step(&mut self, end: f64) {
        self.integrator.step(&self.model, &mut self.state, &mut self.work, end).unwrap();
    }

    fn to(&mut self, end: f64) -> &mut Self {
        while self.state.time < end - 1e-9 {
            self.step(end);
        }
        self
    }

    /// Position of a frame (m).
    fn place(&self, frame: &str) -> [f64; 3] {
        let mut work = Workspace::new(&self.model);
        evaluate(&self.model, &self.state, &mut work).unwrap();
        let frame = &self.model.frames[self.model.frame(frame).unwrap().0];
        let (motion, body) = (&work.motion, &work.accelerations);
        frame_motion(&self.model, &self.state, motion, &body.acceleration, &body.chidot, frame).position
    }

    fn energy(&self) -> f64 {
        let mut work = Workspace::new(&self.model);
        work.kinematics(&self.model, &self.state);
        work.poses(&self.model, &self.state);
        energy(&self.model, &self.state, &work.motion, &work.inertias).total()
    }

    /// Violation of positions, velocities and accelerations by the closure algorithm:
    /// Φ̈ of the opened tree plus J times the difference of accelerations.
    fn violations(&self) -> [f64; 3] {
        let mut work = Workspace::new(&self.model);
        work.kinematics(&self.model, &self.state);
        work.loads(&self.model, &self.state);
        work.accelerations(&self.model).unwrap();
        prepare_at(&self.model, &self.state, &mut work).unwrap();
        let (own, tree) = (self.integrator.accelerations().unwrap(), &work.accelerations.chidot);
        let mut worst = [work.closure.largest_residual(), work.closure.largest_rate(), 0.0];
        for row in 0..self.model.constraint_count() {
            let jacobian = &work.closure.jacobian;
            let change: f64 = jacobian.entries(row).map(|(i, x)| x * (own[i] - tree[i])).sum();
            worst[2] = f64::max(worst[2], (work.closure.acceleration[row] + change).abs());
        }
        worst
    }
}

/// Angle from the vertical, its rate and acceleration of the rigid double four-bar at `time`: the equation with
/// one freedom, ((N+1)/3 + N) θ'' = ((N+1)/2 + N) g sin θ, by RK4 with steps far below those tested.
fn exact_motion(loops: f64, time: f64) -> [f64; 3] {
    let factor = ((loops + 1.0) / 2.0 + loops) / ((loops + 1.0) / 3.0 + loops) * 9.81;
    let rate = |y: [f64; 2]| [y[1], factor * y[0].sin()];
    let steps = (time * 20_000.0).round() as usize;
    let h = time / steps as f64;
    let mut y = [0.0, 1.0];
    let along = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
    for _ in 0..steps {
        let k1 = rate(y);
        let k2 = rate(along(y, k1, h / 2.0));
        let k3 = rate(along(y, k2, h / 2.0));
        let k4 = rate(along(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    [y[0], y[1], rate(y)[1]]
}

/// Table 1 of the paper with three amplitudes per bar, and the counts with the four of its text.
#[test]
fn coordinate_counts_of_the_double_four_bar() {
    for (amplitudes, expected) in [(3, [5, 8, 11, 14, 17, 20]), (4, [5, 9, 13, 17, 21, 25])] {
        for (flexible, count) in expected.into_iter().enumerate() {
            let model = four_bars(2, flexible, amplitudes, [0.0; 3]).build().unwrap().model;
            let formulation = Topological::new(&model, TopologicalOptions::default());
            assert_eq!(formulation.unknown_count(), count, "{flexible} bars, {amplitudes} amplitudes");
        }
    }
}

/// Through several singular positions at h = 10 ms; published figures at 5 s, exact to the order of the method.
#[test]
fn rigid_double_four_bar_follows_the_exact_solution() {
    let exact = exact_motion(2.0, 5.0);
    assert!((exact[0] / TAU - 2.65062).abs() < 1e-5, "{}", exact[0] / TAU);
    let mut run = Run::trapezoidal(four_bars(2, 0, 0, [0.0; 3]), 0.01);
    let tip = run.to(5.0).place("link0.tip");
    // h²-sized error of a motion with about 8 rad/s: (0.08)²/12 per radian, 16.7 rad travelled.
    assert!((tip[0] - exact[0].sin()).abs() < 5e-3 && (tip[1] - exact[0].cos()).abs() < 5e-3, "{tip:?}");
    assert!((run.energy() - 35.835).abs() < 0.05, "{}", run.energy());
}

/// Coordinates, speeds and accelerations of the crank-rocker at 0.3 s.
fn crank_rocker_end(method: &MethodDescription, projection: ProjectionRoute) -> [Vec<f64>; 3] {
    let options = TopologicalOptions { projection, tolerance: 1e-12, ..TopologicalOptions::default() };
    let mut run = Run::new(crank_rocker(), method, options);
    run.to(0.3);
    let accelerations = run.integrator.accelerations().map(<[f64]>::to_vec).unwrap_or_else(|| {
        evaluate(&run.model, &run.state, &mut run.work).unwrap();
        run.work.accelerations.chidot.clone()
    });
    [run.state.q.clone(), run.state.v.clone(), accelerations]
}

/// Errors at three step sizes, largest over the coordinates, for each level.
fn crank_rocker_errors(damping: DampingChoice, projection: ProjectionRoute) -> [[f64; 3]; 3] {
    let method = MethodDescription::DormandPrince {
        relative_tolerance: 1e-12,
        absolute_tolerance: 1e-13,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    let reference = crank_rocker_end(&method, ProjectionRoute::Iterated);
    [2e-3, 1e-3, 5e-4].map(|step| {
        let found = crank_rocker_end(&implicit(damping, step), projection);
        let error = |level: usize| {
            let pairs = found[level].iter().zip(&reference[level]);
            pairs.fold(0.0, |best: f64, (a, b)| best.max((a - b).abs()))
        };
        [error(0), error(1), error(2)]
    })
}

#[test]
fn positions_velocities_and_accelerations_are_of_second_order() {
    for damping in [DampingChoice::None, DampingChoice::Hht(0.1), DampingChoice::SpectralRadius(0.8)] {
        let errors = crank_rocker_errors(damping, ProjectionRoute::Iterated);
        for level in 0..3 {
            for pair in errors.windows(2) {
                let order = (pair[0][level] / pair[1][level]).log2();
                assert!((order - 2.0).abs() < 0.25, "{damping:?} level {level}: {errors:?}");
            }
        }
    }
}

/// Without projections the accelerations of the trapezoidal rule do not converge.
#[test]
fn without_projections_accelerations_lose_their_order() {
    let with = crank_rocker_errors(DampingChoice::None, ProjectionRoute::Iterated);
    let without = crank_rocker_errors(DampingChoice::None, ProjectionRoute::None);
    assert!(without[2][2] > 100.0 * with[2][2], "{with:?} {without:?}");
    assert!((without[1][2] / without[2][2]).log2() < 1.5, "{without:?}");
}

/// Largest violations over sixty steps of 5 ms.
fn worst_violations(description: Description, projection: ProjectionRoute) -> [f64; 3] {
    let options = TopologicalOptions { projection, ..TopologicalOptions::default() };
    let mut run = Run::new(description, &implicit(DampingChoice::None, 0.005), options);
    let mut worst = [0.0; 3];
    for _ in 0..60 {
        run.step(1.0);
        let now = run.violations();
        (0..3).for_each(|i| worst[i] = f64::max(worst[i], now[i]));
    }
    worst
}

#[test]
fn constraints_hold_at_all_levels_thanks_to_the_projections() {
    for description in [crank_rocker(), four_bars(2, 0, 0, [0.0; 3]), four_bars(2, 5, 4, [0.0; 3])] {
        let name = description.name.clone();
        let iterated = worst_violations(description.clone(), ProjectionRoute::Iterated);
        assert!(iterated.iter().all(|x| *x < 1e-9), "{name}: {iterated:?}");
    }
    let none = worst_violations(crank_rocker(), ProjectionRoute::None);
    assert!(none[0] < 1e-9 && none[1] > 1e-4 && none[2] > 1e-1, "{none:?}");
    let once = worst_violations(crank_rocker(), ProjectionRoute::OnePass);
    assert!(once[1] < 1e-2 * none[1] && once[1] > 1e-12, "{once:?} {none:?}");
}

/// Reference of an independent geometrically exact solver, whose meshes and steps agree to 3e-4 m up to 2 s.
#[test]
fn flexible_double_four_bar_agrees_with_the_reference() {
    let mut run = Run::trapezoidal(four_bars(2, 5, 4, [0.0; 3]), 1e-3);
    let start = run.energy();
    for (time, expected) in [(1.0, [-0.1939, -0.9810]), (2.0, [0.0575, 0.9983])] {
        let tip = run.to(time).place("link0.tip");
        let distance = (tip[0] - expected[0]).hypot(tip[1] - expected[1]);
        assert!(distance < 4e-4, "{time} s: {tip:?}");
    }
    assert!((run.energy() - start).abs() < 1e-3 * start, "{} {start}", run.energy());
}

/// The undamped bars at ten milliseconds: unresolved vibration, three singular positions.
#[test]
fn flexible_double_four_bar_passes_the_singular_positions_with_large_steps() {
    let mut run = Run::trapezoidal(four_bars(2, 5, 4, [0.0; 3]), 0.01);
    run.to(5.0);
    let tip = run.place("link0.tip");
    assert!((tip[0] + 0.81).abs() < 0.03 && (tip[1] + 0.585).abs() < 0.03, "{tip:?}");
    assert!((run.energy() - 35.835).abs() < 0.1, "{}", run.energy());
    assert!(run.violations().iter().all(|x| *x < 1e-8), "{:?}", run.violations());
}

#[test]
fn ten_kilometres_away_the_motion_is_the_same() {
    let place = |origin: [f64; 3]| {
        let mut run = Run::trapezoidal(four_bars(2, 5, 4, origin), 0.005);
        let tip = run.to(0.3).place("link0.tip");
        [tip[0] - origin[0], tip[1] - origin[1]]
    };
    let (near, far) = (place([0.0; 3]), place([1e4, 0.0, 0.0]));
    assert!((near[0] - far[0]).abs() < 1e-9 && (near[1] - far[1]).abs() < 1e-9, "{near:?} {far:?}");
}

/// Explicit integration projects every stage with the closure algorithm; the difference is the implicit error.
#[test]
fn small_steps_agree_with_explicit_integration() {
    let description = || four_bars(1, 1, 3, [0.0; 3]);
    let method = MethodDescription::DormandPrince {
        relative_tolerance: 1e-9,
        absolute_tolerance: 1e-11,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    let mut explicit = Run::new(description(), &method, TopologicalOptions::default());
    let reference = explicit.to(0.05).place("coupler1.tip");
    let distance = |step: f64| {
        let mut run = Run::trapezoidal(description(), step);
        let tip = run.to(0.05).place("coupler1.tip");
        (tip[0] - reference[0]).hypot(tip[1] - reference[1])
    };
    let (coarse, fine) = (distance(2e-5), distance(1e-5));
    assert!(fine < 1e-6 && coarse / fine > 3.0, "{coarse} {fine}");
}

#[test]
fn exact_and_approximate_tangents_find_the_same_motion() {
    let run = |tangent: TangentRoute| {
        let options = TopologicalOptions { tangent, tolerance: 1e-12, ..TopologicalOptions::default() };
        let method = implicit(DampingChoice::None, 0.005);
        let mut run = Run::new(four_bars(2, 2, 3, [0.0; 3]), &method, options);
        let tip = run.to(0.3).place("link2.tip");
        (tip, run.integrator.topological().unwrap().counts)
    };
    let (approximate, exact) = (run(TangentRoute::Approximate), run(TangentRoute::Exact));
    for i in 0..2 {
        assert!((approximate.0[i] - exact.0[i]).abs() < 1e-8, "{approximate:?} {exact:?}");
    }
    assert_eq!((approximate.1.exact_tangents, exact.1.exact_tangents), (0, exact.1.iterations));
    assert!(exact.1.iterations < approximate.1.iterations, "{exact:?} {approximate:?}");
}

/// The keys of a model file choose what the options of the Rust types do, in both index-3 formulations.
#[test]
fn keys_choose_projections_penalty_and_inertia() {
    let rigid = include_str!("../../../../models/double_four_bar.toml");
    let flexible = include_str!("../../../../models/double_four_bar_flexible.toml");
    let channels = ["link_left.tip.position.x", "constraint.velocity"];
    let run = |text: &str, keys: &str| -> [f64; 2] {
        let text = text.replacen("[simulation]", &format!("[simulation]\n{keys}"), 1);
        let mut built =
            flexura::file::build_text(&text, "keys.toml").unwrap_or_else(|e| panic!("{keys}: {e}")).built;
        built.description.simulation.end = 0.3;
        built.description.output.channels = channels.map(String::from).to_vec();
        let rows = built.simulate().unwrap_or_else(|error| panic!("{keys}: {error}"));
        channels.map(|name| *rows.channel(name).expect("recorded").last().expect("rows"))
    };
    let usual = TopologicalOptions::default();
    for (keys, options) in [
        ("", usual),
        ("projections = \"iterated\"", usual),
        ("projections = \"one-pass\"", TopologicalOptions { projection: ProjectionRoute::OnePass, ..usual }),
        ("projections = \"none\"", TopologicalOptions { projection: ProjectionRoute::None, ..usual }),
        ("penalty = 1e3", TopologicalOptions { penalty: 1e3, ..usual }),
    ] {
        let [place, _] = run(rigid, keys);
        let built = flexura::file::build_text(rigid, "rigid.toml").expect("sound").built;
        let mut other = Run::new(built.description, &implicit(DampingChoice::None, 0.01), options);
        let expected = other.to(0.3).place("link_left.tip")[0];
        println!("{keys:26} {place:.12} m");
        assert!((place - expected).abs() < 1e-13, "{keys}: {place} and {expected}");
    }
    let rates = ["", "projections = \"none\""].map(|keys| run(flexible, keys)[1].abs());
    println!("rates of flexible bars: {rates:?}");
    assert!(rates[0] < 1e-9 && rates[1] > 1e-6, "projections are done or left out");
    let natural = |keys: &str| run(flexible, &format!("formulation = \"global\"\n{keys}"))[0];
    let [usual, sums, nodal] = ["", "inertia = \"invariants\"", "inertia = \"nodal\""].map(natural);
    println!("natural: {usual:.12} {sums:.12} {nodal:.12}");
    assert!(usual == sums, "bars of level gram are evaluated by their sums");
    assert!(nodal != sums && (nodal - sums).abs() < 1e-5, "{nodal} and {sums}");
    let [none, penalty] = ["projections = \"none\"", "penalty = 1e4"].map(natural);
    assert!(
        none != usual && (none - usual).abs() < 1e-2 && penalty != usual && (penalty - usual).abs() < 1e-6
    );
}
