//! Checks of Richard: matrices of the printed graphs.

use super::checks::{Found, finding};
use crate::context::Fault;
use flexura::graph::{
    Component, ForceClass, JointClass, LinearGraph, balance, circuit, closure, cutset, cutset_chords,
    incidence,
};

const SPRING: Component = Component::Force(ForceClass::Passive);

/// Figure 1: a body on two springs and a dashpot; tail and head of every edge by number.
fn figure_1() -> LinearGraph {
    let mut graph = LinearGraph::with_vertices(&["1", "2", "3", "4", "5", "6"], 5);
    let edges = [
        (5, 0, Component::Body),
        (0, 1, Component::RigidArm),
        (0, 2, Component::RigidArm),
        (5, 3, Component::PositionDriver),
        (5, 4, Component::PositionDriver),
        (3, 2, SPRING),
        (4, 1, SPRING),
        (4, 2, SPRING),
    ];
    for (i, (tail, head, component)) in edges.into_iter().enumerate() {
        graph.add_edge(format!("e{}", i + 1), tail, head, component);
    }
    graph
}

/// Entries of two tables that differ.
fn differing<const N: usize>(found: &[Vec<i32>], printed: &[[i32; N]]) -> f64 {
    let pairs = found.iter().flatten().zip(printed.iter().flatten());
    let wrong = pairs.filter(|(a, b)| a != b).count();
    if found.len() == printed.len() { wrong as f64 } else { f64::NAN }
}

fn tree_of(graph: &LinearGraph) -> Result<flexura::graph::GraphTree, Fault> {
    graph.tree().map_err(|error| Fault(error.to_string()))
}

pub(super) fn incidence_is_the_printed_one() -> Found {
    let printed = [
        [1, -1, -1, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 1, 0],
        [0, 0, 1, 0, 0, 1, 0, 1],
        [0, 0, 0, 1, 0, -1, 0, 0],
        [0, 0, 0, 0, 1, 0, -1, -1],
        [-1, 0, 0, -1, -1, 0, 0, 0],
    ];
    let found = incidence(&figure_1()).to_rows();
    Ok(vec![finding(
        "entries of the incidence matrix of figure 1 that differ from the print",
        differing(&found, &printed),
        0.0,
    )])
}

pub(super) fn cutsets_are_the_printed_ones() -> Found {
    let graph = figure_1();
    let tree = tree_of(&graph)?;
    let printed = [
        [1, 0, 0, 0, 0, 1, 1, 1],
        [0, 1, 0, 0, 0, 0, 1, 0],
        [0, 0, 1, 0, 0, 1, 0, 1],
        [0, 0, 0, 1, 0, -1, 0, 0],
        [0, 0, 0, 0, 1, 0, -1, -1],
    ];
    let rows = cutset(&graph, &tree).to_rows();
    // Forces of the springs and what balances them at the tree (5); (6) is the first row.
    let mut through = [0.0, 0.0, 0.0, 0.0, 0.0, 2.0, -3.0, 7.0];
    for (branch, row) in rows.iter().enumerate() {
        through[branch] = -(5..8).map(|chord| f64::from(row[chord]) * through[chord]).sum::<f64>();
    }
    let left = balance(&graph, &tree, &through);
    let first = through[0] + through[5] + through[6] + through[7];
    Ok(vec![
        finding(
            "entries of the cutsets of figure 1 that differ from the print",
            differing(&rows, &printed),
            0.0,
        ),
        finding(
            "[U_t D] τ of balanced forces, by sums over the tree",
            left.iter().fold(0.0, |m: f64, x| m.max(x.abs())),
            1e-15,
        ),
        finding("F1 + F6 + F7 + F8", first.abs(), 1e-15),
    ])
}

pub(super) fn circuits_are_the_printed_ones() -> Found {
    let graph = figure_1();
    let tree = tree_of(&graph)?;
    let printed = [[-1, 0, -1, 1, 0, 1, 0, 0], [-1, -1, 0, 0, 1, 0, 1, 0], [-1, 0, -1, 0, 1, 0, 0, 1]];
    let rows = circuit(&cutset_chords(&graph, &tree)).to_rows();
    // Displacements between places of the vertices close every circuit (7); (8) is the third.
    let place: Vec<f64> = (0..6).map(|i| (1.0 + f64::from(i)).sin()).collect();
    let across: Vec<f64> = graph.edges().iter().map(|edge| place[edge.head] - place[edge.tail]).collect();
    let gaps = closure(&graph, &tree, &across);
    let third = -across[0] - across[2] + across[4] + across[7];
    Ok(vec![
        finding(
            "entries of the circuits of figure 1 that differ from the print",
            differing(&rows, &printed),
            0.0,
        ),
        finding(
            "[E U_c] of displacements, by sums over the tree",
            gaps.iter().fold(0.0, |m: f64, x| m.max(x.abs())),
            1e-15,
        ),
        finding("−r1 − r3 + r5 + r8", third.abs(), 1e-15),
    ])
}

pub(super) fn figure_2_has_its_circuit() -> Found {
    use Component::{Body, FlexibleArm, PositionDriver, RigidArm, VirtualWork};
    const TURNING: Component = Component::Joint(JointClass::Turning);
    let names = ["datum", "Cg", "O1", "cg1", "A1", "A2", "B2", "B3", "C3"];
    let mut graph = LinearGraph::with_vertices(&names, 0);
    let edges = [
        ("e11", 3, 2, RigidArm),
        ("e12", 3, 4, RigidArm),
        ("e13", 6, 5, FlexibleArm),
        ("e14", 8, 7, FlexibleArm),
        ("e21", 0, 1, PositionDriver),
        ("e31", 0, 2, TURNING),
        ("e32", 4, 5, TURNING),
        ("e33", 6, 7, TURNING),
        ("e34", 1, 8, TURNING),
        ("e51", 0, 3, Body),
        ("e52", 0, 6, Body),
        ("e53", 0, 8, Body),
        ("e61", 0, 3, Component::Force(ForceClass::Actuator)),
        ("e75", 0, 7, VirtualWork),
        ("e76", 0, 8, VirtualWork),
    ];
    for (name, tail, head, component) in edges {
        graph.add_edge(name, tail, head, component);
    }
    let tree = tree_of(&graph)?;
    let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
    let terms = |matrix: &flexura::graph::IntegerMatrix, row: usize| {
        let mut list: Vec<(String, i32)> = matrix
            .row(row)
            .map(|(column, value)| (graph.edges()[order[column]].name.clone(), value))
            .collect();
        list.sort();
        list
    };
    let edge = |name: &str| graph.edge(name).ok_or_else(|| Fault(format!("no edge {name}")));
    let place = |list: &[usize], wanted: usize| {
        list.iter().position(|&e| e == wanted).ok_or_else(|| Fault("not in the tree".into()))
    };
    let (chord, branch) = (place(&tree.chords, edge("e33")?)?, place(&tree.branches, edge("e34")?)?);
    let circuits = terms(&circuit(&cutset_chords(&graph, &tree)), chord);
    let cuts = terms(&cutset(&graph, &tree), branch);
    let tenth = [
        ("e11", -1),
        ("e12", 1),
        ("e13", -1),
        ("e14", -1),
        ("e21", -1),
        ("e31", 1),
        ("e32", 1),
        ("e33", 1),
        ("e34", -1),
    ];
    let ninth = [("e33", 1), ("e34", 1), ("e53", 1), ("e75", 1), ("e76", 1)];
    let wrong = |found: &[(String, i32)], printed: &[(&str, i32)]| {
        let equal = found.iter().zip(printed).filter(|((a, x), (b, y))| a == b && x == y).count();
        (found.len().max(printed.len()) - equal) as f64
    };
    Ok(vec![
        finding("terms of the circuit of chord e33 that differ from (10)", wrong(&circuits, &tenth), 0.0),
        finding("terms of the cutset of joint e34 that differ from (9)", wrong(&cuts, &ninth), 0.0),
    ])
}
