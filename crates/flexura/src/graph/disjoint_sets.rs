//! Disjoint sets with path halving: which vertices are connected already.

/// A partition of `0..size`; the representative of a set is its smallest member.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct DisjointSets {
    parent: Vec<usize>,
}

impl DisjointSets {
    /// Every element alone.
    pub fn new(size: usize) -> Self {
        Self { parent: (0..size).collect() }
    }

    /// Representative of the set of `element`; halves the path to it on the way.
    pub fn root(&mut self, mut element: usize) -> usize {
        while self.parent[element] != element {
            self.parent[element] = self.parent[self.parent[element]];
            element = self.parent[element];
        }
        element
    }

    /// Joins two sets; `false` if they were one already.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
        a != b
    }
}
