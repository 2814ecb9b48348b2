//! Compiled kernels kept between runs: compiling takes seconds, a run may take less.
//!
//! Named by a hash of the source and of what the compiler was told. `FLEXURA_CACHE` names another folder than that of the user;
//! empty, nothing is kept. Whatever goes wrong here costs a compilation, never a run.

use flexura::file::fnv1a;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if std::env::var_os("FLEXURA_CACHE").is_some_and(|value| value.is_empty()) {
        return None;
    }
    of("FLEXURA_CACHE").or_else(|| {
        let base = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")))?;
        Some(base.join("flexura").join("kernels"))
    })
}

/// Where the kernels of `source` built with `options` are kept.
pub(crate) fn place(source: &str, options: &[String]) -> Option<PathBuf> {
    let told = options.join(" ");
    let name = format!("{:016x}{:016x}.ptx", fnv1a(source.as_bytes()), fnv1a(told.as_bytes()));
    Some(folder()?.join(name))
}

/// First line of a kept file: it says what must follow.
fn heading(text: &str) -> String {
    format!("// {} bytes, {:016x}", text.len(), fnv1a(text.as_bytes()))
}

/// What is kept there, if it is whole.
pub(crate) fn read(path: &Path) -> Option<String> {
    let whole = std::fs::read_to_string(path).ok()?;
    let (first, text) = whole.split_once('\n')?;
    (first == heading(text) && !text.contains('\0')).then(|| text.to_owned())
}

/// Keeps `text`: written beside and renamed, so that nobody reads a part of it.
pub(crate) fn write(path: &Path, text: &str) {
    let Some(folder) = path.parent() else { return };
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{number}.part", std::process::id()));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&beside, format!("{}\n{text}", heading(text))))
        .and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again_and_parts_are_not() {
        let folder = std::env::temp_dir().join(format!("flexura-kernels-{}", std::process::id()));
        let path = folder.join("a.ptx");
        write(&path, ".version 8.0\n{\n}\n");
        assert_eq!(read(&path).as_deref(), Some(".version 8.0\n{\n}\n"));
        let whole = std::fs::read_to_string(&path).expect("kept");
        for torn in [&whole[..whole.len() - 2], &whole.replace("8.0", "8.1"), &whole.replace('{', "\0"), ""] {
            std::fs::write(&path, torn).expect("written");
            assert_eq!(read(&path), None, "{torn:?}");
        }
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn other_options_have_another_place() {
        let [a, b] = ["-DFX_MODES=3", "-DFX_MODES=4"].map(|option| place("text", &[option.to_owned()]));
        assert!(a.is_none() || a != b);
    }
}
