//! Differential fuzzing: random valid models, each run by every choice that takes it, all channels compared.
//!
//! A seed gives a model file: bodies of all kinds, all joints with laws and prescribed motions, loops, force elements,
//! loads and controllers. The reference is the run in joint coordinates by articulated bodies and error control; against
//! it run all methods, algorithms and formulations in joint, absolute and mixed coordinates and in a tree that is cut
//! elsewhere. Refusals by name are counted, disagreements made small: book/src/differential.md.

mod acting;
mod algorithms;
mod attempt;
mod bodies;
mod closer;
mod closing;
mod compare;
mod dice;
mod document;
mod elements;
mod joints;
mod judge;
mod routes;
mod scene;
mod shrink;
mod tally;
#[cfg(test)]
mod tests;

pub use tally::Tally;

use attempt::Attempt;
use dice::Dice;
use document::{Document, read, write};
use judge::{Fault, Place, Verdict};
use routes::{Tree, chosen};
use scene::Scene;

/// A model and a choice of the run that disagree with the reference.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Seed of the model.
    pub seed: u64,
    document: Document,
    place: Place,
    fault: Fault,
}

impl Finding {
    /// One line: which runs disagree where by how much.
    pub fn words(&self) -> String {
        let joints = match self.place.tree.joints() {
            [] => String::new(),
            names => format!(" ({})", names.join(", ")),
        };
        format!("seed {}: {}{joints}: {}", self.seed, self.place.words(), self.fault)
    }

    /// The same fault in the smallest model found.
    pub fn shrunk(&self) -> Self {
        let again = &mut |smaller: &Document| shrink::fault_at(smaller, &self.place);
        let (document, fault) = shrink::shrink(&self.document, &self.fault, again);
        Self { document, fault, ..self.clone() }
    }

    /// The model file of the run that disagrees, with the reason at its top.
    pub fn file(&self) -> String {
        let run = chosen(&self.document, &self.place.tree, self.place.route(), 0);
        format!("# {}\n# against: joint tree; {}\n{}", self.words(), routes::ROUTES[0].words, write(&run))
    }
}

/// Runs the model of one seed by every choice; findings are not shrunk yet.
pub fn examine(seed: u64) -> (Tally, Vec<Finding>) {
    examine_some(seed, 1)
}

/// The same with one choice of `every`, others for the next seed.
pub fn examine_some(seed: u64, every: u64) -> (Tally, Vec<Finding>) {
    match scene::generate(seed) {
        Some(scene) => examine_scene(&scene, seed, every.max(1)),
        None => {
            let mut tally = Tally::default();
            tally.left_out.insert("the start has no closed loop".into(), 1);
            (tally, Vec::new())
        }
    }
}

/// Runs a model file by every choice and says how each fared; its own choice of the run is one of the trees.
pub fn examine_text(text: &str, say: &mut dyn FnMut(String)) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut document = read(text).ok_or("no TOML")?;
    let trees = routes::take_choices(&mut document);
    let (expected, redundant) = judge::reference(&document).map_err(|attempt| format!("{attempt:?}"))?;
    tally.models = 1;
    for place in judge::places(&trees) {
        let verdict = judge::judge(&document, &expected, redundant, &place);
        say(match &verdict {
            Verdict::Agrees => format!("{}: agrees", place.words()),
            Verdict::AgreesCloser => format!("{}: agrees at finer steps or tolerances", place.words()),
            Verdict::Refused(reason) => format!("{}: refused: {reason}", place.words()),
            Verdict::Fault(fault) => format!("{}: DIFFERS: {fault}", place.words()),
        });
        tally.count(&tally::kinds(&document), &place, &verdict);
    }
    Ok(tally)
}

/// The model of a seed as a file.
pub fn model(seed: u64) -> Option<String> {
    scene::generate(seed).map(|scene| scene.text)
}

fn examine_scene(scene: &Scene, seed: u64, every: u64) -> (Tally, Vec<Finding>) {
    let (mut tally, mut findings) = (Tally::default(), Vec::new());
    let Some(document) = read(&scene.text) else {
        tally.left_out.insert("no TOML".into(), 1);
        return (tally, findings);
    };
    let (expected, redundant) = match judge::reference(&document) {
        Ok(run) => run,
        Err(Attempt::Broken(words)) => {
            let place = Place { tree: Tree::Joint, check: judge::Check::Route(0) };
            tally.faults += 1;
            findings.push(Finding { seed, document, place, fault: Fault::Broken(words) });
            return (tally, findings);
        }
        Err(Attempt::Refused(reason) | Attempt::GaveUp(reason) | Attempt::Lost(reason)) => {
            tally.left_out.insert(tally::pattern(&reason), 1);
            return (tally, findings);
        }
        Err(Attempt::Done(..)) => return (tally, findings),
    };
    tally.models = 1;
    let kinds = tally::kinds(&document);
    let trees = Tree::choices(scene, &document, &mut Dice::new(!seed));
    for (i, place) in judge::places(&trees).into_iter().enumerate() {
        if !(i as u64 + seed).is_multiple_of(every) {
            continue;
        }
        let verdict = judge::judge(&document, &expected, redundant, &place);
        tally.count(&kinds, &place, &verdict);
        if let Verdict::Fault(fault) = verdict {
            findings.push(Finding { seed, document: document.clone(), place, fault });
        }
    }
    (tally, findings)
}
