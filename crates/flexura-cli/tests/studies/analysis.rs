//! `flexura static` and `flexura modes`.

use crate::common::{Folder, example};

fn arm() -> String {
    example("flexible_arm")
}

fn json(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&folder.succeed(arguments)).expect("JSON")
}

/// A settled arm hangs below its straight position and stays there when simulated.
#[test]
fn static_equilibrium_is_a_rest_position() {
    let (folder, arm) = (Folder::new(), arm());
    let found = json(&folder, &["static", &arm, "--json"]);
    assert!(found["residual"].as_f64().unwrap() < 1e-9);
    assert!(found["modal"]["fore"][2].as_f64().unwrap() < -1e-3, "the fore arm sags: {found}");
    // The motor starts at 0.1 s; until then nothing moves.
    folder.succeed(&["run", &arm, "--from-static", "--end", "0.1", "-o", "arm.fxr", "-q"]);
    let text = folder.succeed(&["export", "arm.fxr", "--channels", "energy.kinetic"]);
    let values = text.lines().skip(1).filter_map(|line| line.split(',').nth(1)?.parse::<f64>().ok());
    let largest = values.fold(0.0, f64::max);
    assert!(largest < 1e-15, "kinetic energy {largest:e} J");
}

/// Eigenvalues, response and matrices of one linear system belong together.
#[test]
fn modes_response_and_matrices() {
    let (folder, arm) = (Folder::new(), arm());
    let found = json(&folder, &["modes", &arm, "--static", "--json"]);
    let first = found["modes"][0]["frequency_hz"].as_f64().unwrap();
    assert!((0.5..1.5).contains(&first), "elbow spring swing near 0.8 Hz: {first}");
    let input = ["--inputs", "elbow.effort", "--outputs", "elbow.angle"];
    folder.succeed(&[&["modes", &arm, "--static"], &input[..], &["--matrices", "linear"]].concat());
    let a = std::fs::read_to_string(folder.file("linear").join("A.mtx")).expect("A.mtx");
    assert_eq!(a.lines().nth(1), Some("20 20"));
    assert_eq!(a.lines().count(), 2 + 400);
    // At rest the angle answers an effort like the spring alone.
    let response = ["--response", "0.001", "0.002", "2"];
    let text = folder.succeed(&[&["modes", &arm, "--static"], &input[..], &response].concat());
    let gain: f64 = text.lines().nth(1).and_then(|line| line.split(',').nth(1)).unwrap().parse().unwrap();
    assert!((gain * 150.0 - 1.0).abs() < 0.02, "static gain {gain}");
}

/// Wrong names are usage errors that say what to write.
#[test]
fn wrong_names_are_explained() {
    let (folder, arm) = (Folder::new(), arm());
    assert!(folder.fail(2, &["modes", &arm, "--inputs", "elbo.effort"]).contains("JOINT.effort"));
    assert!(folder.fail(2, &["modes", &arm, "--inputs", "shoulder.effort"]).contains("prescribed"));
}

/// Newton's method stays at the upright pendulum, relaxation falls to the hanging one.
#[test]
fn relaxation_falls_into_the_stable_equilibrium() {
    let (folder, pendulum) = (Folder::new(), example("pendulum"));
    let angle = |relax: &[&str]| {
        let start = ["static", &pendulum, "--json", "--set", "hinge.position=-1.5"];
        let found = json(&folder, &[&start[..], relax].concat());
        found["joints"]["hinge"][0].as_f64().expect("an angle")
    };
    let (upright, hanging) = (angle(&[]), angle(&["--relax"]));
    assert!((upright - hanging).abs() > 3.0, "{upright} {hanging}");
    assert!((hanging.sin() - 1.0).abs() < 1e-9, "hangs along -z: {hanging}");
}

/// A unit blade (L = ρA = EI_flap = 1, EI_chord = 2) that turns at `hub.motion.polynomial.2`.
const BLADE: &str = "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"blade\"\n[body.beam]\nlength = 1.0\ndensity = 1.0\n\
young = 1e8\nshear = 1e8\nsection = { area = 1.0, inertia_y = 1e-8, inertia_z = 2e-8, torsion = 1e-8 }\n\
rotary_inertia = false\nboundary = \"clamped-free\"\nbending_y = 5\nbending_z = 5\n[[joint]]\nname = \"hub\"\n\
type = \"revolute\"\nbetween = [\"ground.origin\", \"blade.origin\"]\nmotion = { polynomial = [0.0, 1.0] }\n";

/// Branches keep their shape where they cross; frequencies are those of the rotating-beam problem.
#[test]
fn campbell_diagram_follows_crossing_modes() {
    let folder = Folder::new();
    folder.write("blade.toml", BLADE);
    let range = "hub.motion.polynomial.2=0:10:11";
    let plot = ["--orders", "1", "2", "--plot", "campbell.svg"];
    let csv = folder.succeed(
        &[&["modes", "blade.toml", "--static", "--count", "3", "--over", range], &plot[..]].concat(),
    );
    let rows: Vec<Vec<f64>> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().expect("number")).collect())
        .collect();
    assert_eq!((rows.len(), rows[0].len()), (11, 7));
    let omega = |row: usize, mode: usize| rows[row][2 * mode - 1] * std::f64::consts::TAU;
    // Flap at gamma = 0, 3, 10; chord at 0, where EI is doubled, and at gamma = 10 above 10/√2 by scaling.
    for (row, exact) in [(0, 3.51602), (3, 4.79728), (10, 11.20233)] {
        assert!((omega(row, 1) / exact - 1.0).abs() < 5e-3, "{} {exact}", omega(row, 1));
    }
    assert!((omega(0, 2) / (3.51602 * 2.0_f64.sqrt()) - 1.0).abs() < 1e-5);
    assert!(omega(0, 1) < omega(0, 2) && omega(10, 1) > omega(10, 2), "the first two cross");
    // Chord² = flap² − γ² in the scale of the chord's own rigidity, where γ = 6 counts as 6/√2 = 4.24.
    let chord = omega(6, 2) / 2.0_f64.sqrt();
    let flap = (chord * chord + 18.0).sqrt();
    assert!((5.585..6.4496).contains(&flap), "between gamma 4 and 5: {flap}");
    let svg = std::fs::read_to_string(folder.file("campbell.svg")).expect("plot");
    assert!(svg.starts_with("<svg") && svg.matches("<polyline").count() == 3 && svg.contains("2×"));
    assert!(folder.fail(2, &["modes", "blade.toml", "--over", "hub.speed=0:1:2"]).contains("hub"));
    assert!(folder.fail(2, &["modes", "blade.toml", "--over", "hub=0:1"]).contains("FROM:TO:COUNT"));
}

/// One period of each mode as rows of a result file.
#[test]
fn mode_shapes_are_a_result_file() {
    let folder = Folder::new();
    folder.write("blade.toml", BLADE);
    folder.succeed(&["modes", "blade.toml", "--shapes", "modes.fxr", "--count", "3"]);
    let result = flexura_results::ResultFile::open(folder.file("modes.fxr")).expect("result");
    assert_eq!(result.rows(), 96);
    assert!((result.time()[33] - (1.0 + 1.0 / 32.0)).abs() < 1e-12);
    let metadata = &result.layout().metadata;
    let text = &metadata.iter().find(|(key, _)| key.as_str() == "modes").expect("metadata").1;
    let about: serde_json::Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(about[1]["first_row"], 32);
    let frequency = about[0]["frequency_hz"].as_f64().expect("number");
    // At γ = 1 the flap mode is at 3.68165: bending z, the sixth modal coordinate, moves as a cosine.
    assert!((frequency * std::f64::consts::TAU / 3.68165 - 1.0).abs() < 5e-3, "{frequency}");
    let eta = result.channel("blade.eta.6").expect("channel");
    let amplitude = eta[0];
    assert!(amplitude.abs() > 1e-3);
    for (row, value) in eta.iter().enumerate().take(32) {
        let exact = amplitude * (std::f64::consts::TAU * row as f64 / 32.0).cos();
        assert!((value - exact).abs() < 1e-6 * amplitude.abs(), "{row}: {value} {exact}");
    }
    let rate = result.channel("blade.eta_rate.6").expect("channel");
    assert!((rate[8] + amplitude * std::f64::consts::TAU * frequency).abs() < 1e-6 * rate[8].abs());
}

/// The plot of a response has a panel for the amplitude and one for the phase.
#[test]
fn response_plot() {
    let folder = Folder::new();
    let input = ["--inputs", "elbow.effort", "--outputs", "elbow.angle", "--response", "0.1", "10", "20"];
    folder.succeed(&[&["modes", &arm(), "--static"], &input[..], &["--plot", "bode.svg"]].concat());
    let svg = std::fs::read_to_string(folder.file("bode.svg")).expect("plot");
    assert!(
        svg.contains("amplitude [rad/(N m)]")
            && svg.contains("phase [deg]")
            && svg.contains("frequency [Hz]")
    );
    assert_eq!(svg.matches("<polyline").count(), 2);
}

/// A free shaft that spins keeps its spin at the equilibrium: its modes split over the speed.
#[test]
fn modes_at_rest_keep_the_speeds_that_nothing_holds() {
    let folder = Folder::new();
    let text = r#"
[model]
gravity = [0, 0, 0]
[[body]]
name = "shaft"
beam = { length = 1.0, density = 7800, young = 2e11, poisson = 0.3, section = { circle = 0.02 }, boundary = "free-free", bending_y = 1, bending_z = 1 }
[[joint]]
name = "float"
type = "free"
between = ["ground.origin", "shaft.origin"]
speed = [0, 0, 0, 0, 0, 0]
"#;
    let path = folder.write("shaft.toml", text);
    let model = path.to_str().expect("UTF-8");
    let table = folder.succeed(&["modes", model, "--static", "--over", "float.speed.1=0:300:3"]);
    let rows: Vec<&str> = table.lines().skip(1).map(|line| line.split_once(',').expect("values").1).collect();
    assert!(rows.len() == 3 && rows[0] != rows[1] && rows[1] != rows[2], "{table}");
}

/// What is wrong with a start is said before anything runs.
#[test]
fn check_refuses_a_start_without_accelerations() {
    let folder = Folder::new();
    let text = r#"
[[body]]
name = "bar"
beam = { length = 1, properties = { axial = 1e6, bending_y = 100, bending_z = 100, torsion = 50, mass = 1.2 }, boundary = "clamped-free", bending_y = 1 }
[[joint]]
name = "ball"
type = "spherical"
between = ["ground.origin", "bar.origin"]
"#;
    let path = folder.write("bar.toml", text);
    let said = folder.fail(3, &["check", path.to_str().expect("UTF-8")]);
    assert!(said.contains("joint `ball`") && said.contains("rotary"), "{said}");
}

/// Equilibria on their heads, states out of balance and positions that assembly moved are said on the way.
#[test]
fn doubtful_states_are_warned_of() {
    let (folder, pendulum) = (Folder::new(), example("pendulum"));
    let said = |arguments: &[&str]| {
        let output = folder.flexura(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let upright = ["static", &pendulum, "--set", "hinge.position=-1.5"];
    assert!(said(&upright).contains("unstable"), "{}", said(&upright));
    assert!(!said(&["static", &pendulum, "--set", "hinge.position=1.5"]).contains("unstable"));
    assert!(said(&["modes", &pendulum]).contains("not in balance"));
    assert!(!said(&["modes", &pendulum, "--static", "--set", "hinge.position=1"]).contains("not in balance"));
    let loaded =
        folder.write("moved.toml", include_str!("../../../flexura/tests/broken/assembly_moved.toml"));
    let loaded = loaded.to_str().expect("UTF-8");
    assert!(said(&["run", loaded, "-o", "moved.fxr", "--end", "0.01"]).contains("assembly moved"));
}

/// Shapes of every mode of the shipped arm are written, whatever its visible amplitude would do to its mass.
#[test]
fn shapes_of_the_arm_are_written() {
    let (folder, arm) = (Folder::new(), arm());
    folder.succeed(&["modes", &arm, "--shapes", "shapes.fxr"]);
    assert!(folder.file("shapes.fxr").exists());
}

/// Frequencies (rad/s) of a rigid rotor on two bearings, against the spin (negative) and with it.
///
/// With the complex deflection w and slope β of the axis at the centre of mass, bearings at a₁ and a₂ from it:
/// m ẅ + Σk w + Σka β = 0, J β̈ − iPΩβ̇ + Σka w + Σka² β = 0 (Genta, Dynamics of Rotating Systems). Roots of
/// (Σk − mω²)(Σka² − Jω² + PΩω) − (Σka)² by bisection: nothing of the program takes part.
fn rotor_frequencies(spin: f64, lateral: f64) -> Vec<f64> {
    let (masses, places, polar) = ([0.5, 8.0], [0.0, 0.4], 0.09);
    let mass: f64 = masses.iter().sum();
    let centre = (masses[0] * places[0] + masses[1] * places[1]) / mass;
    let steiner: f64 = (0..2).map(|i| masses[i] * (places[i] - centre) * (places[i] - centre)).sum();
    let inertia = 2e-3 + lateral + steiner;
    let bearings = [(1e6, -0.2 - centre), (2e6, 0.3 - centre)];
    let sum = |power: i32| bearings.iter().map(|(k, a): &(f64, f64)| k * a.powi(power)).sum::<f64>();
    let value =
        |w: f64| (sum(0) - mass * w * w) * (sum(2) - inertia * w * w + polar * spin * w) - sum(1) * sum(1);
    let mut roots = Vec::new();
    let steps = 40_000;
    let at = |i: usize| -4000.0 + 8000.0 * (i as f64 + 0.37) / steps as f64;
    for i in 0..steps {
        let (mut low, mut high) = (at(i), at(i + 1));
        if value(low) * value(high) > 0.0 {
            continue;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if value(low) * value(middle) <= 0.0 { high = middle } else { low = middle }
        }
        roots.push(low);
    }
    assert_eq!(roots.len(), 4, "{roots:?}");
    roots
}

/// The rotor as one body that spins freely: its coordinates turn with it.
const SPINNING: &str = r#"
[model]
gravity = [0, 0, 0]
[[ground.frame]]
name = "left"
position = [-0.2, 0, 0]
[[ground.frame]]
name = "right"
position = [0.3, 0, 0]
[[body]]
name = "rotor"
mass = 8.5
inertia = [0.09, 0.12729411764705884, 0.12729411764705884]
center_of_mass = [0.3764705882352941, 0, 0]
frame = [{ name = "left", position = [-0.2, 0, 0] }, { name = "right", position = [0.3, 0, 0] }]
[[joint]]
name = "float"
type = "free"
between = ["ground.origin", "rotor.origin"]
speed = [0, 0, 0, 0, 0, 0]
[[element]]
name = "left_bearing"
type = "bushing"
between = ["ground.left", "rotor.left"]
stiffness = [0, 0, 0, 5e5, 1e6, 1e6]
damping = [0, 0, 0, 0, 0, 0]
[[element]]
name = "right_bearing"
type = "bushing"
between = ["ground.right", "rotor.right"]
stiffness = [0, 0, 0, 5e5, 2e6, 2e6]
damping = [0, 0, 0, 0, 0, 0]
"#;

/// Cells of whirl columns: direction and frequency (rad/s), with its sign.
fn seen(line: &str, header: &str) -> Vec<f64> {
    let cells: Vec<&str> = line.split(',').collect();
    let columns = header.split(',').enumerate().filter(|(_, name)| name.starts_with("whirl "));
    let signed = columns.filter_map(|(k, _)| {
        let frequency: f64 = cells[k + 1].parse().ok()?;
        Some(frequency * std::f64::consts::TAU * if cells[k] == "backward" { -1.0 } else { 1.0 })
    });
    let mut list: Vec<f64> = signed.collect();
    list.sort_by(f64::total_cmp);
    list
}

/// Campbell diagram with whirl, of coordinates that stand still and of coordinates that spin, against the solution by hand.
#[test]
fn whirl_of_a_rotor_on_bearings() {
    let folder = Folder::new();
    let model = format!("{}/../../models/rotor_on_bearings.toml", env!("CARGO_MANIFEST_DIR"));
    let spinning = folder.write("spinning.toml", SPINNING);
    let cases: [(&str, &str); 2] =
        [(&model, "spin.motion.polynomial.2"), (spinning.to_str().expect("UTF-8"), "float.speed.1")];
    for (file, path) in cases {
        let range = format!("{path}=50:600:12");
        let plots = ["--whirl", "--orders", "1", "--plot", "campbell.svg", "--locus", "roots.png"];
        let csv = folder.succeed(&[&["modes", file, "--over", &range], &plots[..]].concat());
        let header = csv.lines().next().expect("a header");
        for line in csv.lines().skip(1) {
            let spin: f64 = line.split(',').next().and_then(|cell| cell.parse().ok()).expect("a speed");
            let (found, exact) = (seen(line, header), rotor_frequencies(spin, 0.05));
            assert_eq!(found.len(), 4, "{line}");
            for (found, exact) in found.iter().zip(&exact) {
                assert!((found / exact - 1.0).abs() < 1e-7, "{file} at {spin}: {found} against {exact}");
            }
        }
        let svg = std::fs::read_to_string(folder.file("campbell.svg")).expect("a plot");
        for words in ["(forward)", "(backward)", "1×", "[rad/s]", "[Hz]", ">0<"] {
            assert!(svg.contains(words), "{words}");
        }
        assert!(std::fs::read(folder.file("roots.png")).expect("a plot").starts_with(b"\x89PNG"));
    }
}

/// A rotor that is not round changes the linear system as it turns, which is said; a round one does not.
#[test]
fn eigenvalues_of_a_frozen_azimuth_are_warned_of() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(format!(
        "{}/../../models/rotor_on_bearings.toml",
        env!("CARGO_MANIFEST_DIR")
    ));
    let text = text.expect("a model");
    folder.write("round.toml", &text);
    folder.write("flat.toml", &text.replace("inertia = [0.09, 0.05, 0.05]", "inertia = [0.09, 0.06, 0.03]"));
    let said = |file: &str| String::from_utf8(folder.flexura(&["modes", file]).stderr).expect("UTF-8");
    assert!(said("flat.toml").contains("a frozen azimuth mislead"), "{}", said("flat.toml"));
    assert_eq!(said("round.toml"), "");
}
