//! The report: lines of Markdown to the terminal and, where asked for, into a file, each as soon as it is known.

use std::fs::File;
use std::io::Write;
use std::time::Instant;

pub struct Report {
    file: Option<File>,
    start: Instant,
    section: Option<(String, Instant)>,
}

/// A line of the report.
macro_rules! say {
    ($report:expr, $($words:tt)*) => { $report.line(&format!($($words)*)) };
}
pub(crate) use say;

impl Report {
    /// A report that also goes into the file at `path`.
    pub fn new(path: Option<&str>) -> std::io::Result<Self> {
        Ok(Self { file: path.map(File::create).transpose()?, start: Instant::now(), section: None })
    }

    pub fn line(&mut self, text: &str) {
        println!("{text}");
        let written = self.file.as_mut().map(|file| writeln!(file, "{text}"));
        if let Some(Err(error)) = written {
            eprintln!("the report's file cannot be written: {error}");
            self.file = None;
        }
    }

    /// Begins a section; the one before says how long it took.
    pub fn section(&mut self, title: &str) {
        self.end();
        self.section = Some((title.to_owned(), Instant::now()));
        self.line(&format!("\n## {title}\n"));
    }

    /// Ends the section.
    pub fn end(&mut self) {
        if let Some((title, begin)) = self.section.take() {
            let (own, all) = (begin.elapsed().as_secs_f64(), self.start.elapsed().as_secs_f64());
            self.line(&format!("\n({title}: {own:.1} s, {all:.1} s since the start)"));
        }
    }

    /// Head of a table.
    pub fn head(&mut self, columns: &[&str]) {
        self.line(&format!("\n| {} |", columns.join(" | ")));
        self.line(&format!("|{}", "---|".repeat(columns.len())));
    }
}
