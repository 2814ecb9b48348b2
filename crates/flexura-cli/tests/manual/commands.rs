//! What the sub-commands print.

use crate::common::{Folder, block_on_spring, errors, example, has};
use serde_json::Value;

const EXAMPLES: [&str; 7] =
    ["flexible_arm", "panel_modes", "pendulum", "robot_arm", "satellite", "spin_up_beam", "spinning_top"];

/// What the message offers in place of the wrong word, and where: (line, column, wrong word, right one).
fn offered(message: &str) -> (usize, usize, String, String) {
    let place = message.split("--> ").nth(1).and_then(|rest| rest.lines().next()).expect("a place");
    let mut numbers = place.rsplit(':').map(|number| number.parse::<usize>().expect("a number"));
    let (column, line) = (numbers.next().expect("a column"), numbers.next().expect("a line"));
    let help =
        message.split("did you mean ").nth(1).and_then(|rest| rest.split('?').next()).expect("an offer");
    let mark =
        message.lines().find(|text| text.trim_start_matches([' ', '|']).starts_with('^')).expect("a mark");
    let length = mark.matches('^').count();
    let source =
        message.lines().find(|text| text.trim_start().starts_with(&format!("{line} | "))).expect("a line");
    let text = source.split_once(" | ").expect("a line").1;
    (line, column, text.chars().skip(column - 1).take(length).collect(), help.trim_matches('`').to_owned())
}

/// Three mistakes in a fresh model, mended by nothing but what the messages say.
#[test]
fn mistakes_in_a_new_model_are_mended_from_the_messages_alone() {
    let folder = Folder::new();
    folder.succeed(&["new", "robot", "--template", "arm"]);
    let path = folder.file("robot.toml");
    let mut text = std::fs::read_to_string(&path).expect("a model");
    for (right, wrong) in [
        ("length = 1.5", "lenght = 1.5"),
        ("type = \"revolute\"", "type = \"revolut\""),
        ("\"arm.eta.*\"", "\"amr.eta.*\""),
    ] {
        assert!(text.contains(right));
        text = text.replacen(right, wrong, 1);
    }
    let mut rounds = 0;
    loop {
        folder.write("robot.toml", &text);
        let output = folder.flexura(&["check", "robot.toml"]);
        if output.status.success() {
            break;
        }
        let (line, column, wrong, right) = offered(&errors(&output));
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (before, after) = lines[line - 1].split_at(column - 1);
        let quote = if wrong.starts_with('"') && !right.starts_with('"') { "\"" } else { "" };
        lines[line - 1] = format!("{before}{}", after.replacen(&wrong, &format!("{quote}{right}{quote}"), 1));
        text = lines.join("\n");
        rounds += 1;
        assert!(rounds <= 3, "{text}");
    }
    assert_eq!(rounds, 3, "each message mends one mistake");
    folder.succeed(&["run", "robot.toml", "-q", "--end", "0.05"]);
}

/// A unit after a number is no TOML; the message says how numbers are written.
#[test]
fn a_number_with_a_unit_is_explained() {
    let folder = Folder::new();
    folder.succeed(&["new", "robot", "--template", "arm"]);
    let text = std::fs::read_to_string(folder.file("robot.toml")).expect("a model");
    folder.write("robot.toml", &text.replacen("point_mass = 0.8 ", "point_mass = 0.8 kg ", 1));
    has(&folder.fail(3, &["check", "robot.toml"]), &["robot.toml:34:14", "numbers are plain, without units"]);
}

#[test]
fn schemas_of_models_and_parts_are_printed() {
    let folder = Folder::new();
    for (arguments, title) in
        [(&["schema"][..], "Flexura model file"), (&["schema", "--part"], "Flexura part file")]
    {
        let value: Value = serde_json::from_str(&folder.succeed(arguments)).expect("JSON");
        assert_eq!(value["title"], title);
    }
}

/// Names of all sub-commands, by the program's own help.
pub(super) fn sub_commands(folder: &Folder) -> Vec<String> {
    let help = folder.succeed(&["--help"]);
    let lines = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let lines = lines.take_while(|line| !line.trim().is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

#[test]
fn help_of_every_command_shows_an_example() {
    let folder = Folder::new();
    let commands = sub_commands(&folder);
    assert!(commands.len() > 25, "{commands:?}");
    for command in &commands {
        let text = folder.succeed(&[command, "--help"]);
        has(&text, &["Examples:", &format!("\n  flexura {command}")]);
        let (options, examples) = text.split_once("Examples:").expect("examples");
        let start = format!("  flexura {command} ");
        let words =
            examples.lines().filter_map(|line| line.strip_prefix(&start)).flat_map(str::split_whitespace);
        for option in words.filter(|word| word.starts_with("--") && word.len() > 2) {
            assert!(options.contains(option), "{command} has no {option}");
        }
    }
    let text = folder.succeed(&["--help"]);
    has(&text, &["Exit codes:", "130", "Examples:", "\n  flexura run "]);
}

#[test]
fn check_describes_every_example() {
    let folder = Folder::new();
    for name in EXAMPLES {
        let output = folder.flexura(&["check", &example(name)]);
        assert_eq!(errors(&output), "", "{name}");
        let text = String::from_utf8_lossy(&output.stdout);
        has(&text, &["no errors; simulate with: flexura run", "degrees of freedom", "tree (joint → body)"]);
    }
    let text = folder.succeed(&["check", &example("flexible_arm")]);
    has(
        &text,
        &[
            "3: 1 rigid, 2 flexible",
            "3: 2 revolute, 1 weld",
            "11: 2 joint, 9 modal",
            "10 / 1",
            "  shoulder (revolute, prescribed) → upper [gram with ",
            "    elbow (revolute) → fore",
        ],
    );
}

#[test]
fn check_knows_mass_and_frequencies() {
    // First bending frequency of a cantilever: 3.51602 sqrt(EI / (rho A L^4)) / (2 pi).
    let json: Value =
        serde_json::from_str(&Folder::new().succeed(&["check", &example("spin_up_beam"), "--json"]))
            .expect("JSON");
    let beam = &json["bodies"][1];
    assert!((beam["mass"].as_f64().expect("mass") - 12.0).abs() < 1e-9);
    let exact = 3.516_015_27 * (1.4e4f64 / 1.2).sqrt() / 100.0 / std::f64::consts::TAU;
    let found = beam["frequencies"][0].as_f64().expect("a frequency");
    assert!((found / exact - 1.0).abs() < 1e-3, "{found} against {exact}");
    assert_eq!(beam["parent"], "hub");
}

/// Numbers of other units are told by `check`, with what they look like; a run says nothing of them.
#[test]
fn check_tells_numbers_of_other_units() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(example("flexible_arm")).expect("a model");
    let said = |change: &[(&str, &str)]| {
        let changed = change.iter().fold(text.clone(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        });
        folder.write("m.toml", &changed);
        errors(&folder.flexura(&["check", "m.toml"]))
    };
    assert_eq!(said(&[]), "");
    has(
        &said(&[("density = 2700", "density = 2.7e-9")]),
        &["unlikely-density", "m.toml:", "`upper`", "in t/mm³? then write 2700"],
    );
    has(&said(&[("density = 2700", "density = 2.7")]), &["unlikely-density", "in g/cm³? then write 2700"]);
    has(&said(&[("young = 70e9", "young = 70000")]), &["unlikely-modulus", "in MPa? then write 7e10"]);
    has(&said(&[("young = 70e9", "young = 70")]), &["unlikely-modulus", "in GPa? then write"]);
    has(&said(&[("-9.81", "-9810")]), &["unlikely-gravity", "9.81, not 9810"]);
}

#[test]
fn check_of_a_large_model_stays_short() {
    let folder = Folder::new();
    let mut text = String::from("[model]\nname = \"chain\"\n");
    for k in 0..5000 {
        let before = if k == 0 { "ground.origin".to_string() } else { format!("link{}.end", k - 1) };
        text += &format!(
            "[[body]]\nname = \"link{k}\"\nmass = 0.1\ninertia = [1e-4, 1e-4, 1e-4]\n\
             [[body.frame]]\nname = \"end\"\nposition = [0.1, 0, 0]\n\
             [[joint]]\nname = \"pin{k}\"\ntype = \"revolute\"\nbetween = [\"{before}\", \"link{k}.origin\"]\n"
        );
    }
    folder.write("chain.toml", &text);
    let text = folder.succeed(&["check", "chain.toml"]);
    assert!(text.lines().count() < 30, "{} lines", text.lines().count());
    assert!(text.lines().all(|line| line.chars().count() < 110));
    has(&text, &["5000: 5000 rigid", "5000: 5000 revolute", "total mass          500 kg", "and 4988 more"]);
}

#[test]
fn algorithms_agree_on_every_example() {
    let folder = Folder::new();
    for name in EXAMPLES {
        let [first, second] = ["articulated", "composite"].map(|algorithm| {
            let text = folder.succeed(&["accel", &example(name), "--algorithm", algorithm, "--json"]);
            let json: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(json["algorithm"], algorithm);
            json
        });
        let (mut numbers, mut others) = (Vec::new(), Vec::new());
        for key in ["joints", "modal_accelerations", "reactions", "energy", "momentum"] {
            collect(&first[key], &mut numbers);
            collect(&second[key], &mut others);
        }
        let scale = numbers.iter().fold(1.0f64, |most, value| most.max(value.abs()));
        assert!(numbers.len() > 8 && numbers.len() == others.len(), "{name}");
        for (a, b) in numbers.iter().zip(&others) {
            assert!((a - b).abs() <= 1e-9 * scale, "{name}: {a} against {b}");
        }
    }
}

fn collect(value: &Value, numbers: &mut Vec<f64>) {
    match value {
        Value::Number(number) => numbers.extend(number.as_f64()),
        Value::Array(list) => list.iter().for_each(|entry| collect(entry, numbers)),
        Value::Object(map) => map.values().for_each(|entry| collect(entry, numbers)),
        _ => {}
    }
}

#[test]
fn accel_of_a_pendulum_is_that_of_the_textbook() {
    let folder = Folder::new();
    let json: Value =
        serde_json::from_str(&folder.succeed(&["accel", &example("pendulum"), "--json"])).expect("JSON");
    // A horizontal rod: m g l / J about the hinge; the hinge carries what does not fall.
    let exact = 9.81 * 0.5 / (0.083333 + 0.25);
    assert!((json["joints"]["hinge"]["acceleration"][0].as_f64().expect("a number") - exact).abs() < 1e-9);
    let force = json["reactions"]["hinge"]["force"][2].as_f64().expect("a number");
    assert!((force - (9.81 - 0.5 * exact)).abs() < 1e-9, "{force}");
    let text = folder.succeed(&["accel", &example("pendulum")]);
    has(&text, &["hinge                    [14.715]", "force [0, 0, 2.45249]", "energy (J):\n"]);
    assert!(!text.contains("modal accelerations"), "{text}");
}

#[test]
fn export_lists_and_selects() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum"), "--quiet"]);
    let list = folder.succeed(&["export", "pendulum.fxr", "--list"]);
    has(&list, &["time [s]\n", "hinge.angle [rad]\n", "rod.tip.position.x [m]\n", "energy.balance [J]\n"]);
    let table = folder.succeed(&["export", "pendulum.fxr", "-c", "hinge.angle", "energy.k*"]);
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].starts_with("time")
            && lines[0].contains("energy.kinetic")
            && lines[0].contains("hinge.angle")
    );
    assert_eq!(lines.len(), 502);
    assert_eq!(lines[1], "0,0,0");
    assert!(lines[501].starts_with("5,"), "{}", lines[501]);
    folder.succeed(&["export", "pendulum.fxr", "-c", "hinge.angle", "energy.k*", "-o", "part.csv"]);
    assert_eq!(std::fs::read_to_string(folder.file("part.csv")).expect("a table"), table);
}

#[test]
fn a_wrong_channel_name_comes_with_near_ones() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum"), "--quiet"]);
    folder.write("old.csv", "old");
    let text = folder.fail(2, &["export", "pendulum.fxr", "-c", "hinge.angel", "-o", "old.csv"]);
    has(
        &text,
        &["no channel matches `hinge.angel`", "did you mean `hinge.angle`", "export pendulum.fxr --list"],
    );
    assert_eq!(std::fs::read_to_string(folder.file("old.csv")).expect("text"), "old");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum")]);
    for arguments in [
        &["export", "pendulum.fxr"][..],
        &["export", "pendulum.fxr", "--list"],
        &["check", &example("pendulum")],
        &["accel", &example("pendulum")],
        &["run", &example("pendulum")],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = folder.command(arguments).stdout(writer).output().expect("the program starts");
        assert_eq!((output.status.code(), errors(&output).as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn an_event_stops_the_run() {
    let folder = Folder::new();
    let event = "[simulation]\nend = 10.0\n[[simulation.event]]\nname = \"middle\"\n\
                 channel = \"rail.displacement\"\nvalue = 0.0\naction = \"stop\"\n";
    folder.write("m.toml", &block_on_spring("4.0", event));
    let text = folder.succeed(&["run", "m.toml"]);
    // A quarter of the period of 2 pi / 2 s.
    has(&text, &["event `middle` at t = 0.78539816", "stopped by event `middle`"]);
    let result = flexura_results::ResultFile::open(folder.file("m.fxr")).expect("a result");
    let last = *result.time().last().expect("rows");
    assert!((last - std::f64::consts::FRAC_PI_4).abs() < 1e-7, "{last}");
}

#[test]
fn the_linear_range_warning_names_body_mode_and_time() {
    let folder = Folder::new();
    let model = std::fs::read_to_string(example("panel_modes")).expect("an example");
    let bent = model.replace("modal_position = [0.02, 0.0]", "modal_position = [0.02, 0.2]");
    assert_ne!(model, bent);
    folder.write("bent.toml", &bent);
    let output = folder.flexura(&["run", "bent.toml", "--end", "0.1", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    has(&errors(&output), &["warning: mode 2 of body `panel`", "t = 0.000000 s"]);
    assert_eq!(output.stdout, b"", "--quiet");
    let output = folder.flexura(&["run", &example("panel_modes"), "--end", "0.1"]);
    assert_eq!(errors(&output), "", "no warning where nothing bends far");
}

#[test]
fn a_dot_in_the_name_of_the_model_stays() {
    let folder = Folder::new();
    folder.write("rail.v2.toml", &block_on_spring("1.0", ""));
    has(&folder.succeed(&["run", "rail.v2.toml"]), &["rows in rail.v2.fxr"]);
    assert!(folder.file("rail.v2.fxr").exists());
}

#[test]
fn warnings_of_the_model_go_to_standard_error() {
    let folder = Folder::new();
    let model = block_on_spring("1.0", "").replace("axis = [1, 0, 0]", "axis = [2, 0, 0]");
    folder.write("m.toml", &model);
    let output = folder.flexura(&["check", "m.toml"]);
    has(&errors(&output), &["warning", "m.toml:13:"]);
    has(&String::from_utf8_lossy(&output.stdout), &["no errors, 1 warning;"]);
}
