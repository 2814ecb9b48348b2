//! `flexura book`: the book, opened without a network, copied, or printed as plain text.
//!
//! The pages lie in a folder beside the program or, in a wheel, beside the extension: 12 MB that a program of its own need not
//! carry, and that `node book/build/build.mjs` writes without compiling anything. Every page has its text beside it,
//! `text/PAGE.md`, with includes put in.

use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The variable that names another folder.
const VARIABLE: &str = "FLEXURA_BOOK";

/// Opens the book in the browser; it needs no network.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  flexura book
  flexura book linear
  flexura book joints/revolute --text
  flexura book --list
  flexura book --save flexura-book")]
pub struct Arguments {
    /// Page, as `--list` names it
    page: Option<String>,
    /// Print the page as plain text
    #[arg(long, requires = "page")]
    text: bool,
    /// Print the names of all pages with their titles
    #[arg(long, conflicts_with_all = ["page", "save"])]
    list: bool,
    /// Copy the book into a folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "page")]
    save: Option<PathBuf>,
}

/// Runs the sub-command.
pub fn book(arguments: &Arguments) -> Outcome {
    let folder = folder()?;
    if let Some(target) = &arguments.save {
        must_lie_outside(target, &folder)?;
        copy(&folder, target)?;
        return print(&format!("{}\n", target.join("index.html").display()));
    }
    let pages = pages(&folder)?;
    if arguments.list {
        let width = pages.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let lines = pages.iter().map(|(name, title)| format!("{name:width$}  {title}\n"));
        return print(&lines.collect::<String>());
    }
    let name = arguments.page.as_deref().map(|asked| find(&pages, asked)).transpose()?;
    match (name, arguments.text) {
        (Some(name), true) => print(&read(&folder.join("text").join(format!("{name}.md")))?),
        (Some(name), false) => show(&folder.join(format!("{name}.html"))),
        (None, _) => show(&folder.join("index.html")),
    }
}

/// Opens a page where there is a screen, and says where it lies in any case.
fn show(page: &Path) -> Outcome {
    let page = page.canonicalize().map_err(|error| Failure::File(format!("{}: {error}", page.display())))?;
    let path = page.display().to_string();
    crate::view::open_in_browser(&file_address(&path));
    print(&format!("{path}\n"))
}

/// The address of a file by its whole path.
fn file_address(path: &str) -> String {
    // Whole paths of Windows begin with `\\?\`, or `\\?\UNC\` on another machine, and have backslashes.
    let path = match (path.strip_prefix(r"\\?\UNC\"), path.strip_prefix(r"\\?\")) {
        (Some(machine), _) => format!("//{}", machine.replace('\\', "/")),
        (None, Some(drive)) => format!("/{}", drive.replace('\\', "/")),
        (None, None) => path.to_string(),
    };
    let coded = path.replace('%', "%25").replace('#', "%23").replace('?', "%3F").replace(' ', "%20");
    if coded.starts_with("//") { format!("file:{coded}") } else { format!("file://{coded}") }
}

/// Refuses to copy the book into itself: the copy would find itself among what is to be copied, without end.
fn must_lie_outside(target: &Path, book: &Path) -> Outcome {
    let Ok(book) = book.canonicalize() else { return Ok(()) };
    // Of what is not there yet the nearest folder that is there decides, with links and `..` resolved.
    let whole = std::path::absolute(target).unwrap_or_else(|_| target.to_path_buf());
    let there = whole.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    let Some((folder, there)) = there else { return Ok(()) };
    let new = whole.strip_prefix(folder).unwrap_or(Path::new(""));
    if new.components().any(|part| part == Component::ParentDir) {
        return Err(Failure::Usage(format!(
            "--save {}: `..` of a folder that is not there leads anywhere; name the folder itself",
            target.display()
        )));
    }
    if there.starts_with(&book) {
        return Err(Failure::Usage(format!(
            "--save {}: the folder lies in the book itself, {}; name one outside",
            target.display(),
            book.display()
        )));
    }
    Ok(())
}

/// The folder of the book: named by the environment, beside this program or the extension that holds it, where an
/// installation keeps such things, or where this repository builds it.
fn folder() -> Result<PathBuf, Failure> {
    let whole = |folder: &PathBuf| folder.join("index.html").is_file() && folder.join("text").is_dir();
    if let Some(named) = std::env::var_os(VARIABLE).map(PathBuf::from) {
        return Some(named.clone()).filter(whole).ok_or_else(|| {
            Failure::File(format!(
                "{VARIABLE}: {} holds no book (no index.html or no folder `text`)",
                named.display()
            ))
        });
    }
    let program = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    let beside = program.iter().flat_map(|program| {
        ["book", "../share/flexura/book", "../book", "../../book"]
            .map(|place| program.with_file_name("").join(place))
    });
    let held = flexura_fem::source::holder().map(|extension| extension.with_file_name("book"));
    beside.chain(held).find(whole).ok_or_else(|| {
        Failure::File(format!(
            "the book is not beside the program: releases and wheels have it there as the folder `book`; in a clone \
             `cd book/build && npm ci && node build.mjs` writes it to target/book; {VARIABLE} names another place"
        ))
    })
}

/// Names and titles of all pages, in the order of the book.
fn pages(folder: &Path) -> Result<Vec<(String, String)>, Failure> {
    let text = read(&folder.join("text/pages.txt"))?;
    Ok(text.lines().filter_map(|line| line.split_once('\t')).map(|(a, b)| (a.into(), b.into())).collect())
}

/// The page that is meant: its name, or the last part of it where only one page has that.
fn find(pages: &[(String, String)], asked: &str) -> Result<String, Failure> {
    let asked = asked.trim_end_matches(".md").trim_end_matches(".html");
    let names = || pages.iter().map(|(name, _)| name);
    let last: Vec<&String> = names().filter(|name| name.rsplit('/').next() == Some(asked)).collect();
    match (names().find(|name| *name == asked), &last[..]) {
        (Some(name), _) => Ok(name.clone()),
        (None, [only]) => Ok((*only).clone()),
        (None, []) => {
            let near: Vec<&str> =
                names().filter(|name| name.contains(asked)).map(String::as_str).take(5).collect();
            let hint = if near.is_empty() {
                "`flexura book --list` has all".into()
            } else {
                format!("did you mean {}?", near.join(", "))
            };
            Err(Failure::Usage(format!("no page is called `{asked}`; {hint}")))
        }
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|name| name.as_str()).collect();
            Err(Failure::Usage(format!("several pages are called `{asked}`: {}", names.join(", "))))
        }
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::File(format!("{}: {error}", path.display())))
}

/// Copies a folder with all that is in it; what is there already stays as it is.
fn copy(from: &Path, to: &Path) -> Outcome {
    let failed = |path: &Path, error: std::io::Error| Failure::File(format!("{}: {error}", path.display()));
    if to.exists() && std::fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Failure::Usage(format!(
            "--save {}: the folder is not empty; name a new one",
            to.display()
        )));
    }
    std::fs::create_dir_all(to).map_err(|error| failed(to, error))?;
    for entry in std::fs::read_dir(from).map_err(|error| failed(from, error))? {
        let path = entry.map_err(|error| failed(from, error))?.path();
        let target = to.join(path.file_name().unwrap_or(OsStr::new("")));
        match path.is_dir() {
            true => copy(&path, &target)?,
            false => drop(std::fs::copy(&path, &target).map_err(|error| failed(&target, error))?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::file_address;

    #[test]
    fn addresses_of_files_hold_any_path() {
        assert_eq!(file_address("/a book/100%/#1?.html"), "file:///a%20book/100%25/%231%3F.html");
        assert_eq!(file_address(r"\\?\C:\a book\index.html"), "file:///C:/a%20book/index.html");
        assert_eq!(file_address(r"\\?\UNC\server\share\index.html"), "file://server/share/index.html");
    }
}
