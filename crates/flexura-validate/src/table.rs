//! Tables of numbers that are shown and not judged: computing times beside those of a paper.

/// A table of numbers with a heading per row and column.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it shows, and which table of the source.
    pub caption: String,
    /// Headings of the columns, that of the rows' names first.
    pub columns: Vec<String>,
    /// Names of the rows and their numbers; what is missing has none.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(ToString::to_string).collect();
        Self { caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, name: impl Into<String>, numbers: impl IntoIterator<Item = Option<f64>>) {
        self.rows.push((name.into(), numbers.into_iter().collect()));
    }

    /// A number with three digits; a dash where there is none.
    pub fn cell(number: Option<f64>) -> String {
        let Some(number) = number.filter(|x| x.is_finite()) else { return "–".into() };
        let decade = if number == 0.0 { 0.0 } else { number.abs().log10().floor() };
        let digits = (2 - decade as i32).clamp(0, 6) as usize;
        if number == number.round() && number.abs() < 1e6 {
            format!("{number:.0}")
        } else {
            format!("{number:.digits$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_three_digits() {
        let found =
            [0.0, 5.0, 0.0123456, 1.05, 20.92, 102.56, 1234.5, f64::NAN].map(|x| Table::cell(Some(x)));
        assert_eq!(found, ["0", "5", "0.0123", "1.05", "20.9", "103", "1234", "–"]);
        assert_eq!(Table::cell(None), "–");
    }
}
