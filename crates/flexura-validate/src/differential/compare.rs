//! Two recordings of one model: where they differ by more than their methods allow.
//!
//! Runs that control their error may differ by [`OWN`] of the size of a channel and [`SHARED`] of the largest channel of the
//! same unit, because a small force is often the difference of large ones. Methods of a fixed step h are run with h and
//! h/2: the difference d of these two is three times the error of the second at second order, and equals it at first
//! order, so that 4 d (and a part of the largest d of that unit, where d passes through zero) covers both.

use flexura::record::Recording;
use std::collections::HashMap;

/// Share of its own size by which a channel may differ between error-controlled runs at 1e-9 and less.
const OWN: f64 = 1e-5;
/// The same of the largest channel of its unit.
const SHARED: f64 = 1e-6;
/// Errors of the finer step over differences between two steps.
const STEP: f64 = 4.0;
/// The same of the largest difference of that unit.
const STEP_SHARED: f64 = 0.5;

/// The channel that differs most beyond what is allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Channel.
    pub channel: String,
    /// Largest difference.
    pub found: f64,
    /// What would be allowed.
    pub allowed: f64,
    /// Largest magnitude of the channel.
    pub size: f64,
    /// Whether the two differ from the first row on in a position or speed.
    pub from_start: bool,
}

/// Whether a channel is compared: violations of constraints belong to a method, and reactions of redundant ones are
/// not determined.
fn compared(name: &str, redundant: bool) -> bool {
    let reaction = name.contains(".force.") || name.contains(".moment.");
    let of_joint = name.starts_with('j') || name.starts_with("loop") || name.contains(".weld.");
    name != "time" && !name.starts_with("constraint.") && !(redundant && reaction && of_joint)
}

/// The other components of a quaternion, if `name` is one of its channels.
fn quaternion(name: &str) -> Option<[String; 4]> {
    for (ends, stem) in [(["w", "x", "y", "z"], ".quaternion."), (["w", "x", "y", "z"], ".q")] {
        if let Some(at) = name.rfind(stem)
            && ends.contains(&&name[at + stem.len()..])
        {
            return Some(ends.map(|end| format!("{}{stem}{end}", &name[..at])));
        }
    }
    None
}

/// Signs that turn quaternions of `found` into those of `expected`: both stand for one rotation.
fn signs(expected: &Recording, found: &Recording, name: &str) -> Option<Vec<f64>> {
    let mut dots = vec![0.0; found.rows()];
    for part in quaternion(name)? {
        let (a, b) = (expected.channel(&part).ok()?, found.channel(&part).ok()?);
        dots.iter_mut().zip(a.iter().zip(&b)).for_each(|(dot, (a, b))| *dot += a * b);
    }
    Some(dots.into_iter().map(f64::signum).collect())
}

/// Largest differences of all channels that both have, and at the first row.
fn differences(expected: &Recording, found: &Recording) -> Vec<(String, f64, f64)> {
    let mut list = Vec::new();
    for name in expected.names() {
        let (Ok(a), Ok(mut b)) = (expected.channel(name), found.channel(name)) else { continue };
        if a.len() != b.len() {
            list.push((name.clone(), f64::INFINITY, f64::INFINITY));
            continue;
        }
        if let Some(signs) = signs(expected, found, name) {
            b.iter_mut().zip(signs).for_each(|(b, sign)| *b *= sign);
        }
        let gaps: Vec<f64> = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).collect();
        list.push((
            name.clone(),
            gaps.iter().fold(0.0, |most: f64, x| most.max(*x)),
            gaps.first().copied().unwrap_or(0.0),
        ));
    }
    list
}

fn size(recording: &Recording, name: &str) -> f64 {
    recording.channel(name).unwrap_or_default().iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Where `found` differs from `expected`; `coarse` is the run with twice the step, of methods with a fixed one.
pub fn compare(
    expected: &Recording,
    found: &Recording,
    coarse: Option<&Recording>,
    redundant: bool,
) -> Option<Difference> {
    let unit = |name: &str| expected.unit(name).unwrap_or("");
    let mut sizes: HashMap<&str, f64> = HashMap::new();
    for name in expected.names() {
        let largest = sizes.entry(unit(name)).or_insert(1e-3);
        *largest = largest.max(size(expected, name));
    }
    let mut steps: HashMap<String, f64> = HashMap::new();
    let mut largest_steps: HashMap<&str, f64> = HashMap::new();
    for (name, step, _) in coarse.map(|coarse| differences(coarse, found)).unwrap_or_default() {
        let largest = largest_steps.entry(unit(&name)).or_insert(0.0);
        *largest = largest.max(step);
        steps.insert(name, step);
    }
    let mut worst: Option<Difference> = None;
    let mut from_start = false;
    for (channel, found, first) in differences(expected, found) {
        let kind = unit(&channel);
        let own = size(expected, &channel);
        let step = STEP * steps.get(&channel).unwrap_or(&0.0)
            + STEP_SHARED * largest_steps.get(kind).unwrap_or(&0.0);
        let precise = OWN * own + SHARED * sizes[kind];
        let allowed = step + precise;
        let state = ["m", "m/s", "rad", "rad/s"].contains(&kind);
        let worse = |worst: &Difference| found / allowed > worst.found / worst.allowed;
        from_start |= state && compared(&channel, redundant) && first > precise;
        // What is no number is not allowed either.
        let agrees = found <= allowed || !compared(&channel, redundant);
        if !agrees && worst.as_ref().is_none_or(worse) {
            worst = Some(Difference { channel, found, allowed, size: own, from_start: false });
        }
    }
    worst.map(|worst| Difference { from_start, ..worst })
}

/// Whether two steps are so far apart that neither resolves the motion: half the size of a unit's largest channel.
pub fn unresolved(coarse: &Recording, fine: &Recording) -> bool {
    let mut units: HashMap<&str, [f64; 2]> = HashMap::new();
    for (name, step, _) in differences(coarse, fine) {
        if let Some(unit) = fine.unit(&name).filter(|_| compared(&name, false)) {
            let [apart, largest] = units.entry(unit).or_insert([0.0, 1e-6]);
            (*apart, *largest) = (apart.max(step), largest.max(size(fine, &name)));
        }
    }
    units.values().any(|[apart, largest]| apart > &(0.5 * largest))
}

/// The first channel that is not the same to the last bit.
pub fn other_bits(one: &Recording, other: &Recording) -> Option<String> {
    let differs = |name: &&String| match (one.channel(name), other.channel(name)) {
        (Ok(a), Ok(b)) => a.len() != b.len() || a.iter().zip(&b).any(|(a, b)| a.to_bits() != b.to_bits()),
        _ => true,
    };
    one.names().iter().find(differs).cloned()
}
