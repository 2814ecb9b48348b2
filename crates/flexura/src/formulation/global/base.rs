//! The base of each body: the point and the vectors that carry its frame.
//!
//! A rigid body takes the points and vectors it shares (differences of points
//! count as vectors) and adds private vectors where those do not span space. A
//! flexible body has a frame of its own, an origin and three vectors, of which it
//! may share those at points that no mode moves. In a plane a rigid body needs
//! one vector, the second being its perpendicular. A model may choose otherwise
//! (`chosen`): a point or vectors of its own, unit vectors instead of lines, a place
//! along a direction that never turns.

use super::chosen::{BodyChoice, Slide};
use super::frame::{Frame, FrameMap, NO_FRAME, Weights};
use super::joint_ends::normals;
use super::natural::NaturalKind;
use super::pose::BodyMotion;
use super::sharing::{BodyUses, Naturals, Use};
use crate::model::Body;
use crate::spatial::{
    Matrix3, Vector3, cross, dot, matrix_vector, norm, scale, sub, transposed_matrix_vector,
};

/// Part of a unit vector outside the span of the others below which it is no base vector.
const INDEPENDENT: f64 = 0.2;

/// A vector that is linear in the elements: Σ factor × element, perhaps turned by a right angle in the plane.
#[derive(Clone, Debug)]
pub(super) struct Combination {
    pub terms: Vec<(usize, f64)>,
    pub turned: bool,
    /// Local components in the body frame.
    pub local: Vector3,
}

impl Combination {
    fn element(natural: usize, local: Vector3) -> Self {
        Self { terms: vec![(natural, 1.0)], turned: false, local }
    }
}

/// The base of one body.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub map: FrameMap,
    /// The base vectors between which lengths and angles are constant.
    pub vectors: Vec<Combination>,
    /// Elements that are part of the base and need no further equation.
    pub members: Vec<usize>,
}

/// Chooses the base of `body`, adding private elements where the shared ones do not suffice.
pub(super) fn choose_base(
    body: &Body,
    uses: &mut BodyUses,
    motion: &BodyMotion,
    naturals: &mut Naturals,
    choice: BodyChoice,
    slide: Option<Slide>,
) -> Base {
    let flexible = body.modes > 0;
    let origin = match slide {
        Some(slide) => own_point(uses, naturals.add_sliding(slide)),
        None => base_point(body, uses, motion, naturals, choice.own_point),
    };
    let plane = naturals.plane;
    let mut vectors: Vec<Combination> = Vec::new();
    if let Some(plane) = plane {
        let local = transposed_matrix_vector(&motion.rotation, &plane.normal);
        let normal = naturals.add_constant(NaturalKind::Vector, plane.normal);
        vectors.push(Combination::element(normal, local));
    }
    let enough = if plane.is_some() && !flexible { 2 } else { 3 };
    let shared = if choice.own_vectors {
        Vec::new()
    } else {
        candidates(uses, &origin, flexible || choice.unit_vectors, naturals)
    };
    for candidate in shared {
        if vectors.len() < enough && is_independent(&candidate.local, &vectors) {
            vectors.push(candidate);
        }
    }
    while vectors.len() < enough {
        let local = missing_direction(&vectors);
        let natural = naturals.add_moving(NaturalKind::Vector, &matrix_vector(&motion.rotation, &local));
        uses.vectors.push(Use { natural, attachment: 0, local });
        vectors.push(Combination::element(natural, local));
    }
    let mut spanning = vectors.clone();
    if enough == 2 {
        let local = cross(&vectors[0].local, &vectors[1].local);
        spanning.push(Combination { terms: vectors[1].terms.clone(), turned: true, local });
    }
    let mut members = vec![origin.natural];
    members.extend(vectors.iter().filter(|v| v.terms.len() == 1).map(|v| v.terms[0].0));
    // The far ends of differences follow from the base: lengths are kept by its own equations.
    members.extend(vectors.iter().filter(|v| v.terms.len() == 2).map(|v| v.terms[0].0));
    Base { map: frame_map(&origin, &spanning, naturals), vectors, members }
}

/// A shared point that no mode moves, preferably on the ground; otherwise, or where `own` asks for it, a private one.
fn base_point(
    body: &Body,
    uses: &mut BodyUses,
    motion: &BodyMotion,
    naturals: &mut Naturals,
    own: bool,
) -> Use {
    let rigid = |entry: &&Use| !own && body.attachments[entry.attachment].rigid;
    let fixed = |entry: &&Use| naturals.list[entry.natural].is_fixed();
    let all = || uses.points.iter().filter(rigid);
    if let Some(found) = all().find(fixed).or_else(|| all().next()) {
        return found.clone();
    }
    let position = sub(&motion.position, &naturals.origin);
    own_point(uses, naturals.add_moving(NaturalKind::Point, &position))
}

/// Element `natural` as the origin of the body.
fn own_point(uses: &mut BodyUses, natural: usize) -> Use {
    let entry = Use { natural, attachment: 0, local: [0.0; 3] };
    uses.points.push(entry.clone());
    entry
}

impl Base {
    /// Whether none of its vectors ever turns.
    pub fn is_parallel(&self, naturals: &Naturals) -> bool {
        let fixed = |&(natural, _): &(usize, f64)| naturals.list[natural].is_fixed();
        self.vectors.iter().all(|vector| vector.terms.iter().all(fixed))
    }
}

/// Vectors a base may use: shared vectors, constants first, then differences of points, long ones first.
fn candidates(uses: &BodyUses, origin: &Use, flexible: bool, naturals: &Naturals) -> Vec<Combination> {
    let mut shared: Vec<&Use> = uses.vectors.iter().filter(|entry| entry.attachment == 0).collect();
    shared.sort_by_key(|entry| !naturals.list[entry.natural].is_fixed());
    let mut list: Vec<Combination> =
        shared.iter().map(|entry| Combination::element(entry.natural, entry.local)).collect();
    if !flexible {
        let mut lines: Vec<(f64, Combination)> = Vec::new();
        for point in uses.points.iter().filter(|point| point.natural != origin.natural) {
            let arm = sub(&point.local, &origin.local);
            let length = norm(&arm);
            if length > 1e-9 {
                let terms = vec![(point.natural, 1.0 / length), (origin.natural, -1.0 / length)];
                lines.push((length, Combination { terms, turned: false, local: scale(1.0 / length, &arm) }));
            }
        }
        lines.sort_by(|a, b| b.0.total_cmp(&a.0));
        list.extend(lines.into_iter().map(|(_, line)| line));
    }
    list
}

/// Orthonormal basis of what the vectors span.
fn orthonormal(vectors: &[Combination]) -> Vec<Vector3> {
    let mut basis: Vec<Vector3> = Vec::new();
    for vector in vectors {
        let rest = remainder(&vector.local, &basis);
        basis.push(scale(1.0 / norm(&rest), &rest));
    }
    basis
}

fn remainder(v: &Vector3, basis: &[Vector3]) -> Vector3 {
    basis.iter().fold(*v, |rest, b| sub(&rest, &scale(dot(&rest, b), b)))
}

fn is_independent(local: &Vector3, vectors: &[Combination]) -> bool {
    norm(&remainder(local, &orthonormal(vectors))) > INDEPENDENT
}

/// A unit vector outside the span of `vectors`.
fn missing_direction(vectors: &[Combination]) -> Vector3 {
    let basis = orthonormal(vectors);
    match basis.len() {
        0 => [1.0, 0.0, 0.0],
        1 => normals(&basis[0])[0],
        _ => cross(&basis[0], &basis[1]),
    }
}

/// X as a function of the base: axes = vectors × B⁻¹, origin = base point − axes × its local position.
fn frame_map(origin: &Use, spanning: &[Combination], naturals: &Naturals) -> FrameMap {
    let b: Matrix3 = std::array::from_fn(|i| std::array::from_fn(|j| spanning[j].local[i]));
    let inverse = inverse3(&b);
    let mut map = FrameMap { constant: NO_FRAME, columns: Vec::new() };
    add_element(&mut map, naturals, origin.natural, 1.0, &[1.0, 0.0, 0.0, 0.0], false);
    for (j, vector) in spanning.iter().enumerate() {
        let row = inverse[j];
        let weights = [-dot(&row, &origin.local), row[0], row[1], row[2]];
        for &(natural, factor) in &vector.terms {
            add_element(&mut map, naturals, natural, factor, &weights, vector.turned);
        }
    }
    map
}

fn add_element(
    map: &mut FrameMap,
    naturals: &Naturals,
    natural: usize,
    factor: f64,
    weights: &Weights,
    turned: bool,
) {
    let element = &naturals.list[natural];
    let placed = |v: &Vector3| -> Frame {
        let v = match (&naturals.plane, turned) {
            (Some(plane), true) => cross(&plane.normal, v),
            _ => *v,
        };
        std::array::from_fn(|i| std::array::from_fn(|j| factor * v[i] * weights[j]))
    };
    super::frame::accumulate(&mut map.constant, 1.0, &placed(&element.constant));
    for (k, direction) in element.directions.iter().enumerate() {
        map.add_column(element.first + k, &placed(direction));
    }
    for (c, direction) in &element.carried {
        map.add_column(*c, &placed(direction));
    }
}

fn inverse3(m: &Matrix3) -> Matrix3 {
    let columns: [Vector3; 3] = std::array::from_fn(|j| [m[0][j], m[1][j], m[2][j]]);
    let rows =
        [cross(&columns[1], &columns[2]), cross(&columns[2], &columns[0]), cross(&columns[0], &columns[1])];
    let volume = dot(&columns[0], &rows[0]);
    rows.map(|row| scale(1.0 / volume, &row))
}
