//! Strain gauges from TOML files (book/src/stress.md); every key is used or refused by name.

use super::error::StressError;
use flexura::model::recovery::StressLayer;
use std::path::Path;
use toml::{Table, Value};

/// A gauge as a file describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct GaugeEntry {
    /// Name.
    pub name: String,
    /// Body; `None` where the result has one with stresses.
    pub body: Option<String>,
    /// Number or name of its node.
    pub node: String,
    /// Layer of a shell; `None` for the only one of a solid.
    pub layer: Option<StressLayer>,
    /// Direction of the first grid, in body axes.
    pub direction: [f64; 3],
    /// Angles of the grids from it, counterclockwise about the normal (rad).
    pub angles: Vec<f64>,
    /// Normal of the surface, where not that of the mesh.
    pub normal: Option<[f64; 3]>,
    /// Young's modulus (Pa) and Poisson's ratio.
    pub material: Option<[f64; 2]>,
}

const TOP: [&str; 3] = ["young", "poisson", "gauge"];
const KEYS: [&str; 9] =
    ["name", "body", "node", "layer", "direction", "angles_deg", "normal", "young", "poisson"];

/// Reads a file of gauges.
pub fn read_gauges(path: &Path) -> Result<Vec<GaugeEntry>, StressError> {
    let file = path.display().to_string();
    let text = flexura::file::read_plain_text(path)
        .map_err(|error| wrong(&file, format!("cannot be read: {error}"), "check the name of the file"))?;
    parse_gauges(&text, &file)
}

/// Reads the text of a file of gauges.
pub fn parse_gauges(text: &str, file: &str) -> Result<Vec<GaugeEntry>, StressError> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        wrong(
            file,
            format!("no TOML: {}", error.to_string().trim_end()),
            "see book/src/stress.md for the keys",
        )
    })?;
    let whole = Entry { file, place: String::new(), table: &table };
    whole.known(&TOP)?;
    let common = whole.material(None)?;
    let list = match table.get("gauge") {
        Some(Value::Array(list)) if !list.is_empty() => list,
        _ => return Err(wrong(file, "there is no [[gauge]]", "add [[gauge]] with name, node and direction")),
    };
    let mut found: Vec<GaugeEntry> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let place = format!("gauge {}: ", index + 1);
        let Some(table) = value.as_table() else {
            return Err(wrong(file, format!("{place}no table"), "write [[gauge]]"));
        };
        let gauge = Entry { file, place, table }.gauge(common)?;
        if found.iter().any(|other| other.name == gauge.name && other.body == gauge.body) {
            return Err(wrong(file, format!("two gauges `{}`", gauge.name), "give each a name of its own"));
        }
        found.push(gauge);
    }
    Ok(found)
}

fn wrong(file: &str, message: impl Into<String>, help: impl Into<String>) -> StressError {
    StressError::Gauge { file: file.into(), message: message.into(), help: help.into() }
}

struct Entry<'a> {
    file: &'a str,
    place: String,
    table: &'a Table,
}

impl Entry<'_> {
    fn wrong(&self, message: impl AsRef<str>, help: impl Into<String>) -> StressError {
        wrong(self.file, format!("{}{}", self.place, message.as_ref()), help)
    }

    fn known(&self, keys: &[&str]) -> Result<(), StressError> {
        let Some(key) = self.table.keys().find(|key| !keys.contains(&key.as_str())) else { return Ok(()) };
        let help = match flexura::model::words::nearest(key, keys.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("keys: {}", keys.join(", ")),
        };
        Err(self.wrong(format!("`{key}` is no key here"), help))
    }

    fn number(&self, key: &str, value: &Value) -> Result<f64, StressError> {
        let found = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        let found = found.filter(|number| number.is_finite());
        found.ok_or_else(|| self.wrong(format!("`{key}` has {value}, which is no number"), "write numbers"))
    }

    fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, StressError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::Array(list)) => {
                list.iter().map(|value| self.number(key, value)).collect::<Result<_, _>>().map(Some)
            }
            Some(other) => {
                Err(self.wrong(format!("`{key}` = {other} is no list"), "write a list of numbers"))
            }
        }
    }

    fn vector(&self, key: &str) -> Result<Option<[f64; 3]>, StressError> {
        let Some(list) = self.numbers(key)? else { return Ok(None) };
        let found: [f64; 3] = list
            .try_into()
            .map_err(|_| self.wrong(format!("`{key}` needs three numbers"), "write [1, 0, 0]"))?;
        Ok(Some(found))
    }

    fn text(&self, key: &str) -> Result<Option<String>, StressError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.wrong(format!("`{key}` = {other} is no text"), "write it in quotes")),
        }
    }

    fn material(&self, common: Option<[f64; 2]>) -> Result<Option<[f64; 2]>, StressError> {
        let read = |key: &str| self.table.get(key).map(|value| self.number(key, value)).transpose();
        let [young, poisson] = match (read("young")?, read("poisson")?) {
            (None, None) => return Ok(common),
            (Some(young), Some(poisson)) => [young, poisson],
            _ => return Err(self.wrong("`young` and `poisson` belong together", "give both or none")),
        };
        let fine = young > 0.0 && poisson > -1.0 && poisson < 0.5;
        let help = "Young's modulus is positive (Pa), Poisson's ratio lies between -1 and 0.5";
        fine.then_some(Some([young, poisson])).ok_or_else(|| self.wrong("no such material", help))
    }

    fn gauge(&self, common: Option<[f64; 2]>) -> Result<GaugeEntry, StressError> {
        self.known(&KEYS)?;
        let need = |key: &str, help: &str| self.wrong(format!("`{key}` is missing"), help);
        let node = match self.table.get("node") {
            None => return Err(need("node", "node = 111, a number of the mesh file, or a name")),
            Some(Value::Integer(number)) => number.to_string(),
            Some(_) => self.text("node")?.unwrap_or_default(),
        };
        let layers =
            [("top", StressLayer::Top), ("bottom", StressLayer::Bottom), ("middle", StressLayer::Middle)];
        let layer = match self.text("layer")? {
            None => None,
            Some(word) => {
                let found = layers.iter().find(|(known, _)| *known == word);
                let help = "choose \"top\", \"bottom\" or \"middle\" of a shell; solids have one layer";
                Some(found.ok_or_else(|| self.wrong(format!("`layer` = \"{word}\" is not known"), help))?.1)
            }
        };
        let material = self.material(common)?;
        let angles = self.numbers("angles_deg")?;
        if let Some(angles) = &angles {
            if angles.len() != 3 {
                let help = "a rosette has three grids: angles_deg = [0, 45, 90]";
                return Err(self.wrong(format!("`angles_deg` has {} angles", angles.len()), help));
            }
            if material.is_none() {
                return Err(self.wrong("a rosette measures strains", "give `young` and `poisson`"));
            }
        }
        let angles = angles.unwrap_or_else(|| vec![0.0]);
        Ok(GaugeEntry {
            name: self.text("name")?.ok_or_else(|| need("name", "name = \"shank\""))?,
            body: self.text("body")?,
            node,
            layer,
            direction: self
                .vector("direction")?
                .ok_or_else(|| need("direction", "direction = [1, 0, 0], in the axes of the body"))?,
            angles: angles.iter().map(|degrees| degrees.to_radians()).collect(),
            normal: self.vector("normal")?,
            material,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "young = 210e9\npoisson = 0.3\n[[gauge]]\nname = \"a\"\nnode = 7\ndirection = [1, 0, 0]\n";

    #[test]
    fn a_file_says_what_it_says() {
        let text = format!(
            "{FILE}[[gauge]]\nname = \"b\"\nbody = \"arm\"\nnode = \"tip\"\nlayer = \"top\"\ndirection = [0, 1, 0]\n\
             angles_deg = [0, 45, 90]\nnormal = [0, 0, 1]\nyoung = 70e9\npoisson = 0.33\n"
        );
        let [a, b] = &parse_gauges(&text, "g.toml").expect("two gauges")[..] else { panic!("two gauges") };
        assert_eq!((a.node.as_str(), a.angles.len(), a.material), ("7", 1, Some([210e9, 0.3])));
        assert_eq!((b.body.as_deref(), b.layer), (Some("arm"), Some(StressLayer::Top)));
        assert_eq!((b.normal, b.material), (Some([0.0, 0.0, 1.0]), Some([70e9, 0.33])));
        assert!((b.angles[1] - std::f64::consts::FRAC_PI_4).abs() < 1e-15);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (from, to, words) in [
            ("node = 7\n", "", "`node` is missing"),
            ("node = 7", "nod = 7", "did you mean `node`"),
            ("node = 7", "node = 7.5", "is no text"),
            ("name = \"a\"\n", "", "`name` is missing"),
            ("direction = [1, 0, 0]", "direction = [1, 0]", "three numbers"),
            ("direction = [1, 0, 0]", "direction = [1, 0, \"x\"]", "no number"),
            ("direction = [1, 0, 0]\n", "", "`direction` is missing"),
            ("node = 7", "node = 7\nlayer = \"side\"", "not known"),
            ("node = 7", "node = 7\nangles_deg = [0, 45]", "2 angles"),
            ("node = 7", "node = 7\npoisson = 0.2", "belong together"),
            ("poisson = 0.3", "poisson = 0.5", "no such material"),
            ("young = 210e9\npoisson = 0.3\n", "", ""),
            ("[[gauge]]", "[gauge]", "no [[gauge]]"),
        ] {
            let text = FILE.replacen(from, to, 1);
            assert_ne!(text, FILE, "{from}");
            match parse_gauges(&text, "g.toml") {
                Ok(_) => assert!(words.is_empty(), "{to} is taken"),
                Err(fault) => {
                    assert!(!words.is_empty() && fault.to_string().contains(words), "{to}: {fault}")
                }
            }
        }
        let rosette = FILE
            .replace("young = 210e9\npoisson = 0.3\n", "")
            .replace("node = 7", "node = 7\nangles_deg = [0, 60, 120]");
        assert!(parse_gauges(&rosette, "g").expect_err("refused").to_string().contains("measures strains"));
        let twice = format!("{FILE}[[gauge]]\nname = \"a\"\nnode = 8\ndirection = [1, 0, 0]\n");
        assert!(parse_gauges(&twice, "g").expect_err("refused").to_string().contains("two gauges `a`"));
    }
}
