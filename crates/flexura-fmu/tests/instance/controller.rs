//! FMUs of others as controllers: a PI law in C, compiled here, drives a flexible arm as the same law of the model file does.

use flexura::file::{Loaded, build_text_with};
use flexura::simulate::Simulation;
use flexura_exchange::fmi::{Contents, Interface, Version, open_law, pack};
use flexura_fem::PartSource;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

const ARM: &str = r#"
[[body]]
name = "arm"
[body.beam]
length = 0.8
young = 7e10
poisson = 0.33
density = 2700.0
section = { rectangle = [0.02, 0.004] }
boundary = "clamped-free"
bending_z = 2
[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground.origin", "arm.origin"]
axis = [0, 1, 0]
damping = 0.05
[simulation]
end = 0.5
method = "rk4"
step = 0.0005
output_interval = 0.01
"#;

const SPACE: &str = "type = \"state-space\"\na = [[1]]\nb = [[0.01]]\nc = [[3]]\nd = [[40]]\n";

/// Compiles the law and packs it as an FMU in `folder`.
fn servo(folder: &Path, version: Version, token: &str) -> PathBuf {
    let (two, number) = (version == Version::Two, if version == Version::Two { 2 } else { 3 });
    let library = folder.join(format!("servo{number}.so"));
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-w", "-o"]).arg(&library);
    compiler.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/instance/servo.c"));
    assert!(compiler.args(two.then_some("-DTWO")).status().expect("a C compiler").success());
    let variables = [
        ("e", 1, "input"),
        ("kp", 2, "parameter"),
        ("ki", 3, "parameter"),
        ("fail_after", 4, "parameter"),
        ("u", 5, "output"),
    ];
    let lines: String = variables
        .iter()
        .map(|(name, reference, causality)| {
            let own = format!("name=\"{name}\" valueReference=\"{reference}\" causality=\"{causality}\"");
            if two {
                format!("<ScalarVariable {own}><Real/></ScalarVariable>\n")
            } else {
                format!("<Float64 {own}/>\n")
            }
        })
        .collect();
    let (key, version_text) = if two { ("guid", "2.0") } else { ("instantiationToken", "3.0") };
    let xml = format!(
        "<?xml version=\"1.0\"?><fmiModelDescription fmiVersion=\"{version_text}\" modelName=\"servo\" {key}=\"{token}\">\
         <CoSimulation modelIdentifier=\"servo\"/><ModelVariables>{lines}</ModelVariables></fmiModelDescription>"
    );
    let contents = Contents {
        version,
        identifier: "servo".into(),
        files: vec![
            ("modelDescription.xml".into(), xml.into_bytes()),
            ("resources/note.txt".into(), vec![65]),
        ],
        notices: Vec::new(),
        interface: Interface::default(),
    };
    let path = folder.join(format!("servo{number}.fmu"));
    pack(&contents, &fs::read(&library).expect("a library"), File::create(&path).expect("a file"))
        .expect("packed");
    path
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("flexura-servo-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn with_controller(folder: &Path, law: &str) -> Result<Loaded, String> {
    let text = format!(
        "{ARM}[[controller]]\nname = \"servo\"\nsensors = [\"shoulder.angle\"]\nreference = 0.4\n\
         actuators = [\"shoulder.effort\"]\nsample_time = 0.01\n{law}"
    );
    let source = PartSource::default().with_laws(open_law);
    build_text_with(&text, &folder.join("arm.toml").display().to_string(), &source)
        .map_err(|errors| errors.to_string())
}

#[test]
fn an_fmu_drives_a_flexible_arm_as_the_same_law_of_the_file_does() {
    let folder = folder("drives");
    let known = with_controller(&folder, SPACE).expect("a model").built.simulate().expect("a run");
    for (version, name) in [(Version::Two, "servo2.fmu"), (Version::Three, "servo3.fmu")] {
        servo(&folder, version, "{servo}");
        let loaded =
            with_controller(&folder, &format!("type = \"fmu\"\nfile = \"{name}\"\n")).expect("a model");
        // Twice: every run has an instance of its own.
        for _ in 0..2 {
            let found = loaded.built.simulate().expect("a run");
            for channel in ["shoulder.angle", "arm.eta.1", "servo.output.1"] {
                let rows = found.channel(channel).expect(channel);
                let wanted = known.channel(channel).expect("a channel");
                let largest = wanted.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                // The FMU integrates over differences of times, which are 0.01 to rounding.
                let apart = rows.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(
                    largest > 1e-4 && apart < 1e-12 * largest.max(1.0),
                    "{name} {channel}: {apart:e} of {largest}"
                );
            }
        }
        // Other numbers: other motion.
        let law = format!(
            "type = \"fmu\"\nfile = \"{name}\"\ninputs = [\"e\"]\noutputs = [\"u\"]\nparameters = [\"kp\"]\nvalues = [20.0]\n"
        );
        let softer = with_controller(&folder, &law).expect("a model").built.simulate().expect("a run");
        let by_hand = with_controller(&folder, &SPACE.replace("d = [[40]]", "d = [[20]]")).expect("a model");
        let by_hand = by_hand.built.simulate().expect("a run");
        let last = |run: &flexura::Recording| run.last("shoulder.angle").expect("an angle");
        assert!(
            (last(&softer) - last(&by_hand)).abs() < 1e-12 && (last(&softer) - last(&known)).abs() > 1e-3
        );
    }
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn runs_that_are_taken_back_go_on_with_the_same_bits() {
    let folder = folder("back");
    servo(&folder, Version::Three, "{servo}");
    let loaded = with_controller(&folder, "type = \"fmu\"\nfile = \"servo3.fmu\"\n").expect("a model");
    let mut stepped =
        Simulation::of(&loaded.built).channels(["*"]).simulator(&[] as &[&str], 0.05).expect("a simulator");
    stepped.step().expect("a step");
    let saved = stepped.save();
    stepped.advance_to(0.3).expect("steps");
    let known = stepped.values().to_vec();
    stepped.restore(&saved).expect("restored");
    stepped.advance_to(0.3).expect("steps");
    assert_eq!(known, stepped.values());
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn fmus_that_do_not_fit_or_fail_are_told_by_name() {
    let folder = folder("refused");
    servo(&folder, Version::Two, "{servo}");
    fs::write(folder.join("text.fmu"), "no archive").expect("written");
    let law = "type = \"fmu\"\nfile = \"servo2.fmu\"\n";
    for (law, why) in [
        ("type = \"fmu\"\nfile = \"none.fmu\"\n".to_owned(), "none.fmu: "),
        ("type = \"fmu\"\nfile = \"text.fmu\"\n".to_owned(), "no archive"),
        (format!("{law}inputs = [\"speed\"]\n"), "the FMU has no variable `speed`"),
        (format!("{law}inputs = [\"u\"]\n"), "is no input, but of causality output"),
        (format!("{law}outputs = [\"u\", \"u\"]\n"), "2 outputs of the FMU (u, u) for 1 actuators"),
        (format!("{law}parameters = [\"kp\"]\n"), "1 parameters, but 0 values"),
        ("type = \"fmu\"\n".to_owned(), "`file` is missing"),
    ] {
        let told = with_controller(&folder, &law).err().unwrap_or_else(|| panic!("accepted: {law}"));
        assert!(told.contains(why), "{law}\n{told}");
    }
    let hot = with_controller(&folder, &format!("{law}parameters = [\"fail_after\"]\nvalues = [0.2]\n"));
    let told = hot.expect("a model").built.simulate().expect_err("too hot").to_string();
    assert!(
        told.contains("controller `servo`") && told.contains("the servo is too hot") && told.contains("0.2"),
        "{told}"
    );
    servo(&folder, Version::Three, "{other}");
    let told =
        with_controller(&folder, "type = \"fmu\"\nfile = \"servo3.fmu\"\n").expect_err("another token");
    assert!(told.contains("cannot be instantiated"), "{told}");
    let plain = flexura::file::build_text(
        &format!(
            "{ARM}[[controller]]\nname = \"s\"\nsensors = [\"shoulder.angle\"]\nactuators = [\"shoulder.effort\"]\nsample_time = 0.01\n{law}"
        ),
        "arm.toml",
    );
    assert!(plain.expect_err("no source").to_string().contains("this program cannot run FMUs"));
    fs::remove_dir_all(folder).expect("removed");
}
