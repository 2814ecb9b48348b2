//! A place in a VTK file: words and lines as text, arrays as text or as binary numbers, the larger byte first.

/// Numbers of an array.
pub enum Values {
    Whole(Vec<i64>),
    Real(Vec<f64>),
}

impl Values {
    /// As whole numbers, where they are.
    pub fn whole(self) -> Option<Vec<i64>> {
        match self {
            Self::Whole(values) => Some(values),
            Self::Real(_) => None,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Real(values) => values.len(),
        }
    }

    pub fn real(self) -> Vec<f64> {
        match self {
            Self::Whole(values) => values.into_iter().map(|value| value as f64).collect(),
            Self::Real(values) => values,
        }
    }
}

pub struct Cursor<'a> {
    bytes: &'a [u8],
    next: usize,
    pub binary: bool,
    /// The section under way, for messages.
    pub section: String,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, next: 0, binary: false, section: String::new() }
    }

    /// Line of the file, counted from one; zero in binary files, which have none.
    pub fn line_number(&self) -> usize {
        // What was read last may have taken the end of its line along.
        let read = &self.bytes[..self.next.saturating_sub(1).min(self.bytes.len())];
        if self.binary { 0 } else { read.iter().filter(|byte| **byte == b'\n').count() + 1 }
    }

    /// The rest of the line.
    pub fn line(&mut self) -> Option<String> {
        let rest = self.bytes.get(self.next..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.next = (self.next + length + 1).min(self.bytes.len());
        Some(String::from_utf8_lossy(&rest[..length]).trim_end().to_owned())
    }

    fn skip_blanks(&mut self) {
        while self.bytes.get(self.next).is_some_and(u8::is_ascii_whitespace) {
            self.next += 1;
        }
    }

    /// The next word; it ends with the blank behind it, binary numbers begin after that.
    pub fn word(&mut self) -> Option<String> {
        self.skip_blanks();
        let rest = &self.bytes[self.next..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let word = String::from_utf8_lossy(&rest[..length]).into_owned();
        self.next += length;
        (!word.is_empty()).then_some(word)
    }

    /// Whether the next word is this one; nothing is read, since binary numbers may stand there.
    pub fn next_is(&self, word: &str) -> bool {
        self.bytes[self.next..].trim_ascii_start().starts_with(word.as_bytes())
    }

    /// `count` numbers of a type of VTK's; none where they are not there.
    pub fn values(&mut self, kind: &str, count: usize) -> Option<Values> {
        if self.binary { self.binary_values(kind, count) } else { self.text_values(kind, count) }
    }

    fn text_values(&mut self, kind: &str, count: usize) -> Option<Values> {
        let real = matches!(kind, "float" | "double");
        // Each number takes two bytes at least: counts in the file are never trusted for memory.
        if count > self.bytes.len() - self.next {
            return None;
        }
        if real {
            let values: Option<Vec<f64>> = (0..count).map(|_| self.word()?.parse().ok()).collect();
            return values.map(Values::Real);
        }
        let values: Option<Vec<i64>> = (0..count).map(|_| self.word()?.parse().ok()).collect();
        values.map(Values::Whole)
    }

    fn binary_values(&mut self, kind: &str, count: usize) -> Option<Values> {
        // One end of line stands between the head and the numbers.
        if self.bytes.get(self.next) == Some(&b'\r') {
            self.next += 1;
        }
        self.next += 1;
        let width = match kind {
            "char" | "signed_char" | "unsigned_char" | "vtktypeint8" | "vtktypeuint8" => 1,
            "short" | "unsigned_short" => 2,
            // VTK writes its ids as ints.
            "int" | "unsigned_int" | "float" | "vtkIdType" | "vtktypeint32" | "vtktypeuint32" => 4,
            "long" | "unsigned_long" | "vtktypeint64" | "vtktypeuint64" | "double" => 8,
            _ => return None,
        };
        let end = self.next.checked_add(count.checked_mul(width)?)?;
        let block = self.bytes.get(self.next..end)?;
        self.next = end;
        let each = block.chunks_exact(width);
        let whole = |number: &[u8]| number.iter().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        // Unsigned kinds of less than eight bytes fit; of eight no number of a mesh is as large.
        let signed = |number: &[u8]| {
            let spare = 64 - 8 * number.len() as u32;
            let shifted = whole(number) << spare;
            if kind.contains("unsigned") || kind.contains("uint") {
                (shifted >> spare) as i64
            } else {
                shifted as i64 >> spare
            }
        };
        Some(match kind {
            "float" => Values::Real(each.map(|n| f64::from(f32::from_bits(whole(n) as u32))).collect()),
            "double" => Values::Real(each.map(|n| f64::from_bits(whole(n))).collect()),
            _ => Values::Whole(each.map(signed).collect()),
        })
    }
}
