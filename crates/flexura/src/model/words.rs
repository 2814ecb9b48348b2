//! Words for messages: near names, lists of names, short numbers.

/// Names longer than this are never compared, so that nonsense input stays cheap.
const LONGEST_COMPARED: usize = 64;

/// The candidate most like `name`, if one is like it at all.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    if letters.is_empty() || letters.len() > LONGEST_COMPARED {
        return None;
    }
    // One slip in a short name, a third of the letters in a long one.
    let allowed = (letters.len() / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST_COMPARED)
        .map(|candidate| (distance(&letters, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Edit distance with swapped neighbours counted once (optimal string alignment).
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = above;
        above = row;
    }
    above[b.len()]
}

/// The first names of a list, and how many more there are.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let mut names = names.into_iter();
    let shown: Vec<&str> = names.by_ref().take(SHOWN).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A number with at most six significant digits.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{}", if value == 0.0 { 0.0 } else { value });
    }
    let rounded = format!("{value:.5e}");
    let Some((digits, exponent)) = rounded.split_once('e') else { return rounded };
    match exponent.parse::<i32>() {
        Ok(power @ -4..6) => trimmed(&format!("{value:.*}", (5 - power).max(0) as usize)).into(),
        _ => format!("{}e{exponent}", trimmed(digits)),
    }
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

/// Numbers in brackets, as a model file has them.
pub fn numbers(values: &[f64]) -> String {
    let words: Vec<String> = values.iter().map(|&value| number(value)).collect();
    format!("[{}]", words.join(", "))
}

/// `1 mode`, `2 modes`.
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let frames = ["origin", "root", "tip"];
        assert_eq!(nearest("tipp", frames), Some("tip"));
        assert_eq!(nearest("rooot", frames), Some("root"));
        assert_eq!(nearest("Origin", frames), Some("origin"));
        assert_eq!(nearest("orgiin", frames), Some("origin"));
        assert_eq!(nearest("wheel", frames), None);
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn short_numbers() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(-9.81), "-9.81");
        assert_eq!(number(123456.7), "123457");
        assert_eq!(number(210e9), "2.1e11");
        assert_eq!(number(1.5e-7), "1.5e-7");
        assert_eq!(numbers(&[0.0, 2.0]), "[0, 2]");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..30).map(|k| format!("b{k}")).collect();
        assert!(list(names.iter().map(String::as_str)).ends_with("b11 and 18 more"));
    }
}
