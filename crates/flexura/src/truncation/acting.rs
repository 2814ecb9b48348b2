//! Forces on one body at one instant, place by place.
//!
//! All wrenches are at the reference frame F_k in its components; `still` leaves out the inertia of modal accelerations.
//! Inertia follows every mass node as a small rigid body: f = m a_c, n = J α + ω × Jω + m o × a about the node.

use crate::model::body::Attachment;
use crate::model::body_load::LoadAxes;
use crate::model::{Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::motion::observe::reference_acceleration;
use crate::spatial::{
    Spatial, Vector3, add, add6, angular, cross, dot6, join, linear, matrix_product,
    matrix_product_transposed, matrix_vector, negate6, rotate6, scale, scale6, shift_force, shift_motion,
    sub6, transposed_matrix_vector,
};
use crate::state::State;
use crate::workspace::Workspace;

/// Where a force comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Joints, forces and elements at an attachment.
    Attachment(usize),
    /// Weight and inertia of the body.
    Mass,
    /// A load spread over the body.
    Spread(usize),
}

/// One place and its wrenches.
#[derive(Clone, Debug)]
pub(super) struct Force {
    pub source: Source,
    /// Undeformed place in the body frame (m).
    pub place: Vector3,
    pub total: Spatial,
    pub still: Spatial,
}

/// All forces on a body.
#[derive(Clone, Debug)]
pub(super) struct Acting {
    body: usize,
    children: Vec<usize>,
    masses: Vec<Attachment>,
    columns: Vec<Spatial>,
    /// Generalised force of the inertia of modal accelerations on each mode.
    pub vibration: Vec<f64>,
    pub list: Vec<Force>,
}

impl Acting {
    /// `by_nodes`: whether inertia is followed mass node by mass node.
    pub fn new(model: &Model, body: usize, by_nodes: bool) -> Self {
        let own = &model.bodies[body];
        let nodes = if by_nodes { &own.nodes[..] } else { &[] };
        let force =
            |source, place: &Vector3| Force { source, place: *place, total: [0.0; 6], still: [0.0; 6] };
        let attachments = own.attachments.iter().enumerate();
        let mut list: Vec<Force> =
            attachments.map(|(i, point)| force(Source::Attachment(i), &point.shape.position)).collect();
        list.extend(nodes.iter().map(|node| force(Source::Mass, &node.shape.position)));
        let loads = model.loads.iter().enumerate().filter(|(_, load)| load.body.0 == body);
        for (index, load) in loads {
            let points = load.points.iter().map(|point| &point.attachment.shape.position);
            list.extend(points.map(|place| force(Source::Spread(index), place)));
        }
        Self {
            body,
            children: (0..model.body_count()).filter(|k| model.joints[*k].parent == Some(body)).collect(),
            masses: nodes.iter().map(|node| Attachment::new(node.shape.clone(), own.rule)).collect(),
            columns: vec![[0.0; 6]; own.modes],
            vibration: vec![0.0; own.modes],
            list,
        }
    }

    /// Forces at `state`; the workspace holds its evaluation with reactions and wrenches of all attachments.
    pub fn fill(&mut self, model: &Model, state: &State, work: &Workspace) {
        self.at_attachments(model, work);
        self.inertia(model, state, work);
        self.spread(model, state, work);
    }

    /// Sum of all wrenches against the sum of their sizes: zero where they balance.
    pub fn imbalance(&self) -> f64 {
        let (mut sum, mut size) = ([0.0; 6], 0.0);
        for force in &self.list {
            sum = add6(&sum, &force.total);
            size += linear(&force.total).iter().map(|x| x.abs()).sum::<f64>();
        }
        let open: f64 = linear(&sum).iter().map(|x| x.abs()).sum();
        if size == 0.0 { 0.0 } else { open / size }
    }

    fn at_attachments(&mut self, model: &Model, work: &Workspace) {
        let (k, kin) = (self.body, &work.motion.kinematics);
        let slots = layout_of(model, k).attachment;
        for i in 0..model.bodies[k].attachments.len() {
            let position = kin.attachments[slots + i].state.position;
            let applied = work.load.points.get(slots + i).map_or([0.0; 6], |w| shift_force(&position, w));
            self.list[i].total = applied;
        }
        let inner = &mut self.list[model.joints[k].inner.attachment].total;
        *inner = add6(inner, &work.inverse.joint_force[k]);
        for &child in &self.children {
            let outer = &mut self.list[model.joints[child].outer.attachment].total;
            *outer = add6(outer, &on_parent(kin, child, &work.inverse.joint_force[child]));
        }
        let count = model.bodies[k].attachments.len();
        self.list[..count].iter_mut().for_each(|force| force.still = force.total);
    }

    fn inertia(&mut self, model: &Model, state: &State, work: &Workspace) {
        let (k, body, part) = (self.body, &model.bodies[self.body], layout_of(model, self.body));
        let (found, kin) = (&work.accelerations, &work.motion.kinematics);
        let alpha = reference_acceleration(model, kin, &found.acceleration, &found.chidot, k);
        let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
        let vibration = &found.chidot[part.modal_v()];
        self.vibration.fill(0.0);
        let (omega, first) = (kin.bodies[k].omega, body.attachments.len());
        for (j, (node, mass)) in body.nodes.iter().zip(&self.masses).enumerate() {
            mass.fill_constant_influence(&mut self.columns);
            let here = mass.evaluate(body.rule, eta, rate, &mut self.columns);
            let still = add6(&shift_motion(&here.position, &alpha), &here.bias(&omega));
            let columns = self.columns.iter().zip(vibration);
            let moving = columns.fold(still, |sum, (column, &x)| add6(&sum, &scale6(x, column)));
            let turned = matrix_product(&here.rotation, &node.inertia);
            let inertia = matrix_product_transposed(&turned, &here.rotation);
            let arm = matrix_vector(&here.rotation, &node.offset);
            let spin = add(&omega, &angular(&here.rate));
            let wrench = |a: &Spatial| {
                let (turn, shift) = (angular(a), linear(a));
                let whirl = cross(&spin, &cross(&spin, &arm));
                let center = add(&add(&shift, &cross(&turn, &arm)), &whirl);
                let gyro = cross(&spin, &matrix_vector(&inertia, &spin));
                let lever = scale(node.mass, &cross(&arm, &shift));
                let moment = add(&add(&matrix_vector(&inertia, &turn), &gyro), &lever);
                negate6(&join(&moment, &scale(node.mass, &center)))
            };
            let (moving, still) = (wrench(&moving), wrench(&still));
            let by_modes = sub6(&moving, &still);
            for (sum, column) in self.vibration.iter_mut().zip(&self.columns) {
                *sum += dot6(column, &by_modes);
            }
            self.list[first + j].total = shift_force(&here.position, &moving);
            self.list[first + j].still = shift_force(&here.position, &still);
        }
    }

    fn spread(&mut self, model: &Model, state: &State, work: &Workspace) {
        let (k, body, part) = (self.body, &model.bodies[self.body], layout_of(model, self.body));
        let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
        let mut slot = body.attachments.len() + self.masses.len();
        let loads = model.loads.iter().enumerate().filter(|(_, load)| load.body.0 == k);
        for (index, load) in loads {
            let factor = work.load.body_scale[index];
            for point in &load.points {
                point.attachment.fill_constant_influence(&mut self.columns);
                let here = point.attachment.evaluate(body.rule, eta, rate, &mut self.columns);
                let force = scale(factor, &point.force);
                let force = match load.axes {
                    LoadAxes::Inertial => transposed_matrix_vector(&work.motion.poses.rotation[k], &force),
                    LoadAxes::Body => force,
                    LoadAxes::Follower => matrix_vector(&here.rotation, &force),
                };
                let wrench = shift_force(&here.position, &join(&[0.0; 3], &force));
                (self.list[slot].total, self.list[slot].still) = (wrench, wrench);
                slot += 1;
            }
        }
    }
}

/// What body `child` does to its parent through its joint, at the parent's frame in its components.
fn on_parent(kin: &Kinematics, child: usize, joint_force: &Spatial) -> Spatial {
    let motion = &kin.bodies[child];
    negate6(&shift_force(&motion.from_parent, &rotate6(&motion.rotation, joint_force)))
}
