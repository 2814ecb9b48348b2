//! Pages and examples: what they say is what the program does.

#[path = "../common/mod.rs"]
mod common;

mod book;
mod commands;
mod examples;
mod other_programs;
mod readme;
