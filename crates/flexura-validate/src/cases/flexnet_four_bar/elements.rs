//! The four-bar with the paper's own elements: nodal coordinates, modes, and where the body's frame sits.
//!
//! Richard (2012), eqs 47-67: coordinates of a link are the displacements of its nodes. What ten modes of eight elements miss
//! of the reference is not the modes: nodal coordinates miss as much. It is the frame, the tangent at one end, from which
//! the other end is 14 % of the length away; displacements are right to second order only. Seen from the middle all turns
//! are half as large, and the same elements in four bodies per link meet the reference. `scripts/four_bar_elements.py` has the tables.

use super::{CASE, LINKS, PEAKS, deflection_of};
use crate::context::{Context, Fault, PHYSICS};
use crate::part::Parts;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model_with};
use flexura::build::Built;

const MODEL: &str = include_str!("../../../models/validation/flexnet_four_bar_elements.toml");
const COUPLER: &str = include_str!("../../../models/validation/parts/four_bar_coupler.toml");
const FOLLOWER: &str = include_str!("../../../models/validation/parts/four_bar_follower.toml");
/// Step of the trapezoidal rule (s): half of it moves no peak by 0.04 %.
const STEP: f64 = 5e-6;
/// Bodies per link of the last model.
const PIECES: usize = 4;

/// One model of the same eight elements per link.
struct Variant {
    words: &'static str,
    reference: &'static str,
    nodal: bool,
    pieces: usize,
    /// Share of the peaks that may be missed.
    share: f64,
    meets: bool,
}

const VARIANTS: [Variant; 4] = [
    Variant { words: "ten modes", reference: "middle", nodal: false, pieces: 1, share: 0.02, meets: true },
    Variant { words: "nodal coordinates", reference: "middle", nodal: true, pieces: 1, share: 0.02, meets: true },
    Variant {
        words: "nodal coordinates from an end",
        reference: "a",
        nodal: true,
        pieces: 1,
        share: 0.02,
        meets: false,
    },
    Variant {
        words: "nodal coordinates, four bodies per link",
        reference: "middle",
        nodal: true,
        pieces: PIECES,
        share: 0.005,
        meets: true,
    },
];

/// Runs the beginning by the linear graph and, unless only the fast part is wanted, all variants over `end` (s).
pub(super) fn run(context: &mut Context, end: f64) -> Result<(), Fault> {
    graph(context)?;
    if context.quick {
        return Ok(());
    }
    let mut peaks = Vec::new();
    for variant in &VARIANTS {
        let plan = Plan { end, rows: end / 1200.0, channels: &["*.position.?"] };
        let found = context.run(&built(variant)?, Route::Topological(STEP), &plan)?;
        peaks.push(judge(context, variant, &found)?);
    }
    let worst = peaks[0].iter().zip(&peaks[1]).map(|(modes, nodal)| (modes / nodal - 1.0).abs()).fold(0.0, f64::max);
    let why = "what ten modes leave out of nodal coordinates: a tenth of what the case allows";
    let quantity = Quantity::new("peaks by ten modes against nodal coordinates, largest difference", "1", worst);
    context.judge(quantity.at_most(0.002, why).source(PHYSICS, Trust::T1));
    Ok(())
}

/// Nodal coordinates in the equations of the linear graph, as the paper has them, against the recursions.
fn graph(context: &mut Context) -> Result<(), Fault> {
    let built = built(&VARIANTS[1])?;
    // A thirtieth of the run: vibrations of single elements at 100 kHz and more set the steps of explicit methods.
    let end = if context.quick { 4e-4 } else { 2e-3 };
    let plan = Plan { end, rows: end / 20.0, channels: &["*.position.?"] };
    let recursive = context.run(&built, Route::Articulated(1e-8), &plan)?;
    let graph = context.run(&built, Route::Graph(1e-8), &plan)?;
    context.same(&recursive, &graph, "linear graph against articulated bodies, nodal coordinates", 1e-8)?;
    context.accelerations_agree(&built, "nodal coordinates", 1e-8, 4e-4)
}

/// Judges least and largest deflection of both links; returns them.
fn judge(context: &mut Context, variant: &Variant, run: &Run) -> Result<Vec<f64>, Fault> {
    let mut peaks = Vec::new();
    for (link, (least, largest)) in LINKS.into_iter().zip(PEAKS) {
        let curve = deflection_of(run, frames(link, variant.pieces))?;
        for (name, found, known) in [("least", curve.minimum().1, least), ("largest", curve.maximum().1, largest)] {
            let quantity = Quantity::new(format!("{name} deflection of the {link}, {}", variant.words), "m", found);
            let why = match (variant.meets, variant.pieces) {
                (true, 1) => "as the converged model: 2 % of the reference, whose second revolution is good to 0.5 %",
                (true, _) => "what the reference is good to in its second revolution",
                (false, _) => "the frame at one end: errors of third order in turns that are twice as large",
            };
            // From an end it is the largest of the coupler that shows it.
            let quantity = quantity.relative(known, variant.share, why);
            match (variant.meets, link, name) {
                (true, ..) => context.judge(quantity),
                (false, "coupler", "largest") => context.judge(quantity.expected_to_fail()),
                _ => {}
            }
            peaks.push(found);
        }
    }
    Ok(peaks)
}

/// Frames at start, middle and end of a link.
fn frames(link: &str, pieces: usize) -> [String; 3] {
    match pieces {
        1 => ["a", "middle", "b"].map(|place| format!("{link}.{place}")),
        _ => [(1, "a"), (pieces / 2, "b"), (pieces, "b")].map(|(piece, place)| format!("{link}{piece}.{place}")),
    }
}

fn built(variant: &Variant) -> Result<Built, Fault> {
    let mut model = MODEL.to_string();
    let mut parts = Vec::new();
    for (link, text, length) in [("coupler", COUPLER, 0.9), ("follower", FOLLOWER, 0.6)] {
        let mut part = text.replace("reference = \"middle\"", &format!("reference = \"{}\"", variant.reference));
        if variant.nodal {
            part = part.replace("method = \"craig-bampton\"\nmodes = 10", "method = \"all\"");
        }
        let file = if link == "coupler" { "four_bar_coupler.toml" } else { "four_bar_follower.toml" };
        if variant.pieces > 1 {
            let place = |share: f64| format!("position = [{}, 0, 0]", share * length);
            for share in [0.5, 1.0] {
                part = part.replace(&place(share), &place(share / variant.pieces as f64));
            }
            part = part.replace("elements = 4", &format!("elements = {}", 4 / variant.pieces));
            model = split(&model, link, file, variant.pieces);
        }
        parts.push((file, part));
    }
    model_with(&model, CASE.models[2], &[], &Parts(&parts))
}

/// The model with a link of several bodies welded end to end.
fn split(model: &str, link: &str, file: &str, pieces: usize) -> String {
    let one = format!("[[body]]\nname = \"{link}\"\nfe = \"parts/{file}\"\n");
    let mut all = String::new();
    for piece in 1..=pieces {
        all += &format!("[[body]]\nname = \"{link}{piece}\"\nfe = \"parts/{file}\"\n");
        if piece > 1 {
            let before = piece - 1;
            all += &format!(
                "[[joint]]\nname = \"{link}{piece}\"\ntype = \"weld\"\nbetween = [\"{link}{before}.b\", \"{link}{piece}.a\"]\n"
            );
        }
    }
    let ends = [(format!("\"{link}.a\""), format!("\"{link}1.a\"")), (format!("\"{link}.b\""), format!("\"{link}{pieces}.b\""))];
    ends.iter().fold(model.replace(&one, &all), |text, (from, to)| text.replace(from, to))
}
