//! What one rank computes with: a small model, its tree, and what it knows of the others.

use super::cut::{Cut, Owner, weight};
use super::local_tree::{LocalTree, is_here};
use super::refusal::{check, refused};
use crate::algorithm::divide_and_conquer::{
    AssemblyTree, DivideAndConquer, GROUND, Kind, Share, SharedBody, Threads, Whole, assembly_tree,
};
use crate::error::SimulationError;
use crate::force::applied::needs_poses;
use crate::model::description::{AlgorithmDescription, SimulationDescription};
use crate::model::restrict::Kept;
use crate::model::{Model, layout_of};
use crate::ranks::{Ranks, TalkSummary};
use crate::state::State;
use crate::workspace::{Divided, Workspace};
use std::sync::Arc;

/// The part of a model that one rank computes with.
#[derive(Clone, Debug)]
pub struct Part {
    /// Bodies of this rank, of the top and of borders, with what acts on those of the first two.
    model: Model,
    /// Number in the whole model of every body here.
    bodies: Vec<usize>,
    /// Of every body here.
    owners: Vec<Owner>,
    solver: DivideAndConquer,
    threads: usize,
    rank: usize,
    /// Coordinates, speeds and bodies of the whole model.
    whole: [usize; 3],
}

impl Part {
    /// The part of `ranks.rank()` in a run of `model` with `settings`; refused by name where several ranks cannot run it.
    pub fn new(
        model: &Model,
        settings: &SimulationDescription,
        ranks: Arc<dyn Ranks>,
    ) -> Result<Self, SimulationError> {
        let leaf = match check(model, settings)? {
            0 => DivideAndConquer::<f64>::usual_leaf(model),
            leaf => leaf,
        };
        let whole = assembly_tree(model, leaf);
        let weights: Vec<u64> = whole.order.iter().map(|&k| weight(model.bodies[k].modes)).collect();
        let cut = Cut::new(&whole, &weights, ranks.size());
        let owner = |body: usize| cut.owners[whole.position[body]];
        check_items(model, &owner)?;
        let rank = ranks.rank();
        let shared = shared_bodies(model, &whole, &cut);
        let mut here: Vec<bool> = (0..model.body_count()).map(|k| is_here(owner(k), rank)).collect();
        shared.iter().for_each(|&(body, _)| here[body] = true);
        let bodies: Vec<usize> = (0..model.body_count()).filter(|&k| here[k]).collect();
        let mut numbers = vec![GROUND; model.body_count()];
        bodies.iter().enumerate().for_each(|(new, &old)| numbers[old] = new);
        let acts = |touched: Vec<usize>| touched.first().is_none_or(|&body| is_here(owner(body), rank));
        let own = model.restricted(&Kept {
            bodies: &bodies,
            forces: &|i| acts(of_frame(model, model.forces[i].frame.0)),
            loads: &|i| acts(vec![model.loads[i].body.0]),
            elements: &|i| acts(of_element(model, i)),
            couplers: &|i| acts(of_coupler(model, i)),
        });
        let LocalTree { tree, roles, pieces } = LocalTree::new(&whole, &cut, rank, &numbers);
        let shared = shared.iter().map(|&(body, owner)| SharedBody { body: numbers[body], owner }).collect();
        let facts = Whole {
            driven: model.prescribed.contains(&true),
            posed: needs_poses(model),
            leaf_by_leaf: whole.is_identity() && model.layout.modal == 0,
        };
        let share = Share::new(ranks, roles, pieces, shared, facts);
        let threads = match settings.algorithm {
            AlgorithmDescription::DivideAndConquer { threads, .. } => threads,
            _ => 1,
        };
        let owners = bodies.iter().map(|&body| owner(body)).collect();
        let solver = DivideAndConquer::of_part(&own, tree, share);
        let whole = [model.initial_q.len(), model.speed_count(), model.body_count()];
        Ok(Self { model: own, bodies, owners, solver, threads, rank, whole })
    }

    /// The model of this rank.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Numbers in the whole model of the bodies of this model.
    pub fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// Numbers of coordinates, speeds and bodies of the whole model.
    pub(crate) fn whole_counts(&self) -> [usize; 3] {
        self.whole
    }

    /// Number of this rank.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Whether rows of body `k` of this model are recorded here: those that everybody computes, by the first rank.
    pub fn records(&self, k: usize) -> bool {
        match self.owners[k] {
            Owner::Everybody => self.rank == 0,
            Owner::Rank(rank) => rank == self.rank,
        }
    }

    /// Bodies that are computed here and nowhere else.
    pub fn own_count(&self) -> usize {
        self.owners.iter().filter(|&&owner| owner == Owner::Rank(self.rank)).count()
    }

    /// Whether every piece is a path, or one rank has all there is: only then is the force of every joint known where it is
    /// recorded.
    pub(crate) fn divides_paths(&self) -> bool {
        let pieces = self.solver.share.iter().flat_map(|share| &share.pieces);
        let kinds: Vec<Kind> = pieces.map(|piece| self.solver.tree().nodes[piece.node].kind).collect();
        kinds.len() == 1 || kinds.iter().all(|kind| matches!(kind, Kind::Run | Kind::Join))
    }

    /// What was said to other ranks so far.
    pub fn talk(&self) -> TalkSummary {
        self.solver.share.as_ref().map_or_else(TalkSummary::default, |share| share.talk.summary())
    }

    /// The part of a state of the whole model.
    pub fn state(&self, whole: &Model, state: &State) -> State {
        let mut out = State::unprescribed(&self.model, state.time);
        out.side = state.side;
        out.q = whole.coordinates_of(&self.bodies, &state.q);
        out.v = whole.speeds_of(&self.bodies, &state.v);
        out
    }

    /// Has `work`, a workspace of the model of this rank, evaluate together with the others.
    pub fn take_part(&self, work: &mut Workspace) -> std::io::Result<()> {
        let threads = Arc::new(Threads::new(self.threads)?);
        work.divided = Some(Box::new(Divided { solver: self.solver.clone(), threads, refinement: None }));
        Ok(())
    }

    /// Writes speeds of bodies that this rank records, such as accelerations, into a vector of the whole model.
    pub fn hand_out(&self, whole: &Model, own: &[f64], out: &mut [f64]) {
        for (k, &body) in self.bodies.iter().enumerate().filter(|(k, _)| self.records(*k)) {
            out[layout_of(whole, body).speeds()].copy_from_slice(&own[layout_of(&self.model, k).speeds()]);
        }
    }
}

/// First bodies of pieces, what carries them and what carries bodies of the top, with their owners, in the order of the tree.
fn shared_bodies(model: &Model, tree: &AssemblyTree, cut: &Cut) -> Vec<(usize, usize)> {
    let firsts = cut.pieces.iter().map(|&(node, _)| tree.order[tree.nodes[node].start]);
    let of_top = (0..tree.order.len()).filter(|&i| cut.owners[i] == Owner::Everybody).map(|i| tree.order[i]);
    let all = firsts.chain(of_top);
    let with_carriers = all.flat_map(|body| [Some(body), model.joints[body].parent]).flatten();
    let owned = with_carriers.filter_map(|body| match cut.owners[tree.position[body]] {
        Owner::Rank(owner) => Some((body, owner)),
        Owner::Everybody => None,
    });
    let mut list: Vec<(usize, usize)> = owned.collect();
    list.sort_by_key(|&(body, _)| tree.position[body]);
    list.dedup();
    list
}

/// Elements and couplers between bodies of different owners are refused.
fn check_items(model: &Model, owner: &impl Fn(usize) -> Owner) -> Result<(), SimulationError> {
    let apart = |touched: &[usize]| touched.iter().any(|&body| owner(body) != owner(touched[0]));
    let names = |touched: &[usize]| {
        let names: Vec<String> =
            touched.iter().map(|&body| format!("`{}`", model.bodies[body].name)).collect();
        names.join(" and ")
    };
    for (i, element) in model.elements.iter().enumerate() {
        let touched = of_element(model, i);
        if apart(&touched) {
            return refused(format!(
                "element `{}` acts between {}, which different ranks compute: take fewer ranks, or one rank with --threads",
                element.name,
                names(&touched)
            ));
        }
    }
    for (i, coupler) in model.couplers.iter().enumerate() {
        let touched = of_coupler(model, i);
        if apart(&touched) {
            return refused(format!(
                "coupler `{}` acts between the joints of {}, which different ranks compute: take fewer ranks, or one rank \
                 with --threads",
                coupler.name,
                names(&touched)
            ));
        }
    }
    Ok(())
}

fn of_frame(model: &Model, frame: usize) -> Vec<usize> {
    model.frames[frame].body.map(|body| body.0).into_iter().collect()
}

fn of_element(model: &Model, i: usize) -> Vec<usize> {
    model.elements[i].frames.iter().flat_map(|frame| of_frame(model, frame.0)).collect()
}

fn of_coupler(model: &Model, i: usize) -> Vec<usize> {
    model.couplers[i].bodies(model).collect()
}
