//! Princeton beam: a strip bent across its weak and stiff side at once, which twists it.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{model, model_with};
use crate::sampled::Table;
use crate::statics::{at_rest, measure};
use flexura::file::NoSource;

/// The case.
pub const CASE: Case = Case {
    id: "princeton-beam",
    title: "Princeton beam",
    source: "experiment of Dowell & Traybar (1975); numbers of an independent geometrically exact beam solver",
    trust: Trust::T1,
    about: "An aluminium strip of 508 mm, 12.3777 by 3.2024 mm, E = 71.7 GPa, ν = 0.31, clamped; at the tip hangs a load at an \
            angle from the stiff side of the section. 16 segments. The experiment's tables are not public: the reference is \
            numerical.",
    models: &["validation/princeton_beam.toml"],
    cost: 6.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/princeton_beam.toml");
const TABLE: &str = include_str!("../../data/princeton_beam.csv");
const LOADS: [f64; 3] = [4.448, 8.896, 13.345];
const CHANNELS: [&str; 6] = [
    "beam.tip.position.y",
    "beam.tip.position.z",
    "beam.tip.quaternion.w",
    "beam.tip.quaternion.x",
    "beam.tip.quaternion.y",
    "beam.tip.quaternion.z",
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let table = Table::new(TABLE)?;
    let column = |name: &str| table.column(name).map(|column| column.y);
    let (loads, angles) = (table.column("angle")?.x, column("angle")?);
    let known = [column("flap")?, column("chord")?, column("twist")?];
    let names = [("flap deflection", "m"), ("chord deflection", "m"), ("twist", "rad")];
    let mut panels: Vec<Vec<Curve>> = vec![Vec::new(); 3];
    for load in LOADS {
        let rows: Vec<usize> = (0..loads.len()).filter(|&i| loads[i] == load).collect();
        let chosen: Vec<usize> = if context.quick { vec![rows[3]] } else { rows.clone() };
        let mut found: [Vec<f64>; 3] = Default::default();
        for &i in &chosen {
            for (list, value) in found.iter_mut().zip(tip(load, angles[i])?) {
                list.push(value);
            }
        }
        let at: Vec<f64> = chosen.iter().map(|&i| angles[i]).collect();
        for (k, (name, unit)) in names.into_iter().enumerate() {
            let size = rows.iter().fold(0.0, |most: f64, &i| most.max(known[k][i].abs()));
            for (&i, &value) in chosen.iter().zip(&found[k]) {
                let quantity = Quantity::new(format!("{name}, {load} N at {}°", angles[i]), unit, value);
                let exact = known[k][i];
                // Where symmetry makes the value vanish, the largest one of this load is the size.
                let size = if exact == 0.0 { size } else { exact.abs() };
                context.judge(quantity.share_of(size, exact, 0.01, "asked of this case"));
            }
            let points: Vec<f64> = rows.iter().map(|&i| known[k][i]).collect();
            let all: Vec<f64> = rows.iter().map(|&i| angles[i]).collect();
            panels[k].push(Curve::line(format!("{load} N"), &at, &found[k]));
            panels[k].push(Curve::points(format!("{load} N, reference"), &all, &points));
        }
    }
    let panels = panels.into_iter().zip(names).map(|(curves, (name, unit))| Panel::new("angle [deg]", name, unit, curves));
    context.draw(Figure::new("Tip of the strip over the angle of the load.", panels.collect()));
    if !context.quick {
        context.accelerations_agree(&model(MODEL, CASE.models[0])?, "loaded from rest", 1e-8, 1e-3)?;
    }
    Ok(())
}

/// Deflections along the weak and the stiff side, and the rotation of the stiff side out of its plane.
fn tip(load: f64, angle: f64) -> Result<[f64; 3], Fault> {
    let (sin, cos) = angle.to_radians().sin_cos();
    // The section is wide along y: that is the stiff side.
    let settings = [("load.force.2", load * cos), ("load.force.3", load * sin)];
    let built = model_with(MODEL, CASE.models[0], &settings, &NoSource)?;
    let [chord, flap, w, x, y, z] = measure(&built, &at_rest(&built)?, CHANNELS)?;
    Ok([flap, chord, (2.0 * (y * z + w * x)).asin()])
}
