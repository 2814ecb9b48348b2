//! Points and unit vectors of the global formulation, where its rules shall not choose them.

/// What a user chooses of the natural coordinates: names, or patterns with `*` and `?`. Other formulations have no such coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NaturalChoice {
    /// Bodies whose frame has a point of its own at its origin, shared with no neighbour.
    pub own_point: Vec<String>,
    /// Bodies whose frame has three unit vectors of its own, shared with no neighbour.
    pub own_vectors: Vec<String>,
    /// Bodies whose frame is made of unit vectors, shared or own, not of lines between points.
    pub unit_vectors: Vec<String>,
    /// Bodies on a prismatic joint whose direction never turns: one coordinate for their place.
    pub sliding: Vec<String>,
    /// Joints whose common point is a place on the first body and no coordinates.
    pub carried_points: Vec<String>,
    /// Universal joints whose axes are unit vectors of their bodies.
    pub joint_vectors: Vec<String>,
}

impl NaturalChoice {
    /// Keys in model files, and whether they name joints.
    pub const KEYS: [(&'static str, bool); 6] = [
        ("own_point", false),
        ("own_vectors", false),
        ("unit_vectors", false),
        ("sliding", false),
        ("carried_points", true),
        ("joint_vectors", true),
    ];

    /// The lists in the order of [`Self::KEYS`].
    pub fn lists(&self) -> [&[String]; 6] {
        [
            &self.own_point,
            &self.own_vectors,
            &self.unit_vectors,
            &self.sliding,
            &self.carried_points,
            &self.joint_vectors,
        ]
    }

    /// Whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        self.lists().iter().all(|list| list.is_empty())
    }
}
