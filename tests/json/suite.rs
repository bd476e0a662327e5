//! JSONTestSuite (tests/data/json-test-suite): strict reading accepts what must
//! be accepted and rejects what must be rejected.

use crate::reader::{read, read_cut};
use crate::value::Value;
use serde::de::IgnoredAny;
use tokenweir::json::{MOST_LEVELS, Rules};

/// What an implementation may do either way, and whether we accept it. All of
/// it is as `JSON.parse` does.
const FREE: [(&str, bool); 35] = [
    // Numbers have no limits but their length; their value is a double's.
    ("i_number_double_huge_neg_exp", true),
    ("i_number_huge_exp", true),
    ("i_number_neg_int_huge_exp", true),
    ("i_number_pos_double_huge_exp", true),
    ("i_number_real_neg_overflow", true),
    ("i_number_real_pos_overflow", true),
    ("i_number_real_underflow", true),
    ("i_number_too_big_neg_int", true),
    ("i_number_too_big_pos_int", true),
    ("i_number_very_big_negative_int", true),
    // Half a surrogate pair is a unit like any other.
    ("i_object_key_lone_2nd_surrogate", true),
    ("i_string_1st_surrogate_but_2nd_missing", true),
    ("i_string_1st_valid_surrogate_2nd_invalid", true),
    ("i_string_incomplete_surrogate_and_escape_valid", true),
    ("i_string_incomplete_surrogate_pair", true),
    ("i_string_incomplete_surrogates_escape_valid", true),
    ("i_string_invalid_lonely_surrogate", true),
    ("i_string_invalid_surrogate", true),
    ("i_string_inverted_surrogates_U+1D11E", true),
    ("i_string_lone_second_surrogate", true),
    // Not UTF-8 inside a string: U+FFFD by the time we read it.
    ("i_string_UTF-8_invalid_sequence", true),
    ("i_string_UTF8_surrogate_U+D800", true),
    ("i_string_invalid_utf-8", true),
    ("i_string_iso_latin_1", true),
    ("i_string_lone_utf8_continuation_byte", true),
    ("i_string_not_in_unicode_range", true),
    ("i_string_overlong_sequence_2_bytes", true),
    ("i_string_overlong_sequence_6_bytes", true),
    ("i_string_overlong_sequence_6_bytes_null", true),
    ("i_string_truncated-utf-8", true),
    // UTF-16 read as if it were UTF-8.
    ("i_string_UTF-16LE_with_BOM", false),
    ("i_string_utf16BE_no_BOM", false),
    ("i_string_utf16LE_no_BOM", false),
    // A byte order mark is JSON5's white space.
    ("i_structure_UTF-8_BOM_empty_object", false),
    ("i_structure_500_nested_arrays", true),
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
        let free = FREE.iter().find(|(known, _)| *known == name);
        let (kind, expected) = match (name.as_bytes()[0], free) {
            (b'y', None) => (0, true),
            (b'n', None) => (1, false),
            (b'i', Some((_, expected))) => (2, *expected),
            _ => panic!("{name} has no expectation"),
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
