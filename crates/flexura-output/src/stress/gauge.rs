//! Strain gauges: what a grid on a surface would show of a stress tensor.
//!
//! Strain along a unit vector d by Hooke's law of an isotropic material,
//!   e = ((1 + nu) d S d - nu tr S)/E,
//! and of a rosette of three grids at angles t_k in the surface the strains of its plane,
//!   e_k = (ex + ey)/2 + (ex - ey)/2 cos 2t_k + g/2 sin 2t_k,
//! from which principal strains and, in plane stress, principal stresses follow as in strain-gauge practice (ASTM E1561). The
//! grids lie in the surface: a direction is projected along its normal, the mean of the triangles at the node by their areas.
//!
//! Symbols: S stress (Pa), E, nu constants of the material, ex, ey, g strains of the surface.

use super::tensor::on_plane;
use flexura::model::recovery::Recovery;

/// Cosine up to which triangles at a node count as one smooth surface (30 degrees).
const SMOOTH: f64 = 0.866;
/// Least share of three grids that tells their strains apart: of angles within about a degree nothing can be said.
const APART: f64 = 1e-3;

/// A grid, or the three of a rosette.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// Unit vectors along its grids, in body axes.
    pub grids: Vec<[f64; 3]>,
    /// Angles of the grids from the first direction, about the normal (rad).
    pub angles: Vec<f64>,
    /// Young's modulus (Pa) and Poisson's ratio, where strains are wanted.
    pub material: Option<[f64; 2]>,
}

/// What a rosette says of its plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rosette {
    /// Principal strains, the larger first (1).
    pub strains: [f64; 2],
    /// Principal stresses in plane stress (Pa).
    pub stresses: [f64; 2],
    /// Angle of the first from the first direction (rad).
    pub angle: f64,
}

/// Why there is no gauge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGauge {
    /// No surface meets the node, and no normal was given.
    NoSurface,
    /// Surfaces meet at an edge.
    Edge,
    /// The direction is along the normal, or has no length.
    Across,
    /// The grids of a rosette do not lie apart.
    Alike,
}

/// Unit normal of the surface at a node.
pub fn surface_normal(rows: &Recovery, node: usize) -> Result<[f64; 3], NoGauge> {
    let at = |corner: u32| rows.positions[corner as usize];
    let normals: Vec<[f64; 3]> = rows
        .triangles
        .iter()
        .filter(|corners| corners.iter().any(|corner| *corner as usize == node))
        .map(|[a, b, c]| cross(minus(at(*b), at(*a)), minus(at(*c), at(*a))))
        .collect();
    let sum = normals.iter().fold([0.0; 3], |sum, one| std::array::from_fn(|i| sum[i] + one[i]));
    let mean = unit(sum).ok_or(NoGauge::NoSurface)?;
    let smooth = |one: &[f64; 3]| unit(*one).is_none_or(|one| dot(one, mean) >= SMOOTH);
    if normals.iter().all(smooth) { Ok(mean) } else { Err(NoGauge::Edge) }
}

impl Gauge {
    /// Grids at angles (rad) from a direction in the surface of a normal.
    pub fn new(
        direction: [f64; 3],
        normal: [f64; 3],
        angles: &[f64],
        material: Option<[f64; 2]>,
    ) -> Result<Self, NoGauge> {
        let normal = unit(normal).ok_or(NoGauge::NoSurface)?;
        let given = unit(direction).ok_or(NoGauge::Across)?;
        let beside = dot(given, normal);
        let flat = std::array::from_fn(|i| given[i] - beside * normal[i]);
        // Less than a degree off the normal is no direction in the surface.
        let along = unit(flat).filter(|_| dot(flat, flat) > 3e-4).ok_or(NoGauge::Across)?;
        let across = cross(normal, along);
        let turned = |angle: &f64| std::array::from_fn(|i| angle.cos() * along[i] + angle.sin() * across[i]);
        let gauge = Self { grids: angles.iter().map(turned).collect(), angles: angles.to_vec(), material };
        if gauge.angles.len() == 3 && gauge.plane().is_none() {
            return Err(NoGauge::Alike);
        }
        Ok(gauge)
    }

    /// Normal stress along a grid (Pa).
    pub fn stress(&self, grid: usize, stress: &[f64; 6]) -> f64 {
        on_plane(stress, &self.grids[grid])
    }

    /// Strain along a grid (1), where the material is known.
    pub fn strain(&self, grid: usize, stress: &[f64; 6]) -> Option<f64> {
        let [young, poisson] = self.material?;
        let trace = stress[0] + stress[1] + stress[2];
        Some(((1.0 + poisson) * self.stress(grid, stress) - poisson * trace) / young)
    }

    /// What three grids say of the plane they lie in; `None` of single grids and without a material.
    pub fn rosette(&self, stress: &[f64; 6]) -> Option<Rosette> {
        let [young, poisson] = self.material?;
        let inverse = self.plane()?;
        let strains: Vec<f64> = (0..3).filter_map(|grid| self.strain(grid, stress)).collect();
        let [mean, half, shear] = inverse.map(|row| (0..3).map(|k| row[k] * strains[k]).sum::<f64>());
        let radius = half.hypot(shear);
        let strains = [mean + radius, mean - radius];
        let factor = young / (1.0 - poisson * poisson);
        let stresses = [0, 1].map(|i| factor * (strains[i] + poisson * strains[1 - i]));
        Some(Rosette { strains, stresses, angle: 0.5 * shear.atan2(half) })
    }

    /// Rows that turn three strains into mean, half the difference and half the shear of the plane.
    fn plane(&self) -> Option<[[f64; 3]; 3]> {
        let [a, b, c] = self.angles[..] else { return None };
        let row = |angle: f64| [1.0, (2.0 * angle).cos(), (2.0 * angle).sin()];
        let (a, b, c) = (row(a), row(b), row(c));
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let volume = dot(a, columns[0]);
        (volume.abs() > APART)
            .then(|| std::array::from_fn(|i| std::array::from_fn(|k| columns[k][i] / volume)))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(vector: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(vector, vector).sqrt();
    (length.is_finite() && length > 0.0).then(|| vector.map(|part| part / length))
}

#[cfg(test)]
mod tests {
    use super::super::tensor::principal;
    use super::*;

    const STEEL: Option<[f64; 2]> = Some([210e9, 0.3]);

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9 * (b.abs() + 1e-12), "{a} against {b}");
    }

    /// A bar in tension: sigma/E along it, -nu sigma/E across; sigma cos² at an angle.
    #[test]
    fn a_bar_in_tension_is_measured_as_by_hand() {
        let stress = [210e6, 0.0, 0.0, 0.0, 0.0, 0.0];
        let angles = [0.0, 90_f64.to_radians(), 30_f64.to_radians()];
        let gauge = Gauge::new([2.0, 0.0, 5.0], [0.0, 0.0, 3.0], &angles, STEEL).expect("a gauge");
        close(gauge.strain(0, &stress).expect("a strain"), 1e-3);
        close(gauge.strain(1, &stress).expect("a strain"), -0.3e-3);
        close(gauge.stress(2, &stress), 210e6 * 0.75);
    }

    /// Rosettes of two kinds find the plane stress that strained them, in a surface that is askew.
    #[test]
    fn rosettes_find_the_stress_of_the_surface() {
        // A plane stress in the surface of the normal (1, 2, 2)/3, made of two tensions along its axes.
        let (along, across) = ([2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0], [2.0 / 3.0, 1.0 / 3.0, -2.0 / 3.0]);
        let (s, t) = (80e6, -30e6);
        let of = |a: usize, b: usize| s * along[a] * along[b] + t * across[a] * across[b];
        let stress = [of(0, 0), of(1, 1), of(2, 2), of(0, 1), of(1, 2), of(2, 0)];
        close(principal(&stress)[0], s);
        for degrees in [[0.0_f64, 45.0, 90.0], [0.0, 60.0, 120.0]] {
            let angles = degrees.map(f64::to_radians);
            // The first grid lies 25 degrees from the tension.
            let turned = 25_f64.to_radians();
            let direction = std::array::from_fn(|i| turned.cos() * along[i] + turned.sin() * across[i]);
            let normal = cross(along, across);
            let gauge = Gauge::new(direction, normal, &angles, STEEL).expect("a gauge");
            let found = gauge.rosette(&stress).expect("a rosette");
            close(found.stresses[0], s);
            close(found.stresses[1], t);
            close(found.strains[0], (s - 0.3 * t) / 210e9);
            close(found.angle, -turned);
        }
    }

    #[test]
    fn what_is_no_gauge_is_told() {
        let x = [1.0, 0.0, 0.0];
        assert_eq!(Gauge::new(x, x, &[0.0], None), Err(NoGauge::Across));
        assert_eq!(Gauge::new([0.0; 3], x, &[0.0], None), Err(NoGauge::Across));
        assert_eq!(Gauge::new(x, [0.0, 0.0, 1.0], &[0.0, 0.5, 0.5], None), Err(NoGauge::Alike));
        let corner = Recovery {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            ..Recovery::default()
        };
        assert_eq!(surface_normal(&corner, 0), Err(NoGauge::Edge));
        assert_eq!(surface_normal(&corner, 3), Ok([1.0, 0.0, 0.0]));
        assert_eq!(surface_normal(&Recovery::default(), 0), Err(NoGauge::NoSurface));
    }
}
