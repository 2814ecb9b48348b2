//! Time and memory of models from a few lines: `cargo run --release --example large_model -- 1000000`.
//!
//! A chain of rigid bodies written with `repeat`: read and checked, built, and its accelerations evaluated once. With `plain`
//! after the number the same chain is written out, body by body.

use flexura::{State, Workspace, evaluate, file};
use std::fmt::Write;
use std::time::Instant;

const CHAIN: &str = r#"
[let]
n = 1000
l = 0.1
m = 0.2

[[body]]
name = "link{i}"
repeat = "= n"
mass = "= m"
inertia = [1e-5, "= m*l^2/12", "= m*l^2/12"]
center_of_mass = ["= l/2", 0, 0]
frame = [{ name = "tip", position = ["= l", 0, 0] }]

[[joint]]
name = "hinge{i}"
repeat = "= n"
type = "revolute"
between = ["{if(i == 1, 'ground.origin', 'link' & (i - 1) & '.tip')}", "link{i}.origin"]
axis = [0, "= mod(i, 2)", "= mod(i + 1, 2)"]
"#;

/// The same chain, body by body.
fn written_out(count: usize) -> String {
    let (l, m): (f64, f64) = (0.1, 0.2);
    let side = m * l.powf(2.0) / 12.0;
    let mut text = String::new();
    for i in 1..=count {
        let before = if i == 1 { "ground.origin".to_owned() } else { format!("link{}.tip", i - 1) };
        let _ = writeln!(
            text,
            "[[body]]\nname = \"link{i}\"\nmass = {m:?}\ninertia = [1e-5, {side:?}, {side:?}]\n\
             center_of_mass = [{:?}, 0, 0]\n[[body.frame]]\nname = \"tip\"\nposition = [{l:?}, 0, 0]\n\
             [[joint]]\nname = \"hinge{i}\"\ntype = \"revolute\"\nbetween = [\"{before}\", \"link{i}.origin\"]\n\
             axis = [0, {}, {}]\n",
            l / 2.0,
            i % 2,
            (i + 1) % 2
        );
    }
    text
}

/// Largest memory of the process so far (MB), where the system says so.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok())
        .map_or(0, |kilobytes| kilobytes / 1024)
}

/// Reads, builds and evaluates once; prints what that took and returns the accelerations.
fn measured(text: &str) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let checked = file::check(text, "chain.toml")?;
    println!("check  {:8.2} s  {:6} MB", start.elapsed().as_secs_f64(), peak());
    let start = Instant::now();
    let built = flexura::build::build(checked.description)?;
    println!("build  {:8.2} s  {:6} MB", start.elapsed().as_secs_f64(), peak());
    let start = Instant::now();
    let state = State::initial(&built.model, 0.0);
    let mut workspace = Workspace::new(&built.model);
    evaluate(&built.model, &state, &mut workspace)?;
    println!("accelerations {:.2} s  {:6} MB", start.elapsed().as_secs_f64(), peak());
    Ok(workspace.accelerations.chidot)
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).and_then(|word| word.parse::<usize>().ok()).unwrap_or(1000);
    let plain = std::env::args().nth(2).is_some_and(|word| word == "plain");
    let text = if plain { written_out(count) } else { file::set_parameter(CHAIN, "n", &count.to_string())? };
    println!("{} bytes, {count} bodies", text.len());
    let found = measured(&text)?;
    if !plain && count <= 10_000 {
        assert_eq!(found, measured(&written_out(count))?, "both texts are one model");
    }
    Ok(())
}
