//! Richard's flexible four-bar (2012, section 5.1) with links of finite elements: the motion settles as modes are added, and
//! steps of a few microseconds converge whatever is added. `scripts/mode_convergence.py` has the whole run, 1 to 40 modes.

use flexura::file::load_model_with;
use flexura::record::{Recorder, Recording};
use flexura::simulate::run;
use flexura_fem::PartSource;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("flexura-four-bar-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A link with interfaces at its ends and in its middle, reduced in the plane it moves in.
fn link(name: &str, length: f64, modes: usize) -> String {
    let section =
        "section = { area = 1.767e-4, inertia_y = 3.112e-8, inertia_z = 3.112e-8, torsion = 6.224e-8 }";
    let mut text = format!(
        "name = \"{name}\"\n[[material]]\nname = \"steel\"\nyoung = 2.0e11\npoisson = 0.2987\ndensity = 7800\n"
    );
    for (node, share) in [("a", 0.0), ("middle", 0.5), ("b", 1.0)] {
        text += &format!("[[node]]\nname = \"{node}\"\nposition = [{}, 0, 0]\n", share * length);
        text += &format!("[[interface]]\nname = \"{node}\"\nnode = \"{node}\"\n");
    }
    for half in ["\"a\", \"middle\"", "\"middle\", \"b\""] {
        text += &format!(
            "[[beam]]\nbetween = [{half}]\nelements = 16\nmaterial = \"steel\"\n{section}\norientation = [0, 1, 0]\n"
        );
    }
    text + &format!(
        "[reduction]\nreference = \"a\"\nmethod = \"attachment\"\nplane = \"xy\"\nmodes = {modes}\n\
         damping = {{ kelvin_voigt = 1e-6 }}\n"
    )
}

/// The shipped model with its two links taken from parts, up to `end` (s).
fn write_model(folder: &Path, modes: usize, end: f64) {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/validation/flexnet_four_bar.toml");
    let mut text = std::fs::read_to_string(shipped).unwrap();
    for (name, length) in [("coupler", 0.9), ("follower", 0.6)] {
        std::fs::write(folder.join(format!("{name}.toml")), link(name, length, modes)).unwrap();
        let start = text.find(&format!("[[body]]\nname = \"{name}\"")).unwrap();
        let end = start + 2 + text[start + 2..].find("\n[[").unwrap();
        text.replace_range(start..end, &format!("[[body]]\nname = \"{name}\"\nfe = \"{name}.toml\"\n"));
    }
    let settings = format!("end = {end}\nmethod = \"trapezoidal\"\nstep = 5e-6");
    let text = text.replace("end = 0.06", &settings);
    std::fs::write(folder.join("model.toml"), text).unwrap();
}

/// Position of the coupler's middle and angle of the follower, row by row.
fn motion(folder: &Path, modes: usize, end: f64) -> Vec<Vec<f64>> {
    write_model(folder, modes, end);
    simulate(folder).0
}

/// The same of the model in `folder`, and the largest deflection of the coupler relative to its length.
fn simulate(folder: &Path) -> (Vec<Vec<f64>>, f64) {
    let loaded = load_model_with(folder.join("model.toml"), &PartSource::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let (model, description) = (&loaded.built.model, &loaded.built.description);
    let wanted = ["coupler.middle.position.x", "coupler.middle.position.y", "c.angle"].map(String::from);
    let mut recorder = Recorder::new(model, &wanted).unwrap();
    let mut rows = Recording::new(recorder.channels());
    let outcome = run(model, &description.simulation, &mut recorder, &mut rows, &mut |_| true)
        .unwrap_or_else(|error| panic!("{error}"));
    let columns = wanted.iter().map(|name| rows.channel(name).unwrap().to_vec()).collect();
    let coupler = outcome.deformations.iter().find(|found| found.body == "coupler").unwrap();
    (columns, coupler.shift)
}

/// A turn of the crank.
#[test]
fn the_four_bar_of_finite_elements_settles_with_more_modes() {
    let folder = folder("settles");
    let found = [10, 12].map(|modes| motion(&folder, modes, 0.03));
    std::fs::remove_dir_all(folder).unwrap();
    let range = |column: &Vec<f64>| {
        column.iter().fold(f64::MIN, |most, x| most.max(*x))
            - column.iter().fold(f64::MAX, |least, x| least.min(*x))
    };
    let size = found[1].iter().map(range).fold(0.0, f64::max);
    let differences = found[0].iter().flatten().zip(found[1].iter().flatten()).map(|(a, b)| (a - b).abs());
    let change = differences.fold(0.0, f64::max) / size;
    println!("{} rows, change {change:.1e} of the range {size:.3}", found[0][0].len());
    assert!(found[0][0].len() == 301 && size > 0.5 && change < 1e-4, "{change:e} of {size}");
}

/// Attachment shapes of unit strain energy had coordinates their frequency times larger than those of the modes: with
/// twelve modes and more no step converged.
#[test]
fn more_modes_beside_attachment_shapes_still_step() {
    let folder = folder("steps");
    for modes in [12, 20, 40] {
        assert_eq!(motion(&folder, modes, 2e-4)[0].len(), 3, "{modes} modes");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Shapes that span the same motion: what the run says of the deflection is that of the body, not of their sizes
/// one by one, of which the static shapes of interfaces made 20 % where there are 14.
#[test]
fn the_deflection_is_that_of_the_body_whatever_its_shapes() {
    let folder = folder("deflection");
    write_model(&folder, 4, 5e-3);
    let found = ["craig-bampton\"", "craig-bampton\"\northonormal = true"].map(|method| {
        for name in ["coupler", "follower"] {
            let path = folder.join(format!("{name}.toml"));
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, text.replace("attachment\"", method)).unwrap();
        }
        let found = simulate(&folder);
        write_model(&folder, 4, 5e-3);
        found
    });
    std::fs::remove_dir_all(folder).unwrap();
    println!("deflection {:.6} and {:.6}", found[0].1, found[1].1);
    assert!(found[0].1 > 0.01 && (found[0].1 / found[1].1 - 1.0).abs() < 1e-6);
    let differences =
        found[0].0.iter().flatten().zip(found[1].0.iter().flatten()).map(|(a, b)| (a - b).abs());
    assert!(differences.fold(0.0, f64::max) < 1e-8);
}

/// The first pair of stretch is modes 11 and 12 of all directions: the sudden start leaves links of ten modes stretching at a wrong
/// frequency, until residual shapes complete them. Seven periods of it, one sixth of a turn; the script has the whole run.
#[test]
fn residual_shapes_have_the_stretch_that_modes_of_bending_lack() {
    let folder = folder("stretch");
    let moved = |modes: usize, residual: &str| {
        write_model(&folder, modes, 5e-3);
        for name in ["coupler", "follower"] {
            let path = folder.join(format!("{name}.toml"));
            let text = std::fs::read_to_string(&path).unwrap();
            let settings = format!("method = \"craig-bampton\"\nresidual = \"{residual}\"");
            let changed = text.replace("method = \"attachment\"\nplane = \"xy\"", &settings);
            assert_ne!(text, changed);
            std::fs::write(&path, changed).unwrap();
        }
        simulate(&folder).0
    };
    let change = |residual: &str| {
        let (ten, twelve) = (moved(10, residual), moved(12, residual));
        let differences = ten.iter().flatten().zip(twelve.iter().flatten()).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, f64::max)
    };
    let (without, with) = (change("none"), change("accelerations"));
    std::fs::remove_dir_all(&folder).unwrap();
    println!("change from 10 to 12 modes: {without:.1e} without, {with:.1e} with residual shapes");
    assert!(with < 5e-5 && without > 4.0 * with, "{without:e} and {with:e}");
}
