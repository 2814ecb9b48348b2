//! FMI 3.0: functions of model exchange.

use super::{Instance, References, done};
use crate::handle::{Handle, OK, Status, list, list_mut, put, with};

/// Both kinds of derivatives have one signature.
macro_rules! derivatives {
    ($($name:ident: $method:ident),*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            instance: Instance,
            unknowns: References,
            unknown_count: usize,
            knowns: References,
            known_count: usize,
            seed: *const f64,
            seed_count: usize,
            sensitivity: *mut f64,
            sensitivity_count: usize,
        ) -> Status {
            unsafe {
                with(instance, |handle| {
                    let of = (list(unknowns, unknown_count), list(knowns, known_count));
                    let (seed, found) = (list(seed, seed_count), list_mut(sensitivity, sensitivity_count));
                    handle.instance.$method(of, seed, found).map(|()| OK)
                })
            }
        }
    )*};
}
derivatives!(
    fmi3GetDirectionalDerivative: directional_derivative,
    fmi3GetAdjointDerivative: adjoint_derivative
);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    instance: Instance,
    need_update: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    values_changed: *mut bool,
    next_defined: *mut bool,
    next: *mut f64,
) -> Status {
    unsafe {
        with(instance, |handle| {
            for flag in [need_update, nominals_changed] {
                put(flag, false);
            }
            put(values_changed, handle.instance.update()?);
            put(terminate, handle.instance.stopping_event()?.is_some());
            let at = handle.instance.next_event();
            put(next_defined, at.is_some());
            put(next, at.unwrap_or(0.0));
            Ok(OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3CompletedIntegratorStep(
    instance: Instance,
    _: bool,
    event: *mut bool,
    terminate: *mut bool,
) -> Status {
    unsafe {
        put(event, false);
        put(terminate, false);
        with(instance, done(|handle| handle.instance.step_completed()))
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetTime(instance: Instance, time: f64) -> Status {
    unsafe { with(instance, done(|handle| handle.instance.set_time(time))) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetContinuousStates(
    instance: Instance,
    states: *const f64,
    count: usize,
) -> Status {
    unsafe { with(instance, done(|handle| handle.instance.set_states(list(states, count)))) }
}

/// Copies a list of the instance to the importer.
unsafe fn hand_out(
    instance: Instance,
    values: *mut f64,
    count: usize,
    find: impl FnOnce(&mut Handle) -> Result<Vec<f64>, String>,
) -> Status {
    unsafe {
        with(instance, |handle| {
            let found = find(handle)?;
            if found.len() != count {
                return Err(format!("there are {} of them, not {count}", found.len()));
            }
            list_mut(values, count).copy_from_slice(&found);
            Ok(OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStateDerivatives(
    instance: Instance,
    values: *mut f64,
    count: usize,
) -> Status {
    unsafe { hand_out(instance, values, count, |handle| handle.instance.derivatives()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetEventIndicators(
    instance: Instance,
    values: *mut f64,
    count: usize,
) -> Status {
    unsafe { hand_out(instance, values, count, |handle| handle.instance.event_indicators()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetContinuousStates(
    instance: Instance,
    values: *mut f64,
    count: usize,
) -> Status {
    unsafe { hand_out(instance, values, count, |handle| handle.instance.states()) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNominalsOfContinuousStates(
    instance: Instance,
    values: *mut f64,
    count: usize,
) -> Status {
    unsafe { hand_out(instance, values, count, |handle| Ok(handle.instance.nominals())) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(instance: Instance, count: *mut usize) -> Status {
    unsafe {
        with(instance, |handle| {
            put(count, handle.instance.indicator_count());
            Ok(OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(instance: Instance, count: *mut usize) -> Status {
    unsafe {
        with(instance, |handle| {
            put(count, handle.instance.state_count());
            Ok(OK)
        })
    }
}
