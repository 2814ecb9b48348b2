//! Levels of few nodes, taken several at a time by blocks of threads.
//!
//! A launch over a level of few nodes costs more than their work. Near the top one block takes all levels one after the other; below it
//! neighbouring levels fall apart into subtrees that know nothing of each other: a block takes one or a few of them. Joins and partings
//! have a team of threads each, so that a block takes few; levels of so many joins that the device is full have one thread each and
//! a launch of their own. Lanes stay apart: spread over the device they are faster than in one block. Which way a node goes does not
//! change its bits.
//!
//! Words in the list: of a block its first level and how many; of a level kernel, first entry, entries, whether the next level need not
//! wait for it; of an entry node, left, right, open, rows of its interface, lane of the first body of its right part. Cost O(n), once.

use super::levels::Assembly;
use super::{BLOCK_SIZE, Kernel, Launch};

/// Teams of a block, and joins and partings that it takes in all.
const TEAMS: usize = 8;
const TEAM_NODES: usize = 32;
/// Beyond so many joins of one level, one thread each keeps the device busy.
const CROWD: usize = 4_096;

/// Levels of one block, in the order of work: kernel and nodes.
type Block = Vec<(Kernel, Vec<usize>)>;

fn on_lanes(kernel: Kernel) -> bool {
    use Kernel::{FrameLoad, LaneHandle, LaneIn, LaneMotion, LaneOut, LanePose, LaneSpin, LaneWay};
    let lanes = matches!(kernel, LaneSpin | LaneMotion | LaneIn | LaneHandle | LaneOut);
    lanes || matches!(kernel, LaneWay | LanePose | FrameLoad)
}

fn by_team(kernel: Kernel) -> bool {
    matches!(kernel, Kernel::Join | Kernel::Part)
}

/// Nodes of one level that a block takes at once.
fn width(kernel: Kernel) -> usize {
    if by_team(kernel) { TEAMS } else { BLOCK_SIZE }
}

/// Whether one block takes the whole level.
fn small(launch: &Launch) -> bool {
    !on_lanes(launch.kernel) && launch.count <= width(launch.kernel)
}

/// Whether nodes of a level wait for those of the level before along the tree only, upward or downward.
fn runs_along(kernel: Kernel) -> bool {
    matches!(
        kernel,
        Kernel::SpinUp | Kernel::SpinDown | Kernel::Join | Kernel::Part | Kernel::WayUp | Kernel::WayDown
    )
}

fn downward(kernel: Kernel) -> bool {
    matches!(kernel, Kernel::SpinDown | Kernel::Part | Kernel::WayDown)
}

/// What blocks are cut from: the assembly and the rows of the interface inboard of each lane.
pub(super) struct Cutting<'a> {
    pub assembly: &'a Assembly,
    pub rows: Vec<i32>,
}

/// The same work in fewer launches; words of blocks are appended to `list`.
pub(super) fn fused(launches: &[Launch], cutting: &Cutting, list: &mut Vec<i32>) -> Vec<Launch> {
    let together = |a: &Launch, b: &Launch| {
        (small(a) && small(b)) || (!small(a) && !small(b) && a.kernel == b.kernel && runs_along(a.kernel))
    };
    let mut out = Vec::new();
    for group in launches.chunk_by(together) {
        let kernel = group[0].kernel;
        if small(&group[0]) {
            near_top(group, cutting, list, &mut out);
        } else if runs_along(kernel) {
            subtrees(group, cutting, list, &mut out);
        } else {
            out.extend(group);
        }
    }
    out
}

fn nodes_of(launch: &Launch, list: &[i32]) -> Vec<usize> {
    list[launch.first..launch.first + launch.count].iter().map(|&node| node as usize).collect()
}

/// All levels of a group by one block after the other, as few of them as the words of teams allow.
fn near_top(group: &[Launch], cutting: &Cutting, list: &mut Vec<i32>, out: &mut Vec<Launch>) {
    let mut block: Block = Vec::new();
    let mut held = 0;
    for launch in group {
        let teams = if by_team(launch.kernel) { launch.count } else { 0 };
        if held + teams > TEAM_NODES {
            write(Kernel::Block, &[std::mem::take(&mut block)], cutting, list, out);
            held = 0;
        }
        held += teams;
        block.push((launch.kernel, nodes_of(launch, list)));
    }
    if let ([launch], false) = (group, by_team(group[0].kernel)) {
        out.push(*launch);
    } else {
        hang_early(&mut block, cutting.assembly);
        write(Kernel::Block, &[block], cutting, list, out);
    }
}

/// Neighbouring levels of one kernel, as many at a time as leave subtrees that a block can take.
fn subtrees(group: &[Launch], cutting: &Cutting, list: &mut Vec<i32>, out: &mut Vec<Launch>) {
    let kernel = group[0].kernel;
    let mut levels: Vec<&Launch> = group.iter().collect();
    if downward(kernel) {
        levels.reverse(); // leaves first
    }
    let mut found = Vec::new();
    let mut rest = &levels[..];
    while let [first, ..] = rest {
        let mut taken = 1;
        let mut blocks = Vec::new();
        if !(by_team(kernel) && first.count > CROWD) {
            blocks = parts(kernel, &rest[..1], cutting.assembly, list);
            while taken < rest.len() {
                let more = parts(kernel, &rest[..=taken], cutting.assembly, list);
                if !more.iter().all(fits) {
                    break;
                }
                (blocks, taken) = (more, taken + 1);
            }
        }
        found.push((*first, packed(blocks)));
        rest = &rest[taken..];
    }
    if downward(kernel) {
        found.reverse();
    }
    for (launch, mut blocks) in found {
        if blocks.is_empty() {
            out.push(*launch);
            continue;
        }
        if downward(kernel) {
            blocks.iter_mut().for_each(|block| block.reverse());
        }
        write(Kernel::Subtree, &blocks, cutting, list, out);
    }
}

/// The subtrees into which some levels fall apart, leaves first.
fn parts(kernel: Kernel, levels: &[&Launch], assembly: &Assembly, list: &[i32]) -> Vec<Block> {
    let mut owner = std::collections::HashMap::new();
    let mut blocks: Vec<Block> = Vec::new();
    for (h, launch) in levels.iter().enumerate().rev() {
        for node in nodes_of(launch, list) {
            let part = owner.remove(&node).unwrap_or_else(|| {
                blocks.push(vec![(kernel, Vec::new()); levels.len()]);
                blocks.len() - 1
            });
            blocks[part][h].1.push(node);
            if h > 0 {
                let own = &assembly.nodes[node];
                owner.extend([(own.left, part), (own.right, part)]);
            }
        }
    }
    blocks
}

fn fits(block: &Block) -> bool {
    let held: usize = block.iter().filter(|(kernel, _)| by_team(*kernel)).map(|(_, nodes)| nodes.len()).sum();
    held <= TEAM_NODES && block.iter().all(|(kernel, nodes)| nodes.len() <= width(*kernel))
}

/// Several subtrees for one block where they fit.
fn packed(parts: Vec<Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for part in parts {
        if let Some(last) = out.last_mut() {
            let both: Block = last
                .iter()
                .zip(&part)
                .map(|((kernel, a), (_, b))| (*kernel, a.iter().chain(b).copied().collect()))
                .collect();
            if fits(&both) {
                *last = both;
                continue;
            }
        }
        out.push(part);
    }
    out
}

/// A path that hangs on the ground does so whenever it likes: beside the last join but one, by a thread that has nothing to do.
fn hang_early(block: &mut Block, assembly: &Assembly) {
    let Some(at) = block.iter().position(|(kernel, _)| *kernel == Kernel::Hang) else { return };
    let grounded = |&node: &usize| assembly.carrier[assembly.nodes[node].lane].is_none();
    let joins = block[..at].iter().rev().take_while(|(kernel, _)| *kernel == Kernel::Join).count();
    if joins >= 2 && block[at].1.iter().all(grounded) {
        block[at - 2..=at].rotate_right(1);
    }
}

/// Writes blocks of one launch.
fn write(kernel: Kernel, blocks: &[Block], cutting: &Cutting, list: &mut Vec<i32>, out: &mut Vec<Launch>) {
    let nodes = &cutting.assembly.nodes;
    let mut heads = Vec::with_capacity(2 * blocks.len());
    for block in blocks {
        let mut levels = Vec::with_capacity(4 * block.len());
        for (level, (kernel, own)) in block.iter().enumerate().filter(|(_, (_, own))| !own.is_empty()) {
            let early =
                *kernel == Kernel::Hang && block.get(level + 1).is_some_and(|next| next.0 == Kernel::Join);
            levels.extend([*kernel as usize, list.len(), own.len(), usize::from(early)].map(|x| x as i32));
            for &node in own {
                let own = &nodes[node];
                let lane = if runs_along(*kernel) { nodes[own.right].lane } else { 0 };
                list.extend([node, own.left, own.right, usize::from(own.open)].map(|x| x as i32));
                list.extend([cutting.rows[lane], lane as i32]);
            }
        }
        heads.extend([list.len() as i32, (levels.len() / 4) as i32]);
        list.extend(levels);
    }
    out.push(Launch { kernel, first: list.len(), count: blocks.len() });
    list.extend(heads);
}
