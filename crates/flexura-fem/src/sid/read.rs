//! Reads SID files: every line is understood, or refused by its number.

use super::{SidFile, SidNode, Taylor};
use std::fmt;
use std::path::Path;

/// Most modes and rows: a count beyond is a torn file, not a body.
const LARGEST: usize = 4096;

/// What the first line says of its counts.
pub(super) const COUNTED: &str = "No. nodes, No. modes:";

/// Why a SID file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SidError {
    /// File as it was named.
    pub file: String,
    /// Line, counted from one; zero for the file as a whole.
    pub line: usize,
    /// The cause.
    pub message: String,
}

impl fmt::Display for SidError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(out, "{}: {}", self.file, self.message),
            line => write!(out, "{}:{line}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for SidError {}

/// Reads the SID file at `path`.
pub fn read(path: &Path) -> Result<SidFile, SidError> {
    let file = path.display().to_string();
    let text = flexura::file::read_plain_text(path);
    let text = text.map_err(|error| SidError { file: file.clone(), line: 0, message: error.to_string() })?;
    parse(&text).map_err(|(line, message)| SidError { file, line, message })
}

type Fault = (usize, String);

/// A line of the file in its parts: word, then what stands behind `=`.
struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    number: usize,
}

impl<'t> Lines<'t> {
    /// The next line that says something.
    fn next(&mut self) -> Result<(&'t str, Option<&'t str>), Fault> {
        for (index, line) in self.lines.by_ref() {
            self.number = index + 1;
            let line = line.trim();
            if !line.is_empty() {
                return Ok(match line.split_once('=') {
                    Some((word, value)) => (word.trim(), Some(value.trim())),
                    None => (line, None),
                });
            }
        }
        Err((self.number, "the file ends before `end part`: it is torn".into()))
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        Err((self.number, message.into()))
    }

    /// A line that must say `word`.
    fn expect(&mut self, word: &str) -> Result<Option<&'t str>, Fault> {
        let (found, value) = self.next()?;
        match found.eq_ignore_ascii_case(word) {
            true => Ok(value),
            false => self.fault(format!("`{found}` where `{word}` is expected")),
        }
    }

    fn count(&self, value: Option<&str>) -> Result<usize, Fault> {
        let count = value.and_then(|value| value.parse().ok()).filter(|&count| count <= LARGEST);
        count.ok_or_else(|| (self.number, format!("`{}` is no count", value.unwrap_or_default())))
    }

    /// A number with `D` or `E` before its exponent.
    fn number(&self, value: Option<&str>) -> Result<f64, Fault> {
        let text = value.unwrap_or_default().replace(['D', 'd'], "E");
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| (self.number, format!("`{}` is no finite number", value.unwrap_or_default())))
    }
}

/// The words of an `end` line, without `end`.
fn ended(word: &str) -> Option<&str> {
    let (first, rest) = word.split_once(char::is_whitespace).unwrap_or((word, ""));
    first.eq_ignore_ascii_case("end").then_some(rest.trim())
}

/// Reads the text of a SID file.
fn parse(text: &str) -> Result<SidFile, Fault> {
    let mut file = SidFile::default();
    let mut all = text.lines().enumerate();
    let first = all.next().map(|(_, line)| line).unwrap_or_default();
    let (counts, comment) = first.split_once(':').unwrap_or((first, ""));
    let counts: Vec<Option<usize>> = counts.split_whitespace().map(|word| word.parse().ok()).collect();
    let [Some(node_count), Some(mode_count)] = counts[..] else {
        return Err((1, "the first line has no counts of nodes and modes: this is no SID file".into()));
    };
    file.comment = comment.strip_prefix(COUNTED).unwrap_or(comment).trim().to_owned();
    let mut lines = Lines { lines: all, number: 1 };
    lines.expect("part")?;
    lines.expect("new modal")?;
    read_reference(&mut lines, &mut file)?;
    let n = file.modes.len();
    if n != mode_count {
        return lines.fault(format!("nelastq is {n}, but the first line promises {mode_count} modes"));
    }
    loop {
        let (word, _) = lines.next()?;
        if let Some(what) = ended(word) {
            match what.to_ascii_lowercase().as_str() {
                "modal" => break,
                _ => return lines.fault(format!("`{word}` ends nothing that was begun")),
            }
        }
        if word.eq_ignore_ascii_case("frame") {
            read_frame(&mut lines, &mut file)?;
            continue;
        }
        read_coefficient(word, &mut lines, &mut file)?;
    }
    lines.expect("end part")?;
    if file.nodes.len() != node_count {
        let found = file.nodes.len();
        return Err((1, format!("the first line promises {node_count} nodes, but there are {found}")));
    }
    Ok(file)
}

/// One of the blocks of the whole body.
fn read_coefficient(word: &str, lines: &mut Lines<'_>, file: &mut SidFile) -> Result<(), Fault> {
    let n = file.modes.len();
    let begun = lines.number;
    let (slot, rows, columns) = match word {
        "mdCM" => (&mut file.moment, 3, 1),
        "J" => (&mut file.inertia, 6, 1),
        "Ct" => (&mut file.translation, n, 3),
        "Cr" => (&mut file.rotation, n, 3),
        "Me" => (&mut file.modal_mass, n, n),
        "Gr" => (&mut file.gyroscopic_rotation, 3, 3 * n),
        "Ge" => (&mut file.gyroscopic_modes, n, 3 * n),
        "Oe" => (&mut file.centrifugal, n, 6),
        "ksigma" => (&mut file.initial_stress, n, 1),
        "Ke" => (&mut file.stiffness, n, n),
        "De" => (&mut file.damping, n, n),
        _ => return lines.fault(format!("`{word}` is no block of a SID file")),
    };
    let found = read_taylor(word, n, lines)?;
    if (found.rows, found.columns) != (rows, columns) {
        let message = format!("`{word}` is {} × {}, not {rows} × {columns}", found.rows, found.columns);
        return Err((begun, message));
    }
    *slot = found;
    Ok(())
}

/// Mass and modes.
fn read_reference(lines: &mut Lines<'_>, file: &mut SidFile) -> Result<(), Fault> {
    lines.expect("refmod")?;
    loop {
        let (word, value) = lines.next()?;
        if ended(word).is_some() {
            break;
        }
        let lower = word.to_ascii_lowercase();
        if lower == "mass" {
            file.mass = lines.number(value)?;
        } else if lower == "nelastq" {
            file.modes = vec![String::new(); lines.count(value)?];
        } else if let Some(index) = lower.strip_prefix("ielastq") {
            let index = index.trim().trim_start_matches('(').trim_end_matches(')').trim();
            let slot = index.parse::<usize>().ok().and_then(|k| file.modes.get_mut(k.checked_sub(1)?));
            match slot {
                Some(slot) => *slot = value.unwrap_or_default().to_owned(),
                None => return lines.fault(format!("`{word}` names no mode")),
            }
        } else {
            return lines.fault(format!("`{word}` is no word of `refmod`"));
        }
    }
    if file.mass <= 0.0 || file.modes.is_empty() {
        return lines.fault("`refmod` gives no mass or no modes");
    }
    Ok(())
}

/// All nodes.
fn read_frame(lines: &mut Lines<'_>, file: &mut SidFile) -> Result<(), Fault> {
    loop {
        let (word, value) = lines.next()?;
        if ended(word).is_some() {
            return Ok(());
        }
        if !word.eq_ignore_ascii_case("new node") {
            return lines.fault(format!("`{word}` where `new node` is expected"));
        }
        let name = value.unwrap_or_default().to_owned();
        let node = read_node(SidNode { name, line: lines.number, ..SidNode::default() }, lines, file)?;
        file.nodes.push(node);
    }
}

fn read_node(mut node: SidNode, lines: &mut Lines<'_>, file: &mut SidFile) -> Result<SidNode, Fault> {
    let n = file.modes.len();
    loop {
        let (word, value) = lines.next()?;
        if ended(word).is_some() {
            break;
        }
        let (slot, rows, columns) = match word {
            "rframe" => match value.is_some_and(|value| value.eq_ignore_ascii_case("body ref")) {
                true => continue,
                false => return lines.fault("nodes are read in axes of the body only (`rframe = body ref`)"),
            },
            "origin" => (&mut node.origin, 3, 1),
            "phi" => (&mut node.translations, 3, n),
            "psi" => (&mut node.rotations, 3, n),
            "AP" => (&mut node.axes, 3, 3),
            "sigma" => {
                file.left_out.push((lines.number, "sigma (stresses)".into()));
                read_taylor(word, n, lines)?;
                continue;
            }
            _ => return lines.fault(format!("`{word}` is no word of a node")),
        };
        let begun = lines.number;
        let found = read_taylor(word, n, lines)?;
        if (found.rows, found.columns) != (rows, columns) {
            let message = format!("`{word}` is {} × {}, not {rows} × {columns}", found.rows, found.columns);
            return Err((begun, message));
        }
        *slot = found;
    }
    Ok(node)
}

/// Numbers of the head of a block.
#[derive(Default)]
struct Head {
    order: usize,
    rows: usize,
    columns: usize,
    coordinates: usize,
    structure: usize,
}

/// A block up to its end.
fn read_taylor(name: &str, modes: usize, lines: &mut Lines<'_>) -> Result<Taylor, Fault> {
    let mut head = Head::default();
    for word in ["order", "nrow", "ncol", "nq", "nqn", "structure"] {
        let value = lines.expect(word)?;
        let count = lines.count(value)?;
        match word {
            "order" if count > 1 => {
                return lines.fault(format!("`{name}` of order {count}: orders 0 and 1 are read"));
            }
            "nqn" if count > 0 => return lines.fault(format!("`{name}` with nqn = {count}: only 0 is read")),
            "structure" if count > 4 => {
                return lines.fault(format!("structure {count}: structures are 0 to 4"));
            }
            "nq" if count != modes => {
                return lines.fault(format!("nq is {count}, but there are {modes} modes"));
            }
            _ => {}
        }
        match word {
            "order" => head.order = count,
            "nrow" => head.rows = count,
            "ncol" => head.columns = count,
            "nq" => head.coordinates = count,
            "structure" => head.structure = count,
            _ => {}
        }
    }
    if head.rows * head.columns > LARGEST * LARGEST {
        return lines.fault(format!("`{name}` is too large"));
    }
    let mut block = Taylor::zero(head.rows, head.columns, head.coordinates);
    if head.structure == 4 {
        (0..head.rows.min(head.columns)).for_each(|i| block.constant[i * head.columns + i] = 1.0);
    }
    loop {
        let (word, value) = lines.next()?;
        if let Some(what) = ended(word) {
            return match what.eq_ignore_ascii_case(name) {
                true => Ok(block),
                false => lines.fault(format!("`{word}` where `end {name}` is expected")),
            };
        }
        let number = lines.number(value)?;
        entry(word, number, &head, &mut block)
            .map_err(|why| (lines.number, format!("`{word}` of `{name}`: {why}")))?;
    }
}

/// Puts `m0( i, j)` or `m1( i, q, j)` into its place.
fn entry(word: &str, number: f64, head: &Head, block: &mut Taylor) -> Result<(), &'static str> {
    let (kind, rest) = word.split_once('(').ok_or("is no entry")?;
    let inside = rest.trim_end().strip_suffix(')').ok_or("has no closing bracket")?;
    let index: Option<Vec<usize>> =
        inside.split(',').map(|part| part.trim().parse::<usize>().ok()?.checked_sub(1)).collect();
    let index = index.ok_or("indices count from one")?;
    match (kind.trim().to_ascii_lowercase().as_str(), &index[..]) {
        ("m0", &[i, j]) if i < head.rows && j < head.columns => {
            match head.structure {
                0 | 4 => return Err("a block that is zero or the unit has no entries"),
                1 if i != j => return Err("a diagonal block has entries on its diagonal only"),
                2 if j < head.rows && i < head.columns => block.constant[j * head.columns + i] = number,
                _ => {}
            }
            block.constant[i * head.columns + j] = number;
            Ok(())
        }
        ("m1", &[i, q, j]) if i < head.rows && q < head.coordinates && j < head.columns => {
            if head.order == 0 {
                return Err("a block of order 0 has no m1");
            }
            if block.linear.is_empty() {
                block.linear = vec![0.0; head.rows * head.coordinates * head.columns];
            }
            block.linear[(i * head.coordinates + q) * head.columns + j] = number;
            Ok(())
        }
        ("m0" | "m1", _) => Err("the indices do not fit the block"),
        _ => Err("entries are m0 and m1"),
    }
}
