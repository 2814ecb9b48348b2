//! Films as MP4 files, small and played by everything that plays films.
//!
//! The page encodes its pictures itself, by the H.264 encoder of Chromium; here they are put into their file. Formats: ISO/IEC
//! 14496-12 (boxes) and 14496-15 (`avc1`, `avcC`). Pictures come in the order in which they are shown and depend on earlier ones
//! alone; the tables stand before them, so that a film plays while it is loaded.

/// Ticks of a second.
const TICKS: u32 = 90_000;
/// What does not turn a picture.
const UPRIGHT: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/// A film under construction.
pub struct Mp4Film {
    size: [u16; 2],
    rate: f64,
    /// What a decoder must know before the first picture (`AVCDecoderConfigurationRecord`).
    description: Vec<u8>,
    /// Bytes of every picture.
    sizes: Vec<u32>,
    /// Pictures that stand for themselves, counted from one.
    whole: Vec<u32>,
    data: Vec<u8>,
}

impl Mp4Film {
    /// A film of pictures of `size` pixels, `rate` of them per second.
    pub fn new(size: (u32, u32), rate: f64) -> Result<Self, String> {
        let side = |side: u32| match u16::try_from(side) {
            Ok(side) if side % 2 == 0 => Ok(side),
            _ => Err(format!("--size: films in MP4 have even sides up to 65534 pixels, not {side}")),
        };
        let size = [side(size.0)?, side(size.1)?];
        Ok(Self { size, rate, description: Vec::new(), sizes: vec![], whole: vec![], data: vec![] })
    }

    /// Takes what the page sends: 0 and a picture that needs earlier ones, 1 and one that does not, 2 and the description.
    pub fn add(&mut self, message: &[u8]) -> Result<(), String> {
        let (kind, bytes) = message.split_first().ok_or("an empty picture")?;
        if *kind == 2 {
            self.description = bytes.to_vec();
            return Ok(());
        }
        let size = u32::try_from(bytes.len()).map_err(|_| "a picture of 4 GB")?;
        self.sizes.push(size);
        if *kind == 1 {
            self.whole.push(self.sizes.len() as u32);
        }
        self.data.extend(bytes);
        Ok(())
    }

    /// Number of pictures.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The file.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        if self.description.is_empty() || self.whole.first() != Some(&1) {
            return Err("the page sent no beginning of a film".into());
        }
        let kind = framed(b"ftyp", &[b"isom", &words(&[512]), b"isom", b"iso2", b"avc1", b"mp41"]);
        // The tables name the place of the pictures, which lie behind them: their size does not depend on it.
        let before = kind.len() + self.tables(0).len() + 8;
        let whole = u32::try_from(before + self.data.len()).map_err(|_| "a film of more than 4 GB")?;
        let place = whole - self.data.len() as u32;
        Ok([kind, self.tables(place), framed(b"mdat", &[&self.data])].concat())
    }

    /// Ticks from the start to picture `number`, of which the first is 0.
    fn ticks(&self, number: usize) -> u32 {
        (number as f64 * f64::from(TICKS) / self.rate).round() as u32
    }

    fn tables(&self, place: u32) -> Vec<u8> {
        let duration = self.ticks(self.count());
        let film = [&[0, 0, 0, TICKS, duration, 0x1_0000, 0x0100_0000, 0, 0][..], &UPRIGHT, &[0; 6], &[2]];
        let sides = self.size.map(|side| u32::from(side) << 16);
        let track = [&[3, 0, 0, 1, 0, duration, 0, 0, 0, 0][..], &UPRIGHT, &sides];
        let media = words(&[0, 0, 0, TICKS, duration, 0x55c4_0000]);
        let handler = [&words(&[0, 0])[..], b"vide", &[0; 13]].concat();
        let own = framed(b"url ", &[&words(&[1])]);
        let data = framed(b"dinf", &[&framed(b"dref", &[&words(&[0, 1]), &own])]);
        let samples = framed(b"stbl", &[&self.coded(), &self.times(), &self.places(place)]);
        let video = framed(b"minf", &[&framed(b"vmhd", &[&words(&[1, 0, 0])]), &data, &samples]);
        let media = framed(b"mdia", &[&framed(b"mdhd", &[&media]), &framed(b"hdlr", &[&handler]), &video]);
        let track = framed(b"trak", &[&framed(b"tkhd", &[&words(&track.concat())]), &media]);
        framed(b"moov", &[&framed(b"mvhd", &[&words(&film.concat())]), &track])
    }

    /// How pictures are coded.
    fn coded(&self) -> Vec<u8> {
        let sides = self.size.map(u16::to_be_bytes).concat();
        let picture = framed(
            b"avc1",
            &[
                &[0, 0, 0, 0, 0, 0, 0, 1],
                &[0; 16],
                &sides,
                &words(&[0x48_0000, 0x48_0000, 0]),
                &[0, 1],
                &[0; 32],
                &[0, 0x18, 0xff, 0xff],
                &framed(b"avcC", &[&self.description]),
            ],
        );
        framed(b"stsd", &[&words(&[0, 1]), &picture])
    }

    /// How long each picture is shown, and which stand for themselves.
    fn times(&self) -> Vec<u8> {
        let mut runs: Vec<[u32; 2]> = Vec::new();
        for number in 0..self.count() {
            let length = self.ticks(number + 1) - self.ticks(number);
            match runs.last_mut().filter(|run| run[1] == length) {
                Some(run) => run[0] += 1,
                None => runs.push([1, length]),
            }
        }
        let shown = framed(b"stts", &[&words(&[0, runs.len() as u32]), &words(runs.as_flattened())]);
        let whole = framed(b"stss", &[&words(&[0, self.whole.len() as u32]), &words(&self.whole)]);
        [shown, whole].concat()
    }

    /// Where the pictures lie: one after the other from `place` on.
    fn places(&self, place: u32) -> Vec<u8> {
        let count = self.count() as u32;
        let chunks = framed(b"stsc", &[&words(&[0, 1, 1, count, 1])]);
        let sizes = framed(b"stsz", &[&words(&[0, 0, count]), &words(&self.sizes)]);
        [chunks, sizes, framed(b"stco", &[&words(&[0, 1, place])])].concat()
    }
}

/// Numbers as the format has them.
fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// A box: its length, its name, its content.
fn framed(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    // A whole film beyond 4 GB is refused before.
    let length = (content.len() + 8) as u32;
    [&length.to_be_bytes()[..], name, &content].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the boxes in `bytes`, those inside others after them, with where they begin.
    fn boxes(bytes: &[u8], start: usize, found: &mut Vec<(String, usize)>) {
        let mut at = 0;
        while at < bytes.len() {
            let length = u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
            let name = String::from_utf8_lossy(&bytes[at + 4..at + 8]).into_owned();
            let inner = ["moov", "trak", "mdia", "minf", "dinf", "stbl"].contains(&name.as_str());
            found.push((name, start + at));
            if inner {
                boxes(&bytes[at + 8..at + length], start + at + 8, found);
            }
            at += length;
        }
        assert_eq!(at, bytes.len(), "boxes fill what is around them");
    }

    #[test]
    fn pictures_lie_where_the_tables_say() {
        let mut film = Mp4Film::new((64, 48), 7.0).expect("even sides");
        for message in [&[2, 1, 66][..], &[1, 10, 11, 12], &[0, 20], &[1, 30, 31]] {
            film.add(message).expect("a picture");
        }
        let bytes = film.bytes().expect("a film");
        let mut found = Vec::new();
        boxes(&bytes, 0, &mut found);
        let place = |name: &str| found.iter().find(|(known, _)| known == name).expect(name).1;
        let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let data = word(place("stco") + 16) as usize;
        assert_eq!(data, place("mdat") + 8);
        assert_eq!(bytes[data..], [10, 11, 12, 20, 30, 31]);
        assert_eq!([0, 1, 2].map(|i| word(place("stsz") + 20 + 4 * i)), [3, 1, 2]);
        assert_eq!([word(place("stss") + 16), word(place("stss") + 20)], [1, 3]);
        // Three pictures at seven a second: 12857, 12857, 12857 ticks of 1/90000 s, up to rounding.
        assert_eq!(word(place("mdhd") + 24), 38_571);
        assert_eq!(word(place("mvhd") + 24), 38_571);
        assert_eq!([word(place("tkhd") + 84), word(place("tkhd") + 88)], [64 << 16, 48 << 16]);
    }

    #[test]
    fn what_is_no_film_is_refused() {
        assert!(Mp4Film::new((641, 480), 25.0).is_err_and(|words| words.contains("641")));
        let mut film = Mp4Film::new((64, 48), 25.0).expect("even sides");
        assert!(film.add(&[]).is_err());
        film.add(&[1, 10]).expect("a picture");
        assert!(film.bytes().is_err(), "no description");
    }
}
