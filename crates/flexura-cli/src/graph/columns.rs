//! Which vertex goes into which column of the picture.
//!
//! Every vertex but the datum has a column of its own, so that the edges to the
//! datum can run straight down. The order is a minimum linear arrangement: first
//! depth first along joints and arms (which lays a loop out as an arch), then
//! stretches of columns are turned round or moved while that shortens the edges.
//! Deterministic; cost of one round O(vertices² · edges).

use flexura::graph::LinearGraph;

/// Rounds of improvement; the last ones change little.
const ROUNDS: usize = 6;
/// With more vertices than this the first order is kept.
const MOST_IMPROVED: usize = 150;

/// The vertices from left to right, without the datum.
pub fn columns(graph: &LinearGraph) -> Vec<usize> {
    let mut order = shortened(graph);
    // What is nearer to the ground, or else listed first, stands left.
    let level = levels(graph);
    let key = |vertex: Option<&usize>| vertex.map(|&vertex| (level[vertex], vertex));
    if key(order.first()) > key(order.last()) {
        order.reverse();
    }
    order
}

fn shortened(graph: &LinearGraph) -> Vec<usize> {
    let mut order = depth_first(graph);
    if order.len() > MOST_IMPROVED {
        return order;
    }
    let edges = pulls(graph);
    let mut place = vec![0; graph.vertices().len()];
    let mut cost = length(&order, &edges, &mut place);
    for _ in 0..ROUNDS {
        let before = cost;
        for width in 2..=order.len() {
            for start in 0..=order.len() - width {
                for change in [reverse as Change, rotate_left, rotate_right] {
                    let mut tried = order.clone();
                    change(&mut tried[start..start + width]);
                    let tried_cost = length(&tried, &edges, &mut place);
                    if tried_cost < cost {
                        (order, cost) = (tried, tried_cost);
                    }
                }
            }
        }
        if cost == before {
            break;
        }
    }
    order
}

type Change = fn(&mut [usize]);

fn reverse(part: &mut [usize]) {
    part.reverse();
}

fn rotate_left(part: &mut [usize]) {
    part.rotate_left(1);
}

fn rotate_right(part: &mut [usize]) {
    part.rotate_right(1);
}

/// Hops of every vertex from the datum along arms, drivers and joints; at least one.
pub fn levels(graph: &LinearGraph) -> Vec<usize> {
    let near = neighbours(graph);
    let mut level = vec![usize::MAX; graph.vertices().len()];
    let mut queue = std::collections::VecDeque::from([graph.datum()]);
    level[graph.datum()] = 0;
    while let Some(vertex) = queue.pop_front() {
        for &next in &near[vertex] {
            if level[next] == usize::MAX {
                level[next] = level[vertex] + 1;
                queue.push_back(next);
            }
        }
    }
    // What only bodies and forces hold stands right above the ground.
    level.into_iter().map(|level| if level == usize::MAX { 1 } else { level }).collect()
}

/// Ends of kinematic edges at each vertex.
fn neighbours(graph: &LinearGraph) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); graph.vertices().len()];
    for edge in graph.edges().iter().filter(|edge| edge.component.is_kinematic()) {
        near[edge.tail].push(edge.head);
        near[edge.head].push(edge.tail);
    }
    near
}

fn depth_first(graph: &LinearGraph) -> Vec<usize> {
    let near = neighbours(graph);
    let mut seen = vec![false; near.len()];
    seen[graph.datum()] = true;
    let mut order = Vec::new();
    let starts = near[graph.datum()].iter().copied().chain(0..near.len());
    for start in starts {
        let mut stack = vec![start];
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut seen[vertex], true) {
                order.push(vertex);
                stack.extend(near[vertex].iter().rev().filter(|&&next| !seen[next]));
            }
        }
    }
    order
}

/// Edges between columns with how hard they pull: (end, end, weight).
fn pulls(graph: &LinearGraph) -> Vec<(usize, usize, usize)> {
    let datum = graph.datum();
    let between = graph.edges().iter().filter(|edge| edge.tail != datum && edge.head != datum);
    between.map(|edge| (edge.tail, edge.head, if edge.component.is_kinematic() { 3 } else { 1 })).collect()
}

fn length(order: &[usize], edges: &[(usize, usize, usize)], place: &mut [usize]) -> usize {
    order.iter().enumerate().for_each(|(column, &vertex)| place[vertex] = column);
    edges.iter().map(|&(a, b, weight)| weight * place[a].abs_diff(place[b])).sum()
}
