//! Fits: known numbers within their intervals, what data do not see, records as they come from sensors, mistakes.

use flexura::analysis::{FitError, FitOptions, Fitted, Measured, fit};
use flexura::file::{NoSource, build_text, set_parameter};
use flexura::simulate::Simulation;

const OSCILLATOR: &str = r#"
[[body]]
name = "cart"
mass = 2.0
inertia = [1, 1, 1]
[[joint]]
name = "track"
type = "prismatic"
between = ["ground.origin", "cart.origin"]
axis = [1, 0, 0]
position = 0.3
stiffness = 80.0
damping = 1.5
[simulation]
end = 3.0
method = "rk4"
step = 0.01
output_interval = 0.04
"#;

/// Numbers that look random: xorshift, and the normal distribution by twelve of them.
struct Random(u64);

impl Random {
    fn even(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.even()).sum::<f64>() - 6.0
    }
}

fn with(text: &str, numbers: &[(&str, f64)]) -> String {
    numbers.iter().fold(text.to_string(), |text, (path, value)| {
        set_parameter(&text, path, &format!("{value:?}")).expect("a number")
    })
}

/// What sensors would have seen of a model: every 40 ms, with noise.
fn recorded(text: &str, channels: &[&str], noise: &[f64], random: &mut Random) -> Measured {
    let built = build_text(text, "m.toml").expect("a model").built;
    let run = Simulation::of(&built).channels(channels.to_vec()).run().expect("a run");
    let times = run.time();
    let columns: Vec<Vec<f64>> = channels.iter().map(|name| run.channel(name).expect("a channel")).collect();
    let values =
        (0..times.len()).flat_map(|row| columns.iter().map(move |column| column[row])).collect::<Vec<_>>();
    let values = values.iter().enumerate().map(|(i, value)| value + noise[i % noise.len()] * random.normal());
    let values = values.collect();
    Measured { times, channels: channels.iter().map(|name| (*name).to_string()).collect(), values }
}

fn fitted(
    text: &str,
    parameters: &[&str],
    measured: &Measured,
    options: &FitOptions,
) -> Result<Fitted, FitError> {
    let names: Vec<String> = parameters.iter().map(|name| (*name).to_string()).collect();
    fit((text, "m.toml"), &NoSource, &names, measured, options, &mut |_| true)
}

#[test]
fn known_numbers_lie_within_their_intervals_in_twenty_random_cases() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut inside, mut count, mut squares) = (0, 0, 0.0);
    for case in 0..20 {
        let truth = [40.0 + 120.0 * random.even(), 0.5 + 3.0 * random.even()];
        let names = ["track.stiffness", "track.damping"];
        let noisy = with(OSCILLATOR, &[(names[0], truth[0]), (names[1], truth[1])]);
        // Speeds are ten times as large as positions, and noisier.
        let channels = ["track.displacement", "track.speed"];
        let measured = recorded(&noisy, &channels, &[0.005, 0.08], &mut random);
        // By dual numbers, and by differences where implicit steps are taken.
        let implicit =
            OSCILLATOR.replace("\"rk4\"", "\"trapezoidal\"").replace("step = 0.01", "step = 0.002");
        let text = if case % 4 == 3 { &implicit } else { OSCILLATOR };
        let found = fitted(text, &names, &measured, &FitOptions::default()).expect("a fit");
        assert!(found.converged && found.unseen.is_empty(), "case {case}");
        assert_eq!(found.route, if case % 4 == 3 { "central differences of runs" } else { "dual numbers" });
        for (estimate, truth) in found.estimates.iter().zip(truth) {
            let error = (estimate.value - truth) / estimate.deviation;
            // Beyond 3.5 deviations once in 2,000 numbers.
            assert!(
                error.abs() < 3.5,
                "case {case}: {} = {} instead of {truth}",
                estimate.name,
                estimate.value
            );
            inside += usize::from(estimate.interval.0 <= truth && truth <= estimate.interval.1);
            count += 1;
            squares += error * error;
        }
        // The noise is found as well: 76 rows tell it to 8 %.
        assert!(
            (found.residuals[0] / 0.005 - 1.0).abs() < 0.35 && (found.residuals[1] / 0.08 - 1.0).abs() < 0.35
        );
    }
    // 95 % of 40 are 38; a chance of one in a thousand leaves 33. Deviations are neither too small nor too large.
    let spread = (squares / f64::from(count)).sqrt();
    assert!(inside >= 34 && (0.7..1.35).contains(&spread), "{inside} of {count} inside, spread {spread}");
}

#[test]
fn a_record_that_is_quantised_biased_and_late_is_understood() {
    let mut random = Random(77);
    let truth = with(
        OSCILLATOR,
        &[("track.stiffness", 95.0), ("track.damping", 2.2), ("simulation.output_interval", 0.001)],
    );
    let mut measured = recorded(&truth, &["track.displacement"], &[0.0], &mut random);
    // Every 13 ms from 0.2 s on, on a clock that is 37 ms ahead, with a bias of 0.04 m, in steps of 2 mm.
    let rows: Vec<usize> =
        (0..).map(|k| 200 + 13 * k).take_while(|row| *row < measured.times.len()).collect();
    let values: Vec<f64> = rows.iter().map(|&row| measured.values[row] + 0.04).collect();
    measured.times = rows.iter().map(|&row| measured.times[row] - 0.037).collect();
    measured.values = values.iter().map(|value| (value / 0.002).round() * 0.002).collect();
    let options = FitOptions { time_offset: 0.1, bias: true, ..FitOptions::default() };
    let found =
        fitted(OSCILLATOR, &["track.stiffness", "track.damping"], &measured, &options).expect("a fit");
    for (estimate, truth) in found.estimates.iter().zip([95.0, 2.2, 0.037, 0.04]) {
        assert!(
            (estimate.value - truth).abs() < 3.5 * estimate.deviation,
            "{} {} {truth}",
            estimate.name,
            estimate.value
        );
        assert!(
            (estimate.value - truth).abs() < 0.02 * truth.abs(),
            "{} {} {truth}",
            estimate.name,
            estimate.value
        );
    }
    // Steps of 2 mm leave 2 mm/√12.
    assert!((found.residuals[0] / (0.002 / 12f64.sqrt()) - 1.0).abs() < 0.3, "{:?}", found.residuals);
    // Without the offset the numbers are wrong, and the residuals say so.
    let blind = fitted(OSCILLATOR, &["track.stiffness", "track.damping"], &measured, &FitOptions::default())
        .expect("a fit");
    assert!(blind.residuals[0] > 5.0 * found.residuals[0]);
}

#[test]
fn oscillations_that_fall_out_of_step_are_brought_back() {
    // Twelve oscillations, and a guess that is off by a factor of two.
    let mut random = Random(8);
    let truth = with(OSCILLATOR, &[("track.stiffness", 1200.0), ("track.damping", 0.4)]);
    let measured = recorded(&truth, &["track.displacement"], &[0.002], &mut random);
    let guess = with(OSCILLATOR, &[("track.stiffness", 600.0), ("track.damping", 0.4)]);
    let found = fitted(&guess, &["track.stiffness"], &measured, &FitOptions::default()).expect("a fit");
    assert!(
        (found.estimates[0].value - 1200.0).abs() < 3.5 * found.estimates[0].deviation,
        "{:?}",
        found.estimates
    );
}

#[test]
fn what_the_data_do_not_see_is_said() {
    let mut random = Random(5);
    let measured = recorded(OSCILLATOR, &["track.displacement"], &[0.001], &mut random);
    // Only stiffness over mass and damping over mass move the cart.
    let names = ["track.stiffness", "track.damping", "cart.mass"];
    let found = fitted(OSCILLATOR, &names, &measured, &FitOptions::default()).expect("a fit");
    assert_eq!(found.unseen.len(), 1);
    assert!(found.singular_values[2] < 1e-6, "{:?}", found.singular_values);
    let weights = &found.unseen[0].weights;
    assert_eq!(weights.len(), 3, "all three together: {weights:?}");
    assert!(weights.windows(2).all(|pair| (pair[0].1 / pair[1].1 - 1.0).abs() < 1e-2), "{weights:?}");
}

#[test]
fn bounds_hold_and_the_text_has_the_numbers() {
    let mut random = Random(6);
    let measured = recorded(OSCILLATOR, &["track.displacement"], &[0.001], &mut random);
    let start = with(OSCILLATOR, &[("track.stiffness", 60.0)]);
    let bounds = vec![("track.stiffness".to_string(), 50.0, 70.0)];
    let options = FitOptions { bounds, ..FitOptions::default() };
    let found = fitted(&start, &["track.stiffness"], &measured, &options).expect("a fit");
    assert!(found.estimates[0].at_bound && found.estimates[0].value == 70.0);
    assert!(found.text.contains("stiffness = 70.0"), "{}", found.text);
    let free = fitted(&start, &["track.stiffness"], &measured, &FitOptions::default()).expect("a fit");
    assert!((free.estimates[0].value - 80.0).abs() < 0.5 && !free.estimates[0].at_bound);
    assert!(free.residuals_before[0] > 10.0 * free.residuals[0]);
}

#[test]
fn mistakes_are_named() {
    let mut random = Random(7);
    let good = recorded(OSCILLATOR, &["track.displacement"], &[0.001], &mut random);
    let refused = |parameters: &[&str], measured: &Measured, options: &FitOptions| {
        fitted(OSCILLATOR, parameters, measured, options).expect_err("a mistake").to_string()
    };
    let none = FitOptions::default();
    let changed = |change: &dyn Fn(&mut Measured)| {
        let mut measured = good.clone();
        change(&mut measured);
        measured
    };
    let late = changed(&|m| m.times.iter_mut().for_each(|t| *t += 1.0));
    let few = Measured { times: good.times[..3].to_vec(), values: good.values[..3].to_vec(), ..good.clone() };
    let stiffness = ["track.stiffness"];
    let bounded = FitOptions { bounds: vec![("track.stiffness".into(), 1.0, 2.0)], ..none.clone() };
    let stray = FitOptions { bounds: vec![("track.mass".into(), 1.0, 2.0)], ..none.clone() };
    for (told, words) in [
        (refused(&["track.stiff"], &good, &none), "track.stiff"),
        (refused(&["track.stiffness", "track.stiffness"], &good, &none), "named twice"),
        (refused(&["cart.inertia.2"], &good, &none), "has no influence on track.displacement"),
        (
            refused(&stiffness, &changed(&|m| m.channels[0] = "track.angle".into()), &none),
            "no channel matches `track.angle`",
        ),
        (
            refused(&stiffness, &changed(&|m| m.channels[0] = "track.*".into()), &none),
            "names several channels",
        ),
        (
            refused(&stiffness, &changed(&|m| m.values[7] = f64::NAN), &none),
            "row 8: `track.displacement` is NaN",
        ),
        (refused(&stiffness, &changed(&|m| m.times[5] = m.times[4]), &none), "times must increase"),
        (refused(&stiffness, &late, &none), "the run from 0 s to 3 s"),
        (refused(&stiffness, &few, &none), "too few"),
        (refused(&stiffness, &good, &bounded), "does not lie between"),
        (refused(&stiffness, &good, &stray), "which is not fitted"),
        (
            refused(&stiffness, &good, &FitOptions { noise: vec![("x".into(), 1.0)], ..none.clone() }),
            "no channel of the fit",
        ),
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let names = ["track.stiffness".to_string()];
    let mut runs = 0;
    let stopped = fit((OSCILLATOR, "m.toml"), &NoSource, &names, &good, &none, &mut |progress| {
        runs = progress.runs;
        progress.runs < 5
    });
    assert!(stopped.expect_err("stopped").to_string().contains("stopped after"));
}
