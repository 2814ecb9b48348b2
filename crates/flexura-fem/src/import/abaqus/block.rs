//! Keyword lines with their parameters and data lines.

use super::super::error::{ImportError, Place};
use super::super::number::{identity, real};
use super::super::source::Source;

/// A keyword with everything up to the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub place: Place,
    /// Keyword in capitals, without the star.
    pub keyword: String,
    /// Parameters in capitals with their values as written.
    pub parameters: Vec<(String, Option<String>)>,
    /// Data lines, split at commas.
    pub data: Vec<Data>,
}

/// One data line.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub file: usize,
    pub line: usize,
    pub words: Vec<String>,
    /// Whether the line ends with a comma: the next one continues it.
    pub open: bool,
}

/// Splits a deck into blocks; what follows `*STEP` up to `*END STEP` is left out.
pub(super) fn blocks(source: &Source) -> Result<Vec<Block>, ImportError> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut continues, mut in_step) = (false, false);
    for line in &source.lines {
        let text = line.text.trim();
        if text.starts_with("**") || text.is_empty() && continues {
            continue;
        }
        if let (Some(rest), false) = (text.strip_prefix('*'), continues) {
            let block = start(rest, line.file, line.number);
            continues = rest.trim_end().ends_with(',');
            match block.keyword.as_str() {
                "END STEP" => in_step = false,
                "STEP" => {
                    in_step = true;
                    blocks.push(block);
                }
                _ if in_step => {}
                _ => blocks.push(block),
            }
            continue;
        }
        if in_step {
            continues = false;
            continue;
        }
        let Some(block) = blocks.last_mut() else {
            if text.is_empty() {
                continue;
            }
            let place = Place { file: line.file, line: line.number, card: String::new() };
            let help = "an Abaqus or CalculiX deck starts with a keyword such as *NODE";
            return Err(source.error(&place, "data before the first keyword", help));
        };
        if continues {
            block.parameters.extend(parameters(text));
            continues = text.ends_with(',');
            continue;
        }
        // An empty line is data for springs only, where it stands for an empty list.
        if text.is_empty() && block.keyword != "SPRING" {
            continue;
        }
        let open = text.ends_with(',');
        let words =
            text.strip_suffix(',').unwrap_or(text).split(',').map(|word| word.trim().to_owned()).collect();
        block.data.push(Data { file: line.file, line: line.number, words, open });
    }
    Ok(blocks)
}

fn start(rest: &str, file: usize, line: usize) -> Block {
    let (keyword, tail) = rest.split_once(',').unwrap_or((rest, ""));
    let words: Vec<&str> = keyword.split_whitespace().collect();
    let keyword = canonical(words.join(" ").to_ascii_uppercase());
    let place = Place { file, line, card: format!("*{keyword}") };
    Block { place, keyword, parameters: parameters(tail), data: Vec::new() }
}

/// A keyword with the blanks that belong to it: CalculiX reads *SOLIDSECTION too.
fn canonical(keyword: String) -> String {
    const SPACED: [&str; 14] = [
        "SOLID SECTION",
        "SHELL SECTION",
        "BEAM SECTION",
        "BEAM GENERAL SECTION",
        "RIGID BODY",
        "INITIAL CONDITIONS",
        "CONTACT PAIR",
        "SURFACE INTERACTION",
        "SURFACE BEHAVIOR",
        "PHYSICAL CONSTANTS",
        "SPECIFIC HEAT",
        "NODAL THICKNESS",
        "CYCLIC SYMMETRY MODEL",
        "DISTRIBUTING COUPLING",
    ];
    let plain = |word: &str| word.replace(' ', "");
    let own = plain(&keyword);
    SPACED.iter().find(|word| plain(word) == own).map_or(keyword, |word| (*word).to_owned())
}

fn parameters(text: &str) -> Vec<(String, Option<String>)> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| match part.split_once('=') {
            Some((name, value)) => (normal(name), Some(value.trim().trim_matches('"').to_owned())),
            None => (normal(part), None),
        })
        .collect()
}

fn normal(name: &str) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_uppercase();
    match name.as_str() {
        "REFNODE" => "REF NODE".into(),
        "ROTNODE" => "ROT NODE".into(),
        _ => name,
    }
}

impl Block {
    /// An error at the keyword.
    pub fn error(&self, source: &Source, message: impl Into<String>, help: impl Into<String>) -> ImportError {
        source.error(&self.place, message, help)
    }

    /// An error at a data line.
    pub fn error_at(
        &self,
        data: &Data,
        source: &Source,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> ImportError {
        source.error(&self.place_of(data), message, help)
    }

    /// Place of a data line.
    pub fn place_of(&self, data: &Data) -> Place {
        Place { file: data.file, line: data.line, card: self.place.card.clone() }
    }

    /// Whether a parameter is given.
    pub fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|(key, _)| key == name)
    }

    /// Value of a parameter.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).and_then(|(_, value)| value.as_deref())
    }

    /// Value of a parameter in capitals, or an error.
    pub fn need(&self, name: &str, source: &Source) -> Result<String, ImportError> {
        let missing =
            || self.error(source, format!("the parameter {name} is missing"), format!("add {name}="));
        self.value(name).map(str::to_ascii_uppercase).ok_or_else(missing)
    }

    /// Refuses parameters that are not in a list.
    pub fn only(&self, known: &[&str], source: &Source) -> Result<(), ImportError> {
        match self.parameters.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => {
                let message = format!("the parameter {key} is not supported here");
                Err(self.error(source, message, format!("supported: {}", known.join(", "))))
            }
        }
    }

    /// The data line at a place, or an error.
    pub fn line(&self, index: usize, what: &str, source: &Source) -> Result<&Data, ImportError> {
        let missing =
            || self.error(source, format!("{what} is missing"), "add the data line after the keyword");
        self.data.get(index).ok_or_else(missing)
    }

    /// Number of a data line.
    pub fn real(&self, data: &Data, index: usize, what: &str, source: &Source) -> Result<f64, ImportError> {
        let word = data.words.get(index).map_or("", String::as_str);
        real(word).ok_or_else(|| {
            let message = format!("{what} is `{word}`, not a number");
            self.error_at(data, source, message, "numbers are finite, such as 1.5 or 2.1e11")
        })
    }

    /// Number of a data line, with a default where it is left out.
    pub fn real_or(
        &self,
        data: &Data,
        index: usize,
        default: f64,
        what: &str,
        source: &Source,
    ) -> Result<f64, ImportError> {
        match data.words.get(index).is_none_or(|word| word.is_empty()) {
            true => Ok(default),
            false => self.real(data, index, what, source),
        }
    }

    /// Number of an item on a data line.
    pub fn identity(&self, data: &Data, word: &str, what: &str, source: &Source) -> Result<u64, ImportError> {
        identity(word).ok_or_else(|| {
            let message = format!("{what} is `{word}`, not a positive whole number");
            self.error_at(data, source, message, "numbers of nodes and elements count from one")
        })
    }
}
