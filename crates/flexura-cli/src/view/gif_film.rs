//! Films as GIF files, which everything plays: mail, slides, chats, wikis.
//!
//! Format: CompuServe, Graphics Interchange Format, version 89a (1990). A picture has at most 256 colours, chosen for it by
//! the encoder; what did not change since the picture before it is not written again. Times are whole hundredths of a
//! second, spread so that they add up to the time of the film.

use gif::{Encoder, Frame, Repeat};
use resvg::tiny_skia::Pixmap;

/// Pictures per second beyond which programs play a film slower than it says.
pub const FASTEST: f64 = 50.0;
/// Samples of the choice of colours: one pixel in so many.
const SAMPLING: i32 = 8;

/// A film under construction.
pub struct GifFilm {
    rate: f64,
    count: usize,
    /// Pixels of the picture before, red, green, blue and opacity.
    before: Option<([u32; 2], Vec<u8>)>,
    encoder: Option<Encoder<Vec<u8>>>,
}

impl GifFilm {
    /// A film of `rate` pictures per second.
    pub fn new(rate: f64) -> Self {
        Self { rate, count: 0, before: None, encoder: None }
    }

    /// Adds the PNG file of the next picture.
    pub fn add(&mut self, png: &[u8]) -> Result<(), String> {
        let picture =
            Pixmap::decode_png(png).map_err(|error| format!("a picture is no PNG file: {error}"))?;
        let size = [picture.width(), picture.height()];
        let pixels = picture.take();
        let (width, height) = (side(size[0])?, side(size[1])?);
        let wrong = |error: gif::EncodingError| format!("the film cannot be written: {error}");
        let (mut left, mut top, mut right, mut bottom) = (0, 0, width, height);
        if let Some((known, before)) = &self.before {
            if *known != size {
                return Err("pictures of a film must have one size".into());
            }
            [left, top, right, bottom] = changed(before, &pixels, width);
        }
        let mut part = cut(&pixels, width, [left, top, right, bottom]);
        let mut frame = Frame::from_rgba_speed(right - left, bottom - top, &mut part, SAMPLING);
        (frame.left, frame.top) = (left, top);
        frame.delay = self.hundredths();
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            none => {
                let mut encoder = Encoder::new(Vec::new(), width, height, &[]).map_err(wrong)?;
                encoder.set_repeat(Repeat::Infinite).map_err(wrong)?;
                none.insert(encoder)
            }
        };
        encoder.write_frame(&frame).map_err(wrong)?;
        self.before = Some((size, pixels));
        self.count += 1;
        Ok(())
    }

    /// Time of the next picture: up to where it ends, less what is written already.
    fn hundredths(&self) -> u16 {
        let end = |count: usize| (100.0 * count as f64 / self.rate).round();
        (end(self.count + 1) - end(self.count)).clamp(2.0, 65_535.0) as u16
    }

    /// The file.
    pub fn bytes(self) -> Result<Vec<u8>, String> {
        let encoder = self.encoder.ok_or("the page drew no picture")?;
        encoder.into_inner().map_err(|error| format!("the film cannot be written: {error}"))
    }
}

fn side(length: u32) -> Result<u16, String> {
    u16::try_from(length).map_err(|_| "a GIF film has at most 65535 pixels along a side".into())
}

/// Left, top, right and bottom of what differs between two pictures; one pixel where nothing does.
fn changed(before: &[u8], now: &[u8], width: u16) -> [u16; 4] {
    let mut found: Option<[usize; 4]> = None;
    for (k, (a, b)) in before.chunks_exact(4).zip(now.chunks_exact(4)).enumerate() {
        if a == b {
            continue;
        }
        let (x, y) = (k % usize::from(width), k / usize::from(width));
        let [left, top, right, bottom] = found.unwrap_or([x, y, x + 1, y + 1]);
        found = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
    }
    // Sides have been asked for before.
    found.unwrap_or([0, 0, 1, 1]).map(|place| place as u16)
}

/// Pixels of a part of a picture.
fn cut(pixels: &[u8], width: u16, [left, top, right, bottom]: [u16; 4]) -> Vec<u8> {
    let place = |x: u16, y: u16| 4 * (usize::from(y) * usize::from(width) + usize::from(x));
    (top..bottom).flat_map(|y| &pixels[place(left, y)..place(right, y)]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gif::{ColorOutput, DecodeOptions};
    use resvg::tiny_skia::Color;

    /// A white picture with a coloured square.
    fn picture(x: u32, colour: [u8; 3]) -> Vec<u8> {
        let mut out = Pixmap::new(20, 10).expect("a picture");
        out.fill(Color::WHITE);
        let data = out.data_mut();
        for (dx, dy) in (0..9).map(|k| (k % 3, k / 3)) {
            let at = (4 * ((4 + dy) * 20 + x + dx)) as usize;
            data[at..at + 3].copy_from_slice(&colour);
        }
        out.encode_png().expect("a picture")
    }

    /// A decoder of its own crate sees the same pixels, and the time of every picture.
    #[test]
    fn what_is_written_is_read_back() {
        let mut film = GifFilm::new(12.0);
        let given = [
            picture(2, [200, 30, 40]),
            picture(9, [200, 30, 40]),
            picture(9, [200, 30, 40]),
            picture(1, [0, 0, 9]),
        ];
        for png in &given {
            film.add(png).expect("a picture");
        }
        assert!(film.add(&Pixmap::new(3, 3).expect("small").encode_png().expect("small")).is_err());
        assert!(film.add(b"no picture").is_err());
        let bytes = film.bytes().expect("a film");
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).expect("a GIF file");
        let (mut canvas, mut delays) = (vec![0; 20 * 10 * 4], Vec::new());
        for png in &given {
            let frame = decoder.read_next_frame().expect("a frame").expect("one per picture");
            delays.push(frame.delay);
            for y in 0..usize::from(frame.height) {
                let to = 4 * ((usize::from(frame.top) + y) * 20 + usize::from(frame.left));
                let wide = 4 * usize::from(frame.width);
                canvas[to..to + wide].copy_from_slice(&frame.buffer[y * wide..(y + 1) * wide]);
            }
            let wanted = Pixmap::decode_png(png).expect("a picture").take();
            assert_eq!(canvas, wanted);
        }
        assert!(decoder.read_next_frame().expect("an end").is_none());
        // Twelfths of a second in whole hundredths, which add up.
        assert_eq!(delays, [8, 9, 8, 8]);
    }
}
