//! Texts behind the rows, known only when a run has ended.

use std::fs;
use std::path::Path;

use crate::common::{layout, options, row, scratch, write};
use arrow_ipc::reader::StreamReader;
use flexura_results::{ResultFile, Writer, WriterOptions, repair};

const KEY: &str = "verdicts";

/// Ten rows, and a text with everything that a text may hold.
fn write_with(path: &Path, text: &str) {
    let options = WriterOptions { overwrite: true, ..options(4) };
    let mut writer = Writer::create(path, &layout(), &options).unwrap();
    for index in 0..10 {
        writer.push(&row(index)).unwrap();
    }
    let summary = writer.finish_with([(KEY.to_owned(), text.to_owned())]).unwrap();
    assert_eq!((summary.rows, summary.batches), (10, 3), "texts are no batch of rows");
    assert_eq!(summary.bytes, fs::metadata(path).unwrap().len());
}

#[test]
fn texts_behind_the_rows_are_metadata() {
    let path = scratch("texts_behind").join("a.arrows");
    for text in ["", "x", "\"12345678\" η ⟨\n⟩\0", &"long ".repeat(40_000)] {
        write_with(&path, text);
        let file = ResultFile::open(&path).unwrap();
        assert_eq!(file.layout(), &layout().with_metadata(KEY, text));
        assert_eq!((file.rows(), file.batches(), file.complete(), file.torn()), (10, 3, true, None));
        assert_eq!(file.channel("crank.x").unwrap()[9], row(9)[1]);
    }
}

#[test]
fn other_readers_of_the_format_see_no_further_rows() {
    let path = scratch("texts_and_others").join("a.arrows");
    write_with(&path, "text");
    let batches: Vec<usize> = StreamReader::try_new(fs::File::open(&path).unwrap(), None)
        .unwrap()
        .map(|batch| batch.expect("a batch that the general reader takes").num_rows())
        .collect();
    assert_eq!(batches, [4, 4, 2, 0]);
}

#[test]
fn a_header_is_not_overruled() {
    let path = scratch("texts_and_header").join("a.arrows");
    let mut writer = Writer::create(&path, &layout(), &options(4)).unwrap();
    writer.push(&row(0)).unwrap();
    writer.finish_with([("model".to_owned(), "another".to_owned())]).unwrap();
    assert_eq!(ResultFile::open(&path).unwrap().layout(), &layout());
}

#[test]
fn a_file_cut_anywhere_in_its_texts_keeps_its_rows_and_repair_keeps_texts() {
    let folder = scratch("texts_cut");
    let (path, plain) = (folder.join("a.arrows"), folder.join("b.arrows"));
    write_with(&path, "text");
    write(&plain, 10, 4);
    let bytes = fs::read(&path).unwrap();
    let rows_end = fs::read(&plain).unwrap().len() - 8;
    for end in rows_end..bytes.len() {
        fs::write(&path, &bytes[..end]).unwrap();
        let file = ResultFile::open(&path).unwrap();
        assert_eq!((file.rows(), file.complete()), (10, false), "cut at {end}");
        // Whole behind its last byte, eight before the end marker is complete.
        assert_eq!(file.layout().metadata.contains_key(KEY), end >= bytes.len() - 8, "cut at {end}");
    }
    assert!(repair(&path).unwrap().changed);
    assert_eq!(fs::read(&path).unwrap(), bytes, "what was cut is the end marker");
}

#[test]
fn damage_in_texts_is_no_panic() {
    let path = scratch("texts_damaged").join("a.arrows");
    write_with(&path, "text");
    let bytes = fs::read(&path).unwrap();
    for place in bytes.len() - 320..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[place] ^= flip;
            fs::write(&path, &damaged).unwrap();
            if let Ok(file) = ResultFile::open(&path) {
                assert!(
                    file.rows() == 10 || file.torn().is_some(),
                    "byte {place} ^ {flip:#x}: {} rows",
                    file.rows()
                );
            }
        }
    }
}
