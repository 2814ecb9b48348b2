//! Incidence, cutset and circuit matrices: the published examples, and what must hold on any graph.

use flexura::graph::*;
use proptest::prelude::*;
use std::collections::VecDeque;

const TURNING: Component = Component::Joint(JointClass::Turning);
const SPRING: Component = Component::Force(ForceClass::Passive);

/// Adds edges given as (name, tail, head, component), the ends by name.
fn add(graph: &mut LinearGraph, edges: &[(&str, &str, &str, Component)]) {
    for &(name, tail, head, component) in edges {
        let vertex = |name: &str| graph.vertices().iter().position(|known| known == name).expect(name);
        let (tail, head) = (vertex(tail), vertex(head));
        graph.add_edge(name, tail, head, component);
    }
}

/// Richard (2012), figure 1: a body on two springs and a dashpot.
fn figure_1() -> LinearGraph {
    let mut graph = LinearGraph::with_vertices(&["1", "2", "3", "4", "5", "6"], 5);
    add(
        &mut graph,
        &[
            ("e1", "6", "1", Component::Body),
            ("e2", "1", "2", Component::RigidArm),
            ("e3", "1", "3", Component::RigidArm),
            ("e4", "6", "4", Component::PositionDriver),
            ("e5", "6", "5", Component::PositionDriver),
            ("e6", "4", "3", SPRING),
            ("e7", "5", "2", SPRING),
            ("e8", "5", "3", SPRING),
        ],
    );
    graph
}

#[test]
fn figure_1_has_the_printed_matrices() {
    let graph = figure_1();
    let tree = graph.tree().unwrap();
    assert_eq!((&tree.branches, &tree.chords), (&vec![0, 1, 2, 3, 4], &vec![5, 6, 7]));
    // Eq. (1).
    let printed = [
        [1, -1, -1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 1, 0],
        [0, 0, 1, 0, 0, 1, 0, 1],
        [0, 0, 0, 1, 0, -1, 0, 0],
        [0, 0, 0, 0, 1, 0, -1, -1],
        [-1, 0, 0, -1, -1, 0, 0, 0],
    ];
    assert_eq!(incidence(&graph).to_rows(), printed);
    // Eq. (2); the print shows four of the five columns of the unit matrix.
    let printed = [
        [1, 0, 0, 0, 0, 1, 1, 1],
        [0, 1, 0, 0, 0, 0, 1, 0],
        [0, 0, 1, 0, 0, 1, 0, 1],
        [0, 0, 0, 1, 0, -1, 0, 0],
        [0, 0, 0, 0, 1, 0, -1, -1],
    ];
    assert_eq!(cutset(&graph, &tree).to_rows(), printed);
    // Eq. (4).
    let printed = [[-1, 0, -1, 1, 0, 1, 0, 0], [-1, -1, 0, 0, 1, 0, 1, 0], [-1, 0, -1, 0, 1, 0, 0, 1]];
    assert_eq!(circuit(&cutset_chords(&graph, &tree)).to_rows(), printed);
}

/// Richard (2012), figure 2: the four-bar with rigid crank, flexible coupler and follower; vertices
/// and orientations follow from eqs (9) and (10).
fn figure_2() -> LinearGraph {
    use Component::*;
    let names = ["datum", "Cg", "O1", "cg1", "A1", "A2", "B2", "B3", "C3"];
    let mut graph = LinearGraph::with_vertices(&names, 0);
    add(
        &mut graph,
        &[
            ("e11", "cg1", "O1", RigidArm),
            ("e12", "cg1", "A1", RigidArm),
            ("e13", "B2", "A2", FlexibleArm),
            ("e14", "C3", "B3", FlexibleArm),
            ("e21", "datum", "Cg", PositionDriver),
            ("e31", "datum", "O1", TURNING),
            ("e32", "A1", "A2", TURNING),
            ("e33", "B2", "B3", TURNING),
            ("e34", "Cg", "C3", TURNING),
            ("e51", "datum", "cg1", Body),
            ("e52", "datum", "B2", Body),
            ("e53", "datum", "C3", Body),
            ("e61", "datum", "cg1", Force(ForceClass::Actuator)),
        ],
    );
    let held = ["O1", "A1", "A2", "B2", "B3", "C3", "Cg"];
    for (i, vertex) in held.iter().enumerate() {
        add(&mut graph, &[(&format!("e7{}", i + 1), "datum", vertex, VirtualWork)]);
    }
    graph
}

/// Names and values of a row of [U_t D] or [E U_c].
fn terms(graph: &LinearGraph, tree: &GraphTree, matrix: &IntegerMatrix, row: usize) -> Vec<(String, i32)> {
    let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
    let mut terms: Vec<(String, i32)> =
        matrix.row(row).map(|(column, value)| (graph.edges()[order[column]].name.clone(), value)).collect();
    terms.sort();
    terms
}

fn expected(terms: &[(&str, i32)]) -> Vec<(String, i32)> {
    let mut terms: Vec<(String, i32)> = terms.iter().map(|&(name, value)| (name.into(), value)).collect();
    terms.sort();
    terms
}

#[test]
fn figure_2_has_the_printed_equations() {
    let graph = figure_2();
    let tree = graph.tree().unwrap();
    let names = |list: &[usize]| list.iter().map(|&e| graph.edges()[e].name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&tree.branches), ["e11", "e12", "e13", "e14", "e21", "e31", "e32", "e34"]);
    let row = names(&tree.branches).iter().position(|name| name == "e34").unwrap();
    // Eq. (9).
    assert_eq!(
        terms(&graph, &tree, &cutset(&graph, &tree), row),
        expected(&[("e33", 1), ("e75", 1), ("e76", 1), ("e53", 1), ("e34", 1)])
    );
    // Eq. (10).
    let row = names(&tree.chords).iter().position(|name| name == "e33").unwrap();
    let printed = [
        ("e33", 1),
        ("e14", -1),
        ("e34", -1),
        ("e21", -1),
        ("e31", 1),
        ("e11", -1),
        ("e12", 1),
        ("e32", 1),
        ("e13", -1),
    ];
    assert_eq!(terms(&graph, &tree, &circuit(&cutset_chords(&graph, &tree)), row), expected(&printed));
}

#[test]
fn absolute_and_forced_trees() {
    let graph = figure_2();
    let tree = graph.absolute_tree().unwrap();
    let is = |name: &str| tree.is_branch(graph.edge(name).unwrap());
    assert!(["e51", "e52", "e53", "e21"].iter().all(|name| is(name)));
    assert!(!["e31", "e32", "e33", "e34"].iter().any(|name| is(name)));
    let edges = |names: &[&str]| names.iter().map(|name| graph.edge(name).unwrap()).collect::<Vec<_>>();
    let tree = graph.forced_tree(&edges(&["e33", "e52"])).unwrap();
    let joints = ["e31", "e32", "e33", "e34"].map(|name| tree.is_branch(graph.edge(name).unwrap()));
    assert_eq!(joints, [false, false, true, false]);
    assert!(tree.is_branch(graph.edge("e51").unwrap()) && !tree.is_branch(graph.edge("e53").unwrap()));
    let refused = graph.forced_tree(&edges(&["e51", "e61"])).unwrap_err();
    assert_eq!(refused, GraphError::ForcedCircuit(vec!["e61".into(), "e51".into()]));
}

#[test]
fn an_island_is_named() {
    let mut graph = LinearGraph::with_vertices(&["ground", "a", "b"], 0);
    add(&mut graph, &[("joint", "a", "b", TURNING)]);
    assert_eq!(graph.tree().unwrap_err(), GraphError::Unconnected(vec!["a".into(), "b".into()]));
}

#[test]
fn an_edge_from_a_vertex_to_itself_is_a_circuit_of_its_own() {
    let mut graph = LinearGraph::with_vertices(&["ground", "a"], 0);
    add(&mut graph, &[("self", "a", "a", Component::RigidArm), ("joint", "ground", "a", TURNING)]);
    let tree = graph.tree().unwrap();
    assert_eq!(tree.chords, [0]);
    assert_eq!(tree.circuit_of(&graph, 0), [(0, 1)]);
    assert_eq!(circuit(&cutset_chords(&graph, &tree)).to_rows(), [[0, 1]]);
}

const COMPONENTS: [Component; 8] = [
    Component::RigidArm,
    Component::PositionDriver,
    Component::MotionDriver,
    TURNING,
    Component::Joint(JointClass::Sliding),
    Component::Body,
    SPRING,
    Component::VirtualWork,
];

/// A connected graph: every vertex hangs on an earlier one, further edges go anywhere (also parallel
/// to others, and from a vertex to itself), in any direction, listed in any order.
fn connected_graph() -> impl Strategy<Value = LinearGraph> {
    let edge =
        || (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..COMPONENTS.len(), any::<bool>());
    let sizes = (2usize..=500, 0usize..120);
    sizes
        .prop_flat_map(move |(vertices, further)| {
            let edges = prop::collection::vec(edge(), vertices - 1 + further);
            (Just(vertices), edges, any::<prop::sample::Index>(), any::<u64>())
        })
        .prop_map(|(vertices, edges, datum, seed)| {
            let names: Vec<String> = (0..vertices).map(|i| format!("v{i}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut graph = LinearGraph::with_vertices(&names, datum.index(vertices));
            let ends = |(i, (a, b, component, turned)): (
                usize,
                (prop::sample::Index, prop::sample::Index, usize, bool),
            )| {
                let (tail, head) = if i + 1 < vertices {
                    (a.index(i + 1), i + 1)
                } else {
                    (a.index(vertices), b.index(vertices))
                };
                let (tail, head) = if turned { (head, tail) } else { (tail, head) };
                (tail, head, COMPONENTS[component])
            };
            let mut list: Vec<_> = edges.into_iter().enumerate().map(ends).collect();
            shuffle(&mut list, seed);
            for (i, (tail, head, component)) in list.into_iter().enumerate() {
                graph.add_edge(format!("e{i}"), tail, head, component);
            }
            graph
        })
}

fn shuffle<T>(list: &mut [T], mut seed: u64) {
    for i in (1..list.len()).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list.swap(i, (seed >> 33) as usize % (i + 1));
    }
}

/// The circuit of a chord found without the matrices: breadth first over branches from its head.
fn walked(graph: &LinearGraph, tree: &GraphTree, chord: usize) -> Vec<(usize, i32)> {
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); graph.vertices().len()];
    for &branch in &tree.branches {
        let edge = &graph.edges()[branch];
        at[edge.tail].push(branch);
        at[edge.head].push(branch);
    }
    let (start, goal) = (graph.edges()[chord].head, graph.edges()[chord].tail);
    let mut came: Vec<Option<(usize, usize, i32)>> = vec![None; graph.vertices().len()];
    let mut queue = VecDeque::from([start]);
    let mut seen = vec![false; graph.vertices().len()];
    seen[start] = true;
    while let Some(vertex) = queue.pop_front() {
        for &branch in &at[vertex] {
            let edge = &graph.edges()[branch];
            let (next, sign) = if edge.tail == vertex { (edge.head, 1) } else { (edge.tail, -1) };
            if !std::mem::replace(&mut seen[next], true) {
                came[next] = Some((vertex, branch, sign));
                queue.push_back(next);
            }
        }
    }
    let (mut walk, mut vertex) = (Vec::new(), goal);
    while vertex != start {
        let (from, branch, sign) = came[vertex].expect("a tree connects everything");
        walk.push((branch, sign));
        vertex = from;
    }
    walk
}

/// Number of connected parts without the edges in `removed`, and the part of each vertex.
fn parts(graph: &LinearGraph, removed: &[bool]) -> (usize, Vec<usize>) {
    let mut sets = DisjointSets::new(graph.vertices().len());
    for (edge, _) in graph.edges().iter().zip(removed).filter(|(_, removed)| !**removed) {
        sets.join(edge.tail, edge.head);
    }
    let part: Vec<usize> = (0..graph.vertices().len()).map(|vertex| sets.root(vertex)).collect();
    let roots = part.iter().enumerate().filter(|&(vertex, &root)| vertex == root).count();
    (roots, part)
}

/// Largest magnitude of A Bᵀ for two matrices whose columns are the same edges.
fn largest_product(a: &IntegerMatrix, b: &IntegerMatrix) -> i32 {
    let mut largest = 0;
    for i in 0..b.rows() {
        let mut row = vec![0; b.columns()];
        b.row(i).for_each(|(column, value)| row[column] = value);
        for j in 0..a.rows() {
            let product: i32 = a.row(j).map(|(column, value)| value * row[column]).sum();
            largest = largest.max(product.abs());
        }
    }
    largest
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        rng_algorithm: prop::test_runner::RngAlgorithm::ChaCha,
        rng_seed: prop::test_runner::RngSeed::Fixed(20_121_998),
        ..ProptestConfig::default()
    })]

    #[test]
    fn cutsets_and_circuits_of_any_graph(graph in connected_graph()) {
        let (vertices, edges) = (graph.vertices().len(), graph.edges().len());
        for tree in [graph.tree().unwrap(), graph.absolute_tree().unwrap()] {
            prop_assert_eq!(tree.branches.len(), vertices - 1);
            prop_assert_eq!(tree.chords.len(), edges + 1 - vertices);
            let d = cutset_chords(&graph, &tree);
            let (cuts, loops) = (cutset(&graph, &tree), circuit(&d));
            prop_assert_eq!(largest_product(&cuts, &loops), 0, "orthogonality (3)");
            // The incidence matrix, which knows no tree, annihilates circuits too.
            let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
            let mut reordered = IntegerMatrix::new(edges);
            let mut place = vec![0; edges];
            order.iter().enumerate().for_each(|(at, &edge)| place[edge] = at);
            let kappa = incidence(&graph);
            for i in 0..vertices {
                reordered.push_row(&mut kappa.row(i).map(|(column, value)| (place[column], value)).collect());
            }
            prop_assert_eq!(largest_product(&reordered, &loops), 0);
            for (row, &chord) in tree.chords.iter().enumerate() {
                let mut found: Vec<(usize, i32)> =
                    circuit_branches(&d).row(row).map(|(column, value)| (tree.branches[column], value)).collect();
                let mut walk = walked(&graph, &tree, chord);
                walk.sort_unstable();
                found.sort_unstable();
                prop_assert_eq!(&found, &walk, "circuit of chord {}", chord);
                // The walk of the library visits the same edges and comes back to its start.
                let around = tree.circuit_of(&graph, chord);
                let mut vertex = graph.edges()[chord].tail;
                for &(edge, sign) in &around {
                    let edge = &graph.edges()[edge];
                    let (from, to) = if sign > 0 { (edge.tail, edge.head) } else { (edge.head, edge.tail) };
                    prop_assert_eq!(from, vertex);
                    vertex = to;
                }
                prop_assert_eq!(vertex, graph.edges()[chord].tail);
                prop_assert_eq!(around.len(), walk.len() + 1);
            }
        }
    }

    #[test]
    fn no_chord_outranks_a_branch_of_its_circuit(graph in connected_graph()) {
        let tree = graph.tree().unwrap();
        for &chord in &tree.chords {
            for (branch, _) in walked(&graph, &tree, chord) {
                prop_assert!(graph.edges()[branch].rank <= graph.edges()[chord].rank);
            }
        }
    }

    #[test]
    fn a_cutset_separates_two_parts_and_nothing_less_does(graph in connected_graph()) {
        let tree = graph.tree().unwrap();
        let cuts = cutset(&graph, &tree);
        let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
        // Every seventh branch: the parts of each one are counted from scratch.
        for row in (0..tree.branches.len()).step_by(7) {
            let mut removed = vec![false; graph.edges().len()];
            cuts.row(row).for_each(|(column, _)| removed[order[column]] = true);
            let (number, part) = parts(&graph, &removed);
            prop_assert_eq!(number, 2);
            let branch = &graph.edges()[tree.branches[row]];
            for (column, value) in cuts.row(row) {
                let edge = &graph.edges()[order[column]];
                let (from, to) = if value > 0 { (edge.tail, edge.head) } else { (edge.head, edge.tail) };
                prop_assert_eq!([part[from], part[to]], [part[branch.tail], part[branch.head]]);
            }
        }
    }

    #[test]
    fn sums_over_the_tree_equal_the_matrices(graph in connected_graph(), seed in any::<u64>()) {
        let tree = graph.tree().unwrap();
        let mut values: Vec<i32> = (0..graph.edges().len() as i32).collect();
        shuffle(&mut values, seed);
        let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
        let product = |matrix: &IntegerMatrix| -> Vec<f64> {
            let entry = |(column, value): (usize, i32)| value * values[order[column]];
            (0..matrix.rows()).map(|row| f64::from(matrix.row(row).map(entry).sum::<i32>())).collect()
        };
        let through: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        prop_assert_eq!(balance(&graph, &tree, &through), product(&cutset(&graph, &tree)));
        prop_assert_eq!(closure(&graph, &tree, &through), product(&circuit(&cutset_chords(&graph, &tree))));
    }
}
