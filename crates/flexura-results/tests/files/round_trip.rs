//! What is written is read back, and what cannot be written or read is refused.

use std::time::Duration;

use crate::common::{layout, options, row, scratch, write};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema};
use flexura_results::{
    Channel, Family, Layout, ResultFile, ResultsError, Writer, WriterOptions, repair, write_index,
};

#[test]
fn rows_and_layout_come_back() {
    let path = scratch("rows_and_layout").join("a.arrows");
    let mut writer = Writer::create(&path, &layout(), &options(4)).unwrap();
    assert_eq!(writer.row_width(), 6);
    for index in 0..10 {
        writer.row().copy_from_slice(&row(index));
        writer.commit().unwrap();
    }
    assert_eq!(writer.rows(), 10);
    let summary = writer.finish().unwrap();
    assert_eq!((summary.rows, summary.batches), (10, 3));
    assert_eq!(summary.bytes, std::fs::metadata(&path).unwrap().len());

    let file = ResultFile::open(&path).unwrap();
    assert_eq!(file.layout(), &layout());
    assert!(file.complete());
    assert_eq!(file.torn(), None);
    assert_eq!((file.rows(), file.batches()), (10, 3));
    let names: Vec<&str> = file.channel_names().collect();
    assert_eq!(names[..2], ["time", "crank.x"]);
    for (column, name) in names.iter().enumerate() {
        let expected: Vec<f64> = (0..10).map(|index| row(index)[column]).collect();
        assert_eq!(file.channel(name).unwrap(), expected, "{name}");
    }
    assert_eq!(file.time(), file.channel("time").unwrap());
}

#[test]
fn special_values_keep_every_bit() {
    let path = scratch("special_values").join("a.arrows");
    let values =
        [0.1, -0.0, f64::INFINITY, f64::from_bits(1), f64::from_bits(0x7ff8_0000_dead_beef), f64::MIN];
    let mut writer = Writer::create(&path, &layout(), &options(4)).unwrap();
    writer.push(&values).unwrap();
    writer.finish().unwrap();
    let file = ResultFile::open(&path).unwrap();
    for (name, value) in file.channel_names().zip(values) {
        let read = file.channel(name).unwrap();
        assert_eq!(read[0].to_bits(), value.to_bits(), "{name}");
    }
}

#[test]
fn equal_results_give_equal_files() {
    let folder = scratch("equal_results");
    write(&folder.join("a.arrows"), 20, 8);
    write(&folder.join("b.arrows"), 20, 8);
    let read = |name| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(read("a.arrows"), read("b.arrows"));
}

#[test]
fn no_rows_still_make_a_file() {
    let path = scratch("no_rows").join("a.arrows");
    write(&path, 0, 8);
    let file = ResultFile::open(&path).unwrap();
    assert_eq!((file.rows(), file.batches(), file.complete()), (0, 0, true));
    assert!(file.channel("crank.x").unwrap().is_empty());
    assert_eq!(file.layout(), &layout());
}

#[test]
fn forgotten_values_are_nan_in_recycled_batches_too() {
    let path = scratch("forgotten_values").join("a.arrows");
    let mut writer = Writer::create(&path, &layout(), &options(2)).unwrap();
    for index in 0..20 {
        writer.push(&row(index)).unwrap();
    }
    for index in 20..30 {
        writer.row()[0] = row(index)[0];
        writer.commit().unwrap();
    }
    writer.finish().unwrap();
    let values = ResultFile::open(&path).unwrap().channel("crank.y").unwrap();
    assert!(values[..20].iter().all(|value| value.is_finite()));
    assert!(values[20..].iter().all(|value| value.is_nan()));
}

#[test]
fn time_hands_over_unfilled_batches() {
    let path = scratch("hand_over_time").join("a.arrows");
    let mut hurried = options(1000);
    hurried.hand_over_interval = Duration::ZERO;
    let mut writer = Writer::create(&path, &layout(), &hurried).unwrap();
    for index in 0..5 {
        writer.push(&row(index)).unwrap();
    }
    assert_eq!(writer.finish().unwrap().batches, 5);
}

#[test]
fn existing_and_open_files_are_guarded() {
    let path = scratch("guarded").join("a.arrows");
    write(&path, 3, 8);
    let refused = Writer::create(&path, &layout(), &options(8)).unwrap_err();
    assert!(matches!(refused, ResultsError::AlreadyExists { .. }));
    assert!(refused.to_string().contains(path.to_str().unwrap()));
    assert_eq!(ResultFile::open(&path).unwrap().rows(), 3);

    let overwrite = WriterOptions { overwrite: true, ..options(8) };
    let twice = layout().with_family(layout().families[0].clone());
    assert!(Writer::create(&path, &twice, &overwrite).is_err());
    assert_eq!(ResultFile::open(&path).unwrap().rows(), 3, "file was lost");

    let mut writer = Writer::create(&path, &layout(), &overwrite).unwrap();
    writer.push(&row(0)).unwrap();
    if cfg!(unix) {
        let second = Writer::create(&path, &layout(), &overwrite).unwrap_err();
        assert!(matches!(second, ResultsError::InUse { .. }), "{second}");
        let repaired = repair(&path).unwrap_err();
        assert!(matches!(repaired, ResultsError::InUse { .. }), "{repaired}");
    }
    writer.finish().unwrap();
    assert_eq!(ResultFile::open(&path).unwrap().rows(), 1);
}

#[test]
fn bad_rows_are_refused_and_leave_no_trace() {
    let path = scratch("bad_rows").join("a.arrows");
    let mut writer = Writer::create(&path, &layout(), &options(8)).unwrap();
    let short = writer.push(&[0.0; 5]).unwrap_err();
    assert!(matches!(short, ResultsError::RowWidth { expected: 6, found: 5 }));
    let timeless = writer.commit().unwrap_err();
    assert!(matches!(timeless, ResultsError::Time { row: 0, .. }));
    writer.push(&row(0)).unwrap();
    assert_eq!(writer.finish().unwrap().rows, 1);
}

#[test]
fn bad_layouts_are_refused_by_name() {
    let family = |name: &str, channel: &str| Family::new(name, "", vec![Channel::new(channel, "")]);
    let message = |layout: Layout| layout.validate().unwrap_err().to_string();

    let twice = Layout::default().with_family(family("pose", "crank.x"));
    let twice = twice.with_family(family("joint", "crank.x"));
    assert_eq!(
        message(twice),
        "channel name `crank.x` is used twice: in family `pose` and in family `joint`"
    );
    let time = Layout::default().with_family(family("pose", "time"));
    assert!(message(time).contains("`time` is used twice"));
    let families = Layout::default().with_family(family("pose", "a"));
    let families = families.with_family(family("pose", "b"));
    assert!(message(families).contains("family name `pose`"));
    let empty = Layout::default().with_family(Family::new("modal", "", vec![]));
    assert!(message(empty).contains("`modal` has no channels"));
    assert!(message(Layout::default().with_family(family("", "a"))).contains("no name"));
    assert!(message(Layout::default().with_family(family("a", ""))).contains("no name"));
    let reserved = Layout::default().with_metadata("flexura.format", "7");
    assert!(message(reserved).contains("reserved"));
}

#[test]
fn foreign_files_are_named_as_such() {
    let folder = scratch("foreign_files");
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        let message = ResultFile::open(&path).unwrap_err().to_string();
        assert!(message.contains(name), "{message}");
        message
    };
    let stream = |schema: Schema| {
        let writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
        writer.into_inner().unwrap()
    };
    assert!(message("empty", b"").contains("it is empty"));
    assert!(message("text", b"time,x\n0,1\n0.5,2\n").contains("not a Flexura result"));
    let plain = Schema::new(vec![Field::new("time", DataType::Float64, false)]);
    assert!(message("plain", &stream(plain.clone())).contains("flexura.format"));
    let version = |version: &str| plain.clone().with_metadata([("flexura.format", version)]);
    assert!(message("newer", &stream(version("2"))).contains("version `2`"));
    let mut other = version("1");
    other.fields = vec![Field::new("time", DataType::Utf8, false)].into();
    assert!(message("other", &stream(other)).contains("first column"));

    let missing = folder.join("missing");
    let error = ResultFile::open(&missing).unwrap_err().to_string();
    assert!(error.starts_with("cannot read `"), "{error}");
    let nowhere = missing.join("a.arrows");
    let error = Writer::create(&nowhere, &layout(), &options(8)).unwrap_err();
    assert!(error.to_string().contains(nowhere.to_str().unwrap()));
}

#[test]
fn an_index_comes_whole_or_not_at_all() {
    let folder = scratch("index_whole");
    let (path, part) = (folder.join("a.fxr"), folder.join("a.0.fxr"));
    write(&part, 5, 2);
    let parts = ["a.0.fxr".to_owned()];
    write_index(&path, &layout(), &parts, false).unwrap();
    let file = ResultFile::open(&path).unwrap();
    assert_eq!((file.rows(), file.complete()), (5, true));
    let before = std::fs::read(&path).unwrap();
    let refused = write_index(&path, &layout(), &["b.fxr".to_owned()], false);
    assert!(matches!(refused, Err(ResultsError::AlreadyExists { .. })), "{refused:?}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    write_index(&path, &layout(), &parts, true).unwrap();
    // What was written beside is gone, moved or refused.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}
