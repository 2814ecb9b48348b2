//! Files made to grow without end are refused with a clear error.

use super::{Folder, read, refused, words};
use flexura::file;
use std::fmt::Write;

#[test]
fn bombs_are_refused() {
    let huge = refused("[[body]]\nname = \"b{i}\"\nrepeat = 100000000000\npoint_mass = 1\n");
    assert!(huge.to_string().contains("model-size"), "{huge}");
    let nested = refused(
        "[let]\nn = 3000\n[[body]]\nname = \"b{i}\"\nrepeat = \"= n\"\npoint_mass = 1\n\
         [[body.frame]]\nname = \"f{j}_{k}\"\nrepeat = { j = \"= n\", k = \"= n\" }\n",
    );
    assert!(nested.to_string().contains("model-size"), "{nested}");
    // Texts that double.
    let mut text = String::from("[let]\nt0 = \"aaaaaaaaaaaaaaaa\"\n");
    (1..40).for_each(|k| {
        let _ = writeln!(text, "t{k} = \"{{t{0}}}{{t{0}}}\"", k - 1);
    });
    text.push_str("[[body]]\nname = \"{t39}\"\npoint_mass = 1\n");
    assert!(refused(&text).to_string().contains("formula-size"));
    // Lists that double.
    let mut text = String::from("[let]\nt0 = [1, 1]\n");
    (1..60).for_each(|k| {
        let _ = writeln!(text, "t{k} = [\"= t{0}\", \"= t{0}\"]", k - 1);
    });
    text.push_str("[[body]]\nname = \"b\"\npoint_mass = \"= t59\"\n");
    assert!(refused(&text).to_string().contains("model-size"));
    let deep = format!("[let]\nx = \"= {}1{}\"\n", "(".repeat(200), ")".repeat(200));
    assert!(refused(&deep).to_string().contains("formula-size"));
    // A chain of a thousand variables is no cycle and needs no stack.
    let mut text = String::from("[let]\nx0 = 1\n");
    (1..1000).for_each(|k| {
        let _ = writeln!(text, "x{} = \"= x{} + 1\"", k, k - 1);
    });
    let text: String = text
        .lines()
        .rev()
        .filter(|line| *line != "[let]")
        .fold("[let]\n".into(), |all, line| all + line + "\n");
    let model = format!("{text}[[body]]\nname = \"b\"\npoint_mass = \"= x999\"\n");
    assert!(words(&read(&model)).contains("1000.0"));
}

#[test]
fn files_that_use_each_other_are_refused() {
    let doubling = |next: &str| format!("[[use]]\nname = \"a{{i}}\"\nrepeat = 100\nfile = \"{next}\"\n");
    let names: Vec<String> = (0..10).map(|k| format!("f{k}.toml")).collect();
    let mut files: Vec<(&str, String)> = vec![("model.toml", doubling("f0.toml"))];
    for k in 0..9 {
        files.push((&names[k], doubling(&names[k + 1])));
    }
    files.push((&names[9], "[[body]]\nname = \"b\"\npoint_mass = 1\n".into()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = Folder::new("bomb", &files);
    let errors = file::load(folder.model()).expect_err("a bomb").to_string();
    assert!(errors.contains("model-size") && errors.contains("200000 uses"), "{errors}");
}
