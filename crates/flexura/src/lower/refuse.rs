//! What a device cannot run, by name and with what to do.

use crate::model::Model;
use crate::model::body::InertiaModel;

/// Most modes of a body on a device.
pub const LARGEST_MODES: usize = 32;

/// One item that a device cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The item, as the model names it.
    pub item: String,
    /// Why, and what to do instead.
    pub reason: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.item, self.reason)
    }
}

/// Everything in `model` that a device cannot run.
pub fn refusals(model: &Model) -> Vec<Refusal> {
    let mut found = Vec::new();
    let mut refuse = |item: String, reason: &str| found.push(Refusal { item, reason: reason.to_owned() });
    if model.bodies.is_empty() {
        refuse(format!("model `{}`", model.name), "has no bodies");
    }
    for joint in &model.loops {
        refuse(
            format!("joint `{}`", joint.name),
            "closes a loop; devices run trees: leave out `--device`, or open the loop by a stiff bushing on the processor",
        );
    }
    for element in model.elements.iter().filter(|element| !super::loads::is_known(&element.kind)) {
        refuse(
            format!("element `{}`", element.name),
            "contacts, stops and tyres run on the processor only: when they close is found there as an event",
        );
    }
    for coupler in &model.couplers {
        refuse(
            format!("coupler `{}`", coupler.name),
            "relations between coordinates run on the processor only",
        );
    }
    for controller in &model.controllers {
        refuse(format!("controller `{}`", controller.name), "controllers run on the processor only");
    }
    for body in &model.bodies {
        let item = || format!("body `{}`", body.name);
        if body.modes > LARGEST_MODES {
            refuse(item(), "more than 32 modes; keep fewer, or run on the processor");
        }
        if body.curvature.is_some() {
            refuse(
                item(),
                "`curvature = \"third-order\"` runs on the processor only; use the default, linear curvature",
            );
        }
        match &body.inertia {
            InertiaModel::Rigid(_) | InertiaModel::Ruthless(_) | InertiaModel::Gram(_) => {}
            _ => refuse(
                item(),
                "inertia levels `paper`, `consistent` and `full` run on the processor only; use `gram` (the default) or `ruthless`",
            ),
        }
    }
    found
}
