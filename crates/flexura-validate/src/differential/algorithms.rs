//! Accelerations of the first state by every algorithm: articulated bodies, divide and conquer, composite bodies and conjugate gradients (trees),
//! equations generated from the linear graph.

use super::document::{Document, write};
use super::judge::{Fault, Verdict};
use super::routes::{ROUTES, Tree, chosen};
use flexura::DynamicsError;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::conjugate_gradient::{ConjugateGradient, conjugate_gradient};
use flexura::file::build_text;
use flexura::formulation::graph::Equations;
use flexura::model::description::{AlgorithmDescription, AttachmentRule};
use flexura::model::{Body, Model};
use flexura::state::prescribe::apply_prescribed;
use flexura::{State, Workspace, evaluate};

/// Rounding times the condition of the mass matrix, as a share of the largest acceleration.
const SHARE: f64 = 1e-7;

/// Compares them.
pub fn judge(document: &Document, tree: &Tree) -> Verdict {
    let text = write(&chosen(document, tree, &ROUTES[0], 0));
    let Ok(loaded) = build_text(&text, "random.toml") else {
        return Verdict::Refused("not built".into());
    };
    let (model, start) = (&loaded.built.model, loaded.built.description.simulation.start);
    match compared(model, State::initial(model, start)) {
        Ok(None) => Verdict::Agrees,
        Ok(Some(words)) => Verdict::Fault(Fault::Accelerations(words)),
        Err(error) => Verdict::Refused(error.to_string()),
    }
}

fn compared(model: &Model, mut state: State) -> Result<Option<String>, DynamicsError> {
    let mut work = Workspace::new(model);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    evaluate(model, &state, &mut work)?;
    let expected = work.accelerations.chidot.clone();
    let mut found = Vec::new();
    let mut divided = Workspace::new(model);
    if divided
        .choose(model, AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements: 0 })
        .is_ok()
    {
        apply_prescribed(model, &mut state, Some(&mut divided.load));
        evaluate(model, &state, &mut divided)?;
        found.push(("divide and conquer", divided.accelerations.chidot.clone()));
    }
    if model.loops.is_empty() {
        let mut composite = CompositeBody::new(model)?;
        composite_body(model, &work.motion.kinematics, &work.inertias, &work.load, &mut composite)?;
        found.push(("composite bodies", composite.chidot.clone()));
        let mut gradients = ConjugateGradient::new(model);
        conjugate_gradient(model, &work.motion.kinematics, &work.inertias, &work.load, &mut gradients)?;
        found.push(("conjugate gradients", gradients.chidot.clone()));
    }
    // The graph differentiates velocities along the motion; those of other rules are not the derivative of any motion.
    let exact = |body: &Body| body.modes == 0 || body.rule == AttachmentRule::Exact;
    if model.bodies.iter().all(exact) {
        found.push(("linear graph", Equations::generate(model, &state).solve(model)?.accelerations));
    }
    let size = expected.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
    let apart =
        |other: &[f64]| expected.iter().zip(other).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    Ok(found.into_iter().find_map(|(words, other)| {
        let difference = apart(&other);
        let agrees = difference <= SHARE * size && other.iter().all(|x| x.is_finite());
        (!agrees).then(|| format!("accelerations by {words} differ by {difference:.2e} (size {size:.2e})"))
    }))
}
