//! The solid that stands for a rigid body without given geometry.
//!
//! Source: a homogeneous cuboid of edges a, b, c has Ixx = m (b² + c²)/12 and so
//! on, hence a² = 6 (Iyy + Izz − Ixx)/m about the principal axes.

use super::{Form, Solid};
use crate::model::IDENTITY;
use crate::model::body::{Body, InertiaModel};
use crate::spatial::{cross, scale};
use nalgebra::{Matrix3, SymmetricEigen};

/// Sweeps before a decomposition is given up; ordinary ones take two or three per row.
const SWEEPS: usize = 300;

/// The cuboid with the mass, centre and inertia of `body`; a ball for a body without rotary inertia.
pub(super) fn equivalent_solid(body: &Body) -> Solid {
    let mut solid = Solid {
        form: Form::Mass(0.0),
        position: [0.0; 3],
        rotation: IDENTITY,
        equivalent: true,
        colour: None,
    };
    let InertiaModel::Rigid(inertia) = &body.inertia else { return solid };
    let mass = inertia.mass();
    if mass <= 0.0 {
        return solid;
    }
    let centre = scale(1.0 / mass, &inertia.mass_moment());
    solid.position = centre;
    solid.form = Form::Mass(mass);
    let a = &inertia.angular;
    let about_origin = Matrix3::new(a[0], a[1], a[2], a[1], a[3], a[4], a[2], a[4], a[5]);
    let c = nalgebra::Vector3::from(centre);
    let steiner = (Matrix3::identity() * c.dot(&c) - c * c.transpose()) * mass;
    let own = about_origin - steiner;
    // The decomposition of numbers that are none would not end.
    let finite = own.iter().all(|x| x.is_finite());
    let Some(eigen) = finite.then(|| SymmetricEigen::try_new(own, f64::EPSILON, SWEEPS)).flatten() else {
        return solid;
    };
    let i = eigen.eigenvalues;
    let edge = |k: usize| (6.0 * (i[(k + 1) % 3] + i[(k + 2) % 3] - i[k]) / mass).max(0.0).sqrt();
    let edges = [edge(0), edge(1), edge(2)];
    let longest = edges.iter().fold(0.0, |most: f64, &edge| most.max(edge));
    // Rounding alone gives no extent.
    if longest <= 1e-7 * (1.0 + c.norm()) {
        return solid;
    }
    solid.form = Form::Box(edges);
    let column = |k: usize| [0, 1, 2].map(|row: usize| eigen.eigenvectors[(row, k)]);
    let (x, y) = (column(0), column(1));
    let z = cross(&x, &y);
    solid.rotation = [0, 1, 2].map(|row| [x[row], y[row], z[row]]);
    solid
}
