//! Faces of solids: corners in order, outwards, then the middles of their edges.
//!
//! In the order in which Abaqus and CalculiX number them (S1, S2, ...).

/// Faces of a solid by its number of nodes; none for other numbers.
pub(crate) fn faces(nodes: usize) -> &'static [&'static [usize]] {
    match nodes {
        4 => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
        5 => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
        6 => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
        8 => &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]],
        10 => &[&[0, 2, 1, 6, 5, 4], &[0, 1, 3, 4, 8, 7], &[1, 2, 3, 5, 9, 8], &[2, 0, 3, 6, 7, 9]],
        15 => &[
            &[0, 2, 1, 8, 7, 6],
            &[3, 4, 5, 9, 10, 11],
            &[0, 1, 4, 3, 6, 13, 9, 12],
            &[1, 2, 5, 4, 7, 14, 10, 13],
            &[2, 0, 3, 5, 8, 12, 11, 14],
        ],
        20 => &[
            &[0, 3, 2, 1, 11, 10, 9, 8],
            &[4, 5, 6, 7, 12, 13, 14, 15],
            &[0, 1, 5, 4, 8, 17, 12, 16],
            &[1, 2, 6, 5, 9, 18, 13, 17],
            &[2, 3, 7, 6, 10, 19, 14, 18],
            &[3, 0, 4, 7, 11, 16, 15, 19],
        ],
        _ => &[],
    }
}

/// Number of corners of a face of so many nodes.
pub(crate) fn corners(face: usize) -> usize {
    match face {
        6 => 3,
        8 => 4,
        plain => plain,
    }
}

/// Triangles of a face, as places in its list of nodes.
pub(crate) fn triangles(face: &[usize]) -> Vec<[usize; 3]> {
    match face.len() {
        3 => vec![[0, 1, 2]],
        // The diagonal through the smallest node, so that both solids at a face agree.
        4 => {
            let least = (0..4).min_by_key(|place| face[*place]).unwrap_or(0);
            let [a, b, c, d] = std::array::from_fn(|i| (least + i) % 4);
            vec![[a, b, c], [a, c, d]]
        }
        6 => vec![[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]],
        8 => vec![[0, 4, 7], [4, 1, 5], [5, 2, 6], [7, 6, 3], [4, 5, 6], [4, 6, 7]],
        _ => Vec::new(),
    }
}
