//! Carriers of level `gram`: mass-orthonormal functions that take a body's second-order motion.
//!
//! Source: book/src/theory/inertia.md (IN.11) to (IN.13). With B* W B = 1 the sums become e = Σ m ξ̂, Z0 = Σ m l0 ξ̂*,
//! Z1_r = Σ m γ_r ξ̂*, Z2_rs = Σ m Γ2_rs ξ̂*: k points that move by Z0 + Z1 η + ½ Z2(η, η). B comes from a
//! Cholesky factorisation with the constant function first, which keeps the zeros of the sums and
//! leaves the mass moment to the first carrier alone, e = (√m, 0, ..). Functions that depend on the others
//! are dropped. The residual of the linear body keeps what the carriers do not have.
//!
//! Modal carriers: Γ2 also moves the modes' own residual fields γ'. With m' = V V* (pivoted) and
//! V R̂ = D − Z1:Z2 the residual coordinates y = V* η + ½ R̂(η, η) are further rows of the same kind.

use crate::model::mass_sums::{MassSums, pair};
use crate::spatial::{Matrix3, Vector3};
use nalgebra::DMatrix;

/// Functions whose part independent of the others is below this share of their own square are dropped.
const DEPENDENT_FUNCTION: f64 = 1e-10;
/// The same for residual fields of modes.
const DEPENDENT_FIELD: f64 = 1e-9;
/// Sums below this share of their terms are zero.
const ROUNDING: f64 = 1e-13;
/// Curvatures of a row below this share of the largest are rounding.
const FLAT_ROW: f64 = 1e-13;
/// The same for residual rows, whose division by a small residual mass amplifies rounding.
const FLAT_RESIDUAL: f64 = 1e-10;

/// The rows of a body and the residual linear body, ready for [`super::GramInertia`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub modes: usize,
    /// Number of carriers k.
    pub carriers: usize,
    /// Rows with curvature: of carriers, then of residual fields; they come first.
    pub curved: usize,
    /// Residual rows among them (the last ones of the curved).
    pub residual: usize,
    /// Row of each component of each carrier.
    pub places: Vec<[usize; 3]>,
    /// Value of each row at η = 0.
    pub origin: Vec<f64>,
    /// Slope of each row, row-major rows × modes.
    pub base: Vec<f64>,
    /// Curvature: per mode t, curved rows × modes.
    pub curvature: Vec<f64>,
    /// Modal mass of everything that has no curvature.
    pub constant: Vec<f64>,
    /// U: modes × residual rows; residual fields move by η + U δy.
    pub lift: Vec<f64>,
    pub linear_body: LinearBody,
}

/// What moves linearly beside the carriers.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinearBody {
    /// Whether a direction in which the body is very thin was dropped.
    pub dropped: bool,
    /// I0', I1', F0': zero unless one was.
    pub inertia0: [f64; 6],
    pub inertia1: Vec<[f64; 6]>,
    pub angular0: Vec<Vector3>,
    /// I2', symmetric in the modes.
    pub inertia2: Vec<[f64; 6]>,
    /// F1', antisymmetric in the modes; empty if all zero.
    pub angular1: Vec<Vector3>,
}

/// Orthonormal functions by Cholesky factorisation: ξ̂ = L⁻¹ ξ over the pivots.
struct Basis {
    pivots: Vec<usize>,
    /// Lower triangle, row-major k × k.
    lower: Vec<f64>,
}

impl Basis {
    /// `first` is taken first; then the largest remaining. Rows are scaled to a unit diagonal.
    fn new(matrix: &[f64], n: usize, scale: &[f64], tolerance: f64, first: Option<usize>) -> Self {
        let mut rest: Vec<f64> = (0..n * n).map(|k| matrix[k] / (scale[k / n] * scale[k % n])).collect();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        let mut pivots: Vec<usize> = Vec::new();
        while pivots.len() < n {
            let free = (0..n).filter(|i| !pivots.contains(i));
            let Some(best) = free.max_by(|a, b| rest[a * n + a].total_cmp(&rest[b * n + b]).then(b.cmp(a)))
            else {
                break;
            };
            let forced = first.filter(|i| pivots.is_empty() && rest[i * n + i] > tolerance);
            let p = forced.unwrap_or(best);
            if rest[p * n + p] <= tolerance || rest[p * n + p].is_nan() {
                break;
            }
            let root = rest[p * n + p].sqrt();
            let column: Vec<f64> = (0..n).map(|i| rest[i * n + p] / root).collect();
            for i in 0..n {
                for j in 0..n {
                    rest[i * n + j] -= column[i] * column[j];
                }
            }
            columns.push(column);
            pivots.push(p);
        }
        let k = pivots.len();
        let mut lower = vec![0.0; k * k];
        for (u, &p) in pivots.iter().enumerate() {
            (0..=u).for_each(|v| lower[u * k + v] = columns[v][p] * scale[p]);
        }
        Self { pivots, lower }
    }

    fn len(&self) -> usize {
        self.pivots.len()
    }

    /// Coefficients on the orthonormal functions of a row of sums with the functions.
    fn apply(&self, row: impl Fn(usize) -> f64) -> Vec<f64> {
        let k = self.len();
        let mut out = vec![0.0; k];
        for u in 0..k {
            let known: f64 = (0..u).map(|v| self.lower[u * k + v] * out[v]).sum();
            out[u] = (row(self.pivots[u]) - known) / self.lower[u * k + u];
        }
        out
    }

    /// Columns of L⁻*, spread over all functions: n × k.
    fn inverse_transposed(&self, n: usize) -> Vec<f64> {
        let k = self.len();
        let mut out = vec![0.0; n * k];
        for u in 0..k {
            // L* x = e_u, from the last row up.
            let mut x = vec![0.0; k];
            for v in (0..=u).rev() {
                let known: f64 = (v + 1..=u).map(|w| self.lower[w * k + v] * x[w]).sum();
                x[v] = (f64::from(u8::from(v == u)) - known) / self.lower[v * k + v];
            }
            for (v, &p) in self.pivots.iter().enumerate() {
                out[p * k + u] = x[v];
            }
        }
        out
    }
}

/// Sums with the orthonormal functions.
struct Orthonormal {
    carriers: usize,
    /// Z0: axis, carrier.
    zero: [Vec<f64>; 3],
    /// Z1: mode, axis, carrier.
    one: Vec<[Vec<f64>; 3]>,
    /// Z2: pair, axis, carrier.
    two: Vec<[Vec<f64>; 3]>,
}

impl Orthonormal {
    fn new(sums: &MassSums) -> Self {
        let (n, q) = (sums.modes, sums.functions);
        let scale: Vec<f64> =
            (0..q).map(|a| sums.moments[a * q + a]).map(|w| if w > 0.0 { w.sqrt() } else { 1.0 }).collect();
        let basis = Basis::new(&sums.moments, q, &scale, DEPENDENT_FUNCTION, Some(0));
        let rows = |list: &[f64], first: usize| -> [Vec<f64>; 3] {
            std::array::from_fn(|i| basis.apply(|a| list[(first * 3 + i) * q + a]))
        };
        Self {
            carriers: basis.len(),
            zero: std::array::from_fn(|i| basis.apply(|a| sums.moments[(i + 1) * q + a])),
            one: (0..n).map(|r| rows(&sums.linear, r)).collect(),
            two: (0..n * (n + 1) / 2).map(|k| rows(&sums.quadratic, k)).collect(),
        }
    }

    /// Σ over axes and carriers.
    fn contract(a: &[Vec<f64>; 3], b: &[Vec<f64>; 3]) -> f64 {
        (0..3).map(|i| a[i].iter().zip(&b[i]).map(|(x, y)| x * y).sum::<f64>()).sum()
    }

    /// Σ over carriers of a b*.
    fn outer(a: &[Vec<f64>; 3], b: &[Vec<f64>; 3]) -> Matrix3 {
        std::array::from_fn(|i| std::array::from_fn(|j| a[i].iter().zip(&b[j]).map(|(x, y)| x * y).sum()))
    }
}

impl Rows {
    /// Rows of a body with modal mass `modal`; `with_modes` adds modal carriers where they matter.
    pub fn new(sums: &MassSums, modal: &[f64], with_modes: bool) -> Self {
        let n = sums.modes;
        let z = Orthonormal::new(sums);
        let size: Vec<f64> = (0..n).map(|r| modal[r * n + r].max(f64::MIN_POSITIVE).sqrt()).collect();
        // Curvature of a row for a motion of unit kinetic energy, so that units of modes do not matter.
        let relative = |r: usize, s: usize, value: f64| value.abs() / (size[r] * size[s]);
        let mut residual_mass = vec![0.0; n * n];
        for r in 0..n {
            for s in 0..n {
                residual_mass[r * n + s] = modal[r * n + s] - Orthonormal::contract(&z.one[r], &z.one[s]);
            }
        }
        let mut largest: f64 = 0.0;
        let mut curved = vec![[false; 3]; z.carriers];
        for s in 0..n {
            for r in 0..=s {
                // Judged pair by pair: a mode without mass of its own must not make the others look flat.
                let own = &z.two[pair(r, s)];
                let top = own.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
                largest = largest.max(relative(r, s, top));
                for (c, row) in curved.iter_mut().enumerate() {
                    (0..3).for_each(|i| row[i] |= own[i][c].abs() > FLAT_ROW * top);
                }
            }
        }
        let is_curved = |c: usize, i: usize| curved[c][i];
        let fields = if with_modes {
            Fields::new(sums, &z, &residual_mass, &size, largest)
        } else {
            Fields::default()
        };
        let mut rows = Self { modes: n, carriers: z.carriers, ..Self::default() };
        rows.order(&is_curved, fields.slopes.len());
        rows.fill_carriers(&z);
        rows.fill_fields(&fields);
        rows.fill_constant(&residual_mass);
        rows.linear_body = LinearBody::new(sums, &z);
        rows
    }

    /// Gives every component of every carrier its row.
    fn order(&mut self, is_curved: &impl Fn(usize, usize) -> bool, residual: usize) {
        self.places = vec![[0; 3]; self.carriers];
        let mut next = 0;
        for wanted in [true, false] {
            for c in 0..self.carriers {
                for i in (0..3).filter(|i| is_curved(c, *i) == wanted) {
                    self.places[c][i] = next;
                    next += 1;
                }
            }
            if wanted {
                self.residual = residual;
                next += residual;
                self.curved = next;
            }
        }
        self.origin = vec![0.0; next];
        self.base = vec![0.0; next * self.modes];
        self.curvature = vec![0.0; self.modes * self.curved * self.modes];
    }

    fn fill_carriers(&mut self, z: &Orthonormal) {
        let n = self.modes;
        for (c, places) in self.places.iter().enumerate() {
            for (i, &row) in places.iter().enumerate() {
                self.origin[row] = z.zero[i][c];
                (0..n).for_each(|r| self.base[row * n + r] = z.one[r][i][c]);
                if row < self.curved {
                    for t in 0..n {
                        let slab = &mut self.curvature[t * self.curved * n..];
                        (0..n).for_each(|s| slab[row * n + s] = z.two[pair(s, t)][i][c]);
                    }
                }
            }
        }
    }

    fn fill_fields(&mut self, fields: &Fields) {
        let (n, first) = (self.modes, self.curved - self.residual);
        for (u, slopes) in fields.slopes.iter().enumerate() {
            let row = first + u;
            self.base[row * n..(row + 1) * n].copy_from_slice(slopes);
            for t in 0..n {
                let slab = &mut self.curvature[t * self.curved * n..];
                (0..n).for_each(|s| slab[row * n + s] = fields.curvatures[u][pair(s, t)]);
            }
        }
        self.lift.clone_from(&fields.lift);
    }

    /// Modal mass of the residual fields and of rows without curvature.
    pub fn fill_constant(&mut self, residual_mass: &[f64]) {
        self.constant = self.with_rows(residual_mass, 1.0);
    }

    /// Modal mass of the residual fields.
    pub fn without_rows(&self) -> Vec<f64> {
        self.with_rows(&self.constant, -1.0)
    }

    /// `mass` with rows without curvature and less the residual rows, or the other way round.
    fn with_rows(&self, mass: &[f64], added: f64) -> Vec<f64> {
        let (n, first) = (self.modes, self.curved - self.residual);
        let mut sum = mass.to_vec();
        let flat = (self.curved..self.origin.len()).map(|row| (row, added));
        for (row, sign) in (first..self.curved).map(|row| (row, -added)).chain(flat) {
            let slopes = &self.base[row * n..(row + 1) * n];
            for r in 0..n {
                for s in 0..n {
                    sum[r * n + s] += sign * slopes[r] * slopes[s];
                }
            }
        }
        sum
    }
}

/// Residual fields of modes that second-order displacements move.
#[derive(Default)]
struct Fields {
    /// V* rows: one list over the modes per field.
    slopes: Vec<Vec<f64>>,
    /// R̂: per field, one number per pair of modes.
    curvatures: Vec<Vec<f64>>,
    /// U, modes × fields.
    lift: Vec<f64>,
}

impl Fields {
    fn new(sums: &MassSums, z: &Orthonormal, mass: &[f64], size: &[f64], largest: f64) -> Self {
        let n = sums.modes;
        let basis = Basis::new(mass, n, size, DEPENDENT_FIELD, None);
        let pairs = n * (n + 1) / 2;
        let moved: Vec<Vec<f64>> = (0..pairs)
            .map(|k| basis.apply(|r| sums.triple[k * n + r] - Orthonormal::contract(&z.one[r], &z.two[k])))
            .collect();
        let strength = |u: usize| {
            let of_pair = |(r, s): (usize, usize)| moved[pair(r, s)][u].abs() / (size[r] * size[s]);
            (0..n).flat_map(|s| (0..=s).map(move |r| (r, s))).map(of_pair).fold(0.0, f64::max)
        };
        let strengths: Vec<f64> = (0..basis.len()).map(strength).collect();
        let largest = strengths.iter().copied().fold(largest, f64::max);
        let active: Vec<usize> =
            (0..basis.len()).filter(|u| strengths[*u] > FLAT_RESIDUAL * largest).collect();
        let lift = basis.inverse_transposed(n);
        let columns: Vec<Vec<f64>> = (0..n).map(|r| basis.apply(|s| mass[r * n + s])).collect();
        Self {
            slopes: active.iter().map(|&u| (0..n).map(|r| columns[r][u]).collect()).collect(),
            curvatures: active.iter().map(|&u| moved.iter().map(|list| list[u]).collect()).collect(),
            lift: (0..n)
                .flat_map(|r| active.iter().map(move |&u| (r, u)))
                .map(|(r, u)| lift[r * basis.len() + u])
                .collect(),
        }
    }
}

impl LinearBody {
    fn new(sums: &MassSums, z: &Orthonormal) -> Self {
        let (n, q) = (sums.modes, sums.functions);
        let mut body =
            Self { inertia2: vec![[0.0; 6]; n * n], angular1: vec![[0.0; 3]; n * n], ..Self::default() };
        for s in 0..n {
            for r in 0..=s {
                let carried = Orthonormal::outer(&z.one[r], &z.one[s]);
                let rest = difference(&sums.bilinear[pair(r, s)], &carried);
                let inertia = inertia_of(&rest);
                // Σ m γ'_s × γ'_r, of E'_sr = (E'_rs)*.
                let spin = axial(&rest).map(|x| -x);
                body.inertia2[r * n + s] = inertia;
                body.inertia2[s * n + r] = inertia;
                body.angular1[r * n + s] = spin;
                body.angular1[s * n + r] = spin.map(|x| -x);
            }
        }
        body.drop_rounding(sums);
        body.inertia1 = vec![[0.0; 6]; n];
        body.angular0 = vec![[0.0; 3]; n];
        let whole: Matrix3 =
            std::array::from_fn(|i| std::array::from_fn(|j| sums.moments[(i + 1) * q + j + 1]));
        let rest = difference(&whole, &Orthonormal::outer(&z.zero, &z.zero));
        let [size, left] = [&whole, &rest].map(|m| m[0][0].abs() + m[1][1].abs() + m[2][2].abs());
        body.dropped = left > ROUNDING * size;
        if body.dropped {
            body.inertia0 = inertia_of(&rest);
            for r in 0..n {
                let whole: Matrix3 =
                    std::array::from_fn(|i| std::array::from_fn(|j| sums.linear[(r * 3 + i) * q + j + 1]));
                let rest = difference(&whole, &Orthonormal::outer(&z.one[r], &z.zero));
                body.inertia1[r] = inertia_of(&rest).map(|x| 2.0 * x);
                body.angular0[r] = axial(&rest).map(|x| -x);
            }
        }
        body
    }

    /// Couplings of modes that only rounding makes: motions in one plane have none.
    fn drop_rounding(&mut self, sums: &MassSums) {
        let n = sums.modes;
        let size = |r: usize| {
            let e = &sums.bilinear[pair(r, r)];
            (e[0][0] + e[1][1] + e[2][2]).abs().sqrt()
        };
        let flat = |k: usize, value: f64| value.abs() <= 1e-14 * size(k / n) * size(k % n);
        for k in 0..n * n {
            let spin = self.angular1[k];
            self.angular1[k] = spin.map(|x| if flat(k, x) { 0.0 } else { x });
        }
        if self.angular1.iter().all(|spin| *spin == [0.0; 3]) {
            self.angular1.clear();
        }
    }
}

/// Smallest eigenvalue of the residual body's two Gram matrices, E' over modes and axes and m' − tr E', with
/// a unit diagonal of the whole modal mass: negative where no displacement field has these sums.
pub(crate) fn residual_definiteness(sums: &MassSums, modal: &[f64]) -> f64 {
    let (n, z) = (sums.modes, Orthonormal::new(sums));
    let size: Vec<f64> = (0..n).map(|r| modal[r * n + r].max(f64::MIN_POSITIVE).sqrt()).collect();
    let mut fields = DMatrix::<f64>::zeros(3 * n, 3 * n);
    let mut apart = DMatrix::<f64>::zeros(n, n);
    for s in 0..n {
        for r in 0..=s {
            let carried = Orthonormal::outer(&z.one[r], &z.one[s]);
            let whole = &sums.bilinear[pair(r, s)];
            let (rest, unit) = (difference(whole, &carried), 1.0 / (size[r] * size[s]));
            for i in 0..3 {
                for j in 0..3 {
                    fields[(3 * r + i, 3 * s + j)] = rest[i][j] * unit;
                    fields[(3 * s + j, 3 * r + i)] = rest[i][j] * unit;
                }
            }
            let trace = whole[0][0] + whole[1][1] + whole[2][2];
            apart[(r, s)] = (modal[r * n + s] - trace) * unit;
            apart[(s, r)] = apart[(r, s)];
        }
    }
    let smallest = |matrix: DMatrix<f64>| match crate::linear::symmetric_part(&matrix) {
        Some((values, _)) => values.iter().copied().fold(0.0, f64::min),
        None => f64::NEG_INFINITY,
    };
    if n == 0 { 0.0 } else { smallest(fields).min(smallest(apart)) }
}

fn difference(a: &Matrix3, b: &Matrix3) -> Matrix3 {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] - b[i][j]))
}

/// tr(A) 1 − sym(A), as xx, xy, xz, yy, yz, zz.
fn inertia_of(a: &Matrix3) -> [f64; 6] {
    let trace = a[0][0] + a[1][1] + a[2][2];
    let minus = |i: usize, j: usize| -0.5 * (a[i][j] + a[j][i]);
    [trace - a[0][0], minus(0, 1), minus(0, 2), trace - a[1][1], minus(1, 2), trace - a[2][2]]
}

/// Σ u × w of A = Σ u w*.
fn axial(a: &Matrix3) -> Vector3 {
    [a[1][2] - a[2][1], a[2][0] - a[0][2], a[0][1] - a[1][0]]
}
