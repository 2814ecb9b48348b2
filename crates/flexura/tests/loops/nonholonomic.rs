//! Constraints on speeds alone: rows against dual numbers and a dense solution, power, known motions of disc, sleigh and skate.
//!
//! Steady rolling and the limit of stability, derived from H and the force at the contact: with α the angle between axis and
//! normal, Ω the precession, w the spin along the axis, C and A the moments of inertia along and across it,
//!
//! (C + m R²) w Ω sin α − A Ω² sin α cos α + m g R cos α = 0,
//!
//! and upright rolling is stable where w² > m g R A / (C (C + m R²)): g/(3R) for a disc, g/(4R) for a ring (Routh, Advanced
//! Rigid Dynamics, art. 241; Neimark and Fufaev, chapter VI).

use crate::common::dense_closure::dense_solution;
use crate::common::random_model::{Random, along_flow, random_state};
use crate::common::relative_error;
use flexura::algorithm::energy;
use flexura::build::Built;
use flexura::constraint::{prepare_at, project};
use flexura::file::build_text;
use flexura::scalar::Dual;
use flexura::simulate::{Outcome, Simulation};
use flexura::{Recording, State, Workspace, evaluate};

const GRAVITY: f64 = 9.81;
const MASS: f64 = 2.0;
const RADIUS: f64 = 0.3;

fn built(text: &str) -> Built {
    match build_text(text, "model.toml") {
        Ok(loaded) => loaded.built,
        Err(errors) => panic!("{:?}", errors.diagnostics),
    }
}

fn recorded(text: &str) -> Recording {
    Simulation::of(&built(text)).run().unwrap_or_else(|e| panic!("{e}"))
}

fn column(recording: &Recording, name: &str) -> Vec<f64> {
    recording.channel(name).unwrap_or_else(|e| panic!("{e}"))
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, x| if x.abs() > most || x.is_nan() { x.abs() } else { most })
}

/// A disc (axis y of its body) tilted by `tilt` about x, with moments of inertia `across` and `along` its axis in units of m R², the
/// spin `spin` and the angular velocity `turn` about the steepest radius.
fn disc(tilt: f64, [across, along]: [f64; 2], spin: f64, turn: f64, settings: &str) -> String {
    let unit = MASS * RADIUS * RADIUS;
    let (a, c, height, speed) = (across * unit, along * unit, RADIUS * tilt.cos(), RADIUS * spin);
    format!(
        r#"
[model]
gravity = [0, 0, -{GRAVITY}]
[[body]]
name = "disc"
mass = {MASS}
inertia = [{a}, {c}, {a}]
[[joint]]
name = "carrier"
type = "free"
between = ["ground.origin", "disc.origin"]
position = [0, 0, {height}]
orientation = {{ axis = [1, 0, 0], angle = {tilt} }}
speed = [0, {spin}, {turn}, {speed}, 0, 0]
[[joint]]
name = "rim"
type = "rolling"
between = ["ground.origin", "disc.origin"]
radius = {RADIUS}
axis = [0, 1, 0]
[simulation]
{settings}
"#
    )
}

/// n·c, the sine of the tilt, from the quaternion of the body.
fn tilts(recording: &Recording) -> Vec<f64> {
    let [w, x, y, z] = ["qw", "qx", "qy", "qz"].map(|part| column(recording, &format!("carrier.{part}")));
    (0..w.len()).map(|i| 2.0 * (y[i] * z[i] + w[i] * x[i])).collect()
}

const THIN: [f64; 2] = [0.25, 0.5];
const RING: [f64; 2] = [0.5, 1.0];
const TIGHT: &str = "end = 4.0\noutput_interval = 0.02\nmethod = \"dormand-prince\"\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13";

#[test]
fn a_disc_rolls_steadily_round_a_circle() {
    for (shape, alpha, precession) in [(THIN, 1.2_f64, 1.5), (THIN, 0.7, -4.0), (RING, 1.0, 2.5)] {
        let [a, c] = shape;
        let (sin, cos) = alpha.sin_cos();
        // The relation above, divided by m R².
        let spin = (a * precession * precession * sin * cos - GRAVITY / RADIUS * cos)
            / ((c + 1.0) * precession * sin);
        let tilt = std::f64::consts::FRAC_PI_2 - alpha;
        let run = recorded(&disc(tilt, shape, spin, precession * sin, TIGHT));
        // Steps of tolerance 1e-11; a spin that is one thousandth off moves the tilt by 1e-4 and more.
        let drift = largest(tilts(&run).iter().map(|sine| sine - cos));
        assert!(drift < 1e-8, "tilt drifts by {drift:.1e}");
        // The centre goes round a circle of radius R w/Ω about a point beside the start.
        let radius = RADIUS * spin / precession;
        let (x, y) = (column(&run, "disc.position.x"), column(&run, "disc.position.y"));
        let off = largest((0..x.len()).map(|i| x[i].hypot(y[i] - radius) - radius.abs()));
        assert!(off < 1e-7, "circle is missed by {off:.1e} m");
        let height = largest(column(&run, "disc.position.z").iter().map(|z| z - RADIUS * sin));
        assert!(height < 1e-8, "height changes by {height:.1e} m");
        let total = column(&run, "energy.total");
        let lost = largest(total.iter().map(|e| e - total[0])) / total[0].abs();
        assert!(lost < 1e-9, "energy is lost: {lost:.1e}");
        // The centre accelerates in the plane only: the plane carries the weight.
        let normal = largest(column(&run, "rim.normal_force").iter().map(|f| f - MASS * GRAVITY));
        assert!(normal < 1e-6, "normal force is off by {normal:.1e} N");
        for (channel, limit) in [("constraint.position", 1e-14), ("constraint.velocity", 1e-12)] {
            let open = largest(column(&run, channel));
            assert!(open < limit, "{channel} {open:.1e}");
        }
    }
}

/// Small tilts of an upright disc follow (A + m R²) β̈ = (m g R − C (C + m R²) w²/A) β where A φ̇ + C w β = 0.
#[test]
fn an_upright_disc_falls_below_and_stands_above_its_critical_speed() {
    const START: f64 = 1e-6;
    for (shape, divisor) in [(THIN, 3.0), (RING, 4.0)] {
        let [a, c] = shape;
        let critical = (GRAVITY / (divisor * RADIUS)).sqrt();
        for factor in [0.9, 1.1] {
            let spin = factor * critical;
            let stiffness = c * (c + 1.0) / a * (spin * spin - critical * critical) / (a + 1.0);
            let run = recorded(&disc(START, shape, spin, -c / a * spin * START, TIGHT));
            let times = column(&run, "time");
            let expected = |t: f64| match stiffness > 0.0 {
                true => START * (stiffness.sqrt() * t).cos(),
                false => START * ((-stiffness).sqrt() * t).cosh(),
            };
            let found = tilts(&run);
            let worst = largest((0..times.len()).map(|i| {
                found[i] / expected(times[i]).abs().max(START)
                    - expected(times[i]) / expected(times[i]).abs().max(START)
            }));
            let grown = largest(found.iter().copied()) / START;
            // The next terms are of third order in the tilt, which grows to 4e-3: 2e-5 of it.
            assert!(worst < 1e-4, "factor {factor}: off by {worst:.1e} of the tilt");
            assert!(
                if factor < 1.0 { grown > 100.0 } else { grown < 1.001 },
                "factor {factor}: grows {grown}"
            );
        }
    }
}

const SLEIGH: &str = r#"
[model]
gravity = GRAVITY_HERE
[[body]]
name = "sleigh"
mass = 3.0
inertia = [0.4, 0.4, 0.7]
center_of_mass = [OFFSET, 0, 0]
[[joint]]
name = "ice"
type = "planar"
between = ["ground.origin", "sleigh.origin"]
speed = START
[[joint]]
name = "edge"
type = "blade"
between = ["ground.origin", "sleigh.origin"]
axis = [0, 1, 0]
[simulation]
SETTINGS
"#;

fn sleigh(gravity: &str, offset: f64, start: &str, settings: &str) -> String {
    SLEIGH
        .replace("GRAVITY_HERE", gravity)
        .replace("OFFSET", &offset.to_string())
        .replace("START", start)
        .replace("SETTINGS", settings)
}

/// Chaplygin's sleigh: u̇ = a ω², ω̇ = −(m a/J) u ω, so that u = U tanh τ, ω = W / cosh τ with m U² = J W² and
/// τ̇ = m a U/J: from backwards to forwards, whatever the start.
#[test]
fn a_sleigh_turns_round_and_glides_as_chaplygin_found() {
    let (mass, own, a) = (3.0_f64, 0.7, 0.4);
    let j = own + mass * a * a;
    let (top, tau) = (2.0, -2.5_f64);
    let turn = top * (mass / j).sqrt();
    let start = format!("[{}, 0, {}]", top * tau.tanh(), turn / tau.cosh());
    for method in ["dormand-prince", "radau"] {
        let settings = format!(
            "end = 4.0\noutput_interval = 0.02\nmethod = \"{method}\"\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13"
        );
        let run = recorded(&sleigh("[0, 0, 0]", a, &start, &settings));
        let [t, angle, vx, vy, omega] =
            ["time", "ice.angle", "sleigh.velocity.x", "sleigh.velocity.y", "ice.rate"]
                .map(|name| column(&run, name));
        let worst = largest((0..t.len()).flat_map(|i| {
            let tau = tau + mass * a * top / j * t[i];
            let along = vx[i] * angle[i].cos() + vy[i] * angle[i].sin();
            [along - top * tau.tanh(), omega[i] - turn / tau.cosh()]
        }));
        assert!(worst < 1e-8, "{method}: off by {worst:.1e}");
        assert!(largest(column(&run, "constraint.velocity")) < 1e-13, "{method}");
        let total = column(&run, "energy.total");
        assert!(largest(total.iter().map(|e| e / total[0] - 1.0)) < 1e-9, "{method}: energy");
        // The force across the blade turns the centre of mass: m (a ω̇ + u ω).
        let force = column(&run, "edge.force.y");
        let worst = largest((0..t.len()).map(|i| {
            let tau = tau + mass * a * top / j * t[i];
            let (u, w) = (top * tau.tanh(), turn / tau.cosh());
            force[i] - mass * (u * w - a * mass * a / j * u * w)
        }));
        assert!(worst < 1e-6, "{method}: force off by {worst:.1e} N");
    }
}

/// A skate on a slope with its mass on the blade, spinning: x = (G/2ω²) sin²ωt, y = (G/2ω²)(ωt − sin ωt cos ωt). It goes
/// across the slope and never down.
#[test]
fn a_spinning_skate_goes_across_the_slope() {
    let (slope, omega) = (2.0_f64, 3.0);
    let settings = "end = 6.0\noutput_interval = 0.05\nmethod = \"dormand-prince\"\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13";
    let run = recorded(&sleigh("[2.0, 0, -9.6]", 0.0, "[0, 0, 3.0]", settings));
    let [t, x, y] = ["time", "sleigh.position.x", "sleigh.position.y"].map(|name| column(&run, name));
    let size = slope / (2.0 * omega * omega);
    let worst = largest((0..t.len()).flat_map(|i| {
        let (sin, cos) = (omega * t[i]).sin_cos();
        [x[i] - size * sin * sin, y[i] - size * (omega * t[i] - sin * cos)]
    }));
    assert!(worst < 1e-8, "off by {worst:.1e} m");
    assert!(largest(x.iter().copied()) < 1.001 * size, "down by more than {size}");
}

/// A wheel on a fork of a cart with a second wheel, a blade and a soft mast: rolling joints between bodies too.
const CART: &str = r#"
[model]
gravity = [0.3, 0, -9.81]
[ground]
frame = [{ name = "road", rotation = { axis = [0, 1, 0], angle = 0.1 } }]
[[body]]
name = "frame"
mass = 4
inertia = [0.3, 0.4, 0.5]
center_of_mass = [0.1, 0, 0.2]
frame = [{ name = "fork", position = [0.6, 0.1, 0] }, { name = "deck", position = [0, 0, 0.4] }, { name = "edge", position = [-0.5, 0.1, -0.2] }]
[[body]]
name = "wheel"
mass = 1
inertia = [0.02, 0.04, 0.02]
[[body]]
name = "mast"
frame = [{ name = "foot", station = "root" }, { name = "tip", station = "tip" }]
beam = { length = 0.6, boundary = "clamped-free", bending_y = 1, bending_z = 1, properties = { axial = 4e5, bending_y = 3, bending_z = 4, torsion = 3, mass = 1.0, rotary = [0.02, 0.01, 0.01] } }
[[body]]
name = "coin"
mass = 0.3
inertia = [0.002, 0.004, 0.002]
[[joint]]
name = "ride"
type = "free"
between = ["ground.origin", "frame.origin"]
orientation = { axis = [1, 0.2, 0.3], angle = 0.3 }
position = [0.2, 0.1, 0.5]
[[joint]]
name = "axle"
type = "universal"
axis = [0.1, 0, 0.995]
axis2 = [0, 1, 0]
between = ["frame.fork", "wheel.origin"]
damping = [0.1, 0.2]
[[joint]]
name = "step"
type = "revolute"
axis = [0, 0, 1]
between = ["frame.deck", "mast.foot"]
stiffness = 5
[[joint]]
name = "loose"
type = "free"
between = ["frame.deck", "coin.origin"]
position = [0.3, -0.2, 0.1]
orientation = { axis = [1, 0, 0.2], angle = 0.2 }
[[joint]]
name = "road"
type = "rolling"
between = ["ground.road", "wheel.origin"]
radius = 0.25
axis = [0.1, 0.99, 0]
normal = [0.1, -0.1, 0.98]
[[joint]]
name = "tray"
type = "rolling"
between = ["frame.deck", "coin.origin"]
radius = 0.1
axis = [0, 1, 0]
[[joint]]
name = "edge"
type = "blade"
between = ["ground.origin", "frame.edge"]
axis = [0.1, 0.9, -0.2]
[[joint]]
name = "skid"
type = "blade"
between = ["wheel.origin", "mast.tip"]
axis = [0.3, 0.9, 0.2]
"#;

fn cart_state(built: &Built, seed: u64) -> State {
    let model = &built.model;
    let mut random = Random::new(seed);
    let mut state = random_state(model, &mut random);
    let mut step: Vec<f64> = random.numbers(model.speed_count(), 0.3);
    // Small bends.
    for part in &model.layout.bodies {
        part.modal_v().for_each(|i| step[i] *= 0.05);
    }
    flexura::motion::retract::move_by_twist(model, &model.initial_q, &step, &mut state.q);
    state
}

#[test]
fn rows_power_and_accelerations_of_a_cart_at_random_states() {
    let built = built(CART);
    let model = &built.model;
    assert_eq!(model.constraint_count(), 8);
    let speeds = model.speed_count();
    for seed in 0..20 {
        let mut state = cart_state(&built, seed);
        let mut work = Workspace::new(model);
        // Off the constraints: rate and acceleration by dual numbers along the flow of random accelerations.
        work.load.generalized = Random::new(seed + 100).numbers(speeds, 5.0);
        prepare_at(model, &state, &mut work).expect("regular");
        let moving = along_flow(model, &state, &work.accelerations.chidot);
        let mut moving_work = Workspace::<Dual<1>>::new(model);
        prepare_at(model, &moving, &mut moving_work).expect("regular");
        let mut held = 0;
        for (joint, kind) in model.loops.iter().map(|joint| (joint, joint.kind.word())) {
            for (r, index) in joint.row_range().enumerate() {
                let on_positions = kind == "rolling" && r == 0;
                held += usize::from(on_positions);
                let expected = if on_positions { moving_work.closure.residual[index].eps[0] } else { 0.0 };
                let found =
                    if on_positions { work.closure.rate[index] } else { work.closure.residual[index] };
                assert!(
                    (found - expected).abs() < 1e-12 * expected.abs().max(1.0),
                    "{kind} {r}: {found} {expected}"
                );
                let (found, expected) =
                    (work.closure.acceleration[index], moving_work.closure.rate[index].eps[0]);
                assert!(
                    (found - expected).abs() < 1e-11 * expected.abs().max(10.0),
                    "{kind} {r}: {found} {expected}"
                );
                let along = work.closure.jacobian.times(index, &state.v);
                assert!(
                    (along - work.closure.rate[index]).abs() < 1e-12 * along.abs().max(10.0),
                    "{kind} {r}: J v"
                );
            }
        }
        assert_eq!(held, 2);
        // On them: the closure against a dense solution, and energies.
        work.load.generalized.fill(0.0);
        project(model, &mut state, &mut work).expect("closed");
        work.kinematics(model, &state);
        work.loads(model, &state);
        work.accelerations(model).expect("regular");
        let open = work.accelerations.chidot.clone();
        let mut closed = work.clone();
        evaluate(model, &state, &mut closed).expect("regular");
        // What projections accept as rounding, and rounding of speeds of a few m/s.
        let (gap, rate) = (closed.closure.largest_residual(), closed.closure.largest_rate());
        assert!(gap < 2e-13 && rate < 1e-12, "seed {seed}: {gap:.1e}, {rate:.1e}");
        work.closure = closed.closure.clone();
        let dense = dense_solution(model, &work, &open, &closed.closure.acceleration);
        assert_eq!((closed.closure.rank(), dense.rank), (8, 8));
        let apart = relative_error(&closed.accelerations.chidot, &dense.chidot, 1.0).max(relative_error(
            &closed.closure.multipliers,
            &dense.multipliers,
            1.0,
        ));
        assert!(apart < 1e-10, "seed {seed}: {apart:.1e} from the dense solution");
        let moving = along_flow(model, &state, &closed.accelerations.chidot);
        moving_work.kinematics(model, &moving);
        moving_work.poses(model, &moving);
        let rate = energy(model, &moving, &moving_work.motion, &moving_work.inertias);
        let (power, scale) = (closed.power.total(), rate.kinetic.eps[0].abs().max(1.0));
        assert!((rate.total().eps[0] - power).abs() < 1e-10 * scale, "seed {seed}: reactions work");
    }
}

/// Corrections of positions leave rows on speeds out: a tilted disc that starts too high is turned and lowered where it is,
/// not rolled there.
#[test]
fn assembly_does_not_roll() {
    let height = format!("position = [0, 0, {}]", RADIUS * 0.4_f64.cos());
    let text = disc(0.4, THIN, 0.0, 0.0, "end = 0.1").replace(&height, "position = [0.7, -0.2, 0.3]");
    assert!(text.contains("0.7"));
    let found = built(&text);
    let q = &found.model.initial_q;
    // It comes down by 23 mm along axes that turn by 3 mrad: half of their product aside. Rolled there it would go R δβ cos β = 0.75 mm aside.
    assert!((q[4] - 0.7).abs() < 1e-15 && (q[5] + 0.2).abs() < 5e-5, "{q:?}");
    assert!((q[6] - 0.3).abs() > 1e-4, "it was too high: {q:?}");
}

fn outcome(text: &str) -> Outcome {
    let built = built(text);
    let mut recorder = flexura::Recorder::new(&built.model, &["disc.position.?".into()]).expect("channels");
    let mut recording = Recording::new(recorder.channels());
    let settings = &built.description.simulation;
    flexura::simulate::run(&built.model, settings, &mut recorder, &mut recording, &mut |_| true)
        .expect("runs")
}

#[test]
fn a_plane_that_pulls_is_named() {
    let text = disc(0.2, THIN, 5.0, 0.0, "end = 0.5\noutput_interval = 0.01");
    let [found] = &outcome(&text).contacts[..] else { panic!("one contact") };
    assert!(!found.pulls() && found.least > 1.0, "{found:?}");
    let hanging = text.replace("gravity = [0, 0, -9.81]", "gravity = [0, 0, 9.81]");
    let [found] = &outcome(&hanging).contacts[..] else { panic!("one contact") };
    assert!(found.pulls() && found.to_string().contains("`rim`") && found.least < -1.0, "{found}");
}

/// A disc without spin falls over: it ends flat, by name.
#[test]
fn a_disc_that_falls_flat_is_refused() {
    let text = disc(0.5, THIN, 0.0, 0.0, "end = 3.0\noutput_interval = 0.01");
    let error = Simulation::of(&built(&text)).run().expect_err("flat").to_string();
    assert!(error.contains("`rim`") && error.contains("flat"), "{error}");
}

/// Equal steps in other coordinates, by other formulations and algorithms arrive at the same place.
#[test]
fn a_rolling_disc_does_not_depend_on_formulation_or_tree() {
    let run = |settings: &str| {
        let text = disc(
            0.3,
            THIN,
            4.0,
            1.0,
            &format!("end = 0.5\noutput_interval = 0.5\nmethod = \"rk4\"\nstep = 1e-3\n{settings}"),
        );
        let recording = recorded(&text);
        ["position.x", "position.y", "position.z", "velocity.x", "omega.y"]
            .map(|c| recording.last(&format!("disc.{c}")).expect("recorded"))
    };
    let expected = run("");
    for settings in
        ["formulation = \"graph\"", "algorithm = \"divide-and-conquer\"", "[graph]\ntree = \"absolute\""]
    {
        let found = run(settings);
        // Rounding of 500 equal steps.
        let apart = largest((0..5).map(|i| found[i] - expected[i]));
        assert!(apart < 1e-11, "{settings}: {apart:.1e}");
    }
}

#[test]
fn a_disc_needs_a_radius() {
    let text = disc(0.2, THIN, 5.0, 0.0, "end = 0.5").replace("radius = 0.3\n", "");
    let errors = build_text(&text, "model.toml").expect_err("no radius").to_string();
    assert!(errors.contains("`radius` is missing"), "{errors}");
}

/// Whoever needs a manifold of positions names the joint.
#[test]
fn analyses_refuse_constraints_on_speeds_by_name() {
    let built = built(&sleigh("[0, 0, -9.81]", 0.4, "[0, 0, 0]", "end = 1"));
    let (model, state) = (&built.model, State::initial(&built.model, 0.0));
    let answers = [
        flexura::analysis::equilibrium(model, &state, &Default::default()).err().map(|e| e.to_string()),
        flexura::analysis::linearize(model, &state, &[], &[]).err().map(|e| e.to_string()),
        flexura::analysis::imbalance(model, &state).err().map(|e| e.to_string()),
        flexura::analysis::InverseProblem::with_drives(model, &["ice.rate".into()])
            .err()
            .map(|e| e.to_string()),
    ];
    for (i, answer) in answers.iter().enumerate() {
        assert!(answer.as_ref().is_some_and(|text| text.contains("`edge`")), "{i}: {answer:?}");
    }
    let refused = flexura::lower::refusals(model);
    assert!(refused.iter().any(|found| found.item.contains("edge")), "{refused:?}");
    let mut steps = flexura::integrate::RealTime::new(
        model,
        state,
        flexura::model::description::DampingChoice::None,
        1e-3,
        3,
    );
    let answer = steps.advance(model).expect_err("implicit").to_string();
    assert!(answer.contains("`edge`"), "{answer}");
}

/// The shipped models: no warning, no pull, energy kept.
#[test]
fn shipped_models_roll_without_a_warning() {
    for name in ["book/examples/rolling.toml", "book/examples/blade.toml", "models/rolling_disc.toml"] {
        let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
        let built = built(&std::fs::read_to_string(path).expect("a model"));
        assert!(built.warnings.is_empty(), "{name}: {:?}", built.warnings);
        let mut recorder = flexura::Recorder::new(&built.model, &["energy.total".into()]).expect("channels");
        let mut recording = Recording::new(recorder.channels());
        let settings = &built.description.simulation;
        let outcome =
            flexura::simulate::run(&built.model, settings, &mut recorder, &mut recording, &mut |_| true);
        let outcome = outcome.unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("{name}: {:?}, {:.1e} of the energy", outcome.contacts, outcome.energy.share());
        assert!(!outcome.contacts.iter().any(|contact| contact.pulls()), "{name}: {:?}", outcome.contacts);
        assert!(outcome.unbalanced.is_none(), "{name}");
    }
}
