//! What a reduced part keeps of the flexibility of the whole: response to loads at its named places and to its inertia.
//!
//! Loads f = B c with columns of B: unit moments and forces (x, y, z each) at every place, the inertia M R_d of unit angular and linear
//! accelerations of the reference frame, and M x of the six centripetal fields S x (xx, yy, zz, xy, yz, zx), all about the
//! reference node. C = B*GB with G the flexibility of the structure held there, P = B*Φ.

/// Flexibility of an unreduced part on the loads that a body of a model can meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compliance {
    /// Number of shapes n of the reduced body.
    pub modes: usize,
    /// Number of places.
    pub places: usize,
    /// C, m × m row by row, m = 6 places + 12.
    pub flexibility: Vec<f64>,
    /// P, m × n row by row.
    pub participation: Vec<f64>,
}

impl Compliance {
    /// Number of unit loads m.
    pub fn loads(&self) -> usize {
        6 * self.places + 12
    }

    /// Whether all lists have their sizes and hold numbers.
    pub fn is_whole(&self) -> bool {
        let m = self.loads();
        let sizes = self.flexibility.len() == m * m && self.participation.len() == m * self.modes;
        sizes && self.flexibility.iter().chain(&self.participation).all(|x| x.is_finite())
    }
}
