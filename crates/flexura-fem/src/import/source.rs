//! The lines of a deck with their places, included files put in.

use super::error::{ImportError, Place};
use std::path::{Path, PathBuf};

/// Deepest nesting of included files.
const DEEPEST: usize = 8;
/// Most included files: eight levels of two includes each are more files than any deck has.
const MOST_FILES: usize = 10_000;
/// A deck beyond this size is not read (bytes).
const LARGEST: u64 = 2_000_000_000;

/// One line of a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// File, by its place in [`Source::files`].
    pub file: usize,
    /// Number in its file, counted from one.
    pub number: usize,
    /// Text without the line ending.
    pub text: String,
}

/// The text of a deck and of everything it includes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Names of the files, the deck itself first.
    pub files: Vec<String>,
    /// Lines in reading order.
    pub lines: Vec<Line>,
    /// Bytes read so far.
    bytes: u64,
}

/// Finds the name of the included file in a line.
pub type IncludeRule = fn(&str) -> Option<String>;

impl Source {
    /// A deck given as text; includes are not followed.
    pub fn from_text(text: &str, file_name: &str) -> Self {
        let mut source = Self { files: vec![file_name.into()], ..Self::default() };
        source.push_text(text, 0);
        source
    }

    /// Reads a deck and the files it includes.
    pub fn read(path: &Path, include: IncludeRule) -> Result<Self, ImportError> {
        let mut source = Self::default();
        source.append(path, include, 0)?;
        Ok(source)
    }

    /// An error at a place. Of an included file of another folder it says where and what is wrong, not what stands there:
    /// whoever wrote the deck may have named a file that is not theirs to read.
    pub fn error(&self, place: &Place, message: impl Into<String>, help: impl Into<String>) -> ImportError {
        let error = ImportError {
            file: self.files.get(place.file).cloned().unwrap_or_default(),
            line: place.line,
            card: place.card.clone(),
            message: message.into(),
            help: help.into(),
            rest: None,
        };
        if self.is_own(place.file) { error } else { error.without_content() }
    }

    /// Whether a file is the deck itself, or lies in its folder.
    fn is_own(&self, file: usize) -> bool {
        let (Some(deck), Some(file)) = (self.files.first(), self.files.get(file)) else { return true };
        flexura::file::lies_beside(Path::new(deck), Path::new(file))
    }

    fn push_text(&mut self, text: &str, file: usize) {
        for (index, line) in text.lines().enumerate() {
            self.lines.push(Line { file, number: index + 1, text: line.to_owned() });
        }
    }

    fn append(&mut self, path: &Path, include: IncludeRule, depth: usize) -> Result<(), ImportError> {
        let text = read_text(path)?;
        self.bytes += text.len() as u64;
        let name = path.display().to_string();
        if self.files.len() >= MOST_FILES || self.bytes > LARGEST {
            let message = "the files that are included are too many, or more than 2 GB together";
            return Err(ImportError::of_file(&name, message, "include each file once"));
        }
        let file = self.files.len();
        self.files.push(name);
        for (index, line) in text.lines().enumerate() {
            let Some(name) = include(line) else {
                self.lines.push(Line { file, number: index + 1, text: line.to_owned() });
                continue;
            };
            let place = Place { file, line: index + 1, card: "INCLUDE".into() };
            if depth >= DEEPEST {
                return Err(self.error(
                    &place,
                    "files include each other too deeply",
                    "include each file once",
                ));
            }
            let inner: PathBuf = path.parent().unwrap_or(Path::new("")).join(&name);
            self.append(&inner, include, depth + 1).map_err(|fault| match fault.line {
                0 => self.error(&place, format!("{}: {}", fault.file, fault.message), fault.help),
                _ => fault,
            })?;
        }
        Ok(())
    }
}

/// The text of a file; bytes that are not UTF-8 are kept out of names by replacement.
pub fn read_text(path: &Path) -> Result<String, ImportError> {
    let bytes = read_plain(path)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|fault| String::from_utf8_lossy(fault.as_bytes()).into_owned()))
}

/// The bytes of a file.
pub fn read_plain(path: &Path) -> Result<Vec<u8>, ImportError> {
    let name = path.display().to_string();
    let unreadable = |fault: std::io::Error| {
        ImportError::of_file(
            &name,
            fault.to_string(),
            "check the name of the file and the folder it is relative to",
        )
    };
    if std::fs::metadata(path).map_err(unreadable)?.len() > LARGEST {
        return Err(ImportError::of_file(
            &name,
            "the file is larger than 2 GB",
            "split the model, or import it reduced",
        ));
    }
    flexura::file::read_plain(path).map_err(unreadable)
}
