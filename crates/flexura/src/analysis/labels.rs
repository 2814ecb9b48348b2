//! Names of the entries of vectors over all speeds: speeds, coordinates, accelerations, efforts.

use super::AnalysisError;
use super::probe::coordinate_name;
use crate::model::Model;
use crate::model::words::nearest;

/// Names of one speed and of the force along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeedLabel {
    /// Channel of the speed, `JOINT.rate` or `BODY.eta_rate.N`.
    pub speed: String,
    /// Channel of the coordinate, `JOINT.angle` or `BODY.eta.N`; that of the speed where coordinates are quaternions.
    pub coordinate: String,
    /// Channel of the acceleration, `JOINT.rate_acceleration`, or `BODY.eta_acceleration.N`.
    pub acceleration: String,
    /// The force along it: `JOINT.effort`, `JOINT.effort.N` where the joint has several, or `BODY.eta_force.N`.
    pub effort: String,
    /// Unit of the force.
    pub effort_unit: &'static str,
    /// Joint, or body whose mode it is.
    pub owner: String,
    /// Whether it is the speed of a mode.
    pub modal: bool,
}

/// Names of all speeds of `model`, in their order.
pub fn speed_labels(model: &Model) -> Vec<SpeedLabel> {
    let mut list = Vec::with_capacity(model.speed_count());
    for (k, part) in model.layout.bodies.iter().enumerate() {
        let body = &model.bodies[k].name;
        for mode in 1..=part.modes {
            list.push(SpeedLabel {
                speed: format!("{body}.eta_rate.{mode}"),
                coordinate: format!("{body}.eta.{mode}"),
                acceleration: format!("{body}.eta_acceleration.{mode}"),
                effort: format!("{body}.eta_force.{mode}"),
                effort_unit: "J",
                owner: body.clone(),
                modal: true,
            });
        }
        let joint = &model.joints[k].name;
        for (i, (word, _, effort_unit)) in model.joints[k].joint.kind.speed_names().iter().enumerate() {
            let effort = if part.joint_v == 1 {
                format!("{joint}.effort")
            } else {
                format!("{joint}.effort.{}", i + 1)
            };
            list.push(SpeedLabel {
                speed: format!("{joint}.{word}"),
                coordinate: coordinate_name(model, part.v + part.modes + i),
                acceleration: format!("{joint}.{word}_acceleration"),
                effort,
                effort_unit,
                owner: joint.clone(),
                modal: false,
            });
        }
    }
    list
}

/// The speed that `name` is about: its speed, coordinate, acceleration or effort.
pub fn find_speed(labels: &[SpeedLabel], name: &str) -> Result<usize, AnalysisError> {
    let names = |label: &SpeedLabel| {
        [&label.coordinate, &label.speed, &label.acceleration, &label.effort]
            .iter()
            .any(|known| *known == name)
    };
    labels.iter().position(names).ok_or_else(|| {
        let near = nearest(name, labels.iter().map(|label| label.coordinate.as_str()));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        AnalysisError::Name(format!("no coordinate of a joint or mode is called `{name}`{hint}"))
    })
}

/// The joint speeds that `names` are about: all of a joint, or single ones as for [`find_speed`].
pub(super) fn joint_speeds(labels: &[SpeedLabel], names: &[String]) -> Result<Vec<usize>, AnalysisError> {
    let mut found = Vec::new();
    for name in names {
        let of_joint = |index: &usize| !labels[*index].modal && labels[*index].owner == *name;
        let whole: Vec<usize> = (0..labels.len()).filter(of_joint).collect();
        if !whole.is_empty() {
            found.extend(whole);
            continue;
        }
        let owners = labels.iter().filter(|label| !label.modal).map(|label| label.owner.as_str());
        let single = find_speed(labels, name).map_err(|error| match nearest(name, owners) {
            Some(near) => AnalysisError::Name(format!(
                "no joint of the tree with coordinates is called `{name}`; did you mean `{near}`?"
            )),
            None => error,
        })?;
        if labels[single].modal {
            return Err(AnalysisError::Name(format!("`{name}` is a mode: drives act on joints")));
        }
        found.push(single);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
