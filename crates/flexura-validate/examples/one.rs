//! Runs the cases named on the command line and prints their quantities, without the rest of the program.

use flexura_validate::{News, Options, find, run_case};

fn main() {
    for id in std::env::args().skip(1) {
        let Some(case) = find(&id) else { continue };
        let outcome = run_case(case, &Options::default(), &|news| {
            if let News::Stage(_, words) = news {
                eprintln!("  {words}");
            }
        });
        for quantity in &outcome.quantities {
            println!("{}", quantity.json(case.id));
        }
        for timing in &outcome.timings {
            println!("{:8.3} s {:7} steps  {}", timing.seconds, timing.steps, timing.route);
        }
    }
}
