//! Numbers, names and sets of the nodes of a picture, and cross sections of its lines: what makes data of stress rows.

use super::bytes::{Input, Output};
use super::{Picture, ReducedBody};
use crate::element::beam::Beam;
use crate::error::FemError;
use crate::mesh::{Element, Mesh};
use flexura::beam::Fibre;
use flexura::model::recovery::{LineSection, Recovery, RecoveryPlace, StressLayer};
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// Labels of a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// Number of each node in the mesh file.
    pub numbers: Vec<u64>,
    /// Named nodes.
    pub names: Vec<(String, u32)>,
    /// Sets of nodes; nodes that the picture does not show are left out.
    pub sets: Vec<(String, Vec<u32>)>,
    /// Cross sections of the lines.
    pub sections: Vec<LineSection>,
}

impl Labels {
    /// Labels of the picture of a mesh whose nodes have these numbers and names.
    pub fn new(
        mesh: &Mesh,
        picture: &Picture,
        numbers: &[u64],
        named: &[(String, usize)],
    ) -> Result<Self, FemError> {
        let seen: BTreeMap<usize, u32> = picture.sources.iter().copied().zip(0..).collect();
        let number = |node: &usize| numbers.get(*node).copied().unwrap_or(*node as u64 + 1);
        let names = named.iter().filter_map(|(name, node)| Some((name.clone(), *seen.get(node)?)));
        let sets = mesh.sets.iter().map(|(name, nodes)| {
            (name.clone(), nodes.iter().filter_map(|node| seen.get(node).copied()).collect::<Vec<u32>>())
        });
        Ok(Self {
            numbers: picture.sources.iter().map(number).collect(),
            names: names.collect(),
            sets: sets.filter(|(_, nodes)| !nodes.is_empty()).collect(),
            sections: sections(mesh)?,
        })
    }

    pub(super) fn write(&self) -> Output {
        let mut out = Output::default();
        out.count(self.numbers.len());
        self.numbers.iter().for_each(|number| out.0.extend(number.to_le_bytes()));
        out.count(self.names.len());
        for (name, node) in &self.names {
            out.text(name);
            out.count(*node as usize);
        }
        out.count(self.sets.len());
        for (name, nodes) in &self.sets {
            out.text(name);
            out.places(&nodes.iter().map(|node| [*node]).collect::<Vec<_>>());
        }
        out.count(self.sections.len());
        for section in &self.sections {
            out.reals(section.axes.as_flattened());
            out.reals(&[section.area, section.inertia[0], section.inertia[1], section.torsion]);
            out.count(section.fibres.len());
            for fibre in &section.fibres {
                out.reals(&[fibre.place[0], fibre.place[1], fibre.torsion_radius]);
            }
        }
        out
    }

    pub(super) fn read(mut input: Input<'_>, picture: &Picture) -> Option<Self> {
        let (nodes, mut labels) = (picture.nodes.len(), Self::default());
        if input.count()? != nodes {
            return None;
        }
        for _ in 0..nodes {
            labels.numbers.push(input.count()? as u64);
        }
        for _ in 0..input.count()? {
            let (name, node) = (input.text()?, u32::try_from(input.count()?).ok()?);
            if node as usize >= nodes {
                return None;
            }
            labels.names.push((name, node));
        }
        for _ in 0..input.count()? {
            let (name, members) = (input.text()?, input.places::<1>(nodes)?);
            labels.sets.push((name, members.into_iter().flatten().collect()));
        }
        if input.count()? != picture.lines.len() {
            return None;
        }
        for _ in 0..picture.lines.len() {
            let mut section = LineSection::default();
            for axis in &mut section.axes {
                *axis = input.array()?;
            }
            let [area, y, z, torsion] = input.array()?;
            (section.area, section.inertia, section.torsion) = (area, [y, z], torsion);
            for _ in 0..input.count()? {
                let [y, z, torsion_radius] = input.array()?;
                section.fibres.push(Fibre { place: [y, z], torsion_radius });
            }
            labels.sections.push(section);
        }
        input.is_empty().then_some(labels)
    }
}

/// Sections of beams and rods, in the order of the picture's lines.
fn sections(mesh: &Mesh) -> Result<Vec<LineSection>, FemError> {
    let mut sections = Vec::new();
    for (index, element) in mesh.elements.iter().enumerate() {
        match element {
            Element::Beam(element) => {
                let (beam, section) = (Beam::new(mesh, index, element)?, &element.section);
                let axis = |column: usize| std::array::from_fn(|row| beam.axes()[(row, column)]);
                sections.push(LineSection {
                    axes: [axis(0), axis(1), axis(2)],
                    area: section.area,
                    inertia: [section.inertia_y, section.inertia_z],
                    torsion: section.torsion,
                    fibres: section.outline.map_or(Vec::new(), |outline| outline.fibres(section.torsion)),
                });
            }
            Element::Rod(rod) => {
                let [first, second] = mesh.positions(index, rod.nodes)?;
                let along = (second - first).normalize();
                let y = along.cross(&Vector3::ith(along.iamin(), 1.0)).normalize();
                let axes = [along.into(), y.into(), along.cross(&y).into()];
                let fibres = vec![Fibre { place: [0.0; 2], torsion_radius: 0.0 }];
                sections.push(LineSection { axes, area: rod.area, fibres, ..LineSection::default() });
            }
            _ => {}
        }
    }
    Ok(sections)
}

/// The rows of a body for the engine; `None` where nothing of it is drawn.
pub fn recovery(body: &ReducedBody) -> Option<Recovery> {
    let (picture, stress, labels) = (&body.picture, &body.stress, &body.labels);
    let nodes = picture.nodes.len();
    if nodes == 0 || body.modal.modes == 0 {
        return None;
    }
    let layers = [StressLayer::Solid, StressLayer::Middle, StressLayer::Top, StressLayer::Bottom];
    let places = stress.places.iter().map(|place| RecoveryPlace {
        node: place.node,
        layer: layers[usize::from(place.layer.min(3))],
        side: place.side,
    });
    let older = labels.numbers.is_empty();
    let mut notes = Vec::new();
    if older {
        notes.push("the numbers of its nodes are not known: they are counted from one".to_owned());
    }
    if labels.sections.iter().any(|section| section.fibres.is_empty()) {
        notes
            .push("beams whose sections are given by constants have section forces only, no stresses".into());
    }
    // Bodies of other programs have lines to draw, but nothing of their forces.
    let forces = stress.section_forces.len() == 12 * body.modal.modes * picture.lines.len();
    let lines = if forces { picture.lines.clone() } else { Vec::new() };
    let rows = Recovery {
        modes: body.modal.modes,
        numbers: if older { (1..=nodes as u64).collect() } else { labels.numbers.clone() },
        positions: picture.nodes.clone(),
        displacements: picture.displacements.clone(),
        names: labels.names.clone(),
        sets: labels.sets.clone(),
        triangles: picture.triangles.clone(),
        places: places.collect(),
        stress: stress.rows.clone(),
        section_forces: stress.section_forces.clone(),
        sections: match older {
            true => vec![LineSection::default(); lines.len()],
            false => labels.sections.clone(),
        },
        lines,
        notes,
    };
    rows.fits().then_some(rows)
}
