//! A sequence of PNG pictures, drawn by the page in a headless Chromium.

use super::scene::Scene;
use super::server::{Local, Message};
use super::{Arguments, Scratch, browser};
use crate::Outcome;
use crate::failure::Failure;
use crate::print::print;
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
    if wishes.forces {
        text.push_str("&forces=1");
    }
    text
}

/// Longest wait for the next picture; software rendering of a large mesh is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Draws the scene as `wishes` say into `folder`.
pub fn draw(scene: &mut Scene, folder: &Path, wishes: &Arguments) -> Outcome {
    let Arguments { size, fps, .. } = *wishes;
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
    if let Some(name) = &wishes.track
        && scene.body(name).is_none()
    {
        return Err(Failure::Usage(format!("--track {name}: the model has no such body")));
    }
    let address = format!("{}?{}", local.address(), query(wishes));
    let mut child = browser::start_headless(&program, &address, size, &profile.0)
        .map_err(|error| Failure::File(format!("cannot start {}: {error}", program.display())))?;
    let (mut count, mut failure, mut legend) = (0, None, String::new());
    let ended = local.serve(scene, Some(PATIENCE), |message| match message {
        Message::Picture(number, bytes) => {
            let path = folder.join(format!("frame_{number:05}.png"));
            let written = std::fs::write(&path, bytes).map_err(unwritable(&path));
            count += usize::from(written.is_ok());
            failure = written.err();
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
    if !legend.is_empty() {
        legend.push('\n');
    }
    print(&format!(
        "{count} pictures in {shown}\n{legend}as a film: ffmpeg -framerate {fps} -i {shown}/frame_%05d.png -pix_fmt yuv420p film.mp4\n"
    ))
}
