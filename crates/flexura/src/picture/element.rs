//! What a viewer draws of a force element: spring, damper, wheel, road.

use crate::model::element::{Element, ElementKind, Road, RoadFeature, Tyre};
use crate::spatial::Vector3;

/// Points of a drawn cosine bump.
const BUMP_POINTS: usize = 32;

/// A force element between two frames.
#[derive(Clone, Debug, Default)]
pub struct ElementPicture {
    /// Name.
    pub name: String,
    /// Word of its kind in model files.
    pub kind: &'static str,
    /// Its two frames.
    pub frames: [usize; 2],
    /// Whether a spring-damper has a spring and a damper.
    pub parts: Option<[bool; 2]>,
    /// Axis of a spring that turns, or of a stop that has one, in the first frame.
    pub axis: Option<Vector3>,
    /// Radius of a tyre or of the sphere of a contact (m).
    pub radius: Option<f64>,
    /// Road of a tyre: places along x and heights there (m), straight between them and level beyond.
    pub road: Option<[Vec<f64>; 2]>,
}

impl ElementPicture {
    /// The picture of an element.
    pub(super) fn new(element: &Element) -> Self {
        let frames = element.frames.map(|frame| frame.0);
        let out = Self { name: element.name.clone(), kind: element.kind.word(), frames, ..Self::default() };
        match &element.kind {
            ElementKind::SpringDamper(spring) => {
                let springs = !spring.law.is_zero() || spring.preload != 0.0;
                Self { parts: Some([springs, !spring.damping.is_zero()]), ..out }
            }
            ElementKind::TorsionSpringDamper(spring) => Self { axis: Some(spring.axis), ..out },
            ElementKind::BumpStop(stop) => Self { axis: stop.axis, ..out },
            ElementKind::Contact(contact) => Self { radius: Some(contact.radius), ..out },
            ElementKind::Tyre(Tyre { radius, road, .. }) => {
                Self { radius: Some(*radius), road: Some(outline(road)), ..out }
            }
            _ => out,
        }
    }
}

/// Places where a road bends, and heights there; both sides of a step.
fn outline(road: &Road) -> [Vec<f64>; 2] {
    let mut places = road.edges();
    for feature in &road.features {
        if let RoadFeature::CosineBump { start, length, .. } = *feature {
            places.extend((0..=BUMP_POINTS).map(|i| start + length * i as f64 / BUMP_POINTS as f64));
        }
    }
    places.sort_by(f64::total_cmp);
    places.dedup();
    let (mut x, mut z) = (Vec::new(), Vec::new());
    for place in places {
        let (before, after) = (road.at(place.next_down()).height, road.at(place).height);
        if (after - before).abs() > 1e-9 {
            x.push(place);
            z.push(before);
        }
        x.push(place);
        z.push(after);
    }
    [x, z]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_has_both_sides_of_a_step_and_the_top_of_a_bump() {
        let features = vec![
            RoadFeature::Step { at: 6.0, height: -0.1 },
            RoadFeature::CosineBump { start: 1.0, length: 2.0, height: 0.3 },
        ];
        let [x, z] = outline(&Road { features });
        assert!(x.windows(2).all(|pair| pair[0] <= pair[1]));
        let top = z.iter().copied().fold(0.0, f64::max);
        assert!((top - 0.3).abs() < 1e-12, "{top}");
        let last = x.len() - 1;
        assert_eq!((x[last - 1], z[last - 1], x[last], z[last]), (6.0, 0.0, 6.0, -0.1));
        assert_eq!(outline(&Road::default()), [Vec::<f64>::new(), Vec::new()]);
    }
}
