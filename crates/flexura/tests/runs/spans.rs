//! Spans and intervals that are none are refused, whoever asks for them.

use flexura::SimulationError;
use flexura::model::description::*;
use flexura::simulate::Simulation;

fn stone() -> flexura::build::Built {
    Description::new("drop")
        .body(BodyDescription::point_mass("stone", 2.0))
        .joint(JointDescription::new(
            "fall",
            JointKindDescription::Translational,
            ["ground.origin", "stone.origin"],
        ))
        .build()
        .expect("builds")
}

#[test]
fn ends_before_the_start_and_intervals_that_are_none_are_refused() {
    let built = stone();
    let of = || Simulation::of(&built).channels(["fall.z"]);
    for end in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = of().end(end).run().map(|_| ()).unwrap_err();
        assert!(
            matches!(&refused, SimulationError::Settings(text) if text.contains(&format!("{end} s"))),
            "{refused}"
        );
    }
    for interval in [-0.1, f64::NAN, f64::INFINITY] {
        let refused = of().end(0.1).rows_every(interval).run().map(|_| ()).unwrap_err();
        assert!(matches!(refused, SimulationError::Settings(_)), "{interval}: {refused}");
    }
    // Zero means every step, and a run of no length records its start.
    assert!(of().end(0.1).rows_every(0.0).run().expect("runs").channel("fall.z").expect("rows").len() > 1);
    assert_eq!(of().end(0.0).run().expect("runs").channel("fall.z").expect("rows").len(), 1);
}
