//! Steps of closed loops gone back over, against dual numbers on the same steps.

use crate::directions::{self, Number};
use crate::implicit::{family, implicit};
use crate::{shipped, short};
use flexura::algorithm::inverse_dynamics::{Terms, inverse_dynamics};
use flexura::constraint::prepare_at;
use flexura::integrate::AlphaCoefficients;
use flexura::model::description::DampingChoice;
use flexura::motion::retract::{move_by_twist, retract};
use flexura::scalar::Scalar;
use flexura::state::prescribe::apply_prescribed;
use flexura::time_function::Side;
use flexura::{Model, State, Workspace, evaluate};

/// Steps in dual numbers: Newton's iteration until neither values nor derivatives move, then both projections, with rows that
/// are independent.
struct DualLoops<'a> {
    model: &'a Model,
    c: AlphaCoefficients,
    state: State<Number>,
    work: Workspace<Number>,
    algorithmic: Vec<Number>,
    acceleration: Vec<Number>,
    control_rates: Vec<Number>,
    free: Vec<usize>,
    rows: Vec<usize>,
}

/// W over the free speeds and J of the independent rows, as one matrix [W Jᵀ; J 0].
struct Saddle {
    size: usize,
    matrix: Vec<Number>,
}

impl Saddle {
    /// The solution for `right`, by elimination with pivots.
    fn solve(&self, right: &[Number]) -> Vec<Number> {
        let n = self.size;
        let (mut a, mut x) = (self.matrix.clone(), right.to_vec());
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i * n + k].re.abs().total_cmp(&a[j * n + k].re.abs()));
            let pivot = pivot.expect("a row");
            for j in 0..n {
                a.swap(k * n + j, pivot * n + j);
            }
            x.swap(k, pivot);
            for i in k + 1..n {
                let factor = a[i * n + k] / a[k * n + k];
                for j in k..n {
                    let other = a[k * n + j];
                    a[i * n + j] -= factor * other;
                }
                let other = x[k];
                x[i] -= factor * other;
            }
        }
        for k in (0..n).rev() {
            for j in k + 1..n {
                let known = x[j];
                x[k] -= a[k * n + j] * known;
            }
            x[k] = x[k] / a[k * n + k];
        }
        x
    }
}

impl<'a> DualLoops<'a> {
    fn new(model: &'a Model, c: AlphaCoefficients, mut state: State<Number>) -> Self {
        let mut work = Workspace::<Number>::new(model);
        state.side = Side::After;
        apply_prescribed(model, &mut state, Some(&mut work.load));
        put_back(model, &mut state, &mut work);
        evaluate(model, &state, &mut work).expect("start");
        let acceleration = work.accelerations.chidot.clone();
        let control_rates = work.control.rates.clone();
        let free: Vec<usize> = (0..state.v.len()).filter(|&i| !model.prescribed[i]).collect();
        let rows = independent(model, &work, &free);
        let algorithmic = acceleration.clone();
        Self { model, c, state, work, algorithmic, acceleration, control_rates, free, rows }
    }

    /// W = M + `weights`·(K, C) with J where the workspace stands.
    fn saddle(&mut self, [stiffness, damping]: [f64; 2]) -> Saddle {
        let (model, n) = (self.model, self.state.v.len());
        let Workspace { motion, inertias, load, inverse, closure, .. } = &mut self.work;
        let size = self.free.len() + self.rows.len();
        let mut matrix = vec![Number::ZERO; size * size];
        for (a, &i) in self.free.iter().enumerate() {
            let mut unit = vec![Number::ZERO; n];
            unit[i] = Number::ONE;
            let kin = &motion.kinematics;
            inverse_dynamics(model, kin, inertias, &unit, &load.wrench, Terms::MassOnly, inverse);
            for (b, &j) in self.free.iter().enumerate() {
                matrix[b * size + a] = inverse.generalized[j];
            }
        }
        let place = |speed: usize| self.free.iter().position(|&i| i == speed);
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let (body, m) = (&model.bodies[k], part.modes);
            for (i, j) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))) {
                let (a, b) = (place(part.v + i).expect("free"), place(part.v + j).expect("free"));
                let sum = stiffness * body.stiffness.entry(i, j, m) + damping * body.damping.entry(i, j, m);
                matrix[a * size + b] += Number::from_f64(sum);
            }
            for (i, c) in model.joints[k].coordinates.iter().enumerate() {
                if let Some(a) = place(part.v + m + i) {
                    matrix[a * size + a] += Number::from_f64(stiffness * c.stiffness + damping * c.damping);
                }
            }
        }
        for (r, &row) in self.rows.iter().enumerate() {
            for (a, &i) in self.free.iter().enumerate() {
                let x = closure.jacobian.entry(row, i);
                let at = self.free.len() + r;
                (matrix[at * size + a], matrix[a * size + at]) = (x, x);
            }
        }
        Saddle { size, matrix }
    }

    /// Rows, J, and Φ̈ without accelerations, at the state.
    fn look(&mut self) -> Vec<Number> {
        prepare_at(self.model, &self.state, &mut self.work).expect("rows");
        let Workspace { closure, accelerations, .. } = &self.work;
        let bias =
            |&row: &usize| closure.acceleration[row] - closure.jacobian.times(row, &accelerations.chidot);
        self.rows.iter().map(bias).collect()
    }

    /// One step to `end`; the largest correction of the last iteration.
    fn step(&mut self, end: f64) -> f64 {
        let (model, c, n) = (self.model, self.c, self.state.v.len());
        let start = self.state.clone();
        let h = end - start.time;
        let share = (1.0 - c.alpha_f) / (1.0 - c.alpha_m);
        let weights = [h * h * c.beta * share, h * c.gamma * share];
        let mut w = self.acceleration.clone();
        let mut forces = vec![Number::ZERO; self.rows.len()];
        let mut last = f64::INFINITY;
        for _ in 0..200 {
            let mixed = self.mix(&w);
            let mut twist = vec![Number::ZERO; n];
            for i in 0..n {
                let (a0, a1) = (self.algorithmic[i], mixed[i]);
                twist[i] = start.v[i] * h + (a0 * (0.5 - c.beta) + a1 * c.beta) * (h * h);
                self.state.v[i] = start.v[i] + (a0 * (1.0 - c.gamma) + a1 * c.gamma) * h;
            }
            (self.state.time, self.state.side) = (end, Side::Before);
            for (k, slot) in self.state.z.iter_mut().enumerate() {
                *slot = start.z[k] + (self.control_rates[k] + self.work.control.rates[k]) * (0.5 * h);
            }
            move_by_twist(model, &start.q, &twist, &mut self.state.q);
            apply_prescribed(model, &mut self.state, Some(&mut self.work.load));
            for i in (0..n).filter(|&i| model.prescribed[i]) {
                w[i] = self.work.load.acceleration[i];
            }
            self.work.kinematics(model, &self.state);
            self.work.loads(model, &self.state);
            self.look();
            let saddle = self.saddle(weights);
            let Workspace { motion, inertias, load, inverse, closure, .. } = &mut self.work;
            inverse_dynamics(model, &motion.kinematics, inertias, &w, &load.wrench, Terms::All, inverse);
            let mut right: Vec<Number> =
                self.free.iter().map(|&i| inverse.generalized[i] - load.generalized[i]).collect();
            for (&row, &force) in self.rows.iter().zip(&forces) {
                for (slot, &i) in right.iter_mut().zip(&self.free) {
                    *slot -= closure.jacobian.entry(row, i) * force;
                }
            }
            right.extend(self.rows.iter().map(|&row| closure.residual[row] * (1.0 / weights[0])));
            let correction = saddle.solve(&right);
            let (change, more) = correction.split_at(self.free.len());
            self.free.iter().zip(change).for_each(|(&i, &x)| w[i] -= x);
            forces.iter_mut().zip(more).for_each(|(force, &x)| *force += x);
            let largest = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0_f64, |m, x| m.max(x.abs()));
            let both = |list: &[Number]| largest(&mut list.iter().flat_map(|x| [x.re, x.eps[0]]));
            last = both(change) / (1.0 + both(&w));
            if last < 1e-14 {
                break;
            }
        }
        let bias = self.look();
        drop(bias);
        let saddle = self.saddle(weights);
        let mut right = vec![Number::ZERO; self.free.len()];
        right.extend(self.rows.iter().map(|&row| -self.work.closure.rate[row]));
        let change = saddle.solve(&right);
        self.free.iter().zip(&change).for_each(|(&i, &x)| self.state.v[i] += x);
        self.work.kinematics(model, &self.state);
        self.work.loads(model, &self.state);
        self.control_rates.clone_from(&self.work.control.rates);
        let bias = self.look();
        let mut right = vec![Number::ZERO; self.free.len()];
        let rows = self.rows.iter().zip(bias);
        right.extend(rows.map(|(&row, bias)| -bias - self.work.closure.jacobian.times(row, &w)));
        let change = saddle.solve(&right);
        self.free.iter().zip(&change).for_each(|(&i, &y)| w[i] += y);
        self.algorithmic = self.mix(&w);
        self.acceleration = w;
        last
    }

    /// Algorithmic accelerations that belong to `w`.
    fn mix(&self, w: &[Number]) -> Vec<Number> {
        let (c, before) = (self.c, self.acceleration.iter().zip(&self.algorithmic));
        let all = w.iter().zip(before);
        all.map(|(&w, (&w0, &a0))| {
            (w * (1.0 - c.alpha_f) + w0 * c.alpha_f - a0 * c.alpha_m) * (1.0 / (1.0 - c.alpha_m))
        })
        .collect()
    }
}

/// Rows that no others contain, by orthogonalisation.
fn independent(model: &Model, work: &Workspace<Number>, free: &[usize]) -> Vec<usize> {
    let (mut rows, mut basis) = (Vec::new(), Vec::<Vec<f64>>::new());
    for row in 0..model.constraint_count() {
        let mut line: Vec<f64> = free.iter().map(|&i| work.closure.jacobian.entry(row, i).re).collect();
        let size = |line: &[f64]| line.iter().map(|x| x * x).sum::<f64>().sqrt();
        let whole = size(&line);
        for _ in 0..2 {
            for known in &basis {
                let share: f64 = line.iter().zip(known).map(|(a, b)| a * b).sum();
                line.iter_mut().zip(known).for_each(|(a, b)| *a -= share * b);
            }
        }
        let left = size(&line);
        if left > 1e-8 * whole && whole > 1e-8 {
            line.iter_mut().for_each(|x| *x /= left);
            basis.push(line);
            rows.push(row);
        }
    }
    rows
}

/// A state near the loops put back on them, with its derivative: positions by masses and rows where it was, then speeds.
pub fn put_back(model: &Model, state: &mut State<Number>, work: &mut Workspace<Number>) {
    let correction = |work: &mut Workspace<Number>, mut forces: Vec<Number>| {
        forces.iter_mut().for_each(|x| *x = -*x);
        work.closure.solve_reflected(&mut forces);
        let mut step = vec![Number::ZERO; model.speed_count()];
        forces
            .iter()
            .enumerate()
            .for_each(|(row, &force)| work.closure.response.add_to(row, force, &mut step));
        step
    };
    apply_prescribed(model, state, Some(&mut work.load));
    let mut factors = Workspace::<Number>::new(model);
    factors.load = work.load.clone();
    prepare_at(model, state, &mut factors).expect("rows");
    for _ in 0..12 {
        prepare_at(model, state, work).expect("rows");
        let step = correction(&mut factors, work.closure.residual.clone());
        let from = state.q.clone();
        move_by_twist(model, &from, &step, &mut state.q);
    }
    prepare_at(model, state, work).expect("rows");
    let wrong = work.closure.rate.clone();
    let step = correction(work, wrong);
    state.v.iter_mut().zip(step).for_each(|(v, x)| *v += x);
}

/// Rates of increments, speeds and controller states at a `stage` that was evaluated, with the increments of `y`.
pub fn rates_of(model: &Model, stage: &State<Number>, y: &[Number], work: &Workspace<Number>) -> Vec<Number> {
    let mut rate = Vec::new();
    for (k, part) in model.layout.bodies.iter().enumerate() {
        rate.extend_from_slice(&stage.v[part.modal_v()]);
        let mut of_joint = vec![Number::ZERO; part.joint_v];
        let (q, u) = (&stage.q[part.joint_q()], &stage.v[part.joint_v()]);
        model.joints[k].joint.kind.increment_rate(q, &y[part.joint_v()], u, &mut of_joint);
        rate.extend(of_joint);
    }
    rate.extend(work.accelerations.chidot.iter().chain(&work.control.rates));
    rate
}

/// A step of the classical Runge-Kutta method whose stages, and end, are put back on the loops.
fn explicit_step(model: &Model, state: &mut State<Number>, work: &mut Workspace<Number>, end: f64) {
    let (start, h, n) = (state.clone(), end - state.time, state.v.len());
    let at = |rates: &[Vec<Number>], weights: &[f64]| {
        let mut y = vec![Number::ZERO; n];
        y.extend(start.v.iter().chain(&start.z));
        for (rate, weight) in rates.iter().zip(weights) {
            y.iter_mut().zip(rate).for_each(|(y, &k)| *y += k * (h * weight));
        }
        y
    };
    let mut place = |y: &[Number], time: f64, side: Side, work: &mut Workspace<Number>| {
        (state.time, state.side) = (time, side);
        retract(model, &start.q, &y[..n], &mut state.q);
        state.v.copy_from_slice(&y[n..2 * n]);
        state.z.copy_from_slice(&y[2 * n..]);
        put_back(model, state, work);
        state.clone()
    };
    let mut rates: Vec<Vec<Number>> = Vec::new();
    for weights in [&[][..], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]] {
        let share: f64 = weights.iter().sum();
        let side = if share == 1.0 { Side::Before } else { Side::After };
        let y = at(&rates, weights);
        let stage = place(&y, start.time + share * h, side, work);
        evaluate(model, &stage, work).expect("stage");
        let rate = rates_of(model, &stage, &y, work);
        rates.push(rate);
    }
    let y = at(&rates, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0]);
    place(&y, end, Side::After, work);
}

/// Over the initial state, against steps in dual numbers: implicit ones, or explicit ones.
pub fn agree(
    name: &str,
    text: &str,
    method: Option<(DampingChoice, AlphaCoefficients)>,
    step: f64,
    steps: usize,
) {
    let built = match method {
        Some((damping, _)) => implicit(text, damping, step, steps as f64),
        None => short(text, step * steps as f64, 1.0, Some(step)),
    };
    directions::agree(name, &built, (&[5, 11], 1e-9), |model, mut start| {
        let first = start.time;
        let ends = (1..=steps).map(|k| first + step * k as f64);
        if let Some((_, c)) = method {
            let mut steps_of = DualLoops::new(model, c, start);
            for end in ends {
                let unsettled = steps_of.step(end);
                assert!(unsettled < 1e-10, "{name}: dual numbers do not settle at {end} s: {unsettled:.1e}");
            }
            steps_of.state
        } else {
            let mut work = Workspace::<Number>::new(model);
            put_back(model, &mut start, &mut work);
            ends.for_each(|end| explicit_step(model, &mut start, &mut work, end));
            start
        }
    });
}

/// The slider-crank with its ball joint in the tree, cut at the guide.
pub fn ball_in_tree() -> String {
    shipped("gallery/slider_crank").replace("[simulation]", "[graph]\ncut = \"guide\"\n\n[simulation]")
}

#[test]
fn dual_numbers_on_the_same_steps_of_loops() {
    for method in family() {
        agree("slider-crank", &shipped("gallery/slider_crank"), Some(method), 1e-4, 10);
        agree("double four-bar", &shipped("double_four_bar"), Some(method), 5e-3, 10);
    }
    let damped = Some(family()[1]);
    agree("four-bar", &shipped("four_bar"), damped, 1e-4, 10);
    agree("slider-crank with a ball joint in the tree", &ball_in_tree(), damped, 1e-4, 10);
    agree("bricard", &shipped("bricard"), damped, 5e-3, 10);
    agree("double four-bar of beams", &shipped("double_four_bar_flexible"), damped, 5e-3, 6);
}

#[test]
fn dual_numbers_on_the_same_explicit_steps_of_loops() {
    agree("double four-bar", &shipped("double_four_bar"), None, 0.02, 5);
    agree("bricard", &shipped("bricard"), None, 0.02, 5);
    agree("slider-crank", &shipped("gallery/slider_crank"), None, 2e-5, 5);
    agree("four-bar", &shipped("four_bar"), None, 2e-5, 5);
    agree("slider-crank with a ball joint in the tree", &ball_in_tree(), None, 5e-5, 5);
}
