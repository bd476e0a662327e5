//! JSONTestSuite (tests/data/json-test-suite): strict reading accepts what must
//! be accepted and rejects what must be rejected.

use crate::reader::{read, read_cut};
use crate::value::Value;
use serde::de::IgnoredAny;
use tokenweir::json::{MOST_LEVELS, Rules};

/// What an implementation may do either way, and what of it we refuse. All of it is as `JSON.parse` does.
const REFUSED: [&str; 4] = [
    // UTF-16 read as if it were UTF-8.
    "i_string_UTF-16LE_with_BOM",
    "i_string_utf16BE_no_BOM",
    "i_string_utf16LE_no_BOM",
    // A byte order mark is JSON5's white space.
    "i_structure_UTF-8_BOM_empty_object",
];

fn cases() -> Vec<(String, String)> {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/json-test-suite/parsing.json"));
    let cases: Vec<(String, String)> = serde_json::from_str(text).unwrap();
    assert_eq!(cases.len(), 316);
    cases
}

#[test]
fn strict_reading_passes_the_suite() {
    let mut counts = [0; 3];
    for (name, text) in cases() {
        let reading = read_cut(&text, Rules::STRICT, MOST_LEVELS);
        let (kind, expected) = match name.as_bytes()[0] {
            b'y' => (0, true),
            b'n' => (1, false),
            _ => (2, !REFUSED.contains(&name.as_str())),
        };
        counts[kind] += 1;
        assert_eq!(reading.is_accepted(), expected, "{name}: {text:?}: {reading:?}");
        assert_eq!(serde_json::from_str::<IgnoredAny>(&text).is_ok(), expected, "serde_json: {name}");
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            assert_eq!(reading.value, Some(value), "{name}: {text:?}");
        }
        // With every rule it is read to its end as well, wherever it is cut.
        read_cut(&text, Rules::LENIENT, 512);
    }
    assert_eq!(counts, [95, 186, 35]);
}

#[test]
fn open_containers_without_end_are_rejected() {
    let giants = [("[", 100_000), ("[{\"\":", 50_000)];
    for (unit, count) in giants {
        let units: Vec<u16> = unit.repeat(count).encode_utf16().collect();
        let cuts: Vec<usize> = (0..units.len()).step_by(997).collect();
        for depth in [1, 512, MOST_LEVELS] {
            let reading = read(&units, &cuts, Rules::STRICT, depth);
            assert!(!reading.is_accepted() && reading.has_fault());
            // What is beyond the limit is one fault.
            assert_eq!(reading.parts.iter().filter(|(part, _)| format!("{part:?}").contains("TooDeep")).count(), 1);
        }
    }
}
