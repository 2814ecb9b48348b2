//! `flexura gradient`: a harmonic motion by hand, records, inputs, mistakes.

use crate::common::{Folder, block_on_spring};

const TAIL: &str =
    "[simulation]\nend = 2\noutput_interval = 0.5\nrelative_tolerance = 1e-11\nabsolute_tolerance = 1e-13\n";

fn json(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    let text = folder.succeed(&[&["gradient", "block.toml"], arguments, &["--json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

/// x = x₀ cos ωt with ω = 3, k = 9, m = 1, x₀ = 0.1.
#[test]
fn gradient_of_a_harmonic_motion() {
    let folder = Folder::new();
    folder.write("block.toml", &block_on_spring("9.0", TAIL));
    let end = ["--objective", "2*end:rail.displacement"];
    let found =
        json(&folder, &[&end[..], &["-p", "rail.stiffness,block.mass", "--inputs", "rail.effort"]].concat());
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let (sine, cosine) = 6.0_f64.sin_cos();
    assert!((number(&found["objective"]) - 0.2 * cosine).abs() < 1e-9, "{found}");
    // d/dk = −x₀ sin(ωt) t ω/2k, d/dm the same with −ω/2m; twice the end.
    let slope = -0.2 * sine * 2.0;
    assert!((number(&found["parameters"]["rail.stiffness"]) - slope * 3.0 / 18.0).abs() < 1e-9, "{found}");
    assert!((number(&found["parameters"]["block.mass"]) + slope * 1.5).abs() < 1e-9, "{found}");
    assert!((number(&found["position"][0]) - 2.0 * cosine).abs() < 1e-9, "{found}");
    assert!((number(&found["speed"][0]) - 2.0 * sine / 3.0).abs() < 1e-9, "{found}");
    // A force that is held moves the rest: ∫ sin(ω(t − τ))/(mω) dτ over its interval.
    for (i, slope) in found["input_derivatives"].as_array().expect("inputs").iter().enumerate() {
        let at = |tau: f64| (3.0 * (2.0 - tau)).cos() / 9.0;
        let exact = 2.0 * (at(0.5 * (i as f64 + 1.0)) - at(0.5 * i as f64));
        assert!((number(slope) - exact).abs() < 1e-8, "{i}: {slope} {exact}");
    }
    let words = folder.succeed(&[&["gradient", "block.toml", "--all", "--initial"], &end[..]].concat());
    assert!(words.contains("joint.rail.stiffness") && words.contains("rail.displacement"), "{words}");
}

#[test]
fn records_and_mistakes() {
    let folder = Folder::new();
    folder.write("block.toml", &block_on_spring("9.0", TAIL));
    folder.write("seen.csv", "time [s],rail.displacement [m]\n0.0,0.1\n0.4,0.03\n1.0,-0.09\n");
    let found = json(&folder, &["--record", "seen.csv", "-p", "rail.stiffness"]);
    let at = |k: f64| {
        let misfit = |t: f64, d: f64| (0.1 * (k.sqrt() * t).cos() - d).powi(2);
        let seen = [0.1, 0.03, -0.09];
        let mean = seen.iter().sum::<f64>() / 3.0;
        let spread = seen.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / 3.0;
        (misfit(0.0, 0.1) + misfit(0.4, 0.03) + misfit(1.0, -0.09)) / 3.0 / spread
    };
    let difference = (at(9.001) - at(8.999)) / 2e-3;
    let slope = found["parameters"]["rail.stiffness"].as_f64().expect("a number");
    assert!((slope / difference - 1.0).abs() < 1e-5, "{slope} {difference}");
    let fail =
        |code, arguments: &[&str]| folder.fail(code, &[&["gradient", "block.toml"], arguments].concat());
    assert!(fail(2, &["-p", "block.mass"]).contains("--objective"));
    assert!(fail(2, &["--objective", "end:rail.displacement"]).contains("--parameters"));
    assert!(
        fail(2, &["--objective", "end:rail.displacment", "--initial"])
            .contains("did you mean `rail.displacement`")
    );
    assert!(fail(2, &["--objective", "ende:rail.displacement", "--initial"]).contains("write TERM:CHANNEL"));
    assert!(
        fail(2, &["--objective", "end:rail.displacement", "--method", "euler", "--initial"])
            .contains("rk4:STEP")
    );
    folder.write("seen.csv", "time [s],rail.displacement [m]\n0.0,0.1\n0.4,nan\n");
    assert!(
        fail(5, &["--record", "seen.csv", "-p", "block.mass"])
            .contains("value 2 of column `rail.displacement`")
    );
}
