//! Every documented exit code, provoked for real.

use crate::common::{Folder, block_on_spring, errors, example, has};
use flexura_results::ResultFile;

/// RK4 with a step a hundred times too large: grows until numbers overflow.
const UNSTABLE: &str = "[simulation]\nend = 10.0\nmethod = \"rk4\"\nstep = 0.01\n";

#[test]
fn success_is_0() {
    let folder = Folder::new();
    let text = folder.succeed(&["run", &example("pendulum")]);
    has(&text, &["501 rows in pendulum.fxr", "flexura export pendulum.fxr --list"]);
    assert_eq!(ResultFile::open(folder.file("pendulum.fxr")).expect("a result").rows(), 501);
}

#[test]
fn wrong_usage_is_2() {
    let folder = Folder::new();
    has(&folder.fail(2, &["fly"]), &["unrecognized subcommand 'fly'"]);
    has(&folder.fail(2, &["run"]), &["<MODEL>"]);
    has(
        &folder.fail(2, &["accel", &example("pendulum"), "--algorithm", "magic"]),
        &["articulated", "composite"],
    );
}

#[test]
fn an_end_in_the_past_is_2_and_writes_nothing() {
    let folder = Folder::new();
    for end in ["-1", "0", "nan"] {
        let text = folder.fail(2, &["run", &example("pendulum"), "--end", end]);
        has(&text, &["--end", "later than the start time 0 s"]);
    }
    assert!(!folder.file("pendulum.fxr").exists());
}

#[test]
fn a_broken_model_is_3_for_every_command() {
    let folder = Folder::new();
    let good = std::fs::read_to_string(example("pendulum")).expect("an example");
    folder.write("broken.toml", &good.replace("rod.pivot", "rod.pivto"));
    for command in ["check", "run", "accel"] {
        let text = folder.fail(3, &[command, "broken.toml"]);
        has(
            &text,
            &["broken.toml:22:", "joint `hinge`", "pivto", "did you mean", "1 error, no model was built"],
        );
    }
    assert!(!folder.file("broken.fxr").exists(), "a broken model must not cost a result");
}

#[test]
fn an_output_pattern_that_matches_nothing_is_3() {
    let folder = Folder::new();
    for (pattern, hint) in [
        ("rail.displacment", "did you mean `rail.displacement`?"),
        ("block.nothing", "channels of `block`: block.position.x"),
        ("blok.*", "did you mean `block.*`?"),
        ("zzz", "energy, power, momentum"),
    ] {
        let tail = format!("[output]\nchannels = [\"energy.*\", \"{pattern}\"]\n");
        folder.write("m.toml", &block_on_spring("1.0", &tail));
        for command in ["check", "run"] {
            let text = folder.fail(3, &[command, "m.toml"]);
            has(&text, &["error[unknown-channel]", "m.toml:18:25", pattern, hint]);
        }
    }
}

#[test]
fn an_event_without_a_channel_is_3() {
    let folder = Folder::new();
    let event = |channel: &str| format!("[[simulation.event]]\nname = \"e\"\nchannel = \"{channel}\"\n");
    folder.write("m.toml", &block_on_spring("1.0", &event("rail.angle")));
    has(&folder.fail(3, &["check", "m.toml"]), &["event `e`", "m.toml:19:", "rail.displacement"]);
    folder.write("m.toml", &block_on_spring("1.0", &event("block.position.?")));
    has(&folder.fail(3, &["check", "m.toml"]), &["matches 3 channels", "one channel"]);
}

#[test]
fn an_unstable_run_is_4_and_keeps_its_rows() {
    let folder = Folder::new();
    folder.write("m.toml", &block_on_spring("1e8", UNSTABLE));
    let text = folder.fail(4, &["run", "m.toml"]);
    has(&text, &["the fixed step of 0.01 s may be too large"]);
    has(&text, &["at t = 0.", "not a finite number", "kept in m.fxr", "flexura export m.fxr"]);
    let table = folder.succeed(&["export", "m.fxr", "--channels", "rail.displacement"]);
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows.len() > 5, "{table}");
    assert_eq!(rows[1], "0,0.1");
    assert!(ResultFile::open(folder.file("m.fxr")).expect("a result").complete());
}

#[test]
fn unreadable_files_are_5() {
    let folder = Folder::new();
    has(&folder.fail(5, &["check", "nowhere.toml"]), &["nowhere.toml", "No such file", "check the name"]);
    has(&folder.fail(5, &["run", "."]), &["cannot read model file ."]);
    folder.write("latin.toml", "");
    std::fs::write(folder.file("latin.toml"), [b'#', 0xe4, b'\n']).expect("a written file");
    has(&folder.fail(5, &["check", "latin.toml"]), &["UTF-8"]);
    has(&folder.fail(5, &["export", "nowhere.fxr"]), &["nowhere.fxr"]);
    folder.write("notes.txt", "no rows");
    has(&folder.fail(5, &["export", "notes.txt"]), &["not a Flexura result file"]);
    has(&folder.fail(2, &["export", &example("pendulum")]), &["is a model", "--output x.fmu"]);
}

#[test]
fn unwritable_places_are_5() {
    let folder = Folder::new();
    has(&folder.fail(5, &["run", &example("pendulum"), "-o", "no/such/folder.fxr"]), &["no/such/folder.fxr"]);
    folder.succeed(&["run", &example("pendulum")]);
    let text = folder.fail(5, &["export", "pendulum.fxr", "-o", "no/such/folder.csv"]);
    has(&text, &["no/such/folder.csv", "No such file"]);
}

#[test]
fn keep_refuses_an_existing_result_with_5() {
    let folder = Folder::new();
    folder.write("pendulum.fxr", "precious");
    let text = folder.fail(5, &["run", &example("pendulum"), "--keep"]);
    has(&text, &["pendulum.fxr exists", "leave out --keep"]);
    assert_eq!(std::fs::read_to_string(folder.file("pendulum.fxr")).expect("text"), "precious");
    // Without the flag it is replaced, and with a free name nothing is in the way.
    folder.succeed(&["run", &example("pendulum")]);
    folder.succeed(&["run", &example("pendulum"), "--keep", "-o", "other.fxr"]);
}

#[test]
fn what_is_read_is_never_replaced() {
    let folder = Folder::new();
    let text = block_on_spring("1.0", "");
    folder.write("m.toml", &text);
    has(&folder.fail(2, &["run", "m.toml", "-o", "./m.toml"]), &["would replace the file that is read"]);
    assert_eq!(std::fs::read_to_string(folder.file("m.toml")).expect("text"), text);
    folder.succeed(&["run", "m.toml"]);
    folder.fail(2, &["export", "m.fxr", "-o", "m.fxr"]);
    folder.succeed(&["export", "m.fxr"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_5() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum")]);
    // Every command that writes a file, into a device that is always full.
    let pendulum = example("pendulum");
    for arguments in [
        &["export", "pendulum.fxr", "-o", "/dev/full"][..],
        &["run", &pendulum, "-o", "/dev/full"],
        &["view", "pendulum.fxr", "--save", "/dev/full"],
    ] {
        let text = folder.fail(5, arguments);
        has(&text, &["No space left", "help: the disk or quota is full"]);
    }
    let output = folder
        .command(&["check", &example("pendulum")])
        .stdout(std::fs::File::create("/dev/full").expect("the full device"))
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(5), "{}", errors(&output));
}

/// A folder in which nobody may write, not even the administrator: that of the kernel's devices.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_5() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum")]);
    let pendulum = example("pendulum");
    for arguments in [
        &["run", &pendulum, "-o", "/sys/x.fxr"][..],
        &["new", "/sys/x"],
        &["plot", "pendulum.fxr", "energy.total", "-o", "/sys/x.svg"],
        &["view", "pendulum.fxr", "--save", "/sys/x.html"],
        &["export", "pendulum.fxr", "-o", "/sys/x.csv"],
        &["export", "pendulum.fxr", "-o", "/sys/x.parquet"],
        &["export", "pendulum.fxr", "-o", "/sys/x.pvd"],
        &["graph", &pendulum, "-o", "/sys/x"],
        &["sweep", &pendulum, "--set", "rod.mass=1", "-c", "energy.total", "-o", "/sys/x"],
    ] {
        let text = folder.fail(5, arguments);
        has(&text, &["/sys/x", "help: you may not write or read there"]);
    }
}

/// What is no plain file is refused by name: a device never ends, a pipe nobody writes to never begins.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused_at_once() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.file("pipe.toml")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let pendulum = example("pendulum");
    for file in ["/dev/zero", "pipe.toml"] {
        for arguments in [
            vec!["check", file],
            vec!["run", file],
            vec!["check", file, "--set", "arm.mass=2"],
            vec!["reduce", file],
            vec!["view", file, "--save", "page.html"],
            vec!["export", file, "--list"],
            vec!["repair", file],
            vec!["inverse", &pendulum, "--motion", file],
            vec!["plot", file, "energy.*", "-o", "e.svg"],
        ] {
            let mut child = folder.command(&arguments);
            let child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
            let mut child = child.spawn().expect("the program starts");
            let mut waited = 0;
            while child.try_wait().expect("a state").is_none() {
                std::thread::sleep(std::time::Duration::from_millis(20));
                waited += 1;
                if waited > 1000 {
                    let _ = child.kill();
                    panic!("{arguments:?} hangs");
                }
            }
            let output = child.wait_with_output().expect("an end");
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success() && text.contains(file), "{arguments:?}: {text}");
            assert!(text.contains("plain file"), "{arguments:?}: {text}");
        }
    }
}
