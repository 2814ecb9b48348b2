//! Model exchange of closed loops and of controllers with states or samples: an importer with a Runge-Kutta method of its own, against runs.

use super::{get, reference, unpacked_with};
use flexura::file::build_text;
use flexura::record::Recording;
use flexura_exchange::fmi::{Causality, Interface};
use flexura_fmu::{Instance, Mode, Snapshot};
use std::path::PathBuf;

/// A crank that goes round, with springs at both ends of its coupler, one of which closes the loop, so that whole turns matter.
pub(super) const LINKAGE: &str = r#"
[model]
gravity = [0, -9.81, 0]
[[ground.frame]]
name = "right"
position = [0.5, 0, 0]
[[body]]
name = "crank"
mass = 1.0
inertia = [0.001, 0.02, 0.02]
center_of_mass = [0.1, 0, 0]
frame = [{ name = "tip", position = [0.2, 0, 0] }]
[[body]]
name = "coupler"
mass = 0.8
inertia = [0.001, 0.03, 0.03]
center_of_mass = [0.25, 0, 0]
frame = [{ name = "tip", position = [0.5, 0, 0] }]
[[body]]
name = "follower"
mass = 1.2
inertia = [0.001, 0.04, 0.04]
center_of_mass = [0.2, 0.01, 0]
frame = [{ name = "tip", position = [0.4, 0, 0] }]
[[joint]]
name = "left"
type = "revolute"
between = ["ground.origin", "crank.origin"]
position = 1.0
speed = 25.0
stiffness = 0.01
[[joint]]
name = "right"
type = "revolute"
between = ["ground.right", "follower.origin"]
position = 1.4380
stiffness = 0.02
[[joint]]
name = "other_knee"
type = "revolute"
between = ["coupler.tip", "follower.tip"]
stiffness = 0.5
damping = 0.01
[[joint]]
name = "knee"
type = "revolute"
between = ["crank.tip", "coupler.origin"]
position = -0.5261
stiffness = 0.4
damping = 0.02
[simulation]
end = 0.6
method = "rk4"
step = 0.0005
output_interval = 0.02
"#;

/// A servo on a pendulum; `CONTROL` says how it acts.
pub(super) const SERVO: &str = r#"
[[body]]
name = "rod"
mass = 1.0
inertia = [0.001, 0.02, 0.02]
center_of_mass = [0.3, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground.origin", "rod.origin"]
axis = [0, 1, 0]
position = 0.2
[[controller]]
name = "servo"
type = "pid"
sensors = ["hinge.angle"]
reference = 0.7
actuators = ["hinge.effort"]
proportional = 30.0
integral = 20.0
derivative = 3.0
CONTROL
[simulation]
end = 0.6
method = "rk4"
step = 0.001
output_interval = 0.02
"#;

pub(super) struct Importer {
    pub(super) instance: Instance,
    pub(super) face: Interface,
    pub(super) resources: PathBuf,
    pub(super) token: String,
    time: f64,
    /// Whether the last step ended at an event that waits: rows of a run are taken before samples at their instant.
    at_event: bool,
}

impl Importer {
    pub(super) fn new(text: &str, name: &str, inputs: &[&str]) -> Self {
        Self::of(unpacked_with(text, name, inputs, &["*"]))
    }

    pub(super) fn with_outputs(text: &str, name: &str, outputs: &[&str]) -> Self {
        Self::of(unpacked_with(text, name, &[], outputs))
    }

    fn of((resources, face, token): (PathBuf, Interface, String)) -> Self {
        let mut instance = Instance::new(&resources, &token, Mode::Exchange).expect("an instance");
        instance.enter_initialization(0.0, None).expect("initialising");
        instance.exit_initialization().expect("initialised");
        instance.update().expect("event mode");
        Self { instance, face, resources, token, time: 0.0, at_event: false }
    }

    pub(super) fn output(&mut self, name: &str) -> f64 {
        get(&mut self.instance, reference(&self.face, name))
    }

    fn rates(&mut self, time: f64, states: &[f64]) -> Vec<f64> {
        self.instance.set_time(time).expect("a time");
        self.instance.set_states(states).expect("states");
        self.instance.derivatives().expect("derivatives")
    }

    /// One step of the classical Runge-Kutta method to `end`, which is completed there.
    fn step(&mut self, end: f64) {
        let (t, h, x) = (self.time, end - self.time, self.instance.states().expect("states"));
        let along = |rates: &[f64], share: f64| -> Vec<f64> {
            x.iter().zip(rates).map(|(x, rate)| x + share * h * rate).collect()
        };
        let a = self.rates(t, &x);
        let b = self.rates(t + 0.5 * h, &along(&a, 0.5));
        let c = self.rates(t + 0.5 * h, &along(&b, 0.5));
        let d = self.rates(end, &along(&c, 1.0));
        let mean: Vec<f64> = (0..x.len()).map(|k| (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]) / 6.0).collect();
        self.instance.set_time(end).expect("a time");
        self.instance.set_states(&along(&mean, 1.0)).expect("states");
        self.instance.step_completed().expect("a step");
        self.time = end;
    }

    /// Steps of length `h` that end at events, up to `end`.
    pub(super) fn go(&mut self, end: f64, h: f64) {
        while self.time < end - 1e-9 * h {
            if std::mem::take(&mut self.at_event) {
                self.instance.update().expect("event mode");
            }
            let event = self.instance.next_event().unwrap_or(f64::INFINITY);
            let next = (self.time + h).min(end);
            self.at_event = next >= event - 1e-6 * h;
            self.step(if self.at_event { event } else { next });
        }
    }

    /// Largest difference of outputs to the rows of a run, over the size of the channel.
    pub(super) fn against(&mut self, run: &Recording, row: usize) -> (f64, String) {
        let mut worst = (0.0, String::new());
        for name in run.names().iter().skip(1) {
            let rows = run.channel(name).expect(name);
            // The balance is what is left of energies.
            let sized = if name == "energy.balance" { "energy.kinetic" } else { name };
            let sized = run.channel(sized).expect(sized);
            let size = sized.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
            let off = (self.output(name) - rows[row]).abs() / size;
            if off.is_nan() || off > worst.0 {
                worst = (off, name.clone());
            }
        }
        worst
    }
}

impl Drop for Importer {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.resources.parent().expect("a folder"));
    }
}

pub(super) fn run(text: &str) -> Recording {
    let text = format!("{text}\n[output]\nchannels = [\"*\"]\n");
    build_text(&text, "m.toml").expect("a model").built.simulate().expect("a run")
}

#[test]
fn closed_loops_move_as_in_a_run_through_whole_turns() {
    let run = run(LINKAGE);
    let mut importer = Importer::new(LINKAGE, "linkage", &[]);
    assert_eq!(importer.face.states, 6 + 1, "three angles, three speeds, the work");
    for row in 1..=30 {
        importer.go(0.02 * f64::from(row), 5e-4);
        // Fourth order at 25 rad/s: (ωh)⁴ of both.
        let (off, name) = importer.against(&run, row as usize);
        assert!(off < 1e-7, "{name} at row {row}: {off:e}");
    }
    let closing = build_text(LINKAGE, "m.toml").expect("a model").built.model.loops[0].name.clone();
    let wound = run.last(&format!("{closing}.angle")).expect("an angle");
    assert!(wound.abs() > std::f64::consts::TAU, "{closing} has gone round: {wound} rad");
    // Turns are part of stored states: another instance knows them.
    let bytes = importer.instance.snapshot().to_bytes();
    let mut other = Importer::new(LINKAGE, "linkage-again", &[]);
    // One that has turned the other way, and fast: its own memory would count others.
    let mut backwards = other.instance.states().expect("states");
    backwards[3..6].iter_mut().for_each(|speed| *speed *= -10.0);
    other.instance.set_states(&backwards).expect("states");
    other.instance.step_completed().expect("a step");
    other.instance.restore(&Snapshot::from_bytes(&bytes).expect("a state")).expect("restored");
    for name in run.names().iter().skip(1) {
        assert_eq!(other.output(name).to_bits(), importer.output(name).to_bits(), "{name}");
    }
}

#[test]
fn errors_across_closed_loops_stay_small_and_go_at_events() {
    let mut importer = Importer::new(LINKAGE, "drift", &[]);
    let start = importer.instance.states().expect("states");
    let rates = importer.instance.derivatives().expect("derivatives");
    // A knee that is off by a micrometre and a speed across the loop.
    let mut off = start.clone();
    off[2] += 2e-6;
    off[5] += 1e-5;
    importer.instance.set_states(&off).expect("states");
    let gap = importer.output("constraint.position");
    assert!(gap < 1e-12, "outputs are those of closed loops: {gap:e}");
    let near = importer.instance.derivatives().expect("derivatives");
    let largest = rates.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    let moved = rates.iter().zip(&near).fold(0.0, |size: f64, (a, b)| size.max((a - b).abs()));
    assert!(moved > 0.0 && moved < 1e-4 * largest, "{moved:e} of {largest}");
    // Distances of positions and of speeds from the loop, at the start and half a second later.
    let distance = |importer: &mut Importer| {
        let before = importer.instance.states().expect("states");
        assert_eq!(importer.instance.update(), Ok(true));
        let after = importer.instance.states().expect("states");
        importer.instance.set_states(&before).expect("states");
        let apart =
            |range: std::ops::Range<usize>| range.map(|k| (before[k] - after[k]).abs()).fold(0.0, f64::max);
        [apart(0..3), apart(3..6)]
    };
    let first = distance(&mut importer);
    // Steps so short that their own errors are smaller.
    importer.go(0.5, 1e-4);
    let last = distance(&mut importer);
    assert!(first[0] > 1e-6 && last[0] < 3.0 * first[0], "{first:?}, then {last:?}");
    // Speeds: e v² t of the error e of positions at most, with rates of 50 rad/s.
    assert!(last[1] < first[1] + first[0] * 2500.0 * 0.5, "{first:?}, then {last:?}");
    assert_eq!(importer.instance.update(), Ok(true));
    assert!(distance_left(&mut importer) < 1e-12);
}

/// What an event would still change.
fn distance_left(importer: &mut Importer) -> f64 {
    let before = importer.instance.states().expect("states");
    importer.instance.update().expect("event mode");
    let after = importer.instance.states().expect("states");
    before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn sampled_controllers_hold_their_values_from_one_time_event_to_the_next() {
    let text = SERVO.replace("CONTROL", "sample_time = 0.005\nlimit = 40.0");
    let run = run(&text);
    let mut importer = Importer::new(&text, "sampled", &[]);
    assert_eq!(importer.face.states, 2 + 1, "angle, speed, work: what is held is no continuous state");
    assert_eq!(importer.instance.next_event(), Some(0.005));
    let mut kept = None;
    for row in 1..=30 {
        importer.go(0.02 * f64::from(row), 1e-3);
        // The same method with the same steps: rounding, of a stiff servo.
        let (off, name) = importer.against(&run, row as usize);
        assert!(off < 1e-11, "{name} at row {row}: {off:e}");
        if row == 7 {
            // Between two samples, so that what is held differs from what would be sampled.
            importer.go(0.143, 1e-3);
            kept = Some((importer.instance.snapshot().to_bytes(), importer.output("hinge.angle")));
            importer.go(0.15, 1e-3);
        }
    }
    let last = importer.output("hinge.angle");
    assert!((last - 0.7).abs() < 0.3 && (last - 0.2).abs() > 0.2, "the servo acts: {last}");
    // Another instance goes on from the bytes to the same bits.
    let (bytes, angle) = kept.expect("a state");
    let mut other = Importer::new(&text, "sampled-again", &[]);
    other.instance.restore(&Snapshot::from_bytes(&bytes).expect("a state")).expect("restored");
    other.time = other.instance.time();
    assert_eq!((other.time, other.output("hinge.angle")), (0.143, angle));
    assert_eq!(other.instance.next_event(), Some(0.145));
    other.go(0.15, 1e-3);
    (8..=30).for_each(|row| other.go(0.02 * f64::from(row), 1e-3));
    for name in ["hinge.angle", "servo.output.1", "energy.work", "energy.balance"] {
        assert_eq!(other.output(name).to_bits(), importer.output(name).to_bits(), "{name}");
    }
    // An importer that does not stop at a sample is told so.
    other.instance.set_time(0.61).expect("a time");
    let told = other.instance.update().expect_err("a sample");
    assert!(told.contains("servo") && told.contains("passed over"), "{told}");
    let mut instance =
        Instance::new(&other.resources, &other.token, Mode::CoSimulation).expect("an instance");
    let told = instance.restore(&Snapshot::from_bytes(&bytes).expect("a state"));
    assert!(told.expect_err("the state of another mode").contains("another FMU"));
}

/// The balance of energies goes on from the start of the stored run, which had other numbers.
#[test]
fn stored_states_know_the_energy_of_the_start() {
    let text = SERVO.replace("CONTROL", "filter = 0.02");
    let mut other = Importer::new(&text, "start", &[]);
    let mass = reference(&other.face, "parameter.body.rod.mass");
    let mut heavy = Instance::new(&other.resources, &other.token, Mode::Exchange).expect("an instance");
    heavy.set(&[mass], &[3.0]).expect("a number");
    heavy.enter_initialization(0.0, None).expect("initialising");
    heavy.exit_initialization().expect("initialised");
    let mut states = heavy.states().expect("states");
    states[1] += 2.0;
    heavy.set_states(&states).expect("states");
    let balance = reference(&other.face, "energy.balance");
    let known = get(&mut heavy, balance);
    assert!(known > 0.1, "{known}");
    let read = Snapshot::from_bytes(&heavy.snapshot().to_bytes()).expect("a state");
    other.instance.restore(&read).expect("restored");
    assert_eq!(other.output("energy.balance").to_bits(), known.to_bits());
}

/// A reference that jumps at a sample counts there, though the importer stops by a rounding before it.
#[test]
fn samples_see_the_instant_that_was_meant() {
    let jump = "reference = { piecewise = { breaks = [0.005], pieces = [0.7, 1.2] } }";
    let held = SERVO.replace("CONTROL", "sample_time = 0.005");
    let jumping = held.replace("reference = 0.7", jump);
    let sampled = |text: &str, instant: f64| {
        let mut importer = Importer::new(text, &format!("meant-{}-{instant:e}", text.len()), &[]);
        importer.step(instant);
        importer.instance.update().expect("event mode");
        importer.output("servo.output.1")
    };
    let [late, early] = [0.005, 0.005 - 1e-13].map(|instant| sampled(&jumping, instant));
    assert!((late - early).abs() < 1e-6, "{late} and {early}");
    // kp e + ki T e + kd e/T of a jump by 0.5.
    let jumped = late - sampled(&held, 0.005);
    assert!((jumped - 0.5 * (30.0 + 20.0 * 0.005 + 3.0 / 0.005)).abs() < 1e-9, "{jumped}");
}

#[test]
fn states_of_continuous_controllers_are_states_with_derivatives() {
    let text = SERVO.replace("CONTROL", "filter = 0.02");
    let run = run(&text);
    let mut importer = Importer::new(&text, "continuous", &["servo.reference"]);
    assert_eq!(importer.face.states, 2 + 2 + 1);
    let names: Vec<&str> = importer.face.variables.iter().map(|variable| variable.name.as_str()).collect();
    for name in ["state.servo.x.1", "der.servo.x.2", "state.work"] {
        assert!(names.contains(&name), "{name} of {names:?}");
    }
    assert_eq!(importer.instance.next_event(), None);
    for row in 1..=30 {
        importer.go(0.02 * f64::from(row), 1e-3);
        let (off, name) = importer.against(&run, row as usize);
        assert!(off < 1e-11, "{name} at row {row}: {off:e}");
    }
    // Derivatives over every state and the reference, one by one.
    let idle = derivatives_are_those_of_differences(&mut importer, 1e-3, 2e-7);
    assert!(idle.is_empty(), "nothing follows {idle:?}");
}

/// Derivatives over every state and every input, one by one, against differences of fourth order over `h`; `share` of what is there and of one is allowed.
/// Names of those that nothing follows.
pub(super) fn derivatives_are_those_of_differences(
    importer: &mut Importer,
    h: f64,
    share: f64,
) -> Vec<String> {
    let mut idle = Vec::new();
    let of = |face: &Interface, wanted: &dyn Fn(Causality) -> bool| -> Vec<u32> {
        let all = face.variables.iter().enumerate();
        all.filter(|(_, variable)| wanted(variable.causality)).map(|(k, _)| k as u32).collect()
    };
    let unknowns = of(&importer.face, &|kind| matches!(kind, Causality::Derivative(_) | Causality::Output));
    let states = of(&importer.face, &|kind| kind == Causality::State);
    let inputs = of(&importer.face, &|kind| kind == Causality::Input);
    let (start, knowns) = (importer.instance.states().expect("states"), [states, inputs.clone()].concat());
    let mut given = vec![0.0; inputs.len()];
    importer.instance.get(&inputs, &mut given).expect("inputs");
    for k in 0..knowns.len() {
        let mut found = vec![0.0; unknowns.len()];
        let asked = importer.instance.directional_derivative((&unknowns, &knowns[k..=k]), &[1.0], &mut found);
        asked.expect("a derivative");
        let mut moved = |h: f64| {
            let (mut states, mut values) = (start.clone(), given.clone());
            match states.get_mut(k) {
                Some(state) => *state += h,
                None => values[k - start.len()] += h,
            }
            importer.instance.set_states(&states).expect("states");
            importer.instance.set(&inputs, &values).expect("inputs");
            let mut values = vec![0.0; unknowns.len()];
            importer.instance.get(&unknowns, &mut values).expect("values");
            values
        };
        let (far, near) = ([moved(2.0 * h), moved(-2.0 * h)], [moved(h), moved(-h)]);
        moved(0.0);
        let over = importer.face.variables[knowns[k] as usize].name.clone();
        for (i, &unknown) in unknowns.iter().enumerate() {
            let slope = (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * h);
            let name = &importer.face.variables[unknown as usize].name;
            let allowed = share * (1.0 + found[i].abs() + near[0][i].abs());
            assert!((slope - found[i]).abs() < allowed, "{name} over {over}: {} against {slope}", found[i]);
        }
        if found.iter().all(|x| x.abs() < 1e-3) {
            idle.push(over);
        }
    }
    idle
}
