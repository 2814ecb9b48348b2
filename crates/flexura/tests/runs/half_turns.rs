//! Laws over angles that a motion takes to where they end: named with the instant, and not before. Energy tells independently: a law
//! that has jumped has lost or won what the jump is worth.

use flexura::file::build_text;
use flexura::record::{Recorder, Recording};
use flexura::simulate::{Outcome, run};

/// A disc without weight that turns about z at `speed` for a second, held by `law` against the ground.
fn disc(speed: f64, joint: &str, law: &str) -> Outcome {
    simulate(&format!(
        "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"disc\"\nmass = 1\ninertia = [0.5, 0.5, 1]\n\
         [[joint]]\nname = \"shaft\"\nbetween = [\"ground.origin\", \"disc.origin\"]\n{joint}\nspeed = {speed}\n\
         {law}\n[simulation]\nend = 1\noutput_interval = 0.05\n"
    ))
}

fn simulate(text: &str) -> Outcome {
    let loaded = build_text(text, "disc.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (model, description) = (&loaded.built.model, &loaded.built.description);
    let mut recorder = Recorder::new(model, &description.output.channels).expect("channels");
    let mut recording = Recording::new(recorder.channels());
    run(model, &description.simulation, &mut recorder, &mut recording, &mut |_| true).expect("a run")
}

const SHAFT: &str = "type = \"revolute\"";

fn element(keys: &str) -> String {
    format!("[[element]]\nname = \"law\"\nbetween = [\"ground.origin\", \"disc.origin\"]\n{keys}")
}

/// Words of the alarms.
fn alarms(outcome: &Outcome) -> Vec<String> {
    outcome.half_turns.iter().filter(|law| law.is_alarm()).map(ToString::to_string).collect()
}

#[test]
fn a_torsion_spring_says_that_its_angle_has_jumped() {
    // ½ ω² − ½ k φ²: at φ = π the odd part of the law, a preload of 0.2 N m, jumps by 0.4 π J.
    let law = element("type = \"torsion-spring-damper\"\nstiffness = 0.5\npreload = 0.2");
    for (speed, jumps) in [(2.0, false), (4.0, true)] {
        let outcome = disc(speed, SHAFT, &law);
        assert_eq!(outcome.unbalanced.is_some(), jumps, "{speed}");
        let found = alarms(&outcome);
        assert_eq!(found.len(), usize::from(jumps), "{found:?}");
        if jumps {
            assert!(found[0].contains("`law`: its angle passed half a turn"), "{found:?}");
            // φ = 4 t, hardly slowed: π is passed between 0.8 s and 0.9 s.
            let at = outcome.half_turns[0].jumped;
            assert!((0.8..=0.95).contains(&at), "{at}");
        }
    }
}

#[test]
fn a_bushing_and_the_spring_of_a_ball_joint_say_so_too() {
    let bushing = element("type = \"bushing\"\nstiffness = [0.5, 0.5, 0.5, 1, 1, 1]");
    let ball = "type = \"spherical\"\nstiffness = [0.5, 0.5, 0.5]";
    for (speed, jumps) in [("2.0", 0), ("4.0", 1)] {
        let turning = disc(speed.parse().expect("a number"), SHAFT, &bushing);
        assert_eq!(alarms(&turning).len(), jumps, "bushing at {speed}");
        let text = format!(
            "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"disc\"\nmass = 1\ninertia = [0.5, 0.5, 1]\n\
             [[joint]]\nname = \"shaft\"\nbetween = [\"ground.origin\", \"disc.origin\"]\n{ball}\nspeed = [0, 0, {speed}]\n\
             [simulation]\nend = 1\noutput_interval = 0.05\n"
        );
        assert_eq!(alarms(&simulate(&text)).len(), jumps, "ball joint at {speed}");
    }
    // Without springs there is nothing that could jump.
    assert_eq!(disc(4.0, SHAFT, "").half_turns.len(), 0);
}

#[test]
fn an_axis_turned_over_and_a_wheel_that_lies_flat_are_named() {
    // The disc turns about x, the spring is about z: its axis is turned over where the disc is.
    let across = element("type = \"torsion-spring-damper\"\naxis = [1, 0, 0]\nstiffness = 1e-3");
    let found = alarms(&disc(3.3, SHAFT, &across));
    assert!(found.len() == 1 && found[0].contains("an axis turned over"), "{found:?}");
    assert_eq!(alarms(&disc(1.5, SHAFT, &across)), [""; 0]);
    // A wheel whose axis y is turned about x, up to the road's normal at half pi.
    let wheel = element("type = \"tyre\"\nradius = 0.3\nstiffness = 1e-3");
    let tilting = format!("{SHAFT}\naxis = [1, 0, 0]");
    let found = alarms(&disc(1.6, &tilting, &wheel));
    assert!(found.len() == 1 && found[0].contains("a wheel that lies flat"), "{found:?}");
    assert_eq!(alarms(&disc(1.2, &tilting, &wheel)), [""; 0]);
}
