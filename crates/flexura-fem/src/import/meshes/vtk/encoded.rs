//! Numbers of an array of a VTK XML file: text, or bytes behind a head that tells their number, as base64 or as they are.
//!
//! Compressed arrays are blocks: the head has the number of blocks, their size, the size of the last where it is another, and the
//! compressed size of each. No count of the file is trusted for memory: the caller says how many numbers it takes at most.

use super::cursor::Values;
use std::io::Read;

/// How bytes stand for numbers in a file.
#[derive(Clone, Copy, Default)]
pub struct Encoding {
    pub little: bool,
    /// Heads are of eight bytes, otherwise of four.
    pub wide: bool,
    pub compressed: bool,
}

/// How an array is written.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    Text,
    Base64,
    Raw,
}

/// Most bytes that one byte of a compressed block can stand for (RFC 1951: 258 for two bits).
const LARGEST_GROWTH: usize = 1032;

/// The numbers of an array, `most` at most, or why they cannot be read.
pub fn decode(
    bytes: &[u8],
    kind: &str,
    form: Form,
    encoding: Encoding,
    most: usize,
) -> Result<Values, String> {
    let real = matches!(kind, "Float32" | "Float64");
    let width = match kind {
        "Int8" | "UInt8" => 1,
        "Int16" | "UInt16" => 2,
        "Int32" | "UInt32" | "Float32" => 4,
        "Int64" | "UInt64" | "Float64" => 8,
        _ => return Err(format!("numbers of type `{kind}` are not known")),
    };
    if form == Form::Text {
        return text(bytes, real);
    }
    let plain = match form {
        Form::Base64 => {
            payload(&from_base64(bytes).ok_or("its base64 is broken")?, encoding, most.saturating_mul(width))
        }
        _ => payload(bytes, encoding, most.saturating_mul(width)),
    }?;
    let number = |chunk: &[u8]| join(chunk, encoding.little);
    let each = plain.chunks_exact(width);
    if !each.remainder().is_empty() {
        return Err("its last number is cut off".into());
    }
    let signed = |bits: u64| {
        let spare = 64 - 8 * width as u32;
        // Of unsigned numbers of eight bytes no number of a mesh is as large.
        if kind.starts_with('U') { bits as i64 } else { (bits << spare) as i64 >> spare }
    };
    Ok(match kind {
        "Float32" => {
            Values::Real(each.map(|chunk| f64::from(f32::from_bits(number(chunk) as u32))).collect())
        }
        "Float64" => Values::Real(each.map(|chunk| f64::from_bits(number(chunk))).collect()),
        _ => Values::Whole(each.map(|chunk| signed(number(chunk))).collect()),
    })
}

fn text(bytes: &[u8], real: bool) -> Result<Values, String> {
    let words =
        std::str::from_utf8(bytes).map_err(|_| "its text has letters that are none")?.split_whitespace();
    let fault = |word: &str| format!("`{word}` is no number of its type");
    Ok(match real {
        true => {
            Values::Real(words.map(|word| word.parse().map_err(|_| fault(word))).collect::<Result<_, _>>()?)
        }
        false => {
            Values::Whole(words.map(|word| word.parse().map_err(|_| fault(word))).collect::<Result<_, _>>()?)
        }
    })
}

fn join(bytes: &[u8], little: bool) -> u64 {
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    if little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) }
}

/// What stands behind the head, inflated where it is compressed; no more than `most` bytes of what is.
fn payload(bytes: &[u8], encoding: Encoding, most: usize) -> Result<Vec<u8>, String> {
    let width = if encoding.wide { 8 } else { 4 };
    let head = |place: usize| {
        let start = place.checked_mul(width)?;
        let number = bytes.get(start..start.checked_add(width)?)?;
        usize::try_from(join(number, encoding.little)).ok()
    };
    let short = || "its bytes are announced, and not there".to_owned();
    if !encoding.compressed {
        let size = head(0).ok_or_else(short)?;
        let end = width.checked_add(size).ok_or_else(short)?;
        return bytes.get(width..end).map(<[u8]>::to_vec).ok_or_else(short);
    }
    let blocks = head(0).ok_or_else(short)?;
    if blocks == 0 {
        return Ok(Vec::new());
    }
    let (size, last) = (head(1).ok_or_else(short)?, head(2).ok_or_else(short)?);
    let mut next = blocks.checked_add(3).and_then(|count| count.checked_mul(width)).ok_or_else(short)?;
    let mut plain = Vec::new();
    for block in 0..blocks {
        let end = head(3 + block).and_then(|length| next.checked_add(length)).ok_or_else(short)?;
        let packed = bytes.get(next..end).ok_or_else(short)?;
        let expected = if block + 1 == blocks && last > 0 { last } else { size };
        if expected > packed.len().saturating_mul(LARGEST_GROWTH) {
            return Err(short());
        }
        if expected > most.saturating_sub(plain.len()) {
            return Err(format!("it holds more than the {most} bytes that belong there"));
        }
        let before = plain.len();
        let limit = expected as u64 + 1;
        let read = flate2::read::ZlibDecoder::new(packed).take(limit).read_to_end(&mut plain);
        if read.is_err() || plain.len() - before != expected {
            return Err(format!("block {block} of its compressed bytes is broken"));
        }
        next = end;
    }
    Ok(plain)
}

/// Bytes of base64 text; a head may be encoded by itself, so that there is padding in the middle.
fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let letters: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3);
    for four in letters.chunks(4) {
        let &[a, b, c, d] = four else { return None };
        let kept = match (c, d) {
            (b'=', b'=') => 1,
            (_, b'=') => 2,
            _ => 3,
        };
        let padded = [a, b, if kept > 1 { c } else { b'A' }, if kept > 2 { d } else { b'A' }];
        let mut bits = 0_u32;
        for letter in padded {
            bits = bits << 6 | u32::from(value(letter)?);
        }
        bytes.extend(&bits.to_be_bytes()[1..1 + kept]);
    }
    Some(bytes)
}

fn value(letter: u8) -> Option<u8> {
    Some(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}
