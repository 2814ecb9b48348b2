//! One body: nodes, attachment points and inertia at the chosen level.

use super::merge::MergedMass;
use crate::beam::{BeamInput, SectionProperties, Station, assemble, bending_samples, station_at};
use crate::diagnostic::Diagnostic;
use crate::model::body::{
    Attachment, Body, ConsistentInertia, CurvatureEnergy, GramInertia, InertiaModel, MassNode, ModalMatrix,
    NodeShape, NodeSumInertia, PaperInertia, RuthlessInertia, SectionTurn,
};
use crate::model::body::{mass_node, node_shape};
use crate::model::description::{
    AttachmentRule, BeamDescription, BodyDescription, BodyKind, Carriers, Curvature, DampingDescription,
    InertiaLevel, ModalDescription, Place,
};
use crate::model::invariants::ModalInvariants;
use crate::model::mass_sums::MassSums;
use crate::spatial::{
    Spatial, SymmetricSpatial, Vector3, add, join, matrix_product, norm, scale, shift_motion, skew,
};
use std::collections::HashMap;
use std::sync::Arc;

/// A body before its inertia is reduced: what joints and frames refer to.
#[derive(Clone)]
pub(super) struct BodyParts {
    modes: usize,
    level: InertiaLevel,
    carriers: Carriers,
    rule: AttachmentRule,
    nodes: Vec<MassNode>,
    /// Apart: rigid bodies have none.
    invariants: Option<Box<ModalInvariants>>,
    stiffness: Vec<f64>,
    curvature: Option<Arc<CurvatureEnergy>>,
    damping: Vec<f64>,
    shapes: Vec<NodeShape>,
    /// Place → (attachment, constant position to add when folded into the reference frame).
    places: HashMap<PlaceKey, (usize, Vector3)>,
}

/// Places as hash keys; stations by their bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum PlaceKey {
    Origin,
    Node(String),
    Station(u64),
}

impl From<&Place> for PlaceKey {
    fn from(place: &Place) -> Self {
        match place {
            Place::Origin => Self::Origin,
            Place::Node(name) => Self::Node(name.clone()),
            Place::Station(x) => Self::Station(x.to_bits()),
        }
    }
}

/// Everything a body kind contributes before reduction.
struct Source {
    modes: usize,
    nodes: Vec<MassNode>,
    invariants: Option<ModalInvariants>,
    stiffness: Vec<f64>,
    curvature: Option<Arc<CurvatureEnergy>>,
    damping: DampingDescription,
}

impl BodyParts {
    /// Nodes and attachment shapes of body number `index` with `masses` merged into it.
    pub fn new(
        body: &BodyDescription,
        index: usize,
        masses: &[&MergedMass],
    ) -> Result<Self, Box<Diagnostic>> {
        let refuse = |message: String| {
            Box::new(Diagnostic::error(
                "beam",
                format!("body[{index}].beam"),
                format!("body `{}`", body.name),
                message,
                "correct the beam's dimensions, section or modes",
            ))
        };
        let level = body.level.unwrap_or_else(|| default_level(&body.kind));
        let mut third = false;
        let beam_input = match &body.kind {
            BodyKind::Beam(beam) => {
                let mut input = beam_input(beam).map_err(|e| refuse(e.to_string()))?;
                input.finite_turns = second_order_turns(beam, level);
                third = third_order(beam, level, body.attachments).map_err(|(message, help)| {
                    let (path, item) =
                        (format!("body[{index}].beam.curvature"), format!("body `{}`", body.name));
                    Box::new(Diagnostic::error("curvature", path, item, message, help))
                })?;
                Some(input)
            }
            _ => None,
        };
        let source = match (&body.kind, &beam_input) {
            (BodyKind::Beam(beam), Some(input)) => {
                beam_source(beam, input, third).map_err(|e| refuse(e.to_string()))?
            }
            (BodyKind::Modal(modal), _) => modal_source(modal),
            (kind, _) => rigid_source(kind),
        };
        let shape_at = |place: &Place| -> Result<NodeShape, Box<Diagnostic>> {
            Ok(match (place, &body.kind, &beam_input) {
                (Place::Station(x), _, Some(input)) => {
                    station_shape(station_at(input, *x).map_err(|e| refuse(e.to_string()))?, third)
                }
                (Place::Node(name), BodyKind::Modal(modal), _) => modal
                    .nodes
                    .iter()
                    .find(|node| node.name == *name)
                    .map_or_else(|| NodeShape::rigid([0.0; 3], source.modes), node_shape),
                _ => NodeShape::rigid([0.0; 3], source.modes),
            })
        };
        let mut nodes = source.nodes.clone();
        for mass in masses {
            let shape = shape_at(&mass.place)?;
            nodes.push(point_node(mass.mass, &mass.position, shape));
        }
        let rule = body.attachments.unwrap_or(match level {
            InertiaLevel::Ruthless => AttachmentRule::Frozen,
            InertiaLevel::Paper => AttachmentRule::LambdaEtad,
            InertiaLevel::Gram | InertiaLevel::Consistent | InertiaLevel::Full => AttachmentRule::Exact,
        });
        let mut shapes = vec![NodeShape::rigid([0.0; 3], source.modes)];
        let mut places = HashMap::from([(PlaceKey::Origin, (0, [0.0; 3]))]);
        for frame in &body.frames {
            let key = PlaceKey::from(&frame.place);
            if places.contains_key(&key) {
                continue;
            }
            let shape = shape_at(&frame.place)?;
            if shape.is_rigid() {
                // A point that never deforms is just an offset of the reference frame.
                places.insert(key, (0, shape.position));
            } else {
                places.insert(key, (shapes.len(), [0.0; 3]));
                shapes.push(shape);
            }
        }
        let inertia = consistent(source.invariants.as_ref(), &nodes, source.modes);
        let damping = damping_matrix(&source.damping, &inertia, &source.stiffness, source.modes);
        Ok(Self {
            modes: source.modes,
            level,
            carriers: body.carriers.unwrap_or_default(),
            rule,
            nodes,
            invariants: source.invariants.map(Box::new),
            stiffness: source.stiffness,
            curvature: source.curvature,
            damping,
            shapes,
            places,
        })
    }

    /// Gives back what only frames ask for.
    pub fn forget_places(&mut self) {
        self.places = HashMap::new();
    }

    /// Attachment index of `place` and the constant position to add to a frame there.
    pub fn attachment(&self, place: &Place) -> (usize, Vector3) {
        self.places.get(&PlaceKey::from(place)).copied().unwrap_or((0, [0.0; 3]))
    }
}

/// Reduces the inertia and finishes the body; `inboard` is the attachment of its joint.
pub(super) fn assemble_body(parts: BodyParts, name: &str, inboard: usize) -> Body {
    let n = parts.modes;
    let inertia = if n == 0 {
        let mut inertia = rigid_inertia(&parts.nodes);
        if let Some(sums) = &parts.invariants {
            let (m, o) = (sums.mass, 0.0);
            let (angular, coupling) = (sums.inertia0, skew(&sums.moment0));
            inertia.accumulate(&SymmetricSpatial { angular, coupling, linear: [m, o, o, m, o, m] });
        }
        InertiaModel::Rigid(inertia)
    } else {
        match parts.level {
            InertiaLevel::Ruthless => {
                let columns = inboard_columns(&parts.shapes[inboard]);
                InertiaModel::Ruthless(Arc::new(RuthlessInertia::new(&parts.nodes, n, &columns)))
            }
            InertiaLevel::Paper if parts.nodes.iter().any(|node| !node.shape.quadratic.is_empty()) => {
                InertiaModel::PaperNodes(Arc::new(NodeSumInertia::paper(&parts.nodes)))
            }
            InertiaLevel::Paper => InertiaModel::Paper(Arc::new(PaperInertia::new(&parts.nodes, n))),
            InertiaLevel::Gram => InertiaModel::Gram(Arc::new(gram(&parts))),
            InertiaLevel::Consistent => {
                InertiaModel::Consistent(Arc::new(consistent(parts.invariants.as_deref(), &parts.nodes, n)))
            }
            InertiaLevel::Full => InertiaModel::Full(Arc::new(NodeSumInertia::new(&parts.nodes))),
        }
    };
    let largest_slope = (0..n)
        .map(|r| parts.nodes.iter().map(|node| norm(&node.shape.slopes[r])).fold(0.0, f64::max))
        .collect();
    let size = parts.nodes.iter().map(|node| norm(&node.shape.position)).fold(0.0, f64::max);
    let relative = if size > 0.0 { 1.0 / size } else { 0.0 };
    let largest_shift = (0..n)
        .map(|r| {
            relative * parts.nodes.iter().map(|node| norm(&node.shape.translations[r])).fold(0.0, f64::max)
        })
        .collect();
    let node_slopes = parts.nodes.iter().flat_map(|node| node.shape.slopes.clone()).collect();
    Body {
        name: name.to_owned(),
        modes: n,
        inertia,
        carriers: parts.carriers,
        rule: parts.rule,
        stiffness: ModalMatrix::compact(parts.stiffness, n),
        curvature: parts.curvature,
        damping: ModalMatrix::compact(parts.damping, n),
        attachments: parts.shapes.into_iter().map(|shape| Attachment::new(shape, parts.rule)).collect(),
        largest_slope,
        largest_shift,
        size,
        node_slopes,
        nodes: parts.nodes.into(),
        sums: parts.invariants.map(|sums| Arc::new(*sums)),
    }
}

/// The level of a body that names none: `gram`, unless its sums cannot make a positive definite mass block.
pub(super) fn default_level(kind: &BodyKind) -> InertiaLevel {
    match kind {
        BodyKind::Modal(modal) => match modal.invariants.as_ref().map(ModalInvariants::gram_sums) {
            Some(Err(_)) => InertiaLevel::Consistent,
            _ => InertiaLevel::Gram,
        },
        _ => InertiaLevel::Gram,
    }
}

/// Level `gram` from given sums and nodes.
fn gram(parts: &BodyParts) -> GramInertia {
    let n = parts.modes;
    let mut sums = MassSums::of_mass_nodes(&parts.nodes, n, parts.carriers.degree());
    // Validation refuses sums that cannot be used; nothing is added for them here.
    if let Some(Ok(given)) = parts.invariants.as_deref().map(ModalInvariants::gram_sums) {
        sums.add(&given);
    }
    let modal = consistent(parts.invariants.as_deref(), &parts.nodes, n);
    GramInertia::new(&sums, modal.modal_mass(), parts.carriers != Carriers::Affine)
}

/// The polynomial mass block from given invariants and nodes.
fn consistent(invariants: Option<&ModalInvariants>, nodes: &[MassNode], modes: usize) -> ConsistentInertia {
    match invariants {
        Some(invariants) => ConsistentInertia::with_nodes(invariants, nodes, modes),
        None => ConsistentInertia::new(nodes, modes),
    }
}

/// Pd = phi*(d,k) Π^d of the undeformed inboard point.
fn inboard_columns(shape: &NodeShape) -> Vec<Spatial> {
    let back = scale(-1.0, &shape.position);
    (0..shape.slopes.len())
        .map(|r| shift_motion(&back, &join(&shape.slopes[r], &shape.translations[r])))
        .collect()
}

/// Sum of rigidly connected nodes about the reference frame.
fn rigid_inertia(nodes: &[MassNode]) -> SymmetricSpatial {
    let mut sum = SymmetricSpatial::ZERO;
    for node in nodes {
        let local = SymmetricSpatial::rigid(node.mass, &scale(node.mass, &node.offset), &node.inertia);
        sum.accumulate(&local.shifted(&node.shape.position));
    }
    sum
}

fn point_node(mass: f64, offset: &Vector3, shape: NodeShape) -> MassNode {
    let square = matrix_product(&skew(offset), &skew(offset));
    MassNode { mass, inertia: square.map(|row| row.map(|x| -mass * x)), offset: *offset, shape }
}

fn rigid_source(kind: &BodyKind) -> Source {
    let node = match kind {
        BodyKind::Rigid(rigid) => {
            let mut node = point_node(rigid.mass, &rigid.center_of_mass, NodeShape::default());
            for i in 0..3 {
                node.inertia[i] = add(&node.inertia[i], &rigid.inertia[i]);
            }
            node
        }
        BodyKind::PointMass { mass } => point_node(*mass, &[0.0; 3], NodeShape::default()),
        _ => MassNode::default(),
    };
    Source {
        modes: 0,
        curvature: None,
        nodes: vec![node],
        invariants: None,
        stiffness: Vec::new(),
        damping: DampingDescription::None,
    }
}

fn modal_source(modal: &ModalDescription) -> Source {
    let nodes = modal.nodes.iter().map(mass_node).collect();
    Source {
        modes: modal.modes,
        nodes,
        invariants: modal.invariants.clone(),
        stiffness: modal.stiffness.clone(),
        curvature: None,
        damping: modal.damping.clone(),
    }
}

/// Whether sections of a beam turn to second order, as its points move.
pub(super) fn second_order_turns(beam: &BeamDescription, level: InertiaLevel) -> bool {
    beam.foreshortening && !matches!(level, InertiaLevel::Ruthless | InertiaLevel::Paper)
}

/// Whether curvature and rotations of a beam are kept to third order.
fn third_order(
    beam: &BeamDescription,
    level: InertiaLevel,
    rule: Option<AttachmentRule>,
) -> Result<bool, (&'static str, &'static str)> {
    let follows = !matches!(level, InertiaLevel::Ruthless | InertiaLevel::Paper);
    match beam.curvature {
        Some(Curvature::Linear) => Ok(false),
        None => Ok(false),
        Some(Curvature::ThirdOrder) if !beam.foreshortening => Err((
            "`curvature` to third order is that of a beam that shortens as it bends, and foreshortening = false",
            "remove `curvature` or `foreshortening`",
        )),
        Some(Curvature::ThirdOrder) if !follows => Err((
            "`curvature` to third order needs an inertia level that follows the deformation",
            "remove `curvature`, or write level = \"gram\", \"consistent\" or \"full\"",
        )),
        // Energy and places would belong to different deflections.
        Some(Curvature::ThirdOrder) if rule.is_some_and(|rule| rule != AttachmentRule::Exact) => Err((
            "`curvature` to third order needs frames that move with the deflected line, and `attachments` holds them back",
            "remove `curvature`, or write attachments = \"exact\"",
        )),
        Some(Curvature::ThirdOrder) => Ok(true),
    }
}

/// What the beam's modes are made of; whether sections turn as the deflected line does depends on the level too.
pub(crate) fn beam_input(beam: &BeamDescription) -> Result<BeamInput, crate::beam::BeamError> {
    Ok(BeamInput {
        length: beam.length,
        properties: beam.section_properties()?,
        modes: beam.modes.clone(),
        foreshortening: beam.foreshortening,
        finite_turns: false,
        mass_stations: beam.mass_stations,
    })
}

impl BeamDescription {
    /// Rigidities and inertia per length, given or from section and material.
    pub fn section_properties(&self) -> Result<SectionProperties, crate::beam::BeamError> {
        let mut properties = match self.properties {
            Some(given) => given,
            None => {
                let section = self.section.constants()?;
                let shear = self.shear_area.map(|areas| areas.map(|area| Some(self.shear * area)));
                SectionProperties {
                    shear: shear.unwrap_or_default(),
                    ..SectionProperties::homogeneous(self.density, self.young, self.shear, &section)
                }
            }
        };
        if !self.rotary_inertia {
            // The polar part stays, so that twist and spin have inertia.
            properties.rotary[1..].fill(0.0);
        }
        Ok(properties)
    }
}

pub(super) fn station_shape(station: Station, cubic: bool) -> NodeShape {
    let turn = station.turn.map(|quadratic| SectionTurn { quadratic, cubic });
    NodeShape {
        position: station.position,
        slopes: station.slopes,
        translations: station.translations,
        quadratic: station.quadratic.unwrap_or_default(),
        turn: turn.filter(|turn| turn.cubic || !turn.quadratic.is_empty()),
    }
}

/// Motion of the point of a beam at `x` (m) by its modes.
pub(crate) fn beam_shape(beam: &BeamDescription, x: f64) -> Result<NodeShape, crate::beam::BeamError> {
    Ok(station_shape(station_at(&beam_input(beam)?, x)?, false))
}

fn beam_source(
    beam: &BeamDescription,
    input: &BeamInput,
    third: bool,
) -> Result<Source, crate::beam::BeamError> {
    let data = assemble(input)?;
    let curvature = if third { CurvatureEnergy::new(&bending_samples(input)?) } else { None };
    let nodes = data
        .stations
        .into_iter()
        .map(|station| MassNode {
            mass: station.mass,
            inertia: station.inertia,
            offset: [0.0; 3],
            shape: station_shape(station, false),
        })
        .collect();
    Ok(Source {
        modes: input.modes.len(),
        nodes,
        invariants: None,
        stiffness: data.stiffness,
        curvature: curvature.map(Arc::new),
        damping: beam.damping.clone(),
    })
}

/// The modal damping matrix, row-major.
fn damping_matrix(
    damping: &DampingDescription,
    mass: &ConsistentInertia,
    stiffness: &[f64],
    n: usize,
) -> Vec<f64> {
    let diagonal = |values: &dyn Fn(usize) -> f64| {
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            matrix[i * (n + 1)] = values(i);
        }
        matrix
    };
    match damping {
        DampingDescription::None => vec![0.0; n * n],
        DampingDescription::Coefficients(c) => diagonal(&|i| c[i]),
        DampingDescription::Matrix(m) => m.clone(),
        DampingDescription::KelvinVoigt { time } => stiffness.iter().map(|k| time * k).collect(),
        DampingDescription::Ratios(ratios) => {
            diagonal(&|i| 2.0 * ratios[i] * (stiffness[i * (n + 1)] * mass.modal_mass()[i * (n + 1)]).sqrt())
        }
        DampingDescription::Rayleigh { mass: alpha, stiffness: beta } => {
            mass.modal_mass().iter().zip(stiffness).map(|(m, k)| alpha * m + beta * k).collect()
        }
    }
}
