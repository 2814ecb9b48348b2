//! Matrices written as other programs write them.

#![allow(dead_code)]

use flexura_fem::Mesh;
use flexura_fem::linear::SymmetricMatrix;
use nalgebra::DMatrix;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

pub fn folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("flexura-matrices-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Row names: nodes counted from one, freedoms from one.
pub fn names(mesh: &Mesh) -> Vec<(usize, usize)> {
    (0..6 * mesh.nodes.len()).map(|freedom| (freedom / 6 + 1, freedom % 6 + 1)).collect()
}

pub fn dense(matrix: &SymmetricMatrix) -> DMatrix<f64> {
    matrix.multiply(&DMatrix::identity(matrix.size(), matrix.size()))
}

pub fn market(matrix: &DMatrix<f64>, symmetric: bool) -> String {
    let mut lines = String::new();
    let mut count = 0;
    for row in 0..matrix.nrows() {
        for column in 0..matrix.ncols() {
            let value = matrix[(row, column)];
            if value != 0.0 && (!symmetric || row >= column) {
                writeln!(lines, "{} {} {value:e}", row + 1, column + 1).unwrap();
                count += 1;
            }
        }
    }
    let word = if symmetric { "symmetric" } else { "general" };
    let (height, width) = matrix.shape();
    format!(
        "%%MatrixMarket matrix coordinate real {word}\n% made by a test\n{height} {width} {count}\n{lines}"
    )
}

#[derive(Clone, Copy)]
pub enum Layout {
    Free,
    /// Sixteen columns with as many digits as they hold: eleven or twelve.
    Large,
    /// Sixteen columns with exponents such as D+09: ten digits.
    Double,
    Small,
}

/// A number in so many letters, as Nastran writes it.
pub fn narrow(value: f64, width: usize) -> String {
    for digits in (0..17).rev() {
        let text = format!("{value:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap();
        let mantissa = if mantissa.contains('.') { mantissa.to_owned() } else { format!("{mantissa}.") };
        let sign = if exponent.starts_with('-') { "" } else { "+" };
        let short = format!("{mantissa}{sign}{exponent}");
        if short.len() <= width {
            return short;
        }
    }
    panic!("{value} in {width} letters")
}

/// Ten digits and an exponent of two, as programs punch double precision.
pub fn double(value: f64) -> String {
    let text = format!("{value:.9e}");
    let (mantissa, exponent) = text.split_once('e').unwrap();
    format!("{mantissa}D{:+03}", exponent.parse::<i32>().unwrap())
}

/// DMIG cards; `rows` and `columns` name grid and component. Symmetric ones have the lower triangle.
pub fn dmig(
    name: &str,
    matrix: &DMatrix<f64>,
    rows: &[(usize, usize)],
    columns: &[(usize, usize)],
    symmetric: bool,
    layout: Layout,
) -> String {
    let form = if symmetric { 6 } else { 2 };
    let mut text = match layout {
        Layout::Free => format!("DMIG,{name},0,{form},2,0,,,{}\n", columns.len()),
        _ => format!("DMIG    {name:<8}{:>8}{form:>8}{:>8}{:>8}{:>24}\n", 0, 2, 0, columns.len()),
    };
    for (j, column) in columns.iter().enumerate() {
        let entries: Vec<(usize, usize, f64)> = (0..rows.len())
            .filter(|i| matrix[(*i, j)] != 0.0 && (!symmetric || *i >= j))
            .map(|i| (rows[i].0, rows[i].1, matrix[(i, j)]))
            .collect();
        if entries.is_empty() {
            continue;
        }
        match layout {
            Layout::Free => {
                let mut fields =
                    vec![name.to_owned(), column.0.to_string(), column.1.to_string(), String::new()];
                for (grid, component, value) in entries {
                    fields.extend([
                        grid.to_string(),
                        component.to_string(),
                        format!("{value:e}"),
                        String::new(),
                    ]);
                }
                for (line, chunk) in fields.chunks(8).enumerate() {
                    let head = if line == 0 { "DMIG" } else { "+" };
                    writeln!(text, "{head},{}", chunk.join(",")).unwrap();
                }
            }
            Layout::Large | Layout::Double => {
                writeln!(text, "DMIG*   {name:<16}{:>16}{:>16}", column.0, column.1).unwrap();
                for (grid, component, value) in entries {
                    let number =
                        if matches!(layout, Layout::Double) { double(value) } else { narrow(value, 16) };
                    writeln!(text, "*       {grid:>16}{component:>16}{number:>16}").unwrap();
                }
            }
            Layout::Small => {
                let mut cells = entries
                    .chunks(1)
                    .map(|e| format!("{:>8}{:>8}{:>8}{:>8}", e[0].0, e[0].1, narrow(e[0].2, 8), ""));
                let first = cells.next().unwrap();
                writeln!(text, "DMIG    {name:<8}{:>8}{:>8}{:>8}{first}", column.0, column.1, "").unwrap();
                let rest: Vec<String> = cells.collect();
                for pair in rest.chunks(2) {
                    writeln!(text, "+       {}", pair.concat()).unwrap();
                }
            }
        }
    }
    text
}

pub fn node_table(mesh: &Mesh) -> String {
    let mut text = String::from("node,x,y,z\n");
    for (node, [x, y, z]) in mesh.nodes.iter().enumerate() {
        writeln!(text, "{},{x:e},{y:e},{z:e}", node + 1).unwrap();
    }
    text
}

pub fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// Numbers agree to a share of the largest.
pub fn close(found: &[f64], expected: &[f64], limit: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= limit * scale, "{what}: {a:e} {b:e}, off by {:e}", (a - b).abs() / scale);
    }
}
