//! Impulses of the road and of gravity against the momenta of a vehicle of rigid bodies.
//!
//! With p the linear momentum, L the angular momentum about the inertial origin, r the centre of mass and F, M the loads
//! on the whole (M about the origin),
//!
//! p(t) − p(0) = ∫ F dt,   L_c(t) − L_c(0) = ∫ (M − r × F) dt,   L_c = L − r × p.
//!
//! Only poses, momenta and forces of tyres enter, none of the equations that were solved.

use crate::context::Fault;
use crate::run::Run;
use flexura::build::Built;
use flexura::model::description::BodyKind;
use flexura::spatial::{cross, sub};

type Vector = [f64; 3];

/// Columns of a vector channel.
struct Columns([Vec<f64>; 3]);

impl Columns {
    fn new(run: &Run, name: &str) -> Result<Self, Fault> {
        let [x, y, z] = ["x", "y", "z"].map(|axis| run.channel(&format!("{name}.{axis}")));
        Ok(Self([x?.y, y?.y, z?.y]))
    }

    fn at(&self, row: usize) -> Vector {
        [0, 1, 2].map(|axis| self.0[axis][row])
    }
}

/// Where a rigid body is, and where its mass.
struct Part {
    mass: f64,
    center: Vector,
    position: Columns,
    scalar: Vec<f64>,
    axis: Columns,
}

impl Part {
    fn new(built: &Built, run: &Run) -> Result<Vec<Self>, Fault> {
        let mut parts = Vec::new();
        for body in &built.description.bodies {
            let BodyKind::Rigid(rigid) = &body.kind else {
                return Err(Fault(format!("body `{}` is not rigid", body.name)));
            };
            parts.push(Self {
                mass: rigid.mass,
                center: rigid.center_of_mass,
                position: Columns::new(run, &format!("{}.position", body.name))?,
                scalar: run.channel(&format!("{}.quaternion.w", body.name))?.y,
                axis: Columns::new(run, &format!("{}.quaternion", body.name))?,
            });
        }
        Ok(parts)
    }

    /// Centre of mass in the inertial frame.
    fn center(&self, row: usize) -> Vector {
        let (axis, position) = (self.axis.at(row), self.position.at(row));
        let once = cross(&axis, &self.center);
        let twice = cross(&axis, &once);
        [0, 1, 2].map(|i| position[i] + self.center[i] + 2.0 * (self.scalar[row] * once[i] + twice[i]))
    }
}

/// Largest lack of impulse over the largest change of momentum: linear, and angular about the centre of mass.
pub fn imbalance(built: &Built, run: &Run, tyres: &[(&str, &str)]) -> Result<[f64; 2], Fault> {
    let parts = Part::new(built, run)?;
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    let gravity = built.model.gravity;
    let mut roads = Vec::new();
    for (tyre, wheel) in tyres {
        let columns = |name: String| Columns::new(run, &name);
        roads.push([
            columns(format!("{wheel}.position"))?,
            columns(format!("{tyre}.force"))?,
            columns(format!("{tyre}.moment"))?,
        ]);
    }
    let momenta = ["linear", "angular"].map(|kind| Columns::new(run, &format!("momentum.{kind}")));
    let [linear, angular] = momenta;
    let (linear, angular) = (linear?, angular?);
    let time = run.time();
    let mut rows = Vec::with_capacity(time.len());
    for row in 0..time.len() {
        let weighted = parts.iter().map(|part| part.center(row).map(|x| x * part.mass / mass));
        let center = weighted.fold([0.0; 3], |sum, x| [0, 1, 2].map(|i| sum[i] + x[i]));
        let (mut force, mut moment) = (gravity.map(|g| mass * g), [0.0; 3]);
        for [position, push, twist] in &roads {
            let (push, twist) = (push.at(row), twist.at(row));
            let arm = cross(&sub(&position.at(row), &center), &push);
            for i in 0..3 {
                force[i] += push[i];
                moment[i] += arm[i] + twist[i];
            }
        }
        let p = linear.at(row);
        rows.push([p, force, sub(&angular.at(row), &cross(&center, &p)), moment]);
    }
    Ok([0, 2].map(|k| lack(&time, &rows, k)))
}

/// Of the momentum in column `k` against the impulse of the load in the next, by the trapezoidal rule.
fn lack(time: &[f64], rows: &[[Vector; 4]], k: usize) -> f64 {
    let norm = |v: Vector| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut impulse, mut worst, mut size) = ([0.0; 3], 0.0_f64, 0.0_f64);
    for row in 1..rows.len() {
        let step = time[row] - time[row - 1];
        for i in 0..3 {
            impulse[i] += 0.5 * step * (rows[row][k + 1][i] + rows[row - 1][k + 1][i]);
        }
        let change = sub(&rows[row][k], &rows[0][k]);
        size = size.max(norm(change));
        worst = crate::sampled::keep_worst(worst, norm(sub(&change, &impulse)));
    }
    worst / size
}
