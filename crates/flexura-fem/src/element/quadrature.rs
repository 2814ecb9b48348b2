//! Quadrature on the unit interval and on triangles.
//!
//! Interval: Gauss-Legendre with four points (exact to degree 7). Triangle:
//! the seven-point rule of J. Radon (1948), exact to degree 5, and the three
//! mid-edge points, exact to degree 2. Weights sum to one.

/// Points on the interval 0 to 1 with their weights.
pub fn interval() -> [(f64, f64); 4] {
    let spread = 2.0 / 7.0 * 1.2_f64.sqrt();
    let (near, far) = ((3.0 / 7.0 - spread).sqrt(), (3.0 / 7.0 + spread).sqrt());
    let (heavy, light) = ((18.0 + 30_f64.sqrt()) / 72.0, (18.0 - 30_f64.sqrt()) / 72.0);
    [
        ((1.0 - far) / 2.0, light),
        ((1.0 - near) / 2.0, heavy),
        ((1.0 + near) / 2.0, heavy),
        ((1.0 + far) / 2.0, light),
    ]
}

/// Area coordinates of seven points with their weights.
pub fn triangle() -> [([f64; 3], f64); 7] {
    let root = 15_f64.sqrt();
    let (near, far) = ((6.0 - root) / 21.0, (6.0 + root) / 21.0);
    let (light, heavy) = ((155.0 - root) / 1200.0, (155.0 + root) / 1200.0);
    let third = 1.0 / 3.0;
    [
        ([third, third, third], 0.225),
        ([1.0 - 2.0 * near, near, near], light),
        ([near, 1.0 - 2.0 * near, near], light),
        ([near, near, 1.0 - 2.0 * near], light),
        ([1.0 - 2.0 * far, far, far], heavy),
        ([far, 1.0 - 2.0 * far, far], heavy),
        ([far, far, 1.0 - 2.0 * far], heavy),
    ]
}

/// Area coordinates of the mid-edge points; each weighs one third.
pub const MID_EDGES: [[f64; 3]; 3] = [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]];

#[cfg(test)]
mod tests {
    use super::*;

    fn factorial(n: i32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    #[test]
    fn interval_is_exact_to_degree_seven() {
        for power in 0..8 {
            let sum: f64 = interval().iter().map(|(x, w)| w * x.powi(power)).sum();
            assert!((sum - 1.0 / f64::from(power + 1)).abs() < 1e-15);
        }
    }

    #[test]
    fn triangle_is_exact_to_degree_five() {
        for (a, b) in (0..6).flat_map(|a| (0..6 - a).map(move |b| (a, b))) {
            let sum: f64 = triangle().iter().map(|(l, w)| w * l[0].powi(a) * l[1].powi(b)).sum();
            let exact = 2.0 * factorial(a) * factorial(b) / factorial(a + b + 2);
            assert!((sum - exact).abs() < 1e-15, "{a} {b}: {sum} {exact}");
        }
    }
}
