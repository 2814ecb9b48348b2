//! Finding channels by name and pattern, and exporting them as text.

use std::io;

use crate::common::{layout, options, scratch, write};
use flexura_results::{Channel, Family, Layout, ResultFile, ResultsError, Writer, export_csv};

fn reference(test: &str) -> ResultFile {
    let path = scratch(test).join("a.arrows");
    write(&path, 3, 2);
    ResultFile::open(&path).unwrap()
}

#[test]
fn patterns_select_in_row_order_and_once() {
    let file = reference("patterns");
    let select = |patterns: &[&str]| file.select(patterns).unwrap();
    assert_eq!(select(&["crank.?"]), ["crank.x", "crank.y"]);
    assert_eq!(
        select(&["energy.*", "crank.angle", "*.strain"]),
        ["crank.angle", "energy.kinetic", "energy.strain"]
    );
    assert_eq!(select(&["*"]).len(), layout().row_width());
    assert_eq!(select(&["t*"]), ["time"]);
    assert!(select(&[]).is_empty());
}

#[test]
fn unknown_names_bring_up_to_three_near_ones() {
    let file = reference("unknown_names");
    let near = |name: &str| match file.channel(name) {
        Err(ResultsError::UnknownChannel { near, .. }) => near,
        other => panic!("{other:?}"),
    };
    assert_eq!(near("crank.z"), ["crank.x", "crank.y"]);
    assert_eq!(near("Energy.Strian"), ["energy.strain"]);
    assert!(near("piston.velocity").is_empty());
    assert_eq!(
        file.channel("crank.angel").unwrap_err().to_string(),
        "no channel is named `crank.angel`; did you mean `crank.angle`?"
    );
    assert_eq!(
        file.select(&["*", "cranc.x"]).unwrap_err().to_string(),
        "no channel matches `cranc.x`; did you mean `crank.x`, `crank.y`?"
    );
}

#[test]
fn at_most_three_names_are_suggested() {
    let path = scratch("three_names").join("a.arrows");
    let channels = (1..=9).map(|mode| Channel::new(format!("mode{mode}"), ""));
    let family = Family::new("modal", "", channels.collect());
    let layout = Layout::default().with_family(family);
    let writer = Writer::create(&path, &layout, &options(4)).unwrap();
    writer.finish().unwrap();
    let error = ResultFile::open(&path).unwrap().channel("mode").unwrap_err();
    assert!(error.to_string().ends_with("`mode1`, `mode2`, `mode3`?"));
}

#[test]
fn csv_has_the_exact_text() {
    let path = scratch("csv_text").join("a.arrows");
    let channels = vec![
        Channel::new("x", "m"),
        Channel::new("ratio", ""),
        Channel::new("a,\"b\"", "m/s"),
        Channel::new("left out", "N"),
    ];
    let layout = Layout::default().with_family(Family::new("mixed", "", channels));
    let mut writer = Writer::create(&path, &layout, &options(2)).unwrap();
    for row in [
        [0.0, 0.1 + 0.2, -0.0, 1e300, 7.0],
        [1e-3, f64::NAN, f64::INFINITY, 1e-300, 7.0],
        [2.5, 123456789.125, -1e16, f64::MIN_POSITIVE, 7.0],
    ] {
        writer.push(&row).unwrap();
    }
    writer.finish().unwrap();
    let file = ResultFile::open(&path).unwrap();
    let mut text = Vec::new();
    export_csv(&file, &["a*", "ratio", "x", "time"], &mut text).unwrap();
    let expected = "time [s],x [m],ratio,\"a,\"\"b\"\" [m/s]\"\n\
                    0,0.30000000000000004,-0,1e300\n\
                    0.001,NaN,inf,1e-300\n\
                    2.5,123456789.125,-1e16,2.2250738585072014e-308\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn csv_numbers_read_back_exactly() {
    let path = scratch("csv_numbers").join("a.arrows");
    let family = Family::new("f", "", vec![Channel::new("x", "")]);
    let layout = Layout::default().with_family(family);
    let mut writer = Writer::create(&path, &layout, &options(64)).unwrap();
    // A full-period generator over the bits; only finite values are kept.
    let mut bits = 1_u64;
    for index in 0..2000 {
        bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let value = f64::from_bits(bits);
        if value.is_finite() {
            writer.push(&[f64::from(index), value]).unwrap();
        }
    }
    writer.finish().unwrap();
    let file = ResultFile::open(&path).unwrap();
    let mut text = Vec::new();
    export_csv(&file, &["x"], &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let read = text.lines().skip(1).map(|line| line.split_once(',').unwrap().1);
    let read: Vec<u64> = read.map(|x| x.parse::<f64>().unwrap().to_bits()).collect();
    let written = file.channel("x").unwrap();
    assert!(written.len() > 1900);
    assert_eq!(read, written.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
}

#[test]
fn export_reports_bad_patterns_and_failing_destinations() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let file = reference("export_failures");
    let closed = export_csv(&file, &["*"], Closed).unwrap_err();
    assert!(matches!(closed, ResultsError::Export(_)), "{closed}");
    let mut text = Vec::new();
    let none = export_csv(&file, &["piston.*"], &mut text).unwrap_err();
    assert!(matches!(none, ResultsError::NoMatch { .. }), "{none}");
    assert!(text.is_empty());
}

#[test]
fn parquet_holds_the_same_numbers_units_and_names() {
    use parquet::column::reader::ColumnReader;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let file = reference("parquet");
    let path = file.path().with_extension("parquet");
    let names: Vec<String> = file.channel_names().map(str::to_owned).collect();
    flexura_results::export_parquet(&file, &["*"], std::fs::File::create(&path).expect("a file"))
        .expect("an export");
    let reader = SerializedFileReader::new(std::fs::File::open(&path).expect("a file")).expect("Parquet");
    let columns = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    let found: Vec<&str> = columns.iter().map(|column| column.name()).collect();
    assert_eq!(found, names);
    let pairs = reader.metadata().file_metadata().key_value_metadata().expect("metadata");
    let units = pairs.iter().find(|pair| pair.key == "units").and_then(|pair| pair.value.clone());
    let units: serde_json::Value = serde_json::from_str(&units.expect("units")).expect("JSON");
    assert_eq!(units["time"], "s");
    let group = reader.get_row_group(0).expect("rows");
    for (k, name) in names.iter().enumerate() {
        let ColumnReader::DoubleColumnReader(mut column) = group.get_column_reader(k).expect("a column")
        else {
            panic!("{name} is not a column of numbers");
        };
        let mut values = Vec::new();
        column.read_records(file.rows(), None, None, &mut values).expect("numbers");
        let bits = |list: &[f64]| list.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&values), bits(&file.channel(name).expect("a channel")), "{name}");
    }
}
