//! FMI 2.0: functions of model exchange.

use super::{Component, References, done};
use crate::handle::{OK, Status, list, list_mut, put, with};
use std::ffi::c_int;

/// `fmi2EventInfo`.
#[repr(C)]
pub struct EventInfo {
    new_discrete_states_needed: c_int,
    terminate: c_int,
    nominals_changed: c_int,
    values_changed: c_int,
    next_event_defined: c_int,
    next_event: f64,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    component: Component,
    unknowns: References,
    unknown_count: usize,
    knowns: References,
    known_count: usize,
    seed: *const f64,
    sensitivity: *mut f64,
) -> Status {
    unsafe {
        with(component, |handle| {
            let (seed, found) = (list(seed, known_count), list_mut(sensitivity, unknown_count));
            let of = (list(unknowns, unknown_count), list(knowns, known_count));
            handle.instance.directional_derivative(of, seed, found).map(|()| OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterEventMode(component: Component) -> Status {
    unsafe { with(component, |_| Ok(OK)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(component: Component, info: *mut EventInfo) -> Status {
    unsafe {
        with(component, |handle| {
            let changed = handle.instance.update()?;
            let next = handle.instance.next_event();
            let stopped = handle.instance.stopping_event()?;
            put(
                info,
                EventInfo {
                    new_discrete_states_needed: 0,
                    terminate: c_int::from(stopped.is_some()),
                    nominals_changed: 0,
                    values_changed: c_int::from(changed),
                    next_event_defined: c_int::from(next.is_some()),
                    next_event: next.unwrap_or(0.0),
                },
            );
            Ok(OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterContinuousTimeMode(component: Component) -> Status {
    unsafe { with(component, |_| Ok(OK)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    component: Component,
    _: c_int,
    event: *mut c_int,
    terminate: *mut c_int,
) -> Status {
    unsafe {
        put(event, 0);
        put(terminate, 0);
        with(component, done(|handle| handle.instance.step_completed()))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetTime(component: Component, time: f64) -> Status {
    unsafe { with(component, done(|handle| handle.instance.set_time(time))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetContinuousStates(
    component: Component,
    states: *const f64,
    count: usize,
) -> Status {
    unsafe { with(component, done(|handle| handle.instance.set_states(list(states, count)))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDerivatives(component: Component, values: *mut f64, count: usize) -> Status {
    unsafe { crate::fmi3::fmi3GetContinuousStateDerivatives(component, values, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetEventIndicators(
    component: Component,
    values: *mut f64,
    count: usize,
) -> Status {
    unsafe { crate::fmi3::fmi3GetEventIndicators(component, values, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetContinuousStates(
    component: Component,
    values: *mut f64,
    count: usize,
) -> Status {
    unsafe { crate::fmi3::fmi3GetContinuousStates(component, values, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(
    component: Component,
    values: *mut f64,
    count: usize,
) -> Status {
    unsafe { crate::fmi3::fmi3GetNominalsOfContinuousStates(component, values, count) }
}
