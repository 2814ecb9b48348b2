//! Deployment of two shell panels (Richard 2012, example 2).

use crate::agreement::Steps;
use crate::compare::seen_from_body;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::part::Parts;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Run, model_with};
use crate::sampled::{Sampled, Table};
use flexura::build::Built;
use flexura::model::description::TreeChoice;
use flexura_fem::{EigenOptions, MassModel, Material, Supports, assemble, generate, lowest_modes};

/// The case.
pub const CASE: Case = Case {
    id: "flexnet-panels",
    title: "Deployment of two panels",
    source: "Richard (2012), example 2, (71)-(72); the same panels by an independent program, beam strips of another as bounds",
    trust: Trust::T3,
    about: "Two panels of 2 × 2 m and 3 mm of steel, rigid beams along the hinge edges; ψ1 from 0 to 90°, ψ2 from 180° to 0 \
            over 14 s, 20 s in all, no gravity, no damping. Shell triangles of the discrete Kirchhoff kind, 32 per panel as in \
            the paper and 512; four modes per panel, static shapes of the far edge on the inner panel.\n\n\
            Deflection of the panel centres from the tangent at their root. The paper's figures have no numbers; the same panels \
            of other elements and by other equations are the reference (scripts/panels_reference.py), and two chains of beam strips, \
            one as stiff as a plate (EI = D b), one as a beam (EI = E b h³/12), are bounds.",
    models: &[
        "validation/flexnet_panels.toml",
        "validation/parts/panel_inner.toml",
        "validation/parts/panel_outer.toml",
    ],
    cost: 4.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/flexnet_panels.toml");
const INNER: &str = include_str!("../../models/validation/parts/panel_inner.toml");
const OUTER: &str = include_str!("../../models/validation/parts/panel_outer.toml");
const PLATE: &str = include_str!("../../data/flexnet_panels_plate.csv");
const BEAM: &str = include_str!("../../data/flexnet_panels_beam.csv");
const PANELS: &str = include_str!("../../data/flexnet_panels.csv");
const OWN_PROGRAM: &str = "Kirchhoff rectangles in moving frames, SciPy (scripts/panels_reference.py)";
const KIRCHHOFF: &str = "Kirchhoff theory, converged Ritz solution";

/// Edge, frequencies (Hz).
const FREQUENCIES: [(&str, &[f64]); 3] = [
    ("clamped", &[0.65057, 1.59439, 3.98939, 5.09781, 5.80205, 10.1561]),
    ("hinged", &[1.24521, 2.79295, 4.75609, 4.87320]),
    ("free", &[2.52431, 3.67285, 4.54889, 6.52263, 6.52263]),
];
/// Body, column of its deflection, and largest, least, swing after 14 s: of the same panels by an independent program, of a strip as stiff as
/// a plate, of one as stiff as a beam (m).
type Known = (&'static str, &'static str, [[f64; 3]; 3]);
const KNOWN: [Known; 2] = [
    ("inner", "p1", [[13.6449e-3, 13.04e-3, 14.49e-3], [-8.4026e-3, -7.64e-3, -9.87e-3], [16.7383e-3, 15.3e-3, 19.0e-3]]),
    ("outer", "p2", [[6.3295e-3, 6.12e-3, 6.62e-3], [-4.7806e-3, -4.53e-3, -5.44e-3], [6.7199e-3, 6.15e-3, 7.79e-3]]),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    frequencies(context)?;
    let channels =
        ["inner.position.*", "inner.quaternion.*", "inner.centre.position.*", "outer.position.*",
         "outer.quaternion.*", "outer.centre.position.*"];
    let plan = Plan { end: 20.0, rows: 0.02, channels: &channels };
    let compared = ["inner.centre.position.z", "outer.centre.position.x"];
    let steps = Steps { end: 4.0, step: 5e-3, rows: 0.1, channels: &compared, share: 1e-4, global: true };
    context.stage("32 triangles per panel");
    let coarse_model = built(4)?;
    let coarse = context.all_routes(&coarse_model, "32 triangles", 1e-9, &plan, Some(&steps))?;
    context.energy_routes(&coarse_model, "32 triangles", &coarse, &steps)?;
    let mut cut = coarse_model.description.clone();
    cut.graph.tree = TreeChoice::Absolute;
    context.energy_routes(&cut.build()?, "32 triangles, drivers and hinges as constraints", &coarse, &steps)?;
    if context.quick {
        return Ok(());
    }
    context.stage("512 triangles per panel");
    let fine_model = built(16)?;
    let fine = context.all_routes(&fine_model, "512 triangles", 1e-9, &plan, None)?;
    for known in KNOWN {
        judge(context, known, &deflection(&fine, known.0)?, &deflection(&coarse, known.0)?)?;
    }
    Ok(())
}

fn built(cells: usize) -> Result<Built, Fault> {
    let with_cells = |text: &str| text.replace("cells = [16, 16]", &format!("cells = [{cells}, {cells}]"));
    let parts = [("panel_inner.toml", with_cells(INNER)), ("panel_outer.toml", with_cells(OUTER))];
    model_with(MODEL, CASE.models[0], &[], &Parts(&parts))
}

/// Place of the centre across the tangent at the root.
fn deflection(run: &Run, body: &str) -> Result<Sampled, Fault> {
    seen_from_body(run, body, "centre", 2)
}

/// What is known of a deflection, with its name.
fn extremes(found: &Sampled) -> [(&'static str, f64); 3] {
    let swing = found.between(14.0, 20.0).range();
    [("largest deflection", found.maximum().1), ("least deflection", found.minimum().1), ("swing after 14 s", swing)]
}

fn judge(context: &mut Context, (body, column, known): Known, fine: &Sampled, coarse: &Sampled) -> Result<(), Fault> {
    for ((name, found), [own, plate, beam]) in extremes(fine).into_iter().zip(known) {
        let name = format!("{name} of the {body} panel, 512 triangles");
        let why = "converged with other elements; four modes and this mesh are 0.12 % off at most, without stiffening 1 to 2 %";
        let quantity = Quantity::new(name.clone(), "m", found).relative(own, 3e-3, why);
        context.judge(quantity.source(OWN_PROGRAM, Trust::T2));
        let why = "a plate lands between the two strips";
        let quantity = Quantity::new(format!("{name}, between two strips of beams"), "m", found);
        context.judge(quantity.between(plate, beam, 0.0, why).beside(name));
    }
    for ((name, found), [own, ..]) in extremes(coarse).into_iter().zip(known) {
        let why = "the paper's mesh: 2.4 % off at most";
        let quantity = Quantity::new(format!("{name} of the {body} panel, 32 triangles"), "m", found);
        let quantity = quantity.relative(own, 0.03, why).source(OWN_PROGRAM, Trust::T2);
        context.judge(quantity.beside(format!("{name} of the {body} panel, 512 triangles")));
    }
    let own = Table::new(PANELS)?.column(column)?;
    let why = "every 0.1 s of it; without stiffening 1.5 % and more";
    let name = format!("deflection of the {body} panel over all 20 s, 512 triangles: largest difference over the range");
    let quantity = Quantity::new(name, "1", fine.distance(&own) / own.range());
    context.judge(quantity.at_most(6e-3, why).source(OWN_PROGRAM, Trust::T2));
    let [plate, beam] = [Table::new(PLATE)?.column(column)?, Table::new(BEAM)?.column(column)?];
    let curves = vec![
        Curve::line("512 triangles", &fine.x, &fine.y),
        Curve::broken("32 triangles", &coarse.x, &coarse.y),
        Curve::points("the same by other elements and equations", &own.x, &own.y),
        Curve::points("strip, EI = D b", &plate.x, &plate.y),
        Curve::points("strip, EI = E b h³/12", &beam.x, &beam.y),
    ];
    let panel = Panel::over_time("centre from the root tangent", "m", curves);
    context.draw(Figure::new(format!("Deflection of the {body} panel."), vec![panel]));
    Ok(())
}

fn frequencies(context: &mut Context) -> Result<(), Fault> {
    for (edge, exact) in FREQUENCIES {
        context.stage(&format!("frequencies, {edge}"));
        let (fine, coarse) = (spectrum(edge, 16, exact.len())?, spectrum(edge, 4, exact.len())?);
        for (k, (value, found)) in exact.iter().zip(&fine).enumerate() {
            let quantity = Quantity::new(format!("f{} of a panel, edge {edge}, 16 × 16 × 2", k + 1), "Hz", *found);
            context.judge(quantity.relative(*value, 0.01, "1 % on 16 × 16 × 2").source(KIRCHHOFF, Trust::T1));
        }
        for (k, found) in coarse.iter().enumerate() {
            let quantity = Quantity::new(format!("f{} of a panel, edge {edge}, 32 triangles", k + 1), "Hz", *found);
            let why = format!("the paper's mesh, reported: {:+.2} % of the converged value", 100.0 * (found / exact[k] - 1.0));
            context.judge(quantity.without_reference(why));
        }
    }
    Ok(())
}

/// Elastic frequencies of one panel (Hz).
fn spectrum(edge: &str, cells: usize, count: usize) -> Result<Vec<f64>, Fault> {
    let steel = Material::isotropic(2.1e11, 0.3, 7800.0);
    let mesh = generate::plate([2.0, 2.0], [cells, cells], 0.003, steel)?;
    let line = mesh.set("x0")?;
    let (supports, rigid) = match edge {
        "clamped" => (Supports::none().clamp(line), 0),
        "hinged" => (Supports::none().hold(line, [true, true, true, true, false, true]), 1),
        _ => (Supports::none(), 6),
    };
    let system = assemble(&mesh, &supports, MassModel::Consistent)?;
    let options = EigenOptions { free: rigid > 0, ..EigenOptions::default() };
    let found = lowest_modes(system.pencil(), count + rigid, &options)?;
    Ok(found.frequencies()[rigid..].to_vec())
}
