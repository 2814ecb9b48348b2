//! Hinges and slides of one body as one joint.
//!
//! In MJCF each further joint of a body acts in the frame the ones before it have moved. The engine knows no bodies without mass
//! between them, but kinds of joint with the same freedoms and the same coordinates:
//!
//! | joints in order | kind |
//! |---|---|
//! | hinge; slide | revolute; prismatic |
//! | hinge and slide along one axis | cylindrical |
//! | two hinges through one point, axes not parallel | universal |
//! | two slides at right angles, then a hinge normal to both | planar |
//! | three slides at right angles | translational |
//!
//! All else is refused.

use super::description::{Coordinate, End, Joint, Kind};
use crate::finding::{Findings, Place};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};

/// Sines below this are parallel or at right angles.
const ALIGNED: f64 = 1e-9;

/// What to do about joints that cannot be combined.
pub const HELP: &str = "one body may have: a hinge, a slide, a ball; hinge and slide along one axis; two hinges through one \
                        point; two slides and a hinge normal to them; three slides. Give links between other joints bodies \
                        with mass of their own";

/// Whether a joint turns or slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Hinge,
    Slide,
}

/// A joint with one coordinate, in axes of its body.
#[derive(Clone, Debug)]
pub struct Single {
    pub name: String,
    pub turn: Turn,
    pub axis: Vector3<f64>,
    pub anchor: Vector3<f64>,
    pub law: Coordinate,
    pub place: Place,
}

/// A kind, where its frame sits on the body, and which of the joints each coordinate is.
type Found = (Kind, Isometry3<f64>, Vec<usize>);

/// The joint of a body; a weld where there are none.
pub fn combine(
    place: &Place,
    body: &str,
    carrier: End,
    own: End,
    singles: &[Single],
    findings: &mut Findings,
) -> Option<Joint> {
    if singles.is_empty() {
        let ends = [carrier, own];
        let (name, place) = (format!("{body}_weld"), place.clone());
        return Some(Joint { name, place, kind: Kind::Weld, ends, coordinates: Vec::new(), start: None });
    }
    let Some((kind, at, order)) = find(singles) else {
        let names: Vec<&str> = singles.iter().map(|single| single.name.as_str()).collect();
        let message = format!(
            "the joints {} of body `{body}` have no single joint with their freedoms",
            names.join(", ")
        );
        findings.fault(&singles[0].place, message, HELP);
        return None;
    };
    let coordinates: Vec<Coordinate> = order.iter().map(|&index| singles[index].law).collect();
    let names: Vec<&str> = singles.iter().map(|single| single.name.as_str()).collect();
    let name = names.join("_");
    if singles.len() > 1 {
        for single in singles.iter().filter(|single| single.law.position != 0.0) {
            let message = format!("`ref` of `{}`, one of several joints of a body", single.name);
            findings.fault(&single.place, message, "write the pose at zero into the body instead");
        }
        let parts = order.iter().zip(kind.channels());
        let parts: Vec<String> =
            parts.map(|(&index, channel)| format!("{} = {name}.{channel}", singles[index].name)).collect();
        findings.notice(format!(
            "joints of body `{body}` are one {} joint: {}",
            kind.word(),
            parts.join(", ")
        ));
    }
    let ends = [
        End { pose: carrier.pose * at, ..carrier },
        End { pose: at * reference(&kind, &coordinates), ..own },
    ];
    Some(Joint { name, place: singles[0].place.clone(), kind, ends, coordinates, start: None })
}

/// The body stands as drawn where the coordinate is `ref`: its frame is turned or moved by as much.
fn reference(kind: &Kind, coordinates: &[Coordinate]) -> Isometry3<f64> {
    let by = coordinates.first().map_or(0.0, |law| law.position);
    match kind {
        Kind::Revolute(axis) => Isometry3::rotation(axis * by),
        Kind::Prismatic(axis) => Isometry3::translation(axis.x * by, axis.y * by, axis.z * by),
        _ => Isometry3::identity(),
    }
}

fn find(singles: &[Single]) -> Option<Found> {
    use Turn::{Hinge, Slide};
    let at =
        |index: usize| Isometry3::from_parts(Translation3::from(singles[index].anchor), Default::default());
    let axis = |index: usize| singles[index].axis;
    let turns: Vec<Turn> = singles.iter().map(|single| single.turn).collect();
    match turns[..] {
        [Hinge] => Some((Kind::Revolute(axis(0)), at(0), vec![0])),
        [Slide] => Some((Kind::Prismatic(axis(0)), at(0), vec![0])),
        [Hinge, Slide] | [Slide, Hinge] => {
            let hinge = usize::from(turns[1] == Hinge);
            let one_way = (axis(0) - axis(1)).norm() < ALIGNED;
            one_way.then(|| (Kind::Cylindrical(axis(0)), at(hinge), vec![hinge, 1 - hinge]))
        }
        [Hinge, Hinge] => {
            let crossing = axis(0).cross(&axis(1)).norm() > 1e-3;
            let one_point = (singles[0].anchor - singles[1].anchor).norm() < ALIGNED;
            (crossing && one_point).then(|| (Kind::Universal(axis(0), axis(1)), at(0), vec![0, 1]))
        }
        [Slide, Slide, Hinge] => {
            let normal = axis(0).cross(&axis(1));
            let forward = (normal - axis(2)).norm() < ALIGNED;
            let backward = (normal + axis(2)).norm() < ALIGNED;
            let order = if backward { vec![1, 0, 2] } else { vec![0, 1, 2] };
            (forward || backward).then(|| (Kind::Planar, at(2) * axes(axis(order[0]), axis(order[1])), order))
        }
        [Slide, Slide, Slide] => {
            let normal = axis(0).cross(&axis(1));
            let forward = (normal - axis(2)).norm() < ALIGNED;
            let backward = (normal + axis(2)).norm() < ALIGNED;
            let order = if backward { vec![1, 0, 2] } else { vec![0, 1, 2] };
            (forward || backward)
                .then(|| (Kind::Translational, at(0) * axes(axis(order[0]), axis(order[1])), order))
        }
        _ => None,
    }
}

/// The turn to axes x and y.
fn axes(x: Vector3<f64>, y: Vector3<f64>) -> Isometry3<f64> {
    let y = Unit::new_normalize(y - x * x.dot(&y)).into_inner();
    let matrix = Matrix3::from_columns(&[x, y, x.cross(&y)]);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
    Isometry3::from_parts(Translation3::identity(), turn)
}
