//! Patterns of names, with `*` for any text and `?` for one character.

/// Whether `name` matches `pattern` with `*` (any text) and `?` (one character). Nothing is allocated: every name of a large
/// model is compared with every pattern.
pub fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (p, n) = (pattern.as_bytes(), name.as_bytes());
    let (mut i, mut j, mut star) = (0, 0, None);
    while j < n.len() {
        if i < p.len() && p[i] == b'*' {
            star = Some((i, j));
            i += 1;
        } else if i < p.len() && p[i] == b'?' {
            (i, j) = (i + 1, j + width(n[j]));
        } else if i < p.len() && p[i] == n[j] {
            (i, j) = (i + 1, j + 1);
        } else if let Some((at, from)) = star {
            // The star takes one character more.
            let from = from + width(n[from]);
            (i, j, star) = (at + 1, from, Some((at, from)));
        } else {
            return false;
        }
    }
    p[i..].iter().all(|&c| c == b'*')
}

/// Bytes of the character that begins with `first`.
fn width(first: u8) -> usize {
    match first {
        0..=0xBF => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(
            matches_pattern("*", "a.b")
                && matches_pattern("arm.*", "arm.tip.x")
                && matches_pattern("a?c", "abc")
        );
        assert!(
            matches_pattern("*.x", "a.b.x")
                && !matches_pattern("*.x", "a.b.y")
                && !matches_pattern("a", "ab")
        );
        assert!(
            matches_pattern("energy.*", "energy.total")
                && !matches_pattern("", "a")
                && matches_pattern("**", "")
        );
        // A letter of several bytes is one character.
        assert!(
            matches_pattern("b?r.*", "bär.x") && matches_pattern("*?", "ä") && !matches_pattern("*??", "ä")
        );
        assert!(
            matches_pattern("*?r", "äär") && matches_pattern("?*?*ä", "äbä") && !matches_pattern("??", "ä")
        );
    }
}
