//! Nothing is allocated once a workspace exists.
//!
//! A counting allocator stands in for the system's. Counts belong to the thread,
//! so that the test harness and other tests do not disturb them.
#![allow(unsafe_code)] // the allocator interface is unsafe by nature

#[path = "no_alloc/building.rs"]
mod building;
#[path = "common/four_bars.rs"]
#[allow(dead_code)]
mod four_bars;
#[path = "common/mechanisms.rs"]
mod mechanisms;
#[path = "common/mixed_model.rs"]
mod mixed_model;

use flexura::algorithm::composite_body::CompositeBody;
use flexura::algorithm::divide_and_conquer::{DivideAndConquer, Par, divide_and_conquer};
use flexura::algorithm::innovations::{self, Innovations};
use flexura::algorithm::{FlexibleRoute, composite_body, energy, momentum};
use flexura::model::description::AlgorithmDescription;
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, evaluate};
use flexura_samples::chains::{model, random_state};
use mixed_model::mixed_model;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static LARGEST: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn hold(change: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

/// The system allocator with a counter per thread.
struct CountingAllocator;

fn count_one(size: usize) {
    // A thread that is shutting down has no counter any more; it is not under test.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + size));
    let _ = LARGEST.try_with(|largest| largest.set(largest.get().max(size)));
}

// SAFETY: every call is passed unchanged to the system allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one(layout.size());
        hold(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_one(layout.size());
        hold(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one(size);
        hold(size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Allocations made by `work` on this thread.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// Bytes allocated by `work` on this thread, and the largest piece of them.
fn memory(work: impl FnOnce()) -> [usize; 2] {
    BYTES.set(0);
    LARGEST.set(0);
    work();
    [BYTES.get(), LARGEST.get()]
}

/// By how much `work` changes the bytes held on this thread, and the most it holds beside those before.
fn held_and_peak(work: impl FnOnce()) -> (isize, isize) {
    let before = HELD.get();
    PEAK.set(before);
    work();
    (HELD.get() - before, PEAK.get() - before)
}

/// Runs `work` once to warm up, then demands that running it on other states allocates nothing.
fn assert_no_allocation(what: &str, model: &Model, mut work: impl FnMut(&State)) {
    let states: Vec<State> = (0..4).map(|seed| random_state(model, seed)).collect();
    work(&states[0]);
    let count = allocations(|| states.iter().for_each(&mut work));
    assert_eq!(count, 0, "{what} allocates");
}

/// Bodies of all kinds at all levels, all joints, springs, friction, efforts and forces.
fn free_model() -> Model {
    model(mixed_model(40, false, 11))
}

/// The same with a third of the joints driven.
fn driven_model() -> Model {
    model(mixed_model(40, true, 12))
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1.0; 100]))), 1);
}

#[test]
fn evaluation_does_not_allocate() {
    for model in [free_model(), driven_model()] {
        let mut work = Workspace::<f64>::new(&model);
        assert_no_allocation("evaluate", &model, |state| evaluate(&model, state, &mut work).unwrap());
    }
}

#[test]
fn prescribed_motion_does_not_allocate() {
    let model = driven_model();
    let mut work = Workspace::<f64>::new(&model);
    let mut now = State::initial(&model, 0.5);
    assert_no_allocation("prescribed motion", &model, |_| {
        apply_prescribed(&model, &mut now, Some(&mut work.load));
    });
}

#[test]
fn observation_does_not_allocate() {
    let model = driven_model();
    let mut work = Workspace::<f64>::new(&model);
    assert_no_allocation("poses, reactions, energy and momentum", &model, |state| {
        evaluate(&model, state, &mut work).unwrap();
        work.poses(&model, state);
        work.reactions(&model);
        let total = energy(&model, state, &work.motion, &work.inertias);
        let sum = momentum(&model, state, &work.motion, &work.inertias, &[0.0; 3]);
        assert!(total.total().is_finite() && sum.linear[0].is_finite());
    });
}

/// Verdicts on modes: beams with curvature of both orders under a load, as rows of a run see them.
#[test]
fn judging_modes_does_not_allocate() {
    let built =
        flexura::file::build_text(include_str!("data/judged.toml"), "judged.toml").expect("builds").built;
    let model = built.model;
    let mut work = Workspace::<f64>::new(&model);
    work.load.keep_points(&model);
    let mut judge = flexura::truncation::Judge::new(&model);
    assert!(judge.follows());
    assert_no_allocation("verdicts", &model, |state| {
        evaluate(&model, state, &mut work).unwrap();
        work.poses(&model, state);
        work.reactions(&model);
        judge.see(&model, state, &work);
    });
    assert!(judge.verdicts(&model).iter().any(|found| found.missing.is_some()), "nothing was judged");
}

#[test]
fn composite_body_does_not_allocate() {
    let model = driven_model();
    let mut work = Workspace::<f64>::new(&model);
    let mut dense = CompositeBody::new(&model).unwrap();
    assert_no_allocation("composite bodies", &model, |state| {
        work.kinematics(&model, state);
        work.loads(&model, state);
        composite_body(&model, &work.motion.kinematics, &work.inertias, &work.load, &mut dense).unwrap();
    });
}

#[test]
fn conjugate_gradients_do_not_allocate() {
    let model = driven_model();
    let mut work = Workspace::<f64>::new(&model);
    work.choose(&model, AlgorithmDescription::ConjugateGradient).unwrap();
    assert_no_allocation("conjugate gradients", &model, |state| {
        evaluate(&model, state, &mut work).unwrap();
    });
}

#[test]
fn divide_and_conquer_does_not_allocate() {
    let model = driven_model();
    let mut work = Workspace::<f64>::new(&model);
    for leaf in [1, 16] {
        let mut divided = DivideAndConquer::with_leaf(&model, leaf);
        assert_no_allocation("divide and conquer", &model, |state| {
            work.kinematics(&model, state);
            work.loads(&model, state);
            let (kin, inertias, load) = (&work.motion.kinematics, &work.inertias, &work.load);
            divide_and_conquer(&model, kin, inertias, load, &mut divided, Par::Serial).unwrap();
        });
        work.choose(&model, AlgorithmDescription::DivideAndConquer { threads: 1, leaf, refinements: 0 })
            .unwrap();
        assert_no_allocation("evaluation by divide and conquer", &model, |state| {
            evaluate(&model, state, &mut work).unwrap();
            work.poses(&model, state);
        });
    }
}

/// Loops in one tree, closed and put back inside the assemblies: steps, corrections and all joint forces allocate nothing, and
/// what is made before them grows with the bodies: no matrix over all rows, nor over rows and speeds. Model building included.
#[test]
fn no_matrix_over_all_rows_is_made_for_assemblies() {
    use flexura::constraint::project;
    use flexura_samples::looped_tree::looped_tree;
    let algorithm = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 1 };
    let mut found = Vec::new();
    for cells in [100, 400] {
        let mut model = None;
        let [_, largest_to_build] =
            memory(|| model = Some(flexura::build(looped_tree(cells, 8, 1)).unwrap().model));
        let model = model.unwrap();
        let (mut state, mut work) = (State::initial(&model, 0.0), None);
        let [bytes, largest] = memory(|| {
            let mut made = Workspace::<f64>::new(&model);
            made.choose(&model, algorithm).unwrap();
            project(&model, &mut state, &mut made).unwrap();
            evaluate(&model, &state, &mut made).unwrap();
            work = Some(made);
        });
        let mut work = work.unwrap();
        let count = allocations(|| {
            for step in 0..3 {
                state.v.iter_mut().for_each(|speed| *speed += 1e-3 * step as f64);
                project(&model, &mut state, &mut work).unwrap();
                evaluate(&model, &state, &mut work).unwrap();
                work.reactions(&model);
            }
        });
        assert_eq!(count, 0, "corrections allocate");
        let (rows, bodies) = (model.constraint_count(), model.body_count());
        println!(
            "{bodies} bodies, {cells} loops, {rows} rows: {bytes} bytes, largest piece {largest}, {largest_to_build} to build; \
             a matrix over all rows {}, over rows and speeds {}",
            8 * rows * rows,
            8 * rows * model.speed_count(),
        );
        found.push((bytes as f64 / bodies as f64, largest, largest_to_build, 8 * rows * rows));
    }
    let [(each, ..), (later, largest, largest_to_build, square)] = found[..] else { unreachable!() };
    assert!(later < 1.1 * each, "{later} bytes per body after {each}");
    assert!(
        4 * largest < square && 4 * largest_to_build < square,
        "{largest}, {largest_to_build} of {square}"
    );
}

#[test]
fn innovations_do_not_allocate() {
    let model = free_model();
    let mut work = Workspace::<f64>::with_route(&model, FlexibleRoute::Direct);
    let mut scratch = Innovations::new(&model);
    let right = vec![1.0; model.speed_count()];
    let (mut solved, mut product) = (right.clone(), right.clone());
    assert_no_allocation("innovations products", &model, |state| {
        evaluate(&model, state, &mut work).unwrap();
        let (kinematics, factors) = (&work.motion.kinematics, &work.articulated);
        innovations::solve(&model, kinematics, factors, &right, &mut scratch, &mut solved).unwrap();
        innovations::multiply(&model, kinematics, factors, &solved, &mut scratch, &mut product).unwrap();
        assert!(innovations::log_determinant(&model, factors).unwrap().is_finite());
    });
}

/// Every integrator: steps, dense output, and samples of every channel into a row.
#[test]
fn stepping_interpolating_and_sampling_do_not_allocate() {
    use flexura::integrate::Integrator;
    use flexura::model::description::{DampingChoice, MethodDescription};
    let adaptive = MethodDescription::DormandPrince {
        relative_tolerance: 1e-6,
        absolute_tolerance: 1e-8,
        initial_step: 0.0,
        largest_step: 1e-3,
    };
    let implicit = MethodDescription::Implicit {
        damping: DampingChoice::SpectralRadius(0.8),
        step: 1e-4,
        tolerance: 0.0,
    };
    let radau = MethodDescription::Radau {
        relative_tolerance: 1e-6,
        absolute_tolerance: 1e-8,
        initial_step: 0.0,
        largest_step: 1e-3,
    };
    let automatic = MethodDescription::Automatic {
        relative_tolerance: 1e-6,
        absolute_tolerance: 1e-8,
        initial_step: 0.0,
        largest_step: 1e-3,
    };
    for method in [MethodDescription::Rk4 { step: 1e-4 }, adaptive, radau, automatic, implicit] {
        let model = driven_model();
        let mut work = Workspace::<f64>::new(&model);
        let mut sample_work = Workspace::<f64>::new(&model);
        let mut state = State::initial(&model, 0.1);
        let mut between = state.clone();
        let mut integrator = Integrator::new(&model, &method);
        let mut recorder = flexura::Recorder::new(&model, &["*".to_string()]).unwrap();
        let mut row = vec![0.0; recorder.channels().len() + 1];
        let mut cycle = || {
            let start = state.time;
            integrator.step(&model, &mut state, &mut work, 10.0).unwrap();
            let middle = 0.5 * (start + state.time);
            let done = integrator.interpolate(&model, middle, &mut between);
            recorder.sample(&model, &between, done, &mut sample_work, &mut row).unwrap();
        };
        cycle();
        let count = allocations(|| (0..5).for_each(|_| cycle()));
        assert_eq!(count, 0, "{method:?} allocates");
    }
}

/// Every kind of element between a flexible beam and the ground.
#[test]
fn elements_do_not_allocate() {
    use flexura::beam::{Boundary, ModeCounts, Section};
    use flexura::model::description::{BeamDescription, BodyDescription, Description, JointDescription};
    use flexura::model::element::{Contact, Rod, SpringDamper};
    let counts = ModeCounts { bending_z: 2, ..Default::default() };
    let beam = BeamDescription::new(1.0, 2700.0, 70e9, 26e9, Section::Circle { radius: 0.01 })
        .modes(Boundary::ClampedFree, counts);
    let contact = Contact {
        radius: 0.02,
        stiffness: 1e5,
        exponent: 1.5,
        dissipation: 0.1,
        friction: 0.3,
        friction_speed: 0.01,
    };
    let ends = ["ground.origin", "beam.tip"];
    let description = Description::new("elements")
        .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
        .joint(JointDescription::free("float", ["ground.origin", "beam.origin"]))
        .element("spring", SpringDamper::linear(0.5, 100.0, 1.0), ends)
        .element("rod", Rod { length: 1.2, stiffness: 1e4, damping: 2.0 }, ends)
        .element("floor", contact, ends);
    let model = model(description);
    let mut work = Workspace::<f64>::new(&model);
    assert_no_allocation("elements", &model, |state| evaluate(&model, state, &mut work).unwrap());
}

/// Loads spread over bodies, actuators and functions of channels.
#[test]
fn driven_bodies_do_not_allocate() {
    let text = r#"
[[body]]
name = "arm"
[body.beam]
length = 2.0
density = 2700
young = 70e9
poisson = 0.33
section = { rectangle = [0.04, 0.006] }
boundary = "clamped-free"
bending_z = 2
[[body.frame]]
name = "tip"
station = "tip"
[[joint]]
name = "hinge"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "arm.origin"]
[[load]]
name = "wind"
body = "arm"
type = "line"
force = [0, 0, 3]
axes = "follower"
[[ground.frame]]
name = "post"
position = [0, 0, 1]
[[element]]
name = "jack"
type = "actuator"
between = ["ground.post", "arm.tip"]
effort = 3
[[controller]]
name = "law"
type = "function"
sensors = ["jack.length"]
actuators = ["wind"]
table = { inputs = [0, 1, 4], outputs = [1, 0, 2] }
"#;
    let model = flexura::file::build_text(text, "driven.toml").expect("model").built.model;
    let mut workspace = Workspace::new(&model);
    assert_no_allocation("driven bodies", &model, |state| {
        evaluate(&model, state, &mut workspace).expect("dynamics");
    });
}

/// Implicit steps of a flexible mechanism with loops, on both tangents, and steps in real time.
#[test]
fn closed_implicit_steps_do_not_allocate() {
    use flexura::formulation::topological::{TangentRoute, TopologicalOptions};
    use flexura::integrate::Integrator;
    use flexura::integrate::RealTime;
    use flexura::model::description::DampingChoice;
    let model = model(four_bars::four_bars(2, 3, 3, [0.0; 3]));
    let method = four_bars::implicit(DampingChoice::None, 1e-3);
    for tangent in [TangentRoute::Automatic, TangentRoute::Exact] {
        let mut work = Workspace::<f64>::new(&model);
        let mut state = State::initial(&model, 0.0);
        let mut integrator = Integrator::new(&model, &method);
        integrator.set_topological(&model, TopologicalOptions { tangent, ..Default::default() });
        integrator.step(&model, &mut state, &mut work, 1.0).unwrap();
        let count = allocations(|| {
            (0..5).for_each(|_| integrator.step(&model, &mut state, &mut work, 1.0).unwrap());
        });
        assert_eq!(count, 0, "{tangent:?} allocates");
    }
    let start = State::initial(&model, 0.0);
    let mut real_time = RealTime::new(&model, start, DampingChoice::None, 1e-3, 3);
    real_time.advance(&model).unwrap();
    let count = allocations(|| {
        (0..5).for_each(|_| assert!(real_time.advance(&model).is_ok()));
    });
    assert_eq!(count, 0, "steps in real time allocate");
}

#[test]
fn steps_of_the_global_formulation_do_not_allocate() {
    use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions};
    let bar = |name: &str| four_bars::steel_bar(name, 4, 1e-4);
    let model = model(four_bars::double_four_bar(2, bar, [0.0; 3]));
    let global = GlobalModel::new(&model, &GlobalOptions::default()).expect("hinges only");
    let mut integrator = GlobalIntegrator::new(&model, &global);
    let mut state = integrator.initial(&model, &global).expect("the model starts");
    let count = allocations(|| {
        for _ in 0..20 {
            integrator.step(&model, &global, &mut state, 1e-3).expect("the step converges");
        }
    });
    assert_eq!(count, 0, "a step allocates");
}

/// Closed loops with a flexible body: steps with projection, steps that keep the energy, samples.
#[test]
fn closed_loops_do_not_allocate() {
    use flexura::integrate::Integrator;
    use flexura::model::description::MethodDescription;
    let energy = |spectral_radius| MethodDescription::EnergyMomentum { step: 1e-4, spectral_radius };
    for method in [MethodDescription::Rk4 { step: 1e-4 }, mechanisms::tight(), energy(1.0), energy(0.5)] {
        let model = model(mechanisms::flexible_slider_crank());
        let (mut work, mut sample_work) = (Workspace::<f64>::new(&model), Workspace::<f64>::new(&model));
        let mut state = State::initial(&model, 0.0);
        let mut between = state.clone();
        let mut integrator = Integrator::new(&model, &method);
        let mut recorder = flexura::Recorder::new(&model, &["*".to_string()]).unwrap();
        let mut row = vec![0.0; recorder.channels().len() + 1];
        let mut cycle = || {
            let start = state.time;
            integrator.step(&model, &mut state, &mut work, 10.0).unwrap();
            let middle = 0.5 * (start + state.time);
            let done = integrator.interpolate_closed(&model, middle, &mut between, &mut sample_work).unwrap();
            recorder.sample(&model, &between, done, &mut sample_work, &mut row).unwrap();
        };
        cycle();
        let count = allocations(|| (0..5).for_each(|_| cycle()));
        assert_eq!(count, 0, "{method:?} allocates");
    }
}

/// Closed loops with the equations of the linear graph: steps with projection, samples.
#[test]
fn equations_of_the_graph_do_not_allocate() {
    use flexura::formulation::graph::GraphFormulation;
    use flexura::integrate::Integrator;
    let model = model(mechanisms::flexible_slider_crank());
    let graph = || Box::new(GraphFormulation::new(&model).unwrap());
    let (mut work, mut sample_work) = (Workspace::<f64>::new(&model), Workspace::<f64>::new(&model));
    work.substitute(graph());
    sample_work.substitute(graph());
    let mut state = State::initial(&model, 0.0);
    let mut between = state.clone();
    let mut integrator = Integrator::new(&model, &mechanisms::tight());
    let mut recorder = flexura::Recorder::new(&model, &["*".to_string()]).unwrap();
    let mut row = vec![0.0; recorder.channels().len() + 1];
    let mut cycle = || {
        let start = state.time;
        integrator.step(&model, &mut state, &mut work, 10.0).unwrap();
        let middle = 0.5 * (start + state.time);
        let done = integrator.interpolate_closed(&model, middle, &mut between, &mut sample_work).unwrap();
        recorder.sample(&model, &between, done, &mut sample_work, &mut row).unwrap();
    };
    cycle();
    assert_eq!(allocations(|| (0..5).for_each(|_| cycle())), 0);
}

#[test]
fn steps_from_outside_do_not_allocate() {
    let text = include_str!("../../../models/controlled_arm.toml");
    let head = text.split("[simulation]").next().expect("a text");
    for method in [
        "method = \"rk4\"\nstep = 5e-4",
        "method = \"generalized-alpha\"\nstep = 1e-3",
        "relative_tolerance = 1e-6",
    ] {
        let text = format!("{head}[simulation]\nend = 1\noutput_interval = 0.01\n{method}\n");
        let built = flexura::file::build_text(&text, "m.toml").expect("a model").built;
        let run = flexura::simulate::Simulation::of(&built).channels(["*"]);
        let mut arm = run.simulator(&["*"], 0.01).expect("a simulator");
        for _ in 0..5 {
            arm.step().expect("a step");
        }
        let mut effort = 0.0;
        let count = allocations(|| {
            for _ in 0..20 {
                effort += 0.1;
                arm.set_at(0, effort).expect("an input");
                arm.step().expect("a step");
            }
        });
        assert_eq!(count, 0, "{method}");
    }
}
