//! `flexura matrices` in all formats, and `flexura accel` by divide and conquer as another opinion.

use crate::common::{Folder, example, has};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value.as_array() {
        Some(list) => list.iter().flat_map(numbers).collect(),
        None => vec![value.as_f64().expect("a number")],
    }
}

/// Shape and numbers of a NumPy file.
fn npy(bytes: &[u8]) -> (String, Vec<f64>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length]).expect("a header");
    assert!((10 + length) % 64 == 0 && header.ends_with('\n'), "{header:?}");
    assert!(header.starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': ("), "{header}");
    let shape = header.split("'shape': ").nth(1).and_then(|rest| rest.split(", }").next()).expect("a shape");
    let (chunks, rest) = bytes[10 + length..].as_chunks::<8>();
    assert!(rest.is_empty());
    (shape.to_string(), chunks.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect())
}

/// Six models: every format holds the same numbers, bit by bit, under the names of the speeds.
#[test]
fn formats_hold_the_same_numbers() {
    let folder = Folder::new();
    for model in
        ["pendulum", "robot_arm", "flexible_arm", "satellite", "spinning_top", "double_four_bar_flexible"]
    {
        let path = example(model);
        let printed = json(&folder.succeed(&["matrices", &path, "--json"]));
        for format in ["npy", "mtx", "csv"] {
            folder.succeed(&["matrices", &path, "--output", model, "--format", format]);
        }
        let names =
            json(&std::fs::read_to_string(folder.file(&format!("{model}/names.json"))).expect("names"));
        assert_eq!(names["speeds"], printed["speeds"]);
        assert_eq!(names["log_determinant"], printed["log_determinant"]);
        let speeds: Vec<&str> =
            names["speeds"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
        let n = speeds.len();
        for (name, vector) in [("M", false), ("M_inverse", false), ("bias", true), ("applied", true)] {
            let bytes = std::fs::read(folder.file(&format!("{model}/{name}.npy"))).expect("an array");
            let (shape, expected) = npy(&bytes);
            assert_eq!(shape, if vector { format!("({n},)") } else { format!("({n}, {n})") });
            // The reader of JSON used here may be one bit off.
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 4e-16 * b.abs();
            assert!(numbers(&printed[name]).iter().zip(&expected).all(close), "{model} {name}");
            let text = std::fs::read_to_string(folder.file(&format!("{model}/{name}.mtx"))).expect("text");
            let columns = if vector { 1 } else { n };
            let mut lines = text.lines().skip(1);
            assert_eq!(lines.next(), Some(format!("{n} {columns}").as_str()));
            let entries: Vec<f64> = lines.map(|line| line.parse().expect("a number")).collect();
            for (at, entry) in entries.iter().enumerate() {
                assert_eq!(*entry, expected[(at % n) * columns + at / n], "{model} {name} {at}");
            }
            let text = std::fs::read_to_string(folder.file(&format!("{model}/{name}.csv"))).expect("text");
            let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
            assert_eq!(rows[0][1..], if vector { vec![name] } else { speeds.clone() }[..]);
            let cells =
                rows[1..].iter().flat_map(|row| &row[1..]).map(|cell| cell.parse::<f64>().expect("a number"));
            assert_eq!(cells.collect::<Vec<_>>(), expected);
            assert_eq!(rows[1..].iter().map(|row| row[0]).collect::<Vec<_>>(), speeds);
        }
        let loops = printed["constraints"].as_array().expect("rows").len();
        assert_eq!(loops > 0, model == "double_four_bar_flexible");
        assert_eq!(folder.file(&format!("{model}/J.npy")).exists(), loops > 0);
    }
}

/// M⁻¹ (applied − bias) is what `flexura accel` finds, where nothing is prescribed.
#[test]
fn matrices_give_the_accelerations_of_accel() {
    let folder = Folder::new();
    let (path, speed) = (example("spinning_top"), 3);
    let found = json(&folder.succeed(&["matrices", &path, "--json"]));
    let accel = json(&folder.succeed(&["accel", &path, "--json"]));
    let (inverse, bias, applied) =
        (numbers(&found["M_inverse"]), numbers(&found["bias"]), numbers(&found["applied"]));
    let expected = numbers(&accel["joints"]["contact"]["acceleration"]);
    for i in 0..speed {
        let sum: f64 = (0..speed).map(|j| inverse[i * speed + j] * (applied[j] - bias[j])).sum();
        // Accelerations of 660 rad/s².
        assert!((sum - expected[i]).abs() < 1e-10, "{sum} against {}", expected[i]);
    }
}

/// An instant of a result: the state of its row, found again by the matrices of a model that starts there.
#[test]
fn matrices_of_a_recorded_instant() {
    let folder = Folder::new();
    let path = example("pendulum");
    folder.succeed(&["run", &path, "-q", "--end", "0.5", "--output", "swing.fxr"]);
    let at = |time: &str| {
        json(&folder.succeed(&["matrices", &path, "--result", "swing.fxr", "--time", time, "--json"]))
    };
    let (found, last) =
        (at("0.2"), json(&folder.succeed(&["matrices", &path, "--result", "swing.fxr", "--json"])));
    assert_eq!((found["time"].as_f64(), last["time"].as_f64()), (Some(0.2), Some(0.5)));
    let result = flexura_results::ResultFile::open(folder.file("swing.fxr")).expect("a result");
    let angle = result.channel("hinge.angle").expect("an angle")[20];
    // m g l cos φ, from the horizontal.
    let bias = numbers(&found["bias"])[0];
    assert!((bias + 4.905 * angle.cos()).abs() < 1e-9, "{bias} at {angle}");
    has(
        &folder.fail(2, &["matrices", &path, "--result", "swing.fxr", "--time", "3"]),
        &["from 0 s to 0.5 s"],
    );
    has(&folder.fail(2, &["matrices", &path, "--result", "swing.fxr", "--static"]), &["--static"]);
}

/// Divide and conquer in `accel` is another calculation, and says so in its last bits; with the leaves of a run it is not,
/// on a model of six bodies.
#[test]
fn accel_by_divide_and_conquer_is_another_opinion() {
    let folder = Folder::new();
    let path = example("robot_arm");
    let by = |more: &[&str]| {
        let found = json(&folder.succeed(&[&["accel", &path, "--json"], more].concat()));
        ["base", "shoulder", "elbow", "roll", "bend", "turn"].map(|joint| {
            let joint = &found["joints"][joint];
            [numbers(&joint["acceleration"])[0], numbers(&joint["driving"])[0]]
        })
    };
    let divided = ["--algorithm", "divide-and-conquer"];
    let articulated = by(&[]);
    let single = by(&divided);
    let whole = by(&[&divided[..], &["--leaf-bodies", "0"]].concat());
    let refined = by(&[&divided[..], &["--refinements", "2"]].concat());
    assert_eq!(articulated, whole);
    assert_ne!(articulated, single);
    for found in [single, refined] {
        for (a, b) in articulated.iter().flatten().zip(found.iter().flatten()) {
            // Efforts up to 100 N m, condition about 1e4.
            assert!((a - b).abs() < 1e-9, "{a} against {b}");
        }
    }
    for flag in ["--leaf-bodies", "--refinements"] {
        has(&folder.fail(2, &["accel", &path, flag, "1"]), &[flag, "only --algorithm divide-and-conquer"]);
    }
}

/// `refinements` as key and as flag: used by divide and conquer, refused by name elsewhere.
#[test]
fn refinements_are_used_or_refused() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example("pendulum")).expect("the model");
    let divided = text.replace(
        "[simulation]",
        "[simulation]\nalgorithm = \"divide-and-conquer\"\nleaf_bodies = 1\nrefinements = 1",
    );
    folder.write("divided.toml", &divided);
    folder.write("plain.toml", &text.replace("[simulation]", "[simulation]\nrefinements = 1"));
    folder.succeed(&["run", "divided.toml", "-q", "--end", "0.1"]);
    folder.succeed(&[
        "run",
        "divided.toml",
        "-q",
        "--end",
        "0.1",
        "--refinements",
        "2",
        "--output",
        "two.fxr",
    ]);
    has(
        &folder.fail(2, &["run", "plain.toml", "-q", "--refinements", "1"]),
        &["--refinements", "divide-and-conquer"],
    );
    let output = folder.flexura(&["check", "plain.toml"]);
    has(&String::from_utf8_lossy(&output.stderr), &["`refinements` has no effect", "divide-and-conquer"]);
}

/// Derivatives of the accelerations are −M⁻¹ of those of the forces, in every file; closed loops are refused by name.
#[test]
fn derivatives_are_there_or_refused() {
    let folder = Folder::new();
    for model in ["satellite", "spinning_top"] {
        let path = example(model);
        let found = json(&folder.succeed(&["matrices", &path, "--derivatives", "--json"]));
        let n = found["speeds"].as_array().expect("names").len();
        let inverse = numbers(&found["M_inverse"]);
        for (forces, accelerations) in [("tau_q", "a_q"), ("tau_v", "a_v")] {
            let (forces, accelerations) = (numbers(&found[forces]), numbers(&found[accelerations]));
            let largest = accelerations.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for (i, &x) in accelerations.iter().enumerate() {
                let sum: f64 = (0..n).map(|k| inverse[i / n * n + k] * forces[k * n + i % n]).sum();
                assert!((x + sum).abs() < 1e-9 * largest, "{model}: {x} beside {sum}");
            }
        }
        folder.succeed(&["matrices", &path, "--derivatives", "--output", model]);
        let bytes = std::fs::read(folder.file(&format!("{model}/tau_q.npy"))).expect("an array");
        let (shape, written) = npy(&bytes);
        assert_eq!(shape, format!("({n}, {n})"));
        // The reader of JSON used here may be one bit off.
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 4e-16 * b.abs();
        assert!(numbers(&found["tau_q"]).iter().zip(&written).all(close), "{model}");
    }
    let refused = folder.fail(2, &["matrices", &example("four_bar"), "--derivatives"]);
    has(&refused, &["closed loops", "linearize"]);
}
