//! Words, numbers and signs of a formula.

use std::ops::Range;

use super::FormulaFault;

/// A word or sign and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub range: Range<usize>,
    pub kind: TokenKind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind<'a> {
    Number(f64),
    Name(&'a str),
    Text(&'a str),
    Sign(&'static str),
    End,
}

/// Longer signs first.
const SIGNS: [&str; 18] =
    ["<=", ">=", "==", "!=", "**", "<", ">", "&", "+", "-", "*", "/", "^", "(", ")", "[", "]", ","];

/// All tokens of a formula, then [`TokenKind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, FormulaFault> {
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (length, kind) = token(&text[at..], at)?;
        list.push(Token { range: at..at + length, kind });
        at += length;
    }
    list.push(Token { range: at..at, kind: TokenKind::End });
    Ok(list)
}

/// The token at the start of `rest`, which stands at `at`, and its length.
fn token(rest: &str, at: usize) -> Result<(usize, TokenKind<'_>), FormulaFault> {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() || first == '.' {
        return number(rest, at);
    }
    if first.is_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        return Ok((length, TokenKind::Name(&rest[..length])));
    }
    if first == '\'' {
        let Some(length) = rest[1..].find('\'') else {
            let help = "end the text with a second '";
            return Err(FormulaFault::new(
                "formula-syntax",
                at..at + rest.len(),
                "the text has no end",
                help,
            ));
        };
        return Ok((length + 2, TokenKind::Text(&rest[1..length + 1])));
    }
    match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
        Some("**") => {
            let help = "powers are written with ^, such as r^2";
            Err(FormulaFault::new("formula-syntax", at..at + 2, "`**` has no meaning", help))
        }
        Some(sign) => Ok((sign.len(), TokenKind::Sign(sign))),
        None => {
            let message = format!("`{first}` has no meaning in a formula");
            let help = match first {
                '=' => "compare with ==; a formula has one = at its start",
                '%' => "write mod(a, b) for a remainder",
                '{' | '}' => "braces stand inside texts, not inside formulas",
                _ => "formulas have numbers, names, functions and + - * / ^ ( ) [ ] < > == & , and 'text'",
            };
            Err(FormulaFault::new("formula-syntax", at..at + first.len_utf8(), message, help))
        }
    }
}

/// Digits with a point and an exponent.
fn number(rest: &str, at: usize) -> Result<(usize, TokenKind<'_>), FormulaFault> {
    let bytes = rest.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(signed).is_some_and(u8::is_ascii_digit) {
            end = digits(signed);
        }
    }
    let follows = rest[end..].chars().next();
    let word = follows.filter(|c| c.is_alphabetic() || *c == '_' || *c == '.');
    match rest[..end].parse::<f64>().ok().filter(|value| value.is_finite() && word.is_none()) {
        Some(value) => Ok((end, TokenKind::Number(value))),
        None => {
            let length = end + word.map_or(0, char::len_utf8);
            let help = "numbers are plain (2.5, 1e-3), without units; products have a sign: 2*r";
            let message = format!("`{}` is no number", &rest[..length]);
            Err(FormulaFault::new("formula-syntax", at..at + length, message, help))
        }
    }
}
