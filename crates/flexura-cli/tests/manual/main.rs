//! Pages and examples: what they say is what the program does.

#[path = "../common/mod.rs"]
mod common;

mod book;
mod book_command;
mod book_commands;
mod command_pages;
mod commands;
mod examples;
mod other_programs;
mod readme;
