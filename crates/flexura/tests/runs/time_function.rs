//! Functions of time: derivatives, limits at break points and refusal of bad data.

use flexura::time_function::{
    Interpolation, Sample, SplineEnds, SplineTable, TimeFunction, TimeFunctionError,
};
use std::f64::consts::PI;

fn polynomial(coefficients: &[f64]) -> TimeFunction {
    let coefficients = coefficients.to_vec();
    TimeFunction::Polynomial { coefficients }
}

fn breaks_of(function: &TimeFunction) -> Vec<f64> {
    let mut out = Vec::new();
    function.break_points(&mut out);
    out
}

/// The rise of the two-link arm: pi/4 times cubic pieces.
fn arm_law() -> TimeFunction {
    let piece = |c: &[f64]| polynomial(&c.iter().map(|c| c * PI / 4.0).collect::<Vec<_>>());
    TimeFunction::Piecewise {
        breaks: vec![0.0, 1.0 / 6.0, 1.0 / 3.0, 0.5],
        pieces: vec![
            piece(&[-1.0]),
            piece(&[-1.0, 0.0, 0.0, 72.0]),
            piece(&[0.0, -18.0, 108.0, -144.0]),
            piece(&[-8.0, 54.0, -108.0, 72.0]),
            piece(&[1.0]),
        ],
    }
}

fn harmonic() -> TimeFunction {
    TimeFunction::Harmonic { offset: 0.3, amplitude: 2.0, angular_frequency: 4.0, phase: 0.7 }
}

fn cycloidal() -> TimeFunction {
    TimeFunction::Cycloidal { from: -1.0, to: 2.5, start: 0.2, duration: 0.6 }
}

fn table(ends: SplineEnds) -> SplineTable {
    let times: Vec<f64> = vec![-0.1, 0.15, 0.3, 0.7, 1.1];
    let values = times.iter().map(|t| (3.0 * t).cos()).collect();
    SplineTable::new(times, values, ends).unwrap()
}

#[test]
fn derivatives_match_finite_differences() {
    let functions = [
        TimeFunction::Constant(2.0),
        polynomial(&[1.0, -2.0, 0.5, 3.0, -1.0]),
        harmonic(),
        cycloidal(),
        TimeFunction::Table(table(SplineEnds::Natural)),
        arm_law(),
    ];
    let h = 1e-5;
    for function in functions {
        assert_eq!(function.validate(), Ok(()));
        for i in 0..60 {
            let t = 0.0171 * f64::from(i) + 0.001;
            let (before, here, after) = (function.sample(t - h), function.sample(t), function.sample(t + h));
            let rate = (after.value - before.value) / (2.0 * h);
            let acceleration = (after.rate - before.rate) / (2.0 * h);
            assert!((rate - here.rate).abs() < 1e-6, "{function:?} {t}");
            assert!((acceleration - here.acceleration).abs() < 1e-4, "{function:?} {t}");
            assert_eq!(function.sample_before(t), here);
        }
    }
}

#[test]
fn cycloidal_rise_is_smooth_and_held() {
    let law = cycloidal();
    assert_eq!(law.sample(-3.0).value, -1.0);
    assert_eq!(law.sample(9.0).value, 2.5);
    let middle = law.sample(0.5);
    assert!((middle.value - 0.75).abs() < 1e-14);
    assert!((middle.rate - 2.0 * 3.5 / 0.6).abs() < 1e-12);
    for t in [0.2, 0.8] {
        for shift in [-1e-7, 1e-7] {
            let near = law.sample(t + shift);
            assert!(near.rate.abs() < 1e-10 && near.acceleration.abs() < 1e-4);
        }
    }
    assert_eq!(breaks_of(&law), [0.2, 0.2 + 0.6]);
}

#[test]
fn clamped_spline_reproduces_cubics() {
    let cubic = polynomial(&[1.0, -2.0, 0.7, 0.4]);
    let times = vec![-1.0, -0.3, 0.1, 0.9, 2.0];
    let values = times.iter().map(|t| cubic.sample(*t).value).collect();
    let ends = SplineEnds::Clamped { start_rate: cubic.sample(-1.0).rate, end_rate: cubic.sample(2.0).rate };
    let spline = TimeFunction::Table(SplineTable::new(times, values, ends).unwrap());
    for i in 0..100 {
        let t = -1.0 + 3.0 * f64::from(i) / 100.0;
        let (a, b) = (spline.sample(t), cubic.sample(t));
        assert!((a.value - b.value).abs() < 1e-13);
        assert!((a.rate - b.rate).abs() < 1e-12);
        assert!((a.acceleration - b.acceleration).abs() < 1e-12);
    }
    // From the left the last instant still belongs to the cubic.
    assert!((spline.sample_before(2.0).rate - cubic.sample(2.0).rate).abs() < 1e-12);
    assert_eq!(spline.sample(2.0).rate, 0.0);
    assert_eq!(spline.sample_before(-1.0).rate, 0.0);
    assert!((spline.sample(-1.0).rate - cubic.sample(-1.0).rate).abs() < 1e-12);
}

/// Points (0,0), (1,1), (2,0): 4 M_1 = 6 (-1 - 1), M_1 = -3, s(1/2) = 11/16, s'(0) = 3/2.
#[test]
fn natural_spline_by_hand() {
    let (times, values) = (vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 0.0]);
    let spline = SplineTable::new(times, values, SplineEnds::default()).unwrap();
    let spline = TimeFunction::Table(spline);
    assert!((spline.sample(1.0).acceleration + 3.0).abs() < 1e-15);
    assert!((spline.sample(0.5).value - 11.0 / 16.0).abs() < 1e-15);
    assert!((spline.sample(0.0).rate - 1.5).abs() < 1e-15);
    assert!(spline.sample(1.0).rate.abs() < 1e-15);
    assert_eq!(breaks_of(&spline), [0.0, 2.0]);
    let held = spline.sample(5.0);
    assert_eq!(held, Sample::default());
    let (times, values) = (vec![1.0, 3.0], vec![2.0, 6.0]);
    let line = SplineTable::new(times, values, SplineEnds::Natural).unwrap();
    assert_eq!(TimeFunction::Table(line).sample(2.0).rate, 2.0);
}

/// The published pieces join with continuous value, rate and even acceleration.
#[test]
fn arm_law_is_smooth_at_its_breaks() {
    let law = arm_law();
    assert_eq!(law.validate(), Ok(()));
    assert_eq!(breaks_of(&law), [0.0, 1.0 / 6.0, 1.0 / 3.0, 0.5]);
    for t in breaks_of(&law) {
        let (left, right) = (law.sample_before(t), law.sample(t));
        assert!((left.value - right.value).abs() < 1e-14);
        assert!((left.rate - right.rate).abs() < 1e-13);
        assert!((left.acceleration - right.acceleration).abs() < 1e-12);
    }
    assert!((law.sample(-1.0).value + PI / 4.0).abs() < 1e-15);
    assert!(law.sample(0.25).value.abs() < 1e-14);
    assert!((law.sample(0.5).value - PI / 4.0).abs() < 1e-15);
}

#[test]
fn limits_differ_at_a_jump() {
    let step = TimeFunction::Piecewise {
        breaks: vec![1.0],
        pieces: vec![TimeFunction::Constant(0.0), polynomial(&[0.0, 5.0])],
    };
    assert_eq!(step.sample_before(1.0).value, 0.0);
    assert_eq!(step.sample(1.0).value, 5.0);
    assert_eq!(step.sample(1.0).rate, 5.0);
}

#[test]
fn break_points_of_nested_functions_are_those_in_sight() {
    let inner = TimeFunction::Piecewise {
        breaks: vec![-5.0, 0.5, 1.0, 7.0],
        pieces: vec![
            TimeFunction::Constant(0.0),
            cycloidal(),
            TimeFunction::Constant(1.0),
            TimeFunction::Constant(2.0),
            TimeFunction::Constant(3.0),
        ],
    };
    let outer =
        TimeFunction::Piecewise { breaks: vec![-0.0, 1.0], pieces: vec![cycloidal(), inner, harmonic()] };
    assert_eq!(outer.validate(), Ok(()));
    // The rise 0.2..0.8 is cut off at 0.5, where the inner function changes.
    let mut out = vec![0.5, 3.0, 0.0];
    outer.break_points(&mut out);
    assert_eq!(out, [0.0, 0.2, 0.5, 1.0, 3.0]);
}

#[test]
fn bad_data_are_refused_with_the_entry() {
    let message = |function: TimeFunction| function.validate().unwrap_err().to_string();
    let wrong = polynomial(&[0.0, f64::NAN]);
    let text = "polynomial coefficients: entry 1 is not finite (NaN)";
    assert_eq!(message(wrong.clone()), text);
    assert!(message(polynomial(&[])).contains("at least 1"));
    let pieces = vec![TimeFunction::Constant(0.0), wrong];
    let breaks = vec![0.0];
    let nested = TimeFunction::Piecewise { breaks, pieces };
    assert_eq!(message(nested), format!("piece 1: {text}"));
    let piecewise = |breaks: &[f64], count| TimeFunction::Piecewise {
        breaks: breaks.to_vec(),
        pieces: vec![TimeFunction::Constant(1.0); count],
    };
    assert!(message(piecewise(&[0.0, 1.0], 2)).contains("3 entries needed, got 2"));
    assert!(message(piecewise(&[0.0, 1.0, 1.0], 4)).contains("entry 2 (1 s)"));
    assert!(message(piecewise(&[], 0)).contains("at least 1"));
    let rise = TimeFunction::Cycloidal { from: 0.0, to: 1.0, start: 0.0, duration: 0.0 };
    assert_eq!(rise.validate(), Err(TimeFunctionError::DurationNotPositive { value: 0.0 }));
    assert!(message(TimeFunction::Constant(f64::INFINITY)).contains("constant"));
}

#[test]
fn bad_tables_are_refused_when_they_are_made() {
    let make = |times: &[f64], values: &[f64], ends| {
        SplineTable::new(times.to_vec(), values.to_vec(), ends).unwrap_err().to_string()
    };
    let natural = SplineEnds::Natural;
    assert!(make(&[0.0], &[1.0], natural).contains("at least 2"));
    assert!(make(&[0.0, 1.0], &[1.0], natural).contains("2 entries needed, got 1"));
    assert!(make(&[0.0, 0.0], &[1.0, 1.0], natural).contains("entry 1"));
    assert!(make(&[0.0, 1.0], &[1.0, f64::NAN], natural).contains("table values: entry 1"));
    let ends = SplineEnds::Clamped { start_rate: f64::NAN, end_rate: 0.0 };
    assert!(make(&[0.0, 1.0], &[1.0, 2.0], ends).contains("start rate"));
}

#[test]
fn no_instant_makes_sampling_panic() {
    let functions = [
        cycloidal(),
        arm_law(),
        TimeFunction::Table(table(SplineEnds::Natural)),
        TimeFunction::Piecewise { breaks: vec![], pieces: vec![] },
    ];
    for function in functions {
        for t in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -0.0] {
            let _ = (function.sample(t), function.sample_before(t));
        }
    }
}

/// The step 0 → 1 of a table, by all three interpolations.
#[test]
fn tables_overshoot_by_splines_only() {
    let (times, values) = (vec![0.0, 1.0, 1.1, 2.0], vec![0.0, 0.0, 1.0, 1.0]);
    for interpolation in [Interpolation::Spline, Interpolation::Monotone, Interpolation::Linear] {
        let ends = SplineEnds::Natural;
        let table =
            SplineTable::interpolated(times.clone(), values.clone(), interpolation, ends).expect("valid");
        let function = TimeFunction::Table(table);
        let samples = (0..=2000).map(|i| function.sample(f64::from(i) * 1e-3).value);
        let (least, largest) =
            samples.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x: f64| (a.min(x), b.max(x)));
        let spline = interpolation == Interpolation::Spline;
        assert_eq!(function.overshoot().is_some(), spline);
        assert_eq!(
            least < -1e-12 || largest > 1.0 + 1e-12,
            spline,
            "{interpolation:?}: {least} to {largest}"
        );
        let mut breaks = Vec::new();
        function.break_points(&mut breaks);
        assert_eq!(breaks.len(), if spline { 2 } else { 4 });
        assert!(spline || (function.sample(1.05).value - 0.5).abs() < 1e-12);
    }
}

/// Derivatives of monotone cubics and lines belong to their values, on both sides of a knot.
#[test]
fn derivatives_of_tables_belong_to_their_values() {
    let (times, values) = (vec![0.0, 0.4, 1.0, 1.3, 2.0], vec![0.0, 0.5, 0.7, 2.0, 1.5]);
    for interpolation in [Interpolation::Spline, Interpolation::Monotone, Interpolation::Linear] {
        let ends = SplineEnds::Natural;
        let table =
            SplineTable::interpolated(times.clone(), values.clone(), interpolation, ends).expect("valid");
        let function = TimeFunction::Table(table);
        for t in [0.1, 0.39, 0.7, 1.2, 1.9] {
            let h = 1e-5;
            let (a, b, c) = (function.sample(t - h), function.sample(t), function.sample(t + h));
            assert!(((c.value - a.value) / (2.0 * h) - b.rate).abs() < 1e-6, "{interpolation:?} {t}");
            assert!(((c.rate - a.rate) / (2.0 * h) - b.acceleration).abs() < 1e-5, "{interpolation:?} {t}");
        }
        for knot in &times[1..4] {
            let (left, right) = (function.sample_before(*knot), function.sample(*knot));
            assert!((left.value - right.value).abs() < 1e-12);
            let jumps = (left.rate - right.rate).abs() > 1e-9;
            assert_eq!(jumps, interpolation == Interpolation::Linear, "{interpolation:?} {knot}");
        }
    }
}

/// Nothing comes after the end of a run: the speed there is that of the table, not zero.
#[test]
fn a_table_that_ends_with_the_run_keeps_its_speed() {
    for method in ["dormand-prince\"", "radau\"", "rk4\"\nstep = 1e-3", "trapezoidal\"\nstep = 1e-3"] {
        let text = format!(
            r#"
            [[body]]
            name = "b"
            mass = 1
            inertia = [0.1, 0.1, 0.1]
            [[joint]]
            name = "j"
            type = "prismatic"
            between = ["ground.origin", "b.origin"]
            axis = [0, 0, 1]
            motion = {{ table = {{ times = [0, 0.25, 0.5, 0.75, 1], values = [0, 0.0625, 0.25, 0.5625, 1], start_rate = 0, end_rate = 2 }} }}
            [simulation]
            end = 1
            method = "{method}
            "#
        );
        let built = flexura::file::build_text(&text, "table.toml").expect("valid").built;
        let recording = built.simulate().expect("runs");
        let speed = recording.last("j.speed").expect("recorded");
        assert!((speed - 2.0).abs() < 1e-12, "{method}: {speed}");
        assert!((recording.last("b.velocity.z").expect("recorded") - 2.0).abs() < 1e-12, "{method}");
    }
}
