//! Reads reduced-body files: nothing is believed before the digest agrees, and every
//! size is checked after.

use super::bytes::Input;
use super::write::{DIGEST, ENTRY, MAGIC, parts};
use super::{Labels, NodalRows, Picture, ReducedBody, StressRowPlace, StressRows, Swept, VERSION};
use crate::reduce::TruncationReport;
use flexura::model::Compliance;
use flexura::model::description::{DampingDescription, ModalDescription, ModalInvariants, NodeDescription};
use flexura::model::mass_sums::MassSums;
use nalgebra::DMatrix;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Why a file gives no reduced body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReducedBodyError {
    /// The file cannot be read.
    #[error("cannot read {file}: {cause}")]
    Unreadable {
        /// File.
        file: String,
        /// What the system says.
        cause: String,
    },
    /// The file is something else.
    #[error("this is no reduced-body file: write one with `flexura reduce part.toml`")]
    NotABody,
    /// The file has a version this program does not know.
    #[error("the file has version {found}, this program reads version {VERSION}: reduce the part again")]
    Version {
        /// Version of the file.
        found: u32,
    },
    /// The file ends too early or goes on too long.
    #[error("the file has {found} bytes instead of {expected}: it was cut or damaged; reduce the part again")]
    Torn {
        /// Bytes there are.
        found: usize,
        /// Bytes its table asks for.
        expected: usize,
    },
    /// The content is not what was written.
    #[error("the file is damaged (its digest does not fit): reduce the part again")]
    Damaged,
    /// A section is missing or does not hold what it should.
    #[error("section `{section}` of the file is missing or inconsistent: reduce the part again")]
    Section {
        /// Section.
        section: &'static str,
    },
}

/// Reads a body from a file.
pub fn read(path: &Path) -> Result<ReducedBody, ReducedBodyError> {
    let bytes = flexura::file::read_plain(path).map_err(|fault| ReducedBodyError::Unreadable {
        file: path.display().to_string(),
        cause: fault.to_string(),
    })?;
    from_bytes(&bytes)
}

/// Reads a body from bytes.
pub fn from_bytes(bytes: &[u8]) -> Result<ReducedBody, ReducedBodyError> {
    let sections = sections(bytes)?;
    let find = |name: &'static str| {
        let found = sections.iter().find(|(word, _)| word.trim_ascii_end() == name.as_bytes());
        found.map(|(_, content)| Input(content)).ok_or(ReducedBodyError::Section { section: name })
    };
    let whole = |section: &'static str| ReducedBodyError::Section { section };
    let mut body = ReducedBody::default();
    info(find("info")?, &mut body).ok_or(whole("info"))?;
    modal(find("modal")?, &mut body).ok_or(whole("modal"))?;
    nodes(find("nodes")?, &mut body.modal).ok_or(whole("nodes"))?;
    report(find("report")?, &mut body.report).ok_or(whole("report"))?;
    picture(find("picture")?, &mut body).ok_or(whole("picture"))?;
    stress(find("stress")?, &mut body).ok_or(whole("stress"))?;
    if let Ok(input) = find("swept") {
        body.picture.swept = swept(input, body.modal.modes).ok_or(whole("swept"))?;
    }
    if let Ok(input) = find("strain") {
        strain(input, &mut body).ok_or(whole("strain"))?;
    }
    if let Ok(input) = find("labels") {
        body.labels = Labels::read(input, &body.picture).ok_or(whole("labels"))?;
    }
    if let Ok(input) = find("sums") {
        let mut sums = invariants(input, body.modal.modes).ok_or(whole("sums"))?;
        if let Ok(input) = find("gram") {
            sums.sums = Some(gram(input, body.modal.modes).ok_or(whole("gram"))?);
        }
        body.modal.invariants = Some(sums);
    }
    if let Ok(input) = find("nodal") {
        body.nodal = Some(NodalRows::read(input, body.modal.modes).ok_or(whole("nodal"))?);
    }
    if let Ok(input) = find("flexible") {
        body.compliance = Some(compliance(input, body.modal.modes).ok_or(whole("flexible"))?);
    }
    Ok(body)
}

fn compliance(mut input: Input<'_>, modes: usize) -> Option<Compliance> {
    let places = input.count()?;
    let (flexibility, participation) = (input.list()?, input.list()?);
    // A count beyond all lists would overflow the sizes that are checked.
    if places > flexibility.len() {
        return None;
    }
    let found = Compliance { modes, places, flexibility, participation };
    (input.is_empty() && found.is_whole()).then_some(found)
}

type Section<'a> = ([u8; 8], &'a [u8]);

/// Checks magic, version, length and digest, and finds the sections.
fn sections(bytes: &[u8]) -> Result<Vec<Section<'_>>, ReducedBodyError> {
    let rest = bytes.strip_prefix(&MAGIC).ok_or(ReducedBodyError::NotABody)?;
    let head = MAGIC.len() + 8;
    let torn = |expected: usize| ReducedBodyError::Torn { found: bytes.len(), expected };
    let word = |at: usize| rest.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let (Some(version), Some(count)) = (word(0), word(4)) else { return Err(torn(head + DIGEST)) };
    if version != VERSION {
        return Err(ReducedBodyError::Version { found: version });
    }
    let table_end = (count as usize).saturating_mul(ENTRY).saturating_add(head);
    let table = bytes.get(head..table_end).ok_or_else(|| torn(table_end.saturating_add(DIGEST)))?;
    let number = |entry: &[u8], at: usize| {
        usize::try_from(u64::from_le_bytes(std::array::from_fn(|i| entry[at + i]))).unwrap_or(usize::MAX)
    };
    let end = table.chunks_exact(ENTRY).map(|entry| number(entry, 8).saturating_add(number(entry, 16)));
    let expected = end.max().unwrap_or(table_end).saturating_add(DIGEST);
    if bytes.len() != expected {
        return Err(torn(expected));
    }
    let content = &bytes[..bytes.len() - DIGEST];
    if Sha256::digest(content)[..] != bytes[content.len()..] {
        return Err(ReducedBodyError::Damaged);
    }
    let section = |entry: &[u8]| -> Option<Section<'_>> {
        let (offset, length) = (number(entry, 8), number(entry, 16));
        Some((std::array::from_fn(|i| entry[i]), content.get(offset..offset.checked_add(length)?)?))
    };
    let sections: Option<Vec<Section<'_>>> = table.chunks_exact(ENTRY).map(section).collect();
    sections.ok_or(ReducedBodyError::Damaged)
}

fn info(mut input: Input<'_>, body: &mut ReducedBody) -> Option<()> {
    body.name = input.text()?;
    let _program = input.text()?;
    let count = input.count()?;
    for _ in 0..count {
        body.notices.push(input.text()?);
    }
    input.is_empty().then_some(())
}

fn modal(mut input: Input<'_>, body: &mut ReducedBody) -> Option<()> {
    let modes = input.count()?;
    let static_shapes = input.count()?;
    let stiffness = input.list()?;
    let mass = input.list()?;
    let square = modes.checked_mul(modes)?;
    if stiffness.len() != square || mass.len() != square || static_shapes > modes {
        return None;
    }
    let form = input.byte()?;
    let values = input.list()?;
    let damping = match (form, &values[..]) {
        (0, []) => DampingDescription::None,
        (1, list) if list.len() == modes => DampingDescription::Ratios(values),
        (2, list) if list.len() == modes => DampingDescription::Coefficients(values),
        (3, list) if list.len() == square => DampingDescription::Matrix(values),
        (4, [mass, stiffness]) => DampingDescription::Rayleigh { mass: *mass, stiffness: *stiffness },
        (5, [time]) => DampingDescription::KelvinVoigt { time: *time },
        _ => return None,
    };
    body.report.static_shapes = static_shapes;
    body.mass = DMatrix::from_row_slice(modes, modes, &mass);
    body.modal = ModalDescription { modes, nodes: Vec::new(), stiffness, damping, invariants: None };
    input.is_empty().then_some(())
}

fn nodes(mut input: Input<'_>, modal: &mut ModalDescription) -> Option<()> {
    let count = input.count()?;
    for _ in 0..count {
        modal.nodes.push(read_node(&mut input, modal.modes)?);
    }
    input.is_empty().then_some(())
}

fn read_node(input: &mut Input<'_>, modes: usize) -> Option<NodeDescription> {
    let flags = input.byte()?;
    if flags & !parts::ALL != 0 {
        return None;
    }
    let has = |part: u8| flags & part != 0;
    let mut node =
        NodeDescription { mass: input.real()?, position: input.array()?, ..NodeDescription::default() };
    if has(parts::NAME) {
        node.name = input.text()?;
    }
    if has(parts::INERTIA) {
        let values = input.array::<9>()?;
        node.inertia = std::array::from_fn(|i| std::array::from_fn(|j| values[3 * i + j]));
    }
    if has(parts::OFFSET) {
        node.offset = input.array()?;
    }
    let zero = || vec![[0.0; 3]; modes];
    node.slopes = if has(parts::SLOPES) { input.vectors_of(modes)? } else { zero() };
    node.translations = if has(parts::TRANSLATIONS) { input.vectors_of(modes)? } else { zero() };
    if has(parts::QUADRATIC) {
        let triangle = input.vectors_of(modes.checked_mul(modes + 1)? / 2)?;
        let at = |row: usize, column: usize| triangle[row * (row + 1) / 2 + column];
        let pairs =
            (0..modes).flat_map(|row| (0..modes).map(move |column| (row.max(column), row.min(column))));
        node.quadratic = pairs.map(|(row, column)| at(row, column)).collect();
    }
    if has(parts::FULL_QUADRATIC) {
        node.quadratic = input.vectors()?;
    }
    Some(node)
}

fn report(mut input: Input<'_>, report: &mut TruncationReport) -> Option<()> {
    report.unknowns = input.count()?;
    report.frequencies = input.list()?;
    let count = input.count()?;
    let effective = input.reals(count.checked_mul(6)?)?;
    report.effective = effective.chunks_exact(6).map(|mode| std::array::from_fn(|i| mode[i])).collect();
    report.total = input.array()?;
    report.static_residual = match input.list()?[..] {
        [] => None,
        [residual] => Some(residual),
        _ => return None,
    };
    let sizes = report.frequencies.len() == count && report.static_shapes <= count;
    (sizes && input.is_empty()).then_some(())
}

fn picture(mut input: Input<'_>, body: &mut ReducedBody) -> Option<()> {
    let nodes = input.vectors()?;
    let lines = input.places(nodes.len())?;
    let triangles = input.places(nodes.len())?;
    let displacements = input.vectors()?;
    if displacements.len() != nodes.len().checked_mul(body.modal.modes)? {
        return None;
    }
    body.picture = Picture { nodes, lines, triangles, displacements, ..Picture::default() };
    input.is_empty().then_some(())
}

fn swept(mut input: Input<'_>, modes: usize) -> Option<Swept> {
    let points = input.vectors()?;
    let triangles = input.places(points.len())?;
    let displacements = input.vectors()?;
    let sizes = displacements.len() == points.len().checked_mul(modes)?;
    (sizes && input.is_empty()).then_some(Swept { points, triangles, displacements })
}

fn stress(mut input: Input<'_>, body: &mut ReducedBody) -> Option<()> {
    let count = input.count()?;
    let mut places = Vec::new();
    for _ in 0..count {
        let node = u32::from_le_bytes([input.byte()?, input.byte()?, input.byte()?, input.byte()?]);
        let (layer, side) = (input.byte()?, input.byte()?);
        if node as usize >= body.picture.nodes.len() || layer > 3 {
            return None;
        }
        places.push(StressRowPlace { node, layer, side });
    }
    let rows = input.list()?;
    let section_forces = input.list()?;
    let modes = body.modal.modes;
    if rows.len() != count.checked_mul(6 * modes)?
        || section_forces.len() != body.picture.lines.len().checked_mul(12 * modes)?
    {
        return None;
    }
    body.stress = StressRows { places, rows, strain: Vec::new(), section_forces };
    input.is_empty().then_some(())
}

/// Strain rows of the same places.
fn strain(mut input: Input<'_>, body: &mut ReducedBody) -> Option<()> {
    body.stress.strain = input.list()?;
    (input.is_empty() && body.stress.strain.len() == body.stress.rows.len()).then_some(())
}

fn invariants(mut input: Input<'_>, modes: usize) -> Option<ModalInvariants> {
    let six =
        |values: Vec<f64>| values.chunks_exact(6).map(|v| std::array::from_fn(|i| v[i])).collect::<Vec<_>>();
    let sums = ModalInvariants {
        mass: input.real()?,
        moment0: input.array()?,
        moment1: input.vectors()?,
        moment2: input.vectors()?,
        inertia0: input.array()?,
        inertia1: six(input.list()?),
        inertia2: six(input.list()?),
        angular0: input.vectors()?,
        angular1: input.vectors()?,
        modal: input.list()?,
        sums: None,
    };
    let pairs = modes.checked_mul(modes)?;
    let single = [sums.moment1.len(), sums.inertia1.len(), sums.angular0.len()];
    let double = [sums.inertia2.len(), sums.angular1.len(), sums.modal.len()];
    let sizes = single.iter().all(|size| *size == modes)
        && double.iter().all(|size| *size == pairs)
        && (sums.moment2.is_empty() || sums.moment2.len() == pairs);
    (sizes && input.is_empty()).then_some(sums)
}

/// The sums of level `gram`; files of earlier programs have none.
fn gram(mut input: Input<'_>, modes: usize) -> Option<MassSums> {
    let functions = input.count()?;
    let matrix = |values: &[f64]| std::array::from_fn(|i| std::array::from_fn(|j| values[3 * i + j]));
    let sums = MassSums {
        modes,
        functions,
        moments: input.list()?,
        linear: input.list()?,
        bilinear: {
            let values = input.list()?;
            if values.len() % 9 != 0 {
                return None;
            }
            values.chunks_exact(9).map(matrix).collect()
        },
        quadratic: input.list()?,
        triple: input.list()?,
    };
    // Every list has read its own length already: products of these counts cannot overflow.
    (functions == 4 && sums.fits(modes) && input.is_empty()).then_some(sums)
}
