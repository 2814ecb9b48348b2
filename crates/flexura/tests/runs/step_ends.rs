//! No run ends in a sliver: steps of one length add up to the end of the run, to break points and to samples, and limits
//! that differ by rounding are one instant.

use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura::{Recorder, Recording, simulate};

/// A pendulum in joint or absolute coordinates.
fn pendulum(tree: TreeChoice) -> Description {
    let mut description = Description::new("pendulum")
        .body(BodyDescription::rigid("bob", 1.2, [0.01, 0.02, 0.02]).frame("pivot", [-0.5, 0.0, 0.0]))
        .joint(
            JointDescription::revolute("hinge", ["ground.origin", "bob.pivot"], [0.0, 1.0, 0.0])
                .position(&[0.3]),
        );
    description.graph.tree = tree;
    description
}

fn fixed(step: f64) -> [MethodDescription; 5] {
    [
        MethodDescription::Rk4 { step },
        MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 },
        MethodDescription::Implicit { damping: DampingChoice::SpectralRadius(0.8), step, tolerance: 0.0 },
        MethodDescription::EnergyMomentum { step, spectral_radius: 1.0 },
        MethodDescription::Global { step },
    ]
}

/// Runs to the end and gives the number of steps.
fn steps(description: Description) -> u64 {
    let built = description.build().expect("valid");
    let mut recorder = Recorder::new(&built.model, &["energy.balance".to_string()]).expect("channel");
    let mut recording = Recording::new(recorder.channels());
    let settings = &built.description.simulation;
    let outcome = simulate::run(&built.model, settings, &mut recorder, &mut recording, &mut |_| true)
        .unwrap_or_else(|error| panic!("{:?}: {error}", settings.method));
    assert_eq!(outcome.end_time, settings.end);
    outcome.statistics.accepted
}

/// 12,000 steps of 2.5e-4 s fell short of 3 s by 3e-13 s, and the step that was left failed.
#[test]
fn steps_add_up_to_the_end() {
    for tree in [TreeChoice::Joint, TreeChoice::Absolute] {
        for method in fixed(2.5e-4) {
            let description = pendulum(tree.clone()).method(method).run_for(3.0).output_interval(0.5);
            assert_eq!(steps(description), 12_000);
        }
    }
}

/// Ends, break points and samples of a controller that a sum of steps does not meet to the last bit.
#[test]
fn limits_apart_by_rounding_are_one_instant() {
    for method in fixed(0.1 / 256.0) {
        let breaks = vec![0.3, 0.1 + 0.2, 0.6, 0.2 * 3.0];
        let pieces = (0..5).map(|i| TimeFunction::Constant(f64::from(i))).collect();
        let mut description = pendulum(TreeChoice::Joint);
        let effort = Some(TimeFunction::Piecewise { breaks, pieces });
        description.joints[0].coordinates = vec![CoordinateDescription { effort, ..Default::default() }];
        let count = steps(description.method(method).run_for(0.7).output_interval(0.1));
        assert_eq!(count, 7 * 256);
    }
}
