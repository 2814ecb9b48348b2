//! A result file: run a model into it, read it back, make the page that shows it.
//!
//! One learns how rows reach a file while the run goes on, how channels are read from it by name, and how a run becomes one
//! HTML page with everything inside.
//!
//! `cargo run -p flexura-output --example result_file`

use flexura::file::build_text;
use flexura::simulate::{Progress, Simulation};
use flexura_output::{ResultSink, Scene, saved_page};
use flexura_results::ResultFile;
use std::error::Error;

const MODEL: &str = r#"
[model]
name = "flag pole"
gravity = [0, 0, 0]

[[body]]
name = "pole"
[body.beam]
length = 3.0
density = 2700
young = 70e9
poisson = 0.33
section = { circle = 0.03 }
boundary = "clamped-free"
bending_y = 2
[[body.frame]]
name = "tip"
station = "tip"

[[joint]]
name = "foot"
type = "weld"
between = ["ground.origin", "pole.origin"]

[[force]]
name = "gust"
at = "pole.tip"
force = [0, 30, 0]

[simulation]
end = 0.5
"#;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let loaded = build_text(MODEL, "pole.toml")?;
    let path = std::env::temp_dir().join(format!("flexura-pole-{}.fxr", std::process::id()));
    let mut prepared = Simulation::of(&loaded.built).picture(true).prepare()?;
    let mut sink = ResultSink::create(&path, &loaded, prepared.channels(), true)?;
    // Whoever watches may stop the run by returning false; rows so far stay readable.
    let mut watch = |progress: &Progress| progress.fraction <= 1.0;
    let outcome = prepared.run(&mut sink, &mut watch, &mut ())?;
    let rows = sink.finish_with(&outcome)?;
    println!("{rows} rows, {} steps, in {}", outcome.statistics.accepted, path.display());

    let file = ResultFile::open(&path)?;
    let bent = file.channel("pole.tip.position.y")?;
    let largest = bent.iter().copied().fold(0.0, f64::max);
    println!("the gust bends the tip by up to {:.1} mm", 1e3 * largest);
    assert!(file.complete() && file.rows() as u64 == outcome.rows);

    let page = saved_page(&mut Scene::new(file)?, 10_000_000)?;
    println!("a page of {:.1} MB shows it", page.len() as f64 / 1e6);
    std::fs::remove_file(&path)?;
    Ok(())
}
