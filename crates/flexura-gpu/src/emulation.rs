//! The kernels on the processor: the same source, the same bits. One of the two rooms with `unsafe`: calls of C functions on
//! addresses that this file hands out itself and keeps alive.
#![allow(unsafe_code)]

use crate::args::{Address, Args, Steps};
use crate::device::{Call, Description, Device, Program, StepKernel};
use crate::error::DeviceError;
use flexura::lower::Kernel;
use std::time::Instant;

type Evaluate = unsafe extern "C" fn(*const Args, i32, i32);
type Step = unsafe extern "C" fn(*const Args, *const Steps, i32, i32);

unsafe extern "C" {
    fn fx_prescribe(args: *const Args, first: i32, count: i32);
    fn fx_lane_spin(args: *const Args, first: i32, count: i32);
    fn fx_lane_motion(args: *const Args, first: i32, count: i32);
    fn fx_lane_in(args: *const Args, first: i32, count: i32);
    fn fx_lane_handle(args: *const Args, first: i32, count: i32);
    fn fx_lane_out(args: *const Args, first: i32, count: i32);
    fn fx_spin_up(args: *const Args, first: i32, count: i32);
    fn fx_spin_root(args: *const Args, first: i32, count: i32);
    fn fx_spin_down(args: *const Args, first: i32, count: i32);
    fn fx_join(args: *const Args, first: i32, count: i32);
    fn fx_show(args: *const Args, first: i32, count: i32);
    fn fx_sum(args: *const Args, first: i32, count: i32);
    fn fx_hang(args: *const Args, first: i32, count: i32);
    fn fx_part(args: *const Args, first: i32, count: i32);
    fn fx_lane_way(args: *const Args, first: i32, count: i32);
    fn fx_way_up(args: *const Args, first: i32, count: i32);
    fn fx_way_root(args: *const Args, first: i32, count: i32);
    fn fx_way_down(args: *const Args, first: i32, count: i32);
    fn fx_lane_pose(args: *const Args, first: i32, count: i32);
    fn fx_frame_load(args: *const Args, first: i32, count: i32);
    fn fx_block(args: *const Args, first: i32, count: i32);
    fn fx_subtree(args: *const Args, first: i32, count: i32);
    fn fx_lane_team(args: *const Args, first: i32, count: i32);
    fn fx_begin(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_advance(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_finish(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_error(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_settle(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_judge(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_judge_all(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_tick(args: *const Args, steps: *const Steps, stage: i32, count: i32);
    fn fx_standing(args: *const Args, steps: *const Steps, stage: i32, count: i32);
}

fn evaluate(kernel: Kernel) -> Evaluate {
    match kernel {
        Kernel::LaneSpin => fx_lane_spin,
        Kernel::LaneMotion => fx_lane_motion,
        Kernel::LaneIn => fx_lane_in,
        Kernel::LaneOut => fx_lane_out,
        Kernel::LaneHandle => fx_lane_handle,
        Kernel::SpinUp => fx_spin_up,
        Kernel::SpinRoot => fx_spin_root,
        Kernel::SpinDown => fx_spin_down,
        Kernel::Join => fx_join,
        Kernel::Show => fx_show,
        Kernel::Sum => fx_sum,
        Kernel::Hang => fx_hang,
        Kernel::Part => fx_part,
        Kernel::Block => fx_block,
        Kernel::LaneWay => fx_lane_way,
        Kernel::WayUp => fx_way_up,
        Kernel::WayRoot => fx_way_root,
        Kernel::WayDown => fx_way_down,
        Kernel::LanePose => fx_lane_pose,
        Kernel::FrameLoad => fx_frame_load,
        Kernel::Subtree => fx_subtree,
        Kernel::LaneTeam => fx_lane_team,
    }
}

fn step(kernel: StepKernel) -> Step {
    match kernel {
        StepKernel::Begin => fx_begin,
        StepKernel::Advance => fx_advance,
        StepKernel::Finish => fx_finish,
        StepKernel::Error => fx_error,
        StepKernel::Settle => fx_settle,
        StepKernel::Judge => fx_judge,
        StepKernel::JudgeAll => fx_judge_all,
        StepKernel::Tick => fx_tick,
        StepKernel::Standing => fx_standing,
    }
}

/// Memory on the heap and recorded calls.
#[derive(Default)]
pub(crate) struct Emulation {
    numbers: Vec<Box<[f64]>>,
    integers: Vec<Box<[i32]>>,
    programs: Vec<(Args, Steps, Vec<Call>)>,
}

impl Emulation {
    pub fn new() -> Self {
        Self::default()
    }

    fn block(&mut self, at: Address) -> Option<&mut [f64]> {
        self.numbers.iter_mut().find(|block| block.as_ptr() as Address == at).map(|block| &mut block[..])
    }

    fn integer_block(&mut self, at: Address) -> Option<&mut [i32]> {
        self.integers.iter_mut().find(|block| block.as_ptr() as Address == at).map(|block| &mut block[..])
    }
}

fn unknown() -> DeviceError {
    DeviceError::Driver("address of no block of the emulated device".into())
}

impl Device for Emulation {
    fn describe(&self) -> Description {
        Description {
            word: "emulated".into(),
            name: "kernels on one thread of the processor".into(),
            memory: (0, 0),
            capability: (0, 0, 1),
        }
    }

    fn put_integers(&mut self, data: &[i32]) -> Result<Address, DeviceError> {
        self.integers.push(data.into());
        Ok(self.integers.last_mut().map_or(0, |block| block.as_mut_ptr() as Address))
    }

    fn put_numbers(&mut self, data: &[f64]) -> Result<Address, DeviceError> {
        self.numbers.push(data.into());
        Ok(self.numbers.last_mut().map_or(0, |block| block.as_mut_ptr() as Address))
    }

    fn zeros(&mut self, count: usize) -> Result<Address, DeviceError> {
        self.put_numbers(&vec![0.0; count.max(1)])
    }

    fn zero_integers(&mut self, count: usize) -> Result<Address, DeviceError> {
        self.put_integers(&vec![0; count.max(1)])
    }

    fn write(&mut self, at: Address, data: &[f64]) -> Result<(), DeviceError> {
        self.block(at).ok_or_else(unknown)?[..data.len()].copy_from_slice(data);
        Ok(())
    }

    fn read(&mut self, at: Address, out: &mut [f64]) -> Result<(), DeviceError> {
        let count = out.len();
        out.copy_from_slice(&self.block(at).ok_or_else(unknown)?[..count]);
        Ok(())
    }

    fn write_integers(&mut self, at: Address, data: &[i32]) -> Result<(), DeviceError> {
        self.integer_block(at).ok_or_else(unknown)?[..data.len()].copy_from_slice(data);
        Ok(())
    }

    fn read_integers(&mut self, at: Address, out: &mut [i32]) -> Result<(), DeviceError> {
        let count = out.len();
        out.copy_from_slice(&self.integer_block(at).ok_or_else(unknown)?[..count]);
        Ok(())
    }

    fn record(&mut self, args: &Args, steps: &Steps, calls: &[Call]) -> Result<Program, DeviceError> {
        self.programs.push((*args, *steps, calls.to_vec()));
        Ok(self.programs.len() - 1)
    }

    fn replay(&mut self, program: Program, times: usize) -> Result<(), DeviceError> {
        let (args, steps, calls) = self.programs.get(program).ok_or_else(unknown)?;
        for call in std::iter::repeat_n(calls, times).flatten() {
            // SAFETY: all addresses in args and steps are blocks of this device, as large as the kernels go
            // (`system`, `steps`), and nothing else reads or writes them meanwhile.
            unsafe {
                match *call {
                    Call::Prescribe { count } => fx_prescribe(args, 0, count as i32),
                    Call::Evaluate { kernel, first, count } => {
                        evaluate(kernel)(args, first as i32, count as i32);
                    }
                    Call::Step { kernel, stage, count } => {
                        step(kernel)(args, steps, stage as i32, count as i32);
                    }
                }
            }
        }
        Ok(())
    }

    fn time(&mut self, program: Program, times: usize) -> Result<f64, DeviceError> {
        let start = Instant::now();
        self.replay(program, times)?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    }
}
