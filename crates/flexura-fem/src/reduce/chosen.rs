//! A reduction whose shapes are chosen by the error they leave: which loads count, and the order of the steps (`enough`).

use super::enough::{self, Enough, Reached};
use super::{Basis, Plane, Reduction, ReductionKind, Selection, attachment, residual};
use crate::assemble::System;
use crate::eigen::ShiftedFactor;
use crate::error::FemError;
use crate::mesh::Mesh;
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;

/// Shapes, the full response to unit loads at the interfaces, and what was reached.
pub(super) type Chosen = (Basis, Option<DMatrix<f64>>, Option<Reached>);

impl Reduction {
    /// Shapes chosen by the error they leave, the full response to unit loads at the interfaces, and what was reached.
    pub(super) fn chosen(
        &self,
        mesh: &Mesh,
        system: &System,
        reference: usize,
        interfaces: &[usize],
        enough: Enough,
    ) -> Result<Chosen, FemError> {
        if self.kind.is_free() || self.kind == ReductionKind::All {
            let reason = "an error asked for chooses shapes of structures that are held at their reference";
            return Err(FemError::Constraint { node: reference, reason: reason.into() });
        }
        let mut factors = ShiftedFactor::unshifted(system.pencil())?;
        let band = enough::band(&mut factors, enough, &self.options)?;
        let counted = factors.count_below((std::f64::consts::TAU * band).powi(2))?;
        let factor = factors.at(0.0)?;
        let task = enough::Task { mesh, system, factor, mass: self.mass, reference, plane: self.plane };
        let (loads, kinds) = self.static_loads(&task, interfaces)?;
        let all = attachment::held_response(factor, &loads)?;
        let response = (!interfaces.is_empty()).then(|| all.columns(0, interfaces.len()).into_owned());
        let below = Self { selection: Some(Selection::Below { frequency: band }), ..self.clone() };
        let basis = below.modal_basis(mesh, system, interfaces, response.as_ref())?;
        let (basis, reached) =
            enough::complete(&task, enough, (band, counted), basis, (&loads, &kinds), &all)?;
        Ok((basis, response, Some(reached)))
    }

    /// Unit loads at the interfaces and at nodes that follow others, and of accelerations of the frame; and which of them compare:
    /// forces, moments, linear accelerations, angular ones.
    fn static_loads(
        &self,
        task: &enough::Task<'_>,
        interfaces: &[usize],
    ) -> Result<(DMatrix<f64>, Vec<usize>), FemError> {
        let (mesh, system) = (task.mesh, task.system);
        let unit = attachment::unit_loads(system.dofs.unknowns(), interfaces);
        let mut columns: Vec<DVector<f64>> = unit.column_iter().map(|column| column.into_owned()).collect();
        let turns: BTreeSet<usize> = (0..mesh.nodes.len())
            .flat_map(|node| (3..6).filter_map(move |offset| system.dofs.unknown(6 * node + offset)))
            .collect();
        let mut kinds: Vec<usize> =
            interfaces.iter().map(|unknown| usize::from(turns.contains(unknown))).collect();
        let leaving = self.plane.map_or([false; 6], Plane::leaving);
        for (name, freedoms) in &self.followers {
            let node = mesh.named(name)?;
            for offset in (0..6).filter(|offset| freedoms[*offset] && !leaving[*offset]) {
                let mut load = DVector::zeros(system.dofs.freedoms());
                load[6 * node + offset] = 1.0;
                columns.push(system.dofs.project(&load));
                kinds.push(usize::from(offset > 2));
            }
        }
        let inertia = residual::loads(mesh, system, self.mass, task.reference)?;
        columns.extend(inertia.column_iter().map(|column| column.into_owned()));
        kinds.extend(residual::KINDS.map(|kind| 2 + kind));
        Ok((DMatrix::from_columns(&columns), kinds))
    }
}
