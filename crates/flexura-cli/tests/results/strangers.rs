//! Files of strangers: names that steer or compute, counts without end, files that are none of the writer's business.

use crate::common::{Folder, block_on_spring, has};
use flexura_results::{Channel, Family, Layout, Writer, WriterOptions};
use std::time::{Duration, Instant};

/// A result of one row whose picture says `picture` and whose model is called `title`.
fn crafted(folder: &Folder, file: &str, title: &str, picture: &str, names: &[&str]) {
    let channels = names.iter().map(|name| Channel::new(*name, "m")).collect();
    let layout = Layout::new(title, "0", "flexura")
        .with_family(Family::new("all", "Everything.", channels))
        .with_metadata("picture", picture);
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(folder.file(file), &layout, &options).expect("a file");
    writer.row().fill(0.0);
    writer.commit().expect("a row");
    writer.finish().expect("an end");
}

#[test]
fn pictures_that_ask_for_more_than_the_file_has_are_refused() {
    let folder = Folder::new();
    for modes in ["1000000000000", "18446744073709551615"] {
        let picture = format!("{{\"bodies\": [{{\"name\": \"b\", \"modes\": {modes}}}]}}");
        crafted(&folder, "bomb.fxr", "bomb", &picture, &["b.position.x"]);
        let started = Instant::now();
        has(
            &folder.fail(5, &["view", "bomb.fxr", "--save", "x.html"]),
            &["the picture in bomb.fxr is damaged"],
        );
        folder.fail(5, &["export", "bomb.fxr", "--output", "x.pvd"]);
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    }
}

/// Names end no script, begin no comment, and stand in tables as texts.
#[test]
fn names_are_no_markup_no_formula_and_no_command() {
    let folder = Folder::new();
    let title = "<!--<script>\u{1b}[2J</script><b>";
    let names = ["=1+1", "+cmd", "-x", "@y", "a\u{1b}[31m\r", "plain"];
    crafted(&folder, "names.fxr", title, "{\"bodies\": []}", &names);
    folder.succeed(&["view", "names.fxr", "--save", "names.html"]);
    let page = std::fs::read_to_string(folder.file("names.html")).expect("a page");
    let start = page.find("type=\"application/json\">").expect("data") + 24;
    let data = &page[start..start + page[start..].find("</script>").expect("an end")];
    assert!(!data.contains('<'), "{data}");
    let read: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(read["scene"]["title"], title);
    assert!(!page[..start].contains("<b>"), "the title is escaped");
    let table = folder.succeed(&["export", "names.fxr"]);
    let head = table.lines().next().expect("a line");
    let cells = "time [s],'=1+1 [m],'+cmd [m],'-x [m],'@y [m],";
    assert!(head.starts_with(cells) && head.ends_with(",plain [m]"), "{head:?}");
    for text in [table.clone(), folder.succeed(&["export", "names.fxr", "--list"])] {
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
    has(&folder.fail(2, &["export", "names.fxr", "--channels", "\u{1b}[2Jx"]), &["\u{fffd}[2Jx"]);
    // In figures as well, which are XML.
    folder.succeed(&["plot", "names.fxr", "a*", "--output", "names.svg"]);
    let figure = std::fs::read_to_string(folder.file("names.svg")).expect("a figure");
    assert!(!figure.contains('\u{1b}') && figure.contains("a\u{fffd}[31m"), "{figure}");
}

/// What a model calls itself is shown by several commands.
#[test]
fn a_model_cannot_steer_the_terminal() {
    let folder = Folder::new();
    let text = block_on_spring("40.0", "[simulation]\nend = 0.1\n");
    folder.write("m.toml", &text.replace("[model]", "[model]\nname = \"\\u001b]0;owned\\u0007<b>&\\u202e\""));
    for command in [&["check", "m.toml"][..], &["run", "m.toml"], &["modes", "m.toml"], &["graph", "m.toml"]]
    {
        let output = folder.flexura(command);
        let said = [output.stdout, output.stderr].concat();
        assert!(
            !said.contains(&0x1b) && !said.contains(&7),
            "{command:?}: {}",
            String::from_utf8_lossy(&said)
        );
    }
    let picture = std::fs::read_to_string(folder.file("m.svg")).expect("a picture");
    assert!(!picture.contains('\u{1b}') && !picture.contains("<b>"), "{picture}");
    folder.write("n.toml", &text.replace("name = \"block\"", "name = \"bl\\u001bock\""));
    let refused = folder.fail(3, &["check", "n.toml"]);
    assert!(!refused.contains('\u{1b}'), "{refused:?}");
}

/// Five files of a few lines that name each other would be read for hours.
#[test]
fn files_that_include_each_other_over_and_over_are_refused() {
    let folder = Folder::in_memory();
    for level in 1..8 {
        folder.write(&format!("y{level}.inp"), &format!("*INCLUDE, INPUT=y{}.inp\n", level + 1).repeat(12));
        folder.write(&format!("y{level}.bdf"), &format!("INCLUDE 'y{}.bdf'\n", level + 1).repeat(12));
    }
    folder.write("y8.inp", "** nothing\n");
    folder.write("y8.bdf", "$ nothing\n");
    let started = Instant::now();
    for deck in ["y1.inp", "y1.bdf"] {
        let output = folder.flexura(&["deck", deck]);
        assert_ne!(output.status.code(), Some(0));
        has(&crate::common::errors(&output), &["too many", "include each file once"]);
    }
    folder.write("p.toml", "mesh = \"y1.inp\"\n[[interface]]\nname = \"a\"\nnode = 1\n");
    has(&folder.fail(3, &["reduce", "p.toml", "--no-files"]), &["too many"]);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

/// A model may name any file; what stands in it is not told to whoever wrote the model.
#[test]
fn messages_hold_no_lines_of_files_that_are_no_models() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    let secrets = [
        ("plain.txt", "root:x:0:0:SECRET1:/root\nsecond SECRET2 line, 1,2\n[SECRET3\n"),
        ("other.toml", "[database]\npassword = \"SECRET4\"\n"),
    ];
    for (name, text) in secrets {
        let path = elsewhere.write(name, text);
        let name = path.to_str().expect("a path of letters");
        folder.write("use.toml", &format!("[[use]]\nname = \"u\"\nfile = \"{name}\"\n"));
        folder.write("fe.toml", &format!("[[body]]\nname = \"b\"\nfe = \"{name}\"\n"));
        folder.write("nodes.inp", &format!("*NODE\n*INCLUDE, INPUT={name}\n"));
        folder.write("steel.inp", &format!("*MATERIAL, NAME=S\n*ELASTIC\n*INCLUDE, INPUT={name}\n"));
        folder.write("cards.bdf", &format!("BEGIN BULK\nINCLUDE '{name}'\n"));
        folder.write("robot.xml", &format!("<mujoco><include file=\"{name}\"/></mujoco>"));
        folder.write("mesh.toml", &format!("mesh = \"{name}\"\nformat = \"nastran\"\n"));
        let matrices = format!("[matrices]\nstiffness = \"{name}\"\nmass = \"{name}\"\nnodes = \"{name}\"\n");
        folder.write("matrices.toml", &matrices);
        let commands = [
            ["check", "use.toml"],
            ["check", "fe.toml"],
            ["deck", "nodes.inp"],
            ["deck", "steel.inp"],
            ["deck", "cards.bdf"],
            ["import", "robot.xml"],
            ["reduce", "mesh.toml"],
            ["reduce", "matrices.toml"],
        ];
        for command in commands {
            let output = folder.flexura(&command);
            let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert_ne!(output.status.code(), Some(0), "{command:?}");
            assert!(!said.contains("SECRET"), "{command:?} of {name}:\n{said}");
            assert!(said.contains(name) || said.contains("interface"), "{command:?} names no file:\n{said}");
        }
    }
}
