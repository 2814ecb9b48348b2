//! Tables of long texts, read piece by piece.
//!
//! The parser keeps a token, an event and a value for every word of a text until it has read the whole of it: 12 KB for a rigid body and
//! its hinge, which take 290 bytes as text. A text is therefore cut before lists of tables at its top (`[[body]]`), where every piece is a document
//! of its own, and lists of the same name are put together. A piece that does not parse, or that adds to anything but such a list, may
//! owe that to the cut (a line of a text in three quotes, `[joint.x]` about a joint of the piece before): then, and wherever something is
//! wrong, the text is read as a whole. What comes out is the same, with every place. Linear in the text.

use std::ops::Range;

use toml::de::{DeTable, Error};

use super::node::{Content, Keys, Reading, Table};

/// Bytes from which a piece ends before the next list: a few megabytes while it is parsed.
const PIECE: usize = 1 << 17;

/// The table of a text. `base` is its place among all sources; `formulas`, whether its texts may be formulas.
pub(super) fn read_table(text: &str, base: usize, formulas: bool) -> Result<Table, Error> {
    read_in_pieces(text, base, formulas, PIECE)
}

fn read_in_pieces(text: &str, base: usize, formulas: bool, piece: usize) -> Result<Table, Error> {
    let keys = Keys::default();
    let part = |range: Range<usize>| {
        let source = &text[range.clone()];
        let reading = Reading { source, base: base + range.start, formulas, keys: &keys };
        DeTable::parse(source).map(|table| reading.table(table.into_inner()))
    };
    let pieces = pieces(text, piece);
    if pieces.len() > 1
        && let Some(table) = join(pieces.into_iter().map(|range| part(range).ok()))
    {
        return Ok(table);
    }
    part(0..text.len())
}

/// What stands before the first header, then pieces that begin with a list of tables.
fn pieces(text: &str, least: usize) -> Vec<Range<usize>> {
    let first = if text.starts_with('[') { Some(0) } else { text.find("\n[").map(|at| at + 1) };
    let mut pieces = Vec::new();
    let mut start = first.unwrap_or(text.len());
    pieces.push(0..start);
    let mut at = start;
    while let Some(found) = text[at..].find("\n[") {
        at += found + 1;
        if at - start >= least && begins_list(&text[at..]) {
            pieces.push(start..at);
            start = at;
        }
    }
    if first.is_some() {
        pieces.push(start..text.len());
    }
    pieces
}

/// Whether a line is `[[name]]`, without dots and quotes.
fn begins_list(rest: &str) -> bool {
    let Some((name, _)) = rest.strip_prefix("[[").and_then(|rest| rest.split_once("]]")) else {
        return false;
    };
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// All pieces together; `None` where one of them cannot stand alone.
fn join(mut pieces: impl Iterator<Item = Option<Table>>) -> Option<Table> {
    // Keys before the first header belong to no list of tables, whatever they hold.
    let first = pieces.next()??;
    let mut table = pieces.next()??;
    for piece in pieces {
        for field in piece?.fields {
            match table.fields.iter_mut().find(|known| known.key == field.key) {
                None => table.fields.push(field),
                Some(known) => match (&mut known.node.content, field.node.content) {
                    (Content::List(list), Content::List(more)) => list.extend(more),
                    _ => return None,
                },
            }
        }
    }
    for field in first.fields {
        if table.get(&field.key).is_some() {
            return None;
        }
        table.fields.push(field);
    }
    for field in &mut table.fields {
        if let Content::List(list) = &mut field.node.content {
            list.shrink_to_fit();
        }
    }
    // The order of the parser.
    table.fields.sort_by(|a, b| a.key.cmp(&b.key));
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by pieces of any size and as a whole, with all places.
    fn same(text: &str) {
        let whole = format!("{:?}", read_in_pieces(text, 7, true, usize::MAX));
        for piece in [1, 30, 300, 3000] {
            assert_eq!(
                format!("{:?}", read_in_pieces(text, 7, true, piece)),
                whole,
                "pieces of {piece}: {text}"
            );
        }
    }

    fn cut(text: &str) -> usize {
        pieces(text, 1).len()
    }

    #[test]
    fn lists_are_put_together() {
        let text = "name = \"x\"\n[[body]]\nmass = 1\n[[joint]]\na = [1,\n2]\n[[body]]\nmass = \"= 2*m\"\n\
                    [body.picture]\nb = 1\n[let]\nm = 2\n[[ground.frame]]\nx = 1\n[[joint]]\na = [3]\n";
        assert_eq!(cut(text), 5);
        same(text);
        assert_eq!(cut("[[body]]\na = 1\n[[body]]\na = 2\n"), 3);
        same("[[body]]\na = 1\n[[body]]\na = 2\n");
        let keys = Keys::default();
        let reading = Reading { source: text, base: 0, formulas: true, keys: &keys };
        let whole = reading.table(DeTable::parse(text).unwrap().into_inner());
        let ranges = pieces(text, 1);
        let part = |range: Range<usize>| {
            let reading =
                Reading { source: &text[range.clone()], base: range.start, formulas: true, keys: &keys };
            DeTable::parse(&text[range]).ok().map(|table| reading.table(table.into_inner()))
        };
        let joined = join(ranges.into_iter().map(part)).expect("pieces that stand alone");
        assert_eq!(format!("{joined:?}"), format!("{whole:?}"));
    }

    #[test]
    fn cuts_that_change_the_meaning_are_not_made() {
        for text in [
            "a = '''\n[[body]]\n'''\n[[body]]\nb = 1\n",
            "[x]\na = [\n[[1, 2]],\n[[body]],\n]\n[[body]]\nc = 1\n",
            "[[joint]]\na = 1\n[[body]]\nb = 1\n[joint.x]\nc = 1\n",
            "body = [1]\n[[body]]\na = 1\n[[body]]\na = 2\n",
            "[[body]]\na = 1\n[let]\nb = 1\n[[body]]\na = 2\n[let]\nb = 2\n",
            "[[body]]\na = 1\n[[body]]\na = 1\na = 2\n",
            "[[body]]\na = 1\n[ground.x]\nb = 1\n[[body]]\na = 2\n[[ground.frame]]\nc = 1\n",
            "\n[[a]]\n\n[[b]]\n[[a]]",
            "",
        ] {
            same(text);
        }
    }

    #[test]
    fn shipped_models_are_the_same_by_pieces() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).expect("the models") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                same(&std::fs::read_to_string(&path).expect("a text"));
                count += 1;
            }
        }
        assert!(count > 10, "{count} models");
    }
}
