//! FMI 2.0: the functions of `fmi2Functions.h`.
#![allow(non_snake_case, missing_docs)]

mod exchange;
mod stepping;

use crate::handle::{Handle, Logger, OK, Status, free, instantiate, list, list_mut, not_offered, text, with};
use crate::instance::Mode;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};

type Component = *mut c_void;
type References = *const c_uint;
type LogMessage = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);

/// `fmi2CallbackFunctions`, of which the first and last are used.
#[repr(C)]
pub struct Callbacks {
    logger: Option<LogMessage>,
    allocate: *const c_void,
    free: *const c_void,
    finished: *const c_void,
    environment: *mut c_void,
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetDebugLogging(_: Component, _: c_int, _: usize, _: *const *const c_char) -> Status {
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    resources: *const c_char,
    callbacks: *const Callbacks,
    _visible: c_int,
    _logging: c_int,
) -> Component {
    let (name, token, resources) = unsafe { (text(name), text(guid), text(resources)) };
    let callbacks = unsafe { callbacks.as_ref() };
    let logger = callbacks.and_then(|callbacks| callbacks.logger.map(|log| (log, callbacks.environment)));
    let name = CString::new(name).unwrap_or_default();
    let log: Logger = Box::new(move |status, message| {
        if let Some((log, environment)) = logger {
            // Per cent signs would be read as formats.
            let message = CString::new(message.replace('%', "%%").replace('\0', " ")).unwrap_or_default();
            let category = c"logStatusError";
            unsafe { log(environment, name.as_ptr(), status, category.as_ptr(), message.as_ptr()) };
        }
    });
    let mode = if kind == 0 { Mode::Exchange } else { Mode::CoSimulation };
    instantiate(&resources, &token, mode, log)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(component: Component) {
    unsafe { free(component) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    component: Component,
    _tolerance_defined: c_int,
    _tolerance: f64,
    start: f64,
    stop_defined: c_int,
    stop: f64,
) -> Status {
    unsafe {
        with(component, |handle| {
            handle.span = (start, (stop_defined != 0).then_some(stop));
            Ok(OK)
        })
    }
}

fn done(
    act: impl FnOnce(&mut Handle) -> Result<(), String>,
) -> impl FnOnce(&mut Handle) -> Result<Status, String> {
    |handle| act(handle).map(|()| OK)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterInitializationMode(component: Component) -> Status {
    unsafe {
        with(component, done(|handle| handle.instance.enter_initialization(handle.span.0, handle.span.1)))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2ExitInitializationMode(component: Component) -> Status {
    unsafe { with(component, done(|handle| handle.instance.exit_initialization())) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Terminate(component: Component) -> Status {
    unsafe { with(component, |_| Ok(OK)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Reset(component: Component) -> Status {
    unsafe { with(component, done(|handle| handle.instance.reset())) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    component: Component,
    vr: References,
    count: usize,
    values: *mut f64,
) -> Status {
    unsafe { with(component, done(|handle| handle.instance.get(list(vr, count), list_mut(values, count)))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    component: Component,
    vr: References,
    count: usize,
    values: *const f64,
) -> Status {
    unsafe { with(component, done(|handle| handle.instance.set(list(vr, count), list(values, count)))) }
}

/// Functions for types of which the FMU has no variable: good for no variables only.
macro_rules! no_variables {
    ($($name:ident: $kind:ty),*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(component: Component, _: References, count: usize, _: $kind) -> Status {
            if count == 0 { OK } else { unsafe { not_offered(component, "a variable of this type") } }
        }
    )*};
}
no_variables!(
    fmi2GetInteger: *mut c_int,
    fmi2GetBoolean: *mut c_int,
    fmi2GetString: *mut *const c_char,
    fmi2SetInteger: *const c_int,
    fmi2SetBoolean: *const c_int,
    fmi2SetString: *const *const c_char
);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(component: Component, state: *mut *mut c_void) -> Status {
    unsafe { crate::stored::get_state(component, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(component: Component, state: *mut c_void) -> Status {
    unsafe { crate::stored::set_state(component, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(component: Component, state: *mut *mut c_void) -> Status {
    unsafe { crate::stored::free_state(component, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    component: Component,
    state: *mut c_void,
    size: *mut usize,
) -> Status {
    unsafe { crate::stored::state_size(component, state, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    component: Component,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> Status {
    unsafe { crate::stored::write_state(component, state, bytes, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    component: Component,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> Status {
    unsafe { crate::stored::read_state(component, bytes, size, state) }
}
