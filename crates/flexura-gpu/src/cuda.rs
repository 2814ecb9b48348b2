//! CUDA devices: kernels compiled at run time for the model at hand, steps recorded as graphs. One of the two rooms with
//! `unsafe`: launches on addresses of blocks that this file keeps alive.
#![allow(unsafe_code)]

use crate::KERNELS;
use crate::args::{Address, Args, Steps};
use crate::cache;
use crate::device::{Call, Description, Device, Program, StepKernel};
use crate::error::DeviceError;
use cudarc::driver::sys::{CUdevice_attribute, CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaGraph, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr,
    DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};
use flexura::lower::{Kernel, Traits};
use std::collections::HashMap;
use std::sync::Arc;

// SAFETY: plain numbers and addresses, laid out as the kernels expect them.
unsafe impl DeviceRepr for Args {}
// SAFETY: as above.
unsafe impl DeviceRepr for Steps {}

/// Threads of a block.
const BLOCK: u32 = 64;
/// Threads of the block that sums over all lanes, as in `kernels/stepping.h`.
const GROUP: u32 = 256;
/// Threads of a warp, and lanes that it takes where several threads share one.
const WARP: u32 = 32;
const LANES: u32 = 4;

/// A CUDA device with kernels for models of certain traits.
pub struct CudaDevice {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
    functions: HashMap<&'static str, CudaFunction>,
    numbers: Vec<(Address, CudaSlice<f64>)>,
    integers: Vec<(Address, CudaSlice<i32>)>,
    programs: Vec<CudaGraph>,
    number: usize,
}

fn driver(error: DriverError) -> DeviceError {
    DeviceError::Driver(format!("CUDA: {error}"))
}

/// Whether the driver's library can be loaded at all.
fn present() -> Result<(), DeviceError> {
    // SAFETY: only looks for the library.
    let found = unsafe { cudarc::driver::sys::is_culib_present() };
    if found {
        Ok(())
    } else {
        Err(DeviceError::NoDevice("the CUDA driver is not installed (libcuda)".into()))
    }
}

/// Whether the compiler of kernels can be loaded: a driver alone is not enough.
fn compiler_present() -> Result<(), DeviceError> {
    // SAFETY: only looks for the library.
    let found = unsafe { cudarc::nvrtc::sys::is_culib_present() };
    let text = "the compiler of kernels is not installed (NVRTC, libnvrtc of the CUDA toolkit)";
    if found { Ok(()) } else { Err(DeviceError::NoDevice(text.into())) }
}

/// All CUDA devices of this machine.
pub fn cuda_devices() -> Result<Vec<Description>, DeviceError> {
    present()?;
    let count = CudaContext::device_count().map_err(|error| DeviceError::NoDevice(error.to_string()))?;
    if count == 0 {
        return Err(DeviceError::NoDevice("the driver knows none".into()));
    }
    (0..count as usize)
        .map(|number| {
            let context = CudaContext::new(number).map_err(driver)?;
            describe(&context, number)
        })
        .collect()
}

fn describe(context: &Arc<CudaContext>, number: usize) -> Result<Description, DeviceError> {
    let (major, minor) = context.compute_capability().map_err(driver)?;
    let processors = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
    let (free, all) = context.mem_get_info().map_err(driver)?;
    Ok(Description {
        word: format!("cuda:{number}"),
        name: context.name().map_err(driver)?,
        memory: (all, free),
        capability: (major, minor, context.attribute(processors).map_err(driver)?),
    })
}

/// The kernels; those who work on them may name a file with another version in `FLEXURA_KERNELS`.
fn source() -> Result<std::borrow::Cow<'static, str>, DeviceError> {
    match std::env::var_os("FLEXURA_KERNELS") {
        Some(path) => std::fs::read_to_string(&path).map(Into::into).map_err(|error| {
            DeviceError::Driver(format!("FLEXURA_KERNELS: cannot read {}: {error}", path.to_string_lossy()))
        }),
        None => Ok(KERNELS.into()),
    }
}

/// What the compiler of kernels is told of the model.
fn options(traits: &Traits, capability: (i32, i32)) -> Vec<String> {
    let mut out = vec![
        format!("--gpu-architecture=compute_{}{}", capability.0, capability.1),
        "--std=c++17".into(),
        // The same bits as the emulation.
        "--fmad=false".into(),
        format!("-DFX_BLOCK={BLOCK}"),
        format!("-DFX_MODES={}", traits.modes),
        format!("-DFX_ROWS={}", traits.rows.max(1)),
        format!("-DFX_BATCH={}", i32::from(traits.batch)),
    ];
    let flags = [
        (traits.uniform, "-DFX_UNIFORM"),
        (traits.fixed_only, "-DFX_FIXED_ONLY"),
        (traits.one_axis, "-DFX_ONE_AXIS"),
        (traits.one_free, "-DFX_ONE_FREE"),
        (traits.chain, "-DFX_CHAIN"),
        (traits.loaded, "-DFX_LOADED"),
        (traits.teams, "-DFX_TEAMS"),
    ];
    out.extend(flags.iter().filter(|(on, _)| *on).map(|(_, flag)| (*flag).to_owned()));
    if traits.level > 0 {
        out.push(format!("-DFX_LEVEL={}", traits.level));
    }
    out
}

/// The kernels for these options: compiled by NVRTC, or as an earlier run has kept them.
fn kernels(
    context: &Arc<CudaContext>,
    source: &str,
    options: Vec<String>,
) -> Result<Arc<CudaModule>, DeviceError> {
    let kept = cache::place(source, &options);
    if let Some(text) = kept.as_deref().and_then(cache::read)
        // What a crash has cut off, or another driver does not take, is compiled anew.
        && let Ok(module) = context.load_module(Ptx::from_src(text))
    {
        return Ok(module);
    }
    let options = CompileOptions { options, ..Default::default() };
    let text: Ptx = compile_ptx_with_opts(source, options)
        .map_err(|error| DeviceError::Driver(format!("the kernels do not compile: {error:?}")))?;
    if let Some(path) = &kept {
        cache::write(path, &text.to_src());
    }
    context.load_module(text).map_err(driver)
}

impl CudaDevice {
    pub(crate) fn open(number: usize, traits: &Traits) -> Result<Self, DeviceError> {
        present()?;
        compiler_present()?;
        let context = CudaContext::new(number)
            .map_err(|error| DeviceError::NoDevice(format!("device {number}: {error}")))?;
        // SAFETY: all work goes over one stream, so that no events between streams are needed; graphs cannot hold them.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(driver)?;
        let capability = context.compute_capability().map_err(driver)?;
        let module = kernels(&context, &source()?, options(traits, capability))?;
        Ok(Self {
            context,
            stream,
            module,
            functions: HashMap::new(),
            numbers: Vec::new(),
            integers: Vec::new(),
            programs: Vec::new(),
            number,
        })
    }

    fn load(&mut self, name: &'static str) -> Result<(), DeviceError> {
        if !self.functions.contains_key(name) {
            let function = self.module.load_function(name).map_err(driver)?;
            self.functions.insert(name, function);
        }
        Ok(())
    }

    fn launch(&self, args: &Args, steps: &Steps, call: &Call) -> Result<(), DeviceError> {
        let (name, number, count) = named(call);
        let Some(function) = self.functions.get(name) else { return Ok(()) };
        let threads = match name {
            "fx_judge_all" | "fx_block" | "fx_subtree" => GROUP,
            "fx_lane_team" => WARP,
            _ => BLOCK,
        };
        let blocks = match name {
            "fx_judge_all" => 1,
            "fx_block" | "fx_subtree" => count as u32,
            "fx_lane_team" => (count as u32).div_ceil(LANES),
            _ => (count as u32).div_ceil(threads),
        };
        let config =
            LaunchConfig { grid_dim: (blocks.max(1), 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 };
        let mut builder = self.stream.launch_builder(function);
        builder.arg(args);
        if matches!(call, Call::Step { .. }) {
            builder.arg(steps);
        }
        builder.arg(&number).arg(&count);
        // SAFETY: argument types are those of the kernel, addresses are blocks of this device.
        unsafe { builder.launch(config) }.map_err(driver)?;
        Ok(())
    }

    fn keep<T>(
        list: &mut Vec<(Address, CudaSlice<T>)>,
        stream: &Arc<CudaStream>,
        block: CudaSlice<T>,
    ) -> Address {
        let address = block.device_ptr(stream).0;
        list.push((address, block));
        address
    }

    fn room(&self, bytes: usize) -> Result<(), DeviceError> {
        let (free, _) = self.context.mem_get_info().map_err(driver)?;
        if bytes > free { Err(DeviceError::Memory { needed: bytes, free }) } else { Ok(()) }
    }
}

/// Name of the kernel, its first word and the number of threads or blocks.
fn named(call: &Call) -> (&'static str, i32, i32) {
    match *call {
        Call::Prescribe { count } => ("fx_prescribe", 0, count as i32),
        Call::Evaluate { kernel, first, count } => {
            let name = match kernel {
                Kernel::LaneSpin => "fx_lane_spin",
                Kernel::LaneMotion => "fx_lane_motion",
                Kernel::LaneIn => "fx_lane_in",
                Kernel::LaneOut => "fx_lane_out",
                Kernel::LaneHandle => "fx_lane_handle",
                Kernel::SpinUp => "fx_spin_up",
                Kernel::SpinRoot => "fx_spin_root",
                Kernel::SpinDown => "fx_spin_down",
                Kernel::Join => "fx_join",
                Kernel::Show => "fx_show",
                Kernel::Sum => "fx_sum",
                Kernel::Hang => "fx_hang",
                Kernel::Part => "fx_part",
                Kernel::Block => "fx_block",
                Kernel::LaneWay => "fx_lane_way",
                Kernel::WayUp => "fx_way_up",
                Kernel::WayRoot => "fx_way_root",
                Kernel::WayDown => "fx_way_down",
                Kernel::LanePose => "fx_lane_pose",
                Kernel::FrameLoad => "fx_frame_load",
                Kernel::Subtree => "fx_subtree",
                Kernel::LaneTeam => "fx_lane_team",
            };
            (name, first as i32, count as i32)
        }
        Call::Step { kernel, stage, count } => {
            let name = match kernel {
                StepKernel::Begin => "fx_begin",
                StepKernel::Advance => "fx_advance",
                StepKernel::Finish => "fx_finish",
                StepKernel::Error => "fx_error",
                StepKernel::Settle => "fx_settle",
                StepKernel::Judge => "fx_judge",
                StepKernel::JudgeAll => "fx_judge_all",
                StepKernel::Tick => "fx_tick",
                StepKernel::Standing => "fx_standing",
            };
            (name, stage as i32, count as i32)
        }
    }
}

fn unknown() -> DeviceError {
    DeviceError::Driver("address of no block of the device".into())
}

impl Device for CudaDevice {
    fn describe(&self) -> Description {
        describe(&self.context, self.number).unwrap_or(Description {
            word: format!("cuda:{}", self.number),
            name: "a CUDA device that no longer answers".into(),
            memory: (0, 0),
            capability: (0, 0, 0),
        })
    }

    fn put_integers(&mut self, data: &[i32]) -> Result<Address, DeviceError> {
        self.room(4 * data.len())?;
        let block = self.stream.clone_htod(data).map_err(driver)?;
        Ok(Self::keep(&mut self.integers, &self.stream, block))
    }

    fn put_numbers(&mut self, data: &[f64]) -> Result<Address, DeviceError> {
        self.room(8 * data.len())?;
        let block = self.stream.clone_htod(data).map_err(driver)?;
        Ok(Self::keep(&mut self.numbers, &self.stream, block))
    }

    fn zeros(&mut self, count: usize) -> Result<Address, DeviceError> {
        self.room(8 * count)?;
        let block = self.stream.alloc_zeros::<f64>(count.max(1)).map_err(driver)?;
        Ok(Self::keep(&mut self.numbers, &self.stream, block))
    }

    fn zero_integers(&mut self, count: usize) -> Result<Address, DeviceError> {
        self.room(4 * count)?;
        let block = self.stream.alloc_zeros::<i32>(count.max(1)).map_err(driver)?;
        Ok(Self::keep(&mut self.integers, &self.stream, block))
    }

    fn write(&mut self, at: Address, data: &[f64]) -> Result<(), DeviceError> {
        let block = self.numbers.iter_mut().find(|(address, _)| *address == at).ok_or_else(unknown)?;
        let mut view = block.1.slice_mut(..data.len());
        self.stream.memcpy_htod(data, &mut view).map_err(driver)
    }

    fn read(&mut self, at: Address, out: &mut [f64]) -> Result<(), DeviceError> {
        let block = self.numbers.iter().find(|(address, _)| *address == at).ok_or_else(unknown)?;
        self.stream.memcpy_dtoh(&block.1.slice(..out.len()), out).map_err(driver)?;
        self.stream.synchronize().map_err(driver)
    }

    fn write_integers(&mut self, at: Address, data: &[i32]) -> Result<(), DeviceError> {
        let block = self.integers.iter_mut().find(|(address, _)| *address == at).ok_or_else(unknown)?;
        let mut view = block.1.slice_mut(..data.len());
        self.stream.memcpy_htod(data, &mut view).map_err(driver)
    }

    fn read_integers(&mut self, at: Address, out: &mut [i32]) -> Result<(), DeviceError> {
        let block = self.integers.iter().find(|(address, _)| *address == at).ok_or_else(unknown)?;
        self.stream.memcpy_dtoh(&block.1.slice(..out.len()), out).map_err(driver)?;
        self.stream.synchronize().map_err(driver)
    }

    fn record(&mut self, args: &Args, steps: &Steps, calls: &[Call]) -> Result<Program, DeviceError> {
        for call in calls {
            self.load(named(call).0)?;
        }
        self.stream.synchronize().map_err(driver)?;
        self.stream
            .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
            .map_err(driver)?;
        let launched: Result<(), DeviceError> =
            calls.iter().filter(|call| named(call).2 > 0).try_for_each(|call| self.launch(args, steps, call));
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = self.stream.end_capture(flags).map_err(driver);
        launched?;
        let graph = graph?.ok_or_else(|| DeviceError::Driver("CUDA recorded nothing".into()))?;
        self.programs.push(graph);
        Ok(self.programs.len() - 1)
    }

    fn replay(&mut self, program: Program, times: usize) -> Result<(), DeviceError> {
        let graph = self.programs.get(program).ok_or_else(unknown)?;
        (0..times).try_for_each(|_| graph.launch().map_err(driver))
    }

    fn time(&mut self, program: Program, times: usize) -> Result<f64, DeviceError> {
        let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
        let start = self.stream.record_event(flags).map_err(driver)?;
        self.replay(program, times)?;
        let end = self.stream.record_event(flags).map_err(driver)?;
        Ok(f64::from(start.elapsed_ms(&end).map_err(driver)?))
    }
}
