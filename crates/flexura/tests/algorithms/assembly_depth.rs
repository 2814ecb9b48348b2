//! Depth of the assembly tree for trees of up to a million bodies: at most
//! 2 log2(n) + 4 assemblies from any body to the whole system, with one body per
//! leaf. Topology only: no model is built.

use flexura_samples::chains;

use chains::Random;
use flexura::algorithm::divide_and_conquer::{AssemblyTree, GROUND, Kind, LEAF_BODIES, Topology};

const SIZES: [usize; 8] = [1, 2, 3, 10, 100, 1_000, 10_000, 100_000];
/// Families with a long path, up to this number of bodies too.
const LARGEST: usize = 1_000_000;

type Family = (&'static str, fn(usize) -> Vec<Option<usize>>);

const FAMILIES: [Family; 10] = [
    ("chain", |n| (0..n).map(|k| k.checked_sub(1)).collect()),
    ("star", |n| (0..n).map(|k| (k > 0).then_some(0)).collect()),
    ("comb", comb),
    ("caterpillar", caterpillar),
    ("random recursive", |n| random(n, 1, |random, k| random.below(k))),
    ("random, near the tip", |n| random(n, 2, |random, k| k - 1 - random.below(k.min(3)))),
    ("random, half chain", |n| {
        random(n, 3, |random, k| if random.below(2) == 0 { k - 1 } else { random.below(k) })
    }),
    ("complete binary", |n| (0..n).map(|k| (k > 0).then(|| (k - 1) / 2)).collect()),
    ("complete ternary", |n| (0..n).map(|k| (k > 0).then(|| (k - 1) / 3)).collect()),
    ("free bodies", |n| vec![None; n]),
];

/// A spine of √n bodies, each with a tooth as long as the spine.
fn comb(n: usize) -> Vec<Option<usize>> {
    let spine = (n as f64).sqrt().ceil() as usize;
    (0..n).map(|k| if k < spine { k.checked_sub(1) } else { Some(k - spine) }).collect()
}

/// A spine with three legs on every body.
fn caterpillar(n: usize) -> Vec<Option<usize>> {
    (0..n).map(|k| if k % 4 == 0 { k.checked_sub(4) } else { Some(k - k % 4) }).collect()
}

fn random(n: usize, seed: u64, parent: fn(&mut Random, usize) -> usize) -> Vec<Option<usize>> {
    let mut random = Random(seed);
    (0..n).map(|k| (k > 0).then(|| parent(&mut random, k))).collect()
}

fn tree(parent: &[Option<usize>], leaf: usize) -> AssemblyTree {
    let (group, cut) = (vec![0; parent.len()], vec![true; parent.len()]);
    AssemblyTree::new(&Topology { parent, group: &group, cut: &cut }, leaf)
}

/// Assemblies on the longest way up, counted from the links alone, with every branch that a
/// carrier takes up as one.
fn counted_depth(tree: &AssemblyTree) -> usize {
    let mut height = vec![0; tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        let children = &tree.children[node.children.clone()];
        let deepest = children.iter().map(|&child| height[child]).max();
        let taken = if node.kind == Kind::Run { children.len() } else { 1 };
        height[index] = deepest.map_or(0, |deepest| deepest + taken);
    }
    height[0]
}

#[test]
fn depth_is_logarithmic_for_every_family() {
    println!("{:22} depth (and bound) for n = {SIZES:?}", "family");
    for (name, family) in FAMILIES {
        let mut line = format!("{name:22}");
        let largest = ["chain", "random, near the tip"].contains(&name).then_some(LARGEST);
        for n in SIZES.into_iter().chain(largest) {
            let tree = tree(&family(n), 1);
            let bound = (2.0 * (n as f64).log2() + 4.0).floor() as usize;
            assert_eq!(tree.depth(), counted_depth(&tree), "{name}, n = {n}");
            assert!(tree.depth() <= bound, "{name}, n = {n}: depth {} above {bound}", tree.depth());
            line += &format!(" {}({bound})", tree.depth());
        }
        println!("{line}");
    }
}

/// Every body at one position, carriers first, pieces of every node together, leaves of the size asked.
#[test]
fn trees_are_sound() {
    for (name, family) in FAMILIES {
        for (n, leaf) in [(1, 1), (2, 1), (50, 1), (1_000, 1), (1_000, 7), (20_000, LEAF_BODIES)] {
            let parent = family(n);
            let tree = tree(&parent, leaf);
            let label = format!("{name}, n = {n}, leaf {leaf}");
            let mut seen = vec![false; n];
            for (position, &body) in tree.order.iter().enumerate() {
                assert!(!std::mem::replace(&mut seen[body], true), "{label}: body {body} twice");
                let carrier = parent[body].map_or(GROUND, |p| tree.position[p]);
                assert_eq!(tree.carrier[position], carrier, "{label}");
                assert!(carrier == GROUND || carrier < position, "{label}");
            }
            assert!(seen.into_iter().all(|x| x), "{label}: every body once");
            assert!(tree.largest_leaf() <= leaf, "{label}: leaf of {}", tree.largest_leaf());
            for node in &tree.nodes {
                let mut at = node.own_end;
                for &child in &tree.children[node.children.clone()] {
                    assert_eq!(tree.nodes[child].start, at, "{label}: pieces follow each other");
                    at = tree.nodes[child].end;
                }
                assert_eq!(at, node.end, "{label}");
            }
        }
    }
}

/// With one body per leaf every body but the roots takes part in exactly one assembly.
#[test]
fn one_assembly_per_body() {
    for (name, family) in FAMILIES {
        let parent = family(1_000);
        let roots = parent.iter().filter(|p| p.is_none()).count();
        let tree = tree(&parent, 1);
        assert_eq!(tree.assembly_count(), 1_000 - roots, "{name}");
    }
}

/// Bodies outboard of which nothing may be cut stay with their neighbour.
#[test]
fn forbidden_cuts_are_kept() {
    let parent: Vec<Option<usize>> = (0..100).map(|k: usize| k.checked_sub(1)).collect();
    let cut: Vec<bool> = (0..100).map(|k| k % 3 == 0).collect();
    let tree = AssemblyTree::new(&Topology { parent: &parent, group: &[0; 100], cut: &cut }, 1);
    for node in tree.nodes.iter().filter(|node| node.kind == Kind::Run && node.next.is_some()) {
        assert!(cut[tree.order[node.tip]]);
    }
    assert_eq!(tree.largest_leaf(), 3);
}
