//! Where names go: of several places the one that covers the least.

use super::layout::{Curve, LETTER, Layout, Point, text_width};
use flexura::graph::LinearGraph;
use std::collections::HashMap;

/// A name in the picture.
#[derive(Clone, Debug)]
pub struct Name {
    /// Middle of the text.
    pub at: Point,
    /// Turn (degrees).
    pub angle: f64,
}

/// Names of vertices and edges; those of the datum and of hidden edges are `None`.
pub struct Names {
    /// Of every vertex.
    pub vertices: Vec<Option<Name>>,
    /// Of every edge.
    pub edges: Vec<Option<Name>>,
}

/// What names should not cover: points with the edge they belong to, in square cells.
#[derive(Default)]
struct Obstacles {
    cells: HashMap<[i64; 2], Vec<(Point, usize)>>,
}

/// Owner of points that belong to no edge.
const NONE: usize = usize::MAX;
/// Distance from the middle of a line of text at which something touches it; size of a cell.
const TOUCHES: f64 = 7.5;

fn cell(point: &Point) -> [i64; 2] {
    point.map(|x| (x / TOUCHES).floor() as i64)
}

impl Obstacles {
    fn add(&mut self, points: impl IntoIterator<Item = Point>, owner: usize) {
        for point in points {
            self.cells.entry(cell(&point)).or_default().push((point, owner));
        }
    }

    /// How much a name of `width` at a place covers, its own edge apart.
    fn covered(&self, name: &Name, width: f64, own: usize) -> usize {
        line_of(name, width).iter().map(|at| self.near(at, own)).sum()
    }

    fn near(&self, at: &Point, own: usize) -> usize {
        let [column, row] = cell(at);
        let around = (-1..=1).flat_map(|i| (-1..=1).map(move |j| [column + i, row + j]));
        let points = around.filter_map(|cell| self.cells.get(&cell)).flatten();
        let touches = |point: &Point| (at[0] - point[0]).hypot(at[1] - point[1]) < TOUCHES;
        points.filter(|(point, owner)| *owner != own && touches(point)).count()
    }

    /// Takes the best of `places` and makes it an obstacle for the next names.
    fn place(&mut self, places: Vec<Name>, width: f64, own: usize) -> Option<Name> {
        let scored = places.into_iter().map(|name| (self.covered(&name, width, own), name));
        let (_, best) = scored.min_by_key(|&(covered, _)| covered)?;
        // Text is worse to cover than a line: it counts twice.
        for _ in 0..2 {
            self.add(line_of(&best, width), NONE);
        }
        Some(best)
    }
}

/// Points along a line of text.
fn line_of(name: &Name, width: f64) -> Vec<Point> {
    let (sin, cos) = name.angle.to_radians().sin_cos();
    let steps = (width / LETTER).ceil().max(1.0) as usize;
    (0..=steps)
        .map(|i| {
            let along = width * (i as f64 / steps as f64 - 0.5);
            [name.at[0] + along * cos, name.at[1] + along * sin]
        })
        .collect()
}

/// Finds a place for every name.
pub fn place_names(graph: &LinearGraph, layout: &Layout) -> Names {
    let mut obstacles = Obstacles::default();
    for (index, curve) in layout.curves.iter().enumerate() {
        obstacles.add(curve.iter().flat_map(Curve::samples), index);
    }
    for (_, &[x, y]) in layout.vertices.iter().enumerate().filter(|&(v, _)| v != graph.datum()) {
        let ring = (0..8).map(|i| (f64::from(i) * std::f64::consts::FRAC_PI_4).sin_cos());
        obstacles.add(ring.map(|(s, c)| [x + 7.0 * c, y + 7.0 * s]), NONE);
    }
    let mut names =
        Names { vertices: vec![None; graph.vertices().len()], edges: vec![None; layout.curves.len()] };
    // Names at the feet have their own strip and come first.
    for (index, curve) in layout.curves.iter().enumerate() {
        let Some(foot) = curve.as_ref().and_then(|curve| curve.foot) else { continue };
        let width = text_width(&graph.edges()[index].name);
        let at = [foot[0] - 9.0, foot[1] - 14.0 - width / 2.0];
        names.edges[index] = obstacles.place(vec![Name { at, angle: -90.0 }], width, index);
    }
    for (index, curve) in layout.curves.iter().enumerate() {
        let Some(curve) = curve.as_ref().filter(|curve| curve.foot.is_none()) else { continue };
        let width = text_width(&graph.edges()[index].name);
        names.edges[index] = obstacles.place(beside(curve), width, index);
    }
    for (vertex, name) in graph.vertices().iter().enumerate().filter(|&(v, _)| v != graph.datum()) {
        let width = text_width(name) * 1.1;
        names.vertices[vertex] = obstacles.place(around(layout.vertices[vertex], width), width, NONE - 1);
    }
    names
}

/// Places along both sides of a curve, turned like it.
fn beside(curve: &Curve) -> Vec<Name> {
    let mut places = Vec::new();
    for t in [0.5, 0.4, 0.6, 0.3, 0.7] {
        let (before, after, at) = (curve.at(t - 0.1), curve.at(t + 0.1), curve.at(t));
        let mut along = [after[0] - before[0], after[1] - before[1]];
        if along[0] < 0.0 {
            along = along.map(|x| -x);
        }
        let length = along[0].hypot(along[1]).max(1e-9);
        let angle = along[1].atan2(along[0]).to_degrees();
        for side in [-10.5, 10.5] {
            let at = [at[0] - along[1] / length * side, at[1] + along[0] / length * side];
            places.push(Name { at, angle });
        }
    }
    places
}

/// Places around a vertex.
fn around([x, y]: Point, width: f64) -> Vec<Name> {
    let half = width / 2.0;
    let offsets = [
        [0.0, -17.0],
        [-half - 6.0, -13.0],
        [half + 6.0, -13.0],
        [-half - 12.0, 1.0],
        [half + 12.0, 1.0],
        [-half - 6.0, 14.0],
        [half + 6.0, 14.0],
        [0.0, -30.0],
    ];
    offsets.map(|[dx, dy]| Name { at: [x + dx, y + dy], angle: 0.0 }).to_vec()
}
