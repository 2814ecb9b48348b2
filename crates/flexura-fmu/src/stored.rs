//! Stored states of both versions of the standard: a copy of what changes behind a pointer, or as bytes.
#![allow(non_snake_case, missing_docs)]

use crate::handle::{OK, Status, list, list_mut, put, with};
use crate::snapshot::Snapshot;
use std::ffi::c_void;

type Instance = *mut c_void;

pub(crate) unsafe fn get_state(instance: Instance, state: *mut *mut c_void) -> Status {
    unsafe {
        with(instance, |handle| {
            let taken = Box::new(handle.instance.snapshot());
            let Some(slot) = state.as_mut() else { return Err("no place for the state".into()) };
            // A state that is handed in is replaced.
            if !slot.is_null() {
                drop(Box::from_raw(slot.cast::<Snapshot>()));
            }
            *slot = Box::into_raw(taken).cast();
            Ok(OK)
        })
    }
}

pub(crate) unsafe fn set_state(instance: Instance, state: *mut c_void) -> Status {
    unsafe {
        with(instance, |handle| {
            let Some(state) = state.cast::<Snapshot>().as_ref() else { return Err("no state".into()) };
            handle.terminated = false;
            handle.instance.restore(state).map(|()| OK)
        })
    }
}

pub(crate) unsafe fn free_state(instance: Instance, state: *mut *mut c_void) -> Status {
    unsafe {
        with(instance, |_| {
            if let Some(slot) = state.as_mut().filter(|slot| !slot.is_null()) {
                drop(Box::from_raw(slot.cast::<Snapshot>()));
                *slot = std::ptr::null_mut();
            }
            Ok(OK)
        })
    }
}

pub(crate) unsafe fn state_size(instance: Instance, state: *mut c_void, size: *mut usize) -> Status {
    unsafe {
        with(instance, |_| {
            let Some(state) = state.cast::<Snapshot>().as_ref() else { return Err("no state".into()) };
            put(size, state.to_bytes().len());
            Ok(OK)
        })
    }
}

pub(crate) unsafe fn write_state(
    instance: Instance,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> Status {
    unsafe {
        with(instance, |_| {
            let Some(state) = state.cast::<Snapshot>().as_ref() else { return Err("no state".into()) };
            let written = state.to_bytes();
            if written.len() > size {
                return Err(format!("the state has {} bytes, not {size}", written.len()));
            }
            list_mut(bytes, written.len()).copy_from_slice(&written);
            Ok(OK)
        })
    }
}

pub(crate) unsafe fn read_state(
    instance: Instance,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> Status {
    unsafe {
        with(instance, |_| {
            let read =
                Snapshot::from_bytes(list(bytes, size)).ok_or("these bytes are no state of this FMU")?;
            let Some(slot) = state.as_mut() else { return Err("no place for the state".into()) };
            *slot = Box::into_raw(Box::new(read)).cast();
            Ok(OK)
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(instance: Instance, state: *mut *mut c_void) -> Status {
    unsafe { get_state(instance, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(instance: Instance, state: *mut c_void) -> Status {
    unsafe { set_state(instance, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(instance: Instance, state: *mut *mut c_void) -> Status {
    unsafe { free_state(instance, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: Instance,
    state: *mut c_void,
    size: *mut usize,
) -> Status {
    unsafe { state_size(instance, state, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: Instance,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> Status {
    unsafe { write_state(instance, state, bytes, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: Instance,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> Status {
    unsafe { read_state(instance, bytes, size, state) }
}
