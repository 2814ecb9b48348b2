//! Films as animated PNG files, which browsers and slide programs play: pictures of equal size, one after another.
//!
//! Format: Portable Network Graphics, third edition (W3C 2025), chunks acTL, fcTL and fdAT. The pictures are taken as they
//! are: their compressed data is moved, not encoded again.

/// First bytes of every PNG file.
const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a];

/// Pictures of a film under construction.
#[derive(Default)]
pub struct Film {
    /// The header chunk that all pictures share: size and colours.
    header: Vec<u8>,
    /// Compressed data of every picture.
    pictures: Vec<Vec<u8>>,
}

impl Film {
    /// Adds the PNG file of the next picture.
    pub fn add(&mut self, png: &[u8]) -> Result<(), String> {
        let chunks = chunks(png).ok_or("a picture is no whole PNG file")?;
        let header = chunks.iter().find(|(name, _)| *name == b"IHDR").ok_or("a picture has no header")?.1;
        if self.pictures.is_empty() {
            self.header = header.to_vec();
        } else if self.header != header {
            return Err("pictures of a film must have one size".into());
        }
        let data =
            chunks.iter().filter(|(name, _)| *name == b"IDAT").flat_map(|(_, data)| data.iter().copied());
        self.pictures.push(data.collect());
        Ok(())
    }

    /// The file, with `rate` pictures per second, played again and again.
    pub fn bytes(&self, rate: f64) -> Vec<u8> {
        let mut out = SIGNATURE.to_vec();
        chunk(&mut out, b"IHDR", &[&self.header]);
        chunk(&mut out, b"acTL", &[&(self.pictures.len() as u32).to_be_bytes(), &0u32.to_be_bytes()]);
        let size = self.header.get(..8).unwrap_or_default();
        let mut sequence = 0u32;
        let mut next = || {
            sequence += 1;
            (sequence - 1).to_be_bytes()
        };
        for (number, data) in self.pictures.iter().enumerate() {
            let [delay, unit] = delay(rate).map(u16::to_be_bytes);
            chunk(&mut out, b"fcTL", &[&next(), size, &[0; 8], &delay, &unit, &[0; 2]]);
            match number {
                // The first picture is also what programs show that know no films.
                0 => chunk(&mut out, b"IDAT", &[data]),
                _ => chunk(&mut out, b"fdAT", &[&next(), data]),
            }
        }
        chunk(&mut out, b"IEND", &[]);
        out
    }
}

/// Time of one picture as a fraction of seconds.
fn delay(rate: f64) -> [u16; 2] {
    let thousandths = (1000.0 * rate).round();
    if (1.0..=65_535.0).contains(&thousandths) {
        return [1000, thousandths as u16];
    }
    [1, rate.clamp(1.0, 65_535.0) as u16]
}

type Chunk<'a> = (&'a [u8; 4], &'a [u8]);

/// Names and contents of a PNG file; `None` if it is not whole.
fn chunks(png: &[u8]) -> Option<Vec<Chunk<'_>>> {
    let mut rest = png.strip_prefix(&SIGNATURE)?;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (name, after) = after.split_first_chunk::<4>()?;
        let (data, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        rest = after.get(4..)?;
        found.push((name, data));
    }
    Some(found)
}

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    out.extend((length as u32).to_be_bytes());
    let start = out.len();
    out.extend(name);
    parts.iter().for_each(|part| out.extend(*part));
    let sum = checksum(&out[start..]);
    out.extend(sum.to_be_bytes());
}

/// CRC-32 of the PNG specification, annex D.
fn checksum(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    !bytes.iter().fold(u32::MAX, |sum, byte| TABLE[((sum ^ u32::from(*byte)) & 0xff) as usize] ^ (sum >> 8))
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut c = n as u32;
        let mut k = 0;
        while k < 8 {
            c = if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 };
            k += 1;
        }
        table[n] = c;
        n += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG file with given header and data, not meant to be looked at.
    fn png(header: u8, data: &[u8]) -> Vec<u8> {
        let mut out = SIGNATURE.to_vec();
        chunk(&mut out, b"IHDR", &[&[header; 13]]);
        // Data may come in pieces.
        let (first, second) = data.split_at(1);
        chunk(&mut out, b"IDAT", &[first]);
        chunk(&mut out, b"IDAT", &[second]);
        chunk(&mut out, b"IEND", &[]);
        out
    }

    #[test]
    fn films_hold_their_pictures_in_order() {
        assert_eq!(checksum(b"IEND"), 0xae42_6082, "as in every PNG file");
        let mut film = Film::default();
        film.add(&png(1, b"first")).expect("a picture");
        film.add(&png(1, b"second")).expect("a picture");
        assert!(film.add(&png(2, b"other size")).is_err());
        assert!(film.add(&png(1, b"torn")[..40]).is_err());
        let bytes = film.bytes(12.5);
        let found = chunks(&bytes).expect("a PNG file");
        let names: Vec<&[u8]> = found.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names, [&b"IHDR"[..], b"acTL", b"fcTL", b"IDAT", b"fcTL", b"fdAT", b"IEND"]);
        assert_eq!(found[1].1, [0, 0, 0, 2, 0, 0, 0, 0]);
        assert_eq!((found[3].1, found[5].1), (&b"first"[..], &b"\0\0\0\x02second"[..]));
        // 1000/12500 s each.
        assert_eq!(found[4].1[20..24], [0x03, 0xe8, 0x30, 0xd4]);
        assert_eq!((delay(0.5), delay(200.0)), ([1000, 500], [1, 200]));
    }
}
