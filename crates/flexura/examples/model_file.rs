//! A model file: load it, look at what it warns of, change a number, run it.
//!
//! One learns that files and code describe the same thing, that mistakes in a file are told with line and fix, and how a
//! number of the file is found and set by its path.
//!
//! `cargo run -p flexura --example model_file`

use flexura::file::{build_text, find_parameter, set_parameter};
use flexura::simulate::Simulation;
use std::error::Error;

const MODEL: &str = r#"
[model]
name = "swing"

[[body]]
name = "seat"
mass = 30.0
inertia = [1.0, 1.0, 1.0]
frame = [{ name = "hook", position = [0, 0, 2.0] }]

[[joint]]
name = "bar"
type = "revolute"
axis = [0, 1, 0]
between = ["ground.origin", "seat.hook"]
position = 0.3
damping = 2.0

[simulation]
end = 4.0
"#;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // `flexura::load("swing.toml")` does the same with a file; its name stands in messages.
    let loaded = build_text(MODEL, "swing.toml")?;
    loaded.warnings.iter().for_each(|warning| println!("{warning}"));
    let result = Simulation::of(&loaded.built).channels(["bar.*", "energy.*"]).run()?;
    println!("{} rows of {}", result.rows(), result.names().join(", "));
    let calm = result.last("bar.angle")?;
    println!("with the damping of the file: {calm:.6} rad after 4 s");

    // Any number of the file by its path, as `flexura run --set` takes it.
    let found = find_parameter(MODEL, "bar.damping")?;
    let text = set_parameter(MODEL, &found.path, "0.0")?;
    let free = build_text(&text, "swing.toml")?.built.simulate()?;
    println!("without: {:.6} rad", free.last("bar.angle")?);
    let total = free.channel("energy.total")?;
    assert!((total[total.len() - 1] - total[0]).abs() < 1e-4, "nothing takes energy any more");

    // A mistake is told with its place, the cause and what to do.
    match build_text(&MODEL.replace("seat.hook", "seat.hok"), "swing.toml") {
        Ok(_) => return Err("a frame that does not exist was accepted".into()),
        Err(errors) => println!("{errors}"),
    }
    Ok(())
}
