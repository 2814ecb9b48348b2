//! Where vertices, edges and names of a graph go in its picture.
//!
//! The datum is a bar along the bottom. Vertices stand in columns of their own,
//! the higher the farther from the ground, so a chain is a flight of stairs and a
//! loop an arch. Edges to the datum run straight down; edges between frames are
//! straight unless a vertex or another edge is in the way. Lengths in pixels.

use super::columns::{columns, levels};
use flexura::graph::LinearGraph;

/// Height between two levels.
const STOREY: f64 = 72.0;
/// Width for an edge that runs down to the datum.
const FOOT: f64 = 20.0;
/// Room around the drawing.
pub const MARGIN: f64 = 30.0;
/// Width of a letter of names.
pub const LETTER: f64 = 6.1;
/// Distance that edges keep from vertices they do not end at.
const CLEARANCE: f64 = 20.0;
/// Distance of the points by which a curve is known to the placing of names.
const SAMPLE: f64 = 5.0;

/// A point of the picture.
pub type Point = [f64; 2];

/// A curve as its four Bézier points, followed by a straight line for edges to the datum.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Bézier points, from tail to head or from the vertex down.
    pub points: [Point; 4],
    /// End of the straight line down to the datum.
    pub foot: Option<Point>,
}

impl Curve {
    /// A point of the Bézier part, at 0 to 1.
    pub fn at(&self, t: f64) -> Point {
        let [a, b, c, d] = self.points;
        let s = 1.0 - t;
        [0, 1].map(|i| s * s * s * a[i] + 3.0 * s * s * t * b[i] + 3.0 * s * t * t * c[i] + t * t * t * d[i])
    }

    /// Points along the whole curve.
    pub fn samples(&self) -> Vec<Point> {
        let [a, .., d] = self.points;
        let number = ((d[0] - a[0]).hypot(d[1] - a[1]) / SAMPLE).max(8.0) as usize;
        let mut points: Vec<Point> = (0..=number).map(|i| self.at(i as f64 / number as f64)).collect();
        if let Some(foot) = self.foot {
            let top = self.points[3];
            let steps = ((foot[1] - top[1]) / SAMPLE).max(1.0) as usize;
            points.extend(
                (1..=steps).map(|i| [foot[0], top[1] + (foot[1] - top[1]) * i as f64 / steps as f64]),
            );
        }
        points
    }
}

/// A laid-out graph.
pub struct Layout {
    /// Place of every vertex; that of the datum is not used.
    pub vertices: Vec<Point>,
    /// Curve of every edge; `None` where it is not shown.
    pub curves: Vec<Option<Curve>>,
    /// Height of the bar that is the datum.
    pub ground: f64,
    /// Size of the picture.
    pub size: Point,
}

impl Layout {
    /// Lays out the edges of `graph` that are `shown`.
    pub fn new(graph: &LinearGraph, shown: &[bool]) -> Self {
        let (order, level) = (columns(graph), levels(graph));
        let feet = feet(graph, shown);
        let top = level.iter().copied().max().unwrap_or(1).max(1);
        let longest =
            feet.iter().flatten().map(|&edge| text_width(&graph.edges()[edge].name)).fold(40.0, f64::max);
        let base = longest + 50.0;
        let ground = MARGIN + 30.0 + STOREY * (top - 1) as f64 + base;
        let mut vertices = vec![[0.0, ground]; graph.vertices().len()];
        let mut x = MARGIN;
        for (column, &vertex) in order.iter().enumerate() {
            let half = half_width(graph, &feet[vertex], vertex);
            let before = column.checked_sub(1).map(|left| order[left]);
            x += match before {
                None => half.max(text_width(&graph.vertices()[vertex])),
                Some(left) => {
                    let sides = half + half_width(graph, &feet[left], left);
                    sides.max(room_between(graph, shown, &level, left, vertex))
                }
            };
            vertices[vertex] = [x, ground - base - STOREY * (level[vertex] - 1) as f64];
        }
        let last = order.last().map_or(0.0, |&vertex| {
            half_width(graph, &feet[vertex], vertex).max(text_width(&graph.vertices()[vertex]))
        });
        let mut layout = Self {
            vertices,
            curves: vec![None; graph.edges().len()],
            ground,
            size: [(x + last + MARGIN).max(560.0), ground + 60.0],
        };
        layout.run_feet_down(&feet);
        layout.join_frames(graph, shown);
        layout
    }

    fn run_feet_down(&mut self, feet: &[Vec<usize>]) {
        for (vertex, edges) in feet.iter().enumerate() {
            for (slot, &edge) in edges.iter().enumerate() {
                let [x, y] = self.vertices[vertex];
                // Straight down, then left and right in turn.
                let turn = if slot % 2 == 1 { -FOOT } else { FOOT };
                let at = x + turn * slot.div_ceil(2) as f64;
                let points = [[x, y], [x, y + 14.0], [at, y + 8.0], [at, y + 28.0]];
                self.curves[edge] = Some(Curve { points, foot: Some([at, self.ground]) });
            }
        }
    }

    /// Curves between frames: the flattest that keeps clear of vertices and of parallel edges.
    fn join_frames(&mut self, graph: &LinearGraph, shown: &[bool]) {
        let mut bends: Vec<([usize; 2], f64)> = Vec::new();
        for (index, edge) in graph.edges().iter().enumerate().filter(|&(index, _)| shown[index]) {
            if edge.tail == graph.datum() || edge.head == graph.datum() {
                continue;
            }
            let pair = [edge.tail.min(edge.head), edge.tail.max(edge.head)];
            let candidates = (0..24).map(|i| f64::from((i + 1) / 2) * if i % 2 == 1 { 26.0 } else { -26.0 });
            let free = |bend: &f64| {
                // A bend is measured from the lower vertex number, so that parallel edges spread.
                let taken = bends.iter().any(|&(other, at)| other == pair && (at - bend).abs() < 1.0);
                !taken && self.is_clear(&self.bent(pair, *bend), pair, graph.datum())
            };
            let bend = candidates.clone().find(free).unwrap_or(26.0 * bends.len() as f64);
            bends.push((pair, bend));
            let mut curve = self.bent(pair, bend);
            if edge.tail != pair[0] {
                curve.points.reverse();
            }
            self.curves[index] = Some(curve);
        }
    }

    fn bent(&self, [from, to]: [usize; 2], bend: f64) -> Curve {
        let (a, b) = (self.vertices[from], self.vertices[to]);
        if from == to {
            let [x, y] = a;
            let size = 40.0 + bend.abs();
            return Curve { points: [a, [x - size, y - size], [x + size, y - size], a], foot: None };
        }
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]).max(1.0);
        let side = [-along[1] / length * bend * 4.0 / 3.0, along[0] / length * bend * 4.0 / 3.0];
        let at = |part: f64| [0, 1].map(|i| a[i] + part * along[i] + side[i]);
        Curve { points: [a, at(0.3), at(0.7), b], foot: None }
    }

    fn is_clear(&self, curve: &Curve, ends: [usize; 2], datum: usize) -> bool {
        let others = (0..self.vertices.len()).filter(|vertex| *vertex != datum && !ends.contains(vertex));
        let points = curve.samples();
        others.into_iter().all(|vertex| {
            let at = self.vertices[vertex];
            points.iter().all(|point| (point[0] - at[0]).hypot(point[1] - at[1]) > CLEARANCE)
        })
    }
}

/// Width of a name.
pub fn text_width(name: &str) -> f64 {
    LETTER * name.chars().count() as f64
}

/// Shown edges between each vertex and the datum, joints and drivers first.
fn feet(graph: &LinearGraph, shown: &[bool]) -> Vec<Vec<usize>> {
    let mut feet = vec![Vec::new(); graph.vertices().len()];
    for (index, edge) in graph.edges().iter().enumerate().filter(|&(index, _)| shown[index]) {
        let other = match (edge.tail == graph.datum(), edge.head == graph.datum()) {
            (true, false) => edge.head,
            (false, true) => edge.tail,
            _ => continue,
        };
        feet[other].push(index);
    }
    for edges in &mut feet {
        edges.sort_by_key(|&edge| (!graph.edges()[edge].component.is_kinematic(), edge));
    }
    feet
}

/// Half the width of a column.
fn half_width(graph: &LinearGraph, feet: &[usize], vertex: usize) -> f64 {
    let name = text_width(&graph.vertices()[vertex]) / 2.0;
    (FOOT * (feet.len() / 2) as f64 + 14.0).max(name * 0.7).max(24.0)
}

/// Room that the names on edges between two neighbouring columns ask for.
fn room_between(graph: &LinearGraph, shown: &[bool], level: &[usize], left: usize, right: usize) -> f64 {
    let pair = [left.min(right), left.max(right)];
    let between = graph
        .edges()
        .iter()
        .zip(shown)
        .filter(|(edge, shown)| **shown && [edge.tail.min(edge.head), edge.tail.max(edge.head)] == pair);
    let rise = STOREY * level[left].abs_diff(level[right]) as f64;
    between
        .map(|(edge, _)| {
            let run = text_width(&edge.name) + 44.0;
            (run * run - rise * rise).max(0.0).sqrt()
        })
        .fold(0.0, f64::max)
}
