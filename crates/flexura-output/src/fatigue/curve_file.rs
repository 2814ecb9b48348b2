//! S-N curves from TOML files.
//!
//! Written in plain keys (book/src/stress.md); every key is used or refused by name.

use super::curve::Curve;
use super::damage::{Equivalent, FatigueCase};
use super::mean_stress::MeanStress;
use std::path::Path;
use toml::{Table, Value};

/// Why a file gives no curve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {message}\n  = help: {help}")]
pub struct CurveError {
    /// File.
    pub file: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// Keys of a curve file.
const KEYS: [&str; 15] = [
    "name",
    "by",
    "cycles",
    "stress",
    "exponent",
    "knee",
    "points",
    "table",
    "limit",
    "mean",
    "ultimate",
    "yield",
    "fracture",
    "walker",
    "equivalent",
];

/// Reads a curve file; tables it names lie beside it.
pub fn read_curve(path: &Path) -> Result<FatigueCase, CurveError> {
    let file = path.display().to_string();
    let wrong = |message: String, help: &str| CurveError { file: file.clone(), message, help: help.into() };
    let text = flexura::file::read_plain_text(path)
        .map_err(|error| wrong(format!("cannot be read: {error}"), "check the name of the curve file"))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        wrong(format!("no TOML: {}", error.to_string().trim_end()), "see book/src/stress.md for the keys")
    })?;
    let keys = Keys { table: &table, file: &file, folder: path.parent().unwrap_or(Path::new("")) };
    keys.case()
}

struct Keys<'a> {
    table: &'a Table,
    file: &'a str,
    folder: &'a Path,
}

impl Keys<'_> {
    fn wrong<T>(&self, message: impl Into<String>, help: impl Into<String>) -> Result<T, CurveError> {
        Err(CurveError { file: self.file.into(), message: message.into(), help: help.into() })
    }

    fn number(&self, value: &Value, key: &str) -> Result<f64, CurveError> {
        let found = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        match found.filter(|number| number.is_finite() && *number > 0.0) {
            Some(number) => Ok(number),
            None => {
                self.wrong(format!("`{key}` must be a number above zero, not {value}"), "correct the number")
            }
        }
    }

    fn need(&self, key: &str, why: &str) -> Result<f64, CurveError> {
        match self.table.get(key) {
            Some(value) => self.number(value, key),
            None => self.wrong(format!("`{key}` is missing"), why),
        }
    }

    fn word<T: Copy>(&self, key: &str, choices: &[(&str, T)], default: T) -> Result<T, CurveError> {
        let Some(value) = self.table.get(key) else { return Ok(default) };
        let found = value.as_str().and_then(|word| choices.iter().find(|(known, _)| *known == word));
        match found {
            Some((_, choice)) => Ok(*choice),
            None => {
                let known =
                    choices.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
                self.wrong(format!("`{key}` = {value} is not known"), format!("choose one of {known}"))
            }
        }
    }

    fn case(&self) -> Result<FatigueCase, CurveError> {
        if let Some(key) = self.table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let near = flexura::model::words::nearest(key, KEYS);
            let help = near.map_or_else(
                || format!("keys: {}", KEYS.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return self.wrong(format!("`{key}` is no key of a curve"), help);
        }
        let equivalents = [
            ("signed-von-mises", Equivalent::SignedVonMises),
            ("principal", Equivalent::Principal),
            ("critical-plane", Equivalent::CriticalPlane),
        ];
        let stem = Path::new(self.file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(FatigueCase {
            name: match self.table.get("name") {
                None => stem,
                Some(Value::String(name)) => name.clone(),
                Some(other) => return self.wrong(format!("`name` = {other}"), "write the name as text"),
            },
            curve: self.curve()?,
            ranges: self.word("by", &[("amplitude", false), ("range", true)], false)?,
            mean: self.mean()?,
            equivalent: self.word("equivalent", &equivalents, Equivalent::default())?,
            factor: 1.0,
        })
    }

    /// Each correction with the strength it needs; a strength that nothing uses is refused.
    fn mean(&self) -> Result<MeanStress, CurveError> {
        let words = ["none", "goodman", "gerber", "soderberg", "morrow", "swt", "walker"];
        let word = self.word("mean", &words.map(|word| (word, word)), "none")?;
        let (mean, used) = match word {
            "goodman" => {
                (MeanStress::Goodman(self.need("ultimate", "write the ultimate strength (Pa)")?), "ultimate")
            }
            "gerber" => {
                (MeanStress::Gerber(self.need("ultimate", "write the ultimate strength (Pa)")?), "ultimate")
            }
            "soderberg" => {
                (MeanStress::Soderberg(self.need("yield", "write the yield strength (Pa)")?), "yield")
            }
            "morrow" => (
                MeanStress::Morrow(self.need("fracture", "write the true fracture strength (Pa)")?),
                "fracture",
            ),
            "swt" => (MeanStress::SmithWatsonTopper, ""),
            "walker" => {
                let exponent = self.need("walker", "write Walker's exponent, such as walker = 0.5")?;
                if exponent > 1.0 {
                    return self.wrong("`walker` is above one", "Walker's exponent lies between 0 and 1");
                }
                (MeanStress::Walker(exponent), "walker")
            }
            _ => (MeanStress::None, ""),
        };
        for key in ["ultimate", "yield", "fracture", "walker"] {
            if key != used && self.table.contains_key(key) {
                return self.wrong(
                    format!("`{key}` is not used by mean = \"{word}\""),
                    format!("remove `{key}`, or choose the correction that needs it"),
                );
            }
        }
        Ok(mean)
    }

    fn curve(&self) -> Result<Curve, CurveError> {
        let given: Vec<&str> =
            ["exponent", "points", "table"].into_iter().filter(|key| self.table.contains_key(*key)).collect();
        let help = "write stress, cycles and exponent (Basquin), points = [[cycles, stress], …], or table = \"curve.csv\"";
        if let [form @ ("points" | "table")] = given[..] {
            for key in ["cycles", "stress", "knee"] {
                if self.table.contains_key(key) {
                    return self
                        .wrong(format!("`{key}` is not used with `{form}`"), format!("remove `{key}`"));
                }
            }
        }
        match given[..] {
            ["exponent"] => self.basquin(),
            ["points"] => {
                let rows = self.table.get("points").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                let pair = |row: &Value| match row.as_array().map(Vec::as_slice) {
                    Some([cycles, stress]) => {
                        Ok([self.number(cycles, "points")?, self.number(stress, "points")?])
                    }
                    _ => self.wrong(format!("`points` has {row}"), "write pairs [cycles, stress in Pa]"),
                };
                self.through(&rows.iter().map(pair).collect::<Result<Vec<_>, _>>()?)
            }
            ["table"] => self.through(&self.read_table()?),
            [] => self.wrong("there is no curve", help),
            _ => self.wrong(format!("gives both `{}` and `{}`", given[0], given[1]), help),
        }
    }

    fn basquin(&self) -> Result<Curve, CurveError> {
        let why = "a curve of Basquin goes through `stress` (Pa) at `cycles` with `exponent`";
        let curve =
            Curve::basquin(self.need("cycles", why)?, self.need("stress", why)?, self.need("exponent", why)?);
        if self.table.contains_key("limit") {
            return self.wrong(
                "`limit` belongs to `points` and `table`",
                "write knee = { cycles = 1e7 } for a limit",
            );
        }
        let Some(knee) = self.table.get("knee") else { return Ok(curve) };
        let Some(knee) = knee.as_table() else {
            return self.wrong(
                format!("`knee` = {knee}"),
                "write knee = { cycles = 1e7 } or knee = { cycles = 1e7, exponent = 9 }",
            );
        };
        if let Some(key) = knee.keys().find(|key| !["cycles", "exponent"].contains(&key.as_str())) {
            return self.wrong(
                format!("`knee.{key}` is no key"),
                "a knee has `cycles`, and `exponent` where it is no limit",
            );
        }
        let Some(cycles) = knee.get("cycles") else {
            return self.wrong("`knee.cycles` is missing", "write knee = { cycles = 1e7 }");
        };
        let exponent = knee.get("exponent").map(|value| self.number(value, "knee.exponent")).transpose()?;
        Ok(curve.with_knee(self.number(cycles, "knee.cycles")?, exponent))
    }

    fn through(&self, points: &[[f64; 2]]) -> Result<Curve, CurveError> {
        let limit = match self.table.get("limit") {
            None => false,
            Some(value) => match value.as_bool() {
                Some(limit) => limit,
                None => return self.wrong(format!("`limit` = {value}"), "write limit = true or false"),
            },
        };
        match Curve::through(points, limit) {
            Some(curve) => Ok(curve),
            None => self.wrong(
                format!("{} points make no curve", points.len()),
                "give two or more, with rising cycles and falling stresses",
            ),
        }
    }

    /// Two columns of a CSV file: cycles, stress (Pa); lines that begin with no number are headings.
    fn read_table(&self) -> Result<Vec<[f64; 2]>, CurveError> {
        let Some(name) = self.table.get("table").and_then(Value::as_str) else {
            return self
                .wrong("`table` is no text", "name a CSV file with the columns cycles and stress (Pa)");
        };
        let path = self.folder.join(name);
        let text = match flexura::file::read_plain_text(&path) {
            Ok(text) => text,
            Err(error) => {
                return self
                    .wrong(format!("`table`: {}: {error}", path.display()), "check the name of the table");
            }
        };
        let mut points = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let cells: Vec<&str> = line.split([',', ';']).map(str::trim).collect();
            let numbers: Vec<f64> = cells.iter().map_while(|cell| cell.parse().ok()).collect();
            match numbers[..] {
                [cycles, stress] if cells.len() == 2 => points.push([cycles, stress]),
                _ if number == 0 || line.trim().is_empty() || line.starts_with('#') => {}
                _ => {
                    let message =
                        format!("{} line {}: `{line}` is no pair of numbers", path.display(), number + 1);
                    return self.wrong(message, "write cycles, stress in Pa");
                }
            }
        }
        Ok(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<FatigueCase, CurveError> {
        let table: Table = text.parse().expect("TOML");
        Keys { table: &table, file: "steel.toml", folder: Path::new("") }.case()
    }

    #[test]
    fn forms_of_curves() {
        let plain = read("stress = 100e6\ncycles = 2e6\nexponent = 3\nknee = { cycles = 5e6, exponent = 5 }\nby = \"range\"").expect("Basquin");
        assert_eq!((plain.name.as_str(), plain.ranges, plain.mean), ("steel", true, MeanStress::None));
        assert!((plain.curve.cycles(100e6) / 2e6 - 1.0).abs() < 1e-12);
        let points =
            read("points = [[1e3, 400e6], [1e6, 200e6]]\nlimit = true\nmean = \"goodman\"\nultimate = 600e6")
                .expect("points");
        assert_eq!(points.mean, MeanStress::Goodman(600e6));
        assert_eq!(points.curve.cycles(199e6), f64::INFINITY);
    }

    #[test]
    fn what_is_written_is_used_or_refused() {
        for (text, words) in [
            ("exponent = 5", "`cycles` is missing"),
            ("exponent = 5\ncycles = 1e6\nstress = -3.0", "`stress` must be a number above zero"),
            ("points = [[1e6, 1e8], [1e3, 2e8]]", "2 points make no curve"),
            (
                "points = [[1e3, 2e8], [1e6, 1e8]]\nknee = { cycles = 1e7 }",
                "`knee` is not used with `points`",
            ),
            ("points = [[1e3, 2e8], [1e6, 1e8]]\nexponent = 3", "gives both `exponent` and `points`"),
            ("name = \"x\"", "there is no curve"),
            ("exponnt = 5", "did you mean `exponent`?"),
            ("exponent = 5\ncycles = 1e6\nstress = 1e8\nmean = \"goodman\"", "`ultimate` is missing"),
            (
                "exponent = 5\ncycles = 1e6\nstress = 1e8\nultimate = 5e8",
                "`ultimate` is not used by mean = \"none\"",
            ),
            ("exponent = 5\ncycles = 1e6\nstress = 1e8\nmean = \"godman\"", "choose one of"),
            ("exponent = 5\ncycles = 1e6\nstress = 1e8\nknee = { at = 3 }", "`knee.at` is no key"),
            ("exponent = 5\ncycles = 1e6\nstress = 1e8\nmean = \"walker\"\nwalker = 2", "above one"),
            ("table = \"none.csv\"", "check the name of the table"),
        ] {
            let found = read(text).expect_err(text).to_string();
            assert!(found.contains(words), "{text}: {found}");
        }
    }
}
