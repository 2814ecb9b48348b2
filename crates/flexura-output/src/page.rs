//! The page: for the local server, or as one file that holds everything.

use crate::error::OutputError;
use crate::scene::{Scene, bytes_f32, bytes_f64};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// The bundled program of the page.
pub const SCRIPT: &str = include_str!("../viewer/viewer.js");
/// Its style sheet.
pub const STYLE: &str = include_str!("../viewer/viewer.css");
/// Rows that a saved page keeps before channels are left out instead.
const FEWEST_ROWS: usize = 200;
/// Bytes of a byte in base64.
const BASE64: f64 = 4.0 / 3.0;

/// The page of the local server: program and data are fetched from it.
pub fn served_page(title: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title} – Flexura</title><link rel=\"icon\" href=\"data:,\">\
         <link rel=\"stylesheet\" href=\"viewer.css\"></head><body><div id=\"app\"></div>\
         <script src=\"viewer.js\"></script></body></html>"
    )
}

/// Which rows and channels of a scene fit into a page.
#[derive(Clone, Debug, PartialEq)]
struct Fit {
    /// Rows kept.
    rows: Vec<usize>,
    /// Channels kept.
    channels: Vec<usize>,
    /// What was left out, in words.
    notes: Vec<String>,
}

/// Chooses what to keep within `budget` bytes, `fixed` of which are taken already.
///
/// Time is thinned first, evenly and with both ends; where less than
/// [`FEWEST_ROWS`] rows would remain, all channels but the energies go.
fn fit(scene: &Scene, fixed: usize, budget: usize) -> Option<Fit> {
    let room = budget.checked_sub(fixed)? as f64 / BASE64;
    let rows = scene.rows();
    let mut channels: Vec<usize> = (0..scene.channels.len()).collect();
    let mut notes = Vec::new();
    let per_row = |channels: usize| (8 + 4 * (scene.width + channels)) as f64;
    if room / per_row(channels.len()) < rows.min(FEWEST_ROWS) as f64 {
        channels.retain(|&i| scene.channels[i].0.starts_with("energy."));
        let left = scene.channels.len() - channels.len();
        notes.push(format!("{left} of {} channels were left out.", scene.channels.len()));
    }
    let most = (room / per_row(channels.len())).floor() as usize;
    if most < rows.min(2) {
        return None;
    }
    let kept: Vec<usize> = if most >= rows {
        (0..rows).collect()
    } else {
        notes.push(format!("{most} of {rows} instants were kept, evenly spaced."));
        (0..most).map(|i| (i * (rows - 1) + (most - 1) / 2) / (most - 1).max(1)).collect()
    };
    if !notes.is_empty() {
        notes.push("The result file holds everything.".into());
    }
    Some(Fit { rows: kept, channels, notes })
}

/// One page with everything inside, at most `budget` bytes.
pub fn saved_page(scene: &mut Scene, budget: usize) -> Result<String, OutputError> {
    let title = scene.description()["title"].as_str().unwrap_or_default().to_owned();
    let fixed = SCRIPT.len() + STYLE.len() + scene.description().to_string().len() + 4096;
    let Some(fit) = fit(scene, fixed, budget) else {
        return Err(OutputError::OverBudget { megabytes: fixed as f64 / 1e6 });
    };
    scene.notes.extend(fit.notes.clone());
    let data = data_text(scene, &fit);
    let policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
    Ok(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{} – Flexura</title><link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style></head>\
         <body><div id=\"app\"></div><script id=\"flexura-data\" type=\"application/json\">{data}</script>\
         <script>{SCRIPT}</script></body></html>\n",
        escape(&title)
    ))
}

/// Scene, poses and channels as JSON that may stand inside a script element.
fn data_text(scene: &Scene, fit: &Fit) -> String {
    let mut description = scene.description();
    let pick = |list: &str| -> Vec<serde_json::Value> {
        fit.channels.iter().map(|&i| description[list][i].clone()).collect()
    };
    let (names, units) = (pick("channels"), pick("units"));
    (description["channels"], description["units"]) = (json!(names), json!(units));
    description["rows"] = json!(fit.rows.len());
    let times: Vec<f64> = fit.rows.iter().map(|&row| scene.times[row]).collect();
    let row = |row: &usize| &scene.frames[row * scene.width..(row + 1) * scene.width];
    let frames: Vec<f32> = fit.rows.iter().flat_map(row).copied().collect();
    let channels: Vec<String> = fit
        .channels
        .iter()
        .map(|&i| {
            let values = scene.channel(i).unwrap_or_default();
            let kept: Vec<f32> = fit.rows.iter().map(|&row| values[row]).collect();
            STANDARD.encode(bytes_f32(&kept))
        })
        .collect();
    json!({
        "scene": description,
        "times": STANDARD.encode(bytes_f64(&times)),
        "frames": STANDARD.encode(bytes_f32(&frames)),
        "channels": channels,
    })
    .to_string()
    // A name may end a script, or begin a comment that hides the end of one; in JSON `<` stands in texts only.
    .replace('<', "\\u003c")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
