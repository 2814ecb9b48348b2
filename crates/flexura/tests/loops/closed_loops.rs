//! Motions of closed mechanisms against published values, drift and energy.
use crate::common::four_bars::four_bar_chain;
use crate::common::mechanisms::*;
use flexura::analysis::mobility;
use flexura::build::Built;
use flexura::integrate::Integrator;
use flexura::model::description::*;
use flexura::{Recording, State, Workspace};

fn built(description: Description) -> Built {
    let name = description.name.clone();
    description.build().unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Simulates to `end` and prints the largest energy error and constraint violation.
fn simulated(description: Description, method: MethodDescription, end: f64, rows: f64) -> Recording {
    let name = description.name.clone();
    let recording = built(description.method(method).run_for(end).output_interval(rows))
        .simulate()
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let largest = |channel: &str| {
        let values = recording.channel(channel).expect("recorded");
        values.iter().fold(0.0_f64, |worst, x| worst.max(x.abs()))
    };
    let (balance, gap, rate) =
        (largest("energy.balance"), largest("constraint.position"), largest("constraint.velocity"));
    println!("{name}: energy error {balance:.1e} J, violation {gap:.1e}, its rate {rate:.1e}");
    assert!(gap < 1e-10, "{name}: loops open by {gap:.1e}");
    // The work is integrated with the tolerance of the motion; hundreds of steps add up.
    assert!(balance < 1e-8 * largest("energy.kinetic").max(1.0), "{name}: energy error {balance:.1e} J");
    recording
}

/// Value of a channel at the recorded time nearest to `time`.
fn at(recording: &Recording, channel: &str, time: f64) -> f64 {
    let times = recording.time();
    let nearest =
        (0..times.len()).min_by(|&i, &j| (times[i] - time).abs().total_cmp(&(times[j] - time).abs()));
    let index = nearest.expect("rows");
    assert!((times[index] - time).abs() < 1e-9, "no row at {time} s");
    recording.channel(channel).expect("recorded")[index]
}

fn assert_close(name: &str, found: f64, expected: f64, limit: f64) {
    println!("{name}: {found:.10}, expected {expected:.10}, difference {:.1e}", found - expected);
    assert!((found - expected).abs() < limit, "{name}: {found} instead of {expected}");
}

/// Reference of the test set (PSIDE at tolerance 1e-14).
#[test]
fn squeezer_reaches_the_angles_of_the_test_set() {
    let recording = simulated(squeezer(), tight(), 0.03, 0.01);
    let expected = [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ];
    for (name, expected) in SQUEEZER_ANGLES.into_iter().zip(expected) {
        assert_close(name, recording.last(&format!("{name}.angle")).expect("recorded"), expected, 1e-6);
    }
    let speed = recording.last("beta.rate").expect("recorded");
    assert_close("beta.rate", speed, 1139.920302151208, 1e-3);
}

#[test]
fn bricard_moves_as_published_and_its_redundancy_is_named() {
    let recording = simulated(bricard(), tight(), 2.0, 0.5);
    let expected = [
        (0.5, [0.968283679, -1.224625159, 0.750146609]),
        (1.0, [0.510501461, -1.649167599, 0.140123115]),
        (2.0, [-0.969340345, -1.221246895, 0.754278011]),
    ];
    for (time, position) in expected {
        for (axis, value) in ["x", "y", "z"].into_iter().zip(position) {
            let channel = format!("rod3.b.position.{axis}");
            assert_close(&format!("{channel} at {time} s"), at(&recording, &channel, time), value, 2e-9);
        }
    }
    let absolute = built(with_tree(bricard(), TreeChoice::Absolute, &[]));
    let found = mobility(&absolute.model, &State::initial(&absolute.model, 0.0)).expect("regular");
    assert_eq!((found.constraints, found.rank, found.counted, found.freedoms), (30, 29, 0, 1));
    assert_eq!(found.redundant.len(), 1);
    let named = absolute.warnings.iter().find(|warning| warning.code == "redundant-constraints");
    assert!(named.is_some_and(|warning| warning.message.contains("1 of the 5")), "{:?}", absolute.warnings);
}

/// Exact solution of the equivalent pendulum, in the position of A02 with two loops; the bars pass through the
/// horizontal, where the Jacobian loses rank, sixteen times.
#[test]
fn double_four_bar_passes_its_singular_position() {
    let recording = simulated(four_bar_chain(2), tight(), 10.0, 1.0);
    assert_close(
        "x at 10 s",
        recording.last("link0.tip.position.x").expect("recorded"),
        0.328458111536,
        2e-6,
    );
    assert_close(
        "y at 10 s",
        recording.last("link0.tip.position.y").expect("recorded"),
        0.944518538180,
        2e-6,
    );
    assert_close(
        "vx at 10 s",
        recording.last("link0.tip.velocity.x").expect("recorded"),
        1.42305147020,
        1e-5,
    );
    // The bars of the second loop stay parallel to those of the first.
    let apart = recording.last("link2.tip.position.x").expect("recorded")
        - recording.last("link0.tip.position.x").expect("recorded");
    assert_close("distance of the bars", apart, 2.0, 1e-9);
}

#[test]
fn spatial_slider_crank_moves_as_the_reference() {
    let recording = simulated(slider_crank(), tight(), 5.0, 0.5);
    for (time, x) in [(0.5, 0.18501670), (1.0, 0.20830870), (2.0, 0.29003192), (5.0, 0.22254417)] {
        assert_close(&format!("slider at {time} s"), at(&recording, "slide.displacement", time), x, 2e-8);
    }
}

/// Extremes of the mid-point deflections against a geometrically exact beam solution (8 quadratic elements per
/// link) in the first revolution. Stretch and shear count: without them the follower bends 15 % less.
#[test]
fn flexible_four_bar_deflects_as_the_reference() {
    let revolution = std::f64::consts::TAU / 210.0;
    let recording = simulated(stretching_four_bar(), tolerance(1e-8), revolution, revolution / 500.0);
    let deflection = |body: &str| {
        let of = |frame: &str, axis: &str| {
            recording.channel(&format!("{body}.{frame}.position.{axis}")).expect("recorded")
        };
        let [a, b, m] = ["a", "b", "middle"].map(|frame| [of(frame, "x"), of(frame, "y")]);
        // To the left of the chord from a to b.
        let off = |i: usize| {
            let (x, y) = (b[0][i] - a[0][i], b[1][i] - a[1][i]);
            (x * (m[1][i] - a[1][i]) - y * (m[0][i] - a[0][i])) / x.hypot(y)
        };
        let values: Vec<f64> = (0..a[0].len()).map(off).collect();
        let extreme = |sign: f64| {
            let worst = (0..values.len()).max_by(|&i, &j| (sign * values[i]).total_cmp(&(sign * values[j])));
            let i = worst.expect("rows");
            (values[i], recording.time()[i] * 210.0)
        };
        [extreme(-1.0), extreme(1.0)]
    };
    let [(low, angle), _] = deflection("coupler");
    assert_close("lowest coupler deflection", low, -0.02990, 0.02 * 0.0299);
    assert_close("at crank angle", angle, 0.628, 0.03);
    let [_, (high, angle)] = deflection("follower");
    assert_close("highest follower deflection", high, 0.01092, 0.02 * 0.01092);
    assert_close("at crank angle", angle, 3.047, 0.05);
}

/// 10⁵ steps of fixed length: the violation does not grow.
#[test]
fn loops_do_not_drift() {
    let built = built(four_bar_chain(1));
    let model = &built.model;
    let mut state = State::initial(model, 0.0);
    let mut work = Workspace::new(model);
    let mut integrator = Integrator::new(model, &MethodDescription::Rk4 { step: 1e-3 });
    for _ in 0..100_000 {
        integrator.step(model, &mut state, &mut work, 1e9).expect("regular");
    }
    flexura::constraint::prepare_at(model, &state, &mut work).expect("regular");
    let (gap, rate) = (work.closure.largest_residual(), work.closure.largest_rate());
    println!("violation after 100 000 steps: {gap:.1e}, its rate {rate:.1e}");
    assert!(gap < 1e-10 && rate < 1e-10);
}
