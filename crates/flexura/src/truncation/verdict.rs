//! Words about modes.

use super::MISSING_LIMIT;
use crate::model::words::number;
use std::fmt;

/// What a body does: one kind of deformation of a beam, or all of them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Stretch of a beam.
    Axial,
    /// Bending of a beam along y.
    BendingY,
    /// Bending of a beam along z.
    BendingZ,
    /// Twist of a beam.
    Torsion,
    /// All shapes of a body of finite elements, or given by modes.
    Any,
}

impl Family {
    /// `bending modes along y` and so on.
    pub fn words(self) -> &'static str {
        match self {
            Self::Axial => "axial modes",
            Self::BendingY => "bending modes along y",
            Self::BendingZ => "bending modes along z",
            Self::Torsion => "torsion modes",
            Self::Any => "modes",
        }
    }

    /// The key of a beam that counts them.
    pub fn key(self) -> &'static str {
        match self {
            Self::Axial => "axial",
            Self::BendingY => "bending_y",
            Self::BendingZ => "bending_z",
            Self::Torsion => "torsion",
            Self::Any => "modes",
        }
    }
}

/// What would help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// So many modes of the same boundary in all.
    Modes(usize),
    /// Static shapes for a load at the tip (`interface-static`).
    StaticShapes,
    /// Modes of another boundary: no number of these carries it.
    Boundary,
    /// Any of this kind: there is none.
    Some,
    /// Static shapes of the part at the places that are loaded.
    Interface,
}

/// What the modes of one family of one body lacked in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeVerdict {
    /// Body.
    pub body: String,
    /// Kind of deformation.
    pub family: Family,
    /// Number of modes of the kind.
    pub count: usize,
    /// Share of the deflection that they cannot carry; `None` where it was not judged.
    pub missing: Option<f64>,
    /// Largest deflection against the size of the body: rotations (rad), displacements by its length.
    pub deflection: f64,
    /// Why it was not judged.
    pub unknown: &'static str,
    /// The load that most of it comes from, such as `` the load at `arm.tip` ``.
    pub load: String,
    /// Harmonic input near the frequency of the missing shape (both Hz), where that matters.
    pub resonance: Option<(f64, f64)>,
    /// What would help.
    pub remedy: Option<Remedy>,
}

impl ModeVerdict {
    /// Whether the modes do not suffice.
    pub fn is_alarm(&self) -> bool {
        self.missing.is_some_and(|share| share > MISSING_LIMIT)
    }

    /// `its 2 bending modes along y lack`, `its one torsion mode lacks`.
    fn counted(&self, singular: &str, plural: &str) -> String {
        let words = self.family.words();
        match self.count {
            1 => format!("its one {} {singular}", words.replacen("modes", "mode", 1)),
            count => format!("its {count} {words} {plural}"),
        }
    }

    fn advice(&self) -> String {
        let key = self.family.key();
        match self.remedy {
            Some(Remedy::Modes(count)) => format!("give {key} = {count}"),
            Some(Remedy::StaticShapes) => {
                format!("give boundary = \"interface-static\" with {key} = {}", self.count.max(2))
            }
            Some(Remedy::Boundary) => {
                "no number of these modes carries it: take the `boundary` that fits the joints".into()
            }
            Some(Remedy::Some) => format!("give {key} = 1 or more"),
            Some(Remedy::Interface) => {
                "make the loaded place an interface of the part, or keep more modes".into()
            }
            None => "take more modes".into(),
        }
    }
}

/// A number with two significant digits.
fn two_digits(value: f64) -> String {
    format!("{value:.1e}").parse().map_or_else(|_| value.to_string(), number)
}

impl fmt::Display for ModeVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (body, words) = (&self.body, self.family.words());
        let Some(missing) = self.missing else {
            return write!(f, "body `{body}`: {words} not judged, {}", self.unknown);
        };
        let percent = 100.0 * missing.min(1.0);
        if !self.is_alarm() {
            return write!(
                f,
                "body `{body}`: {} the loads, {percent:.1} % is missing",
                self.counted("carries", "carry")
            );
        }
        let whole = if self.count == 0 {
            format!("without {words}, {percent:.0} % of the deflection under {} is missing", self.load)
        } else {
            let modes = self.counted("lacks", "lack");
            format!("{modes} {percent:.0} % of the deflection under {}", self.load)
        };
        let near = self.resonance.map_or(String::new(), |(input, own)| {
            format!(", whose {input:.1} Hz is near the {own:.1} Hz of the missing shape")
        });
        let (size, limit) = (two_digits(100.0 * self.deflection), 100.0 * MISSING_LIMIT);
        write!(
            f,
            "body `{body}`: {whole}{near}, which is up to {size} % of its size (limit {limit:.0} % of it): {}",
            self.advice()
        )
    }
}
