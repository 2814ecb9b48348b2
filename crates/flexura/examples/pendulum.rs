//! Loads a model file, simulates it and reads a channel:
//! `cargo run -p flexura --example pendulum models/pendulum.toml`

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "models/pendulum.toml".into());
    let system = flexura::load(path)?.built;
    let result = system.simulate()?;
    for (time, angle) in result.time().iter().zip(result.channel("hinge.angle")?).step_by(50) {
        println!("{time:6.2} s  {angle:9.6} rad");
    }
    Ok(())
}
