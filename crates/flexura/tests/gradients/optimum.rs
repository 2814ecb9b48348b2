//! Optima by gradients: an absorber whose best numbers are known, a move whose best effort is known, bounds, mistakes.

use crate::models::PENDULUM;
use crate::shipped;
use flexura::analysis::{
    GradientSetup, KeptRun, Objective, OptimumError, OptimumOptions, Parameter, Term, optimum,
};
use flexura::file::{NoSource, build_text, set_parameter};

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_string()).collect()
}

/// Warburton's absorber: the mean square of a block that was struck is smallest for numbers known in closed form.
#[test]
fn a_tuned_absorber_is_that_of_the_book() {
    let text = shipped("tuned_absorber");
    let objective = Objective::of_channel("rail.displacement", Term::MeanSquare);
    let options =
        OptimumOptions { parameters: names(&["slide.stiffness", "slide.damping"]), ..Default::default() };
    let mut last = f64::INFINITY;
    let mut watch = |at: &flexura::analysis::OptimumProgress| {
        assert!(at.value <= last, "{} after {last}", at.value);
        last = at.value;
        true
    };
    let found =
        optimum((&text, "absorber.toml"), &NoSource, &objective, &options, &mut watch).expect("optimum");
    let m = 0.05_f64;
    let ratio = (1.0 + 0.5 * m).sqrt() / (1.0 + m);
    let stiffness = m * 39.4784176 * ratio * ratio;
    let damping = (m * (1.0 + 0.75 * m) / (4.0 * (1.0 + m) * (1.0 + 0.5 * m))).sqrt();
    let wanted = [stiffness, 2.0 * damping * (m * stiffness).sqrt()];
    println!("{:?}, {} runs", found.parameters, found.runs);
    assert!(found.converged && found.value < 0.5 * found.before);
    for (one, wanted) in found.parameters.iter().zip(wanted) {
        // The run ends after thirty seconds, and rows are 20 ms apart: 1e-6 and 1.4e-5 were seen.
        assert!((one.value / wanted - 1.0).abs() < 5e-5 && !one.at_bound, "{one:?} {wanted}");
        let written = flexura::file::find_parameter(&found.text, &one.name).expect("path").value;
        assert_eq!(written, one.value);
    }
    // With a bound below the best damping, that is where it ends; the best spring is then another one, if only by 1.2e-4.
    let low = OptimumOptions { bounds: vec![("slide.damping".into(), 0.01, 0.03)], ..options };
    let found =
        optimum((&text, "absorber.toml"), &NoSource, &objective, &low, &mut |_| true).expect("optimum");
    let [spring, damper] = &found.parameters[..] else { panic!("two unknowns") };
    assert!(damper.value == 0.03 && damper.at_bound && damper.derivative < 0.0, "{damper:?}");
    let built = build_text(&found.text, "absorber.toml").expect("model").built;
    let list = [Parameter::of_file(&found.text, "absorber.toml", "slide.damping").expect("path")];
    let setup = GradientSetup { channels: names(&["rail.displacement"]), ..Default::default() };
    let mut run = KeptRun::new(&built, &list, &setup).expect("run");
    let (value, slope) = run.gradient(&objective).expect("gradient");
    assert_eq!((value, slope.parameters[0]), (found.value, damper.derivative));
    assert!(!spring.at_bound && spring.value / stiffness > 1.0 + 1e-4, "{spring:?}");
}

/// As far as can be in a second, against the mean square of the acceleration: a mass under a held effort F_k of each of n intervals goes
/// h² Σ (n − k − ½) F_k/m, so that the best effort falls along a line; with a bound it is cut off there.
#[test]
fn the_best_effort_of_a_push_is_a_line() {
    let text = r#"
[[body]]
name = "block"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground.origin", "block.origin"]
axis = [1, 0, 0]
[simulation]
method = "trapezoidal"
step = 0.01
end = 1.0
output_interval = 0.05
"#;
    let terms = vec![
        (-4.0, "rail.displacement".into(), Term::End),
        (1.0, "rail.speed_acceleration".into(), Term::MeanSquare),
    ];
    let objective = Objective { terms };
    let options = OptimumOptions { inputs: names(&["rail.effort"]), tolerance: 1e-9, ..Default::default() };
    let search = |options: &OptimumOptions| {
        optimum((text, "block.toml"), &NoSource, &objective, options, &mut |_| true).expect("optimum")
    };
    let found = search(&options);
    let (n, h, m) = (20, 0.05, 2.0);
    // A row sees the acceleration of the interval it ends; the first one that of the interval it begins. Weights are those of the trapezoidal rule.
    let weight = |k: usize| {
        h * if k == 0 {
            1.5
        } else if k == n - 1 {
            0.5
        } else {
            1.0
        }
    };
    let best = |k: usize| 4.0 * h * h * (n as f64 - k as f64 - 0.5) * m / (2.0 * weight(k));
    for (k, value) in found.inputs.iter().enumerate() {
        assert!((value - best(k)).abs() < 1e-5 * best(0), "{k}: {value} {}", best(k));
    }
    let bounds = vec![("rail.effort".to_string(), -1.0, 2.0)];
    let cut = search(&OptimumOptions { bounds, ..options });
    for (k, value) in cut.inputs.iter().enumerate() {
        assert!((value - best(k).min(2.0)).abs() < 1e-5, "{k}: {value} {}", best(k));
    }
    assert_eq!(cut.inputs_at_bounds, (0..n).filter(|&k| best(k) > 2.0).count());
    assert!(cut.inputs_at_bounds > 3 && cut.times[1] == 0.05 && cut.times.len() == n);
}

#[test]
fn mistakes_are_named() {
    let objective = Objective::of_channel("elbow.angle", Term::End);
    let refusal = |options: OptimumOptions, objective: &Objective| {
        let found = optimum((PENDULUM, "model.toml"), &NoSource, objective, &options, &mut |_| true);
        found.err().map_or_else(|| "no refusal".into(), |error| error.to_string())
    };
    let of = |list: &[&str], bounds: &[(&str, f64, f64)]| OptimumOptions {
        parameters: names(list),
        bounds: bounds.iter().map(|&(name, low, high)| (name.to_string(), low, high)).collect(),
        end: Some(0.5),
        ..Default::default()
    };
    let expect = |text: String, words: &str| assert!(text.contains(words), "`{words}` not in: {text}");
    expect(refusal(of(&[], &[]), &objective), "give parameters or inputs");
    expect(refusal(of(&["lower.mas"], &[]), &objective), "lower.mas");
    expect(refusal(of(&["lower.mass", "lower.mass"], &[]), &objective), "once more");
    expect(refusal(of(&["lower.mass"], &[("upper.mass", 0.0, 1.0)]), &objective), "bounds of `upper.mass`");
    expect(refusal(of(&["lower.mass"], &[("lower.mass", 0.8, 1.0)]), &objective), "does not lie between");
    expect(
        refusal(of(&["lower.mass"], &[]), &Objective::of_channel("elbow.angel", Term::End)),
        "did you mean",
    );
    let idle = set_parameter(PENDULUM, "simulation.end", "0.5").expect("set");
    let found = optimum(
        (&idle, "model.toml"),
        &NoSource,
        &objective,
        &of(&["simulation.output_interval"], &[]),
        &mut |_| true,
    );
    expect(found.err().map_or_else(String::new, |error| error.to_string()), "no influence");
    let inputs = OptimumOptions { inputs: names(&["elbow.efort"]), ..Default::default() };
    expect(refusal(inputs, &objective), "no input");
    let stopped = optimum(
        (PENDULUM, "model.toml"),
        &NoSource,
        &objective,
        &of(&["lower.mass"], &[("lower.mass", 0.5, 1.0)]),
        &mut |_| false,
    );
    assert!(matches!(stopped, Err(OptimumError::Cancelled(1))), "{stopped:?}");
}
