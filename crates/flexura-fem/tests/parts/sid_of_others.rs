//! SID files of another program, where `FLEXURA_SID_DIR` names their folder: mass, centre, inertia and frequencies beside the file's own numbers.
//!
//! The file's numbers are picked from its text here, not by the reader under test; those beside them are read off the mass matrix of a model
//! with the body on a free joint, and off the eigenvalues of its modal matrices.

use flexura::algorithm::composite_body::{CompositeBody, mass_matrix};
use flexura::file::build_text_with;
use flexura::{State, Workspace, evaluate};
use flexura_fem::PartSource;
use flexura_fem::sid::{self, SidBody};
use std::path::{Path, PathBuf};

/// Names have three decimals.
const NAMED: f64 = 6e-4;

/// Components of a symmetric tensor by row and column, in the order of `J`.
const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// A number of Fortran.
fn number(text: &str) -> f64 {
    text.trim().replace('D', "E").parse().expect("a number")
}

/// Value behind the first line that begins with a word, and what the modes are called.
fn named(text: &str) -> (f64, Vec<f64>) {
    let value = |line: &str| line.split_once('=').map(|(_, value)| value.to_owned()).expect("a value");
    let mass = text.lines().find(|line| line.trim().starts_with("mass ")).map(value).expect("a mass");
    let modes = text.lines().filter(|line| line.trim().starts_with("ielastq")).map(value);
    let hertz = |mode: String| {
        let words =
            mode.rsplit(':').next().and_then(|rest| rest.split_whitespace().next().map(str::to_owned));
        words.and_then(|word| word.parse().ok()).expect("a frequency")
    };
    let mut modes: Vec<f64> = modes.map(hertz).collect();
    modes.sort_by(f64::total_cmp);
    (number(&mass), modes)
}

/// The constant column of a block.
fn column<const N: usize>(text: &str, block: &str) -> [f64; N] {
    let mut lines = text.lines().skip_while(|line| line.trim() != block).skip(1);
    let mut values = [0.0; N];
    for line in lines.by_ref().take_while(|line| line.trim() != format!("end {block}")) {
        let Some(rest) = line.trim().strip_prefix("m0(") else { continue };
        let (index, value) = rest.split_once('=').expect("an entry");
        let row: usize = index.split(',').next().and_then(|row| row.trim().parse().ok()).expect("a row");
        values[row - 1] = number(value);
    }
    values
}

/// Mass, first moment and inertia (xx, yy, zz, xy, xz, yz) that the engine moves, from the mass matrix of a free body at rest.
fn moved(path: &Path) -> (f64, [f64; 3], [f64; 6]) {
    let text = format!(
        "[[body]]\nname = \"b\"\nfe = {:?}\n[[joint]]\nname = \"f\"\ntype = \"free\"\nbetween = [\"ground.origin\", \"b.origin\"]\n",
        path.display().to_string()
    );
    let model = build_text_with(&text, "m.toml", &PartSource::default()).expect("a model").built.model;
    let (state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
    work.kinematics(&model, &state);
    let mut matrix = CompositeBody::new(&model).expect("a matrix");
    mass_matrix(&model, &work.motion.kinematics, &work.inertias, &mut matrix);
    // Modes, then angular and linear speeds.
    let (size, first) = (model.speed_count(), model.speed_count() - 6);
    let at = |row: usize, column: usize| matrix.mass[(first + row) * size + first + column];
    // Linear momentum of a turn: ω × c.
    let moment = [at(5, 1), at(3, 2), at(4, 0)].map(|x| -x);
    let inertia = PLACES.map(|(row, column)| at(row, column));
    (at(3, 3), moment, inertia)
}

#[test]
fn files_of_others_have_the_frequencies_and_inertia_they_say() {
    let Some(folder) = std::env::var_os("FLEXURA_SID_DIR") else {
        eprintln!("skipped: FLEXURA_SID_DIR is not set");
        return;
    };
    let entries =
        std::fs::read_dir(Path::new(&folder)).expect("the folder").flatten().map(|entry| entry.path());
    let ours = |path: &PathBuf| path.extension().is_some_and(|ending| ending == sid::ENDING);
    let mut paths: Vec<PathBuf> = entries.filter(ours).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no files in {folder:?}");
    println!(
        "| file | mass (kg) | centre (m) | inertia xx, yy, zz, xy, xz, yz (kg m²) | frequencies (Hz) | inertia off | frequencies off (Hz) |"
    );
    let mut running = 0;
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a text");
        let (mass, frequencies) = named(&text);
        let (moment, inertia): ([f64; 3], [f64; 6]) = (column(&text, "mdCM"), column(&text, "J"));
        let (found_mass, found_moment, found_inertia) = moved(path);
        let scale = inertia.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let off = |one: &[f64], other: &[f64], scale: f64| {
            one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
        };
        let worst = [
            (found_mass / mass - 1.0).abs(),
            off(&found_moment, &moment, mass.max(moment.iter().fold(0.0, |most, x| most.max(x.abs())))),
            off(&found_inertia, &inertia, scale),
        ];
        // The file has twelve digits, all of which are read.
        assert!(worst.iter().all(|&share| share < 1e-15), "{}: {worst:?}", path.display());
        let body = SidBody::new(&sid::read(path).unwrap_or_else(|fault| panic!("{fault}"))).expect("a body");
        let told = body.notices.join("\n");
        assert!(told.contains("no stiffening terms"), "{told}");
        let mut found = body.reduced("file".into()).report.frequencies;
        found.sort_by(f64::total_cmp);
        assert_eq!(found.len(), frequencies.len());
        let apart = off(&found, &frequencies, 1.0);
        assert!(apart < NAMED, "{}: {found:?} Hz against {frequencies:?} Hz", path.display());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!(
            "| {name} | {mass} | {:.6?} | {inertia:.6?} | {} of {:.3} to {:.3} | {:.1e} | {apart:.1e} |",
            moment.map(|x| x / mass),
            found.len(),
            found[0],
            found[found.len() - 1],
            worst[0].max(worst[1]).max(worst[2]),
        );
        running += usize::from(runs_where_it_can(path, &told));
    }
    assert!(running > 0, "none of {} files has a mass matrix that is one", paths.len());
}

/// Accelerations of the body, unless the file's mass matrix is none, which was said; whether there are any.
fn runs_where_it_can(path: &Path, told: &str) -> bool {
    let text = format!(
        "[[body]]\nname = \"b\"\nfe = {:?}\n[[joint]]\nname = \"f\"\ntype = \"free\"\nbetween = [\"ground.origin\", \"b.origin\"]\n",
        path.display().to_string()
    );
    let model = build_text_with(&text, "m.toml", &PartSource::default()).expect("a model").built.model;
    let (state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
    let moving = evaluate(&model, &state, &mut work).is_ok();
    let sound = !told.contains("no motion has the mass matrix");
    println!(
        "  {}",
        if sound { "runs" } else { "does not run: no motion has its mass matrix, which is said" }
    );
    assert!(moving || !sound, "{}", path.display());
    if sound {
        // It falls as a whole.
        let fall = work.accelerations.chidot[model.speed_count() - 1];
        assert!((fall + 9.81).abs() < 1e-6, "{fall}");
    }
    sound
}
