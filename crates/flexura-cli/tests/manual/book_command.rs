//! `flexura book`: pages found, opened, printed and copied.

use crate::common::{Folder, errors, has};
use std::path::PathBuf;
use std::process::Output;

/// A book of two pages, as `book/build` leaves it.
fn small_book(folder: &Folder) -> PathBuf {
    let book = folder.file("some book #1");
    std::fs::create_dir_all(book.join("text/joints")).expect("a folder");
    std::fs::create_dir_all(book.join("joints")).expect("a folder");
    for (name, text) in [
        ("index.html", "<p>first</p>"),
        ("introduction.html", "<p>first</p>"),
        ("joints/weld.html", "<p>weld</p>"),
        ("text/introduction.md", "# First\n"),
        ("text/joints/weld.md", "# Weld\nNo relative motion.\n"),
        ("text/pages.txt", "introduction\tFirst\njoints/weld\tWeld\n"),
    ] {
        std::fs::write(book.join(name), text).expect("a file");
    }
    book
}

fn run(folder: &Folder, arguments: &[&str], book: &PathBuf) -> Output {
    let mut command = folder.command(&[&["book"], arguments].concat());
    // Nobody looks at this screen.
    command.env("FLEXURA_BOOK", book).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.output().expect("the program starts")
}

fn said(folder: &Folder, arguments: &[&str], book: &PathBuf) -> String {
    let output = run(folder, arguments, book);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", errors(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn pages_are_listed_found_printed_and_copied() {
    let folder = Folder::new();
    let book = small_book(&folder);
    assert_eq!(said(&folder, &["--list"], &book), "introduction  First\njoints/weld   Weld\n");
    has(&said(&folder, &[], &book), &["some book #1/index.html"]);
    // By its last part, by its whole name, with the ending of either kind.
    for page in ["weld", "joints/weld", "joints/weld.md", "weld.html"] {
        has(&said(&folder, &[page], &book), &["joints/weld.html"]);
        assert_eq!(said(&folder, &[page, "--text"], &book), "# Weld\nNo relative motion.\n");
    }
    has(&said(&folder, &["--save", "copy"], &book), &["copy/index.html"]);
    let copied = std::fs::read_to_string(folder.file("copy/joints/weld.html")).expect("a page");
    assert_eq!(copied, "<p>weld</p>");
}

#[test]
fn what_is_missing_is_named() {
    let folder = Folder::new();
    let book = small_book(&folder);
    let refused = |arguments: &[&str], book: &PathBuf| {
        let output = run(&folder, arguments, book);
        assert!(!output.status.success(), "{arguments:?}");
        errors(&output)
    };
    has(&refused(&["wel"], &book), &["no page is called `wel`", "did you mean joints/weld?"]);
    has(&refused(&["../../etc/passwd", "--text"], &book), &["no page is called"]);
    has(&refused(&[], &folder.file("nothing")), &["FLEXURA_BOOK", "holds no book"]);
    std::fs::create_dir_all(folder.file("full/inside")).expect("a folder");
    has(&refused(&["--save", "full"], &book), &["not empty"]);
    // Into itself it would be copied without end, however the folder is named.
    std::os::unix::fs::symlink(&book, folder.file("link")).expect("a link");
    for target in ["some book #1/copy", "some book #1/a/b", "link/copy", "full/../some book #1/copy"] {
        has(&refused(&["--save", target], &book), &["--save", "the folder lies in the book itself"]);
        assert!(!book.join("copy").exists() && !book.join("a").exists(), "{target}");
    }
    has(&refused(&["--save", "new/../some book #1/copy"], &book), &["name the folder itself"]);
}
