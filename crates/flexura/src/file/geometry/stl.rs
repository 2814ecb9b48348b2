//! STL files, both kinds.
//!
//! Source: M. Burns, Automated Fabrication, Prentice Hall 1993, section 6.5. Binary: 80 bytes of anything, the number n of
//! triangles (u32), then n times a normal, three corners (f32 each) and two bytes; all little-endian. Text: `facet`,
//! `outer loop`, three times `vertex x y z`, `endloop`, `endfacet`. Binary files may begin with `solid` too, so the length
//! decides. Normals are not read: corners have an order. Cost: linear in the file.

use super::Fault;
use super::surface::Surface;

const HEADER: usize = 84;
const TRIANGLE: usize = 50;

/// Adds the triangles of a file to a surface.
pub(super) fn read(bytes: &[u8], out: &mut Surface) -> Result<(), Fault> {
    let count = bytes.get(80..HEADER).map_or(0, |n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]) as usize);
    let promised = HEADER.saturating_add(count.saturating_mul(TRIANGLE));
    if bytes.len() >= HEADER && bytes.len() == promised {
        return read_binary(&bytes[HEADER..], out);
    }
    // Text has no zero bytes; a binary file may begin with the word.
    if bytes.trim_ascii_start().starts_with(b"solid") && !bytes.contains(&0) {
        return read_text(&String::from_utf8_lossy(bytes), out);
    }
    let length = bytes.len();
    Err(Fault::broken(match length < HEADER {
        true => format!("is no STL file: it has {length} bytes, and none of them begin a solid in text"),
        false => format!(
            "is a damaged binary STL file: its {count} triangles would take {promised} bytes, and it has {length}"
        ),
    }))
}

fn read_binary(triangles: &[u8], out: &mut Surface) -> Result<(), Fault> {
    for triangle in triangles.chunks_exact(TRIANGLE) {
        let number = |k: usize| {
            let at = 12 + 4 * k;
            f64::from(f32::from_le_bytes([
                triangle[at],
                triangle[at + 1],
                triangle[at + 2],
                triangle[at + 3],
            ]))
        };
        out.add([0, 3, 6].map(|k| [number(k), number(k + 1), number(k + 2)]))?;
    }
    Ok(())
}

fn read_text(text: &str, out: &mut Surface) -> Result<(), Fault> {
    let (mut corners, mut ended) = (Vec::with_capacity(3), false);
    for (line, words) in text.lines().enumerate().map(|(k, text)| (k + 1, text)) {
        let mut words = words.split_ascii_whitespace();
        match words.next() {
            None | Some("facet" | "outer" | "endloop") => {}
            Some("solid") => ended = false,
            Some("endsolid") => ended = true,
            Some("vertex") => {
                let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
                let corner = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
                let wrong = || Fault::broken(format!("line {line}: `vertex` needs three numbers"));
                corners.push(corner.ok_or_else(wrong)?);
            }
            Some("endfacet") => {
                let three = <[[f64; 3]; 3]>::try_from(std::mem::take(&mut corners)).map_err(|found| {
                    Fault::broken(format!("line {line}: a facet has {} corners, not three", found.len()))
                })?;
                out.add(three)?;
            }
            Some(word) => {
                let word: String = word.chars().take(20).collect();
                return Err(Fault::broken(format!("line {line}: `{word}` is no word of STL files")));
            }
        }
    }
    if ended { Ok(()) } else { Err(Fault::broken("ends in the middle: there is no `endsolid`")) }
}
