//! Events of a step: every crossing of a watched channel inside it.
//!
//! Signs at the two ends of a step miss what is crossed there and back. Values inside tell where the channel turns
//! (`integrate/inside.rs`); between two turning points there is at most one crossing, and each is looked at.

use super::Run;
use crate::error::SimulationError;
use crate::integrate::{NODES, TurningPoints, locate_crossing};
use crate::record::Sink;

/// Nodes and turning points of one step, its two ends included.
const MOST: usize = 8;

impl<K: Sink> Run<'_, K> {
    /// Finds the crossings of the last step, in order.
    pub(super) fn find_crossings(&mut self) -> Result<(), SimulationError> {
        self.crossings.clear();
        let now = self.state.time;
        let stepped = self.integrator.dense.end() == now;
        let start = if stepped { self.integrator.dense.start() } else { now };
        for i in 0..self.watches.len() {
            let ends = [(start, self.watches[i].before), (now, self.watch_value(i, None)?)];
            self.watches[i].before = ends[1].1;
            let (mut points, mut count) = ([ends[0]; MOST], 2);
            points[1] = ends[1];
            if stepped {
                count = self.look_inside(i, ends, &mut points)?;
            }
            for pair in points[..count].windows(2) {
                self.cross(i, pair[0], pair[1])?;
            }
        }
        self.crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(())
    }

    /// Times and values that part the step into pieces with one crossing at most; returns how many.
    fn look_inside(
        &mut self,
        i: usize,
        ends: [(f64, f64); 2],
        points: &mut [(f64, f64); MOST],
    ) -> Result<usize, SimulationError> {
        let [(start, first), (end, last)] = ends;
        let at = |share: f64| start + share * (end - start);
        let mut values = [first, 0.0, 0.0, 0.0, last];
        let mut count = 2;
        let mut add = |point: (f64, f64)| {
            points[count] = point;
            count += 1;
        };
        for k in 1..4 {
            values[k] = self.watch_value(i, Some(at(NODES[k])))?;
            add((at(NODES[k]), values[k]));
        }
        for &share in TurningPoints::of(&values).shares() {
            let time = at(share);
            if time > start && time < end {
                add((time, self.watch_value(i, Some(time))?));
            }
        }
        points[..count].sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(count)
    }

    /// Adds the crossing between two points, where there is one in the wanted direction.
    fn cross(&mut self, i: usize, from: (f64, f64), to: (f64, f64)) -> Result<(), SimulationError> {
        let direction = self.watches[i].event.direction;
        let mut fault = None;
        let crossing = locate_crossing(from, to, direction, |time| {
            self.watch_value(i, Some(time)).unwrap_or_else(|error| {
                fault = Some(error);
                f64::NAN
            })
        });
        if let Some(error) = fault {
            return Err(error);
        }
        if let Some(crossing) = crossing {
            self.crossings.push((crossing.time, i));
        }
        Ok(())
    }
}
