//! XML as FMI's descriptions need it: elements, attributes, nothing else.

use std::fmt::Write;

/// A document under way.
#[derive(Debug, Default)]
pub struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// Text that may stand between quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            '\t' => out += "&#9;",
            // Characters that XML does not allow at all.
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push('_'),
            letter => out.push(letter),
        }
    }
    out
}

impl Xml {
    /// A document with its first line.
    pub fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".into(), open: Vec::new() }
    }

    fn start(&mut self, tag: &str, attributes: &[(&str, String)]) {
        let _ = write!(self.text, "{:indent$}<{tag}", "", indent = 2 * self.open.len());
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"{}\"", escaped(value));
        }
    }

    /// An element without content.
    pub fn leaf(&mut self, tag: &str, attributes: &[(&str, String)]) {
        self.start(tag, attributes);
        self.text += "/>\n";
    }

    /// An element that others go into, until [`Xml::close`].
    pub fn open(&mut self, tag: &'static str, attributes: &[(&str, String)]) {
        self.start(tag, attributes);
        self.text += ">\n";
        self.open.push(tag);
    }

    /// The end of the element opened last.
    pub fn close(&mut self) {
        if let Some(tag) = self.open.pop() {
            let _ = writeln!(self.text, "{:indent$}</{tag}>", "", indent = 2 * self.open.len());
        }
    }

    /// The document, with everything closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}
