//! Matching channel names against patterns, and finding names that were probably meant.

/// Most names that a message suggests.
const MOST_SUGGESTIONS: usize = 3;

/// Whether `name` matches `pattern`, where `*` stands for any text and `?` for one character.
///
/// Brackets are ordinary characters, because channel names use them for indices.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at_pattern, mut at_name) = (0, 0);
    // Where to resume after a mismatch: behind the last star, which takes one character more.
    let mut resume: Option<(usize, usize)> = None;
    while at_name < name.len() {
        match pattern.get(at_pattern) {
            Some('*') => {
                at_pattern += 1;
                resume = Some((at_pattern, at_name));
            }
            Some(&wanted) if wanted == '?' || wanted == name[at_name] => {
                at_pattern += 1;
                at_name += 1;
            }
            _ => match &mut resume {
                Some((after_star, taken)) => {
                    *taken += 1;
                    (at_pattern, at_name) = (*after_star, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[at_pattern..].iter().all(|&rest| rest == '*')
}

/// Up to three of `names` that differ little from `wanted`, the nearest first.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    // A third of the letters may be wrong; beyond that a suggestion is a guess.
    let limit = (wanted.chars().count() / 3).max(2);
    let wanted: Vec<char> = wanted.to_lowercase().chars().collect();
    let mut ranked: Vec<(usize, &str)> = names
        .map(|name| (edit_distance(&wanted, name), name))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    ranked.sort();
    let nearest = ranked.into_iter().take(MOST_SUGGESTIONS);
    nearest.map(|(_, name)| name.to_owned()).collect()
}

/// Number of characters to insert, delete or replace to turn one text into the other.
fn edit_distance(from: &[char], to: &str) -> usize {
    // One row of the usual table: distances of all prefixes of `from` to a prefix of `to`.
    let mut row: Vec<usize> = (0..=from.len()).collect();
    for (column, letter) in to.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = column + 1;
        for (index, &other) in from.iter().enumerate() {
            let replaced = diagonal + usize::from(other != letter);
            diagonal = row[index + 1];
            row[index + 1] = replaced.min(row[index] + 1).min(diagonal + 1);
        }
    }
    row[from.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_documented() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*", "crank.x", true),
            ("crank.?", "crank.x", true),
            ("crank.?", "crank.xy", false),
            ("crank.?", "crank.", false),
            ("*.x", "crank.x.y.x", true),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("q[?]", "q[3]", true),
            ("q[3]", "q3", false),
            ("größe.?", "größe.é", true),
            ("", "", true),
            ("", "x", false),
            ("**x**", "x", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} on {name}");
        }
    }

    #[test]
    fn distances_are_those_of_the_textbook() {
        let distance = |from: &str, to| edit_distance(&from.chars().collect::<Vec<_>>(), to);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("flaw", "lawn"), 2);
        assert_eq!(distance("same", "same"), 0);
    }
}
