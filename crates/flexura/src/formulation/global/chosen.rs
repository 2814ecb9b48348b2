//! What a model chooses of its points and unit vectors (`[graph.natural]`), where the rules of `sharing` and `base` shall not.
//!
//! Source: García de Jalón and Bayo (1994), chapter 2: a mechanism has many sets of natural coordinates, and the authors of
//! a model choose one by hand. Lugrís et al. 2007, Tables 3 and 5, count such choices. Whatever is chosen, every frame
//! stays linear in the coordinates (book/src/theory/global.md (GL.1)), so that bodies move alike. Cost: once per model.
//!
//! | key | element |
//! |---|---|
//! | `own_point`, `own_vectors` | the frame of a body shares no point, no vector |
//! | `unit_vectors` | no lines between points as vectors of a frame |
//! | `sliding` | place = place of the neighbour + s d, d constant: one coordinate |
//! | `carried_points` | point of a joint = X(1, l) of the first body: no coordinates |
//! | `joint_vectors` | both axes of a universal joint are unit vectors of their bodies |

use super::base::{Base, choose_base};
use super::build::GlobalError;
use super::joint_ends::{End, JointEnds, shared};
use super::operand::LinearOperand;
use super::plane::Survey;
use super::sharing::{BodyUses, Naturals};
use crate::model::channel::matches_pattern;
use crate::model::description::NaturalChoice;
use crate::model::joint::JointKind;
use crate::spatial::{Vector3, axpy, dot, matrix_vector, sub, transposed_matrix_vector};

/// How one body is described.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BodyChoice {
    pub own_point: bool,
    pub own_vectors: bool,
    pub unit_vectors: bool,
    /// The joint along which its place has one coordinate.
    slides: Option<usize>,
}

/// How bodies and joints are described; without entries, by the rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen {
    bodies: Vec<BodyChoice>,
    carried: Vec<bool>,
    axes: Vec<bool>,
}

/// The place of a body that slides: on its neighbour, plus one coordinate along a constant direction.
pub(super) struct Slide {
    pub start: LinearOperand,
    pub direction: Vector3,
}

fn refused<T>(what: &'static str, item: &str, fix: &'static str) -> Result<T, GlobalError> {
    Err(GlobalError::Unsupported { what, item: item.to_string(), fix })
}

impl Chosen {
    /// What `survey.model` chooses.
    pub fn new(survey: &Survey<'_>) -> Result<Self, GlobalError> {
        let natural = &survey.model.natural;
        if natural.is_empty() {
            return Ok(Self::default());
        }
        let named = |list: &[String], name: &str| list.iter().any(|pattern| matches_pattern(pattern, name));
        let mut bodies = Vec::with_capacity(survey.model.body_count());
        for (k, body) in survey.model.bodies.iter().enumerate() {
            let is = |list: &[String]| named(list, &body.name);
            let slides = if is(&natural.sliding) { Some(slides_on(survey, k)?) } else { None };
            bodies.push(BodyChoice {
                own_point: is(&natural.own_point),
                own_vectors: is(&natural.own_vectors),
                unit_vectors: is(&natural.unit_vectors),
                slides,
            });
        }
        let of_joints =
            |list: &[String]| survey.joints.iter().map(|joint| named(list, &joint.name)).collect();
        let found = Self {
            bodies,
            carried: of_joints(&natural.carried_points),
            axes: of_joints(&natural.joint_vectors),
        };
        found.check_joints(survey, natural)?;
        Ok(found)
    }

    fn check_joints(&self, survey: &Survey<'_>, natural: &NaturalChoice) -> Result<(), GlobalError> {
        for (index, joint) in survey.joints.iter().enumerate() {
            // A pattern may name joints of other kinds too: they have no such axes.
            let alone = natural.joint_vectors.contains(&joint.name);
            if alone && !matches!(joint.kind, JointKind::Universal { .. }) {
                let fix = "leave it out of joint_vectors: the directions of other joints are shared by rule";
                return refused("own axes of joints that are not universal", &joint.name, fix);
            }
            if natural.carried_points.contains(&joint.name) && !shared(&joint.kind).point {
                let fix = "leave it out of carried_points: the origins of its frames are apart";
                return refused("points carried by joints without a common point", &joint.name, fix);
            }
            if !self.carries(index) {
                continue;
            }
            let end = &joint.ends[joint.first];
            let rigid = |body: usize| survey.model.bodies[body].attachments[end.mount.attachment].rigid;
            if end.body.is_some_and(|body| !rigid(body)) {
                let fix = "name a body first in `between` whose frame no mode moves, or leave the joint out of carried_points";
                return refused("points carried by a place that deforms", &joint.name, fix);
            }
        }
        Ok(())
    }

    fn body(&self, k: usize) -> BodyChoice {
        self.bodies.get(k).copied().unwrap_or_default()
    }

    /// Whether the point of joint `index` is a place on its first body.
    pub fn carries(&self, index: usize) -> bool {
        self.carried.get(index).is_some_and(|&carried| carried)
    }

    /// Axes of joint `index` that are vectors of its bodies, with the end that has each.
    pub fn axes(&self, index: usize, joint: &JointEnds) -> Vec<(usize, Vector3)> {
        match &joint.kind {
            JointKind::Universal { axis, axis2 } if self.axes.get(index).is_some_and(|&own| own) => {
                vec![(0, *axis), (1, *axis2)]
            }
            _ => Vec::new(),
        }
    }

    /// Whether sliding along joint `index` is a coordinate already.
    pub fn slides_along(&self, index: usize) -> bool {
        self.bodies.iter().any(|body| body.slides == Some(index))
    }

    /// The bases of all bodies, neighbours that carry something first; and that order.
    pub fn bases(
        &self,
        survey: &Survey<'_>,
        uses: &mut [BodyUses],
        naturals: &mut Naturals,
    ) -> Result<(Vec<Base>, Vec<usize>), GlobalError> {
        let order = self.order(survey, uses, naturals)?;
        let mut bases: Vec<Option<Base>> = vec![None; order.len()];
        for &k in &order {
            let choice = self.body(k);
            let slide = choice.slides.map(|joint| slide(survey, &survey.joints[joint], k, &bases));
            let (body, motion) = (&survey.model.bodies[k], &survey.motions[k]);
            let base = choose_base(body, &mut uses[k], motion, naturals, choice, slide);
            if choice.slides.is_some() && !base.is_parallel(naturals) {
                let fix = "leave it out of sliding, or of own_vectors";
                return refused("bodies that slide and turn", &body.name, fix);
            }
            naturals.carry_along(k, &base.map);
            bases[k] = Some(base);
        }
        Ok((bases.into_iter().flatten().collect(), order))
    }

    /// Bodies in an order in which those that carry points or neighbours come first.
    fn order(
        &self,
        survey: &Survey<'_>,
        uses: &[BodyUses],
        naturals: &Naturals,
    ) -> Result<Vec<usize>, GlobalError> {
        let count = uses.len();
        if self.bodies.is_empty() {
            return Ok((0..count).collect());
        }
        let mut carrier: Vec<Option<usize>> = vec![None; naturals.list.len()];
        for &(natural, body, _) in &naturals.carried {
            carrier[natural] = Some(body);
        }
        let mut done = vec![false; count];
        let mut order = Vec::with_capacity(count);
        while order.len() < count {
            let before = order.len();
            for k in 0..count {
                let neighbour = self.body(k).slides.and_then(|joint| other_end(&survey.joints[joint], k));
                let mut needed =
                    uses[k].points.iter().filter_map(|entry| carrier[entry.natural]).chain(neighbour);
                if !done[k] && needed.all(|body| done[body]) {
                    done[k] = true;
                    order.push(k);
                }
            }
            if order.len() == before {
                let k = done.iter().position(|done| !done).unwrap_or(0);
                let fix =
                    "leave one of the joints out of carried_points, or one of the bodies out of sliding";
                return refused("bodies that carry each other", &survey.model.bodies[k].name, fix);
            }
        }
        Ok(order)
    }
}

/// The body at the other end of `joint`, `None` for the ground.
fn other_end(joint: &JointEnds, k: usize) -> Option<usize> {
    joint.ends.iter().map(|end| end.body).find(|&body| body != Some(k)).flatten()
}

/// The prismatic joint that carries body `k`, from the ground where there is one.
fn slides_on(survey: &Survey<'_>, k: usize) -> Result<usize, GlobalError> {
    // The line goes through the origins of the frames: modes must not move them off it.
    let rigid = |end: &End| {
        end.body.is_none_or(|body| survey.model.bodies[body].attachments[end.mount.attachment].rigid)
    };
    let prismatic = |joint: &JointEnds| {
        matches!(joint.kind, JointKind::Prismatic { .. })
            && joint.ends.iter().any(|end| end.body == Some(k))
            && joint.ends.iter().all(rigid)
    };
    let all = || (0..survey.joints.len()).filter(|&index| prismatic(&survey.joints[index]));
    let grounded = all().find(|&index| other_end(&survey.joints[index], k).is_none());
    match grounded.or_else(|| all().next()) {
        Some(index) => Ok(index),
        None => refused(
            "sliding bodies without a prismatic joint between places that no mode moves",
            &survey.model.bodies[k].name,
            "leave it out of sliding",
        ),
    }
}

/// Where body `k` is: at its present place on the neighbour, less what it has slid.
fn slide(survey: &Survey<'_>, joint: &JointEnds, k: usize, bases: &[Option<Base>]) -> Slide {
    let axis = if let JointKind::Prismatic { axis } = &joint.kind { *axis } else { [0.0; 3] };
    let direction = matrix_vector(&survey.end_motion(&joint.ends[0]).rotation, &axis);
    let across = |from: &Vector3| {
        let mut rest = sub(&survey.motions[k].position, from);
        let slid = dot(&direction, &rest);
        axpy(&mut rest, -slid, &direction);
        rest
    };
    let mut start = match other_end(joint, k).and_then(|body| Some((body, bases[body].as_ref()?))) {
        Some((body, base)) => {
            let neighbour = &survey.motions[body];
            let y = transposed_matrix_vector(&neighbour.rotation, &across(&neighbour.position));
            LinearOperand::of_frame(&base.map, &[1.0, y[0], y[1], y[2]])
        }
        None => LinearOperand { constant: across(&survey.origin), columns: Vec::new() },
    };
    // The coordinate alone counts along the direction.
    let along = dot(&direction, &start.constant);
    axpy(&mut start.constant, -along, &direction);
    Slide { start, direction }
}
