//! FMI 3.0: the functions of `fmi3Functions.h`; those of stored states are in `stored.rs`.
#![allow(non_snake_case, missing_docs)]

mod exchange;

use crate::handle::{
    Handle, Logger, OK, Status, free, instantiate, list, list_mut, not_offered, put, text, with,
};
use crate::instance::Mode;
use std::ffi::{CString, c_char, c_int, c_void};

pub use exchange::{
    fmi3GetContinuousStateDerivatives, fmi3GetContinuousStates, fmi3GetEventIndicators,
    fmi3GetNominalsOfContinuousStates,
};

type Instance = *mut c_void;
type References = *const u32;
type LogMessage = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

fn logger(log: Option<LogMessage>, environment: *mut c_void) -> Logger {
    Box::new(move |status, message| {
        if let Some(log) = log {
            let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
            unsafe { log(environment, status, c"logStatusError".as_ptr(), message.as_ptr()) };
        }
    })
}

fn done(
    act: impl FnOnce(&mut Handle) -> Result<(), String>,
) -> impl FnOnce(&mut Handle) -> Result<Status, String> {
    |handle| act(handle).map(|()| OK)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetDebugLogging(_: Instance, _: bool, _: usize, _: *const *const c_char) -> Status {
    OK
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    log: Option<LogMessage>,
) -> Instance {
    let (token, resources) = unsafe { (text(token), text(resources)) };
    instantiate(&resources, &token, Mode::Exchange, logger(log, environment))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    _event_mode: bool,
    _early_return: bool,
    _intermediate: References,
    _intermediate_count: usize,
    environment: *mut c_void,
    log: Option<LogMessage>,
    _update: *const c_void,
) -> Instance {
    let (token, resources) = unsafe { (text(token), text(resources)) };
    instantiate(&resources, &token, Mode::CoSimulation, logger(log, environment))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    log: Option<LogMessage>,
    _: *const c_void,
    _: *const c_void,
    _: *const c_void,
) -> Instance {
    logger(log, environment)(crate::handle::ERROR, "scheduled execution is not offered by this FMU");
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(instance: Instance) {
    unsafe { free(instance) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    instance: Instance,
    _tolerance_defined: bool,
    _tolerance: f64,
    start: f64,
    stop_defined: bool,
    stop: f64,
) -> Status {
    let stop = stop_defined.then_some(stop);
    unsafe { with(instance, done(|handle| handle.instance.enter_initialization(start, stop))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ExitInitializationMode(instance: Instance) -> Status {
    unsafe { with(instance, done(|handle| handle.instance.exit_initialization())) }
}

/// Changes of mode in which nothing happens here.
macro_rules! quiet {
    ($($name:ident),*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(instance: Instance) -> Status {
            unsafe { with(instance, |_| Ok(OK)) }
        }
    )*};
}
quiet!(
    fmi3EnterEventMode,
    fmi3Terminate,
    fmi3EnterConfigurationMode,
    fmi3ExitConfigurationMode,
    fmi3EvaluateDiscreteStates,
    fmi3EnterContinuousTimeMode,
    fmi3EnterStepMode
);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Reset(instance: Instance) -> Status {
    unsafe { with(instance, done(|handle| handle.instance.reset())) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    instance: Instance,
    references: References,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> Status {
    unsafe {
        with(instance, |handle| {
            if count != value_count {
                return Err(format!("{count} variables, but {value_count} values"));
            }
            handle.instance.get(list(references, count), list_mut(values, count)).map(|()| OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: Instance,
    references: References,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> Status {
    unsafe {
        with(instance, |handle| {
            if count != value_count {
                return Err(format!("{count} variables, but {value_count} values"));
            }
            handle.instance.set(list(references, count), list(values, count)).map(|()| OK)
        })
    }
}

/// Functions for types of which the FMU has no variable: good for no variables only.
macro_rules! no_variables {
    ($($get:ident, $set:ident: $kind:ty);* $(;)?) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(instance: Instance, _: References, count: usize, _: *mut $kind, _: usize) -> Status {
            if count == 0 { OK } else { unsafe { not_offered(instance, "a variable of this type") } }
        }
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $set(instance: Instance, _: References, count: usize, _: *const $kind, _: usize) -> Status {
            if count == 0 { OK } else { unsafe { not_offered(instance, "a variable of this type") } }
        }
    )*};
}
no_variables!(
    fmi3GetFloat32, fmi3SetFloat32: f32;
    fmi3GetInt8, fmi3SetInt8: i8;
    fmi3GetUInt8, fmi3SetUInt8: u8;
    fmi3GetInt16, fmi3SetInt16: i16;
    fmi3GetUInt16, fmi3SetUInt16: u16;
    fmi3GetInt32, fmi3SetInt32: i32;
    fmi3GetUInt32, fmi3SetUInt32: u32;
    fmi3GetInt64, fmi3SetInt64: i64;
    fmi3GetUInt64, fmi3SetUInt64: u64;
    fmi3GetBoolean, fmi3SetBoolean: bool;
    fmi3GetString, fmi3SetString: *const c_char;
);

/// Functions of features that the description does not promise.
macro_rules! absent {
    ($($name:ident($($kind:ty),*));* $(;)?) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(instance: Instance $(, _: $kind)*) -> Status {
            unsafe { not_offered(instance, stringify!($name)) }
        }
    )*};
}
absent!(
    fmi3GetBinary(References, usize, *mut usize, *mut *const u8, usize);
    fmi3SetBinary(References, usize, *const usize, *const *const u8, usize);
    fmi3GetClock(References, usize, *mut bool);
    fmi3SetClock(References, usize, *const bool);
    fmi3GetNumberOfVariableDependencies(u32, *mut usize);
    fmi3GetVariableDependencies(u32, *mut usize, *mut u32, *mut usize, *mut c_int, usize);
    fmi3GetIntervalDecimal(References, usize, *mut f64, *mut c_int);
    fmi3GetIntervalFraction(References, usize, *mut u64, *mut u64, *mut c_int);
    fmi3GetShiftDecimal(References, usize, *mut f64);
    fmi3GetShiftFraction(References, usize, *mut u64, *mut u64);
    fmi3SetIntervalDecimal(References, usize, *const f64);
    fmi3SetIntervalFraction(References, usize, *const u64, *const u64);
    fmi3SetShiftDecimal(References, usize, *const f64);
    fmi3SetShiftFraction(References, usize, *const u64, *const u64);
    fmi3GetOutputDerivatives(References, usize, *const i32, *mut f64, usize);
    fmi3ActivateModelPartition(u32, f64);
);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: Instance,
    now: f64,
    step: f64,
    _: bool,
    event_handling: *mut bool,
    terminate: *mut bool,
    early_return: *mut bool,
    last_time: *mut f64,
) -> Status {
    unsafe {
        with(instance, |handle| {
            let stopped = handle.instance.do_step(now, step);
            put(event_handling, false);
            put(early_return, false);
            put(terminate, matches!(&stopped, Ok(Some(_))));
            put(last_time, handle.instance.time());
            stopped.map(|_| OK)
        })
    }
}
