//! Mass and inertia of the solids that MJCF calls geoms, about their centres, in their own axes.
//!
//! Sphere, ellipsoid (half axes), cylinder (along z), box (half edges): textbook. Capsule: a cylinder and two half
//! spheres, whose centroids lie 3r/8 beyond its ends.

use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A solid of uniform density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UniformSolid {
    /// Half axes (m).
    Ellipsoid([f64; 3]),
    /// Half edges (m).
    Box([f64; 3]),
    /// Radius and half length (m).
    Cylinder(f64, f64),
    /// Radius and half length of the cylindrical part (m).
    Capsule(f64, f64),
}

impl UniformSolid {
    /// Volume (m³).
    pub fn volume(&self) -> f64 {
        match *self {
            Self::Ellipsoid([a, b, c]) => 4.0 / 3.0 * PI * a * b * c,
            Self::Box([a, b, c]) => 8.0 * a * b * c,
            Self::Cylinder(r, h) => 2.0 * PI * r * r * h,
            Self::Capsule(r, h) => 2.0 * PI * r * r * h + 4.0 / 3.0 * PI * r * r * r,
        }
    }

    /// Inertia of so much mass (kg m²).
    pub fn inertia(&self, mass: f64) -> Matrix3<f64> {
        let of_squares = |x: f64, y: f64, z: f64| Vector3::new(y + z, x + z, x + y);
        // Second moments along the axes, each Σ m x².
        let moments = match *self {
            Self::Ellipsoid([a, b, c]) => of_squares(a * a, b * b, c * c) * (mass / 5.0),
            Self::Box([a, b, c]) => of_squares(a * a, b * b, c * c) * (mass / 3.0),
            Self::Cylinder(r, h) => of_squares(r * r / 4.0, r * r / 4.0, h * h / 3.0) * mass,
            Self::Capsule(r, h) => {
                let balls = mass * (4.0 / 3.0 * r) / (2.0 * h + 4.0 / 3.0 * r);
                let tube = mass - balls;
                let across = tube * r * r / 4.0 + balls * r * r / 5.0;
                // A half ball about its flat side has the second moment of a ball; its centroid is 3r/8 from there.
                let along = tube * h * h / 3.0 + balls * (r * r / 5.0 + h * h + 0.75 * r * h);
                of_squares(across, across, along)
            }
        };
        Matrix3::from_diagonal(&moments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Second moments of a solid of revolution by its discs, a route without closed forms.
    fn by_discs(radius: impl Fn(f64) -> f64, half: f64) -> (f64, Vector3<f64>) {
        let (n, mut volume, mut across, mut along) = (400_000, 0.0, 0.0, 0.0);
        let step = 2.0 * half / f64::from(n);
        for k in 0..n {
            let z = -half + (f64::from(k) + 0.5) * step;
            let r = radius(z);
            let disc = PI * r * r * step;
            volume += disc;
            across += disc * r * r / 4.0;
            along += disc * z * z;
        }
        (volume, Vector3::new(across + along, across + along, 2.0 * across))
    }

    #[test]
    fn capsules_cylinders_and_ellipsoids_are_sums_over_discs() {
        let (r, h) = (0.3, 0.5);
        let capsule = |z: f64| if z.abs() < h { r } else { (r * r - (z.abs() - h).powi(2)).max(0.0).sqrt() };
        let ellipsoid = |z: f64| r * (1.0 - (z / h).powi(2)).max(0.0).sqrt();
        for (solid, (volume, moments)) in [
            (UniformSolid::Capsule(r, h), by_discs(capsule, h + r)),
            (UniformSolid::Cylinder(r, h), by_discs(|_| r, h)),
            (UniformSolid::Ellipsoid([r, r, h]), by_discs(ellipsoid, h)),
        ] {
            assert!((solid.volume() / volume - 1.0).abs() < 1e-8, "{solid:?}");
            let found = solid.inertia(solid.volume()).diagonal();
            assert!((found - moments).norm() < 1e-8 * moments.norm(), "{solid:?}: {found} against {moments}");
        }
    }

    #[test]
    fn a_box_is_that_of_the_textbook() {
        let found = UniformSolid::Box([0.5, 1.0, 1.5]).inertia(12.0).diagonal();
        assert!((found - Vector3::new(13.0, 10.0, 5.0)).norm() < 1e-12);
    }
}
