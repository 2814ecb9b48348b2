//! Angles of joints that close loops are counted over whole turns: springs wound up, fast wheels, screws, couplers, in
//! every choice of coordinates and by every method.

use flexura::build::Built;
use flexura::checkpoint::Checkpoint;
use flexura::simulate::{Keeper, Progress, Start, run_kept};
use flexura::{Recorder, Recording, State, file};

const METHODS: [&str; 7] = [
    "method = \"rk4\"\nstep = 1e-3",
    "method = \"dormand-prince\"",
    "method = \"radau\"",
    "method = \"trapezoidal\"\nstep = 1e-3",
    "method = \"generalized-alpha\"\nstep = 1e-3\nspectral_radius = 0.9",
    "method = \"energy-preserving\"\nstep = 1e-3",
    "formulation = \"global\"\nmethod = \"trapezoidal\"\nstep = 1e-3",
];

fn build(text: &str) -> Built {
    match file::build_text(text, "model.toml") {
        Ok(loaded) => loaded.built,
        Err(errors) => panic!("{}", file::render_all(&errors.diagnostics, &errors.spans)),
    }
}

fn run(text: &str) -> Recording {
    build(text).simulate().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A wheel on a torsion spring, θ = (ω₀/ω) sin ωt with ω = 1/s: almost two turns, once with the spring in the tree.
fn wheel(graph: &str, rest: &str, method: &str) -> String {
    format!(
        r#"
        [model]
        gravity = [0, 0, 0]
        {graph}
        [[body]]
        name = "wheel"
        mass = 1.0
        inertia = [0.5, 0.5, 1.0]
        [[joint]]
        name = "axle"
        type = "revolute"
        between = ["ground.origin", "wheel.origin"]
        axis = [0, 0, 1]
        speed = 10.0
        stiffness = 1.0
        {rest}
        [simulation]
        end = 6.0
        output_interval = 0.5
        {method}
        "#
    )
}

/// A spring wrapped at half a turn and the angle was 2.45 instead of −2.79 rad.
#[test]
fn springs_are_wound_up_in_every_tree_and_by_every_method() {
    let free = "[[joint]]\nname = \"place\"\ntype = \"free\"\nbetween = [\"ground.origin\", \"wheel.origin\"]\n\
                speed = [0, 0, 10, 0, 0, 0]";
    let trees = [
        ("", ""),
        ("[graph]\ntree = \"absolute\"", ""),
        ("[graph]\ntree = [\"place\"]", free),
        ("[graph]\ncut = \"axle\"", free),
    ];
    for method in METHODS {
        for (graph, joint) in trees {
            let recording = run(&wheel(graph, joint, method));
            let (times, angles) = (recording.channel("time"), recording.channel("axle.angle"));
            let energies = recording.channel("energy.balance").expect("recorded");
            for ((time, angle), energy) in times.expect("t").iter().zip(angles.expect("θ")).zip(energies) {
                let expected = 10.0 * time.sin();
                // Second-order steps of 0.01 rad in natural coordinates are off by 3e-4 rad, a lost turn by 6 rad.
                assert!(
                    (angle - expected).abs() < 1e-3,
                    "{method} {graph}: {time} s: {angle}, not {expected}"
                );
                // The trapezoidal rule in natural coordinates is off by 1e-3 J of 50 J; a wrapped spring by 15 J and more.
                assert!(energy.abs() < 5e-3, "{method} {graph}: {time} s: {energy} J");
            }
        }
    }
}

/// Error control takes steps of many turns here; rows inside a step count them all the same.
#[test]
fn fast_wheels_are_counted() {
    for graph in ["", "[graph]\ntree = \"absolute\""] {
        for method in &METHODS[1..3] {
            let text = wheel(graph, "", method).replace("speed = 10.0", "speed = 1000.0");
            let recording = run(&text.replace("stiffness = 1.0", ""));
            let (times, angles) = (recording.channel("time"), recording.channel("axle.angle"));
            for (time, angle) in times.expect("t").iter().zip(angles.expect("θ")) {
                assert!((angle - 1000.0 * time).abs() < 1e-3, "{method} {graph}: {time} s: {angle}");
            }
        }
    }
}

/// A spring given wound up, and one whose rest is turns away.
#[test]
fn given_turns_and_rests_count() {
    for (graph, given) in [("", "position = 20.0"), ("", "rest = -20.0")]
        .into_iter()
        .flat_map(|(_, given)| [("", given), ("[graph]\ntree = \"absolute\"", given)])
    {
        let text = wheel(graph, "", METHODS[1]).replace("speed = 10.0", given);
        let recording = run(&text);
        let (start, end) = if given.starts_with('p') { (20.0, 20.0 * 6f64.cos()) } else { (0.0, -0.8) };
        let angles = recording.channel("axle.angle").expect("recorded");
        assert!((angles[0] - start).abs() < 1e-9, "{graph} {given}: {}", angles[0]);
        if start > 0.0 {
            let last = angles[angles.len() - 1];
            assert!((last - end).abs() < 1e-4, "{graph} {given}: {last}");
        } else {
            let last = angles[angles.len() - 1];
            let expected = -20.0 + 20.0 * 6f64.cos();
            assert!((last - expected).abs() < 1e-4, "{graph} {given}: {last}, not {expected}");
        }
    }
}

struct Every(Vec<Checkpoint>);

impl Keeper for Every {
    fn due(&mut self, progress: &Progress) -> bool {
        progress.statistics.accepted.is_multiple_of(7)
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), flexura::SinkError> {
        self.0.push(checkpoint.clone());
        Ok(())
    }
}

/// Turns belong to a checkpoint: the rows after it have the same bits.
#[test]
fn a_wound_spring_goes_on_from_a_checkpoint() {
    for method in METHODS {
        let built = build(&wheel("[graph]\ntree = \"absolute\"", "", method));
        let settings = &built.description.simulation;
        let go = |start: Start<'_>, keeper: &mut Every| {
            let mut recorder = Recorder::new(&built.model, &["axle.angle".to_string()]).expect("channel");
            let mut rows = Recording::new(recorder.channels());
            let model = &built.model;
            run_kept(model, settings, start, &mut recorder, &mut rows, &mut |_| true, keeper).expect("runs");
            rows.channel("axle.angle").expect("recorded")
        };
        let mut kept = Every(Vec::new());
        let whole = go(Start::State(State::initial(&built.model, 0.0)), &mut kept);
        let wound = kept.0.iter().find(|checkpoint| checkpoint.time > 1.0).expect("a checkpoint");
        let rest = go(Start::Checkpoint(wound), &mut Every(Vec::new()));
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&rest), bits(&whole[wound.rows as usize..]), "{method}");
    }
}
