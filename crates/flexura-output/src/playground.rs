//! The playground: engine, viewer and editor in one page.

use crate::page::{SCRIPT, STYLE};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// The engine compiled to WebAssembly, compressed (scripts/playground).
const ENGINE: &[u8] = include_bytes!("../viewer/engine.wasm.gz");
/// The page with marks where its parts go.
const PAGE: &str = include_str!("../viewer/playground.html");
const PAGE_SCRIPT: &str = include_str!("../viewer/playground.js");
const PAGE_STYLE: &str = include_str!("../viewer/playground.css");

/// The playground as one page that asks nothing of the network; it begins with `model`, else with the first of its examples.
pub fn playground_page(model: Option<&str>) -> String {
    let mut page = String::with_capacity(ENGINE.len() * 4 / 3 + SCRIPT.len() + PAGE_SCRIPT.len() + 100_000);
    let mut rest = PAGE;
    // From one mark to the next: parts may hold what looks like one.
    while let Some((before, name, after)) = next_mark(rest) {
        page.push_str(before);
        match name {
            "playground.css" => page.push_str(PAGE_STYLE),
            "playground.js" => page.push_str(PAGE_SCRIPT),
            "engine.wasm.gz" => STANDARD.encode_string(ENGINE, &mut page),
            "viewer.css" => page.push_str(&quoted(Some(STYLE))),
            "viewer.js" => page.push_str(&quoted(Some(SCRIPT))),
            "model" => page.push_str(&quoted(model)),
            _ => page.push_str(name),
        }
        rest = after;
    }
    page + rest
}

/// What stands before the next mark, its name, and what stands behind it.
fn next_mark(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}

/// A text as JSON that may stand inside a script element.
fn quoted(text: Option<&str>) -> String {
    json!(text).to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_in_its_place_and_none_can_end_its_element() {
        let page = playground_page(Some("name = \"</script><b>\" # {{model}}"));
        assert!(page.contains(r#"name = \"\u003c/script>\u003cb>\" # {{model}}"#));
        let marks = ["{{playground", "{{viewer", "{{engine"];
        assert!(marks.iter().all(|mark| !page.contains(mark)));
        // Engine, two parts of the viewer, model, page script.
        assert_eq!(page.matches("</script>").count(), 5);
        assert!(page.contains(&STANDARD.encode(&ENGINE[..3000])));
        assert!(
            playground_page(None).contains(r#"<script id="model" type="application/json">null</script>"#)
        );
    }
}
