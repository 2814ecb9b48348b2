//! The functions of an adapter, loaded.
#![allow(unsafe_code)] // functions of a C library

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;

/// Number of the list of functions in `calls.c`.
pub(crate) const INTERFACE: c_int = 1;

type Text = unsafe extern "C" fn(*mut c_char, c_int);
type Gather = unsafe extern "C" fn(*const f64, c_int, *mut f64, *const c_int, *const c_int) -> c_int;

/// Functions of `calls.c`, each with the signature it has there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calls {
    pub start: unsafe extern "C" fn(*mut c_int, *mut c_int) -> c_int,
    pub all_gather: Gather,
    pub barrier: unsafe extern "C" fn() -> c_int,
    pub send: unsafe extern "C" fn(*const c_void, c_int, c_int, c_int) -> c_int,
    pub look: unsafe extern "C" fn(c_int, *mut c_int, *mut c_int) -> c_int,
    pub receive: unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int) -> c_int,
    pub end: unsafe extern "C" fn() -> c_int,
    pub abort: unsafe extern "C" fn(c_int),
    family: unsafe extern "C" fn() -> *const c_char,
    library: Text,
}

#[cfg(unix)]
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
    // Parts that an MPI library loads itself look for its functions among those of everybody.
    // SAFETY: loading runs the library's own start, which is what the user asked for by building the adapter.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }.map(Into::into)
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: as above.
    unsafe { libloading::Library::new(path) }
}

impl Calls {
    /// Loads the adapter at `path`, for the rest of the process: an MPI library cannot be unloaded.
    pub fn load(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        if cfg!(all(target_feature = "crt-static", not(windows))) {
            return Err(format!(
                "{shown}: this flexura is a static program and loads no libraries: build one with `cargo build --release`, or \
                 take the Python package (`python -m flexura`)"
            ));
        }
        let library = open(path).map_err(|error| format!("{shown} cannot be loaded: {error}"))?;
        let library = Box::leak(Box::new(library));
        let old = || {
            format!("{shown} belongs to another version of flexura: build it anew with `flexura mpi --build`")
        };
        macro_rules! find {
            ($name:literal) => {{
                // SAFETY: the types above are those of `calls.c` with the number asked for first.
                let found = unsafe { library.get(concat!("flexura_mpi_", $name).as_bytes()) };
                *found.map_err(|_| old())?
            }};
        }
        let interface: unsafe extern "C" fn() -> c_int = find!("interface");
        // SAFETY: a function without arguments that returns a number.
        if unsafe { interface() } != INTERFACE {
            return Err(old());
        }
        Ok(Self {
            start: find!("start"),
            all_gather: find!("all_gather"),
            barrier: find!("barrier"),
            send: find!("send"),
            look: find!("look"),
            receive: find!("receive"),
            end: find!("end"),
            abort: find!("abort"),
            family: find!("family"),
            library: find!("library"),
        })
    }

    /// Word of the family.
    pub fn family(&self) -> String {
        // SAFETY: a text that ends with a zero and stays as long as the library.
        unsafe { CStr::from_ptr((self.family)()) }.to_string_lossy().into_owned()
    }

    /// What the library calls itself, the first line. MPI need not have been started.
    pub fn library(&self) -> String {
        let mut text = [0; 256];
        // SAFETY: the text has the room named, and the function ends it with a zero.
        let name = unsafe {
            (self.library)(text.as_mut_ptr(), 256);
            CStr::from_ptr(text.as_ptr())
        };
        let name = name.to_string_lossy();
        let words = name.lines().next().unwrap_or_default().split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }
}
