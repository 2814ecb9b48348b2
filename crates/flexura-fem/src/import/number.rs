//! Numbers as Fortran programs write them.

/// A finite real number: `1.5`, `1.5e3`, `1.5D3`, and `1.5+3` as Nastran writes it.
pub fn real(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit() || b"+-.eEdD".contains(&b)) {
        return None;
    }
    let plain = text.replace(['d', 'D'], "e");
    let number = plain.parse::<f64>().ok().or_else(|| short_exponent(&plain));
    number.filter(|value| value.is_finite())
}

/// `1.5+3` and `-7.-2`: the sign inside the number starts the exponent.
fn short_exponent(text: &str) -> Option<f64> {
    let place = text.char_indices().skip(1).find(|(_, c)| *c == '+' || *c == '-')?.0;
    let (mantissa, exponent) = text.split_at(place);
    if mantissa.contains(['e', 'E']) {
        return None;
    }
    format!("{mantissa}e{exponent}").parse().ok()
}

/// A number of an item: positive and whole.
pub fn identity(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_numbers() {
        assert_eq!(real(" 1.5 "), Some(1.5));
        assert_eq!(real("-.5"), Some(-0.5));
        assert_eq!(real("7."), Some(7.0));
        assert_eq!(real("2.1D+11"), Some(2.1e11));
        assert_eq!(real("2.1+11"), Some(2.1e11));
        assert_eq!(real("-1.-3"), Some(-1e-3));
        assert_eq!(real("5"), Some(5.0));
        for wrong in ["", "nan", "inf", "1e999", "1.2.3", "e5", "0x10", "1e5+3", "+", "1,5"] {
            assert_eq!(real(wrong), None, "{wrong}");
        }
        assert_eq!(identity("12"), Some(12));
        assert_eq!(identity("0"), None);
        assert_eq!(identity("-3"), None);
    }
}
