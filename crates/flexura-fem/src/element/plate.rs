//! Bending of the thin triangular shell: discrete Kirchhoff triangle (DKT).
//!
//! J.-L. Batoz, K.-J. Bathe, L.-W. Ho, "A study of three-node triangular plate
//! bending elements" (1980). The normal's rotations b_x, b_y (u = z b_x,
//! v = z b_y) are quadratic; Kirchhoff's condition b = -grad w holds at the corners
//! and, along each edge, at its middle, where the deflection is the cubic of the
//! end values. With t along and n across the edge i-j of length l:
//!   b_n(mid) = (b_n,i + b_n,j)/2,
//!   b_t(mid) = -3/(2l) (w_j - w_i) - (b_t,i + b_t,j)/4.
//! Nodal rotations: theta_x = w,y = -b_y, theta_y = -w,x = b_x. Curvature
//! k = [b_x,x; b_y,y; b_x,y + b_y,x] is linear: three mid-edge points are exact.
//!
//! The element has no deflection inside. Its mass uses the cubic of G. P. Bazeley,
//! Y. K. Cheung, B. M. Irons, O. C. Zienkiewicz (1965), which takes the same edge
//! cubics and every quadratic field.
//!
//! Degrees of freedom per corner: w, theta_x, theta_y. L: area coordinates.

use super::membrane::PlaneTriangle;
use super::quadrature::MID_EDGES;
use nalgebra::{Matrix3, SMatrix, SVector, Vector2};

type Row = SVector<f64, 9>;
/// Rows b_x, b_y from the corner values.
pub type Rotations = SMatrix<f64, 2, 9>;

/// Corner pairs in the order of [`MID_EDGES`].
const EDGES: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// Bending stiffness for a rigidity matrix (moments from curvatures, N m).
pub fn stiffness(triangle: &PlaneTriangle, rigidity: &Matrix3<f64>) -> SMatrix<f64, 9, 9> {
    let mut total = SMatrix::zeros();
    for place in MID_EDGES {
        let curvature = curvature(triangle, place);
        total += curvature.transpose() * rigidity * curvature * (triangle.area() / 3.0);
    }
    total
}

/// Mean curvatures [b_x,x; b_y,y; b_x,y + b_y,x] from the corner values.
pub fn mean_curvature(triangle: &PlaneTriangle) -> SMatrix<f64, 3, 9> {
    MID_EDGES.iter().map(|place| curvature(triangle, *place)).sum::<SMatrix<f64, 3, 9>>() / 3.0
}

/// Curvatures [b_x,x; b_y,y; b_x,y + b_y,x] from the corner values.
pub fn curvature(triangle: &PlaneTriangle, place: [f64; 3]) -> SMatrix<f64, 3, 9> {
    let gradients = triangle.gradients();
    let mut rows = SMatrix::zeros();
    let mut add = |slope: Vector2<f64>, value: &Rotations| {
        for dof in 0..9 {
            rows[(0, dof)] += slope.x * value[(0, dof)];
            rows[(1, dof)] += slope.y * value[(1, dof)];
            rows[(2, dof)] += slope.y * value[(0, dof)] + slope.x * value[(1, dof)];
        }
    };
    for corner in 0..3 {
        add(gradients[corner] * (4.0 * place[corner] - 1.0), &corner_rotation(corner));
    }
    for (i, j) in EDGES {
        let slope = (gradients[i] * place[j] + gradients[j] * place[i]) * 4.0;
        add(slope, &middle_rotation(triangle, i, j));
    }
    rows
}

/// Rotations b_x, b_y of the normal.
pub fn rotations(triangle: &PlaneTriangle, place: [f64; 3]) -> Rotations {
    let mut value = Rotations::zeros();
    for corner in 0..3 {
        value += corner_rotation(corner) * (place[corner] * (2.0 * place[corner] - 1.0));
    }
    for (i, j) in EDGES {
        value += middle_rotation(triangle, i, j) * (4.0 * place[i] * place[j]);
    }
    value
}

/// Deflection w by the cubic of the mass matrix.
pub fn deflection(triangle: &PlaneTriangle, place: [f64; 3]) -> Row {
    let mut value = Row::zeros();
    let bubble = place[0] * place[1] * place[2];
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let (a, b, c) = (place[i], place[j], place[k]);
        value[3 * i] = a + a * a * (b + c) - a * (b * b + c * c);
        let arm = (triangle.corner(j) - triangle.corner(i)) * (a * a * b + bubble / 2.0)
            + (triangle.corner(k) - triangle.corner(i)) * (a * a * c + bubble / 2.0);
        // Slopes w,x = -theta_y and w,y = theta_x.
        value[3 * i + 1] = arm.y;
        value[3 * i + 2] = -arm.x;
    }
    value
}

fn corner_rotation(corner: usize) -> Rotations {
    let mut value = Rotations::zeros();
    value[(0, 3 * corner + 2)] = 1.0;
    value[(1, 3 * corner + 1)] = -1.0;
    value
}

fn middle_rotation(triangle: &PlaneTriangle, i: usize, j: usize) -> Rotations {
    let edge = triangle.corner(j) - triangle.corner(i);
    let (length, along) = (edge.norm(), edge.normalize());
    let sum = corner_rotation(i) + corner_rotation(j);
    let along_sum = sum.tr_mul(&along);
    let mut tangential: Row = along_sum * -0.25;
    tangential[3 * j] -= 1.5 / length;
    tangential[3 * i] += 1.5 / length;
    // The half sum keeps the normal part; its tangential part is replaced.
    sum * 0.5 + along * (tangential - along_sum * 0.5).transpose()
}
