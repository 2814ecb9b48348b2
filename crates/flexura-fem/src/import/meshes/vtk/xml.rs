//! VTK's XML files of unstructured grids (`.vtu`; VTK User's Guide, "XML File Formats"): arrays as text, as base64 or
//! appended behind the elements, plain or compressed by zlib.
//!
//! The bytes that may be appended are no XML: tags are looked for up to them, and arrays are read when all are known.
//! Read are points, cells and the arrays of cells that may be groups; pieces follow each other, their points as they are: those that two
//! pieces share are there twice.

use super::cursor::Values;
use super::encoded::{Encoding, Form, decode};
use super::{CellArray, Data};
use crate::import::error::{ImportError, Place};
use crate::import::source::Source;
use std::cell::Cell;

/// Most numbers that the arrays of a file may hold together, 2 GB of them: few bytes of a compressed array stand for many numbers.
const MOST_NUMBERS: usize = 250_000_000;

/// A start tag or an end tag, whose name begins with a slash then.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    /// Where it begins, and what comes behind it.
    start: usize,
    end: usize,
}

impl<'a> Tag<'a> {
    fn get(&self, key: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }
}

/// An array before its numbers are read.
struct Array<'a> {
    section: String,
    tag: Tag<'a>,
}

/// A part of the grid with the numbers of its points and cells.
#[derive(Default)]
struct Piece<'a> {
    points: usize,
    cells: usize,
    arrays: Vec<Array<'a>>,
}

/// What stands behind the elements: where it begins, and whether it is base64.
#[derive(Clone, Copy)]
struct Appended {
    start: usize,
    base64: bool,
}

struct Reader<'a> {
    bytes: &'a [u8],
    source: &'a Source,
    encoding: Encoding,
    appended: Option<Appended>,
    /// Where appended arrays begin, in ascending order.
    offsets: Vec<usize>,
    /// Numbers that may still be read.
    left: Cell<usize>,
}

/// Whether a file is XML.
pub fn is_xml(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    text.starts_with(b"<?xml") || text.starts_with(b"<VTKFile") || text.starts_with(b"<!--")
}

/// The points, cells and arrays of cells of a file.
pub fn read(bytes: &[u8], source: &Source) -> Result<Data, ImportError> {
    let mut reader = Reader {
        bytes,
        source,
        encoding: Encoding::default(),
        appended: None,
        offsets: Vec::new(),
        left: Cell::new(MOST_NUMBERS),
    };
    let pieces = reader.structure()?;
    let mut data = Data::default();
    for piece in &pieces {
        reader.piece(piece, &mut data)?;
    }
    // An array that some piece lacks is no group of all cells.
    let cells = data.cells.len();
    for array in &mut data.arrays {
        array.whole = array.whole.take().filter(|values| values.len() == cells);
    }
    Ok(data)
}

impl<'a> Reader<'a> {
    fn error(&self, at: usize, card: &str, message: impl Into<String>, help: &str) -> ImportError {
        let line = self.bytes[..at.min(self.bytes.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
        self.source.error(&Place { file: 0, line, card: card.into() }, message, help)
    }

    /// The pieces with their arrays, from the tags up to what is appended.
    fn structure(&mut self) -> Result<Vec<Piece<'a>>, ImportError> {
        let (mut next, mut section, mut grid) = (0, String::new(), false);
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        while let Some(tag) = self.tag(next)? {
            next = tag.end;
            match tag.name {
                "VTKFile" => self.header(&tag)?,
                "UnstructuredGrid" => grid = true,
                "Piece" => {
                    let (points, cells) =
                        (self.count(&tag, "NumberOfPoints")?, self.count(&tag, "NumberOfCells")?);
                    pieces.push(Piece { points, cells, arrays: Vec::new() });
                }
                "Points" | "Cells" | "CellData" | "PointData" | "FieldData" => section = tag.name.to_owned(),
                "/Points" | "/Cells" | "/CellData" | "/PointData" | "/FieldData" => section.clear(),
                "DataArray" | "Array" => {
                    self.offsets.extend(tag.get("offset").and_then(|offset| offset.parse::<usize>().ok()));
                    if let Some(piece) = pieces.last_mut() {
                        piece.arrays.push(Array { section: section.clone(), tag });
                    }
                }
                "AppendedData" => {
                    let base64 = tag.get("encoding") != Some("raw");
                    let rest = &self.bytes[tag.end..];
                    let mark = rest.iter().position(|byte| *byte == b'_');
                    let Some(mark) = mark.filter(|mark| rest[..*mark].trim_ascii().is_empty()) else {
                        let message = "appended data must begin with an underscore";
                        return Err(self.error(tag.start, "AppendedData", message, "save the mesh again"));
                    };
                    self.appended = Some(Appended { start: tag.end + mark + 1, base64 });
                    break;
                }
                _ => {}
            }
        }
        self.offsets.sort_unstable();
        match grid {
            true => Ok(pieces),
            false => Err(self.error(next, "VTKFile", "there is no UnstructuredGrid", "save the mesh again")),
        }
    }

    fn header(&mut self, tag: &Tag<'_>) -> Result<(), ImportError> {
        let fault = |message: String, help: &str| Err(self.error(tag.start, "VTKFile", message, help));
        match tag.get("type") {
            Some("UnstructuredGrid") => {}
            other => {
                let message = format!("the data set is a {}", other.unwrap_or("thing without a type"));
                return fault(
                    message,
                    "save an unstructured grid (.vtu); of parallel files (.pvtu) give the pieces",
                );
            }
        }
        let compressed = match tag.get("compressor") {
            None | Some("") => false,
            Some("vtkZLibDataCompressor") => true,
            Some(other) => {
                return fault(
                    format!("arrays compressed by {other} are not read"),
                    "save with zlib or without compression",
                );
            }
        };
        let wide = match tag.get("header_type") {
            None | Some("UInt32") => false,
            Some("UInt64") => true,
            Some(other) => {
                return fault(format!("the header type {other} is not known"), "save the mesh again");
            }
        };
        let little = match tag.get("byte_order") {
            None | Some("LittleEndian") => true,
            Some("BigEndian") => false,
            Some(other) => {
                return fault(format!("the byte order {other} is not known"), "save the mesh again");
            }
        };
        self.encoding = Encoding { little, wide, compressed };
        Ok(())
    }

    fn count(&self, tag: &Tag<'_>, key: &str) -> Result<usize, ImportError> {
        let found = tag.get(key).and_then(|word| word.trim().parse().ok());
        found.ok_or_else(|| {
            self.error(tag.start, tag.name, format!("`{key}` is no count"), "save the mesh again")
        })
    }

    /// The next tag from a place on; comments and declarations are passed over.
    fn tag(&self, from: usize) -> Result<Option<Tag<'a>>, ImportError> {
        let find = |from: usize, what: &[u8]| {
            let rest = self.bytes.get(from..)?;
            rest.windows(what.len()).position(|window| window == what).map(|place| from + place)
        };
        let mut from = from;
        loop {
            let Some(start) = find(from, b"<") else { return Ok(None) };
            let cut = || self.error(start, "", "a tag is not closed", "save the mesh again");
            if self.bytes[start..].starts_with(b"<!--") {
                from = find(start, b"-->").ok_or_else(cut)? + 3;
                continue;
            }
            let end = self.end_of_tag(start).ok_or_else(cut)?;
            if matches!(self.bytes.get(start + 1), Some(b'?' | b'!')) {
                from = end;
                continue;
            }
            let inner = std::str::from_utf8(&self.bytes[start + 1..end - 1]).ok();
            let tag = inner.and_then(|inner| words(inner.trim_end().trim_end_matches('/')));
            let (name, attributes) = tag.ok_or_else(cut)?;
            return Ok(Some(Tag { name, attributes, start, end }));
        }
    }

    /// The place behind the `>` that closes a tag; one in quotes does not.
    fn end_of_tag(&self, start: usize) -> Option<usize> {
        let mut quote = None;
        for (place, byte) in self.bytes.iter().enumerate().skip(start) {
            match (quote, byte) {
                (None, b'>') => return Some(place + 1),
                (None, b'"' | b'\'') => quote = Some(*byte),
                (Some(open), _) if open == *byte => quote = None,
                _ => {}
            }
        }
        None
    }

    fn piece(&self, piece: &Piece<'_>, data: &mut Data) -> Result<(), ImportError> {
        let before = data.points.len() as u64;
        let of = |section: &str, name: &str| {
            let found = |array: &&Array<'_>| {
                array.section == section && (name.is_empty() || array.tag.get("Name") == Some(name))
            };
            piece.arrays.iter().find(found).ok_or_else(|| {
                let what = if name.is_empty() { section.to_owned() } else { format!("{section} `{name}`") };
                self.error(0, "Piece", format!("a piece has no array {what}"), "save the mesh again")
            })
        };
        if piece.cells == 0 && piece.points == 0 {
            return Ok(());
        }
        data.pieces += 1;
        let points = of("Points", "")?;
        let Some(count) = piece.points.checked_mul(3) else {
            let message = format!("{} points are too many", piece.points);
            return Err(self.fault(points, message, "save the mesh again"));
        };
        let values = self.values(points, count)?.real();
        if values.iter().any(|value| !value.is_finite()) {
            return Err(self.error(
                points.tag.start,
                "Points",
                "a coordinate is not a finite number",
                "save the mesh again",
            ));
        }
        data.points.extend(values.chunks_exact(3).map(|point| [point[0], point[1], point[2]]));
        let ends = self.whole(of("Cells", "offsets")?, piece.cells)?;
        let named = ends.last().map_or(Some(0), |end| usize::try_from(*end).ok()).unwrap_or(usize::MAX);
        let nodes = self.whole(of("Cells", "connectivity")?, named)?;
        data.kinds.extend(self.whole(of("Cells", "types")?, piece.cells)?);
        let mut start = 0;
        for end in ends {
            let list = usize::try_from(end).ok().and_then(|end| nodes.get(start..end));
            let own = list.and_then(|list| {
                let real = |node: &i64| u64::try_from(*node).ok().filter(|node| *node < piece.points as u64);
                list.iter().map(|node| real(node).map(|node| node + before)).collect::<Option<Vec<u64>>>()
            });
            let Some(own) = own else {
                let message = format!("cell {} names points that do not exist", data.cells.len());
                return Err(self.error(
                    of("Cells", "offsets")?.tag.start,
                    "Cells",
                    message,
                    "save the mesh again",
                ));
            };
            start += own.len();
            data.cells.push(own);
        }
        for array in piece.arrays.iter().filter(|array| array.section == "CellData") {
            self.group(array, piece.cells, data)?;
        }
        Ok(())
    }

    /// Adds an array of cells to those of the pieces before; of numbers that are not whole only the name is kept.
    fn group(&self, array: &Array<'_>, cells: usize, data: &mut Data) -> Result<(), ImportError> {
        let name = array.tag.get("Name").unwrap_or_default().to_owned();
        let single = matches!(array.tag.get("NumberOfComponents"), None | Some("" | "0" | "1"));
        let whole = single && array.tag.get("type").is_some_and(|kind| kind.contains("Int"));
        let values = if whole { Some(self.whole(array, cells)?) } else { None };
        let before = data.cells.len() - cells;
        match data.arrays.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                // An array that stands there twice, or that a piece before lacks, is no group of all cells.
                let own = known.whole.take().filter(|values| values.len() == before);
                known.whole = own.zip(values).map(|(a, b)| [a, b].concat());
            }
            None => data.arrays.push(CellArray { name, whole: values }),
        }
        Ok(())
    }

    fn whole(&self, array: &Array<'_>, count: usize) -> Result<Vec<i64>, ImportError> {
        let values = self.values(array, count)?.whole();
        values.ok_or_else(|| self.fault(array, "whole numbers are wanted here", "save the mesh again"))
    }

    fn fault(&self, array: &Array<'_>, message: impl Into<String>, help: &str) -> ImportError {
        let card = array.tag.get("Name").filter(|name| !name.is_empty()).unwrap_or(&array.section);
        self.error(array.tag.start, card, message, help)
    }

    /// The numbers of an array, as many as wanted.
    fn values(&self, array: &Array<'_>, count: usize) -> Result<Values, ImportError> {
        let Some(left) = self.left.get().checked_sub(count) else {
            let message = format!("{count} numbers are more than a mesh may have, {MOST_NUMBERS} in all");
            return Err(self.fault(array, message, "save the mesh again, or in parts"));
        };
        self.left.set(left);
        let kind = array.tag.get("type").unwrap_or_default();
        let inline = || {
            let rest = &self.bytes[array.tag.end..];
            &rest[..rest.iter().position(|byte| *byte == b'<').unwrap_or(rest.len())]
        };
        let (bytes, form) = match array.tag.get("format") {
            None | Some("ascii") => (inline(), Form::Text),
            Some("binary") => (inline(), Form::Base64),
            Some("appended") => self.appended_bytes(array)?,
            Some(other) => {
                return Err(self.fault(
                    array,
                    format!("the format {other} is not known"),
                    "save the mesh again",
                ));
            }
        };
        let values = decode(bytes, kind, form, self.encoding, count);
        let values = values.map_err(|message| self.fault(array, message, "save the mesh again"))?;
        if values.len() == count {
            return Ok(values);
        }
        let message = format!("{} numbers instead of {count}", values.len());
        Err(self.fault(array, message, "save the mesh again"))
    }

    /// Bytes of an appended array: up to the next one or, of raw data, as far as its own head says.
    fn appended_bytes(&self, array: &Array<'_>) -> Result<(&'a [u8], Form), ImportError> {
        let offset = array.tag.get("offset").and_then(|word| word.trim().parse::<usize>().ok());
        let found = self.appended.zip(offset).and_then(|(appended, offset)| {
            let rest = self.bytes.get(appended.start.checked_add(offset)?..)?;
            if !appended.base64 {
                return Some((rest, Form::Raw));
            }
            let end = rest.iter().position(|byte| *byte == b'<').unwrap_or(rest.len());
            let next = self.offsets.iter().find(|other| **other > offset).map_or(end, |next| next - offset);
            Some((&rest[..end.min(next)], Form::Base64))
        });
        found.ok_or_else(|| self.fault(array, "its appended data is not there", "save the mesh again"))
    }
}

/// Name and attributes of the inside of a tag.
fn words(inner: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let inner = inner.trim_start();
    let end = inner.find(|letter: char| letter.is_whitespace()).unwrap_or(inner.len());
    let (name, mut rest) = inner.split_at(end);
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some((name, attributes));
        }
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
        let (value, behind) = behind[1..].split_once(quote)?;
        attributes.push((key.trim_end(), value));
        rest = behind;
    }
}
