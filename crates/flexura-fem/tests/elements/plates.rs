//! Square plates against converged Kirchhoff solutions (Ritz, nu = 0.3).

use crate::common::*;
use flexura_fem::statics::{Loads, solve};
use flexura_fem::*;

const SIDE: f64 = 1.0;
const THICKNESS: f64 = 1e-3;

fn square(cells: usize) -> Mesh {
    generate::plate([SIDE, SIDE], [cells, cells], THICKNESS, steel()).unwrap()
}

fn rigidity() -> f64 {
    steel().young * THICKNESS.powi(3) / (12.0 * (1.0 - 0.09))
}

/// omega a^2 sqrt(rho h / D) from Hz.
fn parameter(frequency: f64) -> f64 {
    frequency * std::f64::consts::TAU * SIDE * SIDE * (7800.0 * THICKNESS / rigidity()).sqrt()
}

fn edges(mesh: &Mesh) -> Vec<usize> {
    ["x0", "x1", "y0", "y1"].iter().flat_map(|name| mesh.set(name).unwrap().to_vec()).collect()
}

/// Clamped, simply supported, or one edge clamped; membrane freedoms held with the edge.
fn supports(mesh: &Mesh, kind: &str) -> Supports {
    match kind {
        "CFFF" => Supports::none().clamp(mesh.set("x0").unwrap()),
        "CCCC" => Supports::none().clamp(&edges(mesh)),
        // The slope along a supported edge is zero as well: hard support.
        _ => {
            let along_y = [true, true, true, true, false, true];
            let along_x = [true, true, true, false, true, true];
            Supports::none()
                .hold(mesh.set("x0").unwrap(), along_y)
                .hold(mesh.set("x1").unwrap(), along_y)
                .hold(mesh.set("y0").unwrap(), along_x)
                .hold(mesh.set("y1").unwrap(), along_x)
        }
    }
}

fn parameters(kind: &str, cells: usize, count: usize) -> Vec<f64> {
    let mesh = square(cells);
    let found = match kind {
        "FFFF" => free_frequencies(&mesh, count, MassModel::Consistent),
        _ => held_frequencies(&mesh, &supports(&mesh, kind), count, MassModel::Consistent),
    };
    found.into_iter().map(parameter).collect()
}

fn check(kind: &str, exact: &[f64]) {
    let worst = |cells| {
        let found = parameters(kind, cells, exact.len());
        println!("{kind} {cells}x{cells}x2: {found:.5?}");
        found.iter().zip(exact).map(|(a, b)| relative(*a, *b)).fold(0.0, f64::max)
    };
    let (coarse, fine) = (worst(8), worst(16));
    println!("{kind}: worst error {:.3} % on 8x8x2, {:.3} % on 16x16x2", 100.0 * coarse, 100.0 * fine);
    assert!(fine < 0.01 && fine < 0.5 * coarse);
}

#[test]
fn cantilever_plate() {
    check("CFFF", &[3.4710686, 8.5067118, 21.285002, 27.1988896, 30.9562904, 54.1871508]);
}

#[test]
fn supported_plate() {
    check("SSSS", &[19.7392088, 49.3480220, 49.3480220, 78.9568352]);
}

#[test]
fn clamped_plate() {
    check("CCCC", &[35.9851911, 73.3938457, 73.3938457, 108.2165026]);
}

#[test]
fn free_plate() {
    check("FFFF", &[13.4681980, 19.5961374, 24.2702012, 34.8008946, 34.8008946, 61.0932350, 61.0932350]);
}

/// The two-metre panels of M. J. Richard's deployment example (2012), edge clamped (Hz).
#[test]
fn deployment_panel() {
    let mesh = generate::plate([2.0, 2.0], [16, 16], 0.003, steel()).unwrap();
    let supports = Supports::none().clamp(mesh.set("x0").unwrap());
    let found = held_frequencies(&mesh, &supports, 6, MassModel::Consistent);
    let exact = [0.65057, 1.59439, 3.98939, 5.09781, 5.80205, 10.1561];
    let worst = found.iter().zip(exact).map(|(a, b)| relative(*a, b)).fold(0.0, f64::max);
    println!("panel: {found:.5?} Hz, worst error {:.3} %", 100.0 * worst);
    assert!(worst < 0.01);
}

/// Centre deflection times D / (q a^4) or D / (P a^2).
fn centre(kind: &str, cells: usize, uniform: bool) -> f64 {
    let mesh = square(cells);
    let system = assemble(&mesh, &supports(&mesh, kind), MassModel::Consistent).unwrap();
    let middle = (cells / 2) * (cells + 2);
    let mut load = Loads::none(mesh.nodes.len());
    if uniform {
        // Unit pressure shared by the corners of each triangle.
        let share = SIDE * SIDE / (6.0 * (cells * cells) as f64);
        for node in mesh.elements.iter().flat_map(|element| element.nodes()) {
            load = load.at(*node, [0.0, 0.0, share], [0.0; 3]).unwrap();
        }
    } else {
        load = load.at(middle, [0.0, 0.0, 1.0], [0.0; 3]).unwrap();
    }
    solve(&system, &load).unwrap()[6 * middle + 2] * rigidity()
}

#[test]
fn static_deflections() {
    for (kind, uniform, exact) in [
        ("SSSS", true, 0.00406235),
        ("CCCC", true, 0.00126533),
        ("SSSS", false, 0.01160083977),
        ("CCCC", false, 0.00561202402),
    ] {
        let (coarse, fine) =
            (relative(centre(kind, 8, uniform), exact), relative(centre(kind, 16, uniform), exact));
        let load = if uniform { "uniform" } else { "point" };
        println!("{kind} {load}: error {:.3} % on 8x8x2, {:.3} % on 16x16x2", 100.0 * coarse, 100.0 * fine);
        assert!(fine < 0.015 && fine < coarse);
    }
}
