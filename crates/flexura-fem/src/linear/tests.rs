//! Orders of elimination, and factors in the memory of others.

use super::{Analysis, Factor, SymmetricMatrix};
use faer::Par;
use nalgebra::DMatrix;

/// A grid of nodes with so many freedoms each, every node tied to those around it; diagonally dominant.
fn grid(cells: [usize; 3], freedoms: usize) -> SymmetricMatrix {
    let node = |place: [usize; 3]| (place[0] * cells[1] + place[1]) * cells[2] + place[2];
    let near = |i: usize, end: usize| i.saturating_sub(1)..(i + 2).min(end);
    let (mut start, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for own in 0..cells.iter().product() {
        let place = [own / (cells[1] * cells[2]), own / cells[2] % cells[1], own % cells[2]];
        let mut around = Vec::new();
        for i in near(place[0], cells[0]) {
            for j in near(place[1], cells[1]) {
                around.extend(near(place[2], cells[2]).map(|k| node([i, j, k])));
            }
        }
        for freedom in 0..freedoms {
            let column = freedoms * own + freedom;
            let all = around.iter().flat_map(|other| (0..freedoms).map(move |f| freedoms * other + f));
            for row in all.filter(|row| *row >= column) {
                rows.push(row);
                let tie = -1.0 - ((row * 7 + column) % 5) as f64 * 0.1;
                values.push(if row == column { 50.0 * freedoms as f64 } else { tie });
            }
            start.push(rows.len());
        }
    }
    SymmetricMatrix::from_columns(start.len() - 1, start, rows, values).expect("columns")
}

/// The residual of a solve, relative to the right side.
fn residual(matrix: &SymmetricMatrix, analysis: &Analysis) -> f64 {
    Factor::with_analysis(analysis, matrix).and_then(|factor| factor.defect(matrix)).expect("a factor")
}

#[test]
fn dissection_fills_less_and_solves() {
    let block = grid([22, 22, 22], 1);
    let (by_degree, dissected) = (Analysis::by_degree(&block).unwrap(), Analysis::dissected(&block).unwrap());
    let ratio = dissected.fill() as f64 / by_degree.fill() as f64;
    // An order that is no order of all unknowns is refused where the permutation is made.
    assert!(ratio < 0.8, "{ratio}");
    assert!(residual(&block, &dissected) < 1e-13);
    // The smaller of both is taken, of what is long and thin too.
    for matrix in [block, grid([700, 4, 4], 1)] {
        let best =
            Analysis::by_degree(&matrix).unwrap().fill().min(Analysis::dissected(&matrix).unwrap().fill());
        assert_eq!(Analysis::of(&matrix).unwrap().fill(), best);
    }
}

/// Patterns with nothing to separate, in pieces, and of freedoms that go together.
#[test]
fn every_pattern_has_an_order() {
    let dense = |size: usize| {
        let start = (0..=size).map(|i| i * size - i * i.saturating_sub(1) / 2).collect();
        let rows: Vec<usize> = (0..size).flat_map(|column| column..size).collect();
        let values = (0..size).flat_map(|c| (c..size).map(move |r| if r == c { size as f64 } else { 0.5 }));
        let values = values.collect();
        SymmetricMatrix::from_columns(size, start, rows, values).expect("columns")
    };
    let diagonal = |size: usize| {
        SymmetricMatrix::from_columns(size, (0..=size).collect(), (0..size).collect(), vec![2.0; size])
            .expect("columns")
    };
    for matrix in [dense(1), dense(150), diagonal(500), grid([9, 9, 9], 3), grid([400, 1, 1], 6)] {
        let analysis = Analysis::dissected(&matrix).unwrap();
        assert!(residual(&matrix, &analysis) < 1e-13, "{}", matrix.size());
    }
}

#[test]
fn factors_are_the_same_on_any_number_of_threads() {
    let matrix = grid([16, 16, 16], 3);
    let analysis = Analysis::dissected(&matrix).unwrap();
    let on = |threads: Par| {
        let mut factor = Factor::empty(&analysis);
        factor.refill_on(&matrix, threads).unwrap();
        factor.bits()
    };
    let one = on(Par::Seq);
    for threads in [2, 3, 16] {
        assert!(on(Par::rayon(threads)) == one, "{threads} threads");
    }
}

/// A second matrix in the memory of the first has the factors it has alone.
#[test]
fn factors_refilled_are_those_made_anew() {
    let (first, second) = (grid([8, 8, 8], 3), grid([8, 8, 8], 3));
    let second = second.shifted(3.0, &first).unwrap();
    let mut factor = Factor::definite(&first).unwrap();
    let before = factor.bits();
    factor.refill(&second).unwrap();
    assert!(factor.negative_pivots() > 0);
    assert!(factor.bits() == Factor::with_analysis(factor.analysis(), &second).unwrap().bits());
    factor.refill(&first).unwrap();
    assert!(factor.bits() == before);
    assert!(factor.solve(&DMatrix::zeros(3, 1)).is_err());
}
