//! How far a run can be trusted: energies that balance, loops that stay closed, deformations that stay small, modes
//! that suffice.

use flexura::simulate::Outcome;
use flexura::truncation::ModeVerdict;
use flexura_results::Layout;
use serde_json::{Value, json};

/// Watches the constraints of recorded rows; energies are audited by the engine.
#[derive(Default)]
pub struct Audit {
    /// Columns of the constraint channels: position, velocity.
    gaps: [Option<usize>; 2],
    /// Largest violation of the loops: position (m or rad), velocity (m/s or rad/s).
    violation: [f64; 2],
    /// Time of the last row (s) and number of rows.
    pub last: Option<(f64, u64)>,
}

impl Audit {
    /// An audit of the rows of `layout`, time first.
    pub fn new(layout: &Layout) -> Self {
        let place = |name: &str| layout.channel_names().position(|channel| channel == name);
        let gaps = ["constraint.position", "constraint.velocity"].map(place);
        Self { gaps, ..Self::default() }
    }

    /// Takes a row into account.
    pub fn see(&mut self, row: &[f64]) {
        self.last = Some((row[0], self.last.map_or(0, |(_, rows)| rows) + 1));
        for (violation, gap) in self.violation.iter_mut().zip(self.gaps) {
            *violation = violation.max(gap.map_or(0.0, |column| row[column].abs()));
        }
    }

    /// Largest violations of the loops: positions (m or rad), and their rates (m/s or rad/s).
    pub fn violations(&self) -> [Option<f64>; 2] {
        [0, 1].map(|i| self.gaps[i].map(|_| self.violation[i]))
    }
}

/// Shares of kinetic energy that an inertia level may leave out without a word.
const NEGLIGIBLE_INERTIA: f64 = 0.005;

/// Lines for people; bodies in the order of their slopes, the worst first.
pub fn lines(outcome: &Outcome, audit: &Audit, loops: usize) -> Vec<String> {
    const MOST: usize = 5;
    let (worst, share) = (outcome.energy.worst, outcome.energy.share());
    let mut lines = vec![format!("energy: {worst:.2e} J unaccounted for ({share:.1e} of the largest)")];
    if loops > 0 {
        lines.push(match audit.violations() {
            [Some(gap), Some(rate)] => {
                format!(
                    "loops: open by up to {gap:.1e} (m or rad), their speeds by {rate:.1e} (m/s or rad/s)"
                )
            }
            _ => "loops: not audited (record `constraint.*` for that)".into(),
        });
    }
    lines.extend(outcome.contacts.iter().map(|contact| {
        let (joint, least, time) = (&contact.joint, contact.least, contact.time);
        format!("rolling joint `{joint}`: normal force at least {least:.3e} N (at t = {time:.4} s)")
    }));
    let mut bodies: Vec<_> = outcome.deformations.iter().collect();
    bodies.sort_by(|a, b| b.slope.total_cmp(&a.slope));
    for body in bodies.iter().take(MOST) {
        lines.push(format!(
            "body `{}`: slopes up to {:.3} rad (limit {}), deflection up to {:.2} % of its size (limit {:.0} %)",
            body.body,
            body.slope,
            body.limits[0],
            100.0 * body.shift,
            100.0 * body.limits[1]
        ));
    }
    if bodies.len() > MOST {
        lines.push(format!("and {} bodies that bend less", bodies.len() - MOST));
    }
    let neglected = bodies.iter().filter_map(|body| body.neglected_inertia.map(|share| (body, share)));
    for (body, share) in neglected.filter(|(_, share)| *share > NEGLIGIBLE_INERTIA).take(MOST) {
        lines.push(format!(
            "body `{}`: level `gram` leaves out {:.1} % of its kinetic energy where it is bent most: take \
             carriers = \"cubic\", level = \"full\" or segments",
            body.body,
            100.0 * share
        ));
    }
    lines.extend(mode_lines(&outcome.modes, MOST));
    lines.extend(outcome.unresolved.iter().take(MOST).map(ToString::to_string));
    if outcome.unresolved.len() > MOST {
        lines.push(format!(
            "and {} more bodies whose accelerations were not followed",
            outcome.unresolved.len() - MOST
        ));
    }
    lines
}

/// Which modes lack what; those that suffice in one line.
fn mode_lines(modes: &[ModeVerdict], most: usize) -> Vec<String> {
    let lacking: Vec<&ModeVerdict> = modes.iter().filter(|found| found.is_alarm()).collect();
    let mut lines: Vec<String> = lacking.iter().take(most).map(ToString::to_string).collect();
    if lacking.len() > most {
        lines.push(format!("and {} more families of modes that lack deflection", lacking.len() - most));
    }
    let judged = || modes.iter().filter_map(|found| found.missing);
    if lacking.is_empty() && judged().next().is_some() {
        let largest = 100.0 * judged().fold(0.0, f64::max);
        lines.push(format!(
            "modes: they carry what acts on them, at most {largest:.1} % of a deflection is missing"
        ));
    }
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for found in modes.iter().filter(|found| found.missing.is_none()) {
        match reasons.iter_mut().find(|(reason, _)| *reason == found.unknown) {
            Some((_, bodies)) => bodies.push(&found.body),
            None => reasons.push((found.unknown, vec![&found.body])),
        }
    }
    for (reason, mut bodies) in reasons {
        bodies.dedup();
        let names: Vec<String> = bodies.iter().take(most).map(|body| format!("`{body}`")).collect();
        let more =
            if bodies.len() > most { format!(" and {} more", bodies.len() - most) } else { String::new() };
        lines.push(format!("modes not judged, {reason}: {}{more}", names.join(", ")));
    }
    lines
}

/// A verdict on modes for programs.
pub fn mode_json(found: &ModeVerdict) -> Value {
    json!({
        "body": found.body,
        "family": found.family.words(),
        "count": found.count,
        "missing_share": found.missing,
        "sufficient": found.missing.map(|_| !found.is_alarm()),
        "load": found.load,
        "text": found.to_string(),
    })
}

/// The same for programs.
pub fn value(outcome: &Outcome, audit: &Audit) -> Value {
    let bodies = outcome.deformations.iter();
    let [gap, rate] = audit.violations();
    json!({
        "energy_error_joule": outcome.energy.worst,
        "energy_error_share": outcome.energy.share(),
        "energy_balanced": outcome.unbalanced.is_none(),
        "energy_warning": outcome.unbalanced.map(|found| found.to_string()),
        "constraint_position": gap,
        "constraint_velocity": rate,
        "bodies": bodies
            .map(|body| json!({
                "body": body.body,
                "slope_rad": body.slope,
                "deflection_share": body.shift,
                "neglected_inertia_share": body.neglected_inertia,
            }))
            .collect::<Vec<_>>(),
        "modes": outcome.modes.iter().map(mode_json).collect::<Vec<_>>(),
        "rolling_contacts": outcome
            .contacts
            .iter()
            .map(|contact| json!({
                "joint": contact.joint,
                "least_normal_force_newton": contact.least,
                "at_seconds": contact.time,
                "pulls": contact.pulls(),
            }))
            .collect::<Vec<_>>(),
        "laws_left": outcome
            .half_turns
            .iter()
            .filter(|law| law.is_alarm())
            .map(|law| json!({ "item": law.name, "text": law.to_string() }))
            .collect::<Vec<_>>(),
        "unresolved_accelerations": outcome
            .unresolved
            .iter()
            .map(|found| json!({
                "body": found.body,
                "modes": found.modes[0],
                "from_hertz": found.from,
                "valid_to_hertz": found.valid,
                "channels": found.channels,
                "text": found.to_string(),
            }))
            .collect::<Vec<_>>(),
        "beyond_linear_range": outcome.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
