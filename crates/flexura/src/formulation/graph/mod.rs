//! Equations of motion generated from the linear graph, for any tree.
//!
//! Source: Richard (2012), sections 3 and 4 (errata F4, F5), after McPhee (1998).
//!
//! | paper | here |
//! |---|---|
//! | v_q̇, ω_q̇ of every body from the branches of its circuit (36) | `motion/jacobian.rs` |
//! | M̂ = Σ v_q̇ᵀ m v_q̇ + ω_q̇ᵀ I ω_q̇, flexible (57) | [`Equations::mass`] |
//! | Q^K with the products of speeds v̇^p, ω̇^p and P^ω (34), (43) | part of [`Equations::force`] |
//! | Φ_q, Λ of cotree joints and drivers (45), (68)-(70) | [`Equations::jacobian`], [`Equations::right`] |
//! | DAE (46), (67)+(70) solved for q̈ and λ | [`Equations::solve`] |
//! | reactions of tree joints from cutset equations (5) | `cutset` |
//!
//! v̇^p and the part of Φ̈ without q̈ are derivatives along the motion at constant
//! speeds, by dual numbers. Only kinematics and the mass blocks of single bodies
//! are shared with the recursions, so that each can check the other. Cost
//! O(bodies 𝒩²) to assemble, O(𝒩³) to solve.
//!
//! Typeset: book/src/theory/linear_graph.md (GR.3) to (GR.5).

mod cutset;

pub use cutset::joint_forces;

use crate::algorithm::composite_body::singular;
use crate::constraint::loop_motion;
use crate::error::DynamicsError;
use crate::linear::{PivotedCholesky, cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::Model;
use crate::motion::observe::is_frozen;
use crate::motion::pair::unit_wrenches;
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Spatial, add6, dot6, rotate_back6, rotate6, scale6};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Pivots of the scaled reflected mass below this are dependent constraints.
const DEPENDENT: f64 = 1e-11;

/// M̂ q̈ + Φ_qᵀ (−λ) = Q, Φ_q q̈ = Λ at one state.
#[derive(Clone, Debug)]
pub struct Equations {
    /// Number of speeds.
    pub speeds: usize,
    /// M̂, row by row.
    pub mass: Vec<f64>,
    /// Q: applied, conservative and velocity-dependent forces.
    pub force: Vec<f64>,
    /// Φ_q, row by row over all speeds.
    pub jacobian: Vec<f64>,
    /// Λ of every row.
    pub right: Vec<f64>,
    prescribed: Vec<bool>,
    given: Vec<f64>,
}

/// Solution of the equations.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Accelerations of all speeds.
    pub accelerations: Vec<f64>,
    /// λ of every row; least norm where rows are dependent.
    pub multipliers: Vec<f64>,
}

impl Equations {
    /// The equations of `model` at `state`.
    pub fn generate(model: &Model, state: &State) -> Self {
        let mut state = state.clone();
        let mut work = Workspace::new(model);
        apply_prescribed(model, &mut state, Some(&mut work.load));
        work.kinematics(model, &state);
        work.poses(model, &state);
        work.loads(model, &state);
        let bias = BiasMotion::new(model, &state);
        let n = model.speed_count();
        let mut out = Self {
            speeds: n,
            mass: vec![0.0; n * n],
            force: work.load.generalized.clone(),
            jacobian: vec![0.0; model.constraint_count() * n],
            right: bias.right.clone(),
            prescribed: model.prescribed.clone(),
            given: work.load.acceleration.clone(),
        };
        let mut partials = vec![[0.0; 6]; model.speed_count()];
        for k in 0..model.body_count() {
            work.motion.body_jacobian(model, k, &mut partials);
            out.add_body(model, &work, &partials, &bias.acceleration[k], k);
        }
        out.fill_jacobian(model, &state, &work, &mut partials);
        out
    }

    /// Virtual work of body `k`: V*(M V q̈ + M a^p + b − wrench), modes beside rigid motion.
    fn add_body(&mut self, model: &Model, work: &Workspace, partials: &[Spatial], bias: &Spatial, k: usize) {
        let (n, part) = (self.speeds, &model.layout.bodies[k]);
        let inertias = &work.inertias;
        let (rigid, coupling) = (&inertias.rigid[k], &inertias.coupling[part.modal()]);
        let modal = &inertias.modal[part.modal_square()];
        let world = &work.motion.poses.rotation[k];
        let columns: Vec<Spatial> = partials.iter().map(|column| rotate_back6(world, column)).collect();
        // Force that the products of speeds, gravity and loads ask for, on modes and on the frame.
        let alpha = rotate_back6(world, bias);
        let mut frame = rigid.apply(&alpha);
        for i in 0..6 {
            frame[i] += inertias.bias_rigid[k][i] - work.load.wrench[k][i];
        }
        for r in 0..part.modes {
            self.force[part.v + r] -= inertias.bias_modal[part.modal + r] + dot6(&coupling[r], &alpha);
        }
        for i in 0..n {
            self.force[i] -= dot6(&columns[i], &frame);
            let carried = rigid.apply(&columns[i]);
            for j in 0..n {
                self.mass[j * n + i] += dot6(&columns[j], &carried);
            }
            for (r, column) in coupling.iter().enumerate() {
                let value = dot6(column, &columns[i]);
                self.mass[(part.v + r) * n + i] += value;
                self.mass[i * n + part.v + r] += value;
            }
        }
        for r in 0..part.modes {
            for s in 0..part.modes {
                self.mass[(part.v + r) * n + part.v + s] += modal[r * part.modes + s];
            }
        }
    }

    /// Circuit equations of the chords, projected on the directions of their reactions.
    fn fill_jacobian(&mut self, model: &Model, state: &State, work: &Workspace, partials: &mut [Spatial]) {
        for joint in &model.loops {
            let (frames, relative) = loop_motion(model, state, work, joint);
            for side in 0..2 {
                work.motion.frame_jacobian(model, state, &model.frames[joint.frames[side].0], partials);
                for (row, index) in joint.rows.iter().zip(joint.row_range()) {
                    let value = row.shape.evaluate(&relative, &[0.0; 3]);
                    let wrench = unit_wrenches(&frames, &value.gradient)[1 - side];
                    for (i, column) in partials.iter().enumerate() {
                        self.jacobian[index * self.speeds + i] += dot6(column, &wrench);
                    }
                }
            }
        }
    }

    /// Accelerations and multipliers; prescribed accelerations are kept.
    pub fn solve(&self, model: &Model) -> Result<Solution, DynamicsError> {
        if let Some(k) = (0..model.body_count()).find(|&k| is_frozen(model, k)) {
            // Circuits run over the points as they are seen, and recursions over undeformed ones.
            let joint = &model.joints[k].name;
            let cause = format!(
                "equations from the linear graph know no frozen attachments (joint `{joint}`): give its bodies \
                 attachments = \"exact\""
            );
            return Err(DynamicsError::Unsupported { cause });
        }
        let (n, rows) = (self.speeds, self.right.len());
        let free: Vec<usize> = (0..n).filter(|&i| !self.prescribed[i]).collect();
        let f = free.len();
        let given = |i: usize| if self.prescribed[i] { self.given[i] } else { 0.0 };
        let known = |row: &[f64]| -> f64 { (0..n).map(|j| row[j] * given(j)).sum() };
        let mut factor: Vec<f64> =
            free.iter().flat_map(|&i| free.iter().map(move |&j| self.mass[i * n + j])).collect();
        cholesky_in_place(&mut factor, f).map_err(|pivot| singular(model, free[pivot]))?;
        let apply = |values: &mut [f64]| {
            solve_lower(&factor, f, values);
            solve_lower_transposed(&factor, f, values);
        };
        let mut open: Vec<f64> =
            free.iter().map(|&i| self.force[i] - known(&self.mass[i * n..(i + 1) * n])).collect();
        apply(&mut open);
        let row = |r: usize| &self.jacobian[r * n..(r + 1) * n];
        let mut responses: Vec<Vec<f64>> =
            (0..rows).map(|r| free.iter().map(|&i| row(r)[i]).collect()).collect();
        responses.iter_mut().for_each(|response| apply(response));
        let along =
            |r: usize, values: &[f64]| -> f64 { free.iter().zip(values).map(|(&i, x)| row(r)[i] * x).sum() };
        let reflected: Vec<f64> =
            (0..rows).flat_map(|r| responses.iter().map(move |response| along(r, response))).collect();
        let mut multipliers: Vec<f64> =
            (0..rows).map(|r| self.right[r] - known(row(r)) - along(r, &open)).collect();
        let mut pivoted = PivotedCholesky::new(rows);
        pivoted.factorize(&reflected, DEPENDENT);
        pivoted.solve(&mut multipliers);
        let mut accelerations: Vec<f64> = (0..n).map(given).collect();
        for (a, &i) in free.iter().enumerate() {
            accelerations[i] = open[a] + (0..rows).map(|r| responses[r][a] * multipliers[r]).sum::<f64>();
        }
        Ok(Solution { accelerations, multipliers })
    }
}

/// What accelerates at constant speeds: derivatives along the motion by dual numbers.
struct BiasMotion {
    /// v̇^p, ω̇^p of every body frame with −g, inertial components.
    acceleration: Vec<Spatial>,
    /// Λ: target accelerations minus the part of Φ̈ without q̈.
    right: Vec<f64>,
}

impl BiasMotion {
    fn new(model: &Model, state: &State) -> Self {
        let moving = moving_state(model, state);
        let mut work = Workspace::<Dual<1>>::new(model);
        work.kinematics(model, &moving);
        work.poses(model, &moving);
        let mut acceleration = Vec::with_capacity(model.body_count());
        for k in 0..model.body_count() {
            let mut rate =
                rotate6(&work.motion.poses.rotation[k], &work.motion.poses.velocity[k]).map(|x| x.eps[0]);
            for i in 0..3 {
                rate[3 + i] -= model.gravity[i];
            }
            acceleration.push(rate);
        }
        let mut right = vec![0.0; model.constraint_count()];
        for joint in &model.loops {
            let (_, relative) = loop_motion(model, &moving, &work, joint);
            for (row, index) in joint.rows.iter().zip(joint.row_range()) {
                let motion = row.driver.and_then(|i| joint.coordinates[i].motion.as_ref());
                let wanted = motion.map_or(0.0, |motion| motion.sample(state.time).acceleration);
                right[index] = wanted - row.shape.evaluate(&relative, &[0.0; 3]).rate.eps[0];
            }
        }
        Self { acceleration, right }
    }
}

/// `state` moving with its own speeds, which stay as they are.
fn moving_state(model: &Model, state: &State) -> State<Dual<1>> {
    let mut moving = State::<Dual<1>>::lift(state);
    let mut rate = [0.0; 6];
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        for (q, speed) in moving.q[part.modal_q()].iter_mut().zip(&state.v[part.modal_v()]) {
            q.eps = [*speed];
        }
        let (kind, rate) = (&joint.joint.kind, &mut rate[..part.joint_v]);
        let (q, u) = (&state.q[part.joint_q()], &state.v[part.joint_v()]);
        kind.increment_rate(q, &[0.0; 6][..part.joint_v], u, rate);
        let start: Vec<Dual<1>> = q.iter().map(|&x| Dual::from_f64(x)).collect();
        let step: Vec<Dual<1>> = rate.iter().map(|&x| Dual::new(0.0, [x])).collect();
        kind.retract(&start, &step, &mut moving.q[part.joint_q()]);
    }
    moving
}

/// α_R of every body for the accelerations of all speeds, inertial components with −g.
fn referred_accelerations(
    model: &Model,
    state: &State,
    work: &Workspace,
    accelerations: &[f64],
) -> Vec<Spatial> {
    let mut list = BiasMotion::new(model, state).acceleration;
    let mut partials = vec![[0.0; 6]; model.speed_count()];
    for (k, alpha) in list.iter_mut().enumerate() {
        work.motion.body_jacobian(model, k, &mut partials);
        for (column, &x) in partials.iter().zip(accelerations) {
            *alpha = add6(alpha, &scale6(x, column));
        }
    }
    list
}
