//! Beams split into welded bodies: large deflection by substructuring.
//!
//! A beam with `segments = N` becomes N beams of equal length, each welded by its origin to the end of the one
//! before. Every segment deflects little in a frame of its own, so that linear modes and their quadratic
//! shortening describe a beam that bends, twists and moves as far as it likes. With the static shapes of the
//! end (displacement, rotation, stretch, twist) a segment is a beam element in a frame carried along, and the
//! error falls with 1/N².
//!
//! Names: the bodies are `beam.1` to `beam.N`, the welds `beam.weld.1` to `beam.weld.N-1`, the frames at their ends
//! `beam.1.end`; frames that the user gave keep their names (`beam.tip`), and so does `beam.origin`. None of these can
//! be a name of the user, who may not write dots.
//!
//! An arc (angles ψ of the tangent from root to tip, towards y and z) is the polygon through points of the arc:
//! segment i = 0.. is a chord turned by (i + ½) ψ/N against the root, welds turn by ψ/N, and a frame at the
//! station x has the tangent of the arc there. Geometry and mass are then right to 1/N² too.

use crate::diagnostic::Diagnostic;
use crate::model::description::{
    BeamDescription, BodyDescription, BodyKind, Description, ElementKindDescription, FrameDescription,
    InertiaLevel, JointDescription, LoadDescription, LoadKind, Place, RotationDescription, TreeChoice,
};
use crate::model::rotation_matrix;
use crate::spatial::{Vector3, matrix_product, matrix_vector, rotation_exp};
use std::collections::HashMap;

/// Frame of the body as the user sees it, on the first segment.
const ORIGIN: &str = "@origin";
/// Frame at the end of a segment, which carries the next.
const END: &str = "@end";

/// A description whose beams are split, and what its parts are called outside.
pub(super) struct Split {
    pub description: Description,
    /// Frame of the split description → name in the model.
    pub names: HashMap<String, String>,
    /// Body of the given description, for every body of this one.
    bodies: Vec<usize>,
    /// Load of the given description, for every load of this one.
    loads: Vec<usize>,
}

/// `description` with its beams split into segments; unchanged where none is.
///
/// Building does this by itself; it is for those who look at bodies and joints without building.
pub fn split_segments(description: &Description) -> Description {
    Split::new(description.clone()).description
}

/// What is said of several segments of one beam, said once of the beam.
fn said_once(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for found in findings {
        let beam = beam_of(&found.item);
        let twin = kept.iter_mut().find(|other| {
            (&other.path, other.code, &other.message) == (&found.path, found.code, &found.message)
                && beam.is_some()
                && (beam == beam_of(&other.item) || beam.as_ref() == Some(&other.item))
        });
        match (twin, beam) {
            (Some(first), Some(beam)) => first.item = beam,
            _ => kept.push(found),
        }
    }
    kept
}

/// The beam of a segment, both in words: "body `arm`" of "body `arm.3`".
fn beam_of(item: &str) -> Option<String> {
    let (beam, number) = item.strip_suffix('`')?.rsplit_once('.')?;
    (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then(|| format!("{beam}`"))
}

impl Split {
    pub fn new(given: Description) -> Self {
        let segmented = |body: &BodyDescription| matches!(&body.kind, BodyKind::Beam(b) if b.segments > 1);
        let any = given.bodies.iter().any(segmented);
        let (bodies, loads) = ((0..given.bodies.len()).collect(), (0..given.loads.len()).collect());
        if !any {
            return Self { description: given, names: HashMap::new(), bodies, loads };
        }
        let mut split = Self { description: given.clone(), names: HashMap::new(), bodies, loads };
        split.fill(&given);
        split
    }

    fn fill(&mut self, given: &Description) {
        let out = &mut self.description;
        (out.bodies, out.loads) = (Vec::new(), Vec::new());
        (self.bodies, self.loads) = (Vec::new(), Vec::new());
        let mut references = HashMap::new();
        let mut beams: HashMap<&str, Chain<'_>> = HashMap::new();
        for (index, body) in given.bodies.iter().enumerate() {
            match &body.kind {
                BodyKind::Beam(beam) if beam.segments > 1 => {
                    let chain = Chain::new(body, beam);
                    out.bodies.extend(chain.bodies(&mut references));
                    out.joints.extend(chain.welds());
                    self.names.extend(
                        (1..beam.segments)
                            .map(|i| (format!("{}.{i}.{END}", body.name), format!("{}.{i}.end", body.name))),
                    );
                    beams.insert(&body.name, chain);
                }
                _ => out.bodies.push(body.clone()),
            }
            self.bodies.resize(out.bodies.len(), index);
        }
        for (index, load) in given.loads.iter().enumerate() {
            match beams.get(load.body.as_str()) {
                Some(chain) => out.loads.extend(chain.loads(load)),
                None => out.loads.push(load.clone()),
            }
            self.loads.resize(out.loads.len(), index);
        }
        rename_references(out, &references);
        self.names.extend(references.into_iter().map(|(outside, inside)| (inside, outside)));
        spread_initial_values(out, &beams);
        for picture in &mut out.pictures {
            if let Some(chain) = beams.get(picture.body.as_str()) {
                picture.body = chain.name(0);
            }
        }
        if let TreeChoice::Listed(joints) = &mut out.graph.tree {
            joints.extend(out.joints[given.joints.len()..].iter().map(|weld| weld.name.clone()));
        }
    }

    /// Findings with the paths that their items have in the given description.
    pub fn outside(&self, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for found in &mut findings {
            for (key, origin) in [("body[", &self.bodies), ("load[", &self.loads)] {
                let Some((index, rest)) = found.path.strip_prefix(key).and_then(|path| path.split_once(']'))
                else {
                    continue;
                };
                let given = index.parse::<usize>().ok().and_then(|index| origin.get(index));
                if let Some(given) = given {
                    found.path = format!("{key}{given}]{rest}");
                }
            }
        }
        said_once(findings)
    }
}

/// A beam and its segments.
struct Chain<'a> {
    body: &'a BodyDescription,
    beam: &'a BeamDescription,
    /// Rotation of the tangent from root to tip (rad).
    turn: Vector3,
    /// Length of a chord (m), and of the arc above it.
    chord: f64,
    arc: f64,
}

impl<'a> Chain<'a> {
    fn new(body: &'a BodyDescription, beam: &'a BeamDescription) -> Self {
        let turn = [0.0, -beam.arc[1], beam.arc[0]];
        let arc = beam.length / beam.segments as f64;
        let half = 0.5 * crate::spatial::norm(&turn) / beam.segments as f64;
        let chord = if half > 0.0 { arc * half.sin() / half } else { arc };
        Self { body, beam, turn, chord, arc }
    }

    /// Name of segment `i`, counted from zero here and from one outside.
    fn name(&self, i: usize) -> String {
        format!("{}.{}", self.body.name, i + 1)
    }

    /// The segments; frames of the user go where they belong, noted in `references`.
    fn bodies(&self, references: &mut HashMap<String, String>) -> Vec<BodyDescription> {
        let count = self.beam.segments;
        let kind = BeamDescription { length: self.chord, segments: 1, arc: [0.0; 2], ..self.beam.clone() };
        let empty = |i: usize| BodyDescription {
            name: self.name(i),
            kind: BodyKind::Beam(kind.clone()),
            frames: Vec::new(),
            // Segments are for large deflection: exact sums over their few nodes cost little there.
            level: self.body.level.or(Some(InertiaLevel::Full)),
            attachments: self.body.attachments,
            carriers: self.body.carriers,
        };
        let mut bodies: Vec<BodyDescription> = (0..count).map(empty).collect();
        for (i, body) in bodies[..count - 1].iter_mut().enumerate() {
            let end = FrameDescription {
                name: END.into(),
                place: Place::Station(self.chord),
                ..FrameDescription::default()
            };
            let next = (i + 1) as f64 + 0.5;
            body.frames.push(self.turned(end, i, next / count as f64));
        }
        let origin = FrameDescription { name: ORIGIN.into(), ..FrameDescription::default() };
        bodies[0].frames.push(self.turned(origin, 0, 0.0));
        references.insert(format!("{}.origin", self.body.name), format!("{}.{ORIGIN}", self.name(0)));
        for frame in &self.body.frames {
            let (i, moved) = self.frame(frame);
            let outside = format!("{}.{}", self.body.name, frame.name);
            references.insert(outside, format!("{}.{}", self.name(i), frame.name));
            bodies[i].frames.push(moved);
        }
        bodies
    }

    /// The segment that carries a frame of the user, and the frame there.
    fn frame(&self, frame: &FrameDescription) -> (usize, FrameDescription) {
        let Place::Station(x) = frame.place else {
            return (0, self.turned(frame.clone(), 0, 0.0));
        };
        let i = self.segment_of(x);
        let place = Place::Station(self.local(i, x));
        (i, self.turned(FrameDescription { place, ..frame.clone() }, i, x / self.beam.length))
    }

    /// The segment at `x` (m); a point between two belongs to the inner one.
    fn segment_of(&self, x: f64) -> usize {
        // Rounding must not send the end of a segment to the next one.
        const ROUNDING: f64 = 1e-9;
        let before = (x / self.arc - ROUNDING).max(0.0);
        (before.floor() as usize).min(self.beam.segments - 1)
    }

    /// Distance along the chord of segment `i` of the point at `x` (m).
    fn local(&self, i: usize, x: f64) -> f64 {
        let part = x / self.arc - i as f64;
        if (part - 1.0).abs() < 1e-9 { self.chord } else { (part * self.chord).clamp(0.0, self.chord) }
    }

    /// A frame given by the tangent at `part` of the whole arc, in the axes of the chord `i`.
    fn turned(&self, frame: FrameDescription, i: usize, part: f64) -> FrameDescription {
        if self.turn == [0.0; 3] {
            return frame;
        }
        let angle = part - (i as f64 + 0.5) / self.beam.segments as f64;
        let extra = rotation_exp(&self.turn.map(|x| x * angle));
        let rotation = matrix_product(&extra, &rotation_matrix(&frame.rotation));
        FrameDescription {
            position: matrix_vector(&extra, &frame.position),
            rotation: RotationDescription::Matrix(rotation),
            ..frame
        }
    }

    fn welds(&self) -> impl Iterator<Item = JointDescription> {
        (1..self.beam.segments).map(|i| {
            let between = [format!("{}.{END}", self.name(i - 1)), format!("{}.origin", self.name(i))];
            let between = [between[0].as_str(), between[1].as_str()];
            JointDescription::weld(&format!("{}.weld.{i}", self.body.name), between)
        })
    }

    /// The parts of a load on the segments.
    fn loads(&self, load: &LoadDescription) -> Vec<LoadDescription> {
        let part = |i: usize| {
            let kind = match &load.kind {
                LoadKind::Line { span, force, axes } => {
                    let (start, end) = (span.0, span.1.unwrap_or(self.beam.length));
                    let (from, to) = (self.arc * i as f64, self.arc * (i + 1) as f64);
                    let (from, to) =
                        (from.max(start), if i + 1 == self.beam.segments { end } else { to.min(end) });
                    let (first, last) = (self.local(i, from), self.local(i, to));
                    if last - first <= 1e-9 * self.chord {
                        return None;
                    }
                    // Forces are given along the arc and act along the chord.
                    let stretch = self.arc / self.chord;
                    let at = |x: f64| {
                        let share = (x - start) / (end - start);
                        std::array::from_fn(|c| stretch * ((1.0 - share) * force[0][c] + share * force[1][c]))
                    };
                    LoadKind::Line { span: (first, Some(last)), force: [at(from), at(to)], axes: *axes }
                }
                other => other.clone(),
            };
            let name = format!("{}.{}", load.name, i + 1);
            Some(LoadDescription { name, body: self.name(i), kind, scale: load.scale.clone() })
        };
        (0..self.beam.segments).filter_map(part).collect()
    }
}

/// Lets joints, forces and elements refer to frames of the segments.
fn rename_references(description: &mut Description, references: &HashMap<String, String>) {
    let rename = |name: &mut String| {
        if let Some(inside) = references.get(name) {
            name.clone_from(inside);
        }
    };
    description.joints.iter_mut().flat_map(|joint| &mut joint.between).for_each(rename);
    description.forces.iter_mut().for_each(|force| rename(&mut force.at));
    for element in &mut description.elements {
        if matches!(element.kind, ElementKindDescription::Frames(_)) {
            element.between.iter_mut().for_each(rename);
        }
    }
}

/// One list of modal values stands for every segment, a longer one for all of them in order.
fn spread_initial_values(description: &mut Description, beams: &HashMap<&str, Chain<'_>>) {
    let simulation = &mut description.simulation;
    for list in [&mut simulation.modal_position, &mut simulation.modal_speed] {
        let given = std::mem::take(list);
        for (body, values) in given {
            let Some(chain) = beams.get(body.as_str()) else {
                list.push((body, values));
                continue;
            };
            let modes = chain.beam.modes.len();
            for i in 0..chain.beam.segments {
                let own =
                    if values.len() > modes { &values[i * modes..(i + 1) * modes] } else { &values[..] };
                list.push((chain.name(i), own.to_vec()));
            }
        }
    }
}
