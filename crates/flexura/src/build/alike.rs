//! Bodies that are alike share what was computed of them.
//!
//! Arrays and used files make many bodies of one description; segments of beams are such bodies too. Nodes, reduced inertias and
//! energies of a flexible body are behind `Arc`s, so that a body like an earlier one costs a comparison and its attachments. What is shared
//! was computed by the same operations, so that results do not depend on it.

use std::collections::HashMap;
use std::rc::Rc;

use super::body::{BodyParts, assemble_body};
use crate::diagnostic::Diagnostic;
use crate::model::body::Body;
use crate::model::description::{BodyDescription, BodyKind};

/// Different bodies that are remembered; a model with more kinds is compared with the latest.
const MOST_KINDS: usize = 32;

/// Numbers of a modal body up to which it is compared: beyond, writing them out costs too much.
const MOST_NUMBERS: usize = 100_000;

/// Whether comparing a body costs less than making it: a rigid one is made at once.
fn is_worth_it(kind: &BodyKind) -> bool {
    match kind {
        BodyKind::Beam(_) => true,
        BodyKind::Modal(modal) => modal.nodes.len() * modal.modes.max(1) * 6 < MOST_NUMBERS,
        _ => false,
    }
}

/// Bodies made so far.
#[derive(Default)]
pub(super) struct Alike {
    /// All that a description says but its name, and what was made of it.
    parts: Vec<(String, Rc<BodyParts>)>,
    /// Bodies by their parts and the attachment of their joint.
    bodies: HashMap<(*const BodyParts, usize), usize>,
}

impl Alike {
    /// Parts of a body into which nothing was merged: made anew, or those of one like it.
    pub(super) fn parts(
        &mut self,
        body: &BodyDescription,
        index: usize,
    ) -> Result<Rc<BodyParts>, Box<Diagnostic>> {
        if !is_worth_it(&body.kind) {
            return BodyParts::new(body, index, &[]).map(Rc::new);
        }
        let BodyDescription { name: _, kind, frames, level, attachments, carriers } = body;
        // Numbers are written with as many digits as tell them apart.
        let words = format!("{kind:?} {frames:?} {level:?} {attachments:?} {carriers:?}");
        if let Some((_, known)) = self.parts.iter().rev().find(|(known, _)| *known == words) {
            return Ok(known.clone());
        }
        let made = Rc::new(BodyParts::new(body, index, &[])?);
        if self.parts.len() == MOST_KINDS {
            self.parts.remove(0);
        }
        self.parts.push((words, made.clone()));
        Ok(made)
    }

    /// The body of some parts; one of the same parts with the same attachment is copied from `bodies`.
    pub(super) fn body(&mut self, name: &str, parts: Rc<BodyParts>, inboard: usize, bodies: &[Body]) -> Body {
        let key = (Rc::as_ptr(&parts), inboard);
        if let Some(&known) = self.bodies.get(&key) {
            return Body { name: name.to_owned(), ..bodies[known].clone() };
        }
        // Parts with one owner are freed, and their place may be taken by others.
        if Rc::strong_count(&parts) > 1 {
            self.bodies.insert(key, bodies.len());
        }
        assemble_body(Rc::unwrap_or_clone(parts), name, inboard)
    }
}
