//! `flexura view`: a result or model in three dimensions.

pub mod browser;
mod film;
mod gif_film;
mod http;
mod mp4_film;
mod pictures;
mod server;

use crate::Outcome;
use crate::check::evaluate_start;
use crate::failure::Failure;
use crate::open::{open, refuse_same_file};
use crate::print::print;
use flexura::State;
use flexura::Workspace;
use flexura::record::Recorder;
use flexura_output::{Scene, layout, mode_verdicts, saved_page};
use flexura_results::{ResultFile, Writer, WriterOptions};
use std::path::{Path, PathBuf};

pub use browser::open as open_in_browser;

/// Look at a result or model in three dimensions.
#[derive(clap::Args)]
#[command(after_help = "The page is served on the loopback address only and asks nothing of the network.

Examples:
  flexura view arm.fxr
  flexura view models/robot_arm.toml
  flexura view arm.fxr --save arm.html
  flexura view arm.fxr --follow                            while the run is going on
  flexura view arm.fxr --png frames --size 1280x720 --fps 25
  flexura view arm.fxr --film arm.png --size 640x360 --colours strain
  flexura view arm.fxr --gif arm.gif --size 640x360 --fps 20   for slides and mail
  flexura view arm.fxr --mp4 arm.mp4                       for everything that plays films
  flexura view arm.fxr --film arm.png --speed 0.1          ten times slower than real time
  flexura view arm.fxr --png picture --at 0.7 --colours stress --zoom 1.5
  flexura view arm.fxr --png picture --at 0.7 --colours stress --range 0:250 --palette cividis
  flexura view arm.fxr --png picture --at 0.7 --camera quad --shadows
  flexura view stiff.fxr --with soft.fxr                   one laid over the other")]
pub struct Arguments {
    /// Result file (.fxr), or model file (.toml) to see its initial state
    file: PathBuf,
    /// Write one page with everything inside instead
    #[arg(long, value_name = "HTML")]
    save: Option<PathBuf>,
    /// Largest size of a saved page (MB); above it time is thinned and channels are left out
    #[arg(long, value_name = "MB", default_value_t = 40.0)]
    budget: f64,
    /// Draw a sequence of PNG pictures into this folder instead (needs Chromium, no screen)
    #[arg(long, value_name = "FOLDER", conflicts_with = "save", group = "drawing")]
    png: Option<PathBuf>,
    /// Draw a film into this animated PNG file instead, which browsers play (needs Chromium, no screen)
    #[arg(long, value_name = "FILE", conflicts_with = "save", group = "drawing")]
    film: Option<PathBuf>,
    /// Draw a film into this GIF file instead, which everything plays, in 256 colours (needs Chromium, no screen)
    #[arg(long, value_name = "FILE", conflicts_with = "save", group = "drawing")]
    gif: Option<PathBuf>,
    /// Draw a film into this MP4 file instead, small and played everywhere (needs Chromium with its H.264 encoder, no screen)
    #[arg(long, value_name = "FILE", conflicts_with = "save", group = "drawing")]
    mp4: Option<PathBuf>,
    /// Size of the pictures
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = size)]
    size: (u32, u32),
    /// Pictures per second of a film
    #[arg(long, default_value_t = 25.0)]
    fps: f64,
    /// Simulated seconds per second of a film; default: 1, slower for short runs and faster for long ones
    #[arg(long, value_name = "FACTOR", requires = "drawing", conflicts_with = "at")]
    speed: Option<f64>,
    /// Factor of the drawn deformation
    #[arg(long, default_value_t = 1.0)]
    deformation: f64,
    /// One picture at this time instead of a sequence (s)
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, requires = "drawing")]
    at: Option<f64>,
    /// Let the camera of the pictures follow a body
    #[arg(long, value_name = "BODY", requires = "drawing")]
    track: Option<String>,
    /// Look from nearer (above 1) or farther
    #[arg(long, default_value_t = 1.0, requires = "drawing")]
    zoom: f64,
    /// Where the camera of the pictures is; quad: four views beside each other
    #[arg(long, value_name = "VIEW", default_value = "iso", value_parser = ["iso", "front", "side", "top", "quad"])]
    camera: String,
    /// What the colours of flexible bodies in the pictures show
    #[arg(long, value_name = "WHAT", value_parser = ["deflection", "stress", "strain"], requires = "drawing")]
    colours: Option<String>,
    /// Ends of the colour scale, in the unit of its legend; default: the range of the whole run
    #[arg(long, value_name = "FROM:TO", requires = "colours", value_parser = range, allow_hyphen_values = true)]
    range: Option<[f64; 2]>,
    /// Colours of the scale; all of them can be told apart by colour-blind readers
    #[arg(long, default_value = "viridis", value_parser = ["viridis", "cividis", "grey"], requires = "colours")]
    palette: String,
    /// Pictures without time, legend and axes
    #[arg(long, requires = "drawing")]
    bare: bool,
    /// Lay another result over this one, grey, with its curves
    #[arg(long = "with", value_name = "RESULT", conflicts_with_all = ["save", "follow"])]
    other: Option<PathBuf>,
    /// Draw forces and reactions as arrows in the pictures
    #[arg(long, requires = "drawing")]
    forces: bool,
    /// Draw shadows on the ground and on roads in the pictures
    #[arg(long, requires = "drawing")]
    shadows: bool,
    /// Show rows of a running simulation as they come
    #[arg(long, conflicts_with_all = ["save", "drawing"])]
    follow: bool,
    /// Port to listen on; default: any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Only print the address, open no browser
    #[arg(long)]
    no_open: bool,
}

/// Width and height in pixels.
fn size(text: &str) -> Result<(u32, u32), String> {
    let parse = |part: &str| part.parse().ok().filter(|side| (16..=16_384).contains(side));
    let sides = text.split_once('x').and_then(|(width, height)| Some((parse(width)?, parse(height)?)));
    sides.ok_or_else(|| "write WIDTHxHEIGHT in pixels, such as 1280x720".into())
}

/// Two numbers, the second larger than the first.
fn range(text: &str) -> Result<[f64; 2], String> {
    let ends = text.split_once(':').and_then(|(from, to)| Some([from.parse().ok()?, to.parse().ok()?]));
    ends.filter(|[from, to]: &[f64; 2]| from.is_finite() && to.is_finite() && to > from)
        .ok_or_else(|| "write FROM:TO with FROM below TO, such as 0:250".into())
}

/// Runs the sub-command.
pub fn view(arguments: &Arguments) -> Outcome {
    if !(arguments.budget > 0.0 && arguments.budget <= 4000.0) {
        return Err(Failure::Usage(format!("--budget {}: give 1 to 4000 MB", arguments.budget)));
    }
    if !(arguments.zoom > 0.0 && arguments.zoom.is_finite()) || arguments.at.is_some_and(|at| !at.is_finite())
    {
        return Err(Failure::Usage("--zoom must be a finite number above zero, --at a finite time".into()));
    }
    let positive = |number: f64| number > 0.0 && number.is_finite();
    if !(positive(arguments.fps) && arguments.speed.is_none_or(positive) && arguments.deformation.is_finite())
    {
        let words = "--fps, --speed and --deformation must be finite numbers, --fps and --speed above zero";
        return Err(Failure::Usage(words.into()));
    }
    if arguments.gif.is_some() && arguments.fps > gif_film::FASTEST {
        let (fps, most) = (arguments.fps, gif_film::FASTEST);
        return Err(Failure::Usage(format!(
            "--fps {fps}: films in GIF have at most {most} pictures per second"
        )));
    }
    let mut scene =
        if arguments.follow { await_rows(&arguments.file)? } else { Scene::new(read(&arguments.file)?)? };
    if let Some(path) = &arguments.save {
        refuse_same_file(&arguments.file, path)?;
        return save(&mut scene, path, (arguments.budget * 1e6) as usize);
    }
    let other = arguments.other.as_deref().map(other).transpose()?;
    if let Some(folder) = &arguments.png {
        return pictures::draw_sequence(&mut scene, other.as_ref(), folder, arguments);
    }
    if let Some(path) = &arguments.film {
        refuse_same_file(&arguments.file, path)?;
        return pictures::draw_film(&mut scene, other.as_ref(), path, arguments);
    }
    if let Some(path) = &arguments.gif {
        refuse_same_file(&arguments.file, path)?;
        return pictures::draw_gif(&mut scene, other.as_ref(), path, arguments);
    }
    if let Some(path) = &arguments.mp4 {
        refuse_same_file(&arguments.file, path)?;
        return pictures::draw_mp4(&mut scene, other.as_ref(), path, arguments);
    }
    let local = server::Local::start(arguments.port)?;
    let address = local.address();
    print(&format!("{address}\n"))?;
    let opened = !arguments.no_open && browser::open(&address);
    eprintln!("{}end with Ctrl-C", if opened { "" } else { "open this address in a browser; " });
    local.serve(&mut scene, other.as_ref(), None, |_| true)?;
    Ok(())
}

/// The result that is laid over the first, under the name of its file.
fn other(path: &Path) -> Result<server::Other, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(server::Other { name, scene: Scene::new(read(path)?)? })
}

/// The scene of a result that may have no rows yet, or not even exist.
fn await_rows(path: &Path) -> Result<Scene, Failure> {
    let mut told = false;
    loop {
        match ResultFile::open(path) {
            Ok(file) if file.rows() > 0 => {
                let growing = !file.complete();
                let mut scene = Scene::new(file)?;
                scene.growing = growing;
                return Ok(scene);
            }
            Ok(file) if file.complete() => return Ok(Scene::new(file)?),
            // A header that is being written looks damaged for a moment.
            _ if !told => eprintln!("waiting for rows in {}; end with Ctrl-C", path.display()),
            _ => {}
        }
        told = true;
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

/// The result at `path`, or the initial state of the model there.
fn read(path: &Path) -> Result<ResultFile, Failure> {
    if path.extension().is_some_and(|extension| extension == "toml") {
        return initial_state(path);
    }
    ResultFile::open(path).map_err(Failure::file)
}

/// A result of one row: the viewer reads nothing but result files.
fn initial_state(path: &Path) -> Result<ResultFile, Failure> {
    let loaded = open(path, &[])?;
    let (model, description) = (&loaded.built.model, &loaded.built.description);
    let mut recorder =
        Recorder::with_picture(model, &description.output.channels).map_err(Failure::simulation)?;
    let state = State::initial(model, description.simulation.start);
    let scratch = Scratch::new()?;
    let file = scratch.0.join("initial.fxr");
    let mut layout = layout(&loaded, recorder.channels(), true);
    // A model that could not run can still be looked at.
    if let Ok(modes) = evaluate_start(&loaded) {
        layout.metadata.extend([mode_verdicts(&modes)]);
    }
    let mut writer = Writer::create(&file, &layout, &WriterOptions::default()).map_err(Failure::file)?;
    recorder
        .sample(model, &state, 0.0, &mut Workspace::new(model), writer.row())
        .map_err(Failure::simulation)?;
    writer.commit().map_err(Failure::file)?;
    writer.finish().map_err(Failure::file)?;
    ResultFile::open(&file).map_err(Failure::file)
}

fn save(scene: &mut Scene, path: &Path, budget: usize) -> Outcome {
    let text = saved_page(scene, budget)?;
    crate::whole_file::write(path, &text)?;
    let notes: String = scene.notes.iter().map(|note| format!("{note}\n")).collect();
    print(&format!("{:.1} MB in {}\n{notes}", text.len() as f64 / 1e6, path.display()))
}

/// A folder for files that live as long as the command.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Failure> {
        let mut bytes = [0u8; 8];
        getrandom::fill(&mut bytes).map_err(Failure::file)?;
        let name = format!("flexura-{:016x}", u64::from_le_bytes(bytes));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).map_err(|error| Failure::File(format!("{}: {error}", path.display())))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
