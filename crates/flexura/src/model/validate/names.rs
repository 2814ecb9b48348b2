//! Names: well formed, unique, and found when referred to.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::Report;
use crate::model::description::{Description, FrameDescription};
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// The frame every body and the ground have.
const ORIGIN: &str = "origin";
/// Looking for a near name visits all names: done for the first references only.
const MOST_SUGGESTIONS: usize = 50;

/// What a frame sits on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Carrier {
    /// The ground.
    Ground,
    /// A body by its place in the description.
    Body(usize),
}

/// Bodies and frames by name.
pub(super) struct Names<'d> {
    description: &'d Description,
    bodies: HashMap<&'d str, usize>,
    frames: HashSet<(Carrier, &'d str)>,
    suggested: Cell<usize>,
}

impl<'d> Names<'d> {
    /// Checks all names and collects those of bodies and frames.
    pub fn check(description: &'d Description, report: &mut Report) -> Self {
        let mut names =
            Self { description, bodies: HashMap::new(), frames: HashSet::new(), suggested: Cell::new(0) };
        let ground = ROOT.key("ground");
        names.take_frames(Carrier::Ground, &description.ground_frames, &ground, None, report);
        let path = ROOT.key("body");
        let bodies = description.bodies.iter().map(|body| body.name.as_str());
        unique("body", bodies, &path, report);
        for (i, body) in description.bodies.iter().enumerate() {
            names.bodies.entry(&body.name).or_insert(i);
            let item = Item::named("body", &body.name, i);
            names.take_frames(Carrier::Body(i), &body.frames, &path.index(i), Some(&item), report);
        }
        let joints = description.joints.iter().map(|joint| joint.name.as_str());
        unique("joint", joints, &ROOT.key("joint"), report);
        let forces = description.forces.iter().map(|force| force.name.as_str());
        unique("force", forces, &ROOT.key("force"), report);
        let loads = description.loads.iter().map(|load| load.name.as_str());
        unique("load", loads, &ROOT.key("load"), report);
        let elements = description.elements.iter().map(|element| element.name.as_str());
        unique("element", elements, &ROOT.key("element"), report);
        let events = description.simulation.events.iter().map(|event| event.name.as_str());
        unique("event", events, &ROOT.key("simulation").key("event"), report);
        names
    }

    fn take_frames(
        &mut self,
        carrier: Carrier,
        frames: &'d [FrameDescription],
        path: &ItemPath<'_>,
        owner: Option<&Item<'_>>,
        report: &mut Report,
    ) {
        let list = path.key("frame");
        for (k, frame) in frames.iter().enumerate() {
            let item = match owner {
                Some(owner) => Item::named("frame", &frame.name, k).of(owner),
                None => Item::named("ground frame", &frame.name, k),
            };
            let path = list.index(k);
            let path = path.key("name");
            well_formed(&frame.name, &path, &item, report);
            if frame.name == ORIGIN {
                let message = "the frame `origin` is always there and cannot be defined";
                report.error("reserved-name", &path, &item, message, "choose another name");
            } else if !self.frames.insert((carrier, &frame.name)) && !frame.name.is_empty() {
                let message = format!("the name `{}` is used by an earlier frame", frame.name);
                report.error("duplicate-frame", &path, &item, message, "give each frame its own name");
            }
        }
    }

    /// The body called `name`, or a report that there is none.
    pub fn body(
        &self,
        name: &str,
        path: &ItemPath<'_>,
        item: &Item<'_>,
        report: &mut Report,
    ) -> Option<usize> {
        let found = self.bodies.get(name).copied();
        if found.is_none() {
            let bodies = self.description.bodies.iter().map(|body| body.name.as_str());
            let help = format!("bodies: {}", words::list(bodies.clone()));
            let near = self.near(name, bodies.chain(["ground"]));
            let help = near.map_or(help.clone(), |near| format!("did you mean `{near}`? {help}"));
            report.error("unknown-body", path, item, format!("no body `{name}`"), help);
        }
        found
    }

    /// What the frame `body.frame` sits on, or a report that there is no such frame.
    pub fn frame(
        &self,
        reference: &str,
        path: &ItemPath<'_>,
        item: &Item<'_>,
        report: &mut Report,
    ) -> Option<Carrier> {
        let Some((body, frame)) = reference.split_once('.') else {
            let carrier = match self.bodies.get(reference) {
                Some(&body) => Some(Carrier::Body(body)),
                None => (reference == "ground").then_some(Carrier::Ground),
            };
            let help = match carrier {
                Some(carrier) => self.frames_help(carrier, reference),
                None => "a body and a frame on it, joined by a dot".to_owned(),
            };
            let message = format!("\"{reference}\" does not name a frame");
            let help = format!("write \"body.frame\"; {help}");
            report.error("bad-reference", path, item, message, help);
            return None;
        };
        let carrier = match body {
            "ground" => Carrier::Ground,
            _ => Carrier::Body(self.body(body, path, item, report)?),
        };
        if frame == ORIGIN || self.frames.contains(&(carrier, frame)) {
            return Some(carrier);
        }
        let owner = if carrier == Carrier::Ground { "the ground".into() } else { format!("body `{body}`") };
        let near = self.near(frame, self.frames_of(carrier));
        let near = near.map_or(String::new(), |near| format!("did you mean `{body}.{near}`? "));
        let help = format!("{near}{}", self.frames_help(carrier, body));
        report.error("unknown-frame", path, item, format!("no frame `{frame}` on {owner}"), help);
        None
    }

    fn frames_of(&self, carrier: Carrier) -> impl Iterator<Item = &'d str> + use<'d> {
        let frames = match carrier {
            Carrier::Ground => &self.description.ground_frames,
            Carrier::Body(i) => &self.description.bodies[i].frames,
        };
        std::iter::once(ORIGIN).chain(frames.iter().map(|frame| frame.name.as_str()))
    }

    fn frames_help(&self, carrier: Carrier, body: &str) -> String {
        format!("frames of `{body}`: {}", words::list(self.frames_of(carrier)))
    }

    fn near<'a>(&self, name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        self.suggested.set(self.suggested.get() + 1);
        (self.suggested.get() <= MOST_SUGGESTIONS).then(|| words::nearest(name, candidates)).flatten()
    }
}

/// Reports names of `kind` that are malformed or used twice.
fn unique<'d>(kind: &str, names: impl Iterator<Item = &'d str>, list: &ItemPath<'_>, report: &mut Report) {
    let mut seen = HashMap::new();
    for (i, name) in names.enumerate() {
        let (path, item) = (list.index(i), Item::named(kind, name, i));
        let path = path.key("name");
        well_formed(name, &path, &item, report);
        if let Some(first) = seen.get(name).filter(|_| !name.is_empty()) {
            let message = format!("the name `{name}` is already used by {kind} number {first}");
            report.error("duplicate-name", &path, &item, message, format!("give each {kind} its own name"));
        }
        seen.entry(name).or_insert(i + 1);
    }
}

/// Reports a name that cannot be used in references and channel patterns.
pub(super) fn well_formed(name: &str, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let wrong = |letter: &char| ".*?".contains(*letter) || letter.is_whitespace() || letter.is_control();
    if name.is_empty() {
        report.error("empty-name", path, item, "the name is empty", "give it a name, such as \"arm\"");
    } else if name == "ground" {
        let message = "the name `ground` is reserved for the inertial frame";
        report.error("reserved-name", path, item, message, "choose another name");
    } else if let Some(letter) = name.chars().find(wrong) {
        let message = format!("the name {name:?} has the character {letter:?}");
        let help = "names may not have dots, white space, `*` or `?`: they are joined by dots in \
                    references and matched by patterns";
        report.error("bad-name", path, item, message, help);
    }
}
