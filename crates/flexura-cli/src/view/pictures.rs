//! A sequence of PNG pictures or a film, drawn by the page in a headless Chromium.

use super::film::Film;
use super::gif_film::GifFilm;
use super::mp4_film::Mp4Film;
use super::server::{Local, Message, Other};
use super::{Arguments, Scratch, browser};
use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use crate::whole_file::{self, unwritten};
use flexura_output::Scene;
use std::path::Path;
use std::time::Duration;

/// What the page is asked for.
fn query(wishes: &Arguments) -> String {
    let Arguments { size: (width, height), fps, deformation, zoom, camera, .. } = wishes;
    let mut text = format!(
        "export=1&fps={fps}&width={width}&height={height}&deformation={deformation}&zoom={zoom}&camera={camera}"
    );
    let at = wishes.at.map(|at| at.to_string());
    for (key, value) in [("at", &at), ("track", &wishes.track), ("colours", &wishes.colours)] {
        if let Some(value) = value {
            // Names of bodies may hold any letter: all bytes are spelt out.
            let spelt: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
            text.push_str(&format!("&{key}={spelt}"));
        }
    }
    text.push_str(&format!("&palette={}", wishes.palette));
    if let Some(speed) = wishes.speed {
        text.push_str(&format!("&speed={speed}"));
    }
    if let Some([from, to]) = wishes.range {
        text.push_str(&format!("&range={from}:{to}"));
    }
    if wishes.mp4.is_some() {
        text.push_str("&film=mp4");
    }
    for (key, wished) in [("forces", wishes.forces), ("shadows", wishes.shadows), ("bare", wishes.bare)] {
        if wished {
            text.push_str(&format!("&{key}=1"));
        }
    }
    text
}

/// Longest wait for the next picture; software rendering of a large mesh is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Draws the scene as `wishes` say into files of `folder`.
pub fn draw_sequence(scene: &mut Scene, other: Option<&Other>, folder: &Path, wishes: &Arguments) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let (count, legend) = draw(scene, other, wishes, |number, bytes| {
        let path = folder.join(format!("frame_{number:05}.png"));
        std::fs::write(&path, bytes).map_err(|error| unwritten(&path, &error))
    })?;
    let (shown, fps) = (folder.display(), wishes.fps);
    print(&format!(
        "{count} pictures in {shown}\n{legend}as a film: ffmpeg -framerate {fps} -i {shown}/frame_%05d.png -pix_fmt yuv420p film.mp4\n"
    ))
}

/// Draws the scene as `wishes` say into one film.
pub fn draw_film(scene: &mut Scene, other: Option<&Other>, path: &Path, wishes: &Arguments) -> Outcome {
    let mut film = Film::default();
    let (count, legend) = draw(scene, other, wishes, |_, bytes| film.add(&bytes).map_err(Failure::File))?;
    keep(path, &film.bytes(wishes.fps), count, &legend)
}

/// The same as a GIF file.
pub fn draw_gif(scene: &mut Scene, other: Option<&Other>, path: &Path, wishes: &Arguments) -> Outcome {
    let mut film = GifFilm::new(wishes.fps);
    let (count, legend) = draw(scene, other, wishes, |_, bytes| film.add(&bytes).map_err(Failure::File))?;
    keep(path, &film.bytes().map_err(Failure::File)?, count, &legend)
}

/// The same as an MP4 file; the page encodes its pictures.
pub fn draw_mp4(scene: &mut Scene, other: Option<&Other>, path: &Path, wishes: &Arguments) -> Outcome {
    let mut film = Mp4Film::new(wishes.size, wishes.fps).map_err(Failure::Usage)?;
    let (_, legend) = draw(scene, other, wishes, |_, bytes| film.add(&bytes).map_err(Failure::File))?;
    keep(path, &film.bytes().map_err(Failure::File)?, film.count(), &legend)
}

fn keep(path: &Path, bytes: &[u8], count: usize, legend: &str) -> Outcome {
    whole_file::write(path, bytes)?;
    let (shown, size) = (path.display(), bytes.len() as f64 / 1e6);
    print(&format!("{count} pictures, {size:.1} MB in {shown}\n{legend}"))
}

/// Draws the scene as `wishes` say, handing the pictures to `keep` in order; how many, and what their colours mean.
fn draw(
    scene: &mut Scene,
    other: Option<&Other>,
    wishes: &Arguments,
    mut keep: impl FnMut(usize, Vec<u8>) -> Outcome,
) -> Result<(usize, String), Failure> {
    let program = browser::chromium().ok_or_else(|| {
        Failure::File(
            "no Chromium found to draw with: install the Debian package `chromium`, or name the program in \
             FLEXURA_CHROMIUM; `flexura view RESULT --save page.html` needs none"
                .into(),
        )
    })?;
    let local = Local::start(0)?;
    let profile = Scratch::new()?;
    if let Some(name) = &wishes.track
        && scene.body(name).is_none()
    {
        return Err(Failure::Usage(format!("--track {name}: the model has no such body")));
    }
    let address = format!("{}?{}", local.address(), query(wishes));
    let mut child = browser::start_headless(&program, &address, wishes.size, &profile.0)
        .map_err(|error| Failure::File(format!("cannot start {}: {error}", program.display())))?;
    let (mut count, mut failure, mut legend) = (0, None, String::new());
    let ended = local.serve(scene, other, Some(PATIENCE), |message| match message {
        Message::Picture(number, bytes) => {
            let kept = keep(number, bytes);
            count += usize::from(kept.is_ok());
            failure = kept.err();
            failure.is_none()
        }
        Message::Done(words) => {
            legend = words;
            false
        }
        Message::Failed(reason) => {
            failure = Some(Failure::File(format!("the page could not draw: {reason}")));
            false
        }
    });
    // Only to end it: pictures are kept by now.
    let _ = child.kill();
    let _ = child.wait();
    if let Some(failure) = failure {
        return Err(failure);
    }
    if !ended? {
        let text = format!("{} drew nothing for {} s", program.display(), PATIENCE.as_secs());
        return Err(Failure::File(text));
    }
    if !legend.is_empty() {
        legend.push('\n');
    }
    Ok((count, legend))
}
