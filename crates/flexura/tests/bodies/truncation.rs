//! Verdicts on modes against the truth: bodies whose modes suffice and bodies whose modes do not, for many reasons. The
//! true error of each row comes from another model of the same body: many modes, exact static shapes, or the boundary that
//! fits. Errors above 5 % must be told, errors below 1 % must not; no row may lie between, where either is right.

use flexura::file::build_text;
use flexura::record::{Recorder, Recording};
use flexura::simulate::{Outcome, run};

/// Errors from which on a verdict is due, and up to which it would be a false alarm.
const BAD: f64 = 0.05;
const GOOD: f64 = 0.01;

/// One body twice: as judged, and for the truth.
struct Row {
    name: &'static str,
    judged: String,
    truth: String,
    /// Where errors are looked at; the largest motion of any of these channels counts as the deflection.
    channels: &'static [&'static str],
}

const STEEL: &str = "young = 210e9\ndensity = 7850\npoisson = 0.3\nsection = { rectangle = [0.02, 0.02] }";
const RUBBER: &str = "young = 5e6\ndensity = 1000\npoisson = 0.45\nsection = { rectangle = [0.2, 0.2] }";
const WELD: &str = "type = \"weld\"";
const SHIFT: &[&str] = &["b.tip.position.*", "b.mid.position.*", "b.quarter.position.*"];
const INNER: &[&str] = &["b.mid.position.*", "b.quarter.position.*"];
const TURN: &[&str] = &["b.tip.quaternion.*"];
/// A rise within several periods of the first mode, so that statics decides.
const RISE: &str = "scale = { cycloidal = { from = 0, to = 1, start = 0, duration = 0.3 } }";

/// A beam of 1 m held by `joint` at its frame, with `loads`.
fn model(material: &str, modes: &str, joint: &str, loads: &str) -> String {
    format!(
        r#"
[model]
gravity = [0, 0, 0]
[[body]]
name = "b"
frame = [{{ name = "tip", station = "tip" }}, {{ name = "root", station = "root" }}, {{ name = "mid", station = 0.5 }}, {{ name = "quarter", station = 0.25 }}]
[body.beam]
length = 1.0
{material}
{modes}
damping = {{ kelvin_voigt = 1e-4 }}
[[joint]]
name = "held"
between = ["ground.origin", "b.origin"]
{joint}
{loads}
[simulation]
end = 0.4
method = "generalized-alpha"
step = 1e-3
output_interval = 2e-3
[output]
channels = ["b.*"]
"#
    )
}

fn force(at: &str, what: &str) -> String {
    format!("[[force]]\nname = \"f\"\nat = \"b.{at}\"\n{what}\n{RISE}\n")
}

fn row(
    name: &'static str,
    material: &str,
    [judged, truth]: [&str; 2],
    joint: &str,
    loads: &str,
    channels: &'static [&'static str],
) -> Row {
    Row {
        name,
        judged: model(material, judged, joint, loads),
        truth: model(material, truth, joint, loads),
        channels,
    }
}

/// Modes of a boundary.
fn modes(boundary: &str, counts: &str) -> String {
    format!("boundary = \"{boundary}\"\n{counts}")
}

fn rows() -> Vec<Row> {
    let clamped = |counts: &str| modes("clamped-free", counts);
    let interface = |counts: &str| modes("interface-static", counts);
    let pinned = |counts: &str| modes("pinned-pinned", counts);
    let free = |counts: &str| modes("free-free", counts);
    let many = interface("bending_z = 20\naxial = 6\ntorsion = 6");
    let many = many.as_str();
    let (push, turn) = (force("tip", "force = [0, 0, 20]"), force("tip", "moment = [0, 10, 0]"));
    let middle = force("mid", "force = [0, 0, 60]");
    let gravity = |text: String| text.replace("gravity = [0, 0, 0]", "gravity = [0, 0, -9.81]");
    let weight = |row: Row| Row { judged: gravity(row.judged), truth: gravity(row.truth), ..row };
    let line = format!("[[load]]\nname = \"l\"\nbody = \"b\"\ntype = \"line\"\nforce = [0, 0, 80]\n{RISE}\n");
    let both = force("tip", "force = [300, 0, 2]");
    let bent = force("tip", "force = [100, 0, 2]");
    let pair = format!(
        "{}{}",
        force("tip", "moment = [0, 10, 0]"),
        force("root", "moment = [0, -10, 0]").replace("\"f\"", "\"g\"")
    );
    let three = ["tip", "root", "mid"].map(|at| {
        let size = if at == "mid" { -80 } else { 40 };
        force(at, &format!("force = [0, 0, {size}]")).replace("\"f\"", &format!("\"{at}\""))
    });
    let three = three.concat();
    let resonance = |text: String| {
        // Third frequency of the pinned beam: 9π/2 √(EI/ρA) for 1 m.
        let third = 4.5 * std::f64::consts::PI * (210e9_f64 / 7850.0).sqrt() * 0.02 / 12f64.sqrt();
        let harmonic = format!("scale = {{ harmonic = {{ amplitude = 1, frequency = {third} }} }}");
        let text = text.replace(RISE, &harmonic).replace("kelvin_voigt = 1e-4", "kelvin_voigt = 1e-5");
        text.replace("step = 1e-3", "step = 1e-4")
            .replace("end = 0.4", "end = 0.1")
            .replace("interval = 2e-3", "interval = 5e-4")
    };
    let shaken = |row: Row| Row { judged: resonance(row.judged), truth: resonance(row.truth), ..row };
    // Without a frame at the tip nothing contradicts modes that are pinned there.
    let no_tip = |row: Row| {
        let cut = |text: String| text.replace("{ name = \"tip\", station = \"tip\" }, ", "");
        Row { judged: cut(row.judged), truth: cut(row.truth), ..row }
    };
    let antisymmetric = "shapes = [{ kind = \"bending_z\", polynomial = [0, 1, -3, 2] }]";
    let pins = pinned("bending_z = 25");
    let pins = pins.as_str();
    vec![
        row(
            "exact static shapes, force at the tip",
            STEEL,
            [&interface("bending_z = 2"), many],
            WELD,
            &push,
            SHIFT,
        ),
        row(
            "exact static shapes, moment at the tip",
            STEEL,
            [&interface("bending_z = 2"), many],
            WELD,
            &turn,
            TURN,
        ),
        row(
            "five clamped modes, moment at the tip",
            STEEL,
            [&clamped("bending_z = 5"), many],
            WELD,
            &turn,
            TURN,
        ),
        row(
            "four clamped modes, force at the tip",
            STEEL,
            [&clamped("bending_z = 4"), many],
            WELD,
            &push,
            SHIFT,
        ),
        row(
            "one clamped mode, force at a quarter",
            STEEL,
            [&clamped("bending_z = 1"), many],
            WELD,
            &force("quarter", "force = [0, 0, 200]"),
            SHIFT,
        ),
        row(
            "static shape that cannot turn, force at the tip",
            STEEL,
            [&interface("bending_z = 1"), many],
            WELD,
            &push,
            SHIFT,
        ),
        no_tip(row(
            "three pinned modes, force at the middle",
            STEEL,
            [&pinned("bending_z = 3"), pins],
            WELD,
            &middle,
            INNER,
        )),
        no_tip(row(
            "one pinned mode, force at a quarter",
            STEEL,
            [&pinned("bending_z = 1"), pins],
            WELD,
            &force("quarter", "force = [0, 0, 60]"),
            INNER,
        )),
        no_tip(row(
            "antisymmetric shape, force at the middle",
            STEEL,
            [antisymmetric, pins],
            WELD,
            &middle,
            INNER,
        )),
        row(
            "pinned modes of a welded beam, force at the tip",
            STEEL,
            [&pinned("bending_z = 4"), many],
            WELD,
            &push,
            SHIFT,
        ),
        row(
            "free modes of a welded beam, force at the tip",
            STEEL,
            [&free("bending_z = 4"), many],
            WELD,
            &push,
            SHIFT,
        ),
        row(
            "no axial modes, rubber pulled and bent",
            RUBBER,
            [&interface("bending_z = 2"), many],
            WELD,
            &both,
            SHIFT,
        ),
        row(
            "axial shape, rubber pulled and bent",
            RUBBER,
            [&interface("bending_z = 2\naxial = 1"), many],
            WELD,
            &both,
            SHIFT,
        ),
        row(
            "no axial modes, steel pulled and bent",
            STEEL,
            [&interface("bending_z = 2"), many],
            WELD,
            &bent,
            SHIFT,
        ),
        row(
            "no torsion modes, twisted",
            STEEL,
            [&interface("bending_z = 2"), many],
            WELD,
            &force("tip", "moment = [20, 0, 0]"),
            TURN,
        ),
        row(
            "torsion shape, twisted",
            STEEL,
            [&interface("bending_z = 2\ntorsion = 1"), many],
            WELD,
            &force("tip", "moment = [20, 0, 0]"),
            TURN,
        ),
        weight(row("two clamped modes, weight", STEEL, [&clamped("bending_z = 2"), many], WELD, "", SHIFT)),
        weight(row(
            "static shapes and one mode, weight",
            STEEL,
            [&interface("bending_z = 3"), many],
            WELD,
            "",
            SHIFT,
        )),
        row(
            "one free mode, moments at both ends",
            STEEL,
            [&free("bending_z = 1"), &free("bending_z = 60")],
            "type = \"free\"",
            &pair,
            TURN,
        ),
        row(
            "three free modes, forces at ends and middle",
            STEEL,
            [&free("bending_z = 3"), &free("bending_z = 25")],
            "type = \"free\"",
            &three,
            SHIFT,
        ),
        no_tip(shaken(row(
            "two pinned modes, shaken at the third frequency",
            STEEL,
            [&pinned("bending_z = 2"), &pinned("bending_z = 9")],
            WELD,
            &middle,
            INNER,
        ))),
        no_tip(shaken(row(
            "five pinned modes, shaken at the third frequency",
            STEEL,
            [&pinned("bending_z = 5"), &pinned("bending_z = 9")],
            WELD,
            &middle,
            INNER,
        ))),
        no_tip(row(
            "one pinned mode, line load",
            STEEL,
            [&pinned("bending_z = 1"), pins],
            WELD,
            &line,
            INNER,
        )),
        row("segments, force at the tip", STEEL, ["segments = 3\nbending_z = 2", many], WELD, &push, SHIFT),
    ]
}

/// Runs a model; the recording, how it ended, and codes of warnings about its modes.
fn simulate(text: &str) -> (Recording, Outcome, Vec<String>) {
    let text = text.replace("segments = 3", "segments = 3\nboundary = \"interface-static\"");
    let loaded = build_text(&text, "row.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let about_modes = ["boundary-contradicts-joint", "tip-cannot-turn"];
    let codes = loaded.warnings.iter().map(|found| found.code.to_string());
    let codes = codes.filter(|code| about_modes.contains(&code.as_str())).collect();
    let (model, description) = (&loaded.built.model, &loaded.built.description);
    let mut recorder = Recorder::new(model, &description.output.channels).expect("channels");
    let mut recording = Recording::new(recorder.channels());
    let outcome =
        run(model, &description.simulation, &mut recorder, &mut recording, &mut |_| true).expect("a run");
    (recording, outcome, codes)
}

/// Channels that match, as departures from their first value.
fn deflections(recording: &Recording, patterns: &[&str]) -> Vec<(String, Vec<f64>)> {
    let wanted =
        |name: &&String| patterns.iter().any(|pattern| name.starts_with(pattern.trim_end_matches('*')));
    let names = recording.names().iter().filter(wanted);
    let from_first = |values: Vec<f64>| values.iter().map(|value| value - values[0]).collect();
    names.map(|name| (name.clone(), from_first(recording.channel(name).expect("a channel")))).collect()
}

/// Largest difference of two runs against the largest deflection of the truth.
fn true_error(judged: &Recording, truth: &Recording, patterns: &[&str]) -> f64 {
    let right = deflections(truth, patterns);
    let largest =
        right.iter().flat_map(|(_, values)| values).fold(0.0_f64, |most, value| most.max(value.abs()));
    let mut worst = 0.0_f64;
    for (name, found) in deflections(judged, patterns) {
        let (_, right) = right.iter().find(|(known, _)| *known == name).expect("the same channels");
        worst = found.iter().zip(right).fold(worst, |most, (a, b)| most.max((a - b).abs()));
    }
    assert!(largest > 1e-7, "nothing moves at {patterns:?}");
    worst / largest
}

#[test]
fn verdicts_are_true() {
    let mut wrong = Vec::new();
    let rows = rows();
    assert!(rows.len() >= 20);
    for row in &rows {
        let (judged, outcome, codes) = simulate(&row.judged);
        let (truth, ..) = simulate(&row.truth);
        let error = true_error(&judged, &truth, row.channels);
        let alarms: Vec<String> =
            outcome.modes.iter().filter(|found| found.is_alarm()).map(ToString::to_string).collect();
        let alarmed = !alarms.is_empty() || !codes.is_empty();
        let all: Vec<String> = outcome.modes.iter().map(ToString::to_string).collect();
        println!(
            "{:55} true error {:6.2} %  {}  {codes:?} {all:?}",
            row.name,
            100.0 * error,
            if alarmed { "ALARM" } else { "     " }
        );
        let right = if error > BAD { alarmed } else { error < GOOD && !alarmed };
        if !right {
            wrong.push(format!("{}: true error {:.2} %, {alarms:?} {codes:?}", row.name, 100.0 * error));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
