//! Times of the Iltis with flexible parts: `cargo bench -p flexura-validate --bench vehicle [-- PART… FOLDER]`.
//!
//! Tables 4, 6 and 7 and figures 11 and 12 of Lugrís, Cuadrado, González & Luaces (2007): suspension (5 s) and vehicle
//! (8 s) with every combination of flexible A-arms, leaf-spring bars and steering rods, steps of 10 ms, both
//! formulations, one thread. Then histories, largest steps and
//! structural damping. PART is one of `tables`, `inertia`,
//! `histories`, `steps`; none is all. With FOLDER, the figures are written there. Nothing is decided by times.

mod claims;
mod figure;
mod timing;

use figure::Series;
use flexura::Model;
use flexura::formulation::global::InertiaRoute;
use flexura::model::description::Description;
use flexura::model::description::{BodyKind, InertiaLevel};
use flexura_validate::vehicle::{
    COMBINATIONS, SUSPENSION, SUSPENSION_FLEXIBLE, VEHICLE, VEHICLE_FLEXIBLE, built_with_parts, mixed,
};
use timing::{Taken, global, topological};

const STEP: f64 = 0.01;

/// Times (s) of the eight combinations, topological and global; NaN where a run did not reach its end.
type Times = [[f64; 2]; 8];

/// The description of a text of the vehicle folder, with its parts edited.
fn described(text: &str, edit: impl Fn(&str) -> String) -> Description {
    built_with_parts(text, "vehicle", edit).unwrap_or_else(|fault| panic!("{}", fault.0)).description
}

/// Builds a description that is known to be sound.
fn model(description: Description) -> Model {
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

fn print_row(name: &str, end: f64, [z, q]: [Option<&Taken>; 2]) {
    let part = |taken: Option<&Taken>| match taken {
        Some(taken) if taken.whole => format!(
            "{:>4} | {:>6.1} | {:>6.1} | {:>5.0} | {:>5.2} | {:>4} | {:>4.0}%",
            taken.coordinates,
            1e3 * taken.seconds,
            1e6 * taken.seconds / taken.steps as f64,
            end / taken.seconds,
            taken.newton,
            taken.most,
            1e2 * taken.inertia
        ),
        Some(taken) => {
            format!("{:>4} | fails at {:.2} s | | | | |", taken.coordinates, taken.steps as f64 * STEP)
        }
        None => " | does not start | | | | |".to_string(),
    };
    println!("| {name:>7} | {} | {} |", part(z), part(q));
}

fn print_head() {
    let part = "coordinates | ms | µs per step | × real time | Newton per step | most | inertia";
    println!("| flexible | topological: {part} | global: {part} |");
    println!("|{}", "---|".repeat(15));
}

/// One table: all combinations of a pair of models.
fn combinations(texts: [&str; 2], end: f64, rounds: usize) -> Times {
    let [rigid, flexible] = texts.map(|text| described(text, str::to_string));
    print_head();
    COMBINATIONS.map(|(name, choice)| {
        let model = model(mixed(&rigid, &flexible, choice));
        let tree = topological(&model, STEP, end, rounds);
        let natural = global(&model, InertiaRoute::ByLevel, STEP, end, rounds);
        print_row(name, end, [tree.as_ref(), natural.as_ref()]);
        let seconds = |taken: &Option<Taken>| match taken {
            Some(taken) if taken.whole => taken.seconds,
            _ => f64::NAN,
        };
        [seconds(&tree), seconds(&natural)]
    })
}

/// The flexible vehicle with bars and rods of eleven mass nodes and A-arms with those of their elements, inertia at
/// `level`.
fn with_nodes(level: InertiaLevel) -> Model {
    let nodes = "[reduction]\nmass_nodes = true\nstiffening = false";
    let mut description = described(VEHICLE_FLEXIBLE, |part| part.replace("[reduction]", nodes));
    for body in &mut description.bodies {
        match &mut body.kind {
            BodyKind::Beam(beam) => beam.mass_stations = Some(11),
            BodyKind::Modal(_) => {}
            _ => continue,
        }
        body.level = Some(level);
    }
    model(description)
}

/// Both inertia routes in both formulations: the paper spent 82 % (topological) and 72 % (global) of its time there.
fn inertia_routes(rounds: usize) {
    println!("\nAll flexible, inertia from constants summed once or from BᵀMB in every evaluation");
    let [constants, nodes] = [InertiaLevel::Consistent, InertiaLevel::Full].map(with_nodes);
    print_head();
    for (name, model, route) in
        [("constants", &constants, InertiaRoute::Invariants), ("BᵀMB", &nodes, InertiaRoute::Nodal)]
    {
        let tree = topological(model, STEP, 8.0, rounds);
        let natural = global(model, route, STEP, 8.0, rounds);
        print_row(name, 8.0, [tree.as_ref(), natural.as_ref()]);
    }
}

/// Mean times over the combinations with 0 to 3 kinds of flexible parts.
fn means(times: &Times, formulation: usize) -> Vec<f64> {
    let kinds = |choice: &[bool; 3]| choice.iter().filter(|flexible| **flexible).count();
    let mean = |count: usize| {
        let of: Vec<f64> = COMBINATIONS
            .iter()
            .zip(times)
            .filter(|((_, choice), _)| kinds(choice) == count)
            .map(|(_, times)| times[formulation])
            .collect();
        of.iter().sum::<f64>() / of.len() as f64
    };
    (0..4).map(mean).collect()
}

fn print_means(title: &str, bodies: usize, times: &Times) {
    println!("\n{title}");
    println!("| flexible bodies | 0 | {bodies} | {} | {} |\n|---|---|---|---|---|", 2 * bodies, 3 * bodies);
    for (name, formulation) in [("topological", 0), ("global", 1)] {
        let cells: Vec<String> =
            means(times, formulation).iter().map(|s| format!("{:.1}", 1e3 * s)).collect();
        println!("| {name} (ms) | {} |", cells.join(" | "));
    }
}

/// Tables 4 and 6; returns figure 12.
fn tables(rounds: usize) -> String {
    println!(
        "Suspension, 5 s in steps of 10 ms, one thread (Table 4: 8.19 to 38.57 s and 1.95 to 19.43 s in MATLAB)"
    );
    let suspension = combinations([SUSPENSION, SUSPENSION_FLEXIBLE], 5.0, 2 * rounds);
    println!(
        "\nVehicle, 8 s in steps of 10 ms, one thread (Table 6: 0.14 to 1.44 s and 1.05 to 5.25 s in FORTRAN, 2007)"
    );
    let vehicle = combinations([VEHICLE, VEHICLE_FLEXIBLE], 8.0, rounds);
    print_means("Suspension, mean times (Table 4)", 1, &suspension);
    print_means("Vehicle, mean times (figure 12)", 4, &vehicle);
    times_figure(&vehicle)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let parts = ["tables", "inertia", "histories", "steps"];
    let all = !words.iter().any(|word| parts.contains(&word.as_str()));
    let wanted = |part: &str| all || words.iter().any(|word| word == part);
    let folder = words.iter().find(|word| !parts.contains(&word.as_str()));
    let save = |name: &str, drawing: String| {
        if let Some(folder) = folder {
            let path = std::path::Path::new(folder).join(name);
            std::fs::write(&path, drawing)
                .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        }
    };
    let rounds = 3;
    if wanted("tables") {
        save("vehicle_times.svg", tables(rounds));
    }
    if wanted("inertia") {
        inertia_routes(rounds);
    }
    if wanted("histories") {
        save("vehicle_heights.svg", claims::histories());
    }
    if wanted("steps") {
        claims::largest_steps();
    }
}

/// Figure 12.
fn times_figure(times: &Times) -> String {
    let series = |name, formulation| Series {
        name,
        dashed: false,
        points: means(times, formulation)
            .iter()
            .enumerate()
            .map(|(k, s)| (4.0 * k as f64, 1e3 * s))
            .collect(),
    };
    figure::draw(
        "Iltis, 8 s in steps of 10 ms: time against flexible bodies",
        ["flexible bodies", "time (ms)"],
        &[series("global", 1), series("topological", 0)],
    )
}
