//! Writes SID files: numbers with all their digits, blocks of zeros, diagonals and units as such.

use super::read::COUNTED;
use super::{SidFile, SidNode, Taylor};
use std::fmt::Write;

/// The text of a SID file.
pub fn write(file: &SidFile) -> String {
    let n = file.modes.len();
    let mut out = format!("{:5} {:3}    :{COUNTED}{}\n", file.nodes.len(), n, file.comment);
    out += " part \n      new modal                                 =\n           refmod \n";
    line(&mut out, 16, "mass", &number(file.mass));
    line(&mut out, 16, "nelastq", &format!("{n:5}"));
    for (k, name) in file.modes.iter().enumerate() {
        line(&mut out, 16, &format!("ielastq ({:4})", k + 1), name);
    }
    out += "           end refmod \n           frame \n";
    file.nodes.iter().for_each(|node| write_node(&mut out, node));
    out += "           end frame \n";
    for (name, block) in [
        ("mdCM", &file.moment),
        ("J", &file.inertia),
        ("Ct", &file.translation),
        ("Cr", &file.rotation),
        ("Me", &file.modal_mass),
        ("Gr", &file.gyroscopic_rotation),
        ("Ge", &file.gyroscopic_modes),
        ("Oe", &file.centrifugal),
        ("ksigma", &file.initial_stress),
        ("Ke", &file.stiffness),
        ("De", &file.damping),
    ] {
        write_block(&mut out, 11, name, block);
    }
    out + "      end modal \n end part \n"
}

fn write_node(out: &mut String, node: &SidNode) {
    line(out, 16, "new node", &format!("    {}", node.name));
    line(out, 21, "rframe", "    body ref");
    for (name, block) in
        [("origin", &node.origin), ("phi", &node.translations), ("psi", &node.rotations), ("AP", &node.axes)]
    {
        write_block(out, 21, name, block);
    }
    *out += "                end node\n";
}

fn write_block(out: &mut String, margin: usize, name: &str, block: &Taylor) {
    let _ = writeln!(out, "{:margin$}{name}", "");
    let structure = structure_of(block);
    let heads = [
        ("order", usize::from(!block.linear.is_empty())),
        ("nrow", block.rows),
        ("ncol", block.columns),
        ("nq", block.coordinates),
        ("nqn", 0),
        ("structure", structure),
    ];
    for (word, count) in heads {
        line(out, 26, word, &format!("{count:5}"));
    }
    if structure != 0 && structure != 4 {
        for i in 0..block.rows {
            for j in (0..block.columns).filter(|&j| block.m0(i, j) != 0.0) {
                line(out, 26, &format!("m0({:2},{:2})", i + 1, j + 1), &number(block.m0(i, j)));
            }
        }
    }
    for i in (0..block.rows).filter(|_| !block.linear.is_empty()) {
        for q in 0..block.coordinates {
            for j in (0..block.columns).filter(|&j| block.m1(i, q, j) != 0.0) {
                line(
                    out,
                    26,
                    &format!("m1({:2},{:2},{:2})", i + 1, q + 1, j + 1),
                    &number(block.m1(i, q, j)),
                );
            }
        }
    }
    let _ = writeln!(out, "{:margin$}end {name}", "");
}

/// 0 zero, 1 diagonal, 3 general, 4 unit; what depends on the modes is general.
fn structure_of(block: &Taylor) -> usize {
    let square = block.rows == block.columns && block.rows > 1;
    let off = |k: usize| !k.is_multiple_of(block.columns + 1);
    let diagonal = square && block.constant.iter().enumerate().all(|(k, &x)| !off(k) || x == 0.0);
    let unit = diagonal && (0..block.rows).all(|i| block.m0(i, i) == 1.0);
    match () {
        () if !block.linear.is_empty() => 3,
        () if block.constant.iter().all(|&x| x == 0.0) => 0,
        () if unit => 4,
        () if diagonal => 1,
        () => 3,
    }
}

fn line(out: &mut String, margin: usize, word: &str, value: &str) {
    let _ = writeln!(out, "{:margin$}{word:width$}={value}", "", width = 48 - margin);
}

/// A number with all its digits and Fortran's exponent.
fn number(value: f64) -> String {
    let text = format!("{value:.16e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let space = if digits.starts_with('-') { "" } else { " " };
    format!("{space}{digits}D{sign}{:02}", exponent.abs())
}
