//! What the page does with a model, done by the machine itself: seconds from the text to the last row, the least of several runs.
//!
//! cargo run --release -p flexura-web --example beside_page -- models/pendulum.toml models/flexible_arm.toml

use flexura_web::{Host, run};
use serde_json::Value;
use std::time::Instant;

/// Runs of each model.
const RUNS: usize = 7;

/// Takes rows as they come, and keeps them.
#[derive(Default)]
struct Page {
    rows: Vec<f64>,
    ended: bool,
}

impl Host for Page {
    fn say(&mut self, words: &Value) {
        self.ended |= words.get("ended").is_some();
    }

    fn watch(&mut self, _: f64, _: f64, _: u64, rows: &[f64]) -> bool {
        self.rows.extend_from_slice(rows);
        true
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file)?;
        let (mut least, mut numbers) = (f64::INFINITY, 0);
        for _ in 0..RUNS {
            let (mut page, start) = (Page::default(), Instant::now());
            run(&text, &file, &mut page);
            least = least.min(start.elapsed().as_secs_f64());
            if !page.ended {
                return Err(format!("{file} did not reach its end").into());
            }
            numbers = page.rows.len();
        }
        println!("{file}: {least:.4} s, {numbers} numbers");
    }
    Ok(())
}
