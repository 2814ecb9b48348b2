//! Verdicts on the shapes of reduced parts against the truth: the same part with many more shapes. Errors above 5 % must be
//! told, errors below 1 % must not. The flexibility by which they are judged survives the file, and files without it say so.

use flexura::file::load_model_with;
use flexura::record::{Recorder, Recording};
use flexura::simulate::run;
use flexura::truncation::ModeVerdict;
use flexura_fem::part::Part;
use flexura_fem::{PartSource, reduced};
use std::path::{Path, PathBuf};

/// A folder of its own, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("flexura-judged-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A plate held along one side by a hub; its far edge is an interface that follows the mean of the set.
fn part(reduction: &str) -> String {
    format!(
        r#"
name = "panel"
[[material]]
name = "sandwich"
young = 8e9
poisson = 0.3
density = 400
[[plate]]
name = "plate"
origin = [0, -0.4, 0]
edge_x = [1.2, 0, 0]
edge_y = [0, 0.8, 0]
cells = [6, 4]
thickness = 0.02
material = "sandwich"
[[interface]]
name = "hub"
set = "plate.x0"
connection = "rigid"
[[interface]]
name = "edge"
set = "plate.x1"
connection = "average"
[reduction]
reference = "hub"
{reduction}
"#
    )
}

fn model(file: &str, gravity: f64, load: &str) -> String {
    format!(
        r#"
[model]
gravity = [0, 0, {gravity}]
[[body]]
name = "panel"
fe = "{file}"
[[joint]]
name = "hub"
type = "weld"
between = ["ground.origin", "panel.hub"]
[[force]]
name = "load"
at = "panel.edge"
{load}
scale = {{ cycloidal = {{ from = 0, to = 1, start = 0, duration = 3 }} }}
[simulation]
end = 4
method = "generalized-alpha"
step = 0.04
[output]
channels = ["panel.edge.position.*", "panel.edge.quaternion.*"]
"#
    )
}

fn simulate(path: &Path) -> (Recording, Vec<ModeVerdict>) {
    let loaded = load_model_with(path, &PartSource::default()).unwrap_or_else(|error| panic!("{error}"));
    let (model, description) = (&loaded.built.model, &loaded.built.description);
    let mut recorder = Recorder::new(model, &description.output.channels).expect("channels");
    let mut recording = Recording::new(recorder.channels());
    let outcome =
        run(model, &description.simulation, &mut recorder, &mut recording, &mut |_| true).expect("a run");
    (recording, outcome.modes)
}

/// Largest difference of positions or rotations at the end against the largest of the truth.
fn error(found: &Recording, truth: &Recording) -> f64 {
    let moved = |rows: &Recording, name: &str| {
        rows.last(name).expect("a row") - rows.channel(name).expect("a channel")[0]
    };
    let of = |kind: &str| {
        let names: Vec<&String> = truth.names().iter().filter(|name| name.contains(kind)).collect();
        let largest = names.iter().fold(0.0_f64, |most, name| most.max(moved(truth, name).abs()));
        let differs = |name: &&&String| (moved(found, name) - moved(truth, name)).abs();
        (names.iter().map(|name| differs(&name)).fold(0.0_f64, f64::max), largest)
    };
    let ((shift, shifts), (turn, turns)) = (of("position"), of("quaternion"));
    // A twist moves the middle of the edge by nothing: the larger motion decides, turns over the length of the plate.
    if shifts > turns { shift / shifts } else { turn / turns }
}

#[test]
fn verdicts_on_parts_are_true() {
    let rows = [
        ("ten clamped modes, averaged edge pushed", "modes = 10", "force = [0, 0, 20]"),
        ("one clamped mode, averaged edge twisted", "modes = 1", "moment = [20, 0, 0]"),
        ("two clamped modes, averaged edge bent", "modes = 2", "moment = [0, 20, 0]"),
        ("ten clamped modes, averaged edge pulled", "modes = 10", "force = [1e4, 0, 0]"),
    ];
    let folder = Folder::new("truth");
    let mut wrong = Vec::new();
    for (name, reduction, load) in rows {
        let write = |file: &str, reduction: &str| {
            let text = part(&format!("method = \"clamped-free\"\n{reduction}"));
            std::fs::write(folder.0.join(file), text).expect("a part");
            let path = folder.0.join(format!("model_{file}"));
            std::fs::write(&path, model(file, 0.0, load)).expect("a model");
            simulate(&path)
        };
        let (judged, verdicts) = write("few.toml", reduction);
        let (truth, _) = write("many.toml", "modes = 45");
        let (error, alarmed) = (error(&judged, &truth), verdicts.iter().any(ModeVerdict::is_alarm));
        let words: Vec<String> = verdicts.iter().map(ToString::to_string).collect();
        println!("{name:60} true error {:6.2} %  {words:?}", 100.0 * error);
        let right = if error > 0.05 { alarmed } else { error < 0.01 && !alarmed };
        if !right || verdicts.iter().any(|found| found.missing.is_none()) {
            wrong.push(format!("{name}: true error {:.2} %, {words:?}", 100.0 * error));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn flexibility_survives_the_file_and_old_files_are_not_judged() {
    let folder = Folder::new("file");
    let source = folder.0.join("panel.toml");
    std::fs::write(&source, part("method = \"clamped-free\"\nmodes = 2")).expect("a part");
    let body = Part::load(&source).expect("a part").reduce(&mut |_| {}).expect("a body");
    assert!(body.compliance.is_some());
    let again = reduced::from_bytes(&reduced::to_bytes(&body)).expect("a body");
    assert_eq!(again.compliance, body.compliance);
    let judge = |body: &reduced::ReducedBody| {
        reduced::write(body, &folder.0.join("panel.fxb")).expect("a file");
        let path = folder.0.join("model.toml");
        std::fs::write(&path, model("panel.fxb", 0.0, "moment = [0, 20, 0]")).expect("a model");
        simulate(&path).1.remove(0)
    };
    let found = judge(&body);
    assert!(found.is_alarm() && found.to_string().contains("what acts at `panel.edge`"), "{found}");
    let old = judge(&reduced::ReducedBody { compliance: None, ..body });
    assert_eq!(old.missing, None);
    assert!(old.to_string().contains("body `panel`: modes not judged"), "{old}");
}
