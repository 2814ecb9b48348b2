//! A sequence of PNG pictures, drawn by the page in a headless Chromium.

use super::scene::Scene;
use super::server::{Local, Message};
use super::{Scratch, browser};
use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
use std::path::Path;
use std::time::Duration;

/// Longest wait for the next picture; software rendering of a large mesh is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Draws the scene at `fps` pictures per second of simulated time into `folder`.
pub fn draw(scene: &Scene, folder: &Path, size: (u32, u32), fps: f64, deformation: f64) -> Outcome {
    let program = browser::chromium().ok_or_else(|| {
        Failure::File(
            "no Chromium found to draw with: install the Debian package `chromium`, or name the program in \
             FLEXURA_CHROMIUM; `flexura view RESULT --save page.html` needs none"
                .into(),
        )
    })?;
    let unwritable = |path: &Path| {
        let shown = path.display().to_string();
        move |error: std::io::Error| Failure::File(format!("{shown}: {error}"))
    };
    std::fs::create_dir_all(folder).map_err(unwritable(folder))?;
    let local = Local::start(0)?;
    let profile = Scratch::new()?;
    let address = format!(
        "{}?export=1&fps={fps}&width={}&height={}&deformation={deformation}",
        local.address(),
        size.0,
        size.1
    );
    let mut child = browser::start_headless(&program, &address, size, &profile.0)
        .map_err(|error| Failure::File(format!("cannot start {}: {error}", program.display())))?;
    let (mut count, mut failure) = (0, None);
    let ended = local.serve(scene, Some(PATIENCE), |message| match message {
        Message::Picture(number, bytes) => {
            let path = folder.join(format!("frame_{number:05}.png"));
            let written = std::fs::write(&path, bytes).map_err(unwritable(&path));
            count += usize::from(written.is_ok());
            failure = written.err();
            failure.is_none()
        }
        Message::Done => false,
        Message::Failed(reason) => {
            failure = Some(Failure::File(format!("the page could not draw: {reason}")));
            false
        }
    });
    // Only to end it: pictures are on disk by now.
    let _ = child.kill();
    let _ = child.wait();
    if let Some(failure) = failure {
        return Err(failure);
    }
    if !ended? {
        let text = format!("{} drew nothing for {} s", program.display(), PATIENCE.as_secs());
        return Err(Failure::File(text));
    }
    let shown = folder.display();
    print(&format!(
        "{count} pictures in {shown}\nas a film: ffmpeg -framerate {fps} -i {shown}/frame_%05d.png -pix_fmt yuv420p film.mp4\n"
    ))
}
