//! Rows of energy-preserving runs between the ends of their steps: as good as those at the ends.

use flexura::file::build_text;

/// A mass on a spring of 10 rad/s, started at rest, with steps of 0.1 s (ω h = 1) and rows ten times as often.
fn oscillator(interval: f64, more: &str) -> String {
    format!(
        r#"
[model]
gravity = [0, 0, 0]
[[body]]
name = "block"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "rail"
type = "prismatic"
axis = [1, 0, 0]
between = ["ground.origin", "block.origin"]
stiffness = 200
position = 0.3
[simulation]
end = 5
method = "energy-preserving"
step = 0.1
output_interval = {interval}
{more}
[output]
channels = ["rail.*", "energy.*"]
"#
    )
}

#[test]
fn energy_holds_between_steps() {
    let loaded = build_text(&oscillator(0.01, ""), "row.toml").unwrap_or_else(|error| panic!("{error}"));
    let rows = loaded.built.simulate().expect("a run");
    let total = rows.channel("energy.total").expect("energies");
    let whole = 0.5 * 200.0 * 0.3 * 0.3;
    let at_ends = total.iter().step_by(10).fold(0.0_f64, |most, e| most.max((e / whole - 1.0).abs()));
    let between = total.iter().fold(0.0_f64, |most, e| most.max((e / whole - 1.0).abs()));
    assert!(at_ends < 1e-12, "the method keeps its energy: {at_ends:e}");
    // Hermite from both ends is off by (ωh)⁴/384 in the amplitude, 1/8 without accelerations; six times that is allowed.
    assert!(between < 0.016, "between the ends {between:e}");
}

#[test]
fn unresolved_vibrations_do_not_overshoot() {
    // ω h = 10: speeds at the ends alternate, and accelerations say nothing about the middle.
    let text = oscillator(0.01, "").replace("stiffness = 200", "stiffness = 20000");
    let loaded = build_text(&text, "row.toml").unwrap_or_else(|error| panic!("{error}"));
    let rows = loaded.built.simulate().expect("a run");
    let v = rows.channel("rail.speed").expect("speeds");
    let ends = v.iter().step_by(10).fold(0.0_f64, |most, v| most.max(v.abs()));
    let all = v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    assert!(all <= 1.001 * ends, "{all} between ends of at most {ends}");
}
