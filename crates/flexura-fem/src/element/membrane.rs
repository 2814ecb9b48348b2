//! Membrane of the thin triangular shell with drilling rotations.
//!
//! The optimal triangle of C. A. Felippa, "A study of optimal membrane triangles
//! with drilling freedoms" (2003): a basic stiffness that passes the patch test
//! for any free parameter and a higher-order part that makes in-plane bending of
//! rectangles exact at every aspect ratio.
//!   K = L E L^T / V + (3/4) beta0 T^T K_theta T
//! L lumps constant stress to nodal forces (alpha = 3/2), T takes the drilling
//! rotations relative to the mean rotation, K_theta = A h sum_m Q_m^T E_nat Q_m
//! with the natural strains along the edges. Symbols: A area, h thickness,
//! V = A h, E plane-stress matrix, x_ij = x_i - x_j, l_ij edge lengths.
//!
//! Displacements inside, used by the mass only, follow D. J. Allman, "A compatible
//! triangular element including vertex rotations" (1984): each edge bends to a
//! parabola by the difference of its end rotations.
//!
//! Degrees of freedom per corner: u, v, theta (counterclockwise).

use nalgebra::{Matrix3, SMatrix, Vector2};

/// A triangle in its own plane.
#[derive(Clone, Copy, Debug)]
pub struct PlaneTriangle {
    corners: [Vector2<f64>; 3],
    area: f64,
}

impl PlaneTriangle {
    /// From three corners in counterclockwise order (m).
    pub fn new(corners: [Vector2<f64>; 3]) -> Self {
        let area = (corners[1] - corners[0]).perp(&(corners[2] - corners[0])) / 2.0;
        Self { corners, area }
    }

    /// Area (m2).
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Position of a corner (m).
    pub fn corner(&self, index: usize) -> Vector2<f64> {
        self.corners[index]
    }

    /// Gradients of the area coordinates (1/m).
    pub fn gradients(&self) -> [Vector2<f64>; 3] {
        [0, 1, 2].map(|i| {
            let edge = self.difference((i + 2) % 3, (i + 1) % 3);
            Vector2::new(-edge.y, edge.x) / (2.0 * self.area)
        })
    }

    /// Corner `i` minus corner `j`.
    fn difference(&self, i: usize, j: usize) -> Vector2<f64> {
        self.corners[i] - self.corners[j]
    }
}

/// Plane-stress matrix of an isotropic material (Pa).
pub fn plane_stress(young: f64, poisson: f64) -> Matrix3<f64> {
    let factor = young / (1.0 - poisson * poisson);
    Matrix3::new(1.0, poisson, 0.0, poisson, 1.0, 0.0, 0.0, 0.0, (1.0 - poisson) / 2.0) * factor
}

/// Membrane stiffness for a thickness (m), a plane-stress matrix (Pa) and Poisson's ratio.
pub fn stiffness(
    triangle: &PlaneTriangle,
    thickness: f64,
    elasticity: &Matrix3<f64>,
    poisson: f64,
) -> SMatrix<f64, 9, 9> {
    let lumping = lumping(triangle) * thickness;
    let basic = lumping * elasticity * lumping.transpose() / (triangle.area * thickness);
    let beta = higher_order_factor(poisson);
    let relative = relative_rotations(triangle);
    let higher = relative.transpose() * rotational_stiffness(triangle, thickness, elasticity) * relative;
    basic + higher * (0.75 * beta)
}

/// Factor beta0 of the higher-order stiffness.
fn higher_order_factor(poisson: f64) -> f64 {
    // The floor keeps the drilling rotations stiff as Poisson's ratio nears one half.
    (0.5 * (1.0 - 4.0 * poisson * poisson)).max(0.01)
}

/// Mean strains [xx; yy; xy] from the corner values.
pub fn mean_strain(triangle: &PlaneTriangle) -> SMatrix<f64, 3, 9> {
    lumping(triangle).transpose() / triangle.area
}

/// Strains [xx; yy; xy] whose stresses balance the nodal forces of the whole stiffness: the
/// mean, and the linear part scaled so that its virtual work on the strains 3/2 Q theta is
/// that of the higher-order stiffness.
pub fn balanced_strain(triangle: &PlaneTriangle, place: [f64; 3], poisson: f64) -> SMatrix<f64, 3, 9> {
    let patterns = strain_patterns(triangle);
    let pattern = patterns[0] * place[0] + patterns[1] * place[1] + patterns[2] * place[2];
    let linear = natural_to_cartesian(triangle) * pattern * relative_rotations(triangle);
    mean_strain(triangle) + linear * (1.5 * higher_order_factor(poisson))
}

/// In-plane displacement: rows u, v from the corner values.
pub fn displacement(triangle: &PlaneTriangle, place: [f64; 3]) -> SMatrix<f64, 2, 9> {
    let mut value = SMatrix::zeros();
    for i in 0..3 {
        let j = (i + 1) % 3;
        value[(0, 3 * i)] = place[i];
        value[(1, 3 * i + 1)] = place[i];
        let edge = triangle.difference(j, i);
        let parabola = Vector2::new(-edge.y, edge.x) * (0.5 * place[i] * place[j]);
        for row in 0..2 {
            value[(row, 3 * i + 2)] += parabola[row];
            value[(row, 3 * j + 2)] -= parabola[row];
        }
    }
    value
}

/// Slopes of the in-plane displacement: rows u,x u,y then v,x v,y from the corner values.
pub fn slopes(triangle: &PlaneTriangle, place: [f64; 3]) -> [SMatrix<f64, 2, 9>; 2] {
    let gradients = triangle.gradients();
    let mut rows = [SMatrix::<f64, 2, 9>::zeros(); 2];
    for i in 0..3 {
        let j = (i + 1) % 3;
        let edge = triangle.difference(j, i);
        let bubble = gradients[i] * place[j] + gradients[j] * place[i];
        let parabola = Vector2::new(-edge.y, edge.x) * 0.5;
        for (axis, rows) in rows.iter_mut().enumerate() {
            for direction in 0..2 {
                rows[(direction, 3 * i + axis)] += gradients[i][direction];
                rows[(direction, 3 * i + 2)] += parabola[axis] * bubble[direction];
                rows[(direction, 3 * j + 2)] -= parabola[axis] * bubble[direction];
            }
        }
    }
    rows
}

/// Nodal forces of unit stresses, per unit of thickness.
fn lumping(triangle: &PlaneTriangle) -> SMatrix<f64, 9, 3> {
    const ALPHA: f64 = 1.5;
    let mut force = SMatrix::zeros();
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        // Edges: opposite the corner, and the two that meet in it.
        let (opposite, next, last) =
            (triangle.difference(k, j), triangle.difference(i, j), triangle.difference(k, i));
        let (x, y) = (opposite.x, -opposite.y);
        force[(3 * i, 0)] = y;
        force[(3 * i, 2)] = x;
        force[(3 * i + 1, 1)] = x;
        force[(3 * i + 1, 2)] = y;
        force[(3 * i + 2, 0)] = ALPHA / 6.0 * y * (-last.y + next.y);
        force[(3 * i + 2, 1)] = ALPHA / 6.0 * x * (last.x - next.x);
        force[(3 * i + 2, 2)] = ALPHA / 3.0 * (-last.x * last.y + next.x * next.y);
    }
    force * 0.5
}

/// Drilling rotations minus the mean rotation of the corner displacements.
fn relative_rotations(triangle: &PlaneTriangle) -> SMatrix<f64, 3, 9> {
    let mut rows = SMatrix::zeros();
    for corner in 0..3 {
        let opposite = triangle.difference((corner + 2) % 3, (corner + 1) % 3) / (4.0 * triangle.area);
        for row in 0..3 {
            rows[(row, 3 * corner)] = opposite.x;
            rows[(row, 3 * corner + 1)] = opposite.y;
        }
        rows[(corner, 3 * corner + 2)] = 1.0;
    }
    rows
}

fn rotational_stiffness(triangle: &PlaneTriangle, thickness: f64, elasticity: &Matrix3<f64>) -> Matrix3<f64> {
    let natural = natural_to_cartesian(triangle);
    let natural_elasticity = natural.transpose() * elasticity * natural;
    let q = strain_patterns(triangle);
    let middles = [(q[0] + q[1]) * 0.5, (q[1] + q[2]) * 0.5, (q[2] + q[0]) * 0.5];
    let sum: Matrix3<f64> = middles.iter().map(|q| q.transpose() * natural_elasticity * q).sum();
    sum * (triangle.area * thickness)
}

/// Squared lengths of the edges 21, 32, 13.
fn squared_lengths(triangle: &PlaneTriangle) -> [f64; 3] {
    [triangle.difference(1, 0), triangle.difference(2, 1), triangle.difference(0, 2)]
        .map(|d| d.norm_squared())
}

/// Cartesian strains from natural strains along the edges.
fn natural_to_cartesian(triangle: &PlaneTriangle) -> Matrix3<f64> {
    let squares = squared_lengths(triangle);
    let mut columns = Matrix3::zeros();
    for edge in 0..3 {
        let (i, j, k) = (edge, (edge + 1) % 3, (edge + 2) % 3);
        let (a, b) = (triangle.difference(j, k), triangle.difference(i, k));
        columns[(0, edge)] = a.y * b.y;
        columns[(1, edge)] = a.x * b.x;
        columns[(2, edge)] = -(a.y * b.x + a.x * b.y);
        for row in 0..3 {
            columns[(row, edge)] *= squares[edge] / (4.0 * triangle.area * triangle.area);
        }
    }
    columns
}

/// Natural strains at the three corners from the relative rotations.
fn strain_patterns(triangle: &PlaneTriangle) -> [Matrix3<f64>; 3] {
    let squares = squared_lengths(triangle);
    let scale = |rows: [f64; 9]| {
        Matrix3::from_fn(|row, column| rows[3 * row + column] * 2.0 * triangle.area / (3.0 * squares[row]))
    };
    [
        scale([1.0, 2.0, 1.0, 0.0, 1.0, -1.0, -1.0, -1.0, -2.0]),
        scale([-2.0, -1.0, -1.0, 1.0, 1.0, 2.0, -1.0, 0.0, 1.0]),
        scale([1.0, -1.0, 0.0, -1.0, -2.0, -1.0, 2.0, 1.0, 1.0]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::quadrature::MID_EDGES;

    /// The balanced stresses do the work of the whole stiffness on the strains they belong to.
    #[test]
    fn balanced_stresses_have_the_nodal_forces_of_the_stiffness() {
        let corners = [[0.1, 0.0], [1.0, 0.2], [0.3, 0.8]].map(|c: [f64; 2]| Vector2::new(c[0], c[1]));
        let (triangle, poisson, thickness) = (PlaneTriangle::new(corners), 0.3, 0.02);
        let elasticity = plane_stress(2.1e11, poisson);
        let mut total = SMatrix::<f64, 9, 9>::zeros();
        for place in MID_EDGES {
            let balanced = balanced_strain(&triangle, place, poisson);
            let mean = mean_strain(&triangle);
            let strain = mean + (balanced - mean) / higher_order_factor(poisson);
            total += strain.transpose() * elasticity * balanced * (thickness * triangle.area() / 3.0);
        }
        let whole = stiffness(&triangle, thickness, &elasticity, poisson);
        assert!((total - whole).amax() < 1e-12 * whole.amax());
    }
}
