//! Strain energy of a beam by the curvature of its deflected line, to third order in the deflection.
//!
//! Source: an inextensible curve whose transverse displacement f(x) is given over its own length (Crespo da Silva &
//! Glynn, J. Struct. Mech. 6 (1978) 437, who keep the same orders). With p = f′ the tangent is t = (√(1−p²), p), and t′ in the axes of
//! a section that does not twist is, to third order,
//!
//! κ = c + k,   c = p′,   k = ½ (p·c) p + α (c_z, −c_y),   α = ½ ∫₀ˣ (p_y c_z − p_z c_y) dx.
//!
//! The energy ½ ∫ (EI_y κ_y² + EI_z κ_z²) dx is kept as this sum of squares, so it is positive at any deflection; its
//! part of second order is the modal stiffness, and the rest, in one plane ½ ∫ EI p² c² dx + …, is evaluated here.
//! Symbols: p slopes, c their derivative (both linear in η), α turn of the section about the tangent against the
//! shortest rotation. Integrals are sums over Gauss points with weights w; α at a point counts the points before it
//! and half of its own, so that forces are the exact gradient of the summed energy.
//!
//! Cost: 4 multiplications per point and bending mode, 6 where both planes bend and differ in EI.

use crate::beam::{BendingMode, BendingSamples};
use crate::scalar::Scalar;

/// Modes of one plane with consecutive modal coordinates.
#[derive(Clone, Debug)]
struct Run {
    /// 0: y, 1: z.
    plane: usize,
    /// First modal coordinate, and how many.
    first: usize,
    count: usize,
    /// p and c of its modes, point after point.
    slopes: Vec<f64>,
    linear: Vec<f64>,
}

/// Slopes and their derivatives of a beam's bending modes at its points.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct CurvatureEnergy {
    runs: Vec<Run>,
    /// w (m).
    weights: Vec<f64>,
    /// EI_y, EI_z (N m²).
    rigidity: [f64; 2],
    /// Both planes bend and differ: the turn of the sections does work.
    turns: bool,
    /// The plane, where all modes bend in one.
    plane: Option<usize>,
}

/// One point of the deflected beam.
struct Bent<S> {
    slope: [S; 2],
    linear: [S; 2],
    /// k: curvature beyond the linear one.
    beyond: [S; 2],
    /// Moments times w.
    moment: [S; 2],
    /// α, and what the point adds to that of all points after it.
    turn: S,
    turns_on: S,
}

impl CurvatureEnergy {
    /// Energy of the sampled modes; none where nothing bends.
    pub fn new(samples: &BendingSamples) -> Option<Self> {
        let mut runs: Vec<(usize, Vec<&BendingMode>)> = Vec::new();
        for mode in &samples.modes {
            match runs.last_mut() {
                Some((plane, run))
                    if *plane == mode.plane && run.last().is_some_and(|last| last.mode + 1 == mode.mode) =>
                {
                    run.push(mode);
                }
                _ => runs.push((mode.plane, vec![mode])),
            }
        }
        let points = samples.weights.len();
        let along = |run: &[&BendingMode], of: fn(&BendingMode) -> &[f64]| -> Vec<f64> {
            (0..points).flat_map(|i| run.iter().map(move |mode| of(mode)[i])).collect()
        };
        let prepared = |(plane, run): (usize, Vec<&BendingMode>)| Run {
            plane,
            first: run[0].mode,
            count: run.len(),
            slopes: along(&run, |mode| &mode.slopes),
            linear: along(&run, |mode| &mode.curvatures),
        };
        let runs: Vec<Run> = runs.into_iter().map(prepared).collect();
        let [y, z] = samples.rigidity;
        let both = [0, 1].iter().all(|plane| runs.iter().any(|run| run.plane == *plane));
        let (weights, rigidity, turns) = (samples.weights.clone(), samples.rigidity, both && y != z);
        let plane = runs.first().map(|run| run.plane).filter(|_| !both);
        (!runs.is_empty()).then_some(Self { runs, weights, rigidity, turns, plane })
    }

    /// Energy beyond the quadratic form of the modal stiffness (J).
    pub fn energy<S: Scalar>(&self, eta: &[S]) -> S {
        let (mut sum, mut turn) = (S::ZERO, S::ZERO);
        for (i, &weight) in self.weights.iter().enumerate() {
            let bent = self.at(i, eta, turn);
            turn += bent.turns_on;
            for plane in 0..2 {
                let (linear, beyond) = (bent.linear[plane], bent.beyond[plane]);
                sum += (linear + beyond * 0.5) * beyond * (weight * self.rigidity[plane]);
            }
        }
        sum
    }

    /// Adds the gradient of [`CurvatureEnergy::energy`] to `out`.
    pub fn accumulate<S: Scalar>(&self, eta: &[S], out: &mut [S]) {
        if let Some(plane) = self.plane {
            return self.accumulate_plane(self.rigidity[plane], eta, out);
        }
        let (mut turn, mut ahead) = (S::ZERO, self.work_of_turns(eta));
        for (i, &weight) in self.weights.iter().enumerate() {
            let bent = self.at(i, eta, turn);
            turn += bent.turns_on;
            let Bent { slope: p, linear: c, beyond, moment, .. } = &bent;
            let along = (moment[0] * p[0] + moment[1] * p[1]) * 0.5;
            let half = (p[0] * c[0] + p[1] * c[1]) * 0.5;
            let mut by_slope: [S; 2] = std::array::from_fn(|j| along * c[j] + half * moment[j]);
            let mut by_linear: [S; 2] =
                std::array::from_fn(|j| beyond[j] * (weight * self.rigidity[j]) + along * p[j]);
            if self.turns {
                let own = moment[0] * c[1] - moment[1] * c[0];
                // Sections ahead turn by all of this point's share, its own by half.
                ahead -= own;
                let moved = (ahead + own * 0.5) * (0.5 * weight);
                by_slope[0] += moved * c[1];
                by_slope[1] -= moved * c[0];
                by_linear[0] -= bent.turn * moment[1] + moved * p[1];
                by_linear[1] += bent.turn * moment[0] + moved * p[0];
            }
            for run in &self.runs {
                let (slope, linear) = (by_slope[run.plane], by_linear[run.plane]);
                let (slopes, linears) = run.at(i);
                for ((out, &p), &c) in
                    out[run.first..run.first + run.count].iter_mut().zip(slopes).zip(linears)
                {
                    *out += slope * p + linear * c;
                }
            }
        }
    }

    /// The same in one plane: with κ = c + ½ p² c the moment is EI κ, and ∂κ/∂p = p c, ∂κ/∂c = 1 + ½ p².
    fn accumulate_plane<S: Scalar>(&self, rigidity: f64, eta: &[S], out: &mut [S]) {
        for (i, &weight) in self.weights.iter().enumerate() {
            let (mut p, mut c) = (S::ZERO, S::ZERO);
            for run in &self.runs {
                let (slope, linear) = run.sum(i, eta);
                p += slope;
                c += linear;
            }
            let half = p * p * 0.5;
            let stiff = weight * rigidity;
            let moment = (c + c * half) * stiff;
            // What the modal stiffness has of it is taken away.
            let (by_slope, by_linear) = (moment * p * c, moment * half + c * half * stiff);
            for run in &self.runs {
                run.add(i, by_slope, by_linear, out);
            }
        }
    }

    /// Work per angle of a turn of all sections together.
    fn work_of_turns<S: Scalar>(&self, eta: &[S]) -> S {
        let (mut sum, mut turn) = (S::ZERO, S::ZERO);
        if self.turns {
            for i in 0..self.weights.len() {
                let bent = self.at(i, eta, turn);
                turn += bent.turns_on;
                sum += bent.moment[0] * bent.linear[1] - bent.moment[1] * bent.linear[0];
            }
        }
        sum
    }

    /// The beam at one point; `turn` is what the points before it have turned the section.
    #[inline(always)]
    fn at<S: Scalar>(&self, point: usize, eta: &[S], turn: S) -> Bent<S> {
        let (mut p, mut c) = ([S::ZERO; 2], [S::ZERO; 2]);
        for run in &self.runs {
            let (slope, linear) = run.sum(point, eta);
            p[run.plane] += slope;
            c[run.plane] += linear;
        }
        let weight = self.weights[point];
        let turns_on = if self.turns { (p[0] * c[1] - p[1] * c[0]) * (0.5 * weight) } else { S::ZERO };
        let turn = turn + turns_on * 0.5;
        let half = (p[0] * c[0] + p[1] * c[1]) * 0.5;
        let beyond = [half * p[0] + turn * c[1], half * p[1] - turn * c[0]];
        let moment = std::array::from_fn(|j| (c[j] + beyond[j]) * (weight * self.rigidity[j]));
        Bent { slope: p, linear: c, beyond, moment, turn, turns_on }
    }
}

impl Run {
    /// p and c of all modes at a point.
    #[inline(always)]
    fn at(&self, point: usize) -> (&[f64], &[f64]) {
        let range = point * self.count..(point + 1) * self.count;
        (&self.slopes[range.clone()], &self.linear[range])
    }

    /// Σ p η and Σ c η at a point.
    #[inline(always)]
    fn sum<S: Scalar>(&self, point: usize, eta: &[S]) -> (S, S) {
        let (slopes, linears) = self.at(point);
        let (mut slope, mut linear) = (S::ZERO, S::ZERO);
        for ((&x, &p), &c) in eta[self.first..self.first + self.count].iter().zip(slopes).zip(linears) {
            slope += x * p;
            linear += x * c;
        }
        (slope, linear)
    }

    /// Forces on the modes from derivatives by p and c at a point.
    #[inline(always)]
    fn add<S: Scalar>(&self, point: usize, slope: S, linear: S, out: &mut [S]) {
        let (slopes, linears) = self.at(point);
        for ((out, &p), &c) in out[self.first..self.first + self.count].iter_mut().zip(slopes).zip(linears) {
            *out += slope * p + linear * c;
        }
    }
}
