//! Runs that are stepped from outside: the bits of one run, inputs on joints of tree and loops, saved states, other methods.

use flexura::file::build_text;
use flexura::simulate::{Simulation, Simulator, inputs_of};

const FOUR_BAR: &str = include_str!("../../../../models/four_bar.toml");
const DOUBLE: &str = include_str!("../../../../models/double_four_bar.toml");
const ARM: &str = include_str!("../../../../models/controlled_arm.toml");

fn with(text: &str, simulation: &str) -> flexura::build::Built {
    let head = text.split("[simulation]").next().expect("a text");
    build_text(&format!("{head}[simulation]\n{simulation}"), "m.toml").expect("a model").built
}

fn stepped(built: &flexura::build::Built, inputs: &[&str], step: f64) -> Simulator {
    Simulation::of(built).channels(["*"]).simulator(inputs, step).expect("a simulator")
}

#[test]
fn fixed_steps_in_pieces_have_the_bits_of_one_run() {
    for (text, method) in [
        (ARM, "method = \"rk4\"\nstep = 5e-4"),
        (ARM, "method = \"energy-preserving\"\nstep = 1e-3"),
        (FOUR_BAR, "method = \"trapezoidal\"\nstep = 1e-3"),
        (FOUR_BAR, "method = \"trapezoidal\"\nstep = 1e-3\nformulation = \"global\""),
    ] {
        let built = with(text, &format!("end = 0.6\noutput_interval = 0.01\n{method}\n"));
        let whole = Simulation::of(&built).channels(["*"]).run().expect("a run");
        // Efforts, though zero, are further rows of the global formulation: equal to rounding only.
        let inputs: &[&str] = if method.contains("global") { &[] } else { &["*"] };
        let mut pieces = stepped(&built, inputs, 0.01);
        for row in 1..=60 {
            pieces.step().expect("a step");
            for (channel, value) in pieces.channels().iter().zip(pieces.values()) {
                let known = whole.channel(&channel.name).expect("a channel")[row];
                assert_eq!(value.to_bits(), known.to_bits(), "{method}: {} in row {row}", channel.name);
            }
        }
    }
}

#[test]
fn efforts_act_on_joints_that_close_loops() {
    let settings = "end = 0.2\noutput_interval = 0.01\nmethod = \"trapezoidal\"\nstep = 1e-3\n";
    let built = with(DOUBLE, settings);
    let chord = built.model.loops[0].name.clone();
    let input = format!("{chord}.effort");
    assert!(inputs_of(&built.model).iter().any(|input| input.name == format!("{chord}.effort")));
    let at = DOUBLE.find(&format!("name = \"{chord}\"")).expect("the joint");
    let text = format!("{}effort = 7.0\n{}", &DOUBLE[..at], &DOUBLE[at..]);
    // An effort may lead the graph to another tree: motions are compared, by bodies.
    let whole = Simulation::of(&with(&text, settings)).channels(["*"]).run().expect("a run");
    let mut pieces = stepped(&built, &[&input], 0.01);
    let free = pieces.save();
    pieces.set(&input, 7.0).expect("an input");
    pieces.advance_to(0.1).expect("a piece");
    let place = |sim: &Simulator, name: &str| {
        let at = sim.channels().iter().position(|channel| channel.name == name).expect("a channel");
        sim.values()[at]
    };
    let name = "link_right.tip.position.x";
    let driven = place(&pieces, name);
    let known = whole.channel(name).expect("a channel")[10];
    assert!((driven - known).abs() < 1e-9, "{driven} instead of {known}");
    pieces.restore(&free).expect("restored");
    pieces.advance_to(0.1).expect("a piece");
    assert!((place(&pieces, name) - driven).abs() > 1e-6, "the effort does nothing");
}

#[test]
fn saved_states_go_on_with_the_same_bits_and_misfits_are_refused() {
    let built = with(ARM, "end = 1.0\noutput_interval = 0.01\n");
    let mut sim = stepped(&built, &[], 0.037);
    for _ in 0..5 {
        sim.step().expect("a step");
    }
    let (saved, before) = (sim.save(), sim.values().to_vec());
    sim.step().expect("a step");
    let after = sim.values().to_vec();
    sim.restore(&saved).expect("restored");
    assert_eq!(sim.values(), before, "what is read after a restore is what was saved");
    sim.step().expect("a step");
    assert_eq!(sim.values(), after);
    assert!(sim.advance_to(0.0).expect_err("the past").to_string().contains("cannot go to"));
    let rk4 = with(ARM, "end = 1.0\nmethod = \"rk4\"\nstep = 1e-3\n").description.simulation;
    sim.change(&rk4).expect("another method");
    let refused = sim.restore(&saved).expect_err("another method").to_string();
    assert!(refused.contains("the method dormand-prince, the run rk4"), "{refused}");
    sim.step().expect("it goes on after a refusal");
    assert!(
        sim.set("motor.effort", 1.0).expect_err("not chosen").to_string().contains("not of this simulator")
    );
}
