//! Which nodes are meant: numbers and names of nodes, names of sets.

use super::error::StressError;
use flexura::model::recovery::Recovery;
use flexura::model::words::nearest;

/// What a user names.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Numbers or names of nodes.
    pub nodes: Vec<String>,
    /// Names of sets.
    pub sets: Vec<String>,
}

impl Selection {
    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.sets.is_empty()
    }
}

/// The nodes of a selection, counted from zero, in its order; `None` where nothing is named.
pub fn nodes_of(body: &str, rows: &Recovery, wanted: &Selection) -> Result<Option<Vec<usize>>, StressError> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let mut found: Vec<usize> = Vec::new();
    for word in &wanted.nodes {
        found.push(node_of(body, rows, word)?);
    }
    for name in &wanted.sets {
        let exact = rows.sets.iter().find(|(known, _)| known == name);
        let any = || rows.sets.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((_, nodes)) = exact.or_else(any) else {
            let known = match rows.sets.is_empty() {
                true => "none".into(),
                false => rows.sets.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
            };
            return Err(StressError::UnknownSet { body: body.into(), set: name.clone(), known });
        };
        found.extend(nodes.iter().map(|node| *node as usize));
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|node| seen.insert(*node));
    Ok(Some(found))
}

fn node_of(body: &str, rows: &Recovery, word: &str) -> Result<usize, StressError> {
    if let Some((_, node)) = rows.names.iter().find(|(name, _)| name == word) {
        return Ok(*node as usize);
    }
    let by_number = word.parse::<u64>().ok();
    if let Some(at) = by_number.and_then(|number| rows.numbers.iter().position(|known| *known == number)) {
        return Ok(at);
    }
    let (least, most) = (rows.numbers.iter().min(), rows.numbers.iter().max());
    let range = least.zip(most).map_or(String::new(), |(least, most)| format!("{least} to {most}"));
    let help = match by_number {
        Some(_) => format!(
            "stresses are kept on surfaces, shells and beams; its {} nodes there have numbers from {range}",
            rows.numbers.len()
        ),
        None => match nearest(word, rows.names.iter().map(|(name, _)| name.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("give a number from {range}, or a name: {}", known_names(rows)),
        },
    };
    Err(StressError::UnknownNode { body: body.into(), node: word.into(), help })
}

fn known_names(rows: &Recovery) -> String {
    match rows.names.is_empty() {
        true => "none".into(),
        false => rows.names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_sets() {
        let rows = Recovery {
            numbers: vec![7, 9, 12],
            positions: vec![[0.0; 3]; 3],
            names: vec![("tip".into(), 2)],
            sets: vec![("EDGE".into(), vec![2, 0])],
            ..Recovery::default()
        };
        let select = |nodes: &[&str], sets: &[&str]| {
            let own = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
            nodes_of("arm", &rows, &Selection { nodes: own(nodes), sets: own(sets) })
        };
        assert_eq!(select(&[], &[]).expect("nothing"), None);
        assert_eq!(select(&["9", "tip"], &["edge"]).expect("nodes"), Some(vec![1, 2, 0]));
        let message = |found: Result<_, StressError>| found.expect_err("refused").to_string();
        assert!(message(select(&["8"], &[])).contains("numbers from 7 to 12"));
        assert!(message(select(&["tp"], &[])).contains("did you mean `tip`"));
        assert!(message(select(&[], &["rim"])).contains("its sets: EDGE"));
    }
}
