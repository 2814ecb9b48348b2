//! Runs on the emulated device against runs on the processor: same method and steps, error control, batches, refusals.

use flexura::model::description::{
    BodyDescription, CoordinateDescription, Description, InertiaLevel, JointDescription,
    JointKindDescription, MethodDescription,
};
use flexura::time_function::TimeFunction;
use flexura::{Model, Simulation, State};
use flexura_gpu::{Choice, DeviceError, DeviceRun, Method, System};
use flexura_samples::chains;

const CHOICE: Choice = Choice::Emulated;

fn built(description: Description) -> flexura::build::Built {
    flexura::build(description).expect("sound")
}

/// A chain that swings with a driven first joint, a sprung second and friction in the third.
fn lively(count: usize, modes: usize) -> Description {
    let mut description = if modes == 0 {
        chains::rigid_chain(count)
    } else {
        chains::clamped_chain(count, modes, InertiaLevel::Gram)
    };
    let coordinate = |edit: &dyn Fn(&mut CoordinateDescription)| {
        let mut one = CoordinateDescription::default();
        edit(&mut one);
        vec![one]
    };
    let rise = TimeFunction::Cycloidal { from: 0.0, to: 0.7, start: 0.01, duration: 0.05 };
    description.joints[0].coordinates = coordinate(&|c| c.motion = Some(rise.clone()));
    description.joints[1].coordinates = coordinate(&|c| {
        c.stiffness = 40.0;
        c.rest = 0.2;
        c.damping = 0.3;
    });
    let push = TimeFunction::Harmonic { offset: 0.1, amplitude: 2.0, angular_frequency: 30.0, phase: 0.4 };
    description.joints[2].coordinates = coordinate(&|c| {
        c.friction = 0.4;
        c.friction_speed = 0.05;
        c.effort = Some(push.clone());
    });
    // A second drive, in the middle of the chain and of another kind.
    let sway = TimeFunction::Harmonic { offset: 0.0, amplitude: 0.2, angular_frequency: 25.0, phase: 0.0 };
    description.joints[3].coordinates = coordinate(&|c| c.motion = Some(sway.clone()));
    description.output.channels = vec!["j*".into(), "energy.*".into()];
    description.simulation.end = 0.1;
    description.simulation.output_interval = 0.01;
    description
}

fn on_processor(description: &Description, method: MethodDescription) -> flexura::Recording {
    let mut description = description.clone();
    description.simulation.method = method;
    built(description).simulate().expect("runs")
}

fn on_device(description: &Description, method: MethodDescription) -> flexura::Recording {
    let mut description = description.clone();
    description.simulation.method = method.clone();
    let built = built(description);
    let mut prepared = Simulation::of(&built).prepare().expect("channels");
    let mut recording = flexura::Recording::new(prepared.channels());
    let mut run = DeviceRun::new(&built.model, &method, CHOICE).expect("lowered");
    let outcome = prepared.run_remote(&mut run, &mut recording, &mut |_| true, &mut ()).expect("runs");
    assert!(outcome.unbalanced.is_none(), "{:?}", outcome.unbalanced);
    recording
}

fn largest_difference(a: &flexura::Recording, b: &flexura::Recording, channel: &str) -> f64 {
    let (a, b) = (a.channel(channel).expect("recorded"), b.channel(channel).expect("recorded"));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}

#[test]
fn fixed_steps_follow_the_processor_to_rounding_rows_work_and_all() {
    for modes in [0, 3] {
        let description = lively(6, modes);
        let method = MethodDescription::Rk4 { step: 2e-4 };
        let (here, there) = (on_processor(&description, method.clone()), on_device(&description, method));
        for channel in ["j0.angle", "j2.angle", "j5.angle", "j5.rate"] {
            let found = largest_difference(&here, &there, channel);
            println!("{modes} modes, {channel}: {found:.1e}");
            assert!(found < 1e-10, "{channel}: {found:.1e}");
        }
        let balance = largest_difference(&here, &there, "energy.balance");
        println!("{modes} modes, energy.balance: {balance:.1e}");
        assert!(balance < 1e-8, "{balance:.1e}");
    }
}

#[test]
fn error_control_keeps_its_tolerance() {
    let description = lively(5, 2);
    let method = |relative_tolerance: f64| MethodDescription::DormandPrince {
        relative_tolerance,
        absolute_tolerance: 1e-2 * relative_tolerance,
        initial_step: 0.0,
        largest_step: 0.1,
    };
    let exact = on_processor(&description, method(1e-11));
    let mut last = f64::INFINITY;
    for relative in [1e-5, 1e-7, 1e-9] {
        let found = largest_difference(&exact, &on_device(&description, method(relative)), "j4.angle");
        println!("tolerance {relative:.0e}: {found:.1e}");
        assert!(found < 100.0 * relative && found < last, "{relative:.0e}: {found:.1e}");
        last = found;
    }
}

#[test]
fn systems_of_a_batch_step_by_their_own_clocks_as_if_alone() {
    let model = chains::model(chains::clamped_chain(4, 2, InertiaLevel::Gram));
    let states: Vec<State> = (0..5).map(|seed| chains::random_state(&model, seed)).collect();
    let method = Method::DormandPrince { relative: 1e-8, absolute: 1e-10, largest: 0.1, first: 1e-4 };
    let mut all = System::batch(&model, 5, CHOICE).expect("lowered");
    all.set_states(&states).expect("sent");
    all.start(method, 0.0).expect("started");
    all.advance_to(0.05).expect("advanced");
    all.fetch().expect("fetched");
    for (index, state) in states.iter().enumerate() {
        let mut one = System::batch(&model, 1, CHOICE).expect("lowered");
        one.set_state(state).expect("sent");
        one.start(method, 0.0).expect("started");
        one.advance_to(0.05).expect("advanced");
        let alone = one.state().expect("read");
        let mut among = state.clone();
        all.read_state(index, &mut among);
        assert_eq!(alone.q, among.q, "system {index}");
        assert_eq!(alone.v, among.v, "system {index}");
        assert_eq!(all.time(index).expect("clock"), 0.05);
    }
}

#[test]
fn systems_that_differ_in_numbers_move_as_their_own_models() {
    let payload = |mass: f64| {
        let mut description = chains::clamped_chain(3, 3, InertiaLevel::Gram);
        let mut load = BodyDescription::point_mass("load", mass);
        load.frames.clear();
        description.bodies.push(load);
        let kind = JointKindDescription::Revolute { axis: [0.0, 1.0, 0.0] };
        description.bodies[3] = chains::bar("load".into());
        if let flexura::model::description::BodyKind::Rigid(rigid) = &mut description.bodies[3].kind {
            rigid.mass = mass;
        }
        description.joints.push(JointDescription::new("grip", kind, ["b2.out", "load.in"]));
        chains::model(description)
    };
    let models: Vec<Model> = [1.0, 2.5, 0.3, 7.0].map(payload).into();
    let all: Vec<&Model> = models.iter().collect();
    let mut batch = System::batch_of(&all, CHOICE).expect("lowered");
    let states: Vec<State> = models.iter().map(|model| chains::random_state(model, 9)).collect();
    batch.set_states(&states).expect("sent");
    batch.evaluate().expect("evaluated");
    let mut seen = Vec::new();
    for (index, model) in models.iter().enumerate() {
        let mut one = System::batch(model, 1, CHOICE).expect("lowered");
        one.set_state(&states[index]).expect("sent");
        one.evaluate().expect("evaluated");
        let found = batch.accelerations(index).expect("regular");
        assert_eq!(found, one.accelerations(0).expect("regular"));
        seen.push(found[0]);
    }
    seen.dedup();
    assert_eq!(seen.len(), 4, "masses matter");
    // Another topology has no place in the batch.
    let other = chains::model(chains::rigid_chain(4));
    assert!(matches!(System::batch_of(&[&models[0], &other], CHOICE), Err(DeviceError::Refused(_))));
}

/// Numbers that are none end a run, and the next start forgets them; states must be as many as systems.
#[test]
fn faults_are_named_and_belong_to_their_states() {
    let model = chains::model(chains::rigid_chain(1));
    let mut state = chains::random_state(&model, 1);
    let mut batch = System::batch(&model, 2, CHOICE).expect("lowered");
    let good = state.clone();
    state.v[0] = f64::NAN;
    batch.set_states(&[good.clone(), state]).expect("sent");
    batch.start(Method::RungeKutta4 { step: 1e-3 }, 0.0).expect("started");
    let found = batch.advance_to(0.01).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(found.contains("system 1") && found.contains("joint `j0`"), "{found}");
    batch.set_state(&good).expect("sent");
    batch.start(Method::RungeKutta4 { step: 1e-3 }, 0.0).expect("started");
    batch.advance_to(0.01).expect("the fault is gone with the state");
    assert!(matches!(batch.set_states(&[good]), Err(DeviceError::Count { given: 1, systems: 2 })));
}

/// A step far too long leaves stages without an answer: it is rejected, and a shorter one goes on.
#[test]
fn a_stage_without_an_answer_is_a_step_too_long() {
    let model = chains::model(chains::rigid_chain(3));
    let mut system = System::batch(&model, 1, CHOICE).expect("lowered");
    system.set_state(&chains::random_state(&model, 1)).expect("sent");
    let method = Method::DormandPrince { relative: 1e-6, absolute: 1e-8, largest: 1e40, first: 1e30 };
    system.start(method, 0.0).expect("started");
    let progress = system.advance_watched(1e35, &mut |progress| progress.accepted == 0).expect("goes on");
    assert!(progress.accepted > 0 && progress.rejected > 20, "{progress:?}");
    system.check().expect("nothing is left of the stages that failed");
}

#[test]
fn what_devices_cannot_run_is_refused_by_name() {
    let text = |result: Result<System<'_>, DeviceError>| match result {
        Err(error) => error.to_string(),
        Ok(_) => String::new(),
    };
    let model = chains::model(chains::flexible_chain(2, 2, InertiaLevel::Consistent));
    let found = text(System::huge(&model, CHOICE));
    assert!(found.contains("body `b1`") && found.contains("`gram` (the default)"), "{found}");
    let method = MethodDescription::Radau {
        relative_tolerance: 1e-6,
        absolute_tolerance: 1e-8,
        initial_step: 0.0,
        largest_step: 1.0,
    };
    let rigid = chains::model(chains::rigid_chain(2));
    let found =
        DeviceRun::new(&rigid, &method, CHOICE).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(found.contains("radau") && found.contains("dormand-prince"), "{found}");
}

#[test]
fn runs_side_by_side_are_those_of_each_alone() {
    use flexura_gpu::BatchRun;
    let method = MethodDescription::DormandPrince {
        relative_tolerance: 1e-9,
        absolute_tolerance: 1e-11,
        initial_step: 1e-4,
        largest_step: 0.01,
    };
    let built: Vec<_> = (0..5)
        .map(|i| {
            let mut description = lively(5, 2);
            description.joints[1].coordinates[0].stiffness = 10.0 + 7.0 * f64::from(i);
            // Break points of its own: no system stops for those of another.
            let start = 0.011 + 0.0037 * f64::from(i);
            let rise = TimeFunction::Cycloidal { from: 0.0, to: 0.7, start, duration: 0.05 };
            description.joints[0].coordinates[0].motion = Some(rise);
            description.simulation.method = method.clone();
            built(description)
        })
        .collect();
    let models: Vec<&Model> = built.iter().map(|built| &built.model).collect();
    let mut batch = BatchRun::new(&models, &method, CHOICE).expect("lowered");
    let mut prepared: Vec<_> =
        built.iter().map(|built| Simulation::of(built).prepare().expect("channels")).collect();
    let mut recordings: Vec<_> = prepared.iter().map(|run| flexura::Recording::new(run.channels())).collect();
    let runs = prepared.iter_mut().zip(&mut recordings).map(|(run, sink)| run.follow(sink).expect("starts"));
    let mut shares = Vec::new();
    let ends = batch
        .run(runs.collect(), 2, &mut |share| {
            shares.push(share);
            true
        })
        .expect("runs");
    assert!(ends.iter().all(|end| end.as_ref().is_ok_and(|outcome| outcome.unbalanced.is_none())));
    assert!(shares.windows(2).all(|pair| pair[0] <= pair[1]) && *shares.last().expect("asked") == 1.0);
    for (i, (built, recording)) in built.iter().zip(&recordings).enumerate() {
        let mut alone = BatchRun::new(&[&built.model], &method, CHOICE).expect("lowered");
        let mut prepared = Simulation::of(built).prepare().expect("channels");
        let mut single = flexura::Recording::new(prepared.channels());
        let run = prepared.follow(&mut single).expect("starts");
        alone.run(vec![run], 1, &mut |_| true).expect("runs").remove(0).expect("ends");
        for name in single.names() {
            assert_eq!(recording.channel(name), single.channel(name), "system {i}, {name}: bit by bit");
        }
        let processor = built.simulate().expect("runs");
        assert!(largest_difference(recording, &processor, "j4.angle") < 1e-7, "system {i}");
    }
}

/// Bodies that swing and bend without loss keep their energy on the device as far as on the processor: the same method and
/// tolerance leave the same imbalance, system by system.
#[test]
fn a_flexible_batch_keeps_its_energy_as_the_processor_does() {
    use flexura_gpu::BatchRun;
    for method in [
        MethodDescription::Rk4 { step: 5e-4 },
        MethodDescription::DormandPrince {
            relative_tolerance: 1e-9,
            absolute_tolerance: 1e-11,
            initial_step: 1e-4,
            largest_step: 0.05,
        },
    ] {
        let built: Vec<_> = (0..6)
            .map(|i| {
                let mut description = chains::clamped_chain(4, 3, InertiaLevel::Gram);
                for (k, joint) in description.joints.iter_mut().enumerate() {
                    joint.position = vec![0.3 * ((k + i) as f64).sin()];
                    joint.speed = vec![0.5 * ((2 * k + i) as f64).cos()];
                }
                description.output.channels = vec!["energy.*".into()];
                (description.simulation.end, description.simulation.output_interval) = (0.3, 0.05);
                description.simulation.method = method.clone();
                built(description)
            })
            .collect();
        let models: Vec<&Model> = built.iter().map(|built| &built.model).collect();
        let mut batch = BatchRun::new(&models, &method, CHOICE).expect("lowered");
        let mut prepared: Vec<_> =
            built.iter().map(|built| Simulation::of(built).prepare().expect("channels")).collect();
        let mut sinks: Vec<_> = prepared.iter().map(|run| flexura::Recording::new(run.channels())).collect();
        let runs = prepared.iter_mut().zip(&mut sinks).map(|(run, sink)| run.follow(sink).expect("starts"));
        let ends = batch.run(runs.collect(), 1, &mut |_| true).expect("runs");
        for (i, (end, built)) in ends.into_iter().zip(&built).enumerate() {
            let there = end.expect("ends").energy;
            let mut run = Simulation::of(built).prepare().expect("channels");
            let mut sink = flexura::Recording::new(run.channels());
            let here = run.run(&mut sink, &mut |_| true, &mut ()).expect("runs").energy;
            println!("{method}, system {i}: {:.2e} there, {:.2e} here", there.share(), here.share());
            // Rounding apart: 1e-14 of the largest energy.
            assert!(there.share() < 1.1 * here.share() + 1e-14, "{method} {i}");
            assert!(here.share() < 1e-6 && there.largest > 1.0, "{method} {i}");
        }
    }
}

/// Keeps every checkpoint that is due, and one where the run is stopped.
struct Kept {
    every: usize,
    asked: usize,
    list: Vec<flexura::checkpoint::Checkpoint>,
}

impl flexura::simulate::Keeper for Kept {
    fn due(&mut self, _: &flexura::simulate::Progress) -> bool {
        self.asked += 1;
        self.asked.is_multiple_of(self.every)
    }

    fn keep(&mut self, checkpoint: &flexura::checkpoint::Checkpoint) -> Result<(), flexura::SinkError> {
        self.list.push(checkpoint.clone());
        Ok(())
    }

    fn wants_last(&self) -> bool {
        true
    }
}

/// Runs from `start` until it was asked `patience` times whether to go on; rows and checkpoints.
fn kept_run(
    built: &flexura::build::Built,
    start: Option<&flexura::checkpoint::Checkpoint>,
    mut patience: usize,
) -> (flexura::Recording, Kept, flexura::simulate::Outcome) {
    let mut prepared = Simulation::of(built).prepare().expect("channels");
    let mut recording = flexura::Recording::new(prepared.channels());
    if let Some(checkpoint) = start {
        prepared.begin(flexura::simulate::Start::Checkpoint(checkpoint));
    }
    let method = &built.description.simulation.method;
    let mut run = DeviceRun::new(&built.model, method, CHOICE).expect("lowered");
    let mut kept = Kept { every: 3, asked: 0, list: Vec::new() };
    let mut watch = |_: &flexura::simulate::Progress| {
        patience = patience.saturating_sub(1);
        patience > 0
    };
    let outcome = prepared.run_remote(&mut run, &mut recording, &mut watch, &mut kept).expect("runs");
    (recording, kept, outcome)
}

/// From every checkpoint, between rows and at them, a run goes on with the bits of one that never stopped.
#[test]
fn runs_go_on_from_checkpoints_with_the_same_bits() {
    let adaptive = MethodDescription::DormandPrince {
        relative_tolerance: 1e-8,
        absolute_tolerance: 1e-10,
        initial_step: 1e-4,
        largest_step: 0.02,
    };
    for method in [MethodDescription::Rk4 { step: 4e-5 }, adaptive] {
        let mut description = lively(6, 3);
        description.simulation.method = method.clone();
        // Far apart, so that checkpoints stand between rows too: a device is asked every 256 steps.
        description.simulation.output_interval = 0.05;
        let built = built(description);
        let (whole, all, outcome) = kept_run(&built, None, usize::MAX);
        assert!(!outcome.cancelled && all.list.len() > 1, "{method}: {} checkpoints", all.list.len());
        let (before, stopped, outcome) = kept_run(&built, None, 4);
        assert!(outcome.cancelled && outcome.end_time < 0.1, "{method}: {}", outcome.end_time);
        let last = stopped.list.last().expect("kept where it was stopped");
        assert_eq!((last.time, last.rows), (outcome.end_time, before.rows() as u64));
        let between = |time: f64| (time / 0.05).fract() != 0.0;
        assert!(all.list.iter().chain([last]).any(|kept| between(kept.time)), "{method}: at rows only");
        for checkpoint in all.list.iter().chain([last]) {
            let (rest, _, outcome) = kept_run(&built, Some(checkpoint), usize::MAX);
            assert!(!outcome.cancelled && outcome.unbalanced.is_none());
            let first = checkpoint.rows as usize;
            assert_eq!(rest.rows(), whole.rows() - first, "{method} from {} s", checkpoint.time);
            for name in whole.names() {
                let [rest, whole] = [&rest, &whole].map(|rows| rows.channel(name).expect("recorded"));
                let bits = |numbers: &[f64]| -> Vec<u64> { numbers.iter().map(|x| x.to_bits()).collect() };
                assert_eq!(bits(&rest), bits(&whole[first..]), "{method} from {} s, {name}", checkpoint.time);
            }
        }
    }
}

/// The memories of steps on the processor and on a device have nothing in common; what is cut off is told.
#[test]
fn checkpoints_of_a_device_belong_to_devices() {
    let mut description = lively(6, 0);
    description.simulation.method = MethodDescription::Rk4 { step: 2e-4 };
    let built = built(description);
    let (_, kept, _) = kept_run(&built, None, usize::MAX);
    let checkpoint = kept.list.first().expect("kept");
    let mut here = Simulation::of(&built).prepare().expect("channels");
    let mut sink = flexura::Recording::new(here.channels());
    here.begin(flexura::simulate::Start::Checkpoint(checkpoint));
    let found = here.run(&mut sink, &mut |_| true, &mut ()).expect_err("refused").to_string();
    assert!(found.contains("the method rk4 on a device, the run rk4"), "{found}");
    let from = |checkpoint: &flexura::checkpoint::Checkpoint| {
        let mut there = Simulation::of(&built).prepare().expect("channels");
        let mut sink = flexura::Recording::new(there.channels());
        there.begin(flexura::simulate::Start::Checkpoint(checkpoint));
        let method = &built.description.simulation.method;
        let mut run = DeviceRun::new(&built.model, method, CHOICE).expect("lowered");
        match there.run_remote(&mut run, &mut sink, &mut |_| true, &mut ()) {
            Err(error) => error.to_string(),
            Ok(_) => String::new(),
        }
    };
    let mut own = Kept { every: 3, asked: 0, list: Vec::new() };
    let mut here = Simulation::of(&built).prepare().expect("channels");
    here.run(&mut sink, &mut |_| true, &mut own).expect("runs");
    let found = from(own.list.first().expect("kept"));
    assert!(found.contains("the method rk4, the run rk4 on a device"), "{found}");
    let mut cut = checkpoint.clone();
    cut.words.pop();
    assert!(from(&cut).contains("another length"), "{}", from(&cut));
    // A memory of another device program: one word less, and its number of words says so.
    let mut other = checkpoint.clone();
    let lanes_and_clock = System::huge(&built.model, CHOICE).expect("lowered").lowered().lanes + 16;
    let at = other.words.len() - lanes_and_clock - 1;
    assert_eq!(other.words[at], lanes_and_clock as u64);
    other.words[at] -= 1;
    other.words.pop();
    assert!(from(&other).contains("the memory of its device does not fit"), "{}", from(&other));
    assert_eq!(from(checkpoint), "");
}
