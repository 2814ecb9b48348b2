//! FMI 2.0: functions of co-simulation.

use super::{Component, References};
use crate::handle::{DISCARD, OK, Status, not_offered, put, with};
use std::ffi::{c_char, c_int};

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    component: Component,
    _: References,
    count: usize,
    _: *const c_int,
    _: *const f64,
) -> Status {
    if count == 0 { OK } else { unsafe { not_offered(component, "interpolation of inputs") } }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    component: Component,
    _: References,
    count: usize,
    _: *const c_int,
    _: *mut f64,
) -> Status {
    if count == 0 { OK } else { unsafe { not_offered(component, "a derivative of an output") } }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(component: Component, now: f64, step: f64, _: c_int) -> Status {
    unsafe {
        with(component, |handle| {
            let stopped = handle.instance.do_step(now, step)?;
            handle.terminated = stopped.is_some();
            Ok(if handle.terminated { DISCARD } else { OK })
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CancelStep(component: Component) -> Status {
    unsafe { not_offered(component, "cancelling a step") }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStatus(_: Component, _: c_int, _: *mut c_int) -> Status {
    DISCARD
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(component: Component, kind: c_int, value: *mut f64) -> Status {
    // fmi2LastSuccessfulTime
    if kind != 2 {
        return DISCARD;
    }
    unsafe {
        with(component, |handle| {
            put(value, handle.instance.time());
            Ok(OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetIntegerStatus(_: Component, _: c_int, _: *mut c_int) -> Status {
    DISCARD
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(
    component: Component,
    kind: c_int,
    value: *mut c_int,
) -> Status {
    // fmi2Terminated
    if kind != 3 {
        return DISCARD;
    }
    unsafe {
        with(component, |handle| {
            put(value, c_int::from(handle.terminated));
            Ok(OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStringStatus(_: Component, _: c_int, _: *mut *const c_char) -> Status {
    DISCARD
}
