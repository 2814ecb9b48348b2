//! What acts on the coordinates of a joint.

use super::fields::Fields;
use super::time_function::read_time_function;
use super::value::Value;
use crate::model::description::CoordinateDescription;
use crate::model::words;
use crate::time_function::TimeFunction;

/// Springs, dampers, friction, efforts and motions, one entry per coordinate;
/// nothing where none is given.
pub(super) fn read_coordinates(fields: &mut Fields<'_>, freedoms: usize) -> Vec<CoordinateDescription> {
    let mut number = |key| per_coordinate(fields, key, freedoms, |value| value.f64());
    let stiffness = number("stiffness");
    let rest = number("rest");
    let damping = number("damping");
    let friction = number("friction");
    let friction_speed = number("friction_speed");
    let effort = per_coordinate(fields, "effort", freedoms, free_or_function);
    let motion = per_coordinate(fields, "motion", freedoms, free_or_function);
    if !fields.has("stiffness") {
        fields.unused(&["rest"], "there is no `stiffness`");
    }
    if !fields.has("friction") {
        fields.unused(&["friction_speed"], "there is no `friction`");
    }
    let keys = ["stiffness", "rest", "damping", "friction", "friction_speed", "effort", "motion"];
    if fields.given(&keys).is_empty() {
        return Vec::new();
    }
    let at = |list: &[f64], k: usize| list.get(k).copied().unwrap_or(0.0);
    let coordinate = |k: usize| CoordinateDescription {
        stiffness: at(&stiffness, k),
        rest: at(&rest, k),
        damping: at(&damping, k),
        friction: at(&friction, k),
        friction_speed: at(&friction_speed, k),
        effort: effort.get(k).cloned().flatten(),
        motion: motion.get(k).cloned().flatten(),
    };
    (0..freedoms).map(coordinate).collect()
}

/// A function of time, or the word "free" for a coordinate without one.
fn free_or_function(value: &Value<'_>) -> Option<Option<TimeFunction>> {
    if value.node.is_text() {
        return value.choice(&[("free", ())]).map(|()| None);
    }
    read_time_function(value).map(Some)
}

/// One value per coordinate: a list, or the bare value for a single coordinate.
/// Empty where the key is absent or wrong.
pub(super) fn per_coordinate<T>(
    fields: &mut Fields<'_>,
    key: &'static str,
    freedoms: usize,
    read: impl Fn(&Value<'_>) -> Option<T>,
) -> Vec<T> {
    let Some(value) = fields.get(key) else { return Vec::new() };
    if !value.is_list() && freedoms == 1 {
        return read(&value).into_iter().collect();
    }
    let found = value.node.as_list().map_or(1, <[_]>::len);
    if found == freedoms && value.is_list() {
        return value.each(read).unwrap_or_default();
    }
    let message = format!(
        "`{key}` has {}, but the joint has {}",
        words::count(found, "entry"),
        words::count(freedoms, "coordinate"),
    );
    let help = match freedoms {
        0 => format!("remove `{key}`: a weld does not move"),
        1 => format!("write one value: {key} = .."),
        _ => format!("write a list of {freedoms}, in the order of the coordinates"),
    };
    value.error("coordinate-count", message, help);
    Vec::new()
}
