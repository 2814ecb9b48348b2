//! Relation between two joint coordinates: gear, rack and pinion, belt.
//!
//! A stiff spring-damper on x = c₁ q₁ + c₂ q₂ − offset, not a constraint: effort
//! e = k x + c ẋ, generalised forces −c₁ e and −c₂ e, E = ½ k x², P = −c ẋ². A gear
//! pair of radii r₁, r₂ has factors [r₁, r₂]; a rack on a pinion of radius r has
//! [r, −1] with the pinion's angle first. x is then a length at the teeth. The
//! reaction of a gear on its housing follows from the joints' own reactions.

use super::fault::Faults;
use crate::model::joint::JointKind;
use crate::scalar::Scalar;

/// Parameters of a coupler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coupler {
    /// Factors of the two coordinates.
    pub factors: [f64; 2],
    /// Value of the sum at which the spring is relaxed.
    pub offset: f64,
    /// Stiffness k.
    pub stiffness: f64,
    /// Damping c.
    pub damping: f64,
}

/// A coupler of a model.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct CouplerLink {
    /// Name.
    pub name: String,
    /// Parameters.
    pub law: Coupler,
    /// The two coordinates.
    pub(crate) ends: [CouplerEnd; 2],
}

impl CouplerLink {
    /// Bodies whose joints have the coordinates, where these are in the tree.
    pub(crate) fn bodies<'a>(&'a self, model: &'a crate::model::Model) -> impl Iterator<Item = usize> + 'a {
        self.ends.iter().filter_map(|end| match *end {
            CouplerEnd::Tree { speed, .. } => Some(model.body_of_speed(speed)),
            CouplerEnd::Loop { .. } => None,
        })
    }
}

/// Where a coupled coordinate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CouplerEnd {
    /// In the tree: indices in the vectors of coordinates and of speeds.
    Tree {
        /// Coordinate.
        coordinate: usize,
        /// Speed.
        speed: usize,
    },
    /// Measured between the frames of a joint that closes a loop.
    Loop {
        /// Joint, among the loops.
        joint: usize,
        /// Which of its coordinates.
        index: usize,
    },
}

/// What a coupler does at one instant.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct CouplerForce<S = f64> {
    /// Deflection x.
    pub deflection: S,
    /// Effort e; the coordinates get −c₁ e and −c₂ e.
    pub effort: S,
    /// Stored energy (J).
    pub energy: S,
    /// Power of the damping (W), never positive.
    pub power: S,
}

impl Coupler {
    /// Effort, energy and power at coordinates `q` with rates `u`.
    pub fn evaluate<S: Scalar>(&self, q: [S; 2], u: [S; 2]) -> CouplerForce<S> {
        let [a, b] = self.factors;
        let deflection = q[0] * a + q[1] * b - S::from_f64(self.offset);
        let rate = u[0] * a + u[1] * b;
        let damper = rate * self.damping;
        CouplerForce {
            deflection,
            effort: deflection * self.stiffness + damper,
            energy: deflection * deflection * (0.5 * self.stiffness),
            power: -(damper * rate),
        }
    }

    /// Derivatives of the two generalised forces over the coordinates, and over the speeds.
    pub fn tangent(&self) -> ([[f64; 2]; 2], [[f64; 2]; 2]) {
        let [a, b] = self.factors;
        let outer = |k: f64| [[-k * a * a, -k * a * b], [-k * b * a, -k * b * b]];
        (outer(self.stiffness), outer(self.damping))
    }

    /// What is wrong with the parameters.
    pub fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        faults.finite("factors", &self.factors);
        if self.factors.contains(&0.0) {
            let help = "a gear pair has the two radii, a rack and pinion [radius, -1]";
            faults.error("zero-factor", "factors", "a factor is zero: its coordinate takes no part", help);
        }
        faults.finite("offset", &[self.offset]);
        faults.positive("stiffness", self.stiffness, "force per deflection");
        faults.damping("damping", self.damping);
        faults
    }
}

impl CouplerLink {
    /// Indices of both speeds, where both coordinates are in the tree.
    pub fn speeds(&self) -> Option<[usize; 2]> {
        match self.ends {
            [CouplerEnd::Tree { speed: a, .. }, CouplerEnd::Tree { speed: b, .. }] => Some([a, b]),
            _ => None,
        }
    }
}

/// Which coordinate of a joint `word` names; no word names the only one. `None` where there is none,
/// or where speeds are not the rates of the coordinates.
pub(crate) fn find_coordinate(kind: &JointKind, word: Option<&str>) -> Option<usize> {
    if matches!(kind, JointKind::Spherical | JointKind::Free) {
        return None;
    }
    let names = kind.coordinate_names();
    match word {
        Some(word) => names.iter().position(|(name, _)| *name == word),
        None => (names.len() == 1).then_some(0),
    }
}
