//! `<include file="..."/>`: the elements of another file in its place. Names are relative to the folder of the main file, and
//! a file may be included once, as in MuJoCo.

use crate::finding::Findings;
use crate::robot::xml::{self, DEEPEST, Node};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root with every include replaced by what it names.
pub fn expand(root: Node, path: &Path, findings: &mut Findings) -> Option<Node> {
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut seen = BTreeSet::from([path.canonicalize().unwrap_or_else(|_| path.to_path_buf())]);
    inside(root, &folder, 0, &mut seen, findings)
}

fn inside(
    mut node: Node,
    folder: &Path,
    depth: usize,
    seen: &mut BTreeSet<PathBuf>,
    findings: &mut Findings,
) -> Option<Node> {
    if depth > DEEPEST {
        let message = format!("with what is included, elements are nested more than {DEEPEST} deep");
        findings.fault(&node.place, message, "no robot needs that: correct the files");
        return None;
    }
    let children = std::mem::take(&mut node.children);
    for child in children {
        if child.tag != "include" {
            node.children.push(inside(child, folder, depth + 1, seen, findings)?);
            continue;
        }
        child.only(&["file"], findings);
        let path = folder.join(child.need("file", findings));
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            let message = format!("{} is included a second time", path.display());
            findings.fault(&child.place, message, "include every file once");
            continue;
        }
        let Some(root) = xml::read(&path, findings) else {
            let message = format!("the file {} that is included here cannot be used", path.display());
            findings.fault(
                &child.place,
                message,
                "names of files are relative to the folder of the main file",
            );
            continue;
        };
        node.children.extend(inside(root, folder, depth + 1, seen, findings)?.children);
    }
    Some(node)
}
