//! Matrix files: samples, small fields, faults and damage.

use crate::common::matrix_files::*;
use flexura_fem::assemble::assemble;
use flexura_fem::part::Part;
use flexura_fem::{MassModel, Mesh, Reduction, ReductionKind, Supports};
use std::path::{Path, PathBuf};

const DIGITS: f64 = 1e-9;

#[test]
fn small_fields_are_read() {
    let mesh = short_beam();
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let (stiffness, rows) = (dense(&system.stiffness), names(&mesh));
    let text = dmig("K2GG", &stiffness, &rows, &rows, true, Layout::Small);
    let source = flexura_fem::import::Source::from_text(&text, "k.pch");
    let wanted = flexura_fem::import::matrix::Wanted { kind: "stiffness", name: None, initials: &['K'] };
    let found = flexura_fem::import::matrix::dmig::read(&source).unwrap();
    let found = flexura_fem::import::matrix::dmig::find(&found, &source, &wanted).unwrap();
    let place = |key: (u64, u8)| 6 * (key.0 as usize - 1) + usize::from(key.1) - 1;
    let count = (0..rows.len()).flat_map(|i| (0..=i).map(move |j| (i, j))).filter(|at| stiffness[*at] != 0.0);
    assert_eq!(found.entries.len(), count.count());
    for entry in &found.entries {
        let expected = stiffness[(place(entry.row), place(entry.column))];
        // Eight letters hold at least two digits after the point.
        assert!((entry.value / expected - 1.0).abs() < 6e-3, "{} {expected}", entry.value);
    }
}

/// The committed samples: a beam of one element, its matrices in both formats.
fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decks/matrices")
}

fn short_beam() -> Mesh {
    let steel = flexura_fem::Material::isotropic(2.1e11, 0.3, 7800.0);
    let section = flexura_fem::Section::rectangle(0.05, 0.03);
    flexura_fem::generate::beam(0.5, 2, steel, section).unwrap()
}

#[test]
fn samples_in_both_formats() {
    let mesh = short_beam();
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let (stiffness, mass, rows) = (dense(&system.stiffness), dense(&system.mass), names(&mesh));
    if std::env::var_os("FLEXURA_UPDATE").is_some() {
        std::fs::create_dir_all(samples()).unwrap();
        write(&samples(), "beam_k.mtx", &market(&stiffness, true));
        write(&samples(), "beam_m.mtx", &market(&mass, true));
        write(&samples(), "beam_nodes.csv", &node_table(&mesh));
        let punch = dmig("KAAX", &stiffness, &rows, &rows, true, Layout::Large)
            + &dmig("MAAX", &mass, &rows, &rows, true, Layout::Large);
        write(&samples(), "beam.pch", &punch);
    }
    let reduction = Reduction::new("root", ReductionKind::CraigBampton { modes: 3 }).interface("tip");
    let expected = reduction.run(&mesh).unwrap();
    // Eleven digits of large fields, times the ratio of axial to bending stiffness (about 1e4).
    for (part, limit) in [("market.toml", DIGITS), ("punch.toml", 1e-7)] {
        let body = Part::load(samples().join(part)).unwrap_or_else(|fault| panic!("{fault}"));
        let body = body.reduce(&mut |_| {}).unwrap();
        close(&body.report.frequencies, &expected.report.frequencies, limit, part);
        close(&body.report.total, &expected.report.total, limit, part);
    }
}

/// How columns of an OUTPUT4 file are written.
#[derive(Clone, Copy, PartialEq)]
enum Strings {
    None,
    Packed,
    Big,
}

/// Text of an OUTPUT4 file by its description, zeros inside columns left out where there are strings.
fn op4(name: &str, matrix: &nalgebra::DMatrix<f64>, strings: Strings) -> String {
    let (rows, columns) = (matrix.nrows() as i64, matrix.ncols());
    let shown = if strings == Strings::Big { -rows } else { rows };
    let mut text = format!("{columns:8}{shown:8}{:8}{:8}{name:8}1P,3E23.16\n", 6, 2);
    let numbers = |values: &[f64]| -> String {
        let field = |value: &f64| {
            let plain = format!("{value:.16E}");
            let (digits, power) = plain.split_once('E').expect("a power");
            let power: i32 = power.parse().expect("a power");
            let sign = if power < 0 { '-' } else { '+' };
            format!("{:>23}", format!("{digits}E{sign}{:02}", power.abs()))
        };
        values.chunks(3).map(|line| line.iter().map(field).collect::<String>() + "\n").collect()
    };
    for column in 0..columns {
        let values: Vec<f64> = matrix.column(column).iter().copied().collect();
        let Some(first) = values.iter().position(|value| *value != 0.0) else { continue };
        let last = values.iter().rposition(|value| *value != 0.0).expect("one at least");
        if strings == Strings::None {
            text += &format!("{:8}{:8}{:8}\n", column + 1, first + 1, last + 1 - first);
            text += &numbers(&values[first..=last]);
            continue;
        }
        let (mut body, mut size, mut row) = (String::new(), 0, first);
        while row <= last {
            let end = (row..=last).find(|&k| values[k] == 0.0).unwrap_or(last + 1);
            let words = 2 * (end - row);
            match strings {
                Strings::Big => body += &format!("{:8}{:8}\n", words + 1, row + 1),
                _ => body += &format!("{:11}\n", row + 1 + 65536 * (words + 1)),
            }
            size += words + if strings == Strings::Big { 2 } else { 1 };
            body += &numbers(&values[row..end]);
            row = (end..=last).find(|&k| values[k] != 0.0).unwrap_or(last + 1);
        }
        text += &format!("{:8}{:8}{size:8}\n{body}", column + 1, 0);
    }
    text + &format!("{:8}{:8}{:8}\n{:>23}\n", columns + 1, 1, 1, "1.4142135623730951E+00")
}

#[test]
fn output4_files_are_read_in_all_layouts_of_text() {
    let mesh = short_beam();
    let system = assemble(&mesh, &Supports::none(), MassModel::Consistent).unwrap();
    let (stiffness, mass) = (dense(&system.stiffness), dense(&system.mass));
    let reduction = Reduction::new("root", ReductionKind::CraigBampton { modes: 3 }).interface("tip");
    let expected = reduction.run(&mesh).unwrap();
    let folder = folder();
    write(&folder, "beam_nodes.csv", &node_table(&mesh));
    let part = std::fs::read_to_string(samples().join("market.toml")).unwrap();
    write(&folder, "part.toml", &part.replace("beam_k.mtx", "beam.op4").replace("beam_m.mtx", "beam.OP4"));
    for (k, strings) in [Strings::None, Strings::Packed, Strings::Big].into_iter().enumerate() {
        let both = op4("KAAX", &stiffness, strings) + &op4("MAAX", &mass, strings);
        write(&folder, "beam.op4", &both);
        write(&folder, "beam.OP4", &both);
        let body = Part::load(folder.join("part.toml")).unwrap_or_else(|fault| panic!("{k}: {fault}"));
        let body = body.reduce(&mut |_| {}).unwrap();
        close(&body.report.frequencies, &expected.report.frequencies, DIGITS, "frequencies");
        close(&body.report.total, &expected.report.total, DIGITS, "inertia");
    }
    let whole = op4("KAAX", &stiffness, Strings::None) + &op4("MAAX", &mass, Strings::None);
    for (changed, why) in [
        (whole.replacen("       2KAAX", "       4KAAX", 1), "numbers of type 4 are not supported"),
        (whole.replacen("1P,3E23.16", "1P,3I8", 1), "is no format"),
        (whole.replacen("KAAX", "XAAX", 1), "none of its matrices is the stiffness matrix: XAAX, MAAX"),
        (whole[..whole.len() / 3].to_owned(), "the file ends inside"),
        (
            op4("KAAX", &stiffness.clone().remove_row(0).remove_column(0), Strings::None),
            "17 rows and 17 columns",
        ),
        (whole.replacen("E+0", "Q+0", 1), "is no number"),
        ("1 2 3".to_owned(), "no head of a matrix"),
    ] {
        write(&folder, "beam.op4", &changed);
        let told = match Part::load(folder.join("part.toml")) {
            Err(fault) => fault.to_string(),
            Ok(part) => part.reduce(&mut |_| {}).expect_err("a fault").to_string(),
        };
        assert!(told.contains(why), "{why}: {told}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is said of the sample with one file changed.
fn fault_of(file: &str, change: impl Fn(&str) -> String) -> String {
    let folder = folder();
    for entry in std::fs::read_dir(samples()).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "{file} is changed");
    write(&folder, file, &changed);
    let part = if file.ends_with("pch") || file == "punch.toml" { "punch.toml" } else { "market.toml" };
    let fault = match Part::load(folder.join(part)) {
        Err(fault) => fault.to_string(),
        Ok(part) => {
            part.reduce(&mut |_| {}).map(|_| "none".to_owned()).unwrap_or_else(|fault| fault.to_string())
        }
    };
    std::fs::remove_dir_all(folder).unwrap();
    fault
}

#[test]
fn faults_name_file_line_and_card() {
    let said = |file: &str, from: &str, to: &str, words: &[&str]| {
        let fault = fault_of(file, |text| text.replacen(from, to, 1));
        assert!(words.iter().all(|word| fault.contains(word)), "{file} {from:?} -> {to:?}: {fault}");
    };
    said("beam_k.mtx", "coordinate real", "array real", &["beam_k.mtx:1: stiffness matrix", "not supported"]);
    said("beam_k.mtx", "coordinate real", "coordinate complex", &["beam_k.mtx:1", "not supported"]);
    said("beam_m.mtx", "18 18", "1000000 1000000", &["beam_m.mtx:3: mass matrix", "1000000 rows"]);
    said("beam_m.mtx", "\n1 1 ", "\n1 9 ", &["beam_m.mtx:4", "above the diagonal"]);
    said("beam_m.mtx", "\n1 1 ", "\n99 1 ", &["beam_m.mtx:4", "outside the matrix"]);
    said("beam_m.mtx", "\n1 1 ", "\n1 1 1e9\n1 1 ", &["beam_m.mtx:5", "given twice"]);
    said("beam_m.mtx", "\n1 1 ", "\n1 1 -", &["beam_m.mtx:4", "negative"]);
    said("beam_k.mtx", "\n1 1 ", "\n1 1 nan", &["beam_k.mtx:4", "not an entry"]);
    said("beam_nodes.csv", "node,x", "nod,x", &["beam_nodes.csv:1: node table", "no column `node`"]);
    said("beam_nodes.csv", "\n2,", "\n1,", &["beam_nodes.csv:3: node table", "given twice"]);
    said("beam_nodes.csv", "\n2,2.5e-1", "\n2,2.6e-1", &["beam_k.mtx: stiffness matrix", "rigid motions"]);
    said("beam.pch", "DMIG*   KAAX", "DMIG*   KBBX", &["beam.pch:2: DMIG", "before its head"]);
    said(
        "beam.pch",
        "DMIG    KAAX           0       6",
        "DMIG    KAAX           0       7",
        &["beam.pch:1: DMIG", "form of matrix KAAX"],
    );
    said("beam.pch", "       6       2", "       6       4", &["beam.pch:1: DMIG", "type of matrix KAAX"]);
    said("beam.pch", "DMIG    KAAX", "TABDMP2 KAAX", &["beam.pch:1: TABDMP2", "not supported"]);
    let doubled = |text: &str| text.replacen("MAAX", "KAAY", 1).replace("MAAX", "KAAY");
    let fault = fault_of("beam.pch", doubled);
    assert!(fault.contains("several matrices could be the stiffness matrix: KAAX, KAAY"), "{fault}");
    let both = |text: &str| format!("mesh = \"a.inp\"\n{text}");
    assert!(fault_of("market.toml", both).contains("gives both matrices and a mesh"));
    let nodes = |text: &str| format!("{text}mass_nodes = true\n");
    assert!(fault_of("market.toml", nodes).contains("not in nodes"));
    said("market.toml", "beam_m.mtx", "nowhere.mtx", &["nowhere.mtx"]);
    said("market.toml", "mass = ", "mas = ", &["did you mean `mass`?"]);
    said("market.toml", "\"craig-bampton\"", "\"all\"", &["keeps every freedom"]);
}

/// Sample with cards added in front of the punch file.
fn with_cards(cards: &str) -> Result<Vec<String>, String> {
    let read = |name: &str| std::fs::read_to_string(samples().join(name)).unwrap();
    let folder = folder();
    write(&folder, "beam.pch", &format!("{cards}{}", read("beam.pch")));
    write(&folder, "beam_nodes.csv", &read("beam_nodes.csv"));
    let part = Part::from_text(&read("punch.toml"), &folder.join("punch.toml"));
    let told = part.map(|part| part.notices).map_err(|fault| fault.to_string());
    std::fs::remove_dir_all(&folder).unwrap();
    let place = format!("{}/", folder.display());
    told.map(|all| all.iter().map(|notice| notice.replace(&place, "")).collect())
        .map_err(|fault| fault.replace(&place, ""))
}

#[test]
fn cards_beside_the_matrices_are_named_or_refused() {
    assert_eq!(with_cards(""), Ok(vec![]));
    let told = with_cards(
        "PARAM,POST,-1\nCORD2R,5,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nASET1,123456,1,3\nASET1,123456,2\nPARAM,WTMASS,1.0\n\
         DMIG,PAX,0,9,2,0,,,1\nDMIG,PAX,1,0,,1,1,5.0\n",
    )
    .unwrap();
    let why = "ignored, it is not part of the matrices and nodes";
    assert_eq!(
        told,
        [
            format!("beam.pch:4: ASET1: {why} (the first of 2)"),
            format!("beam.pch:2: CORD2R: {why}"),
            format!("beam.pch:7: DMIG PAX: {why}"),
            format!("beam.pch:1: PARAM POST: {why}"),
            format!("beam.pch:6: PARAM WTMASS: {why}"),
        ]
    );
    for (card, words) in [
        ("PARAM,WTMASS,.00259\n", "beam.pch:1: PARAM: WTMASS scales matrices"),
        ("PARAM,CM2,2.0\n", "beam.pch:1: PARAM: CM2 scales matrices"),
        ("GRID,1,,0.,0.,0.,7\n", "beam.pch:1: GRID: a coordinate system of displacements (field 7)"),
        ("INCLUDE 'more.pch'\n", "beam.pch:1: INCLUDE: this card is not supported"),
    ] {
        let fault = with_cards(card).unwrap_err();
        assert!(fault.contains(words), "{fault}");
    }
}

#[test]
fn damaged_matrix_files_give_errors_or_bodies() {
    let read = |name: &str| std::fs::read_to_string(samples().join(name)).unwrap();
    let folder = folder();
    for name in ["beam_k.mtx", "beam_m.mtx", "beam_nodes.csv", "beam.pch"] {
        write(&folder, name, &read(name));
    }
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut roll = |sides: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % sides.max(1)
    };
    let odd = ["", "0", "-1", "1e999", "nan", "18446744073709551615", "*", ",", "\n", "é", "DMIG", "+"];
    let (mut sound, mut refused) = (0, 0);
    for (name, part) in
        [("beam_k.mtx", "market.toml"), ("beam_nodes.csv", "market.toml"), ("beam.pch", "punch.toml")]
    {
        let (text, part) = (read(name), read(part));
        let letters: Vec<char> = text.chars().collect();
        for _ in 0..400 {
            let at = roll(letters.len());
            let span = roll(9).min(letters.len() - at);
            let mut bad = letters.clone();
            bad.splice(at..at + span, odd[roll(odd.len())].chars()).for_each(drop);
            write(&folder, name, &bad.into_iter().collect::<String>());
            match Part::from_text(&part, &folder.join("part.toml")) {
                Ok(part) => {
                    let _ = part.reduce(&mut |_| {});
                    sound += 1;
                }
                Err(fault) => {
                    assert!(!fault.to_string().is_empty());
                    refused += 1;
                }
            }
        }
        write(&folder, name, &text);
    }
    assert!(sound > 0 && refused > 0, "{sound} {refused}");
    std::fs::remove_dir_all(folder).unwrap();
}
