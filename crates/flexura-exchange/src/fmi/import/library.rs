//! The standard's C functions of a loaded FMU, versions 2.0 and 3.0: the one file of this crate with `unsafe`.
//!
//! An FMU is machine code: whoever names one in a model runs it, and no check here can hold it back. What is kept on this side: functions are
//! looked up once and live as long as their library, an instance is freed once and used by one thread at a time (`runs.rs` has the
//! lock), lists are as long as their counts say, texts end with a zero.
#![allow(unsafe_code)]

use super::super::Version;
use super::description::FmuDescription;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, PoisonError};

type Pointer = *mut c_void;
type Set = unsafe extern "C" fn(Pointer, *const u32, usize, *const f64) -> c_int;
type Get = unsafe extern "C" fn(Pointer, *const u32, usize, *mut f64) -> c_int;
type Set3 = unsafe extern "C" fn(Pointer, *const u32, usize, *const f64, usize) -> c_int;
type Get3 = unsafe extern "C" fn(Pointer, *const u32, usize, *mut f64, usize) -> c_int;
type Plain = unsafe extern "C" fn(Pointer) -> c_int;
type Free = unsafe extern "C" fn(Pointer);
type Instantiate2 = unsafe extern "C" fn(
    *const c_char,
    c_int,
    *const c_char,
    *const c_char,
    *const Callbacks,
    c_int,
    c_int,
) -> Pointer;
type Setup2 = unsafe extern "C" fn(Pointer, c_int, f64, f64, c_int, f64) -> c_int;
type Step2 = unsafe extern "C" fn(Pointer, f64, f64, c_int) -> c_int;
type Instantiate3 = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    bool,
    bool,
    bool,
    bool,
    *const u32,
    usize,
    Pointer,
    unsafe extern "C" fn(Pointer, c_int, *const c_char, *const c_char),
    *const c_void,
) -> Pointer;
type Enter3 = unsafe extern "C" fn(Pointer, bool, f64, f64, bool, f64) -> c_int;
type Step3 =
    unsafe extern "C" fn(Pointer, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;
type Log2 = unsafe extern "C" fn(Pointer, *const c_char, c_int, *const c_char, *const c_char);

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> Pointer;
    fn free(memory: Pointer);
}

/// `fmi2CallbackFunctions`. The logger of the standard takes further arguments, which a function that does not read them may leave where they are.
#[repr(C)]
struct Callbacks {
    logger: Log2,
    allocate: unsafe extern "C" fn(usize, usize) -> Pointer,
    free: unsafe extern "C" fn(Pointer),
    finished: *const c_void,
    environment: Pointer,
}

/// Functions of an FMU.
enum Functions {
    Two { instantiate: Instantiate2, setup: Setup2, enter: Plain, set: Set, get: Get, step: Step2 },
    Three { instantiate: Instantiate3, enter: Enter3, set: Set3, get: Get3, step: Step3 },
}

/// A loaded library.
struct Loaded {
    functions: Functions,
    exit: Plain,
    terminate: Plain,
    free: Free,
    _library: libloading::Library,
}

/// A loaded library that instances share.
#[derive(Clone)]
pub struct Library(Arc<Loaded>);

/// Messages of an instance.
type Messages = Mutex<Vec<String>>;

/// Most messages that are kept.
const MOST_MESSAGES: usize = 20;

unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: texts of the standard end with a zero.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

unsafe fn note(environment: Pointer, status: c_int, message: *const c_char) {
    // SAFETY: the environment is the list of messages that was handed over, which lives as long as the instance.
    let Some(messages) = (unsafe { environment.cast::<Messages>().as_ref() }) else { return };
    let message = unsafe { text(message) };
    let mut list = messages.lock().unwrap_or_else(PoisonError::into_inner);
    // Status 0 is talk.
    if status != 0 && list.len() < MOST_MESSAGES {
        list.push(message);
    }
}

unsafe extern "C" fn log2(
    environment: Pointer,
    _name: *const c_char,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    unsafe { note(environment, status, message) }
}

unsafe extern "C" fn log3(
    environment: Pointer,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    unsafe { note(environment, status, message) }
}

impl Library {
    /// Loads the library at `path` and finds the functions of co-simulation.
    pub fn load(path: &Path, version: Version) -> Result<Self, String> {
        // SAFETY: loading runs the library's own start: that is what the user asked for by naming the FMU.
        let library = unsafe { libloading::Library::new(path) };
        let library = library.map_err(|error| format!("its library cannot be loaded: {error}"))?;
        macro_rules! find {
            ($name:literal) => {{
                // SAFETY: the types above are those of the standard's header.
                let found = unsafe { library.get($name.as_bytes()) };
                *found.map_err(|_| format!("its library has no function {}", $name))?
            }};
        }
        let functions = match version {
            Version::Two => Functions::Two {
                instantiate: find!("fmi2Instantiate"),
                setup: find!("fmi2SetupExperiment"),
                enter: find!("fmi2EnterInitializationMode"),
                set: find!("fmi2SetReal"),
                get: find!("fmi2GetReal"),
                step: find!("fmi2DoStep"),
            },
            Version::Three => Functions::Three {
                instantiate: find!("fmi3InstantiateCoSimulation"),
                enter: find!("fmi3EnterInitializationMode"),
                set: find!("fmi3SetFloat64"),
                get: find!("fmi3GetFloat64"),
                step: find!("fmi3DoStep"),
            },
        };
        let (exit, terminate, free) = match version {
            Version::Two => {
                (find!("fmi2ExitInitializationMode"), find!("fmi2Terminate"), find!("fmi2FreeInstance"))
            }
            Version::Three => {
                (find!("fmi3ExitInitializationMode"), find!("fmi3Terminate"), find!("fmi3FreeInstance"))
            }
        };
        Ok(Self(Arc::new(Loaded { functions, exit, terminate, free, _library: library })))
    }
}

/// An instance of an FMU.
pub struct Instance {
    pointer: Pointer,
    running: bool,
    // Both are used by the FMU until the instance is freed.
    messages: Box<Messages>,
    _callbacks: Box<Callbacks>,
    library: Library,
}

// SAFETY: the standard allows an instance to be used from any thread, one at a time.
unsafe impl Send for Instance {}

fn c_text(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| "a text of the FMU has a zero inside".to_owned())
}

impl Instance {
    /// An instance for co-simulation.
    pub fn new(library: &Library, description: &FmuDescription, resources: &Path) -> Result<Self, String> {
        let messages: Box<Messages> = Box::default();
        let environment: Pointer = std::ptr::from_ref::<Messages>(&messages).cast_mut().cast();
        let callbacks =
            Box::new(Callbacks { logger: log2, allocate: calloc, free, finished: null(), environment });
        let (name, token) = (c_text("controller")?, c_text(&description.token)?);
        let place = resources.display().to_string();
        let pointer = match library.0.functions {
            Functions::Two { instantiate, .. } => {
                let place = c_text(&format!("file://{}", place.replace('%', "%25").replace(' ', "%20")))?;
                // SAFETY: all texts and the callbacks outlive the call, the callbacks and messages the instance.
                unsafe { instantiate(name.as_ptr(), 1, token.as_ptr(), place.as_ptr(), &*callbacks, 0, 0) }
            }
            Functions::Three { instantiate, .. } => {
                let place = c_text(&format!("{place}{}", std::path::MAIN_SEPARATOR))?;
                // SAFETY: as above.
                unsafe {
                    instantiate(
                        name.as_ptr(),
                        token.as_ptr(),
                        place.as_ptr(),
                        false,
                        false,
                        false,
                        false,
                        null(),
                        0,
                        environment,
                        log3,
                        null(),
                    )
                }
            }
        };
        let made =
            Self { pointer, running: false, messages, _callbacks: callbacks, library: library.clone() };
        if pointer.is_null() {
            return Err(made.told("cannot be instantiated"));
        }
        Ok(made)
    }

    /// What failed, with the FMU's own words.
    fn told(&self, what: &str) -> String {
        let mut list = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let said = std::mem::take(&mut *list);
        if said.is_empty() {
            format!("the FMU {what}")
        } else {
            format!("the FMU {what}: {}", said.join("; "))
        }
    }

    /// Warnings pass; everything above does not.
    fn check(&self, status: c_int, what: &str) -> Result<(), String> {
        match status {
            0 | 1 => Ok(()),
            2 => Err(self.told(&format!("discarded {what}"))),
            _ => Err(self.told(&format!("failed at {what}"))),
        }
    }

    /// Initialises at `time` (s) with these inputs.
    pub fn initialize(&mut self, time: f64, references: &[u32], inputs: &[f64]) -> Result<(), String> {
        let pointer = self.pointer;
        // SAFETY: the pointer is that of a live instance; calls come in the order of the standard.
        let status = match self.library.0.functions {
            Functions::Two { setup, enter, .. } => unsafe {
                let status = setup(pointer, 0, 0.0, time, 0, 0.0);
                if status > 1 { status } else { enter(pointer) }
            },
            Functions::Three { enter, .. } => unsafe { enter(pointer, false, 0.0, time, false, 0.0) },
        };
        self.check(status, "its initialisation")?;
        self.set(references, inputs)?;
        // SAFETY: as above.
        let status = unsafe { (self.library.0.exit)(pointer) };
        self.check(status, "the end of its initialisation")?;
        self.running = true;
        Ok(())
    }

    /// Sets real variables.
    pub fn set(&mut self, references: &[u32], values: &[f64]) -> Result<(), String> {
        let count = references.len().min(values.len());
        let (to, from) = (references.as_ptr(), values.as_ptr());
        // SAFETY: both lists have `count` entries.
        let status = match self.library.0.functions {
            Functions::Two { set, .. } => unsafe { set(self.pointer, to, count, from) },
            Functions::Three { set, .. } => unsafe { set(self.pointer, to, count, from, count) },
        };
        self.check(status, "setting variables")
    }

    /// Reads real variables.
    pub fn get(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), String> {
        let count = references.len().min(values.len());
        let (from, to) = (references.as_ptr(), values.as_mut_ptr());
        // SAFETY: both lists have `count` entries.
        let status = match self.library.0.functions {
            Functions::Two { get, .. } => unsafe { get(self.pointer, from, count, to) },
            Functions::Three { get, .. } => unsafe { get(self.pointer, from, count, to, count) },
        };
        self.check(status, "reading variables")
    }

    /// Advances from `time` by `step` (s).
    pub fn step(&mut self, time: f64, step: f64) -> Result<(), String> {
        let (mut event, mut end, mut early, mut reached) = (false, false, false, time + step);
        // SAFETY: the instance is initialised; the places for answers outlive the call.
        let status = match self.library.0.functions {
            Functions::Two { step: go, .. } => unsafe { go(self.pointer, time, step, 1) },
            Functions::Three { step: go, .. } => unsafe {
                go(self.pointer, time, step, true, &mut event, &mut end, &mut early, &mut reached)
            },
        };
        self.check(status, &format!("the step from {time} s by {step} s"))?;
        if end || (early && reached < time + step) {
            return Err(self.told(&format!("wants to end at {reached} s")));
        }
        Ok(())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.pointer.is_null() {
            return;
        }
        // SAFETY: the instance is live and not used any more.
        unsafe {
            if self.running {
                (self.library.0.terminate)(self.pointer);
            }
            (self.library.0.free)(self.pointer);
        }
        self.pointer = null_mut();
    }
}
