//! Whether discs that roll would have left their planes.
//!
//! The row that holds a disc on its plane holds it from both sides. Where its force pulls, a real disc would lift off: a run
//! goes on as if it could not, and says so at its end.

use crate::checkpoint::Tape;
use crate::model::Model;
use crate::workspace::Workspace;
use std::fmt;

/// The contact of a disc that rolls, over the recorded instants of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RollingContact {
    /// Joint.
    pub joint: String,
    /// Least normal force on the disc (N): negative where the plane pulls.
    pub least: f64,
    /// When (s).
    pub time: f64,
    /// Its row among those of all loops.
    row: usize,
}

impl RollingContact {
    /// Whether the plane pulled the disc.
    pub fn pulls(&self) -> bool {
        self.least < 0.0
    }

    pub(super) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.least);
        tape.number(&mut self.time);
    }
}

impl fmt::Display for RollingContact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rolling joint `{}`: its plane pulls the disc with up to {:.3e} N (at t = {:.4} s), where a real disc would lift off; \
             from there on the results are those of a disc that cannot",
            self.joint, -self.least, self.time
        )
    }
}

/// One entry for every rolling joint of `model`.
pub(super) fn rolling_contacts(model: &Model) -> Vec<RollingContact> {
    let of = |joint: &crate::model::closure::LoopJoint| {
        let (_, row) = joint.rolling_disc()?;
        Some(RollingContact { joint: joint.name.clone(), least: f64::INFINITY, time: 0.0, row })
    };
    model.loops.iter().filter_map(of).collect()
}

/// Takes in the forces of an evaluation at `time`.
pub(super) fn see(contacts: &mut [RollingContact], time: f64, work: &Workspace) {
    for contact in contacts {
        let force = work.closure.multipliers[contact.row];
        if force < contact.least {
            (contact.least, contact.time) = (force, time);
        }
    }
}
