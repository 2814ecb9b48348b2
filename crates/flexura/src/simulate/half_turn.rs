//! Laws over angles that a motion has taken to where they end.
//!
//! The twist of a torsion spring, the rotation vectors of bushings and of springs of spherical joints lie within half a
//! turn: beyond it the law begins again from its other side, and the stored energy jumps. A twist about an axis that is
//! tilted by half a turn, and the rolling direction of a wheel that lies flat, do not exist. No step, however small, carries
//! energy over such a place, so a run that has met one says which law it was. Looked at in the recorded rows; one frame pair each.

use crate::checkpoint::Tape;
use crate::model::element::ElementKind;
use crate::model::joint::JointKind;
use crate::model::{Model, layout_of};
use crate::motion::frame_state::frame_state;
use crate::spatial::{Vector3, norm, quaternion_log, sub};
use crate::state::State;
use crate::workspace::Workspace;
use std::f64::consts::PI;
use std::fmt;

/// Margin below which a law is as good as undefined: ten degrees.
const LEAST_MARGIN: f64 = 0.17;

/// What carries the law.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Carrier {
    Element(usize),
    Joint(usize),
}

/// A law over angles, over the recorded instants of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HalfTurn {
    /// Element or joint.
    pub name: String,
    /// When its angle was first found beyond the jump (s); infinite where it never was.
    pub jumped: f64,
    /// Least sine of the angle from where the law is not defined.
    pub margin: f64,
    /// When (s).
    pub time: f64,
    what: &'static str,
    carrier: Carrier,
    last: Vector3,
}

impl HalfTurn {
    /// Whether the law was left.
    pub fn is_alarm(&self) -> bool {
        self.jumped.is_finite() || self.margin < LEAST_MARGIN
    }

    fn new(what: &'static str, name: &str, carrier: Carrier) -> Self {
        let last = [f64::NAN; 3];
        Self { name: name.into(), jumped: f64::INFINITY, margin: 1.0, time: 0.0, what, carrier, last }
    }

    fn see(&mut self, time: f64, (turn, margin): (Vector3, f64)) {
        if norm(&sub(&turn, &self.last)) > PI {
            self.jumped = self.jumped.min(time);
        }
        self.last = turn;
        if margin < self.margin {
            (self.margin, self.time) = (margin, time);
        }
    }

    pub(super) fn remember(&mut self, tape: &mut Tape) {
        [&mut self.jumped, &mut self.margin, &mut self.time].into_iter().for_each(|x| tape.number(x));
        tape.numbers(&mut self.last);
    }
}

impl fmt::Display for HalfTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, name) = (self.what, &self.name);
        if self.jumped.is_finite() {
            return write!(
                f,
                "{what} `{name}`: its angle passed half a turn (before t = {:.4} s), where the law starts again from the other \
                 side and its energy jumps; for larger angles give the spring to a revolute joint, which counts turns",
                self.jumped
            );
        }
        let degrees = self.margin.asin().to_degrees();
        let (place, time) =
            (if self.what == "tyre" { "a wheel that lies flat" } else { "an axis turned over" }, self.time);
        write!(
            f,
            "{what} `{name}` came within {degrees:.1}° of {place} (at t = {time:.4} s), where its law is not defined: what it did \
             from there on is doubtful"
        )
    }
}

/// One entry for every law of `model` that ends somewhere.
pub(super) fn half_turns(model: &Model) -> Vec<HalfTurn> {
    let elements = model.elements.iter().enumerate().filter_map(|(i, element)| {
        let what = match element.kind {
            ElementKind::TorsionSpringDamper(_) => "torsion spring",
            ElementKind::Bushing(_) => "bushing",
            ElementKind::Tyre(_) => "tyre",
            _ => return None,
        };
        Some(HalfTurn::new(what, &element.name, Carrier::Element(i)))
    });
    let joints = model.joints.iter().enumerate().filter_map(|(k, joint)| {
        let turns = matches!(joint.joint.kind, JointKind::Spherical | JointKind::Free);
        let sprung = turns && joint.coordinates.iter().take(3).any(|c| c.stiffness != 0.0);
        sprung.then(|| HalfTurn::new("spring of joint", &joint.name, Carrier::Joint(k)))
    });
    elements.chain(joints).collect()
}

/// Takes in the poses of an evaluation.
pub(super) fn see(list: &mut [HalfTurn], model: &Model, state: &State, work: &Workspace) {
    for law in list {
        let place = match law.carrier {
            Carrier::Element(i) => {
                let element = &model.elements[i];
                let [first, second] = element
                    .frames
                    .map(|frame| frame_state(model, state, &work.motion, &model.frames[frame.0]));
                element.kind.place(&first, &second)
            }
            Carrier::Joint(k) => {
                let q = &state.q[layout_of(model, k).joint_q()];
                (quaternion_log(&[q[0], q[1], q[2], q[3]]), 1.0)
            }
        };
        law.see(state.time, place);
    }
}
