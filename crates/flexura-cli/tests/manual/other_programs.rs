//! Robots and bodies of other programs by the command line.

use crate::common::{Folder, errors, example, has};

fn robot() -> String {
    format!("{}/../../models/robots/two_links.urdf", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_robot_becomes_a_model_that_runs() {
    let folder = Folder::new();
    let output = folder.flexura(&["import", &robot()]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    has(&String::from_utf8_lossy(&output.stdout), &["wrote two_links.toml", "flexura run two_links.toml"]);
    has(&errors(&output), &["notice: ", "limits of a joint: are watched by events"]);
    folder.succeed(&["run", "two_links.toml", "--quiet"]);
    let text = std::fs::read_to_string(folder.file("two_links.toml")).expect("a model");
    has(&text, &["# Imported from two_links.urdf", "name = \"two links\"", "box = [0.6, 0.05, 0.05]"]);
    let printed = folder.succeed(&["import", &robot(), "--output", "-"]);
    assert_eq!(printed, text);
}

#[test]
fn links_bend_where_a_table_says_so() {
    let folder = Folder::new();
    let table = robot().replace("two_links.urdf", "two_links_flexible.toml");
    folder.succeed(&["import", &robot(), "-o", "soft.toml", "--flexible", &table]);
    has(&folder.succeed(&["check", "soft.toml"]), &["2: 1 rigid, 1 flexible"]);
    has(&folder.fail(2, &["import", &robot(), "--flexible", "=x"]), &["write LINK=PART"]);
    has(&folder.fail(2, &["import", &robot(), "--flexible", "none.toml"]), &["cannot read none.toml"]);
    has(
        &folder.fail(3, &["import", &robot(), "--flexible", "upper=none.toml"]),
        &["link `upper` cannot be made flexible"],
    );
}

#[test]
fn refusals_have_lines_and_exit_codes() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(robot()).expect("a robot");
    folder.write(
        "mimic.urdf",
        &text.replacen("<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><mimic joint=\"elbow\"/>", 1),
    );
    let message = folder.fail(3, &["import", "mimic.urdf"]);
    has(
        &message,
        &[
            "error: mimic.urdf:",
            "<mimic> ties the joint rigidly",
            "1 error, no model was written",
            "--leave-out",
        ],
    );
    assert!(!folder.file("mimic.toml").exists());
    has(&errors(&folder.flexura(&["import", "mimic.urdf", "--leave-out"])), &["left out: <mimic>"]);
    folder.fail(5, &["import", "none.urdf"]);
    has(
        &folder.fail(2, &["import", "mimic.urdf", "-o", "mimic.urdf"]),
        &["would replace the file that is read"],
    );
}

#[test]
fn a_body_is_written_as_standard_input_data_and_read_again() {
    let folder = Folder::new();
    let output = folder.flexura(&["export", &example("spin_up_beam"), "--body", "beam"]);
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    has(&errors(&output), &["SID cannot hold: modal mass of first and second order"]);
    has(&String::from_utf8_lossy(&output.stdout), &["wrote beam.SID_FEM: 5 modes, 1 nodes"]);
    let model = "[[body]]\nname = \"beam\"\nfe = \"beam.SID_FEM\"\n[[joint]]\nname = \"root\"\ntype = \"revolute\"\n\
                 between = [\"ground.origin\", \"beam.origin\"]\n[simulation]\nend = 0.05\n";
    folder.write("model.toml", model);
    let output = folder.flexura(&["check", "model.toml"]);
    has(&errors(&output), &["runs at level `consistent`"]);
    has(&String::from_utf8_lossy(&output.stdout), &["1: 0 rigid, 1 flexible"]);
    folder.succeed(&["run", "model.toml", "--quiet"]);
    has(&folder.fail(2, &["export", &example("spin_up_beam"), "--body", "hub"]), &["the body is rigid"]);
    has(&folder.fail(2, &["export", &example("spin_up_beam"), "--body", "bean"]), &["flexible bodies: beam"]);
    has(&folder.fail(2, &["export", &example("spin_up_beam")]), &["is a model: write it as an FMU"]);
    let wrong = folder.fail(2, &["export", &example("spin_up_beam"), "--body", "beam", "-o", "beam.csv"]);
    has(&wrong, &["ending in .SID_FEM"]);
}
