//! Carriers of a body turned to those of one much like it.
//!
//! Carriers are orthonormal functions of a body's mass (`gram_carriers`); any rotation among them, the first one held, and among the
//! residual fields gives the same body by other numbers. Which rotation a factorisation finds hangs on the order of its pivots,
//! which may leap where a parameter moves by little. Derivatives over parameters are taken of numbers: there the rotation closest to the
//! body in the middle is taken (orthogonal Procrustes problem, Schoenemann, Psychometrika 31 (1966) 1-10): Q = U V* with
//! U S V* = B* A, A and B the numbers of both bodies with a column per carrier. Q is smooth where the body is.
//!
//! Cost: offline, O(k² n² + k³).

use super::gram_carriers::Rows;
use nalgebra::DMatrix;

/// Entries of a rotation below this are zero.
const ROUNDING: f64 = 1e-13;
/// Curvature that rows without any would get, relative to the largest, above which bodies are too different.
const FLAT: f64 = 1e-12;

impl Rows {
    /// Turns carriers and residual fields to those of `other`; leaves them alone where the two have not the same rows.
    pub fn align(&mut self, other: &Self) {
        let shape = |rows: &Self| (rows.modes, rows.carriers, rows.residual, rows.origin.len());
        if shape(self) != shape(other) {
            return;
        }
        let own = [self.of_carriers(), other.of_carriers()];
        let fields = [self.of_fields(), other.of_fields()];
        let (turn, turn_fields) = (rotation(&own, 1), rotation(&fields, 0));
        let same = self.places == other.places && self.curved == other.curved;
        if same && is_unit(&turn) && is_unit(&turn_fields) {
            return;
        }
        let (carriers, fields) = (&own[0] * &turn, &fields[0] * &turn_fields);
        let mass = self.without_rows();
        let mut turned = Self { linear_body: self.linear_body.clone(), ..other.clone() };
        if !turned.take(&carriers, &fields) {
            return;
        }
        let (n, fields) = (self.modes, self.residual);
        let lift = DMatrix::from_row_slice(n, fields, &self.lift) * &turn_fields;
        turned.lift = (0..n * fields).map(|at| lift[(at / fields, at % fields)]).collect();
        turned.fill_constant(&mass);
        *self = turned;
    }

    /// Numbers of a row: value, slopes, curvatures.
    fn of_row(&self, row: usize) -> Vec<f64> {
        let n = self.modes;
        let mut list = vec![self.origin[row]];
        list.extend(&self.base[row * n..(row + 1) * n]);
        for t in 0..n {
            let at = t * self.curved * n + row * n;
            list.extend((0..n).map(|s| if row < self.curved { self.curvature[at + s] } else { 0.0 }));
        }
        list
    }

    /// Numbers of the carriers, a column each.
    fn of_carriers(&self) -> DMatrix<f64> {
        let columns =
            self.places.iter().map(|places| places.iter().flat_map(|&row| self.of_row(row)).collect());
        matrix(columns.collect(), 3 * self.numbers())
    }

    /// Numbers of the residual fields, a column each.
    fn of_fields(&self) -> DMatrix<f64> {
        let first = self.curved - self.residual;
        matrix((0..self.residual).map(|u| self.of_row(first + u)).collect(), self.numbers())
    }

    fn numbers(&self) -> usize {
        1 + self.modes + self.modes * self.modes
    }

    /// Takes numbers of carriers and fields into its rows; whether rows without curvature stay so.
    fn take(&mut self, carriers: &DMatrix<f64>, fields: &DMatrix<f64>) -> bool {
        let (numbers, first) = (self.numbers(), self.curved - self.residual);
        let mut list: Vec<(usize, Vec<f64>)> = Vec::new();
        for (c, places) in self.places.iter().enumerate() {
            for (i, &row) in places.iter().enumerate() {
                list.push((row, (0..numbers).map(|at| carriers[(i * numbers + at, c)]).collect()));
            }
        }
        list.extend((0..self.residual).map(|u| (first + u, fields.column(u).iter().copied().collect())));
        let n = self.modes;
        let size = |list: &[f64]| list[1 + n..].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let largest = list.iter().map(|(_, list)| size(list)).fold(0.0, f64::max);
        if list.iter().any(|(row, list)| *row >= self.curved && size(list) > FLAT * largest) {
            return false;
        }
        for (row, list) in list {
            self.origin[row] = list[0];
            self.base[row * n..(row + 1) * n].copy_from_slice(&list[1..=n]);
            for t in (0..n).filter(|_| row < self.curved) {
                let at = t * self.curved * n + row * n;
                self.curvature[at..at + n].copy_from_slice(&list[1 + n + t * n..1 + n + (t + 1) * n]);
            }
        }
        true
    }
}

fn matrix(columns: Vec<Vec<f64>>, rows: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns.len(), |i, j| columns[j][i])
}

/// The rotation that brings the columns of the first matrix, those before `held` apart, closest to the second's.
fn rotation([own, other]: &[DMatrix<f64>; 2], held: usize) -> DMatrix<f64> {
    let k = own.ncols();
    let mut turn = DMatrix::identity(k, k);
    if k <= held {
        return turn;
    }
    // Each number counts relative to its size over all carriers: units do not matter.
    let weight: Vec<f64> = (0..other.nrows())
        .map(|i| (held..k).map(|j| other[(i, j)] * other[(i, j)]).sum::<f64>())
        .map(|square| if square > 0.0 { 1.0 / square } else { 0.0 })
        .collect();
    let rest = k - held;
    let product = DMatrix::from_fn(rest, rest, |a, b| {
        (0..weight.len()).map(|i| own[(i, held + a)] * weight[i] * other[(i, held + b)]).sum::<f64>()
    });
    let found = product.svd(true, true);
    if let (Some(u), Some(v)) = (found.u, found.v_t) {
        let small = (u * v).map(|x| if x.abs() < ROUNDING { 0.0 } else { x });
        let exact = small.map(|x| if (x.abs() - 1.0).abs() < ROUNDING { x.signum() } else { x });
        turn.view_mut((held, held), (rest, rest)).copy_from(&exact);
    }
    turn
}

fn is_unit(turn: &DMatrix<f64>) -> bool {
    *turn == DMatrix::identity(turn.nrows(), turn.ncols())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two modes, three carriers that all bend, a residual field.
    fn rows() -> Rows {
        let number = |i: usize| ((i * i + 3 * i) as f64 * 0.7).sin();
        Rows {
            modes: 2,
            carriers: 3,
            curved: 10,
            residual: 1,
            places: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]],
            origin: (0..10).map(|i| number(i + 100)).collect(),
            base: (0..20).map(|i| number(i + 200)).collect(),
            curvature: (0..40).map(|i| number(i + 300)).collect(),
            constant: vec![2.0, 0.3, 0.3, 1.5],
            lift: vec![0.4, -0.8],
            ..Rows::default()
        }
    }

    /// Carriers but the first mixed by a rotation, the field with the other sign: the same body.
    #[test]
    fn a_turned_body_is_turned_back() {
        let (straight, mut turned) = (rows(), rows());
        let (sin, cos) = 0.7_f64.sin_cos();
        for (a, b) in [(3, 6), (4, 7), (5, 8)] {
            let mix = |list: &mut [f64], x: usize, y: usize| {
                (list[x], list[y]) = (cos * list[x] + sin * list[y], cos * list[y] - sin * list[x]);
            };
            mix(&mut turned.origin, a, b);
            for r in 0..2 {
                mix(&mut turned.base, 2 * a + r, 2 * b + r);
                (0..2).for_each(|t| mix(&mut turned.curvature, 20 * t + 2 * a + r, 20 * t + 2 * b + r));
            }
        }
        let field = |list: &mut [f64]| list.iter_mut().for_each(|x| *x = -*x);
        field(&mut turned.origin[9..]);
        field(&mut turned.base[18..]);
        field(&mut turned.curvature[18..20]);
        field(&mut turned.curvature[38..]);
        field(&mut turned.lift);
        turned.align(&straight);
        let lists = |rows: &Rows| -> Vec<f64> {
            [&rows.origin, &rows.base, &rows.curvature, &rows.constant, &rows.lift]
                .into_iter()
                .flatten()
                .copied()
                .collect()
        };
        for (a, b) in lists(&turned).iter().zip(lists(&straight)) {
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
    }

    /// Rows in another order, where one of them has no curvature in either: the order of the other body.
    #[test]
    fn a_row_without_curvature_stays_without() {
        let mut other = rows();
        (other.curved, other.residual, other.lift) = (8, 0, Vec::new());
        other.origin.truncate(9);
        other.base.truncate(18);
        other.curvature.truncate(32);
        let mut swapped = other.clone();
        // Carriers 1 and 2 in turn; rows 5 and 8 are apart, 8 is the flat one.
        swapped.places = vec![[0, 1, 2], [6, 7, 8], [3, 4, 5]];
        let before = swapped.clone();
        swapped.align(&other);
        assert_eq!(swapped.places, other.places);
        for (a, b) in swapped.base.iter().zip(&before.base) {
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
        let total: f64 =
            swapped.without_rows().iter().zip(before.without_rows()).map(|(a, b)| (a - b).abs()).sum();
        assert!(total < 1e-13, "{total}");
    }
}
