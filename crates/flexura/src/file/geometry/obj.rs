//! OBJ files: points (`v`) and polygons between them (`f`).
//!
//! Source: Wavefront Technologies, Advanced Visualizer manual, appendix B1, "Object Files (.obj)". Indices count from one,
//! negative ones from the end; a polygon is a fan around its first corner. Normals, textures, materials, groups, single
//! points and lines make no surface and are passed over; curves and free-form surfaces are refused. Cost: linear.

use super::Fault;
use super::surface::Surface;

/// Words that make no triangles.
const PASSED: [&str; 13] =
    ["vn", "vt", "vp", "g", "o", "s", "mg", "l", "p", "usemtl", "mtllib", "usemap", "maplib"];

/// Adds the polygons of a file to a surface.
pub(super) fn read(bytes: &[u8], out: &mut Surface) -> Result<(), Fault> {
    let text = String::from_utf8_lossy(bytes);
    let mut points: Vec<[f64; 3]> = Vec::new();
    let mut lines = text.lines().enumerate().map(|(k, line)| (k + 1, line));
    while let Some((line, first)) = lines.next() {
        let mut whole = first.to_owned();
        while whole.trim_end().ends_with('\\') {
            whole.truncate(whole.trim_end().len() - 1);
            whole.push(' ');
            whole.push_str(lines.next().map_or("", |(_, next)| next));
        }
        let mut words = whole.split_ascii_whitespace();
        match words.next() {
            None => {}
            Some("v") => points.push(point(words, line)?),
            Some("f" | "fo") => {
                let corners: Vec<[f64; 3]> =
                    words.map(|word| corner(word, &points, line)).collect::<Result<_, _>>()?;
                if corners.len() < 3 {
                    return Err(Fault::broken(format!("line {line}: a face has fewer than three corners")));
                }
                for pair in corners[1..].windows(2) {
                    out.add([corners[0], pair[0], pair[1]])?;
                }
            }
            Some(word) if word.starts_with('#') || PASSED.contains(&word) => {}
            Some(word) => {
                let word: String = word.chars().take(20).collect();
                return Err(Fault::new(
                    format!("line {line}: `{word}` is not read"),
                    "write the surface as polygons (`v` and `f`)",
                ));
            }
        }
    }
    Ok(())
}

/// Coordinates; a weight or colours may follow.
fn point<'a>(words: impl Iterator<Item = &'a str>, line: usize) -> Result<[f64; 3], Fault> {
    let numbers: Option<Vec<f64>> = words.take(3).map(|word| word.parse().ok()).collect();
    numbers
        .and_then(|numbers| <[f64; 3]>::try_from(numbers).ok())
        .ok_or_else(|| Fault::broken(format!("line {line}: `v` needs three numbers")))
}

/// The point of a corner `7`, `7/1`, `7//3` or `-1/2/3`.
fn corner(word: &str, points: &[[f64; 3]], line: usize) -> Result<[f64; 3], Fault> {
    let number: Option<i64> = word.split('/').next().and_then(|number| number.parse().ok());
    let place = match number {
        Some(number) if number > 0 => usize::try_from(number - 1).ok(),
        Some(number) if number < 0 => {
            usize::try_from(number.unsigned_abs()).ok().and_then(|back| points.len().checked_sub(back))
        }
        _ => None,
    };
    place.and_then(|place| points.get(place)).copied().ok_or_else(|| {
        let (word, count): (String, usize) = (word.chars().take(20).collect(), points.len());
        Fault::broken(format!("line {line}: corner `{word}` is none of the {count} points before it"))
    })
}
