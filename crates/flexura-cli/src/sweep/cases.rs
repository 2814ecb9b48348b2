//! Which numbers the cases of a sweep have: a grid, or the lines of a CSV file.

use crate::failure::Failure;
use std::path::Path;

/// More cases than this are a slip of the keyboard.
const MOST: usize = 1_000_000;

/// Paths of numbers and their values in every case, as text.
pub struct Cases {
    /// Paths, as in `--set`.
    pub paths: Vec<String>,
    /// One value per path in every case.
    pub values: Vec<Vec<String>>,
}

impl Cases {
    /// Number of cases.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Case `k` as settings `PATH=NUMBER`.
    pub fn settings(&self, k: usize) -> Vec<String> {
        self.paths.iter().zip(&self.values[k]).map(|(path, value)| format!("{path}={value}")).collect()
    }

    /// All combinations of the values of `settings` (`PATH=VALUES`), the last one changing fastest.
    pub fn grid(settings: &[String]) -> Result<Self, Failure> {
        let mut cases = Self { paths: Vec::new(), values: vec![Vec::new()] };
        for setting in settings {
            let (path, values) = read_values(setting)?;
            if cases.paths.contains(&path) {
                return Err(Failure::Usage(format!("--set {setting}: `{path}` is given twice")));
            }
            cases.paths.push(path);
            if cases.values.len().saturating_mul(values.len()) > MOST {
                return Err(Failure::Usage(format!("--set: the grid has more than {MOST} cases")));
            }
            let extended = cases.values.iter().flat_map(|case| {
                values.iter().map(|value| case.iter().chain([value]).cloned().collect::<Vec<_>>())
            });
            cases.values = extended.collect();
        }
        Ok(cases)
    }

    /// The cases of a CSV file: paths in the first line, numbers in the others.
    pub fn from_csv(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let text = flexura::file::read_plain_text(path)
            .map_err(|error| Failure::File(format!("cannot read {shown}: {error}")))?;
        let fields = |line: &str| line.split(',').map(|field| field.trim().to_owned()).collect::<Vec<_>>();
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let Some((_, header)) = lines.next() else {
            return Err(Failure::Usage(format!(
                "{shown} is empty: write the paths of numbers, then one case a line"
            )));
        };
        let paths = fields(header.trim_start_matches('\u{feff}'));
        let mut values = Vec::new();
        for (number, line) in lines {
            let case = fields(line);
            if case.len() != paths.len() {
                let text =
                    format!("{shown}:{}: {} numbers for {} paths", number + 1, case.len(), paths.len());
                return Err(Failure::Usage(text));
            }
            if let Some(wrong) = case.iter().find(|value| !is_number(value)) {
                return Err(Failure::Usage(format!(
                    "{shown}:{}: `{wrong}` is not a finite number",
                    number + 1
                )));
            }
            values.push(case);
        }
        if values.is_empty() {
            return Err(Failure::Usage(format!("{shown} has no cases: write numbers below the paths")));
        }
        Ok(Self { paths, values })
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// `PATH=A,B,C` or `PATH=FROM:TO:COUNT`.
fn read_values(setting: &str) -> Result<(String, Vec<String>), Failure> {
    let wrong = || {
        let text =
            "write PATH=A,B,C or PATH=FROM:TO:COUNT, such as arm.young=6e10,7e10 or arm.young=5e10:9e10:5";
        Failure::Usage(format!("--set {setting}: {text}"))
    };
    let (path, values) = setting.split_once('=').ok_or_else(wrong)?;
    let path = path.trim().to_owned();
    if values.contains(':') {
        let numbers: Vec<f64> = values.split(':').filter_map(|number| number.trim().parse().ok()).collect();
        return match numbers[..] {
            [from, to, count]
                if count >= 2.0
                    && count.fract() == 0.0
                    && count <= MOST as f64
                    && from.is_finite()
                    && to.is_finite() =>
            {
                let at = |i: usize| from + (to - from) * i as f64 / (count - 1.0);
                Ok((path, (0..count as usize).map(|i| format!("{:?}", at(i))).collect()))
            }
            _ => Err(wrong()),
        };
    }
    let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
    if values.iter().all(|value| is_number(value)) { Ok((path, values)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_all_combinations() {
        let cases = Cases::grid(&["a.x=1,2".into(), "b.y=0:1:3".into()]).expect("a grid");
        assert_eq!(cases.count(), 6);
        assert_eq!(cases.settings(0), ["a.x=1", "b.y=0.0"]);
        assert_eq!(cases.settings(4), ["a.x=2", "b.y=0.5"]);
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in ["a", "a=", "a=1,b", "a=0:1", "a=0:1:1.5", "a=0:1:1", "a=nan", "a=0:inf:3"] {
            assert!(Cases::grid(&[wrong.into()]).is_err(), "{wrong}");
        }
        assert!(Cases::grid(&["a=1".into(), "a=2".into()]).is_err());
    }
}
