//! Implicit steps far from the origin: what stiff elements make of the rounding of positions is no lack of convergence.

use flexura::analysis::{EquilibriumOptions, equilibrium, keep_free_speeds};
use flexura::simulate::run_from;
use flexura::{Recorder, Recording, State, file};

const MODEL: &str = include_str!("../../../../models/vehicle/iltis.toml");

/// The Iltis has stiff rods. In a turn, 60 m from the origin, steps of a millisecond no longer converged.
#[test]
fn a_vehicle_goes_on_far_from_the_origin() {
    let mut near = None;
    for x in [10.0, 1e3, 1e5] {
        let text = MODEL
            .replace("position = [0, 0, 0.57]", &format!("position = [{x}, 0, 0.57]"))
            .replace("speed = [0, 0, 0, 5, 0, 0]", "speed = [0, 0, 0, 20, 0, 0]")
            .replace("motion = 0\n", "motion = -0.003\n")
            .replace("end = 2.5", "end = 0.3\nmethod = \"trapezoidal\"\nstep = 1e-3");
        let built = file::build_text(&text, "model.toml").unwrap_or_else(|errors| panic!("{errors}")).built;
        let (model, settings) = (&built.model, &built.description.simulation);
        let start = State::initial(model, 0.0);
        let mut rest = equilibrium(model, &start, &EquilibriumOptions::default()).expect("at rest").state;
        keep_free_speeds(model, &start, &mut rest);
        let mut recorder = Recorder::new(model, &["ride.z".to_string()]).expect("a channel");
        let mut rows = Recording::new(recorder.channels());
        run_from(model, settings, rest, &mut recorder, &mut rows, &mut |_| true)
            .unwrap_or_else(|error| panic!("{x} m from the origin: {error}"));
        let heights = rows.channel("ride.z").expect("recorded");
        let near = near.get_or_insert(heights.clone());
        // The road is the same everywhere; rods of 1e9 N/m feel the rounding of positions, 1e-11 m at 1e5 m.
        assert!(
            heights.iter().zip(near.iter()).all(|(z, near)| (z - near).abs() < 1e-6),
            "{x} m: {heights:?}"
        );
    }
}
