//! Global formulation in natural coordinates against exact solutions and the recursive engine.

use crate::common::four_bars::{double_four_bar, steel_bar};
use crate::common::mechanisms::{bricard, crossed_slider_crank};
use crate::common::random_model::{EXACT_LEVELS, Random, Recipe, evaluated, random_case, random_state};
use flexura::algorithm::articulated_body::FlexibleRoute;
use flexura::formulation::global::*;
use flexura::model::Model;
use flexura::model::description::*;
use flexura::motion::observe::inertial_acceleration;
use flexura::time_function::TimeFunction;
use flexura::{State, build};

fn model_of(description: Description) -> Model {
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Lugrís et al. 2007, Table 1: three amplitudes per bar give the published counts, four those of the text.
#[test]
fn coordinate_counts_of_the_double_four_bar() {
    let table = [6, 13, 20, 27, 34, 41];
    for flexible in 0..=5 {
        for modes in [3, 4] {
            let model = model_of(double_four_bar(flexible, |name| steel_bar(name, modes, 0.0), [0.0; 3]));
            let global = GlobalModel::new(&model, &GlobalOptions::default()).unwrap();
            assert!(global.plane().is_some());
            let expected = table[flexible] + (modes - 3) * flexible;
            assert_eq!(global.coordinate_count(), expected, "{flexible} flexible bars, {modes} modes");
        }
    }
}

struct Run {
    model: Model,
    global: GlobalModel,
    integrator: GlobalIntegrator,
    state: GlobalState,
    worst: [f64; 3],
    iterations: usize,
}

impl Run {
    fn new(model: Model, options: &GlobalOptions) -> Self {
        let global = GlobalModel::new(&model, options).unwrap_or_else(|error| panic!("{error}"));
        let mut integrator = GlobalIntegrator::new(&model, &global);
        let state = integrator.initial(&model, &global).unwrap();
        Self { model, global, integrator, state, worst: [0.0; 3], iterations: 0 }
    }

    fn to(&mut self, end: f64, steps: usize) {
        let h = (end - self.state.time) / steps as f64;
        for _ in 0..steps {
            let report = self.integrator.step(&self.model, &self.global, &mut self.state, h).unwrap();
            self.iterations += report.iterations;
            for level in 0..3 {
                self.worst[level] = self.worst[level].max(report.violation[level]);
            }
        }
    }

    fn energy(&mut self) -> f64 {
        let [kinetic, potential] = self.integrator.energy(&self.model, &self.global, &self.state);
        kinetic + potential
    }
}

/// The state of the recursive engine at `end` (s), at tight tolerances.
fn recursive(model: &Model, end: f64, tolerance: f64) -> State {
    use flexura::integrate::Integrator;
    let method = MethodDescription::DormandPrince {
        relative_tolerance: tolerance,
        absolute_tolerance: tolerance,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    let (mut state, mut work) = (State::initial(model, 0.0), flexura::Workspace::new(model));
    let mut integrator = Integrator::new(model, &method);
    while state.time < end {
        integrator.step(model, &mut state, &mut work, end).unwrap();
    }
    state
}

/// Largest difference of coordinates and speeds of the tree.
fn difference(run: &Run, expected: &State) -> [f64; 2] {
    let found = run.global.tree_state(&run.model, &run.state, expected);
    let worst = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
    [worst(&found.q, &expected.q), worst(&found.v, &expected.v)]
}

fn rigid_four_bar() -> Model {
    model_of(double_four_bar(0, |name| steel_bar(name, 3, 0.0), [0.0; 3]))
}

fn flexible_four_bar(flexible: usize, retardation: f64) -> Model {
    model_of(double_four_bar(flexible, |name| steel_bar(name, 4, retardation), [0.0; 3]))
}

/// θ'' = 7/6 g sin θ of the double four-bar (θ from the upright position), by Runge-Kutta at 20 µs.
fn exact_angle(end: f64) -> [f64; 3] {
    let slope = |x: f64| 7.0 / 6.0 * 9.81 * x.sin();
    let (mut x, mut u) = (0.0_f64, 1.0_f64);
    let steps = (end / 2e-5).round() as usize;
    let h = end / steps as f64;
    for _ in 0..steps {
        let (k1, l1) = (u, slope(x));
        let (k2, l2) = (u + 0.5 * h * l1, slope(x + 0.5 * h * k1));
        let (k3, l3) = (u + 0.5 * h * l2, slope(x + 0.5 * h * k2));
        let (k4, l4) = (u + h * l3, slope(x + h * k3));
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        u += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    [x, u, slope(x)]
}

/// Errors of position, velocity and acceleration of the hinge between side bar and coupler.
fn errors_at(run: &Run, [angle, rate, second]: [f64; 3]) -> [f64; 3] {
    let k = run.model.body("coupler1").unwrap().0;
    let motion = run.global.body_motion(&run.state, k);
    let acceleration = run.global.body_acceleration(&run.state, k);
    let (sin, cos) = angle.sin_cos();
    let expected = [
        [sin, cos],
        [rate * cos, -rate * sin],
        [second * cos - rate * rate * sin, -second * sin - rate * rate * cos],
    ];
    let found = [motion.position, motion.velocity, acceleration];
    std::array::from_fn(|i| (found[i][0] - expected[i][0]).hypot(found[i][1] - expected[i][1]))
}

/// Second order at all three levels before the first singular position, in the plane and in space.
#[test]
fn rigid_motion_converges_to_the_exact_solution() {
    let exact = exact_angle(0.5);
    for dimensions in [Dimensions::Automatic, Dimensions::Three] {
        let options = GlobalOptions { dimensions, ..GlobalOptions::default() };
        let errors = [100, 200].map(|steps| {
            let mut run = Run::new(rigid_four_bar(), &options);
            run.to(0.5, steps);
            assert!(run.worst.iter().all(|&violation| violation < 1e-9), "{:?}", run.worst);
            errors_at(&run, exact)
        });
        println!("{dimensions:?}: {errors:?}");
        for level in 0..3 {
            let order = (errors[0][level] / errors[1][level]).log2();
            assert!((1.9..2.1).contains(&order), "{dimensions:?} level {level}: order {order}");
            assert!(errors[1][level] < 1e-4);
        }
    }
}

/// What the projections are for: without them velocities and accelerations leave the constraints.
#[test]
fn projections_restore_velocities_and_accelerations() {
    let exact = exact_angle(0.5);
    let runs = [Projection::Iterated, Projection::OnePass, Projection::None].map(|projection| {
        let mut run = Run::new(rigid_four_bar(), &GlobalOptions { projection, ..GlobalOptions::default() });
        run.to(0.5, 200);
        let errors = errors_at(&run, exact);
        println!("{projection:?}: errors {errors:?}, violations {:?}", run.worst);
        (run.worst, errors)
    });
    let [iterated, once, never] = &runs;
    assert!(iterated.0[1] < 1e-12 && iterated.0[2] < 1e-10);
    // One pass leaves about 1/penalty of the correction.
    assert!(once.0[1] > 10.0 * iterated.0[1] && once.0[1] < 1e-4 * never.0[1]);
    assert!(never.0[2] > 1e6 * iterated.0[2]);
    assert!(never.1[2] > 10.0 * iterated.1[2]);
}

/// Iterations share factors: about one factorisation per step, where each needed its own.
#[test]
fn one_factorisation_serves_a_step() {
    let mut run = Run::new(rigid_four_bar(), &GlobalOptions::default());
    let (mut iterations, mut factorizations) = (0, 0);
    for _ in 0..200 {
        let report = run.integrator.step(&run.model, &run.global, &mut run.state, 2.5e-3).unwrap();
        iterations += report.iterations;
        factorizations += report.factorizations;
    }
    assert!(factorizations <= 220 && iterations > 400, "{factorizations} in {iterations} iterations");
}

/// Five seconds through all singular positions at 10 ms, and second order behind them.
#[test]
fn singular_positions_are_passed() {
    let exact = exact_angle(5.0);
    assert!((exact[0] / std::f64::consts::TAU - 2.65062).abs() < 5e-6, "the published number of turns");
    let mut last = f64::INFINITY;
    for steps in [500, 1000, 2000] {
        let mut run = Run::new(rigid_four_bar(), &GlobalOptions::default());
        let start = run.energy();
        run.to(5.0, steps);
        let error = errors_at(&run, exact)[0];
        let drift = (run.energy() - start).abs();
        println!(
            "{steps} steps: position {error:.2e}, energy {drift:.2e}, {:.2} iterations",
            run.iterations as f64 / steps as f64
        );
        assert!(run.worst.iter().all(|&violation| violation < 1e-9), "{:?}", run.worst);
        assert!(error < 0.3 * last && drift < 0.1);
        last = error;
    }
    let mut run = Run::new(flexible_four_bar(5, 0.0), &GlobalOptions::default());
    let start = run.energy();
    run.to(5.0, 500);
    let drift = (run.energy() - start).abs();
    println!("all flexible: energy {start:.4} {drift:.2e}, {:.2} iterations", run.iterations as f64 / 500.0);
    // A hundredth of the energy of the motion, as for the rigid bars at this step.
    assert!((start - 35.835).abs() < 1e-3 && drift < 0.1);
    assert!(run.worst.iter().all(|&violation| violation < 1e-9), "{:?}", run.worst);
}

/// Coordinates and speeds of the tree agree with the recursive engine.
fn assert_agreement(name: &str, model: Model, end: f64, steps: usize, limits: [f64; 2]) {
    let expected = recursive(&model, end, 1e-10);
    let mut run = Run::new(model, &GlobalOptions::default());
    run.to(end, steps);
    let found = difference(&run, &expected);
    println!(
        "{name}: {} coordinates, {} equations, differences {found:?}",
        run.global.coordinate_count(),
        run.global.constraint_count()
    );
    assert!(run.worst.iter().all(|&violation| violation < 1e-9), "{name}: {:?}", run.worst);
    assert!(found[0] < limits[0] && found[1] < limits[1], "{name}: {found:?}");
}

#[test]
fn rigid_loops_agree_with_the_recursive_engine() {
    assert_agreement("double four-bar", rigid_four_bar(), 0.5, 1000, [1e-6; 2]);
    assert_agreement("Bricard", model_of(bricard()), 0.5, 1000, [1e-6; 2]);
    assert_agreement("slider-crank", model_of(crossed_slider_crank()), 0.2, 4000, [1e-6, 1e-4]);
}

#[test]
fn flexible_loops_agree_with_the_recursive_engine() {
    assert_agreement("one flexible bar", flexible_four_bar(1, 2e-4), 0.05, 1000, [1e-6, 1e-4]);
    assert_agreement("all bars flexible", flexible_four_bar(5, 2e-4), 0.05, 1000, [1e-6, 1e-4]);
}

/// The two formulations of Lugrís et al. (2007) on the double four-bar, five flexible bars, the same trapezoidal
/// rule and inertia: halving the step brings them together, and small steps to 1e-6.
#[test]
fn topological_and_global_formulation_agree_at_small_steps() {
    use flexura::integrate::Integrator;
    let mut found = Vec::new();
    for steps in [1000, 2000] {
        let model = flexible_four_bar(5, 0.0);
        let end = 0.1;
        let step = end / steps as f64;
        let method = MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 };
        let (mut state, mut work) = (State::initial(&model, 0.0), flexura::Workspace::new(&model));
        let mut integrator = Integrator::new(&model, &method);
        while state.time < end - 0.5 * step {
            integrator.step(&model, &mut state, &mut work, end).unwrap();
        }
        let mut run = Run::new(model, &GlobalOptions::default());
        run.to(end, steps);
        found.push(difference(&run, &state)[0]);
    }
    println!(
        "five flexible bars, 0.1 s: coordinates differ by {:.2e} and {:.2e} at 100 and 50 us",
        found[0], found[1]
    );
    assert!(found[1] < 1e-6, "{found:?}");
}

/// A driver in a loop: an equation here, a known coordinate there.
#[test]
fn driven_loops_agree_with_the_recursive_engine() {
    let mut description = double_four_bar(1, |name| steel_bar(name, 4, 2e-4), [0.0; 3]);
    let coefficients = vec![std::f64::consts::FRAC_PI_2, -1.0, -2.0, 3.0];
    description.joints[1] = description.joints[1].clone().motion(TimeFunction::Polynomial { coefficients });
    assert_agreement("driven four-bar", model_of(description), 0.1, 1000, [1e-6, 1e-4]);
}

/// The origin of the coordinates moves with the model: 10 km away nothing changes.
#[test]
fn far_from_the_origin_nothing_changes() {
    let far = [6e3, -8e3, 100.0];
    let positions = [[0.0; 3], far].map(|origin| {
        let mut run = Run::new(
            model_of(double_four_bar(2, |name| steel_bar(name, 4, 0.0), origin)),
            &GlobalOptions::default(),
        );
        run.to(0.5, 200);
        (0..5).map(|k| run.global.body_motion(&run.state, k).position).collect::<Vec<_>>()
    });
    for (near, there) in positions[0].iter().zip(&positions[1]) {
        for i in 0..3 {
            assert!((there[i] - far[i] - near[i]).abs() < 1e-9, "{near:?} {there:?}");
        }
    }
}

/// Sums over nodes and invariants are one inertia where nodes are point masses and nothing is truncated.
#[test]
fn both_inertia_routes_give_the_same_motion() {
    let bar = |name: &str| {
        let mut bar = steel_bar(name, 4, 0.0).level(InertiaLevel::Consistent);
        if let BodyKind::Beam(beam) = &mut bar.kind {
            (beam.rotary_inertia, beam.foreshortening) = (false, false);
        }
        bar
    };
    let model = model_of(double_four_bar(5, bar, [0.0; 3]));
    let mut run = Run::new(model.clone(), &GlobalOptions::default());
    run.to(0.1, 100);
    let state = run.global.tree_state(&model, &run.state, &State::initial(&model, 0.0));
    let accelerations = [InertiaRoute::Invariants, InertiaRoute::Nodal].map(|inertia| {
        let options = GlobalOptions { inertia, ..GlobalOptions::default() };
        let global = GlobalModel::at(&model, &options, &state).unwrap();
        GlobalIntegrator::new(&model, &global).start(&model, &global, &state).unwrap().a
    });
    let error = crate::common::relative_error(&accelerations[0], &accelerations[1], 1.0);
    println!("routes differ by {error:.2e} of the accelerations");
    assert!(error < 1e-10);
}

/// Accelerations of the tree at random states, against the recursive engine: bodies' origins and modes.
pub fn acceleration_error(model: &Model, state: &State, options: &GlobalOptions) -> Option<f64> {
    let global = GlobalModel::at(model, options, state).ok()?;
    let mut integrator = GlobalIntegrator::new(model, &global);
    let found = integrator.start(model, &global, state).unwrap();
    let mut start = state.clone();
    let work = evaluated(model, &mut start, FlexibleRoute::Direct);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for k in 0..model.body_count() {
        let expected = inertial_acceleration(
            model,
            &work.motion,
            &work.accelerations.acceleration,
            &work.accelerations.chidot,
            k,
        );
        a.extend(global.body_acceleration(&found, k));
        b.extend(&expected[3..]);
    }
    Some(crate::common::relative_error(&a, &b, 1.0))
}

/// Every joint kind, the exact inertia levels, springs, dampers, friction, efforts, loads and drivers, one instant each.
#[test]
fn accelerations_of_random_trees_agree() {
    for level in EXACT_LEVELS {
        let (mut tested, mut worst) = (0, 0.0_f64);
        for seed in 1..=200 {
            let mut recipe = Recipe::small(level);
            recipe.loads = seed % 2 == 0;
            recipe.prescribed = if seed % 3 == 0 { 0.3 } else { 0.0 };
            let (model, mut state) = random_case(&recipe, seed);
            flexura::state::prescribe::apply_prescribed(&model, &mut state, None);
            if let Some(error) = acceleration_error(&model, &state, &GlobalOptions::default()) {
                assert!(error < 1e-11, "{level:?}, seed {seed}: {error:e}");
                (tested, worst) = (tested + 1, worst.max(error));
            }
        }
        println!("{level:?}: {tested} systems, worst {worst:.2e}");
        assert!(tested > 80, "too few of the random systems are supported: {tested}");
    }
}

/// Bodies that come with sums over their mass instead of nodes, rigid and flexible.
#[test]
fn accelerations_of_bodies_with_sums_agree() {
    let (mut tested, mut worst, mut moved) = (0, 0.0_f64, 0);
    for seed in 1..=240 {
        let mut random = Random::new(seed);
        let level = if seed % 2 == 0 { InertiaLevel::Gram } else { InertiaLevel::Consistent };
        let mut description = Recipe::small(level).describe(&mut random);
        for body in &mut description.bodies {
            let BodyKind::Modal(modal) = &mut body.kind else { continue };
            modal.invariants = Some(ModalInvariants::of_nodes(&modal.nodes, modal.modes));
            for node in &mut modal.nodes {
                (node.mass, node.inertia) = (0.0, [[0.0; 3]; 3]);
            }
            moved += 1;
        }
        let model = build(description).expect("valid").model;
        let mut state = random_state(&model, &mut random);
        flexura::state::prescribe::apply_prescribed(&model, &mut state, None);
        if let Some(error) = acceleration_error(&model, &state, &GlobalOptions::default()) {
            assert!(error < 1e-11, "seed {seed}: {error:e}");
            (tested, worst) = (tested + 1, worst.max(error));
        }
    }
    println!("{tested} systems, {moved} bodies with sums, worst {worst:.2e}");
    assert!(tested > 20 && moved > 60, "{tested} {moved}");
}

/// All kinds of force element between bodies of random trees.
#[test]
fn accelerations_with_force_elements_agree() {
    let (mut tested, mut worst) = (0, 0.0_f64);
    for seed in 1..=60 {
        let mut random = Random::new(seed);
        let recipe = Recipe { loads: false, ..Recipe::small(EXACT_LEVELS[seed as usize % 3]) };
        let mut description = recipe.describe(&mut random);
        let last = description.bodies.len() - 1;
        for (i, kind) in crate::common::random_element::random_elements(&mut random).into_iter().enumerate() {
            let ends = [
                format!("b{}.in", i % (last + 1)),
                if i % 3 == 0 { "ground.origin".into() } else { format!("b{last}.in") },
            ];
            if ends[0] != ends[1] {
                description = description.element(&format!("e{i}"), kind, [&ends[0], &ends[1]]);
            }
        }
        let Ok(built) = build(description) else { continue };
        let state = random_state(&built.model, &mut random);
        if let Some(error) = acceleration_error(&built.model, &state, &GlobalOptions::default()) {
            assert!(error < 1e-11, "seed {seed}: {error:e}");
            (tested, worst) = (tested + 1, worst.max(error));
        }
    }
    println!("{tested} systems with elements, worst {worst:.2e}");
    assert!(tested > 20, "{tested}");
}

/// Linearised unit vectors differ from the exact ones at second order in the slopes.
#[test]
fn linearised_vectors_differ_at_second_order() {
    let beam =
        BeamDescription::new(1.0, 7850.0, 2.1e11, 8e10, flexura::beam::Section::Circle { radius: 0.01 })
            .modes(
                flexura::beam::Boundary::ClampedFree,
                flexura::beam::ModeCounts { bending_y: 1, bending_z: 1, torsion: 1, ..Default::default() },
            );
    let model = model_of(
        Description::new("arm")
            .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
            .body(BodyDescription::rigid("load", 2.0, [0.02, 0.03, 0.04]).center_of_mass([0.1, 0.2, 0.0]))
            .joint(JointDescription::revolute("root", ["ground.origin", "beam.origin"], [0.0, 0.0, 1.0]))
            .joint(JointDescription::revolute("elbow", ["beam.tip", "load.origin"], [0.0, 1.0, 0.0])),
    );
    let differences = [0.02, 0.01].map(|size| {
        let mut state = State::initial(&model, 0.0);
        state.q[model.layout.bodies[0].modal_q()].copy_from_slice(&[size, -0.5 * size, 0.7 * size]);
        state.v[1] = 1.0;
        let accelerations = [VectorRule::Exact, VectorRule::Linearised].map(|vectors| {
            let options = GlobalOptions { vectors, ..GlobalOptions::default() };
            let global = GlobalModel::at(&model, &options, &state).unwrap();
            let found = GlobalIntegrator::new(&model, &global).start(&model, &global, &state).unwrap();
            global.body_acceleration(&found, 1)
        });
        let [exact, linearised] = accelerations;
        (0..3).fold(0.0_f64, |worst, i| worst.max((exact[i] - linearised[i]).abs()))
    });
    let order = (differences[0] / differences[1]).log2();
    println!("linearised vectors: {differences:?}");
    assert!((1.7..2.3).contains(&order) && differences[1] > 1e-6, "{differences:?}");
}

/// The whole way: a description with the global formulation, run and recorded like any other.
#[test]
fn a_run_with_the_global_formulation_fills_the_same_channels() {
    let last = |method: MethodDescription| {
        let description = double_four_bar(1, |name| steel_bar(name, 4, 2e-4), [0.0; 3]);
        let built =
            description.run_for(0.05).method(method).build().unwrap_or_else(|error| panic!("{error}"));
        let result = built.simulate().unwrap();
        assert_eq!(result.rows(), 6);
        ["ground0.angle", "right2.angle", "link0.eta.2", "energy.kinetic", "energy.balance"]
            .map(|name| result.last(name).unwrap_or_else(|error| panic!("{error:?}")))
    };
    let found = last(MethodDescription::Global { step: 1e-4 });
    let expected = last(SimulationDescription::default().method);
    println!("{found:?} {expected:?}");
    for i in 0..3 {
        assert!((found[i] - expected[i]).abs() < 1e-6, "{found:?} {expected:?}");
    }
    assert!((found[3] / expected[3] - 1.0).abs() < 1e-5 && found[4].abs() < 1e-5, "{found:?}");
}

/// What the formulation does not know is refused with item and cause.
#[test]
fn unsupported_models_are_refused() {
    let spring = CoordinateDescription { stiffness: 1.0, ..Default::default() };
    let ball =
        JointDescription::spherical("ball", ["ground.origin", "stone.origin"]).coordinates(vec![spring; 3]);
    let stone = BodyDescription::rigid("stone", 1.0, [0.1; 3]);
    let model = model_of(Description::new("ball").body(stone.clone()).joint(ball));
    let error = GlobalModel::new(&model, &GlobalOptions::default()).unwrap_err().to_string();
    assert!(error.contains("`ball`") || error.contains("(ball)"), "{error}");
    let kind = JointKindDescription::Helical { axis: [0.0, 0.0, 1.0], pitch: 0.01 };
    let screw = JointDescription::new("screw", kind, ["ground.origin", "stone.origin"]);
    let model = model_of(Description::new("screw").body(stone).joint(screw));
    let error = GlobalModel::new(&model, &GlobalOptions::default()).unwrap_err().to_string();
    assert!(error.contains("helical") && error.contains("screw"), "{error}");
    // Sums over nodes need nodes.
    let sums = ModalInvariants { mass: 1.0, modal: vec![1.0], ..ModalInvariants::zero(1) };
    let modal = ModalDescription {
        modes: 1,
        stiffness: vec![1.0],
        invariants: Some(sums),
        ..ModalDescription::default()
    };
    let pin = JointDescription::weld("pin", ["ground.origin", "part.origin"]);
    let model = model_of(Description::new("sums").body(BodyDescription::modal("part", modal)).joint(pin));
    let nodal = GlobalOptions { inertia: InertiaRoute::Nodal, ..GlobalOptions::default() };
    let error = GlobalModel::new(&model, &nodal).unwrap_err().to_string();
    assert!(error.contains("part") && error.contains("mass_nodes"), "{error}");
}

/// Agreement is evidence only because nothing is shared with the recursive algorithms.
#[test]
fn nothing_is_taken_from_the_other_formulations() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/formulation/global");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        files += 1;
        for word in [
            "crate::algorithm",
            "topological::",
            "formulation::topological",
            "crate::workspace",
            "crate::motion",
            "crate::force",
            "crate::constraint",
            "crate::dynamics",
            "crate::integrate",
        ] {
            assert!(!text.contains(word), "{} uses {word}", path.display());
        }
    }
    assert!(files > 15);
}
