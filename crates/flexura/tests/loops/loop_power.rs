//! Power of what acts in a joint is recorded wherever the joint stands: in the tree or closing a loop.

use flexura::file::build_text;

/// A parallelogram whose joints have springs, dampers and efforts; `cut` closes its loop, `drive` moves the crank.
fn powers(cut: &str, drive: &str, channel: &str) -> Vec<f64> {
    let text = format!(
        r#"
[graph]
cut = "{cut}"
[ground]
frame = [{{ name = "far", position = [1, 0, 0] }}]
[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
frame = [{{ name = "end", position = [0.6, 0, 0] }}]
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.1, 0.1]
frame = [{{ name = "end", position = [1, 0, 0] }}]
[[body]]
name = "rocker"
mass = 1
inertia = [0.1, 0.1, 0.1]
frame = [{{ name = "end", position = [0.6, 0, 0] }}]
[[joint]]
name = "a"
type = "revolute"
axis = [0, 0, 1]
between = ["ground.origin", "crank.origin"]
position = 1.2
{drive}
[[joint]]
name = "b"
type = "revolute"
axis = [0, 0, 1]
between = ["crank.end", "rod.origin"]
position = -1.2
stiffness = 3
damping = 0.5
[[joint]]
name = "c"
type = "revolute"
axis = [0, 0, 1]
between = ["rod.end", "rocker.end"]
position = 1.2
stiffness = 2
damping = 0.7
effort = {{ harmonic = {{ amplitude = 2, frequency = 1 }} }}
[[joint]]
name = "d"
type = "revolute"
axis = [0, 0, 1]
between = ["ground.far", "rocker.origin"]
position = 1.2
[simulation]
end = 0.5
output_interval = 0.02
relative_tolerance = 1e-10
absolute_tolerance = 1e-12
[output]
channels = ["{channel}"]
"#
    );
    let built = build_text(&text, "bars.toml").unwrap_or_else(|errors| panic!("{errors}")).built;
    built.simulate().expect("runs").channel(channel).expect("a channel")
}

fn agree(one: &[f64], other: &[f64]) {
    let size = one.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let apart = one.iter().zip(other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(one.len() == other.len() && size > 0.1 && apart < 1e-6 * size, "{apart} of {size} W");
}

#[test]
fn power_of_a_joint_does_not_depend_on_where_the_loop_is_cut() {
    for channel in ["b.power", "c.power"] {
        let [in_the_tree, closing] = ["d", &channel[..1]].map(|cut| powers(cut, "speed = 2", channel));
        agree(&in_the_tree, &closing);
    }
    let drive = "motion = { harmonic = { amplitude = 0.4, frequency = 0.5, offset = 1.2 } }";
    let [in_the_tree, closing] = ["d", "a"].map(|cut| powers(cut, drive, "a.driving_power"));
    agree(&in_the_tree, &closing);
}
