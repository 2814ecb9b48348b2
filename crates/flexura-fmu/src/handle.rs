//! Between the importer's pointers and an [`Instance`]: nothing unwinds out of the library, and what went wrong is logged.

use crate::instance::{Instance, Mode};
use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Status words of both versions.
pub type Status = i32;
pub const OK: Status = 0;
pub const DISCARD: Status = 2;
pub const ERROR: Status = 3;

/// Hands a message to the importer.
pub type Logger = Box<dyn Fn(Status, &str)>;

/// What an importer's pointer points to.
pub struct Handle {
    pub instance: Instance,
    pub log: Logger,
    /// Whether the last step was ended by an event of the model.
    pub terminated: bool,
    /// Time of the experiment before initialisation.
    pub span: (f64, Option<f64>),
}

/// The text of a C string; empty for null.
///
/// # Safety
/// `text` is null or a string that ends with a zero.
pub unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// A list of the importer; empty for null.
///
/// # Safety
/// `list` is null or has `count` entries.
pub unsafe fn list<'a, T>(list: *const T, count: usize) -> &'a [T] {
    if list.is_null() || count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(list, count) } }
}

/// A list of the importer to be filled; empty for null.
///
/// # Safety
/// `list` is null or has room for `count` entries, and nobody else uses it meanwhile.
pub unsafe fn list_mut<'a, T>(list: *mut T, count: usize) -> &'a mut [T] {
    if list.is_null() || count == 0 {
        &mut []
    } else {
        unsafe { std::slice::from_raw_parts_mut(list, count) }
    }
}

/// Puts a value where the importer wants it, if it wants it.
///
/// # Safety
/// `to` is null or has room for one value.
pub unsafe fn put<T>(to: *mut T, value: T) {
    if !to.is_null() {
        unsafe { to.write(value) };
    }
}

/// The folder of a resource location: a path, or a URI with the scheme `file`.
pub fn folder(location: &str) -> PathBuf {
    let Some(rest) = location.strip_prefix("file:") else { return PathBuf::from(location) };
    // file:///path, file:/path and file://host/path, of which the host is not ours to ask.
    let path = rest.strip_prefix("//").map_or(rest, |rest| &rest[rest.find('/').unwrap_or(0)..]);
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.as_bytes();
    while let Some((&byte, rest)) = left.split_first() {
        let coded = (byte == b'%').then(|| rest.get(..2)).flatten();
        let value = coded.and_then(|two| u8::from_str_radix(std::str::from_utf8(two).ok()?, 16).ok());
        bytes.push(value.unwrap_or(byte));
        left = if value.is_some() { &rest[2..] } else { rest };
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// A new instance behind a pointer; null where there is none.
pub fn instantiate(resources: &str, token: &str, mode: Mode, log: Logger) -> *mut c_void {
    let made = catch_unwind(AssertUnwindSafe(|| Instance::new(&folder(resources), token, mode)));
    match made {
        Ok(Ok(instance)) => {
            let handle = Handle { instance, log, terminated: false, span: (0.0, None) };
            Box::into_raw(Box::new(handle)).cast()
        }
        Ok(Err(why)) => {
            log(ERROR, &why);
            std::ptr::null_mut()
        }
        Err(_) => {
            log(ERROR, "the library failed to make an instance");
            std::ptr::null_mut()
        }
    }
}

/// Does something with the instance behind a pointer.
///
/// # Safety
/// `handle` is null or came from [`instantiate`] and is in use by one thread.
pub unsafe fn with(handle: *mut c_void, act: impl FnOnce(&mut Handle) -> Result<Status, String>) -> Status {
    let Some(handle) = (unsafe { handle.cast::<Handle>().as_mut() }) else { return ERROR };
    let done = catch_unwind(AssertUnwindSafe(|| act(handle)));
    match done {
        Ok(Ok(status)) => status,
        Ok(Err(why)) => {
            (handle.log)(ERROR, &why);
            ERROR
        }
        Err(_) => {
            (handle.log)(ERROR, "the library failed");
            ERROR
        }
    }
}

/// What a function of the standard says that this FMU does not offer.
///
/// # Safety
/// As [`with`].
pub unsafe fn not_offered(handle: *mut c_void, what: &str) -> Status {
    unsafe { with(handle, |_| Err(format!("{what} is not offered by this FMU"))) }
}

/// Frees an instance.
///
/// # Safety
/// As [`with`]; the pointer is not used any more.
pub unsafe fn free(handle: *mut c_void) {
    if !handle.is_null() {
        let owned = unsafe { Box::from_raw(handle.cast::<Handle>()) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(owned)));
    }
}

#[cfg(test)]
mod tests {
    use super::folder;
    use std::path::Path;

    #[test]
    fn resource_locations_are_paths_or_uris() {
        for (given, path) in [
            ("/tmp/fmu/resources", "/tmp/fmu/resources"),
            ("file:///tmp/fmu/resources", "/tmp/fmu/resources"),
            ("file:/tmp/fmu/resources", "/tmp/fmu/resources"),
            ("file://localhost/tmp/a%20b", "/tmp/a b"),
            ("file:///tmp/50%", "/tmp/50%"),
        ] {
            assert_eq!(folder(given), Path::new(path), "{given}");
        }
    }
}
