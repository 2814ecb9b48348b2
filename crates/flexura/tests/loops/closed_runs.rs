//! Whole runs of mechanisms with loops by implicit methods: drivers, error control, events, energy, real time,
//! steps in real time.

use crate::common::four_bars;

use flexura::integrate::RealTime;
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura::{Recording, State};
use four_bars::{crank_rocker, four_bars, implicit};

fn simulate(description: Description) -> Recording {
    let built = description.build().unwrap_or_else(|error| panic!("{error}"));
    built.simulate().unwrap_or_else(|error| panic!("{error}"))
}

fn explicit() -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: 1e-10,
        absolute_tolerance: 1e-12,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

fn last(recording: &Recording, channel: &str) -> f64 {
    recording.last(channel).unwrap_or_else(|error| panic!("{error}"))
}

/// The crank-rocker with its crank (in the tree) or its rocker (the chord) driven.
fn driven(chord: bool) -> Description {
    let mut description = crank_rocker();
    let rise = TimeFunction::Cycloidal { from: 0.4, to: 1.6, start: 0.0, duration: 0.4 };
    description.joints[0].speed.clear();
    if chord {
        description.graph.cut = vec!["drive".into()];
    }
    description.joints[0] = description.joints[0].clone().motion(rise);
    description
}

/// Positions, driving torque and work against the explicit integrator; the drive in the tree and as a chord.
#[test]
fn drivers_in_tree_and_chord_agree_with_explicit_integration() {
    for chord in [false, true] {
        let end = |method: MethodDescription| {
            let run = simulate(driven(chord).method(method).run_for(0.3).output_interval(0.1));
            let names = [
                "rocker.tip.position.x",
                "rocker.tip.velocity.x",
                "energy.work",
                "power.drivers",
                "energy.balance",
            ];
            names.map(|name| last(&run, name))
        };
        let (a, b) = (end(implicit(DampingChoice::None, 2e-4)), end(explicit()));
        for i in 0..4 {
            assert!((a[i] - b[i]).abs() < 1e-4 * (1.0 + b[i].abs()), "chord {chord}: {a:?} {b:?}");
        }
        assert!(a[4].abs() < 1e-4 && b[2].abs() > 0.1, "chord {chord}: {a:?} {b:?}");
    }
}

#[test]
fn error_control_keeps_the_error_and_rejects_steps() {
    let run = |tolerance: f64| {
        let method = MethodDescription::Implicit { damping: DampingChoice::None, step: 0.05, tolerance };
        let built = crank_rocker().method(method).run_for(0.5).build().unwrap();
        let mut recorder = flexura::Recorder::new(&built.model, &["*".to_string()]).unwrap();
        let mut recording = Recording::new(recorder.channels());
        let settings = &built.description.simulation;
        let outcome =
            flexura::simulate::run(&built.model, settings, &mut recorder, &mut recording, &mut |_| true)
                .unwrap();
        (recording.last("crank.tip.position.y").unwrap(), outcome.statistics)
    };
    let reference = last(&simulate(crank_rocker().method(explicit()).run_for(0.5)), "crank.tip.position.y");
    let (coarse, fine) = (run(1e-4), run(1e-6));
    let errors = [coarse.0, fine.0].map(|y| (y - reference).abs());
    assert!(errors[1] < 1e-3 && errors[1] < 0.2 * errors[0].max(1e-5), "{errors:?}");
    assert!(coarse.1.rejected > 0 && fine.1.accepted > 2 * coarse.1.accepted, "{coarse:?} {fine:?}");
}

/// An event inside a step: found at the same instant as by the explicit integrator.
#[test]
fn events_are_located_on_the_constraints() {
    let time = |method: MethodDescription| {
        let mut description = four_bars(2, 0, 0, [0.0; 3]).method(method).run_for(2.0);
        description.simulation.events.push(EventDescription {
            name: "level".into(),
            channel: "link2.tip.position.y".into(),
            value: 0.0,
            direction: -1,
            stop: true,
        });
        let built = description.build().unwrap();
        let mut recorder = flexura::Recorder::new(&built.model, &["*".to_string()]).unwrap();
        let mut recording = Recording::new(recorder.channels());
        let settings = &built.description.simulation;
        let outcome =
            flexura::simulate::run(&built.model, settings, &mut recorder, &mut recording, &mut |_| true)
                .unwrap();
        assert_eq!(outcome.stopped_by.as_deref(), Some("level"));
        assert!(recording.last("constraint.position").unwrap() < 1e-9);
        outcome.end_time
    };
    let (a, b) = (time(implicit(DampingChoice::None, 1e-3)), time(explicit()));
    assert!((a - b).abs() < 1e-5, "{a} {b}");
}

#[test]
fn steps_in_real_time_are_bounded_and_near_the_converged_motion() {
    let built = four_bars(2, 5, 4, [0.0; 3]).build().unwrap();
    let model = &built.model;
    let end = |iterations: usize| {
        let start = State::initial(model, 0.0);
        let mut run = RealTime::new(model, start, DampingChoice::SpectralRadius(0.8), 2e-3, iterations);
        for _ in 0..400 {
            run.advance(model).unwrap();
        }
        let part = &model.layout.bodies[model.joint("ground0").unwrap().0];
        (run.state.q[part.joint_q().start], run.report)
    };
    let (bounded, converged) = (end(3), end(25));
    assert!((bounded.0 - converged.0).abs() < 1e-4, "{bounded:?} {converged:?}");
    assert_eq!((bounded.1.steps, converged.1.unfinished), (400, 0));
    assert!(bounded.1.worst >= bounded.1.total / 400 && bounded.1.worst.as_nanos() > 0);
}
