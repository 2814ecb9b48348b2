//! Level `gram`: the exact kinetic energy of carriers that move quadratically and a linear body.
//!
//! Source: book/src/theory/inertia.md (IN.14) to (IN.16); for points of mass Mukherjee & Anderson eqs 37-42 with errata E1, E2. The body is k points z_c(η) of unit mass
//! (`gram_carriers`), residual coordinates y(η) and a linear body. All are rows x_i(η) = x0_i + V_i η +
//! ½ η*G_i η with slopes J_i = V_i + G_i η, so that the mass block is a Gram matrix for every η and any data:
//!
//! | block | value |
//! |---|---|
//! | M_ηη(r,s) | constant + Σ_i J_ir J_is over rows with curvature |
//! | M_ωη(:,r) | F_r + Σ_c z_c × Z_rc |
//! | M_vη(:,r) | √m Z_r0 |
//! | M_ωω | I' + Σ_c (z_c·z_c 1 − z_c z_c*) |
//! | M_ωv | √m z_0~ |
//!
//! F_r and I' belong to the linear body, taken at ζ = η + U δy, δy the curved part of y. The bias is Kane's
//! with a_c = ω × (ω × z_c) + 2 ω × ż_c + η̇*Gη̇ on every carrier, η̇*Gη̇ on the residual rows.
//!
//! Symbols: n modes, C rows with curvature, R rows in all. Products about 2.5 C n² + 12 n² + 12 k n; C is 2 or 3
//! for a beam that bends in a plane, at most 3k + n.

use super::MassBlock;
use super::gram_carriers::{LinearBody, Rows};
use crate::model::mass_sums::MassSums;
use crate::scalar::Scalar;
use crate::spatial::{SymmetricSpatial, Vector3, add, axpy, cross, dot, lift3, scale, skew, zero3};

/// Scratch up to this size lives on the stack.
const STACK: usize = 256;
/// From so many modes on, slopes stay in the scratch for algorithms that update a constant factor with them.
const KEPT_SLOPES: usize = 16;

/// Constants of one body.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct GramInertia {
    mass: f64,
    /// √m.
    root: f64,
    rows: Rows,
}

/// Slopes, values and rates of the rows at one instant.
struct Instant<'a, S> {
    /// J, rows × modes.
    slopes: &'a mut [S],
    /// G η̇ of the curved rows.
    stirred: &'a mut [S],
    place: &'a mut [S],
    speed: &'a mut [S],
    acceleration: &'a mut [S],
    /// ζ, ζ̇ and the modal force of the linear body; empty without residual rows.
    lifted: &'a mut [S],
    lifted_rate: &'a mut [S],
    /// Per residual row: F and modal force of the linear body.
    pulled: &'a mut [S],
}

/// What the rigid rows of mass block and bias collect.
struct Collected<S> {
    inertia: [S; 6],
    angular: Vector3<S>,
}

impl GramInertia {
    /// The level for a body with the given sums and modal mass; `with_modes` adds modal carriers where
    /// second-order displacements do work on the modes.
    pub fn new(sums: &MassSums, modal: &[f64], with_modes: bool) -> Self {
        let mass = sums.moments[0];
        Self { mass, root: mass.max(0.0).sqrt(), rows: Rows::new(sums, modal, with_modes) }
    }

    /// Mass, its root and the rows.
    pub(crate) fn parts(&self) -> (f64, f64, &Rows) {
        (self.mass, self.root, &self.rows)
    }

    /// The same body by carriers turned to those of `other`, for derivatives over what differs between the two.
    pub(crate) fn aligned(&self, other: &Self) -> Self {
        let mut aligned = self.clone();
        aligned.rows.align(&other.rows);
        aligned
    }

    /// Number of affine (and further scalar) carriers.
    pub fn carriers(&self) -> usize {
        self.rows.carriers
    }

    /// Number of modal carriers.
    pub fn modal_carriers(&self) -> usize {
        self.rows.residual
    }

    /// Number of rows whose motion is quadratic: the rank by which the modal mass changes.
    pub fn curved_rows(&self) -> usize {
        self.rows.curved
    }

    /// Scratch that [`GramInertia::evaluate`] needs beyond the stack.
    pub fn scratch(&self) -> usize {
        if self.keeps_slopes() { self.needed() } else { 0 }
    }

    /// Whether an evaluation leaves its slopes in the scratch of the body.
    fn keeps_slopes(&self) -> bool {
        self.rows.modes >= KEPT_SLOPES || self.needed() > STACK
    }

    /// Modal mass without the rows that have curvature: M_ηη is this and Σ J J* over [`GramInertia::curved_slopes`].
    pub fn constant_mass(&self) -> &[f64] {
        &self.rows.constant
    }

    /// J of the rows with curvature, rows × modes, as the last evaluation left them in `scratch`; `None` where few modes
    /// keep them on the stack.
    pub fn curved_slopes<'a, S>(&self, scratch: &'a [S]) -> Option<&'a [S]> {
        self.keeps_slopes().then(|| &scratch[..self.rows.curved * self.rows.modes])
    }

    fn needed(&self) -> usize {
        let rows = &self.rows;
        let (n, all) = (rows.modes, rows.origin.len());
        let lifted = if rows.residual > 0 { 2 * n + 4 * rows.residual } else { 0 };
        all * n + rows.curved * n + 3 * all + lifted
    }

    /// Mass block at `eta` and bias for (`rate`, `omega`).
    pub fn evaluate<S: Scalar>(&self, eta: &[S], rate: &[S], omega: &Vector3<S>, out: &mut MassBlock<'_, S>) {
        let needed = self.needed();
        if !self.keeps_slopes() {
            let mut room = [S::ZERO; STACK];
            self.evaluate_in(eta, rate, omega, &mut room[..needed], out);
        } else {
            let room = std::mem::take(&mut out.scratch);
            self.evaluate_in(eta, rate, omega, &mut room[..needed], out);
            out.scratch = room;
        }
    }

    fn evaluate_in<S: Scalar>(
        &self,
        eta: &[S],
        rate: &[S],
        omega: &Vector3<S>,
        room: &mut [S],
        out: &mut MassBlock<'_, S>,
    ) {
        let mut at = self.instant(room);
        self.bend(eta, rate, &mut at);
        let mut sum =
            Collected { inertia: self.rows.linear_body.inertia0.map(S::from_f64), angular: zero3() };
        if self.rows.residual > 0 {
            self.lift(eta, rate, &mut at);
            let (zeta, zeta_rate) = (&*at.lifted, &*at.lifted_rate);
            self.rows.linear_body.evaluate(zeta, zeta_rate, omega, &mut sum, out);
            self.lower(&mut at, &mut sum, out);
        } else {
            self.rows.linear_body.evaluate(eta, rate, omega, &mut sum, out);
        }
        self.move_carriers(omega, &mut at, &mut sum);
        self.couple(&at, out);
        self.fill_modal(&at, out);
        self.fill_rigid(&at, &sum, out);
    }

    fn instant<'a, S: Scalar>(&self, room: &'a mut [S]) -> Instant<'a, S> {
        let (n, all) = (self.rows.modes, self.rows.origin.len());
        let lifted_modes = if self.rows.residual > 0 { n } else { 0 };
        let (slopes, room) = room.split_at_mut(all * n);
        let (stirred, room) = room.split_at_mut(self.rows.curved * n);
        let (place, room) = room.split_at_mut(all);
        let (speed, room) = room.split_at_mut(all);
        let (acceleration, room) = room.split_at_mut(all);
        let (lifted, room) = room.split_at_mut(lifted_modes);
        let (lifted_rate, pulled) = room.split_at_mut(lifted_modes);
        Instant { slopes, stirred, place, speed, acceleration, lifted, lifted_rate, pulled }
    }

    /// J, x, ẋ and η̇*Gη̇ of all rows.
    fn bend<S: Scalar>(&self, eta: &[S], rate: &[S], at: &mut Instant<'_, S>) {
        let (rows, n) = (&self.rows, self.rows.modes);
        let bent = rows.curved * n;
        for (slope, base) in at.slopes.iter_mut().zip(&rows.base) {
            *slope = S::from_f64(*base);
        }
        at.stirred.fill(S::ZERO);
        if bent > 0 {
            for (slab, (&x, &v)) in rows.curvature.chunks_exact(bent).zip(eta.iter().zip(rate)) {
                let both = at.slopes[..bent].iter_mut().zip(at.stirred.iter_mut());
                for ((slope, stirred), &g) in both.zip(slab) {
                    *slope += x * g;
                    *stirred += v * g;
                }
            }
        }
        for i in 0..rows.origin.len() {
            let (slopes, base) = (&at.slopes[i * n..(i + 1) * n], &rows.base[i * n..(i + 1) * n]);
            let (mut place, mut speed) = (S::ZERO, S::ZERO);
            for r in 0..n {
                place += (slopes[r] + S::from_f64(base[r])) * eta[r];
                speed += slopes[r] * rate[r];
            }
            at.place[i] = S::from_f64(rows.origin[i]) + place * 0.5;
            at.speed[i] = speed;
            at.acceleration[i] = S::ZERO;
        }
        for i in 0..rows.curved {
            let stirred = &at.stirred[i * n..(i + 1) * n];
            at.acceleration[i] = (0..n).fold(S::ZERO, |sum, r| sum + stirred[r] * rate[r]);
        }
    }

    /// ζ = η + U δy and its rate.
    fn lift<S: Scalar>(&self, eta: &[S], rate: &[S], at: &mut Instant<'_, S>) {
        let (rows, n) = (&self.rows, self.rows.modes);
        at.lifted.copy_from_slice(eta);
        at.lifted_rate.copy_from_slice(rate);
        for u in 0..rows.residual {
            let i = rows.curved - rows.residual + u;
            let (mut place, mut speed) = (at.place[i], at.speed[i]);
            for (r, &base) in rows.base[i * n..(i + 1) * n].iter().enumerate() {
                place -= eta[r] * base;
                speed -= rate[r] * base;
            }
            for r in 0..n {
                let share = rows.lift[r * rows.residual + u];
                at.lifted[r] += place * share;
                at.lifted_rate[r] += speed * share;
            }
        }
    }

    /// Carries F and modal forces of the linear body, which belong to ζ, back to η by T = 1 + U (J − V).
    fn lower<S: Scalar>(&self, at: &mut Instant<'_, S>, sum: &mut Collected<S>, out: &mut MassBlock<'_, S>) {
        let (rows, n) = (&self.rows, self.rows.modes);
        at.pulled.fill(S::ZERO);
        for r in 0..n {
            let shares = &rows.lift[r * rows.residual..(r + 1) * rows.residual];
            for (pulled, &share) in at.pulled.chunks_exact_mut(4).zip(shares) {
                (0..3).for_each(|i| pulled[i] += out.coupling[r][i] * share);
                pulled[3] += out.bias_modal[r] * share;
            }
        }
        for u in 0..rows.residual {
            let i = rows.curved - rows.residual + u;
            let pulled = &at.pulled[4 * u..4 * u + 4];
            (0..3).for_each(|k| sum.angular[k] += pulled[k] * at.acceleration[i]);
            for r in 0..n {
                let turn = at.slopes[i * n + r] - S::from_f64(rows.base[i * n + r]);
                (0..3).for_each(|k| out.coupling[r][k] += pulled[k] * turn);
                out.bias_modal[r] += pulled[3] * turn;
            }
        }
    }

    /// Accelerations of the carriers and what they give the rigid rows.
    fn move_carriers<S: Scalar>(&self, omega: &Vector3<S>, at: &mut Instant<'_, S>, sum: &mut Collected<S>) {
        for places in &self.rows.places {
            let z = places.map(|row| at.place[row]);
            let speed = places.map(|row| at.speed[row]);
            let inner = cross(omega, &z);
            let swirl = cross(omega, &add(&inner, &scale(S::from_f64(2.0), &speed)));
            let acceleration: Vector3<S> = std::array::from_fn(|i| swirl[i] + at.acceleration[places[i]]);
            let [xx, yy, zz] = [z[0] * z[0], z[1] * z[1], z[2] * z[2]];
            let own = [yy + zz, -(z[0] * z[1]), -(z[0] * z[2]), xx + zz, -(z[1] * z[2]), xx + yy];
            (0..6).for_each(|i| sum.inertia[i] += own[i]);
            sum.angular = add(&sum.angular, &cross(&z, &acceleration));
            (0..3).for_each(|i| at.acceleration[places[i]] = acceleration[i]);
        }
    }

    /// Coupling of the carriers with the frame, and the modal bias of all rows.
    fn couple<S: Scalar>(&self, at: &Instant<'_, S>, out: &mut MassBlock<'_, S>) {
        let (rows, n) = (&self.rows, self.rows.modes);
        for column in out.coupling.iter_mut() {
            column[3..].fill(S::ZERO);
        }
        for (c, places) in rows.places.iter().enumerate() {
            let z = places.map(|row| at.place[row]);
            let [x_row, y_row, z_row] = places.map(|row| &at.slopes[row * n..(row + 1) * n]);
            for (r, column) in out.coupling.iter_mut().enumerate() {
                let slide = [x_row[r], y_row[r], z_row[r]];
                let turn = cross(&z, &slide);
                (0..3).for_each(|i| column[i] += turn[i]);
                if c == 0 {
                    (0..3).for_each(|i| column[i + 3] = slide[i] * self.root);
                }
            }
        }
        for (i, &acceleration) in at.acceleration.iter().enumerate() {
            for (bias, &slope) in out.bias_modal.iter_mut().zip(&at.slopes[i * n..(i + 1) * n]) {
                *bias += slope * acceleration;
            }
        }
    }

    /// constant + Σ J J*.
    fn fill_modal<S: Scalar>(&self, at: &Instant<'_, S>, out: &mut MassBlock<'_, S>) {
        let (rows, n) = (&self.rows, self.rows.modes);
        for (entry, &constant) in out.modal.iter_mut().zip(&rows.constant) {
            *entry = S::from_f64(constant);
        }
        for i in 0..rows.curved {
            let slopes = &at.slopes[i * n..(i + 1) * n];
            for r in 0..n {
                let factor = slopes[r];
                for (entry, &slope) in out.modal[r * n..=r * n + r].iter_mut().zip(slopes) {
                    *entry += factor * slope;
                }
            }
        }
        if rows.curved > 0 {
            for r in 0..n {
                for s in 0..r {
                    out.modal[s * n + r] = out.modal[r * n + s];
                }
            }
        }
    }

    fn fill_rigid<S: Scalar>(&self, at: &Instant<'_, S>, sum: &Collected<S>, out: &mut MassBlock<'_, S>) {
        let (o, mass) = (S::ZERO, S::from_f64(self.mass));
        let first = |list: &[S]| match self.rows.places.first() {
            Some(places) => places.map(|row| list[row] * self.root),
            None => zero3(),
        };
        *out.rigid = SymmetricSpatial {
            angular: sum.inertia,
            coupling: skew(&first(at.place)),
            linear: [mass, o, o, mass, o, mass],
        };
        *out.bias_rigid = crate::spatial::join(&sum.angular, &first(at.acceleration));
    }
}

impl LinearBody {
    /// Adds I' and the angular bias to `sum`; writes F_r and the modal bias.
    fn evaluate<S: Scalar>(
        &self,
        eta: &[S],
        rate: &[S],
        omega: &Vector3<S>,
        sum: &mut Collected<S>,
        out: &mut MassBlock<'_, S>,
    ) {
        let (n, w, half) = (eta.len(), omega, S::from_f64(0.5));
        // ½ w·dI w = half_square · dI
        let half_square = [
            w[0] * w[0] * half,
            w[0] * w[1],
            w[0] * w[2],
            w[1] * w[1] * half,
            w[1] * w[2],
            w[2] * w[2] * half,
        ];
        let mut inertia_rate = [S::ZERO; 6];
        let mut momentum = zero3(); // Σ F_r η̇_r
        for r in 0..n {
            let mut bend = [S::ZERO; 6]; // K_r
            for (&x, i2) in eta.iter().zip(&self.inertia2[r * n..(r + 1) * n]) {
                (0..6).for_each(|i| bend[i] += x * i2[i]);
            }
            let mut slope = S::ZERO;
            for i in 0..6 {
                let first = S::from_f64(self.inertia1[r][i]) + bend[i];
                sum.inertia[i] += first * eta[r];
                let derivative = first + bend[i];
                inertia_rate[i] += derivative * rate[r];
                slope += half_square[i] * derivative;
            }
            let (mut column, mut stir) = (lift3(&self.angular0[r]), zero3()); // F_r, X_r
            if !self.angular1.is_empty() {
                for s in 0..n {
                    let f1 = &self.angular1[r * n + s];
                    axpy(&mut column, eta[s], f1);
                    axpy(&mut stir, rate[s], f1);
                }
            } else if S::OVER_CONSTANTS {
                for (&x, &v) in eta.iter().zip(rate) {
                    axpy(&mut column, x, &[0.0; 3]);
                    axpy(&mut stir, v, &[0.0; 3]);
                }
            }
            out.bias_modal[r] = dot(w, &stir) * 2.0 - slope;
            momentum = add(&momentum, &scale(rate[r], &column));
            out.coupling[r][..3].copy_from_slice(&column);
        }
        let angular_momentum = add(&symmetric_times(&sum.inertia, w), &momentum);
        let growth = symmetric_times(&inertia_rate, w);
        sum.angular = add(&sum.angular, &add(&growth, &cross(w, &angular_momentum)));
    }
}

#[inline(always)]
fn symmetric_times<S: Scalar>(a: &[S; 6], v: &Vector3<S>) -> Vector3<S> {
    [
        a[0] * v[0] + a[1] * v[1] + a[2] * v[2],
        a[1] * v[0] + a[3] * v[1] + a[4] * v[2],
        a[2] * v[0] + a[4] * v[1] + a[5] * v[2],
    ]
}
