//! Models as flat tables for devices: one huge system by divide and conquer, or many systems of one topology.
//!
//! Source: book/src/theory/devices.md. A lane is a leaf of the assembly tree, or a system of a batch; a slot is the place of
//! a body in its lane. Bodies with their joints are *types*, equal ones stored once; the order of work is a list of
//! launches. Nothing here knows a device: the tables are what kernels read, on a processor as on a GPU. Whatever a
//! device cannot run is refused by name.
//!
//! Cost O(n) time and memory, once per model.

mod blocks;
mod functions;
mod lanes;
mod levels;
mod loads;
mod refuse;
mod types;
pub mod words;

pub use refuse::{LARGEST_MODES, Refusal, refusals};

use crate::algorithm::divide_and_conquer::{AssemblyTree, assembly_tree};
use crate::model::Model;
use crate::motion::kinematics::Kinematics;
use crate::state::State;
use blocks::Cutting;
use lanes::{Fields, LaneDraft, Programs};
use levels::Assembly;
use std::collections::HashMap;
use types::Types;
use words::{BUNDLE, LANE_WORDS, TYPE_WORDS, TypeWord};

/// What runs over lanes or nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Kernel {
    LaneSpin,
    LaneMotion,
    LaneIn,
    LaneOut,
    SpinUp,
    SpinRoot,
    SpinDown,
    Join,
    Show,
    Sum,
    Hang,
    Part,
    LaneHandle,
    /// Several levels of few nodes, taken one after the other by blocks of threads.
    Block,
    LaneWay,
    WayUp,
    WayRoot,
    WayDown,
    LanePose,
    /// What acts at frames, one thread per load.
    FrameLoad,
    /// As `Block`, of what goes along the tree only.
    Subtree,
    /// Lanes inward with their handles, several threads each.
    LaneTeam,
}

/// Nodes that one block of threads takes at once.
pub const BLOCK_SIZE: usize = 256;

/// One launch: a kernel over `count` lanes from `first`, over so many nodes of the list, or over so many blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What runs.
    pub kernel: Kernel,
    /// First lane, or first place in the list.
    pub first: usize,
    /// How many.
    pub count: usize,
}

/// What all bodies have in common: kernels are compiled for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Traits {
    /// Most modes of a body.
    pub modes: usize,
    /// Most rows of level `gram`.
    pub rows: usize,
    /// Whether all bodies have as many modes.
    pub uniform: bool,
    /// Whether all joints have one axis between points that do not deform.
    pub fixed_only: bool,
    /// Whether all joints have one axis, also on points that deform.
    pub one_axis: bool,
    /// Whether all joints have one free coordinate.
    pub one_free: bool,
    /// Whether every body hangs on the one before.
    pub chain: bool,
    /// The inertia level of all flexible bodies, if they have one in common: 1 ruthless, 2 gram.
    pub level: usize,
    /// Whether lanes are systems of a batch.
    pub batch: bool,
    /// Whether something acts at frames.
    pub loaded: bool,
    /// Whether lanes go inward by teams of threads: blocks of many modes do not fit into the registers of one, and there are few lanes.
    pub teams: bool,
}

/// Modes from which on teams take lanes, and lanes up to which they do: a device that is full has more of single threads, which count
/// places once for 32 lanes and not for four.
const TEAM_MODES: usize = 6;
const TEAM_LANES: usize = 4_096;
/// Numbers of a lane that its team has room for.
const TEAM_ROOM: usize = 1_536;

impl Traits {
    /// Whether teams take lanes inward: enough modes, few lanes, and their numbers fit into shared memory (`kernels/team_inertia.h`).
    fn by_teams(&self, lanes: usize) -> bool {
        let (n, rows) = (self.modes, if self.level == 1 { 0 } else { self.rows.max(1) });
        let gram = if self.level == 1 { 0 } else { 3 * rows + 6 * n + rows * n };
        let all = (192 + 3 * n + n * (n + 1) / 2 + 18 * n + gram).div_ceil(16) * 16 + 8;
        n >= TEAM_MODES && lanes <= TEAM_LANES && all <= TEAM_ROOM
    }
}

/// Lanes inward and their handles in one pass of teams.
fn team_launches(launches: &mut Vec<Launch>) {
    launches.retain(|launch| launch.kernel != Kernel::LaneHandle);
    for launch in launches.iter_mut().filter(|launch| launch.kernel == Kernel::LaneIn) {
        launch.kernel = Kernel::LaneTeam;
    }
}

/// Rows of the interface inboard of each lane: what the joint of its first body does not free.
fn interface_rows(assembly: &Assembly, type_of: &[usize], words: &[i32]) -> Vec<i32> {
    let of_type = |record: &[i32]| {
        let word = |word: TypeWord| record[word as usize];
        6 - word(TypeWord::Dof) + word(TypeWord::Prescribed).count_ones() as i32
    };
    let first = |lane: &LaneDraft| lane.bodies.first().map_or(0, |&body| type_of[body] * TYPE_WORDS);
    assembly.lanes.iter().map(|lane| of_type(&words[first(lane)..][..TYPE_WORDS])).collect()
}

/// A model as tables.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// Lanes.
    pub lanes: usize,
    /// Most bodies in a lane.
    pub slots: usize,
    /// Nodes of the assembly tree; none in a batch.
    pub nodes: usize,
    /// What all bodies have in common.
    pub traits: Traits,
    /// Gravitational acceleration (m/s²).
    pub gravity: [f64; 3],
    /// First fields of every slot.
    pub layout: Vec<i32>,
    /// Records of bodies with their joints.
    pub types: Vec<i32>,
    /// Slots of programs.
    pub program: Vec<i32>,
    /// Words of lanes; one lane for all of a batch.
    pub lane: Vec<i32>,
    /// Branches that lanes take up.
    pub branch: Vec<i32>,
    /// Words of nodes.
    pub node: Vec<i32>,
    /// Children apart from their carriers, then nodes of levels.
    pub list: Vec<i32>,
    /// Types that differ between systems of a batch: slot after slot over all lanes; −1 as in the program.
    pub variant: Vec<i32>,
    /// Numbers of the types.
    pub table: Vec<f64>,
    /// Functions of time.
    pub function: Vec<f64>,
    /// Fields of coordinates, speeds, links and factors.
    pub fields: [usize; 4],
    /// Order of work of one evaluation.
    pub launches: Vec<Launch>,
    /// The same work with one launch for each level, which gives the same bits.
    pub levels: Vec<Launch>,
    /// Instants where functions of time may not be smooth (s), in order.
    pub breaks: Vec<f64>,
    /// Which of them are those of each system, first and one past the last; empty where all systems have all.
    pub breaks_of: Vec<i32>,
    /// Whether some motion is prescribed.
    pub prescribed: bool,
    /// Free speeds of one system.
    pub free_speeds: usize,
    /// What acts at frames: records.
    pub load: Vec<i32>,
    /// Which record each system of a batch has of each load; empty where all have the same.
    pub load_variant: Vec<i32>,
    /// For every slot where its ends begin, then the ends; empty without loads.
    pub ends: Vec<i32>,
    /// Loads at frames of one system.
    pub loads: usize,
    /// Numbers of their ends.
    pub end_numbers: usize,
    /// Lane and slot of each body; in a batch those of the first system.
    place: Vec<(usize, usize)>,
}

impl Lowered {
    /// One system over lanes of about `leaf` bodies.
    pub fn huge(model: &Model, leaf: usize) -> Result<Self, Vec<Refusal>> {
        refuse_if_any(model)?;
        let kin = Kinematics::<f64>::new(model);
        let mut types = Types::default();
        let type_of: Vec<usize> = (0..model.body_count()).map(|k| types.of(model, &kin, k)).collect();
        Self::assembled(model, types, &type_of, &assembly_tree(model, leaf))
    }

    /// A chain of `count` bodies whose links repeat those of the short chain `model`: its first body once, the others in turn. For
    /// studies of size: nothing of it is as large as a model of so many bodies.
    pub fn repeated(model: &Model, count: usize, leaf: usize) -> Result<Self, Vec<Refusal>> {
        refuse_if_any(model)?;
        let links = model.body_count();
        let is_chain = (0..links).all(|k| model.joints[k].parent == k.checked_sub(1));
        if !model.forces.is_empty() || !model.loads.is_empty() || !model.elements.is_empty() {
            let reason = "has loads at frames; links that carry them cannot be repeated";
            return Err(vec![Refusal { item: format!("model `{}`", model.name), reason: reason.into() }]);
        }
        if !is_chain || links < 2 {
            let reason = "is no chain of two bodies or more; only the links of a chain can be repeated";
            return Err(vec![Refusal { item: format!("model `{}`", model.name), reason: reason.into() }]);
        }
        let kin = Kinematics::<f64>::new(model);
        let mut types = Types::default();
        let own: Vec<usize> = (0..links).map(|k| types.of(model, &kin, k)).collect();
        let link = |k: usize| if k < links { k } else { 1 + (k - 1) % (links - 1) };
        let type_of: Vec<usize> = (0..count).map(|k| own[link(k)]).collect();
        let mut out = Self::assembled(model, types, &type_of, &AssemblyTree::of_chain(count, leaf))?;
        let free = |k: usize| model.layout.bodies[k].speeds().filter(|&v| !model.prescribed[v]).count();
        out.free_speeds = (0..count).map(|k| free(link(k))).sum();
        Ok(out)
    }

    fn assembled(
        model: &Model,
        mut types: Types,
        type_of: &[usize],
        tree: &AssemblyTree,
    ) -> Result<Self, Vec<Refusal>> {
        let assembly = Assembly::new(tree);
        let branched = assembly.is_branched() || assembly.lanes.iter().any(|lane| !is_chain(lane));
        let mut programs = Programs::default();
        let mut out = Self { lanes: assembly.lanes.len(), nodes: assembly.nodes.len(), ..Self::default() };
        for (index, draft) in assembly.lanes.iter().enumerate() {
            let (carrier_lane, carrier_slot) =
                assembly.carrier[index].map_or((-1, -1), |(lane, slot)| (lane as i32, slot as i32));
            let branches = &assembly.branches[index];
            let words: [i32; LANE_WORDS] = [
                programs.of(draft, type_of) as i32,
                draft.bodies.len() as i32,
                assembly.node_of_lane[index] as i32,
                carrier_lane,
                carrier_slot,
                assembly.next[index].map_or(-1, |lane| lane as i32),
                branches.len() as i32,
                (out.branch.len() / words::BRANCH_WORDS) as i32,
                assembly.kind[index],
            ];
            out.lane.extend(words);
            for branch in branches {
                out.branch.extend([branch.slot, branch.node, branch.lane, branch.link].map(|x| x as i32));
            }
        }
        for node in &assembly.nodes {
            let words = [node.left, node.right, node.lane, usize::from(node.open)];
            out.node.extend(words.map(|x| x as i32));
        }
        let fields = Fields::new(&assembly.lanes, type_of, &types.words, true, branched);
        out.list = std::mem::take(&mut programs.list);
        let flexible = types.words.chunks_exact(TYPE_WORDS).any(|words| words[TypeWord::Modes as usize] > 0);
        out.place.clone_from(&assembly.place);
        out.layout.clone_from(&fields.layout);
        out.place_loads(&[model], false, &mut types)?;
        types.fit(model)?;
        out.levels = assembly.launches(flexible, out.loads, &mut out.list);
        let rows = interface_rows(&assembly, type_of, &types.words);
        let cutting = Cutting { assembly: &assembly, rows };
        out.launches = blocks::fused(&out.levels, &cutting, &mut out.list);
        out.complete(model, types, programs, fields);
        out.traits.chain = !branched;
        Ok(out)
    }

    /// `systems` systems of the topology of `model`, all alike.
    pub fn batch(model: &Model, systems: usize) -> Result<Self, Vec<Refusal>> {
        Self::batch_of(&[model], systems)
    }

    /// Systems that differ in numbers: one model for each lane, or one for all of `systems` lanes.
    pub fn batch_of(models: &[&Model], systems: usize) -> Result<Self, Vec<Refusal>> {
        let Some(&model) = models.first() else { return Ok(Self::default()) };
        models.iter().try_for_each(|model| refuse_if_any(model))?;
        if let Some(other) = models.iter().find(|other| !alike(model, other)) {
            let reason = "has other bodies, joints or modes than the first system of its batch; run it on the processor";
            return Err(vec![Refusal { item: format!("model `{}`", other.name), reason: reason.into() }]);
        }
        if let Some(other) = models.iter().find(|other| other.gravity != model.gravity) {
            let reason = "has another gravity than the first system of its batch; gravity is common to all: run it on the processor";
            return Err(vec![Refusal { item: format!("model `{}`", other.name), reason: reason.into() }]);
        }
        let kin = Kinematics::<f64>::new(model);
        let mut types = Types::default();
        let type_of: Vec<usize> = (0..model.body_count()).map(|k| types.of(model, &kin, k)).collect();
        let draft = depth_first(model);
        let branched = !is_chain(&draft);
        let mut out = Self { lanes: systems, ..Self::default() };
        if models.len() > 1 {
            out.lanes = models.len();
            out.variant = variants(models, &draft, &type_of, &mut types)?;
        }
        let mut programs = Programs::default();
        programs.of(&draft, &type_of);
        let count = draft.bodies.len() as i32;
        out.lane = vec![0, count, 0, -1, -1, -1, 0, 0, BUNDLE];
        out.place = vec![(0, 0); model.body_count()];
        for (slot, &body) in draft.bodies.iter().enumerate() {
            out.place[body] = (0, slot);
        }
        let fields = Fields::new(&[draft], &type_of, &types.words, false, branched);
        out.layout.clone_from(&fields.layout);
        out.place_loads(models, true, &mut types)?;
        types.fit(model)?;
        let lanes = |kernel: Kernel| Launch { kernel, first: 0, count: out.lanes };
        let mut launches = vec![lanes(Kernel::LaneMotion)];
        if out.loads > 0 {
            let loads = Launch { kernel: Kernel::FrameLoad, first: 0, count: out.loads * out.lanes };
            launches.extend([lanes(Kernel::LanePose), loads]);
        }
        launches.extend([Kernel::LaneIn, Kernel::LaneOut].map(lanes));
        out.levels.clone_from(&launches);
        out.launches = launches;
        out.list = std::mem::take(&mut programs.list);
        out.complete(model, types, programs, fields);
        out.traits.batch = true;
        out.traits.chain = !branched;
        if models.len() > 1 {
            (out.breaks, out.breaks_of) = system_breaks(models);
        }
        Ok(out)
    }

    fn complete(&mut self, model: &Model, types: Types, programs: Programs, fields: Fields) {
        self.gravity = model.gravity;
        self.traits = traits(&types.words, types.largest_rows);
        self.traits.teams = self.traits.by_teams(self.lanes);
        if self.traits.teams {
            team_launches(&mut self.launches);
        }
        self.slots = fields.layout.len() / words::LAYOUT_WORDS;
        self.fields = [fields.q, fields.v, fields.link, fields.out];
        self.layout = fields.layout;
        self.types = types.words;
        self.table = types.numbers;
        self.function = types.functions;
        self.program = programs.words;
        self.traits.loaded = self.loads > 0;
        // Devices want an address for every table.
        for list in [&mut self.branch, &mut self.node, &mut self.list] {
            if list.is_empty() {
                list.push(0);
            }
        }
        for numbers in [&mut self.table, &mut self.function] {
            if numbers.is_empty() {
                numbers.push(0.0);
            }
        }
        break_points(model, &mut self.breaks);
        self.prescribed = model.prescribed.contains(&true);
        self.free_speeds = model.free_speed_count();
    }

    /// Numbers of all coordinates of all lanes.
    pub fn coordinates(&self) -> usize {
        self.fields[0] * self.lanes
    }

    /// Numbers of all speeds of all lanes.
    pub fn speeds(&self) -> usize {
        self.fields[1] * self.lanes
    }

    /// Puts a state into the arrays of a device: that of system `lane` of a batch, or of the one huge system.
    pub fn scatter(&self, model: &Model, state: &State, lane: usize, q: &mut [f64], v: &mut [f64]) {
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let (lane, row) = self.home(k, lane);
            for i in 0..part.modes + part.joint_q {
                q[(row[0] as usize + i) * self.lanes + lane] = state.q[part.q + i];
            }
            for i in 0..part.modes + part.joint_v {
                v[(row[1] as usize + i) * self.lanes + lane] = state.v[part.v + i];
            }
        }
    }

    /// Takes coordinates and speeds out of the arrays of a device.
    pub fn gather(&self, model: &Model, q: &[f64], v: &[f64], lane: usize, state: &mut State) {
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let (lane, row) = self.home(k, lane);
            for i in 0..part.modes + part.joint_q {
                state.q[part.q + i] = q[(row[0] as usize + i) * self.lanes + lane];
            }
            for i in 0..part.modes + part.joint_v {
                state.v[part.v + i] = v[(row[1] as usize + i) * self.lanes + lane];
            }
        }
    }

    /// Takes what has one number per speed, such as accelerations, out of an array of a device.
    pub fn gather_speeds(&self, model: &Model, from: &[f64], lane: usize, out: &mut [f64]) {
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let (lane, row) = self.home(k, lane);
            for i in 0..part.modes + part.joint_v {
                out[part.v + i] = from[(row[1] as usize + i) * self.lanes + lane];
            }
        }
    }

    /// The body at a slot of a lane.
    pub fn body_at(&self, lane: usize, slot: usize) -> Option<usize> {
        let lane = if self.traits.batch { 0 } else { lane };
        self.place.iter().position(|&place| place == (lane, slot))
    }

    fn home(&self, body: usize, lane: usize) -> (usize, &[i32]) {
        let (own, slot) = self.place[body];
        let row = &self.layout[slot * words::LAYOUT_WORDS..(slot + 1) * words::LAYOUT_WORDS];
        (if self.traits.batch { lane } else { own }, row)
    }

    /// Bytes of all tables and arrays of one evaluation.
    pub fn bytes(&self) -> usize {
        let integers = [&self.layout, &self.types, &self.program, &self.lane, &self.branch, &self.node];
        let integers: usize = integers.iter().map(|list| list.len()).sum();
        let loads = self.load.len() + self.load_variant.len() + self.ends.len();
        let integers = integers + self.list.len() + self.variant.len() + self.lanes + loads;
        let posed = if self.loads > 0 {
            words::POSE_FIELDS * self.slots * self.lanes
                + words::PATH_FIELDS * self.nodes
                + self.end_numbers * self.end_systems()
        } else {
            0
        };
        let fields = self.fields[0] + 2 * self.fields[1] + self.fields[2] + self.fields[3] + 1;
        4 * integers
            + 8 * (self.table.len()
                + self.function.len()
                + fields * self.lanes
                + words::NODE_FIELDS * self.nodes
                + posed)
    }

    /// Systems whose ends stand side by side.
    pub fn end_systems(&self) -> usize {
        if self.traits.batch { self.lanes } else { 1 }
    }
}

/// The break points of every system of a batch, equal lists once: no system stops for another.
fn system_breaks(models: &[&Model]) -> (Vec<f64>, Vec<i32>) {
    let (mut all, mut places) = (Vec::new(), Vec::with_capacity(2 * models.len()));
    let mut known: HashMap<Vec<u64>, [i32; 2]> = HashMap::new();
    for model in models {
        let mut own = Vec::new();
        break_points(model, &mut own);
        let key = own.iter().map(|time| time.to_bits()).collect();
        let place = known.entry(key).or_insert_with(|| {
            let first = all.len() as i32;
            all.extend(&own);
            [first, all.len() as i32]
        });
        places.extend(*place);
    }
    (all, places)
}

/// Instants where functions of time may not be smooth (s), added in order.
fn break_points(model: &Model, breaks: &mut Vec<f64>) {
    for coordinate in model.joints.iter().flat_map(|joint| &joint.coordinates) {
        for function in [&coordinate.effort, &coordinate.motion].into_iter().flatten() {
            function.break_points(breaks);
        }
    }
    loads::break_points(model, breaks);
}

fn refuse_if_any(model: &Model) -> Result<(), Vec<Refusal>> {
    let found = refusals(model);
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Whether two models have the same bodies, joints and modes, numbers apart.
fn alike(a: &Model, b: &Model) -> bool {
    let joints = |model: &Model, k: usize| {
        let joint = &model.joints[k];
        (joint.parent, std::mem::discriminant(&joint.joint.kind), joint.fixed.is_some())
    };
    a.layout == b.layout
        && a.prescribed == b.prescribed
        && (0..a.body_count()).all(|k| joints(a, k) == joints(b, k))
}

/// Types of each slot in each lane where they differ from those of the first model.
fn variants(
    models: &[&Model],
    draft: &LaneDraft,
    type_of: &[usize],
    types: &mut Types,
) -> Result<Vec<i32>, Vec<Refusal>> {
    let mut out = vec![-1; draft.bodies.len() * models.len()];
    for (lane, model) in models.iter().enumerate().skip(1) {
        let kin = Kinematics::<f64>::new(model);
        for (slot, &body) in draft.bodies.iter().enumerate() {
            let own = types.of(model, &kin, body);
            if own != type_of[body] {
                if types.shape(own) != types.shape(type_of[body]) {
                    let reason = "hangs or deforms in another way than in the first system of its batch; run it in a batch of its own";
                    let item = format!("body `{}` of system {lane}", model.bodies[body].name);
                    return Err(vec![Refusal { item, reason: reason.into() }]);
                }
                out[slot * models.len() + lane] = own as i32;
            }
        }
    }
    Ok(out)
}

/// Whether every body of a lane hangs on the one before.
fn is_chain(lane: &LaneDraft) -> bool {
    lane.bears.is_empty()
        && lane
            .carrier
            .iter()
            .enumerate()
            .all(|(slot, carrier)| carrier.is_none_or(|carrier| carrier + 1 == slot))
}

/// All bodies in one lane, each followed by the largest of its branches.
fn depth_first(model: &Model) -> LaneDraft {
    let count = model.body_count();
    let mut size = vec![1; count];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for k in (0..count).rev() {
        match model.joints[k].parent {
            Some(parent) => {
                size[parent] += size[k];
                children[parent].push(k);
            }
            None => roots.push(k),
        }
    }
    let mut draft = LaneDraft::default();
    let mut slot_of = vec![0; count];
    let mut stack = roots;
    while let Some(body) = stack.pop() {
        slot_of[body] = draft.bodies.len();
        draft.bodies.push(body);
        draft.carrier.push(model.joints[body].parent.map(|parent| slot_of[parent]));
        draft.on_path.push(false);
        let list = &mut children[body];
        list.sort_by_key(|&child| size[child]);
        stack.append(list);
    }
    draft
}

fn traits(words: &[i32], rows: usize) -> Traits {
    let all = |test: &dyn Fn(&[i32]) -> bool| words.chunks_exact(TYPE_WORDS).all(test);
    let word = |record: &[i32], word: TypeWord| record[word as usize];
    let modes = words.chunks_exact(TYPE_WORDS).map(|record| word(record, TypeWord::Modes)).max().unwrap_or(0);
    let level = |level: i32| all(&|r| word(r, TypeWord::Modes) == 0 || word(r, TypeWord::Level) == level);
    Traits {
        modes: modes as usize,
        rows,
        uniform: modes > 0 && all(&|r| word(r, TypeWord::Modes) == modes),
        fixed_only: all(&|r| word(r, TypeWord::Fixed) == 1),
        one_axis: all(&|r| word(r, TypeWord::Fixed) > 0),
        one_free: all(&|r| word(r, TypeWord::Dof) == 1 && word(r, TypeWord::Prescribed) == 0),
        chain: false,
        level: if modes == 0 {
            0
        } else if level(1) {
            1
        } else if level(2) {
            2
        } else {
            0
        },
        batch: false,
        loaded: false,
        teams: false,
    }
}
