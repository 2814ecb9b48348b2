//! Numbers of a universal file: columns of ten or 25 characters, which may touch each other.

use crate::import::number::real;

/// Whole numbers of a line, written in columns of ten.
pub fn integers(line: &str) -> Option<Vec<i64>> {
    columns(line, 10).iter().map(|word| word.parse().ok()).collect()
}

/// Numbers of a line, written in columns of 25.
pub fn reals(line: &str) -> Option<Vec<f64>> {
    columns(line, 25).iter().map(|word| real(word)).collect()
}

/// Words of a line; where one is longer than a column the columns count.
fn columns(line: &str, width: usize) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.iter().all(|word| word.len() <= width) {
        return words.into_iter().map(str::to_owned).collect();
    }
    let letters: Vec<char> = line.trim_end().chars().collect();
    letters.chunks(width).map(|column| column.iter().collect::<String>().trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_touch() {
        assert_eq!(integers("         1        11"), Some(vec![1, 11]));
        assert_eq!(integers("12345678901234567890"), Some(vec![1_234_567_890, 1_234_567_890]));
        assert_eq!(integers("         1       1.5"), None);
        let touching = "  -1.0000000000000000D+00  -2.0000000000000000D+00-3.000000000000000000D+00";
        assert_eq!(reals("  1.5E+00  -2.5D-01 0"), Some(vec![1.5, -0.25, 0.0]));
        assert_eq!(reals(touching), Some(vec![-1.0, -2.0, -3.0]));
    }
}
