//! Binary Gmsh meshes, formats 2.2 and 4.1 (Gmsh reference manual, "File formats"), as the text of the same mesh.
//!
//! Their sections hold the numbers of the text in its order, as ints, sizes and doubles; every double is written with all its
//! digits, so that a binary mesh is that of the text to the last bit. Counts are never trusted for memory: each number must be there.

use super::{SUPPORTED, shape_of};
use std::borrow::Cow;
use std::fmt::Write;

/// Where the bytes of a mesh are read; the larger byte first or last.
struct Cursor<'a> {
    bytes: &'a [u8],
    next: usize,
    little: bool,
    /// Bytes of a size.
    wide: usize,
    /// A type of elements that is not read.
    strange: Option<i64>,
    /// A version that is not read.
    other: Option<String>,
}

/// Whether a mesh says that it is binary.
pub fn is_binary(bytes: &[u8]) -> bool {
    let mut lines = bytes.splitn(3, |byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.next() == Some(b"$MeshFormat")
        && lines.next().is_some_and(|line| line.split(|byte| *byte == b' ').nth(1) == Some(b"1"))
}

/// The text of a binary mesh; otherwise the section under way and what is wrong with it.
pub fn text(bytes: &[u8]) -> Result<String, (String, String)> {
    let mut cursor = Cursor { bytes, next: 0, little: true, wide: 8, strange: None, other: None };
    let (mut out, mut version) = (String::new(), 0);
    while let Some(line) = cursor.line() {
        let Some(name) = line.strip_prefix('$') else {
            if line.is_empty() {
                continue;
            }
            return Err((String::new(), format!("`{line}` stands outside of sections")));
        };
        let name = name.to_owned();
        let section = format!("${name}");
        let fault = |message: String| (section.clone(), message);
        let _ = writeln!(out, "${name}");
        let read = match (name.as_str(), version) {
            ("MeshFormat", _) => cursor.format(&mut out).map(|read| version = read),
            ("Nodes", 2) => cursor.nodes_2(&mut out),
            ("Nodes", _) => cursor.nodes_4(&mut out),
            ("Elements", 2) => cursor.elements_2(&mut out),
            ("Elements", _) => cursor.elements_4(&mut out),
            ("Entities", _) => cursor.entities(&mut out),
            // Text in binary files too.
            ("PhysicalNames", _) => cursor.names(&mut out),
            _ => Some(()),
        };
        read.ok_or_else(|| fault(cursor.reason()))?;
        cursor.end(&name, matches!(name.as_str(), "Nodes" | "Elements" | "Entities")).ok_or_else(|| {
            fault(format!("the section does not end with $End{name}: its counts and bytes disagree"))
        })?;
        let _ = writeln!(out, "$End{name}");
    }
    Ok(out)
}

impl<'a> Cursor<'a> {
    /// The rest of a line.
    fn line(&mut self) -> Option<Cow<'a, str>> {
        let rest = self.bytes.get(self.next..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.next = (self.next + length + 1).min(self.bytes.len());
        // Names may be in other letters, as those of text are.
        Some(match String::from_utf8_lossy(&rest[..length]) {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        })
    }

    fn reason(&self) -> String {
        if let Some(version) = &self.other {
            return format!("version {version} is not supported");
        }
        if let Some(kind) = self.strange {
            return format!("elements of type {kind} are not supported ({SUPPORTED})");
        }
        match self.next >= self.bytes.len() {
            true => "the file ends too early".into(),
            false => "its bytes are not those of the format".into(),
        }
    }

    fn bits(&mut self, width: usize) -> Option<u64> {
        let end = self.next.checked_add(width)?;
        let Some(bytes) = self.bytes.get(self.next..end) else {
            self.next = self.bytes.len();
            return None;
        };
        self.next = end;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Some(if self.little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    }

    fn int(&mut self) -> Option<i64> {
        self.bits(4).map(|bits| i64::from(bits as u32 as i32))
    }

    fn size(&mut self) -> Option<u64> {
        self.bits(self.wide)
    }

    fn real(&mut self) -> Option<f64> {
        self.bits(8).map(f64::from_bits)
    }

    /// Head with version, and an int one that tells the order of bytes.
    fn format(&mut self, out: &mut String) -> Option<u8> {
        let line = self.line()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let version = match *words.first()? {
            word if word.starts_with("2.") => 2,
            word if word.starts_with("4.1") => 4,
            other => {
                self.other = Some(other.to_owned());
                return None;
            }
        };
        if version == 4 {
            self.wide = words.get(2)?.parse().ok().filter(|wide| matches!(wide, 4 | 8))?;
        }
        let _ = writeln!(out, "{} 0 8", words[0]);
        self.little = self.bytes.get(self.next) == Some(&1);
        (self.int()? == 1).then_some(version)
    }

    fn names(&mut self, out: &mut String) -> Option<()> {
        let count: usize = self.line()?.parse().ok()?;
        let _ = writeln!(out, "{count}");
        for _ in 0..count {
            let _ = writeln!(out, "{}", self.line()?);
        }
        Some(())
    }

    /// What stands between the numbers of a section and the next one. Sections that are not read are passed over.
    fn end(&mut self, name: &str, numbers: bool) -> Option<()> {
        let mark = format!("$End{name}");
        let rest = self.bytes.get(self.next..)?;
        let place = rest.windows(mark.len()).position(|window| window == mark.as_bytes())?;
        if numbers && !rest[..place].trim_ascii().is_empty() {
            return None;
        }
        self.next += place;
        self.line().map(|_| ())
    }

    fn nodes_of(&mut self, kind: i64) -> Option<usize> {
        let found = u64::try_from(kind).ok().and_then(shape_of).map(|(_, nodes)| nodes);
        self.strange = if found.is_none() { Some(kind) } else { None };
        found
    }

    fn nodes_2(&mut self, out: &mut String) -> Option<()> {
        let count: u64 = self.line()?.parse().ok()?;
        let _ = writeln!(out, "{count}");
        for _ in 0..count {
            let (number, x, y, z) = (self.int()?, self.real()?, self.real()?, self.real()?);
            let _ = writeln!(out, "{number} {x:?} {y:?} {z:?}");
        }
        Some(())
    }

    fn nodes_4(&mut self, out: &mut String) -> Option<()> {
        let head: [u64; 4] = [self.size()?, self.size()?, self.size()?, self.size()?];
        let _ = writeln!(out, "{} {} {} {}", head[0], head[1], head[2], head[3]);
        for _ in 0..head[0] {
            let (dimension, tag, parametric, count) = (self.int()?, self.int()?, self.int()?, self.size()?);
            let _ = writeln!(out, "{dimension} {tag} {parametric} {count}");
            for _ in 0..count {
                let number = self.size()?;
                let _ = writeln!(out, "{number}");
            }
            for _ in 0..count {
                let (x, y, z) = (self.real()?, self.real()?, self.real()?);
                let _ = writeln!(out, "{x:?} {y:?} {z:?}");
                // Parameters on the entity, as many as it has dimensions.
                for _ in 0..if parametric == 0 { 0 } else { dimension.clamp(0, 3) } {
                    self.real()?;
                }
            }
        }
        Some(())
    }

    fn elements_2(&mut self, out: &mut String) -> Option<()> {
        let count: u64 = self.line()?.parse().ok()?;
        let _ = writeln!(out, "{count}");
        let mut read = 0;
        while read < count {
            let (kind, follow, tags) = (self.int()?, self.int()?, self.int()?);
            let nodes = self.nodes_of(kind)?;
            for _ in 0..u64::try_from(follow).ok().filter(|follow| (1..=count - read).contains(follow))? {
                let _ = write!(out, "{} {kind} {tags}", self.int()?);
                for _ in 0..usize::try_from(tags).ok()?.checked_add(nodes)? {
                    let _ = write!(out, " {}", self.int()?);
                }
                out.push('\n');
                read += 1;
            }
        }
        Some(())
    }

    fn elements_4(&mut self, out: &mut String) -> Option<()> {
        let head: [u64; 4] = [self.size()?, self.size()?, self.size()?, self.size()?];
        let _ = writeln!(out, "{} {} {} {}", head[0], head[1], head[2], head[3]);
        for _ in 0..head[0] {
            let (dimension, tag, kind, count) = (self.int()?, self.int()?, self.int()?, self.size()?);
            let _ = writeln!(out, "{dimension} {tag} {kind} {count}");
            let nodes = self.nodes_of(kind)?;
            for _ in 0..count {
                let _ = write!(out, "{}", self.size()?);
                for _ in 0..nodes {
                    let _ = write!(out, " {}", self.size()?);
                }
                out.push('\n');
            }
        }
        Some(())
    }

    fn entities(&mut self, out: &mut String) -> Option<()> {
        let counts: [u64; 4] = [self.size()?, self.size()?, self.size()?, self.size()?];
        let _ = writeln!(out, "{} {} {} {}", counts[0], counts[1], counts[2], counts[3]);
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count {
                let _ = write!(out, "{}", self.int()?);
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    let _ = write!(out, " {:?}", self.real()?);
                }
                // Physical groups, and of all but points what bounds them.
                for _ in 0..if dimension == 0 { 1 } else { 2 } {
                    let count = self.size()?;
                    let _ = write!(out, " {count}");
                    for _ in 0..count {
                        let _ = write!(out, " {}", self.int()?);
                    }
                }
                out.push('\n');
            }
        }
        Some(())
    }
}
