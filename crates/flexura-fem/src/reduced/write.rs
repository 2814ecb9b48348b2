//! Writes reduced-body files: sections, a table of them, a digest.

use super::bytes::Output;
use super::{ReducedBody, VERSION};
use flexura::model::description::{DampingDescription, ModalInvariants, NodeDescription};
use flexura::model::mass_sums::MassSums;
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// First bytes of every file; line endings and the high bit show transfers as text.
pub(super) const MAGIC: [u8; 16] = *b"\x8fFLEXURA-BODY\r\n\n";
/// Bytes of one entry of the table: name, offset, length.
pub(super) const ENTRY: usize = 24;
/// Bytes of the digest at the end.
pub(super) const DIGEST: usize = 32;

/// Parts of a mass node that are stored only where they are not zero.
pub(super) mod parts {
    pub const NAME: u8 = 1;
    pub const INERTIA: u8 = 2;
    pub const OFFSET: u8 = 4;
    pub const SLOPES: u8 = 8;
    pub const TRANSLATIONS: u8 = 16;
    pub const QUADRATIC: u8 = 32;
    pub const FULL_QUADRATIC: u8 = 64;
    pub const ALL: u8 = 127;
}

/// The bytes of a body.
pub fn to_bytes(body: &ReducedBody) -> Vec<u8> {
    let mut sections = vec![
        ("info", info(body)),
        ("modal", modal(body)),
        ("nodes", nodes(body)),
        ("report", report(body)),
        ("picture", picture(body)),
        ("stress", stress(body)),
    ];
    if !body.stress.strain.is_empty() {
        let mut out = Output::default();
        out.list(&body.stress.strain);
        sections.push(("strain", out));
    }
    if !body.picture.swept.points.is_empty() {
        let (mut out, swept) = (Output::default(), &body.picture.swept);
        out.vectors(&swept.points);
        out.places(&swept.triangles);
        out.vectors(&swept.displacements);
        sections.push(("swept", out));
    }
    if !body.labels.numbers.is_empty() {
        sections.push(("labels", body.labels.write()));
    }
    if let Some(sums) = &body.modal.invariants {
        sections.push(("sums", invariants(sums)));
        sections.extend(sums.sums.as_ref().map(|sums| ("gram", gram(sums))));
    }
    if let Some(nodal) = &body.nodal {
        sections.push(("nodal", nodal.write()));
    }
    if let Some(compliance) = &body.compliance {
        let mut out = Output::default();
        out.count(compliance.places);
        out.list(&compliance.flexibility);
        out.list(&compliance.participation);
        sections.push(("flexible", out));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((sections.len() as u32).to_le_bytes());
    let mut offset = bytes.len() + ENTRY * sections.len();
    for (name, content) in &sections {
        let mut word = [b' '; 8];
        word[..name.len()].copy_from_slice(name.as_bytes());
        bytes.extend(word);
        bytes.extend((offset as u64).to_le_bytes());
        bytes.extend((content.0.len() as u64).to_le_bytes());
        offset += content.0.len();
    }
    sections.iter().for_each(|(_, content)| bytes.extend(&content.0));
    let digest = Sha256::digest(&bytes);
    bytes.extend(&digest[..]);
    bytes
}

/// Writes a body to a file: to a new file beside it first, renamed when whole, so that
/// readers and other writers never meet half a file.
pub fn write(body: &ReducedBody, path: &Path) -> io::Result<()> {
    write_bytes(&to_bytes(body), path)
}

/// Writes bytes in the same safe way.
pub(crate) fn write_bytes(bytes: &[u8], path: &Path) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}-{number}.part", std::process::id()));
    let fresh = path.with_file_name(name);
    let written = std::fs::write(&fresh, bytes).and_then(|()| std::fs::rename(&fresh, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    written
}

fn info(body: &ReducedBody) -> Output {
    let mut out = Output::default();
    out.text(&body.name);
    out.text(concat!("flexura ", env!("CARGO_PKG_VERSION")));
    out.count(body.notices.len());
    body.notices.iter().for_each(|notice| out.text(notice));
    out
}

fn modal(body: &ReducedBody) -> Output {
    let mut out = Output::default();
    out.count(body.modal.modes);
    out.count(body.report.static_shapes);
    out.list(&body.modal.stiffness);
    out.list(body.mass.transpose().as_slice());
    let (form, values): (u8, Vec<f64>) = match &body.modal.damping {
        DampingDescription::None => (0, Vec::new()),
        DampingDescription::Ratios(values) => (1, values.clone()),
        DampingDescription::Coefficients(values) => (2, values.clone()),
        DampingDescription::Matrix(values) => (3, values.clone()),
        DampingDescription::Rayleigh { mass, stiffness } => (4, vec![*mass, *stiffness]),
        DampingDescription::KelvinVoigt { time } => (5, vec![*time]),
    };
    out.byte(form);
    out.list(&values);
    out
}

fn nodes(body: &ReducedBody) -> Output {
    let mut out = Output::default();
    out.count(body.modal.nodes.len());
    body.modal.nodes.iter().for_each(|node| write_node(&mut out, node));
    out
}

fn write_node(out: &mut Output, node: &NodeDescription) {
    // The sign of a zero is kept too: a round trip changes no bit.
    let given = |values: &[f64]| values.iter().any(|value| value.to_bits() != 0);
    let mut flags = 0;
    let flag = |bit: u8, on: bool| if on { bit } else { 0 };
    flags |= flag(parts::NAME, !node.name.is_empty());
    flags |= flag(parts::INERTIA, given(node.inertia.as_flattened()));
    flags |= flag(parts::OFFSET, given(&node.offset));
    flags |= flag(parts::SLOPES, given(node.slopes.as_flattened()));
    flags |= flag(parts::TRANSLATIONS, given(node.translations.as_flattened()));
    let symmetric = is_symmetric(node);
    flags |= flag(parts::QUADRATIC, !node.quadratic.is_empty() && symmetric);
    flags |= flag(parts::FULL_QUADRATIC, !node.quadratic.is_empty() && !symmetric);
    out.byte(flags);
    out.real(node.mass);
    out.reals(&node.position);
    if flags & parts::NAME != 0 {
        out.text(&node.name);
    }
    if flags & parts::INERTIA != 0 {
        out.reals(node.inertia.as_flattened());
    }
    if flags & parts::OFFSET != 0 {
        out.reals(&node.offset);
    }
    if flags & parts::SLOPES != 0 {
        out.reals(node.slopes.as_flattened());
    }
    if flags & parts::TRANSLATIONS != 0 {
        out.reals(node.translations.as_flattened());
    }
    if flags & parts::QUADRATIC != 0 {
        // Symmetric in the two modes: the lower triangle row by row.
        let modes = node.slopes.len();
        for (row, column) in (0..modes).flat_map(|row| (0..=row).map(move |column| (row, column))) {
            out.reals(&node.quadratic[row * modes + column]);
        }
    }
    if flags & parts::FULL_QUADRATIC != 0 {
        out.vectors(&node.quadratic);
    }
}

/// Whether the second-order terms of pairs of modes are the same bits both ways round.
fn is_symmetric(node: &NodeDescription) -> bool {
    let modes = node.slopes.len();
    let bits = |row: usize, column: usize| node.quadratic[row * modes + column].map(f64::to_bits);
    node.quadratic.len() == modes * modes
        && (0..modes).all(|row| (0..row).all(|column| bits(row, column) == bits(column, row)))
}

fn report(body: &ReducedBody) -> Output {
    let (mut out, report) = (Output::default(), &body.report);
    out.count(report.unknowns);
    out.list(&report.frequencies);
    out.count(report.effective.len());
    out.reals(report.effective.as_flattened());
    out.reals(&report.total);
    out.list(report.static_residual.as_slice());
    out
}

fn picture(body: &ReducedBody) -> Output {
    let (mut out, picture) = (Output::default(), &body.picture);
    out.vectors(&picture.nodes);
    out.places(&picture.lines);
    out.places(&picture.triangles);
    out.vectors(&picture.displacements);
    out
}

fn stress(body: &ReducedBody) -> Output {
    let (mut out, stress) = (Output::default(), &body.stress);
    out.count(stress.places.len());
    for place in &stress.places {
        out.0.extend(place.node.to_le_bytes());
        out.byte(place.layer);
        out.byte(place.side);
    }
    out.list(&stress.rows);
    out.list(&stress.section_forces);
    out
}

fn invariants(sums: &ModalInvariants) -> Output {
    let mut out = Output::default();
    out.real(sums.mass);
    out.reals(&sums.moment0);
    out.vectors(&sums.moment1);
    out.vectors(&sums.moment2);
    out.reals(&sums.inertia0);
    out.list(sums.inertia1.as_flattened());
    out.list(sums.inertia2.as_flattened());
    out.vectors(&sums.angular0);
    out.vectors(&sums.angular1);
    out.list(&sums.modal);
    out
}

/// The sums of level `gram`.
fn gram(sums: &MassSums) -> Output {
    let mut out = Output::default();
    out.count(sums.functions);
    out.list(&sums.moments);
    out.list(&sums.linear);
    out.list(sums.bilinear.as_flattened().as_flattened());
    out.list(&sums.quadratic);
    out.list(&sums.triple);
    out
}
