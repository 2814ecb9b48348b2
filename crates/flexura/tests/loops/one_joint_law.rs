//! One law for a joint coordinate: what acts in a joint has the same effort, power and energy in the tree, where it
//! closes a loop, and by hand; the global formulation, which writes it by itself, moves by it too.

use flexura::file::{self, build_text};

const TIME: f64 = 0.3;
const POSITION: f64 = 0.7;
const SPEED: f64 = -1.9;
const CHANNELS: [&str; 4] = ["energy.springs", "power.dampers", "power.friction", "power.efforts"];

/// What is written in a joint, and its parts by hand: spring [k, x₀], damping, friction [f, u_f], effort at `TIME`.
struct Law {
    keys: &'static str,
    spring: [f64; 2],
    damping: f64,
    friction: [f64; 2],
    effort: f64,
}

impl Law {
    /// Energy, the three powers, and the effort.
    fn by_hand(&self) -> [f64; 5] {
        let ([stiffness, rest], [friction, slow]) = (self.spring, self.friction);
        let stretch = POSITION - rest;
        let drag = if friction == 0.0 { 0.0 } else { friction * (SPEED / slow).tanh() };
        [
            0.5 * stiffness * stretch * stretch,
            -self.damping * SPEED * SPEED,
            -drag * SPEED,
            self.effort * SPEED,
            self.effort - stiffness * stretch - self.damping * SPEED - drag,
        ]
    }
}

fn laws() -> [Law; 9] {
    let none = Law { keys: "", spring: [0.0; 2], damping: 0.0, friction: [0.0; 2], effort: 0.0 };
    [
        Law { keys: "stiffness = 30", spring: [30.0, 0.0], ..none },
        Law { keys: "stiffness = 30\nrest = 0.9", spring: [30.0, 0.9], ..none },
        Law { keys: "damping = 2.5", damping: 2.5, ..none },
        Law { keys: "friction = 0.6", friction: [0.6, 1e-3], ..none },
        Law { keys: "friction = 0.6\nfriction_speed = 2.2", friction: [0.6, 2.2], ..none },
        Law { keys: "effort = -4", effort: -4.0, ..none },
        Law {
            keys: "effort = { table = { times = [0, 0.2, 0.4], values = [1, 2, 5], interpolation = \"linear\" } }",
            effort: 3.5,
            ..none
        },
        // On a jump the value after it holds.
        Law {
            keys: "effort = { piecewise = { breaks = [0.3], pieces = [7, { polynomial = [1, 2] }] } }",
            effort: 1.6,
            ..none
        },
        Law {
            keys: "stiffness = 30\nrest = 0.9\ndamping = 2.5\nfriction = 0.6\nfriction_speed = 2.2\n\
                   effort = { polynomial = [1, 2, 3] }",
            spring: [30.0, 0.9],
            damping: 2.5,
            friction: [0.6, 2.2],
            effort: 1.87,
        },
    ]
}

/// Body on a joint with a law and one that leaves it free; `cut` closes the loop.
fn model(kind: &str, law: &str, cut: &str, run: &str) -> String {
    let (turns, place) = (kind == "revolute", "[[joint]]\nname = \"place\"\ntype = \"free\"");
    let pose = if turns {
        format!("orientation = {{ axis = [0, 0, 1], angle = {POSITION} }}\nspeed = [0, 0, {SPEED}, 0, 0, 0]")
    } else {
        format!("position = [0, 0, {POSITION}]\nspeed = [0, 0, 0, 0, 0, {SPEED}]")
    };
    format!(
        "[model]\ngravity = [0, 0, 0]\n[graph]\ncut = \"{cut}\"\n\
         [[body]]\nname = \"wheel\"\nmass = 2\ninertia = [1, 1, 2]\n\
         [[joint]]\nname = \"axle\"\ntype = \"{kind}\"\naxis = [0, 0, 1]\n\
         between = [\"ground.origin\", \"wheel.origin\"]\nposition = {POSITION}\nspeed = {SPEED}\n{law}\n\
         {place}\nbetween = [\"ground.origin\", \"wheel.origin\"]\n{pose}\n\
         [simulation]\nstart = {TIME}\n{run}\n"
    )
}

fn record(text: &str, channels: &[&str], last: bool) -> Vec<f64> {
    let loaded = build_text(text, "wheel.toml")
        .unwrap_or_else(|errors| panic!("{}\n{text}", file::render_all(&errors.diagnostics, &errors.spans)));
    let closing = loaded.built.model.loop_joint("axle").is_some();
    assert_eq!(closing, text.contains("cut = \"axle\""));
    let recording = loaded.built.simulate().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let value = |name: &&str| {
        let values = recording.channel(name).unwrap_or_else(|error| panic!("{error}"));
        values[if last { values.len() - 1 } else { 0 }]
    };
    channels.iter().map(value).collect()
}

#[test]
fn a_law_is_the_same_in_the_tree_and_closing_a_loop() {
    for (kind, effort) in [("revolute", "axle.moment.z"), ("prismatic", "axle.force.z")] {
        let channels = [&CHANNELS[..], &[effort]].concat();
        for law in laws() {
            for cut in ["place", "axle"] {
                let found = record(&model(kind, law.keys, cut, "end = 0.31"), &channels, false);
                for ((name, found), expected) in channels.iter().zip(found).zip(law.by_hand()) {
                    // Angles are measured from poses: some rounding of numbers up to 50.
                    let apart = (found - expected).abs();
                    assert!(apart < 1e-12, "{kind}, {cut} cut, {}: {name} {found}, not {expected}", law.keys);
                }
            }
        }
    }
}

/// Steps of the trapezoidal rule in natural coordinates are of second order: (1e-3)² of motions of some tenths.
#[test]
fn the_global_formulation_moves_by_the_same_law() {
    for (kind, channel) in [("revolute", "axle.angle"), ("prismatic", "axle.displacement")] {
        let still = record(&model(kind, "", "place", "end = 0.8"), &[channel], true)[0];
        for law in laws() {
            let exact = record(&model(kind, law.keys, "place", "end = 0.8"), &[channel], true)[0];
            let run = "end = 0.8\nformulation = \"global\"\nmethod = \"trapezoidal\"\nstep = 1e-3";
            let global = record(&model(kind, law.keys, "place", run), &[channel], true)[0];
            assert!((exact - still).abs() > 1e-2, "{kind}, {}: moves by its law", law.keys);
            assert!((global - exact).abs() < 2e-5, "{kind}, {}: {global}, not {exact}", law.keys);
        }
    }
}
