//! Where an item sits in a description and what it is called in words.
//!
//! Both types borrow their parents and are written out only when something is
//! reported, so that walking a large valid model allocates nothing for them.

use std::fmt;

/// Path of an item such as `body[0].modal.node[3].slopes`.
#[derive(Clone, Copy, Debug)]
pub enum ItemPath<'a> {
    /// The whole description; written as nothing.
    Root,
    /// A named member of an item.
    Key {
        /// The item that has the member.
        parent: &'a ItemPath<'a>,
        /// Name of the member.
        key: &'a str,
    },
    /// An element of a list.
    Index {
        /// The list.
        parent: &'a ItemPath<'a>,
        /// Position in the list, from zero.
        index: usize,
    },
}

/// The path of the whole description.
pub const ROOT: &ItemPath<'static> = &ItemPath::Root;

impl<'a> ItemPath<'a> {
    /// The path of member `key`.
    pub fn key(&'a self, key: &'a str) -> ItemPath<'a> {
        ItemPath::Key { parent: self, key }
    }

    /// The path of list element `index`.
    pub fn index(&'a self, index: usize) -> ItemPath<'a> {
        ItemPath::Index { parent: self, index }
    }

    /// The innermost key, e.g. `slopes` for `node[3].slopes[0]`.
    pub fn last_key(&self) -> &'a str {
        match *self {
            ItemPath::Root => "file",
            ItemPath::Key { key, .. } => key,
            ItemPath::Index { parent, .. } => parent.last_key(),
        }
    }
}

impl fmt::Display for ItemPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ItemPath::Root => Ok(()),
            ItemPath::Key { parent: ItemPath::Root, key } => f.write_str(key),
            ItemPath::Key { parent, key } => write!(f, "{parent}.{key}"),
            ItemPath::Index { parent, index } => write!(f, "{parent}[{index}]"),
        }
    }
}

/// An item in words: "frame `tip` of body `arm`".
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    kind: &'a str,
    name: &'a str,
    index: Option<usize>,
    owner: Option<&'a Item<'a>>,
}

impl<'a> Item<'a> {
    /// A part of the model that has no name, such as "simulation settings".
    pub fn section(kind: &'a str) -> Self {
        Self { kind, name: "", index: None, owner: None }
    }

    /// Element `index` of a list; shown by its number when it has no name.
    pub fn named(kind: &'a str, name: &'a str, index: usize) -> Self {
        Self { kind, name, index: Some(index), owner: None }
    }

    /// Whether this is an element of a list, as opposed to a section.
    pub fn is_entry(&self) -> bool {
        self.index.is_some()
    }

    /// The same item as a part of `owner`.
    pub fn of(self, owner: &'a Item<'a>) -> Self {
        Self { owner: Some(owner), ..self }
    }
}

impl fmt::Display for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        match self.index {
            _ if !self.name.is_empty() => write!(f, " `{}`", self.name)?,
            Some(index) => write!(f, " number {}", index + 1)?,
            None => {}
        }
        match self.owner {
            Some(owner) => write!(f, " of {owner}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_words() {
        let list = ROOT.key("body");
        let body = list.index(2);
        let modal = body.key("modal");
        assert_eq!(modal.key("stiffness").to_string(), "body[2].modal.stiffness");
        assert_eq!(modal.key("stiffness").index(1).last_key(), "stiffness");
        let owner = Item::named("body", "arm", 2);
        assert_eq!(Item::named("node", "", 3).of(&owner).to_string(), "node number 4 of body `arm`");
    }
}
