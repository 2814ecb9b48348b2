//! Checks of Mukherjee & Anderson: joint forces and accelerations of divide and conquer against the paper's handle equations multiplied out.

use super::checks::{Found, finding};
use super::models::{apart, arm, floating_arm, pulled_arm};
use super::operators::{Matrix, Operators, Vector};
use crate::context::Fault;
use flexura::algorithm::divide_and_conquer::{
    DivideAndConquer, Par, complement, divide_and_conquer, evaluate_loads, joint_forces,
};
use flexura::spatial::{cross, dot6, shift_motion};
use flexura::{Model, State, Workspace};

/// Handle equations of a body or an assembly (1)-(6): A_i = Σ ζ_ij F_j + ζ_i3.
struct Handles {
    zeta: [[Matrix; 2]; 2],
    free: [Vector; 2],
}

/// The arm by divide and conquer, one body per leaf, with its operators.
struct Divided {
    model: Model,
    all: Operators,
    work: Workspace,
    solver: DivideAndConquer,
}

impl Divided {
    fn new((model, state): (Model, State)) -> Result<Self, Fault> {
        let (all, work) = Operators::at(&model, &state)?;
        let mut solver = DivideAndConquer::with_leaf(&model, 1);
        let kin = &work.motion.kinematics;
        divide_and_conquer(&model, kin, &work.inertias, &work.load, &mut solver, Par::Serial)?;
        joint_forces(&model, kin, &work.inertias, &work.load, &mut solver);
        Ok(Self { model, all, work, solver })
    }

    /// C of the inboard and of the outboard handle: (31)-(34), (60); the last body has its frame twice.
    fn rows(&self, k: usize) -> [Matrix; 2] {
        let (n, wide) = (self.all.modes[k], self.all.rows[k].len());
        let mut inboard = Matrix::zeros(6, wide);
        inboard.view_mut((0, n), (6, 6)).fill_with_identity();
        if k + 1 == self.model.body_count() {
            return [inboard.clone(), inboard];
        }
        let step = self.all.block(&self.all.step, k, k + 1);
        [inboard, step.columns(self.all.modes[k + 1], 6).transpose()]
    }

    /// (59)-(69), in the form that holds for any modes (errata E5): ζ_ij = C_i M_m⁻¹ C_j*.
    fn handles(&self, k: usize) -> Result<Handles, Fault> {
        let rows = self.rows(k);
        let mass =
            self.all.block(&self.all.mass, k, k).try_inverse().ok_or_else(|| Fault("singular".into()))?;
        let mut force = self.all.force.rows(self.all.rows[k].start, self.all.rows[k].len()).into_owned();
        for r in 0..self.all.modes[k] {
            force[r] -= self.all.load[self.all.speeds[k].start + r];
        }
        let zeta = |i: usize, j: usize| &rows[i] * &mass * rows[j].transpose();
        let free = |i: usize| -(&rows[i] * &mass * &force);
        Ok(Handles { zeta: [[zeta(0, 0), zeta(0, 1)], [zeta(1, 0), zeta(1, 1)]], free: [free(0), free(1)] })
    }

    fn hinge(&self, k: usize) -> Matrix {
        let (n, joint) = (self.all.modes[k], self.all.joint_of(k));
        joint.view((n, n), (joint.nrows() - n, 6)).transpose()
    }

    /// Ḣu of joint `k`, with −g at the ground.
    fn bias(&self, k: usize) -> Vector {
        Vector::from_column_slice(&self.all.frame(&self.all.bias, k))
    }

    fn joint_force(&self, k: usize) -> Vector {
        Vector::from_column_slice(&self.solver.joint_force[k])
    }

    /// A of both handles of body `k`, from the accelerations found.
    fn accelerations(&self, k: usize) -> [Vector; 2] {
        let chidot = Vector::from_column_slice(&self.solver.chidot);
        let wide = self.all.chain.transpose() * (self.all.joint.transpose() * chidot + &self.all.bias);
        let own = wide.rows(self.all.rows[k].start, self.all.rows[k].len()).into_owned();
        self.rows(k).map(|rows| rows * &own)
    }

    /// Force on the outboard handle: what the next body pulls with.
    fn outer_force(&self, k: usize) -> Vector {
        if k + 1 == self.model.body_count() { Vector::zeros(6) } else { -self.joint_force(k + 1) }
    }
}

/// Ŵ and Ŷ of joint `k` between an inner and an outer assembly (77), (82), (83).
fn joint_system(
    inner: &Handles,
    outer: &Handles,
    hinge: &Matrix,
    bias: &Vector,
) -> Result<(Matrix, Vector), Fault> {
    let away = basis(hinge);
    let inverse = (away.transpose() * (&outer.zeta[0][0] + &inner.zeta[1][1]) * &away).try_inverse();
    let weight = &away * inverse.ok_or_else(|| Fault("singular".into()))? * away.transpose();
    let drive = &weight * (&inner.free[1] - &outer.free[0] + bias);
    Ok((weight, drive))
}

/// Columns orthogonal to those of `hinge`, by eigenvectors of the projection.
fn basis(hinge: &Matrix) -> Matrix {
    let square = hinge.transpose() * hinge;
    let inverse = square.try_inverse().unwrap_or_else(|| Matrix::zeros(hinge.ncols(), hinge.ncols()));
    let eigen = (Matrix::identity(6, 6) - hinge * inverse * hinge.transpose()).symmetric_eigen();
    let free: Vec<usize> = (0..6).filter(|&i| eigen.eigenvalues[i] > 0.5).collect();
    eigen.eigenvectors.select_columns(&free)
}

/// Υ of two assemblies (84)-(91).
fn assemble(inner: &Handles, outer: &Handles, weight: &Matrix, drive: &Vector) -> Handles {
    let [[a, b], [c, _]] = &inner.zeta;
    let [[_, e], [f, g]] = &outer.zeta;
    Handles {
        zeta: [[a - b * weight * c, b * weight * e], [f * weight * c, g - f * weight * e]],
        free: [&inner.free[0] - b * drive, &outer.free[1] + f * drive],
    }
}

pub(super) fn handle_equations_hold() -> Found {
    let divided = Divided::new(arm("gram")?)?;
    let (mut found, mut known) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for k in 0..divided.model.body_count() {
        let own = divided.handles(k)?;
        let (first, second) = (divided.joint_force(k), divided.outer_force(k));
        let accelerations = divided.accelerations(k);
        for i in 0..2 {
            let value = &own.zeta[i][0] * &first + &own.zeta[i][1] * &second + &own.free[i];
            found[i].extend(value.iter());
            known[i].extend(accelerations[i].iter());
        }
    }
    Ok(vec![
        finding(
            "ζ11 F1 + ζ12 F2 + ζ13 of every body against the acceleration of its inboard handle",
            apart(&found[0], &known[0]),
            1e-8,
        ),
        finding(
            "ζ21 F1 + ζ22 F2 + ζ23 against that of its outboard handle",
            apart(&found[1], &known[1]),
            1e-8,
        ),
    ])
}

pub(super) fn bodies_balance_between_their_handles() -> Found {
    let divided = Divided::new(arm("gram")?)?;
    let chidot = Vector::from_column_slice(&divided.solver.chidot);
    let all = &divided.all;
    let wide = all.chain.transpose() * (all.joint.transpose() * chidot + &all.bias);
    let own = &all.mass * wide + &all.force;
    let mut worst = [0.0_f64; 2];
    for k in 0..divided.model.body_count() {
        let (n, rows) = (all.modes[k], divided.rows(k));
        let mut rest = own.rows(all.rows[k].start, all.rows[k].len()).into_owned();
        rest -= rows[0].transpose() * divided.joint_force(k) + rows[1].transpose() * divided.outer_force(k);
        for r in 0..n {
            rest[r] -= all.load[all.speeds[k].start + r];
        }
        worst[0] = worst[0].max(rest.rows(0, n).iter().fold(0.0, |m: f64, x| m.max(x.abs())));
        worst[1] = worst[1].max(rest.rows(n, 6).amax());
    }
    Ok(vec![
        finding("modal rows of Γ[A; q̈] + β less γ F at both handles", worst[0] / own.amax(), 1e-10),
        finding("rows of the frame of the same", worst[1] / own.amax(), 1e-10),
    ])
}

pub(super) fn assembled_handles_give_the_joint_forces() -> Found {
    let divided = Divided::new(arm("gram")?)?;
    let (root, middle, tip) = (divided.handles(0)?, divided.handles(1)?, divided.handles(2)?);
    let (weight, drive) = joint_system(&middle, &tip, &divided.hinge(2), &divided.bias(2))?;
    let outer = assemble(&middle, &tip, &weight, &drive);
    let (first_weight, first_drive) = joint_system(&root, &outer, &divided.hinge(1), &divided.bias(1))?;
    let whole = assemble(&root, &outer, &first_weight, &first_drive);
    let (speed, force) = anchored(&divided, &whole)?;
    // Disassembly: (81) at the elbow, then at the wrist.
    let elbow = &first_weight * &root.zeta[1][0] * &force + &first_drive;
    let wrist = &weight * &middle.zeta[1][0] * &elbow + &drive;
    let at = divided.all.speeds[0].start + divided.all.modes[0];
    let close = |what, found: &Vector, k: usize| {
        finding(what, apart(found.as_slice(), &divided.solver.joint_force[k]), 1e-8)
    };
    Ok(vec![
        finding(
            "u̇ of the base joint by (12) against divide and conquer",
            apart(speed.as_slice(), &divided.solver.chidot[at..at + 1]),
            1e-9,
        ),
        close("F_c at the base against joint forces of disassembly", &force, 0),
        close("F_c at the elbow by (81) against the same", &elbow, 1),
        close("F_c at the wrist by (81) against the same", &wrist, 2),
    ])
}

/// (8)-(12): u̇ of the base joint, and the force there.
fn anchored(divided: &Divided, whole: &Handles) -> Result<(Vector, Vector), Fault> {
    let (hinge, bias) = (divided.hinge(0), divided.bias(0));
    let inverse = whole.zeta[0][0].clone().try_inverse().ok_or_else(|| Fault("singular".into()))?;
    let square =
        (hinge.transpose() * &inverse * &hinge).try_inverse().ok_or_else(|| Fault("singular".into()))?;
    let speed = square * hinge.transpose() * &inverse * (&whole.free[0] - &bias);
    let force = inverse * (hinge * &speed + bias - &whole.free[0]);
    Ok((speed, force))
}

pub(super) fn roots_are_anchored_or_free() -> Found {
    let mut list = assembled_handles_give_the_joint_forces()?;
    list.truncate(1);
    let divided = Divided::new(floating_arm("gram")?)?;
    let (root, middle, tip) = (divided.handles(0)?, divided.handles(1)?, divided.handles(2)?);
    let (weight, drive) = joint_system(&middle, &tip, &divided.hinge(2), &divided.bias(2))?;
    let outer = assemble(&middle, &tip, &weight, &drive);
    let (weight, drive) = joint_system(&root, &outer, &divided.hinge(1), &divided.bias(1))?;
    let whole = assemble(&root, &outer, &weight, &drive);
    let value = apart(whole.free[0].as_slice(), divided.accelerations(0)[0].as_slice());
    list.push(finding("Υ13 of a floating arm against the acceleration of its base (7)", value, 1e-8));
    Ok(list)
}

pub(super) fn complements_are_orthogonal() -> Found {
    let divided = Divided::new(arm("gram")?)?;
    let (mut across, mut unit, mut forces, mut count) = (0.0_f64, 0.0_f64, 0.0_f64, 0);
    for k in 0..divided.model.body_count() {
        let own = &divided.work.motion.kinematics.subspace[divided.model.layout.bodies[k].joint()];
        // Seen from elsewhere, so that no column is a unit vector.
        let columns: Vec<_> = own.iter().map(|h| shift_motion(&[0.3, -0.2, 0.5], h)).collect();
        let mut basis = [[0.0; 6]; 6];
        let found = complement(&columns, &mut basis);
        count += found + columns.len();
        for (i, d) in basis[..found].iter().enumerate() {
            across = columns.iter().fold(across, |most, h| most.max(dot6(d, h).abs()));
            for (j, other) in basis[..found].iter().enumerate() {
                unit = unit.max((dot6(d, other) - f64::from(u8::from(i == j))).abs());
            }
        }
        // (75): the joints of the arm carry nothing along H.
        let force = &divided.solver.joint_force[k];
        let size = dot6(force, force).sqrt();
        forces = own.iter().fold(forces, |most, h| most.max(dot6(force, h).abs() / size));
    }
    Ok(vec![
        finding("D* H of three joints", across, 1e-14),
        finding("D* D less 1", unit, 1e-14),
        finding("columns of H and D beyond six per joint", (count as f64 - 18.0).abs(), 0.0),
        finding("joint forces of disassembly along H", forces, 1e-10),
    ])
}

pub(super) fn body_forces_are_virtual_work() -> Found {
    let (model, state, force) = pulled_arm()?;
    let mut divided = Divided::new((model, state.clone()))?;
    let (model, motion) = (&divided.model, &divided.work.motion);
    let mut load = divided.work.load.clone();
    load.generalized.fill(0.0);
    load.wrench.fill([0.0; 6]);
    evaluate_loads(model, &state, motion, &mut load, &mut divided.solver, Par::Serial);
    // (51)-(53) with errata E4: r × f, f and φ · f of a force at the tip of the second body, in its components.
    let (k, tip) = (1, &model.frames[model.frame("fore.tip").ok_or_else(|| Fault("no frame".into()))?.0]);
    let turned = flexura::spatial::transposed_matrix_vector(&motion.poses.rotation[k], &force);
    let (part, index) = (&model.layout.bodies[k], tip.mount.attachment);
    let place = motion.kinematics.attachments[part.attachment + index].state.position;
    let known: Vec<f64> = cross(&place, &turned).into_iter().chain(turned).collect();
    let shapes = &motion.kinematics.influence[part.influence(index)];
    let damping = |r: usize| {
        (0..part.modes)
            .map(|s| model.bodies[k].damping.entry(r, s, part.modes) * state.v[part.v + s])
            .sum::<f64>()
    };
    let modal: Vec<f64> = shapes
        .iter()
        .enumerate()
        .map(|(r, c)| c[3] * turned[0] + c[4] * turned[1] + c[5] * turned[2] - damping(r))
        .collect();
    Ok(vec![
        finding(
            "r × f and f of a pulled tip against the wrench on its body",
            apart(&load.wrench[k], &known),
            1e-13,
        ),
        finding(
            "φ · f of its modes against their generalised forces",
            apart(&load.generalized[part.modal_v()], &modal),
            1e-13,
        ),
    ])
}
