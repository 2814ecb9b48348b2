//! Bodies: their kind, their level and where their frames sit.

use std::collections::HashSet;

use super::mass::{Rule, check_inertia, check_mass};
use super::{Report, beam, modal, segments};
use crate::model::body::LARGEST_MODE_COUNT;
use crate::model::description::{
    AttachmentRule, BodyDescription, BodyKind, Description, FrameDescription, InertiaLevel, ModalDescription,
    ModalInvariants, Place, RigidDescription,
};
use crate::model::invariants::GramFault;
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// Checks every body by itself, and the places of ground frames.
pub(super) fn check(description: &Description, report: &mut Report) {
    let list = ROOT.key("body");
    for (i, body) in description.bodies.iter().enumerate() {
        let (path, item) = (list.index(i), Item::named("body", &body.name, i));
        match &body.kind {
            BodyKind::Rigid(rigid) => check_rigid(rigid, &path, &item, report),
            BodyKind::PointMass { mass } => check_mass(*mass, &path.key("point_mass"), &item, report),
            BodyKind::Modal(modal) => modal::check(modal, &path.key("modal"), &item, report),
            BodyKind::Beam(beam) => beam::check(beam, &path.key("beam"), &item, report),
            BodyKind::FiniteElements { file } => {
                let message = format!("the finite element part `{file}` has not been read");
                let help = "resolve it with flexura::file::resolve before building";
                report.error("fe-part", &path.key("fe"), &item, message, help);
            }
        }
        check_level(body, &path, &item, report);
        check_places(body, &path, &item, report);
    }
    let ground = ROOT.key("ground");
    let frames = ground.key("frame");
    for (k, frame) in description.ground_frames.iter().enumerate() {
        let (path, item) = (frames.index(k), Item::named("ground frame", &frame.name, k));
        refuse_place(frame, "the ground", &path, &item, report);
    }
}

fn check_rigid(rigid: &RigidDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    check_mass(rigid.mass, &path.key("mass"), item, report);
    let path = path.key("inertia");
    if rigid.inertia.as_flattened().iter().all(|&entry| entry == 0.0) {
        let help = format!(
            "replace `mass` and `inertia` by point_mass = {}, or give the inertia about the \
             centre of mass",
            words::number(rigid.mass),
        );
        report.error("zero-inertia", &path, item, "the rigid body has no rotary inertia", help);
        return;
    }
    let about = "about the centre of mass";
    check_inertia(&rigid.inertia, Rule::Definite, about, &path, item, report);
}

fn check_level(body: &BodyDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let flexible = !matches!(body.kind, BodyKind::Rigid(_) | BodyKind::PointMass { .. });
    if !flexible {
        let given = [
            ("level", body.level.is_some()),
            ("attachments", body.attachments.is_some()),
            ("carriers", body.carriers.is_some()),
        ];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            let message = format!("`{key}` has no effect: the body does not deform");
            let help = format!("remove `{key}`, or make the body a beam or modal body");
            report.warning("level-without-effect", &path.key(key), item, message, help);
        }
        return;
    }
    check_mode_count(body, path, item, report);
    if let BodyKind::Modal(ModalDescription { invariants: Some(sums), .. }) = &body.kind {
        check_sums(body, sums, path, item, report);
    }
    let split = matches!(&body.kind, BodyKind::Beam(beam) if beam.segments > 1);
    let level = body.level.or(split.then_some(InertiaLevel::Full));
    if body.carriers.is_some() && level.is_some_and(|level| level != InertiaLevel::Gram) {
        let message = "`carriers` has no effect: they belong to level `gram`";
        let help = "remove `carriers`, or give level = \"gram\"";
        report.warning("carriers-without-effect", &path.key("carriers"), item, message, help);
    }
    let rule = body.attachments.unwrap_or(AttachmentRule::Frozen);
    if body.level == Some(InertiaLevel::Ruthless) && rule != AttachmentRule::Frozen {
        let message = "level `ruthless` has a constant mass, but these attachments deform: \
                       energy is not conserved";
        let help = "remove `attachments` (ruthless uses frozen), or use level = \"gram\"";
        report.warning("level-attachments", &path.key("attachments"), item, message, help);
    }
}

/// Says what level a body that is given by sums over its mass can have.
fn check_sums(
    body: &BodyDescription,
    sums: &ModalInvariants,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let by_sums = [None, Some(InertiaLevel::Gram), Some(InertiaLevel::Consistent)];
    if !by_sums.contains(&body.level) {
        let message = "the body is given by sums over its mass, which only the levels `gram` and `consistent` \
                       can use";
        let help = "remove `level`, or reduce the finite element model with mass nodes";
        report.error("level-needs-nodes", &path.key("level"), item, message, help);
    }
    let degree = body.carriers.unwrap_or_default().degree();
    if degree > 1 && body.level != Some(InertiaLevel::Consistent) {
        let message =
            "carriers of higher degree need mass nodes, but the body is given by sums over its mass";
        let help = "remove `carriers`, or reduce the finite element model with mass nodes";
        report.error("carriers-need-nodes", &path.key("carriers"), item, message, help);
    }
    let unfit = !sums.fits(sums.moment1.len()) || sums.numbers().any(|x| !x.is_finite());
    if body.level == Some(InertiaLevel::Consistent) || unfit {
        return; // lists that do not fit and numbers that are none are reported with the modes
    }
    let (cause, help) = match sums.gram_sums() {
        Ok(_) => return,
        // Without displacements of second order the coefficients of a mass matrix are BᵀMB at every deformation, a Gram
        // matrix already: level `consistent` loses nothing.
        Err(GramFault::Indefinite(_)) if body.level.is_none() && sums.moment2.is_empty() => return,
        Err(GramFault::Missing) => (
            "its second-order displacements are mixed into its coefficients".to_owned(),
            "reduce the finite element model again, so that its file holds the sums of level `gram`",
        ),
        Err(GramFault::Indefinite(share)) => (
            format!("no displacement field has its sums (smallest share of the residual mass {share:.1e})"),
            "reduce the part again, from mass pieces instead of the mass matrix or with a finer mesh",
        ),
    };
    if body.level == Some(InertiaLevel::Gram) {
        let message = format!("the body cannot have level `gram`: {cause}");
        report.error("level-without-sums", &path.key("level"), item, message, help);
    } else {
        let message = format!(
            "the body gets level `consistent`, which is not positive definite at larger deformations: {cause}"
        );
        report.warning("level-fallback", path, item, message, help);
    }
}

/// Refuses more modes than the level has room for (its Jacobian columns live on the stack).
fn check_mode_count(body: &BodyDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let (modes, key) = match &body.kind {
        BodyKind::Modal(modal) => (modal.modes, "modal"),
        BodyKind::Beam(beam) => (beam.modes.len(), "beam"),
        _ => return,
    };
    let by_nodes = matches!(body.level, Some(InertiaLevel::Full | InertiaLevel::Paper));
    let (limit, help) = if by_nodes {
        (LARGEST_MODE_COUNT, "use level = \"gram\", fewer modes, or split the body")
    } else {
        (crate::model::body::LARGEST, "use fewer modes, or split the body")
    };
    if modes > limit {
        let message = format!("{} are more than the {limit} of this level", words::count(modes, "mode"));
        report.error("too-many-modes", &path.key(key), item, message, help);
    }
}

/// Checks that the node or station of each frame exists on this kind of body.
fn check_places(body: &BodyDescription, path: &ItemPath<'_>, owner: &Item<'_>, report: &mut Report) {
    let nodes: HashSet<&str> = match &body.kind {
        BodyKind::Modal(modal) => modal.nodes.iter().map(|node| node.name.as_str()).collect(),
        _ => HashSet::new(),
    };
    let list = path.key("frame");
    for (k, frame) in body.frames.iter().enumerate() {
        let (path, item) = (list.index(k), Item::named("frame", &frame.name, k).of(owner));
        if let BodyKind::Beam(beam) = &body.kind {
            segments::check_frame(beam, &frame.name, &path.key("name"), &item, report);
        }
        match (&frame.place, &body.kind) {
            (Place::Origin, _) => {}
            (Place::Node(name), BodyKind::Modal(modal)) => {
                if name.is_empty() || !nodes.contains(name.as_str()) {
                    let names = modal.nodes.iter().map(|node| node.name.as_str());
                    let names = names.filter(|name| !name.is_empty());
                    unknown_node(name, names, &path.key("node"), &item, report);
                }
            }
            (Place::Station(station), BodyKind::Beam(beam)) => {
                if beam.length > 0.0 && !(0.0..=beam.length).contains(station) {
                    let (at, length) = (words::number(*station), words::number(beam.length));
                    let message = format!("station {at} lies outside the beam, 0 to {length} m");
                    let help = "give metres from the root, or \"root\" or \"tip\"";
                    report.error("station-range", &path.key("station"), &item, message, help);
                }
            }
            (_, BodyKind::Rigid(_)) => refuse_place(frame, "a rigid body", &path, &item, report),
            (_, BodyKind::PointMass { .. }) => refuse_place(frame, "a point mass", &path, &item, report),
            (_, BodyKind::Modal(_)) => refuse_place(frame, "a modal body", &path, &item, report),
            (_, BodyKind::Beam(_)) => refuse_place(frame, "a beam", &path, &item, report),
            (_, BodyKind::FiniteElements { .. }) => {}
        }
    }
}

fn unknown_node<'a>(
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let near = words::nearest(name, names.clone());
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let help = format!("{near}nodes: {}", words::list(names));
    report.error("unknown-node", path, item, format!("no node `{name}` on the body"), help);
}

/// Reports a node or station where there are none.
fn refuse_place(
    frame: &FrameDescription,
    carrier: &str,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    match frame.place {
        Place::Origin => {}
        Place::Node(_) => {
            let message = format!("`node` is for modal bodies, but this is on {carrier}");
            let help = if carrier == "a beam" { "write station = .." } else { "write position = [x, y, z]" };
            report.error("node-on-other-body", &path.key("node"), item, message, help);
        }
        Place::Station(_) => {
            let message = format!("`station` is for beams, but this is on {carrier}");
            let help =
                if carrier == "a modal body" { "write node = \"..\"" } else { "write position = [x, y, z]" };
            report.error("station-on-other-body", &path.key("station"), item, message, help);
        }
    }
}
