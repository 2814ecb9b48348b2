//! Rows read from what a step has found against the same state evaluated anew.

use crate::common::two_loops::two_loops;
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::record::Recorder;
use flexura::{Model, State, Workspace};

const STEP: f64 = 1e-3;

/// A driven rigid arm with a damped flexible one.
fn tree() -> Model {
    let z = [0.0, 0.0, 1.0];
    let counts = ModeCounts { bending_y: 2, bending_z: 2, torsion: 1, ..Default::default() };
    let beam = BeamDescription::new(0.8, 2700.0, 7e10, 2.6e10, Section::Circle { radius: 0.01 })
        .modes(Boundary::ClampedFree, counts);
    let motion = flexura::time_function::TimeFunction::Polynomial { coefficients: vec![0.1, 0.7, 2.0] };
    let description = Description::new("arms")
        .gravity([0.3, -9.81, 0.1])
        .body(BodyDescription::rigid("first", 2.0, [0.1, 0.2, 0.3]).frame("end", [0.5, 0.1, 0.0]))
        .body(BodyDescription::beam("second", beam))
        .joint(JointDescription::revolute("shoulder", ["ground.origin", "first.origin"], z).motion(motion))
        .joint(JointDescription::revolute("elbow", ["first.end", "second.origin"], [0.6, 0.0, 0.8]));
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Steps `model` and compares rows by both routes; returns how many steps knew their end and the largest difference of
/// a channel against its largest value, with the channel.
fn compare(model: &Model, method: &MethodDescription, steps: usize) -> (usize, f64, String) {
    let mut recorders = [0, 1].map(|_| Recorder::new(model, &["*".to_string()]).expect("channels"));
    let width = recorders[0].channels().len() + 1;
    let mut integrator = Integrator::new(model, method);
    let mut works = [0, 1].map(|_| Workspace::new(model));
    let mut state = State::initial(model, 0.0);
    let (mut known, mut rows) = (0, Vec::new());
    for _ in 0..steps {
        let [stepping, anew] = &mut works;
        integrator.step(model, &mut state, stepping, 1.0).expect("steps");
        let mut pair = [vec![0.0; width], vec![0.0; width]];
        recorders[1].sample(model, &state, 0.0, anew, &mut pair[1]).expect("regular");
        let found = integrator.found(model, &state, true, stepping);
        if let Some(work) = found {
            recorders[0].read(model, &state, 0.0, work, &mut pair[0]);
            known += 1;
            rows.push(pair);
        }
    }
    assert!(rows.iter().flatten().flatten().all(|x| x.is_finite()));
    let mut worst = (0.0, String::new());
    let channels = recorders[0].channels();
    let family = |i: usize| channels[i].name.rsplit_once('.').map_or("", |(family, _)| family);
    for (c, channel) in channels.iter().enumerate() {
        // A moment about a free axis is nothing beside the other two.
        let alike = (0..channels.len()).filter(|&i| family(i) == family(c));
        let sizes = alike.flat_map(|i| rows.iter().map(move |pair| pair[1][i + 1].abs()));
        let size = sizes.fold(1e-9, f64::max);
        let apart =
            rows.iter().map(|pair| (pair[0][c + 1] - pair[1][c + 1]).abs() / size).fold(0.0, f64::max);
        if apart > worst.0 {
            worst = (apart, channel.name.clone());
        }
    }
    (known, worst.0, worst.1)
}

fn implicit() -> MethodDescription {
    MethodDescription::Implicit { damping: DampingChoice::SpectralRadius(0.8), step: STEP, tolerance: 0.0 }
}

#[test]
fn explicit_steps_leave_the_evaluation_of_their_end() {
    for model in [tree(), two_loops()] {
        let (known, apart, channel) = compare(&model, &MethodDescription::Rk4 { step: 0.1 * STEP }, 20);
        assert_eq!(known, 20);
        // Loops are projected once more where a state is evaluated anew.
        assert!(apart < 1e-9, "{channel} {apart:e}");
    }
}

#[test]
fn implicit_steps_of_trees_leave_the_balance_of_their_end() {
    let (known, apart, channel) = compare(&tree(), &implicit(), 30);
    assert_eq!(known, 30);
    // Newton's iteration ends at 1e-10 of the motion of a step.
    assert!(apart < 1e-8, "{channel} {apart:e}");
    // With loops the balance is that before the projections.
    assert_eq!(compare(&two_loops(), &implicit(), 3).0, 0);
}

#[test]
fn ends_on_a_limit_are_evaluated_anew() {
    let model = tree();
    let mut integrator = Integrator::new(&model, &implicit());
    let mut work = Workspace::new(&model);
    let mut state = State::initial(&model, 0.0);
    integrator.step(&model, &mut state, &mut work, 0.5 * STEP).expect("steps");
    assert!(integrator.found(&model, &state, false, &mut work).is_none());
    integrator.step(&model, &mut state, &mut work, 1.0).expect("steps");
    assert!(integrator.found(&model, &state, false, &mut work).is_some());
    integrator.refresh();
    assert!(integrator.found(&model, &state, false, &mut work).is_none());
}

/// Every channel by itself, in a workspace whose accelerations and reactions are no numbers: a channel that needs them finds them, and no other
/// looks at them. The values are those of a row with all channels.
#[test]
fn a_row_finds_what_its_channels_need() {
    let file = |name: &str| {
        let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        flexura::load(path).unwrap_or_else(|error| panic!("{name}: {error}")).built.model
    };
    let mut models = vec![tree(), two_loops()];
    models.extend(
        ["four_bar", "squeezer", "controlled_arm", "rolling_disc", "gallery/slider_crank", "vehicle/iltis"]
            .map(file),
    );
    let (mut alone, mut whole) = (0, 0);
    for model in models {
        let state = State::initial(&model, 0.0);
        let mut all = Recorder::new(&model, &["*".to_string()]).expect("channels");
        let mut row = vec![0.0; all.channels().len() + 1];
        let mut work = Workspace::new(&model);
        all.sample(&model, &state, 0.0, &mut work, &mut row).expect("regular");
        for (channel, expected) in all.channels().iter().zip(&row[1..]) {
            let unknown = |list: &mut [f64]| list.fill(f64::NAN);
            unknown(&mut work.accelerations.chidot);
            // Those of speeds that nothing prescribes are zero for ever.
            work.accelerations.driving.iter_mut().filter(|x| **x != 0.0).for_each(|x| *x = f64::NAN);
            unknown(&mut work.closure.multipliers);
            work.accelerations.acceleration.iter_mut().for_each(|wrench| unknown(wrench));
            work.inverse.joint_force.iter_mut().for_each(|wrench| unknown(wrench));
            let mut one = Recorder::new(&model, std::slice::from_ref(&channel.name)).expect("a channel");
            let mut value = [0.0; 2];
            one.sample_needed(&model, &state, 0.0, &mut work, &mut value).expect("regular");
            assert_eq!(value[1].to_bits(), expected.to_bits(), "{}: {} {expected}", channel.name, value[1]);
            let found = work.accelerations.chidot.iter().all(|x| x.is_finite());
            *(if found { &mut whole } else { &mut alone }) += 1;
        }
    }
    assert!(alone > 500 && whole > 500, "{alone} channels of motion and loads, {whole} of accelerations");
}
