//! One system, any tree: what is observed must not depend on which joints are cut.
//!
//! Every channel of the recorder is compared by name between the joint tree,
//! absolute and mixed coordinates: poses, velocities, accelerations, energies,
//! powers, joint coordinates and, where they are determined, reactions.
use crate::common::four_bars::four_bar_chain;
use crate::common::mechanisms::{bricard, flexible_slider_crank, listed, tolerance, with_tree};
use crate::common::random_mechanism::{Mechanism, motion_of};
use crate::common::random_model::{Random, sweep};
use flexura::build::Built;
use flexura::constraint::prepare_at;
use flexura::model::closure::{coordinates_at, speeds_at};
use flexura::model::description::*;
use flexura::motion::pair::relative_motion;
use flexura::{Recorder, Recording, State, Workspace, build};
use std::collections::HashMap;

/// Name, unit and value of every channel.
type Row = Vec<(String, &'static str, f64)>;

/// All channels at the initial state.
fn snapshot(built: &Built) -> Row {
    let model = &built.model;
    let mut recorder = Recorder::new(model, &["*".to_string()]).expect("all channels");
    let mut row = vec![0.0; recorder.channels().len() + 1];
    let state = State::initial(model, built.description.simulation.start);
    recorder.sample(model, &state, 0.0, &mut Workspace::new(model), &mut row).expect("regular");
    let channels = recorder.channels().iter().zip(&row[1..]);
    channels.map(|(channel, &value)| (channel.name.clone(), channel.unit, value)).collect()
}

/// All channels at the end of a recording.
fn last_row(recording: &Recording) -> Row {
    let of = |name: &String| {
        let (unit, value) = (recording.unit(name), recording.last(name));
        (name.clone(), unit.expect("recorded"), value.expect("recorded"))
    };
    recording.names().iter().map(of).collect()
}

/// Whether a channel is a reaction of a joint.
fn is_reaction(name: &str) -> bool {
    name.contains(".moment.") || name.contains(".force.")
}

/// Largest difference of the channels two trees share, relative to the largest value of the same unit.
fn channel_difference(one: &Row, other: &Row, reactions: bool) -> (f64, String) {
    let mut scale: HashMap<&str, f64> = HashMap::new();
    for (_, unit, value) in one {
        let size = scale.entry(unit).or_insert(1.0);
        *size = size.max(value.abs());
    }
    let found: HashMap<&str, f64> = other.iter().map(|(name, _, value)| (name.as_str(), *value)).collect();
    let mut worst = (0.0, String::new());
    for (name, unit, value) in one {
        let skipped = name.starts_with("constraint.") || (!reactions && is_reaction(name));
        let Some(&seen) = found.get(name.as_str()).filter(|_| !skipped) else { continue };
        let part = name.rsplit('.').next().unwrap_or_default();
        let difference = match part {
            // Both signs of a quaternion are the same rotation.
            "w" | "x" | "y" | "z" if name.contains(".quaternion.") => seen.abs() - value.abs(),
            "qw" | "qx" | "qy" | "qz" => seen.abs() - value.abs(),
            // A chord knows its angle modulo a turn.
            _ if *unit == "rad" => (0.5 * (seen - value)).sin(),
            _ => seen - value,
        };
        let error = difference.abs() / scale[unit];
        if error.is_nan() || error > worst.0 {
            worst = (error, name.clone());
        }
    }
    worst
}

/// `description` with the assembled state of `built` written into every joint, chords too.
fn settled(mut description: Description, built: &Built) -> Description {
    let (model, time) = (&built.model, built.description.simulation.start);
    for (part, tree) in model.layout.bodies.iter().zip(&model.joints) {
        if let Some(joint) = description.joints.iter_mut().find(|joint| joint.name == tree.name) {
            joint.position = model.initial_q[part.joint_q()].to_vec();
            joint.speed = model.initial_v[part.joint_v()].to_vec();
        }
    }
    for chord in &model.loops {
        let [first, second] = chord.frames.map(|id| motion_of(model, time, &model.frames[id.0].name));
        let relative = relative_motion(&first, &second);
        let joint = description.joints.iter_mut().find(|joint| joint.name == chord.name).expect("same names");
        joint.position = coordinates_at(&chord.kind, &relative, &joint.position);
        joint.speed = speeds_at(&chord.kind, &relative, &joint.position);
    }
    let simulation = &mut description.simulation;
    (simulation.modal_position, simulation.modal_speed) = (Vec::new(), Vec::new());
    for (part, body) in model.layout.bodies.iter().zip(&model.bodies).filter(|(part, _)| part.modes > 0) {
        simulation.modal_position.push((body.name.clone(), model.initial_q[part.modal_q()].to_vec()));
        simulation.modal_speed.push((body.name.clone(), model.initial_v[part.modal_v()].to_vec()));
    }
    description
}

/// The mechanism of a seed with another tree: absolute, or some of its joints listed.
fn other_tree(mut description: Description, random: &mut Random, absolute: bool) -> Description {
    description.graph.cut.clear();
    description.graph.tree = TreeChoice::Absolute;
    if !absolute {
        // A tree without loops: any subset of the joints that were branches.
        let chord = |joint: &JointDescription| joint.name.starts_with('c');
        let branches = description.joints.iter().filter(|joint| !chord(joint));
        let names = branches.map(|joint| joint.name.clone()).filter(|_| random.chance(0.5)).collect();
        description.graph.tree = TreeChoice::Listed(names);
    }
    description
}

/// Whether no row depends on others, so that every reaction is determined.
fn is_determinate(built: &Built) -> bool {
    let mut work = Workspace::new(&built.model);
    let state = State::initial(&built.model, built.description.simulation.start);
    prepare_at(&built.model, &state, &mut work).expect("regular");
    work.closure.rank() == built.model.constraint_count()
}

/// Joint, absolute and mixed trees of random mechanisms. Reflected inertias of absolute trees square the
/// condition of the Jacobian, which the limit allows for.
#[test]
fn random_mechanisms_do_not_depend_on_the_tree() {
    let mechanism = Mechanism::everything();
    let mut determinate = 0;
    for absolute in [true, false] {
        sweep(if absolute { "absolute trees" } else { "mixed trees" }, 100, 1e-9, |seed| {
            let description = mechanism.describe(seed);
            let one = build(description.clone()).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            let changed = other_tree(settled(description, &one), &mut Random::new(seed), absolute);
            let other = build(changed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            let reactions = is_determinate(&one) && is_determinate(&other);
            determinate += usize::from(reactions);
            let (error, name) = channel_difference(&snapshot(&other), &snapshot(&one), reactions);
            if error > 1e-9 {
                println!("seed {seed}: {name}: {error:.2e}");
            }
            error
        });
    }
    println!("reactions compared in {determinate} cases");
    assert!(determinate > 20);
}

/// A chain of three bodies without loops.
fn open_chain() -> Description {
    let mut chain = four_bar_chain(1);
    chain.joints.retain(|joint| joint.name != "right1" && joint.name != "ground1");
    chain.bodies.retain(|body| body.name != "link1");
    chain
}

/// Motion and determined reactions of one system in three trees, after the time given in seconds.
///
/// Each integration is accurate to about 1e-10 per step; the double four-bar amplifies errors near its
/// singular position, which it passes at 0.6 s.
fn three_trees(name: &str, description: &Description, mixed: &[&str], end: f64, reactions: bool, limit: f64) {
    let run = |tree: TreeChoice| {
        let description = with_tree(description.clone(), tree, &[]).method(tolerance(1e-11)).run_for(end);
        let built = description.build().unwrap_or_else(|e| panic!("{name}: {e}"));
        let recording = built.simulate().unwrap_or_else(|e| panic!("{name}: {e}"));
        (built, last_row(&recording))
    };
    let (joint, expected) = run(TreeChoice::Joint);
    for (label, tree) in [("absolute", TreeChoice::Absolute), ("mixed", listed(mixed))] {
        let (built, found) = run(tree);
        let (error, channel) = channel_difference(&expected, &found, reactions);
        let coordinates = [joint.model.speed_count(), built.model.speed_count()];
        println!(
            "{name}, {label}: {coordinates:?} speeds, {} rows, largest difference {error:.1e} ({channel})",
            built.model.constraint_count()
        );
        assert!(error < limit, "{name}, {label}: {channel} differs by {error:.2e}");
    }
}

#[test]
fn open_chain_in_three_trees() {
    three_trees("open chain", &open_chain(), &["left1"], 1.0, true, 1e-7);
}

#[test]
fn four_bar_in_three_trees() {
    three_trees("four-bar", &four_bar_chain(1), &["ground0", "right1"], 0.5, false, 1e-7);
}

#[test]
fn double_four_bar_in_three_trees() {
    three_trees("double four-bar", &four_bar_chain(2), &["ground0", "left1", "right2"], 1.0, false, 1e-6);
}

#[test]
fn bricard_in_three_trees() {
    three_trees("Bricard", &bricard(), &["j0", "j2", "j3"], 1.0, false, 1e-7);
}

#[test]
fn flexible_slider_crank_in_three_trees() {
    three_trees("flexible slider-crank", &flexible_slider_crank(), &["cross", "slide"], 0.1, true, 1e-6);
}
