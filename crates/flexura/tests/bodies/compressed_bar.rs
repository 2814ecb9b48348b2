//! The bar of Mukherjee & Anderson's first example, released from uniform compression: runs by divide and
//! conquer, selected in the model file, against the exact wave and against articulated bodies.

use flexura::file::load_model;
use flexura::model::description::AlgorithmDescription;
use flexura::record::Recording;
use flexura::{State, Workspace, evaluate};
use nalgebra::DMatrix;

/// End of the bar minus its length at rest (m), exact: strain -0.01 travels out and back in 8 s.
fn exact(time: f64) -> f64 {
    if time <= 8.0 { -0.04 + 0.01 * time } else { 0.04 - 0.01 * (time - 8.0) }
}

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/compressed_bar.toml");

fn tip(algorithm: AlgorithmDescription) -> Recording {
    let mut built = load_model(PATH).expect("sound").built;
    assert_eq!(
        built.description.simulation.algorithm,
        AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements: 0 },
        "the file chooses it, one piece per leaf"
    );
    built.description.simulation.algorithm = algorithm;
    built.simulate().expect("runs")
}

fn column(recording: &Recording, name: &str) -> Vec<f64> {
    recording.channel(name).expect("recorded").to_vec()
}

/// The largest error of the paper's model is 3.16e-3 and its start -0.037984; threads change no bit, and
/// articulated bodies give the same motion.
#[test]
fn released_from_uniform_compression() {
    let recording = tip(AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements: 0 });
    let (time, end) = (column(&recording, "time"), column(&recording, "piece4.tip.position.x"));
    let error = time.iter().zip(&end).map(|(&t, x)| x - 4.0 - exact(t));
    let largest = error.clone().fold(0.0, |m: f64, e| m.max(e.abs()));
    println!("tip at the start {:.6}, largest error {largest:.3e}", end[0] - 4.0);
    assert!((end[0] - 4.0 + 0.037984).abs() < 1e-6);
    assert!((largest / 3.16e-3 - 1.0).abs() < 0.02);
    assert!(time.len() > 1000 && *time.last().expect("rows") == 10.0);
    let two = column(
        &tip(AlgorithmDescription::DivideAndConquer { threads: 2, leaf: 1, refinements: 0 }),
        "piece4.tip.position.x",
    );
    assert!(end.iter().zip(&two).all(|(a, b)| a.to_bits() == b.to_bits()));
    let other = column(&tip(AlgorithmDescription::ArticulatedBody), "piece4.tip.position.x");
    let apart = end.iter().zip(&other).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    println!("articulated bodies differ by {apart:.1e}");
    assert!(apart < 1e-9, "{apart:e}");
    assert!(apart > 0.0, "with one piece per leaf the two algorithms round differently");
    if let Ok(path) = std::env::var("FLEXURA_BAR_CSV") {
        let rows = time.iter().zip(&end).map(|(&t, x)| format!("{t},{},{}\n", x - 4.0, exact(t)));
        std::fs::write(path, rows.collect::<String>()).expect("written");
    }
}

/// Frequencies of the four pieces with four modes each: M⁻¹K column by column from the accelerations of divide
/// and conquer, against those of the paper's model computed independently (to the digits given).
#[test]
fn frequencies_of_the_bar() {
    let model = load_model(PATH).expect("sound").built.model;
    let mut work = Workspace::<f64>::new(&model);
    let choice = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements: 0 };
    work.choose(&model, choice).expect("threads");
    // The bar is straight and does not turn: equations are linear, and any amplitude will do.
    let rest = State::initial(&model, 0.0);
    let count = model.speed_count();
    let mut matrix = DMatrix::<f64>::zeros(count, count);
    for column in 0..count {
        let mut state = rest.clone();
        state.q.fill(0.0);
        state.v.fill(0.0);
        state.q[column] = 1e-3;
        evaluate(&model, &state, &mut work).expect("regular");
        for (row, x) in work.accelerations.chidot.iter().enumerate() {
            matrix[(row, column)] = -x / 1e-3;
        }
    }
    let mut found: Vec<f64> = matrix.complex_eigenvalues().iter().map(|x| x.re.sqrt()).collect();
    found.sort_by(f64::total_cmp);
    println!("frequencies {:.6} {:.6} {:.6} rad/s of {count} modes", found[0], found[1], found[2]);
    for (found, expected) in found.iter().zip([0.400352, 1.200571, 2.000453]) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }
}
