//! Rows of stresses and displacements of the bodies of a model: those that parts bring along, and those of analytic beams.
//!
//! Section forces of a beam with the stretch u, the deflections v, w along y, z and the twist θ: N = EA u', T = GJ θ',
//! M_z = EI_z v'', M_y = −EI_y w'', Q_y = −M_z', Q_z = M_y'.

use super::{BEAM_STATIONS, Picture};
use crate::beam::{ModeKind, prepare, rigidity};
use crate::build::{Built, beam_input, beam_shape};
use crate::model::description::{BeamDescription, BodyKind};
use crate::model::recovery::{LineSection, Recovery};
use std::sync::Arc;

/// Numbers of all bodies up to which rows are kept unless asked otherwise: 32 MB.
const SMALL_ROWS: usize = 4_000_000;

impl Picture {
    /// Names and rows of the flexible bodies whose stresses can be recovered.
    pub fn recoveries(built: &Built) -> Vec<(String, Arc<Recovery>)> {
        let known = &built.description.recoveries;
        let mut found = Vec::new();
        for body in &built.model.bodies {
            if let Some((name, rows)) = known.iter().find(|(name, _)| *name == body.name) {
                found.push((name.clone(), rows.clone()));
                continue;
            }
            let described = built.description.bodies.iter().find(|other| other.name == body.name);
            if let Some(BodyKind::Beam(beam)) = described.map(|found| &found.kind) {
                found.extend(beam_rows(beam).map(|rows| (body.name.clone(), Arc::new(rows))));
            }
        }
        found
    }

    /// Rows that a result of this model keeps: all, or none where they are huge and were not asked for.
    pub fn kept_recoveries(built: &Built) -> Vec<(String, Arc<Recovery>)> {
        let output = &built.description.output;
        if output.stress == Some(false) {
            return Vec::new();
        }
        let found = Self::recoveries(built);
        let size: usize = found.iter().map(|(_, rows)| rows.size()).sum();
        if output.stress == Some(true) || size <= SMALL_ROWS { found } else { Vec::new() }
    }
}

/// Rows of an analytic beam at equal distances; `None` for a rigid one or one that cannot be evaluated.
fn beam_rows(beam: &BeamDescription) -> Option<Recovery> {
    let input = beam_input(beam).ok()?;
    let modes = prepare(&input).ok()?;
    if modes.is_empty() {
        return None;
    }
    let x = |i: usize| beam.length * i as f64 / (BEAM_STATIONS - 1) as f64;
    let shapes: Vec<_> = (0..BEAM_STATIONS).map(|i| beam_shape(beam, x(i)).ok()).collect::<Option<_>>()?;
    let forces = |at: f64| {
        let mut rows = vec![0.0; 6 * modes.len()];
        for (k, mode) in modes.iter().enumerate() {
            let (f, stiff) = (mode.shape.at(at), rigidity(&input, mode.kind));
            let entries: &[(usize, f64)] = match mode.kind {
                ModeKind::Axial => &[(0, f.slope)],
                ModeKind::Torsion => &[(3, f.slope)],
                ModeKind::BendingY => &[(5, f.curvature), (1, -f.third)],
                ModeKind::BendingZ => &[(4, -f.curvature), (2, -f.third)],
            };
            entries.iter().for_each(|(row, value)| rows[row * modes.len() + k] = stiff * value);
        }
        rows
    };
    let lines: Vec<[u32; 2]> = (1..BEAM_STATIONS as u32).map(|i| [i - 1, i]).collect();
    let last = BEAM_STATIONS as u32 - 1;
    Some(Recovery {
        modes: modes.len(),
        numbers: (1..=BEAM_STATIONS as u64).collect(),
        positions: (0..BEAM_STATIONS).map(|i| [x(i), 0.0, 0.0]).collect(),
        displacements: (0..modes.len())
            .flat_map(|mode| shapes.iter().map(move |shape| shape.translations[mode]))
            .collect(),
        names: vec![("root".into(), 0), ("tip".into(), last)],
        section_forces: lines.iter().flatten().flat_map(|&end| forces(x(end as usize))).collect(),
        sections: vec![section(beam); lines.len()],
        lines,
        notes: notes(beam),
        ..Recovery::default()
    })
}

fn section(beam: &BeamDescription) -> LineSection {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Rigidities alone say nothing of stresses.
    match beam.section.constants().ok().filter(|_| beam.properties.is_none()) {
        Some(found) => LineSection {
            axes,
            area: found.area,
            inertia: [found.inertia_y, found.inertia_z],
            torsion: found.torsion,
            fibres: beam.section.fibres(),
        },
        None => LineSection { axes, ..LineSection::default() },
    }
}

fn notes(beam: &BeamDescription) -> Vec<String> {
    let mut notes = Vec::new();
    if !beam.modes.iter().any(|mode| mode.kind == ModeKind::Axial) {
        notes.push("no axial mode: the normal force is left out of its stresses".into());
    }
    if beam.properties.is_some() || beam.section.fibres().is_empty() {
        notes.push("the outline of its section is not known: section forces only, no stresses".into());
    }
    notes
}
