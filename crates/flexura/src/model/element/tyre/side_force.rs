//! Forces of a tyre in the plane of the road.
//!
//! Slip angle α = atan(v_y/V), v_y the lateral velocity of the point of contact and
//! V the speed of the wheel centre along the rolling; camber angle γ between the wheel and the normal of the road, normal force N.
//!
//! Calspan law, as in the IAVSD road vehicle benchmark (Frik, Leister & Schwartz,
//! Vehicle System Dynamics 22, 1993). With D = A₁ N (N − A₂) − A₀ A₂ (negative)
//! and the friction μ = (B₁ N + B₃ + B₄ N²) S:
//! α_γ = −A₂ A₃ (A₄ − N) N γ/(A₄ D), ᾱ = D (α + α_γ)/(A₂ μ N),
//! g(ᾱ) = ᾱ − ᾱ|ᾱ|/3 + ᾱ³/27 below three and ±1 above, F_y = μ N g, aligning moment
//! M_z = (C₁ N + C₂ |F_y|) F_y. Above the load Ω A₂ the stiffness is that of the
//! limit. For small slip F_y = −(A₀ + A₁ N − A₁ N²/A₂) α − ….
//!
//! Brush law with combined slip (Pacejka, Tire and Vehicle Dynamics, ch. 3): with
//! the slips s_x = (v_x − ω R)/V and s_y = v_y/V and u = (C_κ s_x, C_α s_y),
//! θ = |u|/(3 μ N): F = −u (1 − θ + θ²/3) below full sliding at θ = 1, then
//! −μ N u/|u|; the lateral force acts behind the centre by
//! t = (a/3)(1 − θ)³/(1 − θ + θ²/3), a half the length of contact.
//!
//! Linear law, for small angles and eigenvalues: F_y = −C_α α − C_γ γ, M_z = C_z α, M_x = C_x γ about the
//! direction of rolling, whatever the load; the whole force of the road acts t behind the foot of the spoke.

use crate::model::element::fault::Faults;
use crate::scalar::Scalar;

/// Law of the forces in the plane of the road.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SideForce {
    /// No friction at all: only the normal force.
    None,
    /// Lateral force and aligning moment of the Calspan law; no longitudinal force.
    Calspan(Calspan),
    /// Combined slip of a brush with parabolic pressure.
    Brush(Brush),
    /// Lateral force and moments proportional to the angles; no limit and no longitudinal force.
    Linear(Linear),
}

/// Coefficients of the Calspan law, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calspan {
    /// A₀ (N/rad), A₁ (1/rad), A₂ (N): cornering stiffness over load.
    pub cornering: [f64; 3],
    /// A₃ (1/rad), A₄ (N): camber stiffness over load.
    pub camber: [f64; 2],
    /// B₁ (1/N), B₃, B₄ (1/N²): friction over load.
    pub friction: [f64; 3],
    /// Skid number ratio S.
    pub skid: f64,
    /// C₁, C₂ (m/N): aligning moment.
    pub aligning: [f64; 2],
    /// Ω: limit of the load in units of A₂.
    pub overload: f64,
}

/// Parameters of the brush law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// C_α (N/rad).
    pub cornering_stiffness: f64,
    /// C_κ (N per unit slip).
    pub longitudinal_stiffness: f64,
    /// μ.
    pub friction: f64,
    /// Half the length of contact a (m).
    pub half_length: f64,
}

/// Coefficients of the linear law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Linear {
    /// C_α (N/rad).
    pub cornering: f64,
    /// C_γ (N/rad).
    pub camber: f64,
    /// C_z (N m/rad): moment about the normal per slip angle, positive turns the wheel into its motion.
    pub aligning: f64,
    /// C_x (N m/rad): moment about the direction of rolling per camber angle.
    pub overturning: f64,
    /// t (m).
    pub trail: f64,
}

/// How the wheel moves over the road.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip<S> {
    /// Normal force (N), positive.
    pub load: S,
    /// Longitudinal velocity of the contact, zero for a rolling wheel (m/s).
    pub sliding: S,
    /// Lateral velocity (m/s).
    pub lateral: S,
    /// Longitudinal velocity of the wheel centre, kept away from zero (m/s).
    pub speed: S,
    /// γ (rad).
    pub camber: S,
}

/// Longitudinal and lateral force (N), moments about the normal and about the direction of rolling (N m), and how
/// far behind the foot of the spoke the force of the road acts (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct InPlane<S> {
    pub longitudinal: S,
    pub lateral: S,
    pub aligning: S,
    pub overturning: S,
    pub trail: f64,
}

impl<S: Scalar> InPlane<S> {
    fn new(longitudinal: S, lateral: S, aligning: S) -> Self {
        Self { longitudinal, lateral, aligning, overturning: S::ZERO, trail: 0.0 }
    }
}

impl SideForce {
    #[inline]
    pub(super) fn evaluate<S: Scalar>(&self, slip: &Slip<S>) -> InPlane<S> {
        match self {
            Self::None => InPlane::new(S::ZERO, S::ZERO, S::ZERO),
            Self::Calspan(law) => law.evaluate(slip),
            Self::Brush(law) => law.evaluate(slip),
            Self::Linear(law) => law.evaluate(slip),
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        match self {
            Self::None => {}
            Self::Calspan(law) => law.check(faults),
            Self::Brush(law) => law.check(faults),
            Self::Linear(law) => law.check(faults),
        }
    }
}

impl Calspan {
    /// Cornering and camber stiffness over A₂ N, both for a load within the limit.
    fn stiffness<S: Scalar>(&self, load: S) -> (S, S) {
        let ([a0, a1, a2], [a3, a4]) = (self.cornering, self.camber);
        let limit = self.overload * a2;
        let held = if load.above(limit) { S::from_f64(limit) } else { load };
        let cornering = held * (held - S::from_f64(a2)) * a1 - S::from_f64(a0 * a2);
        let camber = (S::from_f64(a4) - held) * held * (a2 * a3 / a4);
        (cornering, camber)
    }

    fn evaluate<S: Scalar>(&self, slip: &Slip<S>) -> InPlane<S> {
        let load = slip.load;
        let [b1, b3, b4] = self.friction;
        let grip = (load * b1 + S::from_f64(b3) + load * load * b4) * self.skid * load;
        let (cornering, camber) = self.stiffness(load);
        let angle = slip.lateral.atan2(slip.speed);
        let slope = (cornering * angle - camber * slip.camber) / (grip * self.cornering[2]);
        let size = if slope.below(0.0) { -slope } else { slope };
        let shape = if size.below(3.0) {
            slope * (S::ONE - size * (1.0 / 3.0) + size * size * (1.0 / 27.0))
        } else {
            S::from_f64(if slope.below(0.0) { -1.0 } else { 1.0 })
        };
        let lateral = grip * shape;
        let push = if lateral.below(0.0) { -lateral } else { lateral };
        let [c1, c2] = self.aligning;
        InPlane::new(S::ZERO, lateral, (load * c1 + push * c2) * lateral)
    }

    fn check(&self, faults: &mut Faults) {
        let [a0, a1, a2] = self.cornering;
        let all = [a0, a1, a2, self.camber[0], self.camber[1], self.skid, self.overload];
        faults.finite("calspan", &all);
        faults.finite("calspan", &self.friction);
        faults.finite("calspan", &self.aligning);
        let most = self.overload * a2;
        let [b1, b3, b4] = self.friction;
        let grip = |load: f64| (b1 * load + b3 + b4 * load * load) * self.skid;
        if a2 <= 0.0 || self.camber[1] <= 0.0 || self.overload <= 0.0 {
            let message = "A₂, A₄ and the overload limit must be positive";
            faults.error("calspan-range", "calspan", message, "give loads in newtons");
        } else if grip(0.0) <= 0.0 || grip(most) <= 0.0 {
            let message = format!("the friction at {most} N is {:.3}", grip(most));
            faults.error("calspan-range", "calspan", message, "friction must stay positive up to the limit");
        }
    }
}

impl Brush {
    fn evaluate<S: Scalar>(&self, slip: &Slip<S>) -> InPlane<S> {
        let grip = slip.load * self.friction;
        let along = slip.sliding / slip.speed * self.longitudinal_stiffness;
        let across = slip.lateral / slip.speed * self.cornering_stiffness;
        // Not zero, so that the direction of a vanishing slip stays differentiable.
        let size = (along * along + across * across + S::from_f64(1e-12)).sqrt();
        let part = size / (grip * 3.0);
        if part.at_least(1.0) {
            let scale = -(grip / size);
            return InPlane::new(along * scale, across * scale, S::ZERO);
        }
        let shape = S::ONE - part + part * part * (1.0 / 3.0);
        let rest = S::ONE - part;
        let trail = rest * rest * rest / shape * (self.half_length / 3.0);
        let lateral = -(across * shape);
        InPlane::new(-(along * shape), lateral, -(trail * lateral))
    }

    fn check(&self, faults: &mut Faults) {
        let keys = [
            (self.cornering_stiffness, "a cornering stiffness"),
            (self.longitudinal_stiffness, "a longitudinal stiffness"),
            (self.friction, "a coefficient of friction"),
            (self.half_length, "half the length of contact"),
        ];
        for (value, words) in keys {
            faults.finite("brush", &[value]);
            if value < 0.0 {
                let help = format!("give {words}, zero or more");
                faults.error("negative-brush", "brush", format!("{words} is negative: {value}"), help);
            }
        }
        if self.friction == 0.0 {
            let help = "leave `brush` out for a tyre without friction";
            faults.error("not-positive", "brush", "`friction` of the brush is zero", help);
        }
    }
}

impl Linear {
    fn evaluate<S: Scalar>(&self, slip: &Slip<S>) -> InPlane<S> {
        let angle = slip.lateral.atan2(slip.speed);
        InPlane {
            longitudinal: S::ZERO,
            lateral: -(angle * self.cornering + slip.camber * self.camber),
            aligning: angle * self.aligning,
            overturning: slip.camber * self.overturning,
            trail: self.trail,
        }
    }

    fn check(&self, faults: &mut Faults) {
        faults.finite("linear", &[self.camber, self.aligning, self.overturning, self.trail]);
        if self.cornering < 0.0 || !self.cornering.is_finite() {
            let message = format!("the cornering stiffness is {}", self.cornering);
            faults.error("negative-cornering", "linear", message, "give zero or more (N/rad)");
        }
    }
}
