//! Forces that answer motion of a base: of one body, and of a body with all it carries (ID.7), (ID.8).

use super::place::Place;
use super::{Column, Evaluated, InverseDerivatives};
use crate::model::{Model, layout_of};
use crate::spatial::{
    Spatial, SymmetricSpatial, Vector3, add, add6, angular, cross, dot, dot6, join, linear, matrix_vector,
    rotate6, scale, scale6, shift_force,
};

/// Force at the origin per entry of a column: six of s, three of δω.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer([Spatial; 9]);

/// Generalised force on one speed per entry of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    star: Spatial,
    spin: Vector3,
}

impl Row {
    pub const ZERO: Self = Self { star: [0.0; 6], spin: [0.0; 3] };

    /// The derivative.
    #[inline(always)]
    pub fn times(&self, column: &Column) -> f64 {
        dot6(&self.star, &column.star) + dot(&self.spin, &column.spin)
    }

    fn accumulate(&mut self, o: &Self) {
        self.star = add6(&self.star, &o.star);
        self.spin = add(&self.spin, &o.spin);
    }

    /// Of a force m*α + n(ω) of a body at `place`, `slope` = ∂n/∂ω, in its axes.
    fn of_body(place: &Place, m: &Spatial, slope: &Vector3) -> Self {
        let turned = rotate6(&place.rotation, m);
        let (moment, force) = (angular(&turned), linear(&turned));
        let swing = add(&cross(&place.spin, &moment), &scale(2.0, &cross(&place.velocity, &force)));
        Self {
            star: shift_force(&place.position, &turned),
            spin: add(&matrix_vector(&place.rotation, slope), &swing),
        }
    }
}

impl Answer {
    pub const ZERO: Self = Self([[0.0; 6]; 9]);

    /// The force that answers `column`.
    pub fn apply(&self, column: &Column) -> Spatial {
        let entries = column.star.iter().chain(&column.spin);
        self.0.iter().zip(entries).fold([0.0; 6], |sum, (force, &x)| add6(&sum, &scale6(x, force)))
    }

    /// The row of a speed with this twist.
    fn row(&self, twist: &Spatial) -> Row {
        let [a, b, c, d, e, f, x, y, z] = self.0.each_ref().map(|force| dot6(twist, force));
        Row { star: [a, b, c, d, e, f], spin: [x, y, z] }
    }

    fn accumulate(&mut self, o: &Self) {
        for (a, b) in self.0.iter_mut().zip(&o.0) {
            *a = add6(a, b);
        }
    }

    /// Of one body alone: its inertia, and the slopes of its bias over ω, in its axes.
    fn of_body(place: &Place, inertia: &SymmetricSpatial, slopes: &[Spatial; 3]) -> Self {
        let turned = inertia.rotated(&place.rotation);
        let full = turned.shifted(&place.position).full();
        let slopes = slopes.map(|slope| rotate6(&place.rotation, &slope));
        let spin = std::array::from_fn::<_, 3, _>(|i| {
            let unit: Vector3 = std::array::from_fn(|j| f64::from(u8::from(i == j)));
            let motion = join(&cross(&unit, &place.spin), &scale(2.0, &cross(&unit, &place.velocity)));
            let own = (0..3)
                .fold(turned.apply(&motion), |sum, j| add6(&sum, &scale6(place.rotation[i][j], &slopes[j])));
            shift_force(&place.position, &own)
        });
        let [a, b, c, d, e, f] = full;
        let [x, y, z] = spin;
        Self([a, b, c, d, e, f, x, y, z])
    }
}

/// ∂/∂ω of the gyroscopic force of a rigid inertia, direction by direction.
fn rigid_slopes(inertia: &SymmetricSpatial, omega: &Vector3) -> [Spatial; 3] {
    let a = &inertia.angular;
    let times = |w: &Vector3| {
        [
            a[0] * w[0] + a[1] * w[1] + a[2] * w[2],
            a[1] * w[0] + a[3] * w[1] + a[4] * w[2],
            a[2] * w[0] + a[4] * w[1] + a[5] * w[2],
        ]
    };
    let (momentum, moment) = (times(omega), inertia.mass_moment());
    let swing = cross(omega, &moment);
    std::array::from_fn(|i| {
        let unit: Vector3 = std::array::from_fn(|j| f64::from(u8::from(i == j)));
        join(
            &add(&cross(&unit, &momentum), &cross(omega, &times(&unit))),
            &add(&cross(&unit, &swing), &cross(omega, &cross(&unit, &moment))),
        )
    })
}

impl InverseDerivatives {
    /// Inward: answers of all bodies with what they carry, and the rows of all speeds.
    pub(super) fn gather_answers(&mut self, model: &Model, at: &Evaluated<'_>) {
        self.answers.fill(Answer::ZERO);
        for k in (0..model.body_count()).rev() {
            let (part, place) = (layout_of(model, k), self.places[k]);
            let inertia = &at.inertias.rigid[k];
            let slopes = if part.modes == 0 {
                rigid_slopes(inertia, &at.motion.kinematics.bodies[k].omega)
            } else {
                let (rigid, modal) = self.dual.spin_slopes(model, k);
                let couplings = &at.inertias.coupling[part.modal()];
                for ((row, coupling), slope) in self.rows[part.modal_v()].iter_mut().zip(couplings).zip(modal)
                {
                    *row = Row::of_body(&place, coupling, slope);
                }
                rigid
            };
            self.answers[k].accumulate(&Answer::of_body(&place, inertia, &slopes));
            for &child in self.order.children(k) {
                let carrying = &self.carrying[self.first_carrying[child]..self.first_carrying[child + 1]];
                for (row, twist) in self.rows[part.modal_v()].iter_mut().zip(carrying) {
                    row.accumulate(&self.answers[child].row(twist));
                }
            }
            let answer = self.answers[k];
            for (row, twist) in self.rows[part.joint_v()].iter_mut().zip(&self.twists[part.joint()]) {
                *row = answer.row(twist);
            }
            if let Some(parent) = model.joints[k].parent {
                self.answers[parent].accumulate(&answer);
            }
        }
    }
}
