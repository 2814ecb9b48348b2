//! Linear equations between freedoms, eliminated one after the other.
//!
//! Each equation sum a_i u_i = 0 is written in the freedoms that are still free: those that follow others are replaced
//! by what they follow, those that are held drop out. Its first term goes where it is free and not small beside the
//! others, else the largest one: u_p = -sum a_i / a_p u_i. As the right-hand side has free freedoms only, what is
//! eliminated never leads in a circle. An equation in which nothing is left follows from those before it.
//! Cost: per equation its terms times the depth of what they follow.

use super::relation::{Role, merge};
use crate::DOFS_PER_NODE;
use crate::error::FemError;
use crate::mesh::Mesh;

/// A first term this much smaller than the largest is not divided by.
const SMALL: f64 = 0.1;
/// Factors below this part of the given ones are rounding of what cancels.
const ROUNDING: f64 = 1e-10;
/// Most replacements per equation before its followers must form a circle.
const MOST_REPLACED: usize = 10_000_000;

/// Gives one freedom of each equation a role; returns the equations that follow from others.
pub(super) fn eliminate(mesh: &Mesh, roles: &mut [Role]) -> Result<Vec<usize>, FemError> {
    let mut redundant = Vec::new();
    for (index, equation) in mesh.equations.iter().enumerate() {
        let terms: Vec<(usize, f64)> = equation
            .terms
            .iter()
            .map(|(node, freedom, factor)| (DOFS_PER_NODE * node + freedom, *factor))
            .collect();
        let first = terms.first().map(|(freedom, _)| *freedom);
        let scale = terms.iter().map(|(_, factor)| factor.abs()).fold(0.0, f64::max);
        let mut free = in_free_freedoms(terms, roles)?;
        free.retain(|(_, factor)| factor.abs() > ROUNDING * scale);
        let Some(largest) = free.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).copied() else {
            redundant.push(index);
            continue;
        };
        let own = free
            .iter()
            .find(|(freedom, factor)| Some(*freedom) == first && factor.abs() >= SMALL * largest.1.abs());
        let (pivot, divisor) = own.copied().unwrap_or(largest);
        free.retain(|(freedom, _)| *freedom != pivot);
        free.iter_mut().for_each(|(_, factor)| *factor /= -divisor);
        roles[pivot] = Role::Follows(free);
    }
    Ok(redundant)
}

/// A sum over freedoms in those that are free.
fn in_free_freedoms(terms: Vec<(usize, f64)>, roles: &[Role]) -> Result<Vec<(usize, f64)>, FemError> {
    let (mut open, mut free, mut replaced) = (terms, Vec::new(), 0);
    while let Some((freedom, factor)) = open.pop() {
        match &roles[freedom] {
            Role::Free => free.push((freedom, factor)),
            Role::Held => {}
            Role::Follows(leaders) => {
                replaced += leaders.len();
                if replaced > MOST_REPLACED {
                    let reason = "links form a circle".into();
                    return Err(FemError::Constraint { node: freedom / DOFS_PER_NODE, reason });
                }
                open.extend(leaders.iter().map(|(leader, share)| (*leader, factor * share)));
            }
        }
    }
    merge(&mut free);
    Ok(free)
}
