//! Forward dynamics by divide and conquer: O(log n) time on O(n) processors.
//!
//! Source: Mukherjee & Anderson, "A logarithmic complexity divide-and-conquer
//! algorithm for multi-flexible articulated body dynamics", with errata E1-E11,
//! extended to trees, any joint, any modes, prescribed coordinates and massless
//! parts. Parts of the system are assembled two by two into handle equations
//! (`element`), in an order that keeps the depth logarithmic for every tree
//! (`assembly_tree`); the top is solved and the parts are taken apart again
//! (`sweep`). The leaves are runs of bodies eliminated by the O(N) recursion with a
//! second handle (`run_inward`, `run_outward`), so that one thread loses little.
//!
//! | paper | here |
//! |---|---|
//! | ζ_ij, Υ_ij (1-6, 77-80, 84-87) | `Element`: P, X, Ω, z, c |
//! | H, D (35, 36) | joint columns, `complement` |
//! | assembly (71-87), disassembly (88-91) | `join`, `part` |
//! | Γ_FF⁻¹ (55-67) | Cholesky factor of the modal block: once in `prefactored`, else in `eliminate` |
//!
//! Kinematic loops are closed at the assembly where both ends of a joint meet (`loops`).
//!
//! Results depend on the model only, bit by bit, for any number of threads. Cost per
//! body: that of articulated bodies plus about 260 products for the second handle.
//! Kinematics, mass blocks and loads run in the same hierarchic way (`motion`, `poses`, `body_forces`).

mod acting;
mod assembly_tree;
mod body_forces;
mod chunks;
mod complement;
mod cuts;
mod element;
mod eliminate;
mod indefinite;
mod items;
mod joint_forces;
mod loops;
mod motion;
mod parallel;
mod planner;
mod poses;
mod prefactored;
mod refine;
mod run_inward;
mod run_outward;
mod scan;
mod share;
mod storage;
mod sums;
mod sweep;
mod totals;
mod updated;

pub use assembly_tree::{AssemblyTree, GROUND, Kind, Node, Topology};
pub use body_forces::evaluate_loads;
#[doc(hidden)]
pub use complement::complement;
pub(crate) use cuts::assembly_tree;
pub(crate) use joint_forces::forces_into;
pub use joint_forces::joint_forces;
pub use loops::close_loops;
pub(crate) use loops::{Level, correct_loops, evaluate_loop_rows};
pub use motion::evaluate_motion;
pub use parallel::{Par, Threads};
pub(crate) use poses::evaluate_poses;
pub use refine::{Residual, refine, refine_loops};
pub(crate) use share::{Piece, Role, Share, SharedBody, Whole, put, take};
pub(crate) use totals::{add_power, totals};

use super::body_inertia::BodyInertias;
use crate::algorithm::accelerations::Accelerations;
use crate::error::DynamicsError;
use crate::model::{Model, layout_of};
use crate::motion::kinematics::{Kinematics, Relative};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, Vector3};
use crate::state::Load;
use acting::Acting;
use chunks::{Along, Part, for_all_bodies};
use items::Items;
use loops::{NodePlan, Rows};
use motion::Spin;
use poses::{Pose, PoseMap};
use prefactored::Route;
use scan::Scan;
use share::Phase;
use std::ops::Range;
use storage::{Offsets, Storage, offsets};

/// Bodies in a leaf: long enough that joining leaves costs little, short enough for many threads.
#[doc(hidden)]
pub const LEAF_BODIES: usize = 64;

/// Leaves of a long system: enough for many threads, so that joining leaves costs still less.
const MANY_LEAVES: usize = 64;

/// Bodies in the longest leaf that is chosen.
const LONGEST_LEAF: usize = 512;

/// Bodies in a leaf of a model with loops: rows closed inside a leaf cost the cube of their number.
#[doc(hidden)]
pub const LOOP_LEAF_BODIES: usize = 6;

/// Everything the sweeps read.
pub(crate) struct Context<'a, S> {
    model: &'a Model,
    kin: &'a Kinematics<S>,
    inertias: &'a BodyInertias<S>,
    load: &'a Load<S>,
    tree: &'a AssemblyTree,
    offsets: &'a [Offsets],
    plans: &'a [Option<Box<NodePlan>>],
    routes: &'a [Route],
    /// Constant factors of bodies whose modal mass is updated.
    factors: &'a [S],
    /// Rows of loops, where these are to be closed.
    rows: Option<&'a Rows<S>>,
    /// Solve M χ̇ = forces, without velocity terms, gravity, wrenches and prescribed motion.
    mass_only: bool,
    /// Whether children of a node run at the same time.
    parallel: bool,
    /// Whose the nodes are, where several ranks take part.
    roles: &'a [Role],
    phase: Phase,
}

/// Assembly tree, scratch and results of divide and conquer.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct DivideAndConquer<S = f64> {
    /// Generalised accelerations χ̇.
    pub chidot: Vec<S>,
    /// Driving force of each prescribed speed; zero elsewhere.
    pub driving: Vec<S>,
    /// Force each joint exerts on its body at F_k, F_k components; filled by [`joint_forces`].
    pub joint_force: Vec<Spatial<S>>,
    tree: AssemblyTree,
    identity: bool,
    offsets: Vec<Offsets>,
    plans: Vec<Option<Box<NodePlan>>>,
    routes: Vec<Route>,
    factors: Vec<S>,
    rows: Rows<S>,
    storage: Storage<S>,
    /// What joints add to the motion of their parents; empty where all have the one-axis short cut.
    relative: Vec<Relative<S>>,
    spin: Scan<Spin<S>, Vector3<S>>,
    poses: Scan<PoseMap<S>, Pose<S>>,
    /// Power of efforts, dampers, friction and modal damping of every body (W).
    body_power: Vec<[S; 4]>,
    /// What acts on every body.
    acting: Acting,
    items: Items<S>,
    /// No force at all, for corrections of positions and speeds of models with loops.
    nothing: Option<Box<Load<S>>>,
    /// Whether forces between assemblies are those of the accelerations last handed out.
    forces_stand: bool,
    /// The part of this rank, where several take part.
    pub(crate) share: Option<Box<Share>>,
}

impl<S: Scalar> DivideAndConquer<S> {
    /// Scratch for `model` with leaves of [`LEAF_BODIES`] bodies, longer ones in systems of more than
    /// 4,096, [`LOOP_LEAF_BODIES`] if it has loops.
    pub fn new(model: &Model) -> Self {
        Self::with_leaf(model, Self::usual_leaf(model))
    }

    /// Scratch with leaves of `leaf` bodies; one body per leaf is divide and conquer throughout.
    pub fn with_leaf(model: &Model, leaf: usize) -> Self {
        Self::with_tree(model, assembly_tree(model, leaf))
    }

    /// Leaves of about this many bodies are chosen for `model`.
    pub(crate) fn usual_leaf(model: &Model) -> usize {
        let long = (model.body_count() / MANY_LEAVES).clamp(LEAF_BODIES, LONGEST_LEAF);
        if model.loops.is_empty() { long } else { LOOP_LEAF_BODIES }
    }

    /// Scratch for the part of one rank: its bodies, those of the top and those it shares, with the tree over them.
    pub(crate) fn of_part(model: &Model, tree: AssemblyTree, share: Share) -> Self {
        Self { share: Some(Box::new(share)), ..Self::with_tree(model, tree) }
    }

    fn with_tree(model: &Model, tree: AssemblyTree) -> Self {
        let offsets = offsets(model, &tree);
        let total = offsets.last().copied().unwrap_or_default();
        let plans = loops::plans(model, &tree);
        let mut routes = prefactored::routes(model, &tree);
        let series = routes.iter().any(|route| *route != Route::Direct);
        let mut storage = Storage::new(&total, tree.nodes.len(), series);
        let factors = prefactored::prepare(model, &tree, &offsets, &mut routes, &mut storage);
        loops::allocate(model, &tree, &plans, &mut storage.nodes);
        let general = model.joints.iter().any(|joint| joint.fixed.is_none());
        Self {
            relative: vec![Relative::ZERO; if general { model.body_count() } else { 0 }],
            spin: Scan::new(&tree, Spin::identity(), [S::ZERO; 3]),
            poses: Scan::new(&tree, PoseMap::identity(), Pose::of_ground()),
            chidot: vec![S::ZERO; model.speed_count()],
            driving: vec![S::ZERO; model.speed_count()],
            joint_force: vec![[S::ZERO; 6]; model.body_count()],
            identity: tree.is_identity(),
            storage,
            tree,
            offsets,
            plans,
            routes,
            factors,
            rows: Rows::new(model),
            body_power: vec![[S::ZERO; 4]; model.body_count()],
            acting: Acting::new(model),
            items: Items::new(model),
            nothing: (!model.loops.is_empty()).then(|| Box::new(Load::new(model))),
            forces_stand: false,
            share: None,
        }
    }

    /// Whether [`joint_forces`] can be had: no correction of a state has gone through the assemblies since accelerations were found.
    pub(crate) fn forces_stand(&self) -> bool {
        self.forces_stand
    }

    /// The order of assemblies.
    pub fn tree(&self) -> &AssemblyTree {
        &self.tree
    }

    /// Hinge-referred acceleration α_R of a body, gravity included as −g at the base.
    pub fn acceleration(&self, body: usize) -> &Spatial<S> {
        &self.storage.acceleration[self.tree.position[body]]
    }

    /// Results from the order of elimination to that of the model.
    fn hand_out(&mut self, model: &Model, parallel: bool) {
        if self.identity {
            std::mem::swap(&mut self.chidot, &mut self.storage.chidot);
            std::mem::swap(&mut self.driving, &mut self.storage.driving);
            return;
        }
        let (from, offsets, position) = (&self.storage, &self.offsets, &self.tree.position);
        let data = (Part::new(&mut self.chidot, Along::Speeds), Part::new(&mut self.driving, Along::Speeds));
        for_all_bodies(model, data, parallel, &|bodies, (mut chidot, mut driving)| {
            for k in bodies {
                let first = offsets[position[k]].speed;
                let speeds = layout_of(model, k).speeds();
                let found = first..first + speeds.len();
                chidot.at(speeds.clone()).copy_from_slice(&from.chidot[found.clone()]);
                driving.at(speeds).copy_from_slice(&from.driving[found]);
            }
        });
    }

    /// Gives accelerations, driving forces and accelerations of bodies away; its own are void afterwards.
    pub(crate) fn give_results(&mut self, model: &Model, out: &mut Accelerations<S>, par: Par<'_>) {
        let Accelerations { chidot, driving, acceleration } = out;
        std::mem::swap(&mut self.chidot, chidot);
        std::mem::swap(&mut self.driving, driving);
        if self.identity {
            std::mem::swap(&mut self.storage.acceleration, acceleration);
            return;
        }
        let parallel = par.divides(model);
        let data = (Part::new(acceleration, Along::Bodies), ());
        let copy = |bodies: Range<usize>, (mut out, ()): (Part<'_, Spatial<S>>, ())| {
            for k in bodies {
                *out.of(k) = *self.acceleration(k);
            }
        };
        par.run(parallel, || for_all_bodies(model, data, parallel, &copy));
    }
}

/// Fills accelerations and driving forces for `load`, loops left open (see [`close_loops`]).
#[doc(hidden)]
pub fn divide_and_conquer<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    work: &mut DivideAndConquer<S>,
    par: Par<'_>,
) -> Result<(), DynamicsError> {
    work.forces_stand = true;
    solve(model, kin, inertias, load, false, false, work, par)
}

/// Both sweeps; `closed`: with the rows of all loops.
fn solve<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    mass_only: bool,
    closed: bool,
    work: &mut DivideAndConquer<S>,
    par: Par<'_>,
) -> Result<(), DynamicsError> {
    if work.tree.nodes.is_empty() {
        return Ok(());
    }
    let parallel = par.divides(model) && work.tree.nodes.len() > 1;
    let mut share = work.share.take();
    let roles = share.as_mut().map(|share| std::mem::take(&mut share.roles)).unwrap_or_default();
    let context = |phase| Context {
        model,
        kin,
        inertias,
        load,
        tree: &work.tree,
        offsets: &work.offsets,
        plans: &work.plans,
        routes: &work.routes,
        factors: &work.factors,
        rows: closed.then_some(&work.rows),
        mass_only,
        parallel,
        roles: &roles,
        phase,
    };
    let storage = &mut work.storage;
    let result = par.run(parallel, || {
        let mut nodes = std::mem::take(&mut storage.nodes);
        let first = if share.is_some() { Phase::Below } else { Phase::Down };
        let mut result = sweep::assemble(&context(first), 0, storage.whole(), &mut nodes);
        if let Some(share) = share.as_deref_mut() {
            result = storage::exchange(share, result, &mut nodes)
                .and_then(|()| sweep::assemble(&context(Phase::Above), 0, storage.whole(), &mut nodes));
        }
        if result.is_ok() {
            sweep::disassemble_roots(&context(Phase::Down), 0, storage.whole(), &mut nodes);
        }
        storage.nodes = nodes;
        result
    });
    if let Some(share) = &mut share {
        share.roles = roles;
    }
    work.share = share;
    result?;
    par.run(parallel && !work.identity, || work.hand_out(model, parallel));
    Ok(())
}
