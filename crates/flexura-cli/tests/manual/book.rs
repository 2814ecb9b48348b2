//! The book: every page is listed, every link and include exists, every example runs, and the tables of parameters are
//! those of the schema of model files. `UPDATE_BOOK=1 cargo test -p flexura-cli --test manual book::` writes the tables anew.

mod parameters;

use crate::common::{Folder, errors};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

pub(super) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files below `folder` with the given ending, in order.
pub(super) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Targets of links and pictures in a text, without those to the network and without anchors.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        for part in line.split("](").skip(1) {
            let target = part.split([')', '#', ' ']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:") {
                found.push(target.to_owned());
            }
        }
    }
    found
}

/// A path without `..`, links not followed.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

/// Files included by a page.
fn includes(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{#include ").skip(1).filter_map(|rest| rest.split("}}").next()).map(str::trim)
}

#[test]
fn every_page_is_listed_and_every_link_resolves() {
    let source = root().join("book/src");
    let summary = read(&source.join("SUMMARY.md"));
    let listed = links(&summary);
    let (mut checked, mut wrong) = (0, Vec::new());
    for page in files(&source, "md") {
        let name = page.strip_prefix(&source).expect("inside").to_string_lossy().into_owned();
        if name != "SUMMARY.md" && !listed.contains(&name) {
            wrong.push(format!("{name} is not in SUMMARY.md"));
        }
        let folder = page.parent().expect("a folder");
        let mut text = read(&page);
        let included: Vec<PathBuf> = includes(&text).map(|target| folder.join(target)).collect();
        for path in included {
            match path.extension().is_some_and(|extension| extension == "md") {
                // Links of an included page are followed from the page that includes it.
                true => text.push_str(&read(&path)),
                false => drop(read(&path)),
            }
            checked += 1;
        }
        for target in links(&text) {
            checked += 1;
            let path = tidy(&folder.join(&target));
            // The playground is put there when the book is built.
            if target == "playground/index.html" {
                continue;
            }
            if !path.exists() {
                wrong.push(format!("{name}: no {target}"));
            } else if !path.starts_with(&source) {
                wrong.push(format!(
                    "{name}: {target} is not part of the book: a reader of the pages cannot follow it"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 120, "only {checked} links and includes were found");
}

#[test]
fn the_tables_of_parameters_are_those_of_the_schema() {
    let update = std::env::var_os("UPDATE_BOOK").is_some();
    let mut tables = 0;
    for page in files(&root().join("book/src"), "md") {
        let text = read(&page);
        let mut renewed = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("<!-- parameters ") {
            let (pointer, after) = after.split_once(" -->\n").expect("an end of the comment");
            let (_, after) = after.split_once("<!-- end -->").expect("an end of the table");
            let table = parameters::table(pointer);
            renewed += &format!("{before}<!-- parameters {pointer} -->\n{table}<!-- end -->");
            rest = after;
            tables += 1;
        }
        renewed += rest;
        if renewed != text {
            assert!(update, "{}: tables differ from the schema; run with UPDATE_BOOK=1", page.display());
            std::fs::write(&page, renewed).expect("a written page");
        }
    }
    assert!(tables >= 35, "only {tables} tables");
}

/// Text right behind a table would become a row of it.
#[test]
fn tables_end_with_an_empty_line() {
    let pages = files(&root().join("book/src"), "md").into_iter();
    let crates = files(&root().join("crates"), "md").into_iter();
    let (mut tables, mut wrong) = (0, Vec::new());
    for page in pages.chain(crates).filter(|page| !page.iter().any(|part| part == "node_modules")) {
        let text = read(&page);
        for (number, (line, next)) in text.lines().zip(text.lines().skip(1)).enumerate() {
            if line.starts_with('|') && !next.starts_with('|') {
                tables += 1;
                if !next.is_empty() && !next.starts_with("<!--") {
                    wrong.push(format!("{}:{}", page.display(), number + 2));
                }
            }
        }
    }
    assert!(wrong.is_empty() && tables > 60, "{tables} tables; text behind one at {wrong:?}");
}

/// A page for every kind that a model file may hold.
#[test]
fn no_kind_is_left_out() {
    let pages: String = files(&root().join("book/src"), "md").iter().map(|page| read(page)).collect();
    for pointer in parameters::kinds() {
        assert!(pages.contains(&format!("<!-- parameters {pointer} -->")), "no page for {pointer}");
    }
}

#[test]
fn every_example_of_the_book_runs_without_a_warning() {
    let folder = Folder::new();
    let pages: String = files(&root().join("book/src"), "md").iter().map(|page| read(page)).collect();
    let examples = files(&root().join("book/examples"), "toml");
    assert!(examples.len() >= 35, "only {} examples", examples.len());
    for example in examples {
        let name = example.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(pages.contains(&format!("examples/{name}")), "no page shows {name}");
        let output = folder.flexura(&["run", &example.display().to_string(), "-o", "e.fxr"]);
        let text = errors(&output);
        assert!(output.status.success() && !text.contains("warning"), "{name}: {text}");
    }
}

#[test]
fn the_gallery_shows_a_small_picture_of_every_model_in_it() {
    let gallery = read(&root().join("book/src/gallery.md"));
    let shown: Vec<String> = links(&gallery).into_iter().filter(|link| link.ends_with(".png")).collect();
    assert!(shown.len() >= 12, "{} pictures", shown.len());
    for picture in files(&root().join("book/src/pictures"), "png") {
        let size = std::fs::metadata(&picture).expect("a file").len();
        assert!(size < 60_000, "{} has {size} bytes", picture.display());
    }
    for model in files(&root().join("models/gallery"), "toml") {
        let name = model.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(gallery.contains(&format!("gallery/{name}")), "{name} is not in the gallery");
    }
}

#[test]
fn every_command_has_a_line_in_the_book() {
    let help = Folder::new().succeed(&["--help"]);
    let page = read(&root().join("book/src/commands.md"));
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands = commands.take_while(|line| !line.trim().is_empty());
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 12, "{help}");
    for name in names.into_iter().filter(|name| *name != "help") {
        assert!(page.contains(&format!("`flexura {name}")), "no line about {name}");
    }
}

/// Builds the book where mdBook is installed; links are checked above without it.
#[test]
fn mdbook_builds_it_where_it_is_installed() {
    let Ok(version) = Command::new("mdbook").arg("--version").output() else {
        println!("mdbook is not installed: links, includes and examples are checked, pages are not built");
        return;
    };
    assert!(version.status.success());
    let folder = Folder::new();
    let built =
        Command::new("mdbook").arg("build").arg(root().join("book")).arg("-d").arg(folder.path()).output();
    let built = built.expect("mdbook runs");
    assert!(built.status.success(), "{}", errors(&built));
}
