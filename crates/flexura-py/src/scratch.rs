//! Scratch of evaluations, kept with a model.

use flexura::algorithm::composite_body::CompositeBody;
use flexura::{Model, State, Workspace};
use std::sync::Mutex;

/// What one evaluation needs.
pub struct Scratch {
    pub state: State,
    pub work: Workspace,
    pub composite: Option<CompositeBody>,
    pub divided: Option<Box<Workspace>>,
    pub gradients: Option<Box<Workspace>>,
}

impl Scratch {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let state = State::initial(model, 0.0);
        Self { state, work: Workspace::new(model), composite: None, divided: None, gradients: None }
    }
}

/// Scratch that is not in use: one piece per thread that evaluates at a time.
pub type Pool = Mutex<Vec<Box<Scratch>>>;
