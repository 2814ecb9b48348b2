//! The stepping thread does not allocate, even while it waits for the writer thread.
#![allow(unsafe_code)] // counting allocations takes an allocator

mod common;

use std::alloc::{GlobalAlloc, Layout as Block, System};
use std::cell::Cell;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use common::{layout, options, row, scratch};
use flexura_results::{ResultFile, Sink, Writer};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting the calls of each thread.
struct Counting;

// SAFETY: every call is passed on unchanged; the counter neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Block) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(block) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, block: Block) {
        unsafe { System.dealloc(pointer, block) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, block: Block, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(pointer, block, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of this thread during `work`.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_counts() {
    let mut kept = Vec::new();
    assert_eq!(allocations(|| kept.push(1)), 1);
    assert_eq!(allocations(|| kept[0] += 1), 0);
}

#[test]
fn commits_do_not_allocate() {
    let path = scratch("commits").join("a.arrows");
    let mut hasty = options(16);
    hasty.hand_over_interval = Duration::from_micros(50);
    let mut writer = Writer::create(&path, &layout(), &hasty).unwrap();
    let count = allocations(|| {
        for index in 0..5000 {
            writer.row().copy_from_slice(&row(index));
            writer.commit().unwrap();
        }
        writer.push(&row(5000)).unwrap();
        writer.flush().unwrap();
    });
    assert_eq!(count, 0);
    assert!(writer.finish().unwrap().batches > 5000 / 16);
    assert_eq!(ResultFile::open(&path).unwrap().rows(), 5001);
}

/// A destination slower than the simulation.
struct Slow;

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(10));
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Slow {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn waiting_for_a_slow_destination_does_not_allocate() {
    // On a thread of its own, on which nothing has waited before.
    let thread = std::thread::spawn(|| {
        let mut writer = Writer::to_sink(Slow, "slow", &layout(), &options(4)).unwrap();
        let start = Instant::now();
        let count = allocations(|| {
            for index in 0..80 {
                writer.push(&row(index)).unwrap();
            }
        });
        assert_eq!(count, 0);
        assert!(start.elapsed() > Duration::from_millis(50), "never waited");
        assert_eq!(writer.finish().unwrap().rows, 80);
    });
    thread.join().unwrap();
}
