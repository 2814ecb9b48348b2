//! Elements as users write them: by name, unchecked.

use super::{Coupler, ElementKind};

/// A force element between two frames or two joint coordinates.
#[derive(Clone, Debug)]
pub struct ElementDescription {
    /// Name, unique among elements, bodies and joints.
    pub name: String,
    /// The two frames, `body.frame` or `ground.frame`; for a coupler the two joint coordinates,
    /// `joint.coordinate`, or the joint alone where it has one coordinate.
    pub between: [String; 2],
    /// Kind and parameters.
    pub kind: ElementKindDescription,
}

/// What an element acts on, and how.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementKindDescription {
    /// Between two frames.
    Frames(ElementKind),
    /// Between two joint coordinates.
    Coordinates(Coupler),
}

impl<T: Into<ElementKind>> From<T> for ElementKindDescription {
    fn from(kind: T) -> Self {
        Self::Frames(kind.into())
    }
}

impl From<Coupler> for ElementKindDescription {
    fn from(coupler: Coupler) -> Self {
        Self::Coordinates(coupler)
    }
}

impl ElementDescription {
    /// An element between two frames, or a coupler between two joint coordinates.
    pub fn new(name: &str, kind: impl Into<ElementKindDescription>, between: [&str; 2]) -> Self {
        Self { name: name.into(), between: between.map(String::from), kind: kind.into() }
    }
}
