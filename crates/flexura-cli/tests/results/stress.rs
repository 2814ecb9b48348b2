//! `flexura stress` and `flexura fatigue`: beams by hand, a frame against an independent computation, wrong words.

use crate::common::{Folder, example, has};
use serde_json::Value;

/// A cantilever of a tube bent as by a force at its tip, v = δ (3 s² − s³)/2, w = −0.5 v, stretched and twisted, all at rest.
const CANTILEVER: &str = "[model]
gravity = [0, 0, 0]
[[body]]
name = \"beam\"
[body.beam]
length = 2.0
density = 2700
young = 70e9
shear = 26e9
section = { rectangle = [0.02, 0.05] }
shapes = [
  { kind = \"bending_y\", polynomial = [0, 0, 1.5, -0.5] },
  { kind = \"bending_z\", polynomial = [0, 0, 1.5, -0.5] },
  { kind = \"axial\", polynomial = [0, 1] },
  { kind = \"torsion\", polynomial = [0, 1] },
]
[[joint]]
name = \"clamp\"
type = \"weld\"
between = [\"ground.origin\", \"beam.origin\"]
[simulation]
end = 0.02
[[simulation.initial]]
body = \"beam\"
modal_position = [0.03, -0.015, 0.0004, 0.2]
";

/// Columns of a CSV file: names, and rows of cells.
fn table(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    (lines.next().expect("a heading"), lines.collect())
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.file(name)).expect(name)
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} against {expected}");
}

#[test]
fn a_beam_has_the_stresses_and_section_forces_of_its_theory() {
    let folder = Folder::new();
    folder.write("m.toml", CANTILEVER);
    folder.succeed(&["run", "m.toml", "-q"]);
    let line =
        ["stress", "m.fxr", "--at", "0", "-o", "p.csv", "-o", "p.json", "-o", "p.vtu", "--sections", "s.csv"];
    let shown = folder.succeed(&line);
    has(&shown, &["beam: stresses at 25 nodes", "at 0 s", "1 (root)", "largest section forces"]);
    let (young, shear, length, y, z) = (70e9, 26e9, 2.0_f64, 0.01, 0.025);
    let (bend_y, bend_z) = (3.0 * 0.03 / length.powi(2), -3.0 * 0.015 / length.powi(2));
    // Root, corner (−y, +z): σ = E (u' − y v'' − z w''); corners carry no torsional shear.
    let sigma = young * (0.0004 / length + y * bend_y - z * bend_z);
    let (names, rows) = table(&read(&folder, "p.csv"));
    assert_eq!(names.len(), 12);
    let number = |row: &Vec<String>, column: usize| row[column].parse::<f64>().expect("a number");
    let at_root = |fibre: &str| {
        let named = |row: &&Vec<String>| row[1] == "1" && row[2] == format!("line1.{fibre}");
        number(rows.iter().find(named).expect("a fibre"), 8)
    };
    close(at_root("fibre2"), sigma, 1e-12);
    // Middle of the side −y: bending about z and stretch, with the torsional shear.
    let (flat, shear_there) = (young * (0.0004 / length + y * bend_y), shear * 0.2 / length * 0.02 * 0.968);
    close(at_root("fibre6"), 0.5 * flat + (0.5 * flat).hypot(shear_there), 2e-3);
    // Middle of the long side, where the torsional shear of a rectangle 2.5 : 1 is largest (Timoshenko & Goodier: 0.968).
    let beside = rows.iter().find(|row| row[1] == "25" && row[2] == "line24.fibre5").expect("a fibre");
    let twist = shear * 0.2 / length * 0.02 * 0.968;
    let pull = young * 0.0004 / length;
    close(number(beside, 6), (pull * pull + 3.0 * twist * twist).sqrt(), 2e-3);
    let (_, rows) = table(&read(&folder, "s.csv"));
    let (inertia_y, inertia_z) = (0.02 * 0.05_f64.powi(3) / 12.0, 0.05 * 0.02_f64.powi(3) / 12.0);
    let root: Vec<f64> = (0..6).map(|k| number(&rows[0], 3 + 2 * k)).collect();
    let slope = |deflection: f64| -3.0 * deflection / length.powi(3);
    for (found, expected) in root.iter().zip([
        young * 0.02 * 0.05 * 0.0004 / length,
        -young * inertia_z * slope(0.03),
        -young * inertia_y * slope(-0.015),
        shear * 0.2 / length * 9.9746e-8,
        -young * inertia_y * bend_z,
        young * inertia_z * bend_y,
    ]) {
        close(*found, expected, 2e-3);
    }
    let grid = read(&folder, "p.vtu");
    has(&grid, &["NumberOfPoints=\"25\" NumberOfCells=\"24\"", "Name=\"von_mises\"", "Name=\"node\""]);
    let value: Value = serde_json::from_str(&read(&folder, "p.json")).expect("JSON");
    assert_eq!(value["bodies"][0]["places"].as_array().map(Vec::len), Some(24 * 2 * 8));
}

/// A jib crane that travels: the reduced part against all freedoms of the same frame, weight included.
///
/// Reference: `scripts/stress_reference.py` (own Timoshenko beams in SciPy, no reduction), mesh refined three times, steps of
/// 0.125 ms: time (s) and largest von Mises stress (MPa) of the corners at the foot.
#[test]
fn a_travelling_crane_has_the_stresses_of_its_unreduced_frame() {
    let reference = [
        (0.1, 52.9868),
        (0.3, 7.3495),
        (0.6, 32.6121),
        (0.8, 32.3137),
        (0.9, 70.2661),
        (1.0, 23.2683),
        (1.185, 85.1618),
        (1.3, 17.2005),
        (1.6, 5.9649),
        (2.0, 60.7031),
        (2.4, 9.6550),
    ];
    let folder = Folder::new();
    let model = std::fs::read_to_string(example("crane_travel")).expect("the model");
    let part = std::fs::read_to_string(example("parts/jib_crane")).expect("its part");
    // The reference is linear: so is the part here. Its own file has the second order too.
    let linear = part.replace("modes = 12", "modes = 12\nstiffening = false");
    assert_ne!(part, linear);
    folder.write("linear.toml", &linear);
    folder.write("c.toml", &model.replace("parts/jib_crane.toml", "linear.toml"));
    folder.succeed(&["run", "c.toml", "-q"]);
    folder.succeed(&["run", &example("crane_travel"), "-q", "-o", "whole.fxr"]);
    for result in ["c.fxr", "whole.fxr"] {
        let shown = folder.succeed(&["stress", result, "--set", "mast", "-o", "p.csv"]);
        has(&shown, &["(foot)", "1.1850"]);
        let (_, rows) = table(&read(&folder, "p.csv"));
        let foot = rows.iter().filter(|row| row[3] == "0" && row[5] == "0");
        let most = foot.map(|row| row[6].parse::<f64>().expect("a number").abs()).fold(0.0, f64::max);
        close(most / 1e6, 85.1618, 0.01);
    }
    for (time, expected) in reference {
        let at = time.to_string();
        folder.succeed(&["stress", "c.fxr", "--nodes", "foot", "--at", &at, "-o", "i.csv"]);
        let (_, rows) = table(&read(&folder, "i.csv"));
        let most = rows.iter().map(|row| row[6].parse::<f64>().expect("a number").abs()).fold(0.0, f64::max);
        let difference = (most / 1e6 - expected).abs();
        assert!(difference < 0.01 * 85.1618, "{time} s: {} against {expected} MPa", most / 1e6);
    }
}

/// A connecting rod of solids that is shaken at its big end and carries a piston: the reduced part against all freedoms of the same mesh.
///
/// Reference: `scripts/stress_reference_rod.py --step 5e-6 --every 20` (own ten-node tetrahedra in SciPy, no reduction): time (s) and
/// von Mises stress (MPa) of the worst node. At the first instant nothing but the weight has acted.
#[test]
fn a_shaken_rod_has_the_stresses_of_its_unreduced_mesh() {
    let reference = [
        (0.001, 1.1723),
        (0.002, 15.0421),
        (0.003, 29.3103),
        (0.004, 6.7413),
        (0.005, 15.3137),
        (0.006, 18.9019),
        (0.007, 4.7031),
        (0.008, 13.5853),
        (0.009, 14.5678),
        (0.010, 12.3531),
        (0.011, 3.2552),
        (0.012, 4.2721),
    ];
    let folder = Folder::new();
    folder.succeed(&["run", &example("rod_shaken"), "-q", "-o", "r.fxr"]);
    let shown = folder.succeed(&["stress", "r.fxr", "--worst", "1", "-o", "p.csv"]);
    has(&shown, &["  111  ", "0.0027"]);
    let (_, peaks) = table(&read(&folder, "p.csv"));
    let most = peaks.iter().map(|row| row[6].parse::<f64>().expect("a number").abs()).fold(0.0, f64::max);
    close(most / 1e6, 31.1884, 0.01);
    folder.succeed(&["stress", "r.fxr", "--nodes", "111", "--history", "h.csv"]);
    let (names, rows) = table(&read(&folder, "h.csv"));
    let column = names.iter().position(|name| name.ends_with(".von_mises [Pa]")).expect("the column");
    for (time, expected) in reference {
        let row = rows.iter().find(|row| (row[0].parse::<f64>().expect("a time") - time).abs() < 1e-9);
        let found = row.expect("the instant")[column].parse::<f64>().expect("a number").abs() / 1e6;
        assert!((found - expected).abs() < 0.01 * 31.1884, "{time} s: {found} against {expected} MPa");
    }
}

/// Strain gauges on the shaken rod, by the six components at the same node: strain along x by Hooke's law, and a rosette whose
/// principal stresses are those of the tensor, since nothing presses on the surface.
#[test]
fn gauges_show_what_the_tensor_says() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("rod_shaken"), "-q", "-o", "r.fxr"]);
    // Their node lies in the middle of a plane side of the shank.
    let gauges = std::fs::read_to_string(example("gauges/connecting_rod")).expect("the gauges");
    folder.write("g.toml", &gauges);
    let shown = folder.succeed(&[
        "stress",
        "r.fxr",
        "--gauges",
        "g.toml",
        "--history",
        "g.csv",
        "--history",
        "g.png",
    ]);
    has(&shown, &["rod.shank", "strain µm/m", "rod.rosette", "c µm/m", "stress1 MPa"]);
    assert!(std::fs::read(folder.file("g.png")).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    let node =
        gauges.lines().find_map(|line| line.strip_prefix("node = ")).expect("a node").split(' ').next();
    folder.succeed(&["stress", "r.fxr", "--nodes", node.expect("its number"), "--history", "h.csv"]);
    let ((names, rows), (_, tensors)) = (table(&read(&folder, "g.csv")), table(&read(&folder, "h.csv")));
    let at = |name: &str| {
        names.iter().position(|known| known.starts_with(name)).unwrap_or_else(|| panic!("{name}: {names:?}"))
    };
    let number = |row: &Vec<String>, column: usize| row[column].parse::<f64>().expect("a number");
    assert_eq!(rows.len(), 241);
    let (mut most, mut worst) = (0.0_f64, 0.0_f64);
    for (row, tensor) in rows.iter().zip(&tensors) {
        let [xx, yy, zz] = [1, 2, 3].map(|column| number(tensor, column));
        let strain = (xx - 0.3 * (yy + zz)) / 210e9;
        assert!((number(row, at("rod.shank.strain")) - strain).abs() < 1e-12, "{strain}");
        assert_eq!(number(row, at("rod.shank.stress")), xx);
        assert_eq!(number(row, at("rod.rosette.a")), number(row, at("rod.shank.strain")));
        let [first, third] = [8, 10].map(|column| number(tensor, column));
        let in_plane =
            number(row, at("rod.rosette.stress1")).abs().max(number(row, at("rod.rosette.stress2")).abs());
        most = most.max(first.abs().max(third.abs()));
        worst = worst.max((in_plane - first.abs().max(third.abs())).abs());
    }
    // What is left on the free surface is the error of the mesh.
    assert!(most > 1e6 && worst < 0.05 * most, "{worst} of {most}");
    for (from, to, words) in [
        ("direction = [1, 0, 0]", "direction = [0, 0, 1]", "does not lie in the surface"),
        ("node = ", "layer = \"top\"\nnode = ", "0 such surfaces"),
        ("node = ", "body = \"piston\"\nnode = ", "give `body`, one of: rod"),
        ("node = ", "node = 99999 #", "no node 99999"),
        ("node = ", "nodes = ", "did you mean `node`"),
    ] {
        assert!(gauges.contains(from), "{from}");
        folder.write("b.toml", &gauges.replacen(from, to, 1));
        has(&folder.fail(2, &["stress", "r.fxr", "--gauges", "b.toml"]), &[words]);
    }
    folder.fail(2, &["stress", "r.fxr", "--gauges", "g.toml", "--nodes", "1"]);
}

/// Sides of a plate: membrane stress in the middle, bending of opposite signs outside.
#[test]
fn layers_of_shells_are_told_apart() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("panel_swing"), "-q", "--end", "0.6", "-o", "p.fxr"]);
    let peak = |layer: &str| {
        folder
            .succeed(&["stress", "p.fxr", "--set", "plate", "--layer", layer, "--at", "0.6", "-o", "l.csv"]);
        table(&read(&folder, "l.csv")).1
    };
    let [top, bottom, middle] = ["top", "bottom", "middle"].map(peak);
    assert!(top.len() == bottom.len() && top.len() == middle.len() && !top.is_empty());
    let number = |row: &Vec<String>, column: usize| row[column].parse::<f64>().expect("a number");
    let worst = (0..top.len()).max_by(|a, b| number(&top[*a], 6).abs().total_cmp(&number(&top[*b], 6).abs()));
    let worst = worst.expect("a node");
    let (above, below) = (number(&top[worst], 6), number(&bottom[worst], 6));
    assert!(above * below < 0.0, "{above} {below}");
    assert!(number(&middle[worst], 6).abs() < 0.2 * above.abs());
    folder.succeed(&["stress", "p.fxr", "--set", "plate.x0", "--layer", "top", "--history", "h.csv"]);
    let (names, rows) = table(&read(&folder, "h.csv"));
    assert!(names.iter().any(|name| name.ends_with(".top.von_mises [Pa]")), "{names:?}");
    assert_eq!(rows.len(), 61);
}

/// Cycles of a beam that swings with one mode: the damage follows from the curve and from counts that are known.
#[test]
fn damage_of_a_ringing_beam() {
    let folder = Folder::new();
    folder.write("m.toml", &CANTILEVER.replace("end = 0.02", "end = 0.2\noutput_interval = 0.0005"));
    folder.succeed(&["run", "m.toml", "-q"]);
    folder.write("c.toml", "stress = 100e6\ncycles = 1e6\nexponent = 4\n");
    let line = [
        "fatigue", "m.fxr", "--curve", "c.toml", "--nodes", "root", "-o", "d.csv", "-o", "d.vtu", "-o",
        "d.png",
    ];
    let shown = folder.succeed(&line);
    has(&shown, &["signed von Mises stress, no correction of means", "beam: 1 nodes", "damage"]);
    let damages = |name: &str| -> Vec<f64> {
        let (names, rows) = table(&read(&folder, name));
        assert_eq!(names[6], "damage");
        rows.iter().map(|row| row[6].parse().expect("a number")).collect()
    };
    let once = damages("d.csv");
    assert!(once.iter().all(|damage| *damage > 0.0), "{once:?}");
    has(&read(&folder, "d.vtu"), &["Name=\"damage\"", "Name=\"damage_log10\""]);
    assert!(std::fs::read(folder.file("d.png")).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    // Twice the stress has 2⁴ times the damage; thrice the run has three times.
    folder.succeed(&[
        "fatigue", "m.fxr", "--curve", "c.toml", "--nodes", "root", "--factor", "2", "-o", "f.csv",
    ]);
    folder.succeed(&[
        "fatigue", "m.fxr", "m.fxr", "--times", "1", "2", "--curve", "c.toml", "--nodes", "root", "-o",
        "t.csv",
    ]);
    for ((single, double), triple) in once.iter().zip(damages("f.csv")).zip(damages("t.csv")) {
        close(double / single, 16.0, 1e-9);
        close(triple / single, 3.0, 1e-9);
    }
    let text = folder.fail(2, &["fatigue", "m.fxr", "--times", "1", "2", "--curve", "c.toml"]);
    has(&text, &["--times has 2 numbers for 1 results"]);
    folder.write("o.toml", &CANTILEVER.replace("[0.02, 0.05]", "[0.02, 0.06]"));
    folder.succeed(&["run", "o.toml", "-q"]);
    let text = folder.fail(2, &["fatigue", "m.fxr", "o.fxr", "--curve", "c.toml"]);
    has(&text, &["o.fxr", "body `beam` is another part than in the first result"]);
    folder.write("bad.toml", "stress = 100e6\ncycles = 1e6\nexponnt = 4\n");
    has(
        &folder.fail(5, &["fatigue", "m.fxr", "--curve", "bad.toml"]),
        &["bad.toml", "did you mean `exponent`?"],
    );
}

#[test]
fn what_cannot_be_had_is_named() {
    let folder = Folder::new();
    folder.write("m.toml", CANTILEVER);
    folder.succeed(&["run", "m.toml", "-q"]);
    for (words, expected) in [
        (&["--body", "arm"][..], "no stresses of a body `arm`; bodies with stresses: beam"),
        (&["--nodes", "26"], "body `beam` has no node 26 with stresses"),
        (&["--nodes", "tp"], "did you mean `tip`?"),
        (&["--set", "rim"], "body `beam` has no set `rim`; its sets: none"),
        (&["--layer", "top"], "no stresses there"),
        (&["--from", "9"], "no recorded row lies between"),
        (&["-o", "x.txt"], "end the name with .csv, .json, .vtu"),
        (&["--history", "x.json"], "end the name with .csv, .svg, .png"),
    ] {
        has(&folder.fail(2, &[&["stress", "m.fxr"], words].concat()), &[expected]);
    }
    folder.write("n.toml", &(CANTILEVER.to_owned() + "[output]\nstress = false\n"));
    folder.succeed(&["run", "n.toml", "-q"]);
    has(
        &folder.fail(5, &["stress", "n.fxr"]),
        &["n.fxr holds no stresses: put `stress = true` under [output]"],
    );
    folder.write("o.toml", &(CANTILEVER.to_owned() + "[output]\nstress = true\npicture = false\n"));
    has(&folder.fail(3, &["check", "o.toml"]), &["error[conflicting-keys]", "modal coordinates", "o.toml:"]);
    folder.succeed(&["run", &example("pendulum"), "-q", "--end", "0.1", "-o", "r.fxr"]);
    has(&folder.fail(5, &["stress", "r.fxr"]), &["rigid bodies"]);
}
