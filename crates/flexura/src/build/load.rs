//! Loads of a description: points, weights and modal forces.

use super::body::{beam_input, second_order_turns, station_shape};
use crate::beam::{BeamError, BeamInput, line_rule, station_at, thermal_forces};
use crate::diagnostic::Diagnostic;
use crate::model::BodyId;
use crate::model::body::node_shape;
use crate::model::body::{Attachment, Body, NodeShape};
use crate::model::body_load::{BodyLoad, LoadAxes, LoadDescription, LoadKind, LoadPoint, Patch};
use crate::model::description::{BodyDescription, BodyKind, Description};
use crate::spatial::Vector3;
use crate::spatial::{norm, scale};
use std::collections::HashMap;

/// All loads; what a beam refuses goes to `diagnostics`.
pub(super) fn body_loads(
    description: &Description,
    bodies: &[Body],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<BodyLoad> {
    let mut list = Vec::new();
    let places: HashMap<&str, usize> =
        bodies.iter().enumerate().rev().map(|(k, body)| (body.name.as_str(), k)).collect();
    let described: HashMap<&str, &BodyDescription> =
        description.bodies.iter().rev().map(|body| (body.name.as_str(), body)).collect();
    for (index, load) in description.loads.iter().enumerate() {
        // Validation has found every name.
        let Some(&k) = places.get(load.body.as_str()) else { continue };
        let Some(source) = described.get(load.body.as_str()) else { continue };
        match body_load(load, source, k, &bodies[k]) {
            Ok(found) => list.push(found),
            Err(error) => {
                let (path, item) = (format!("load[{index}]"), format!("load `{}`", load.name));
                let help = "correct the span of the load or the beam";
                diagnostics.push(Diagnostic::error("load", path, item, error.to_string(), help));
            }
        }
    }
    list
}

fn body_load(
    load: &LoadDescription,
    source: &BodyDescription,
    k: usize,
    body: &Body,
) -> Result<BodyLoad, BeamError> {
    let (mut points, mut axes, mut modal) = (Vec::new(), LoadAxes::Body, Vec::new());
    match (&load.kind, &source.kind) {
        (LoadKind::Line { span, force, axes: chosen }, BodyKind::Beam(beam)) => {
            axes = *chosen;
            let finite_turns = second_order_turns(beam, body.level());
            let input = BeamInput { finite_turns, ..beam_input(beam)? };
            points = line(&input, *span, force, body)?;
        }
        (LoadKind::Pressure { pressure, patches, axes: chosen }, BodyKind::Modal(modal)) => {
            axes = *chosen;
            let shape =
                |patch: &Patch| modal.nodes.iter().find(|node| node.name == patch.node).map(node_shape);
            let point = |patch: &Patch| Some(pressed(shape(patch)?, patch, *pressure, body));
            points = patches.iter().filter_map(point).collect();
        }
        (LoadKind::Thermal { expansion, temperature, gradient }, BodyKind::Beam(beam)) => {
            modal = thermal_forces(&beam_input(beam)?, *expansion, *temperature, gradient)?;
        }
        (LoadKind::Modal { forces }, _) => modal.clone_from(forces),
        // Refused by validation.
        _ => {}
    }
    let (name, scale) = (load.name.clone(), load.scale.clone());
    Ok(BodyLoad { name, body: BodyId(k), points, axes, modal, scale })
}

/// Gauss points that integrate force times shape along the span.
fn line(
    input: &BeamInput,
    (start, end): (f64, Option<f64>),
    force: &[Vector3; 2],
    body: &Body,
) -> Result<Vec<LoadPoint>, BeamError> {
    let end = end.unwrap_or(input.length);
    let mut points = Vec::new();
    for (x, weight) in line_rule(input, start, end)?.iter() {
        let part = (x - start) / (end - start);
        let here = std::array::from_fn(|i| weight * ((1.0 - part) * force[0][i] + part * force[1][i]));
        points.push(LoadPoint {
            attachment: attachment(station_shape(station_at(input, x)?, body.curvature.is_some()), body),
            force: here,
        });
    }
    Ok(points)
}

fn pressed(shape: NodeShape, patch: &Patch, pressure: f64, body: &Body) -> LoadPoint {
    let size = norm(&patch.normal);
    LoadPoint {
        attachment: attachment(shape, body),
        force: scale(-pressure * patch.area / size, &patch.normal),
    }
}

fn attachment(shape: NodeShape, body: &Body) -> Attachment {
    Attachment::new(shape, body.rule)
}
