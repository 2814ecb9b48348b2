//! Square plates of shell triangles against Kirchhoff theory.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::sampled::keep_worst;
use flexura_fem::statics::{Loads, solve};
use flexura_fem::{EigenOptions, MassModel, Material, Mesh, Supports, assemble, generate, lowest_modes};

/// The case.
pub const CASE: Case = Case {
    id: "plate-modes",
    title: "Frequencies and deflections of square plates",
    source: "Kirchhoff theory, converged Ritz solution (18 × 18 terms); Leissa (1973)",
    trust: Trust::T1,
    about: "λ = ω a² √(ρh/D) of square plates, ν = 0.3, h/a = 10⁻³: clamped on one edge (CFFF), supported (SSSS), clamped \
            (CCCC) and free (FFFF), by triangles of the discrete Kirchhoff kind on 16 × 16 × 2, with 8 × 8 × 2 beside \
            it. Static deflections of the centre under pressure and under a point load.",
    models: &[],
    cost: 1.0,
    run,
};

const YOUNG: f64 = 2.1e11;
const DENSITY: f64 = 7800.0;
const THICKNESS: f64 = 1e-3;
/// w = Σ (tanh α − α/cosh² α)/(2π³ m³), α = mπ/2, m odd; for clamped edges with moments that take the slopes away, a linear
/// system whose solution has settled to ten digits with 80 terms.
const SERIES: &str = "single series of the supported plate, and Timoshenko's edge moments; summed to ten digits";

const FREQUENCIES: [(&str, &[f64]); 4] = [
    ("CFFF", &[3.47107, 8.50671, 21.28500, 27.19889, 30.95629, 54.18715]),
    ("SSSS", &[19.73921, 49.34802, 49.34802, 78.95684]),
    ("CCCC", &[35.98519, 73.39385, 73.39385, 108.21650]),
    ("FFFF", &[13.46820, 19.59614, 24.27020, 34.80089, 34.80089, 61.09324, 61.09324]),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    for (kind, exact) in FREQUENCIES {
        context.stage(kind);
        let [coarse, fine] = [8, 16].map(|cells| parameters(kind, cells, exact.len()));
        let (coarse, fine) = (coarse?, fine?);
        for (k, (value, found)) in exact.iter().zip(&fine).enumerate() {
            let why = "1 % on 16 × 16 × 2";
            context.judge(Quantity::new(format!("λ{} of {kind}", k + 1), "1", *found).relative(*value, 0.01, why));
        }
        let worst = |found: &[f64]| {
            found.iter().zip(exact).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, keep_worst)
        };
        let order = (worst(&coarse) / worst(&fine)).log2();
        let why = "second order of the elements, less what the next term takes";
        context.judge(
            Quantity::new(format!("observed order of {kind}, 8 to 16 cells"), "1", order).at_least(1.5, why),
        );
        draw(context, kind, exact, [&coarse, &fine]);
    }
    statics(context)
}

fn draw(context: &mut Context, kind: &str, exact: &[f64], [coarse, fine]: [&[f64]; 2]) {
    let mode: Vec<f64> = (1..=exact.len()).map(|k| k as f64).collect();
    let error = |found: &[f64]| -> Vec<f64> {
        found.iter().zip(exact).map(|(a, b)| 100.0 * (a / b - 1.0)).collect()
    };
    let curves = vec![
        Curve::broken("8 × 8 × 2", &mode, &error(coarse)),
        Curve::line("16 × 16 × 2", &mode, &error(fine)),
    ];
    let panel = Panel::new("mode", "error of λ", "%", curves);
    context.draw(Figure::new(format!("Errors of the frequencies of {kind}."), vec![panel]));
}

fn square(cells: usize) -> Result<Mesh, Fault> {
    Ok(generate::plate([1.0, 1.0], [cells, cells], THICKNESS, Material::isotropic(YOUNG, 0.3, DENSITY))?)
}

fn rigidity() -> f64 {
    YOUNG * THICKNESS.powi(3) / (12.0 * (1.0 - 0.09))
}

fn supports(mesh: &Mesh, kind: &str) -> Result<Supports, Fault> {
    let edge = |name: &str| mesh.set(name).map(<[usize]>::to_vec);
    Ok(match kind {
        "FFFF" => Supports::none(),
        "CFFF" => Supports::none().clamp(&edge("x0")?),
        "CCCC" => {
            let mut all = Vec::new();
            for name in ["x0", "x1", "y0", "y1"] {
                all.extend(edge(name)?);
            }
            Supports::none().clamp(&all)
        }
        // The slope along a supported edge is zero as well.
        _ => {
            let along_y = [true, true, true, true, false, true];
            let along_x = [true, true, true, false, true, true];
            Supports::none()
                .hold(&edge("x0")?, along_y)
                .hold(&edge("x1")?, along_y)
                .hold(&edge("y0")?, along_x)
                .hold(&edge("y1")?, along_x)
        }
    })
}

fn parameters(kind: &str, cells: usize, count: usize) -> Result<Vec<f64>, Fault> {
    let mesh = square(cells)?;
    let system = assemble(&mesh, &supports(&mesh, kind)?, MassModel::Consistent)?;
    let rigid = if kind == "FFFF" { 6 } else { 0 };
    let options = EigenOptions { free: rigid > 0, ..EigenOptions::default() };
    let found = lowest_modes(system.pencil(), count + rigid, &options)?;
    let scale = std::f64::consts::TAU * (DENSITY * THICKNESS / rigidity()).sqrt();
    Ok(found.frequencies()[rigid..].iter().map(|f| f * scale).collect())
}

/// Centre deflection times D / (q a⁴) or D / (P a²).
fn centre(kind: &str, cells: usize, uniform: bool) -> Result<f64, Fault> {
    let mesh = square(cells)?;
    let system = assemble(&mesh, &supports(&mesh, kind)?, MassModel::Consistent)?;
    let middle = (cells / 2) * (cells + 2);
    let mut load = Loads::none(mesh.nodes.len());
    if uniform {
        // Unit pressure shared by the corners of each triangle.
        let share = 1.0 / (6.0 * (cells * cells) as f64);
        for node in mesh.elements.iter().flat_map(|element| element.nodes()) {
            load = load.at(*node, [0.0, 0.0, share], [0.0; 3])?;
        }
    } else {
        load = load.at(middle, [0.0, 0.0, 1.0], [0.0; 3])?;
    }
    Ok(solve(&system, &load)?[6 * middle + 2] * rigidity())
}

fn statics(context: &mut Context) -> Result<(), Fault> {
    for (kind, uniform, exact) in
        [("SSSS", true, 0.00406235), ("CCCC", true, 0.00126533), ("SSSS", false, 0.01160083977), ("CCCC", false, 0.00561202402)]
    {
        let load = if uniform { "pressure, w D/(q a⁴)" } else { "point load, w D/(P a²)" };
        let found = centre(kind, 16, uniform)?;
        let why = "16 × 16 × 2; loads at nodes, point loads converge slowly: 1.5 %";
        let quantity = Quantity::new(format!("centre of {kind} under {load}"), "1", found);
        let quantity = quantity.relative(exact, 0.015, why);
        context.judge(if uniform { quantity } else { quantity.source(SERIES, Trust::T1) });
    }
    Ok(())
}
