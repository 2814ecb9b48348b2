//! Instants where inputs are not smooth: steps end there.

use crate::model::Model;
use crate::model::description::SimulationDescription;

/// Instants strictly inside the run where some input is not smooth, in order, then the end.
pub fn break_points(model: &Model, settings: &SimulationDescription) -> Vec<f64> {
    let mut breaks = Vec::new();
    let tree = model.joints.iter().flat_map(|joint| &joint.coordinates);
    let chords = model.loops.iter().flat_map(|joint| &joint.coordinates);
    for coordinate in tree.chain(chords) {
        for function in coordinate.effort.iter().chain(&coordinate.motion) {
            function.break_points(&mut breaks);
        }
    }
    for scale in model.forces.iter().filter_map(|force| force.scale.as_ref()) {
        scale.break_points(&mut breaks);
    }
    for scale in model.loads.iter().filter_map(|load| load.scale.as_ref()) {
        scale.break_points(&mut breaks);
    }
    for effort in model.elements.iter().filter_map(|element| element.kind.effort()) {
        effort.break_points(&mut breaks);
    }
    for reference in model.controllers.iter().flat_map(|controller| &controller.references) {
        reference.break_points(&mut breaks);
    }
    breaks.retain(|&t| t > settings.start && t < settings.end);
    breaks.sort_by(f64::total_cmp);
    breaks.dedup();
    breaks.push(settings.end);
    breaks
}
