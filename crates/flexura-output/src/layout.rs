//! Layout of a result file: families of the recorded channels, text and picture of the model.

use crate::picture::{PICTURE_KEY, picture_text};
use crate::stress::{STRESS_KEY, stress_text};
use flexura::file::{Loaded, fnv1a};
use flexura::picture::Picture;
use flexura::record::Channel as EngineChannel;
use flexura_results::{Channel, Family, Layout};

/// Families of a result file from the selected channels, with the picture of the model if wanted.
pub fn layout(loaded: &Loaded, channels: &[EngineChannel], picture: bool) -> Layout {
    let model = &loaded.built.model;
    let source = loaded.spans.source();
    let created_by = format!("flexura {}", env!("CARGO_PKG_VERSION"));
    let mut layout = Layout::new(&model.name, &format!("{:016x}", fnv1a(source.as_bytes())), &created_by)
        .with_metadata("model_text", source);
    if picture {
        layout = layout.with_metadata(PICTURE_KEY, &picture_text(&Picture::new(&loaded.built)));
        // Stresses need the modal coordinates that come with the picture.
        let rows = Picture::kept_recoveries(&loaded.built);
        if !rows.is_empty() {
            layout = layout.with_metadata(STRESS_KEY, &stress_text(&rows));
        }
    }
    let mut families: Vec<Family> = Vec::new();
    for channel in channels {
        let (name, description) = channel.family.words();
        if families.last().is_none_or(|family| family.name != name) {
            families.push(Family::new(name, description, Vec::new()));
        }
        if let Some(family) = families.last_mut() {
            family.channels.push(Channel::new(&channel.name, channel.unit));
        }
    }
    for family in families {
        layout = layout.with_family(family);
    }
    layout
}
