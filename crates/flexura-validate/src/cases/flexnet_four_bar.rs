//! Flexible four-bar (Richard 2012, example 1).

mod elements;

use crate::agreement::Steps;
use crate::compare::from_chord;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Run, model};
use crate::sampled::{Sampled, Table};

/// The case.
pub const CASE: Case = Case {
    id: "flexnet-four-bar",
    title: "Flexible four-bar",
    source: "Richard (2012), example 1, after Khulief (1992); independent solver with geometrically exact beams",
    trust: Trust::T3,
    about: "Rigid crank of 0.3 m at 210 rad/s, flexible coupler AB and follower BC of steel (I = 3.112·10⁻⁸ m⁴, \
            A = 1.767·10⁻⁴ m²). The paper gives no other lengths: AB = 0.9, BC = 0.6, OC = 0.9 m are chosen, as is the \
            start (undeformed, velocities of rigid links). Two modes per link, as in the paper, and a converged model with \
            four modes and stretch; the reference shears (k = 1/2), so the converged model's section is softened by what \
            shear adds to the first shape. Beside them the paper's own elements, eight 2-node beams with quadratic rotation per \
            link, in nodal coordinates without modes and in ten modes: seen from the middle of the link they meet the \
            reference, seen from its end they do not, and in four bodies per link they meet it to what it is good to.\n\n\
            Deflections of the mid-points over the crank angle, across the chord of the deformed link, and across the link \
            of the rigid mechanism at the same crank angle (the paper measures perpendicular to the initial links).",
    models: &[
        "validation/flexnet_four_bar.toml",
        "validation/flexnet_four_bar_converged.toml",
        "validation/flexnet_four_bar_elements.toml",
        "validation/parts/four_bar_coupler.toml",
        "validation/parts/four_bar_follower.toml",
    ],
    cost: 90.0,
    run,
};

const TWO_MODES: &str = include_str!("../../models/validation/flexnet_four_bar.toml");
const CONVERGED: &str = include_str!("../../models/validation/flexnet_four_bar_converged.toml");
const TABLE: &str = include_str!("../../data/flexnet_four_bar.csv");
const SPEED: f64 = 210.0;
const LINKS: [&str; 2] = ["coupler", "follower"];
/// How long the linear graph runs in every kind of coordinates (s).
const GRAPH: f64 = 0.06;
/// Least and largest deflection of each link over two revolutions (m).
const PEAKS: [(f64, f64); 2] = [(-0.02990, 0.04209), (-0.01472, 0.01092)];

fn run(context: &mut Context) -> Result<(), Fault> {
    let end = if context.quick { 0.005 } else { 2.0 * std::f64::consts::TAU / SPEED };
    let channels = ["*.a.position.?", "*.middle.position.?", "*.b.position.?"];
    let compared = ["coupler.middle.position.x", "coupler.middle.position.y", "follower.middle.position.x"];
    let mut runs = Vec::new();
    for (text, file, what) in
        [(TWO_MODES, CASE.models[0], "two modes"), (CONVERGED, CASE.models[1], "converged")]
    {
        let built = model(text, file)?;
        let plan = Plan { end, rows: end / 1200.0, channels: &channels };
        let step = end / 3000.0;
        let steps =
            Steps { end: 0.25 * end, step, rows: 5.0 * step, channels: &compared, share: 1e-3, global: true };
        let run = context.all_routes(&built, what, 1e-9, &plan, Some(&steps))?;
        context.energy_routes(&built, what, &run, &steps)?;
        let plan = Plan { end: GRAPH, rows: GRAPH / 50.0, channels: &[] };
        context.graph_in_any_coordinates(&built, what, &plan, None)?;
        runs.push(run);
    }
    elements::run(context, end)?;
    if context.quick {
        return Ok(());
    }
    let [two, converged] = [&runs[0], &runs[1]];
    for (k, link) in LINKS.into_iter().enumerate() {
        let (fine, coarse) = (deflection(converged, link)?, deflection(two, link)?);
        let why = "converged peaks within 2 % of the reference, whose second revolution is good to 0.5 %";
        for (name, found, known) in
            [("least", fine.minimum().1, PEAKS[k].0), ("largest", fine.maximum().1, PEAKS[k].1)]
        {
            let quantity = Quantity::new(format!("{name} deflection of the {link}, converged"), "m", found);
            context.judge(quantity.relative(known, 0.02, why));
        }
        let why = "the paper's two modes, shown beside the converged curve: its figures 6(a) and 6(b) have no numbers";
        for (name, found) in [("least", coarse.minimum().1), ("largest", coarse.maximum().1)] {
            let quantity = Quantity::new(format!("{name} deflection of the {link}, two modes"), "m", found);
            context.judge(quantity.without_reference(why).source(CASE.source, Trust::T4));
        }
        let rigid = from_rigid(converged, link)?;
        for (name, found) in [("least", rigid.minimum().1), ("largest", rigid.maximum().1)] {
            let quantity =
                Quantity::new(format!("{name} deflection of the {link} across the rigid link, converged"), "m", found);
            let why = "measured as in the paper's figures, which have no numbers";
            context.judge(quantity.without_reference(why).source(CASE.source, Trust::T4));
        }
        draw(context, link, [&fine, &coarse, &rigid, &from_rigid(two, link)?])?;
    }
    Ok(())
}

/// Deflection across the chord over the crank angle.
fn deflection(run: &Run, link: &str) -> Result<Sampled, Fault> {
    deflection_of(run, ["a", "middle", "b"].map(|place| format!("{link}.{place}")))
}

/// The same of a link with frames at its start, middle and end.
fn deflection_of(run: &Run, [a, middle, b]: [String; 3]) -> Result<Sampled, Fault> {
    let across = from_chord(run, [&a, &middle, &b])?;
    Ok(Sampled { x: across.x.iter().map(|time| SPEED * time).collect(), y: across.y })
}

/// Ends of a link of the rigid mechanism at a crank angle.
fn rigid_link(angle: f64, link: &str) -> [[f64; 2]; 2] {
    let (a, c) = ([0.3 * angle.cos(), 0.3 * angle.sin()], [0.9, 0.0]);
    let (dx, dy) = (c[0] - a[0], c[1] - a[1]);
    let distance = dx.hypot(dy);
    // B is above the line from A to C: law of cosines at A.
    let along = (0.81 + distance * distance - 0.36) / (2.0 * distance);
    let across = (0.81 - along * along).sqrt();
    let b = [a[0] + (along * dx - across * dy) / distance, a[1] + (along * dy + across * dx) / distance];
    if link == "coupler" { [a, b] } else { [c, b] }
}

/// Deflection of the mid-point across the link of the rigid mechanism over the crank angle.
fn from_rigid(run: &Run, link: &str) -> Result<Sampled, Fault> {
    let [x, y] = ["x", "y"].map(|axis| run.channel(&format!("{link}.middle.position.{axis}")));
    let (x, y) = (x?, y?);
    let across = |i: usize| {
        let [start, end] = rigid_link(SPEED * x.x[i], link);
        let (ex, ey) = (end[0] - start[0], end[1] - start[1]);
        ((y.y[i] - start[1]) * ex - (x.y[i] - start[0]) * ey) / ex.hypot(ey)
    };
    Ok(Sampled { x: x.x.iter().map(|time| SPEED * time).collect(), y: (0..x.x.len()).map(across).collect() })
}

fn draw(context: &mut Context, link: &str, [fine, coarse, rigid, rigid_two]: [&Sampled; 4]) -> Result<(), Fault> {
    let known = Table::new(TABLE)?.column(link)?;
    let chord = vec![
        Curve::line("converged", &fine.x, &fine.y),
        Curve::broken("two modes", &coarse.x, &coarse.y),
        Curve::points("geometrically exact beams", &known.x, &known.y),
    ];
    let initial =
        vec![Curve::line("converged", &rigid.x, &rigid.y), Curve::broken("two modes", &rigid_two.x, &rigid_two.y)];
    let x = "crank angle [rad]";
    let panels = vec![Panel::new(x, "across the chord", "m", chord), Panel::new(x, "across the rigid link", "m", initial)];
    let figure = if link == "coupler" { "6(a)" } else { "6(b)" };
    context.draw(Figure::new(format!("Mid-point of the {link}: figure {figure} of the paper."), panels));
    Ok(())
}
