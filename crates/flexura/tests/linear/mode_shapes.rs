//! Mode shapes to look at: every phase of every mode can be evaluated, and loops stay closed.

use flexura::analysis::{
    EquilibriumOptions, equilibrium, linearize, mode_state, modes, sound_amplitude, visible_amplitude,
};
use flexura::record::Recorder;
use flexura::{State, Workspace};
use std::f64::consts::TAU;
use std::path::Path;

/// All periods of all modes of a shipped model.
fn shapes_of(name: &str, at_rest: bool) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let model = flexura::load(&path).unwrap_or_else(|error| panic!("{error}")).built.model;
    let mut state = State::initial(&model, 0.0);
    if at_rest {
        state = equilibrium(&model, &state, &EquilibriumOptions::default()).expect("equilibrium").state;
    }
    let system = linearize(&model, &state, &[], &[]).expect("linear system");
    let shown = if model.loops.is_empty() { "energy.kinetic" } else { "constraint.position" };
    let mut recorder = Recorder::new(&model, &[shown.to_string()]).expect("channels");
    let (mut work, mut row) = (Workspace::new(&model), [0.0; 2]);
    let list = modes(&system).expect("modes");
    for mode in list.iter().filter(|mode| mode.imaginary > 0.0) {
        let amplitude = sound_amplitude(&model, &state, &system, mode);
        let visible = visible_amplitude(&model, &system, mode);
        assert!(amplitude > 1e-3 * visible, "{name}: {amplitude} of {visible}");
        for i in 0..32 {
            let phase = TAU * f64::from(i) / 32.0;
            let moved =
                mode_state(&model, &state, &system, mode, amplitude, phase).expect("a closed position");
            recorder
                .sample(&model, &moved, 0.0, &mut work, &mut row)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            if !model.loops.is_empty() {
                assert!(row[1].abs() < 1e-9, "{name}: open by {:e}", row[1]);
            }
        }
    }
}

#[test]
fn shapes_of_flexible_models_can_be_shown() {
    shapes_of("flexible_arm.toml", false);
    shapes_of("flexible_arm.toml", true);
    shapes_of("satellite.toml", false);
}

#[test]
fn shapes_of_closed_loops_stay_closed() {
    shapes_of("four_bar.toml", false);
}

/// Displacements of a mode are along the constraints to first order: what projection adds is of second order.
#[test]
fn dependent_coordinates_follow_the_mode() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/four_bar.toml");
    let model = flexura::load(&path).unwrap_or_else(|error| panic!("{error}")).built.model;
    let state = State::initial(&model, 0.0);
    let system = linearize(&model, &state, &[], &[]).expect("linear system");
    let list = modes(&system).expect("modes");
    let mode = list.iter().find(|mode| mode.imaginary > 0.0).expect("a mode that vibrates");
    let sizes = [1e-4, 1e-5].map(|amplitude| {
        let moved = mode_state(&model, &state, &system, mode, amplitude, 0.0).expect("closed");
        let wanted = system.speeds.iter().zip(&mode.shape).map(|(&speed, z)| (speed, amplitude * z.0));
        let part = |speed: usize| model.layout.bodies.iter().position(|part| part.joint_v().contains(&speed));
        wanted
            .filter_map(|(speed, by)| {
                let body = &model.layout.bodies[part(speed)?];
                let q = body.joint_q().start + speed - body.joint_v().start;
                Some((moved.q[q] - state.q[q] - by).abs())
            })
            .fold(0.0_f64, f64::max)
    });
    // A hundred times less for a tenth of the amplitude, down to rounding.
    assert!(sizes[1] < 0.05 * sizes[0] + 1e-13, "{sizes:?}");
}
