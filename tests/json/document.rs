//! A document while it is written: `src/json/document.rs`, driven as the package drives it.

use tokenweir::json::{DocumentMode, DocumentReading, JsonOp, Rules};
use tokenweir::text::{Machine as _, Record, Stretch};

/// What was read up to the first fault, with places from the start of the text; neighbouring pieces are one.
#[derive(Debug, PartialEq)]
pub struct Told {
    lines: Vec<(JsonOp, u32, u32, u32)>,
    pub mode: DocumentMode,
    pub used: Rules,
}

impl Told {
    pub fn has_failed(&self) -> bool {
        self.lines.iter().any(|(op, ..)| *op == JsonOp::Fault)
    }

    fn tell(&mut self, record: Record, offset: u32) {
        let op = JsonOp::of(record).expect("an op of JSON");
        let (start, end) = (record.start + offset, record.end + offset);
        let is_of_string = matches!(op, JsonOp::Piece | JsonOp::Character | JsonOp::End);
        if is_of_string && matches!(self.lines.last(), Some((JsonOp::Piece, _, from, to)) if from == to) {
            self.lines.pop();
        }
        match self.lines.last_mut() {
            Some((JsonOp::Piece, _, _, last)) if matches!(op, JsonOp::Piece | JsonOp::End) && *last == start => {
                *last = end;
                if op == JsonOp::Piece {
                    return;
                }
                let (_, _, start, _) = self.lines.pop().expect("the piece");
                self.lines.push((op, 0, start, end));
            }
            Some((JsonOp::KeyPiece, _, _, last))
                if matches!(op, JsonOp::KeyPiece | JsonOp::KeyEnd) && *last == start =>
            {
                *last = end;
                if op == JsonOp::KeyEnd {
                    let (_, _, start, _) = self.lines.pop().expect("the piece");
                    self.lines.push((op, 0, start, end));
                }
            }
            _ => self.lines.push((op, record.word >> 8, start, end)),
        }
    }
}

/// Reads a text that is cut at bytes, in order. No more is pending than an escape, a word or a number has.
pub fn told(text: &str, cuts: &[usize], rules: Rules, max_depth: u16) -> (Told, u64) {
    let mut reading = DocumentReading::new(rules, max_depth);
    let mut told = Told { lines: Vec::new(), mode: DocumentMode::Value, used: Rules::STRICT };
    // Where the pending text begins, and where it was read up to, in units.
    let (mut offset, mut held, mut from) = (0, 0, 0);
    for &to in cuts.iter().chain([&text.len()]) {
        let chunk = &text[from..to];
        from = to;
        if chunk.is_empty() {
            continue;
        }
        let mut records: Vec<Record> = Vec::new();
        let outcome = reading.run(&(), &mut Stretch::new(chunk.as_bytes(), held, false), &mut records);
        records.into_iter().for_each(|record| told.tell(record, offset));
        if told.has_failed() {
            break;
        }
        assert!(outcome.next - outcome.held_from <= tokenweir::json::LONGEST_NUMBER, "too much is pending");
        offset += outcome.held_from;
        held = outcome.next - outcome.held_from;
        told.mode = reading.mode();
    }
    if told.has_failed() {
        told.mode = DocumentMode::Read;
    }
    told.used = reading.used();
    let steps = reading.steps();
    (told, steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    const TOLERANT: Rules = Rules::ARGUMENTS;

    /// A number that is the whole document has no end before the text has.
    fn is_whole(told: &Told) -> bool {
        let count = |wanted: &[JsonOp]| told.lines.iter().filter(|(op, ..)| wanted.contains(op)).count();
        let is_open = count(&[JsonOp::Object, JsonOp::Array]) > count(&[JsonOp::Close]);
        !told.has_failed() && !is_open && matches!(told.mode, DocumentMode::After | DocumentMode::Number)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: crate::thin::thinned(1_000) as u32, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        #[test]
        fn cuts_do_not_matter(bytes in prop::collection::vec(any::<u8>(), 0..200), places in prop::collection::vec(any::<prop::sample::Index>(), 0..5), edit in any::<prop::sample::Index>(), piece in prop::sample::select(crate::pieces::PIECES)) {
            let mut text = crate::generate::document(&bytes, crate::generate::Dialect::Json);
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            text.insert_str(ends[edit.index(ends.len())], piece);
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let mut cuts: Vec<usize> = places.iter().map(|place| ends[place.index(ends.len())]).collect();
            cuts.sort_unstable();
            for rules in [Rules::STRICT, TOLERANT] {
                let (whole, _) = told(&text, &[], rules, 512);
                prop_assert_eq!(&told(&text, &cuts, rules, 512).0, &whole);
                prop_assert_eq!(&told(&text, &ends[1..], rules, 512).0, &whole);
            }
        }

        #[test]
        fn what_is_read_whole_is_json(bytes in prop::collection::vec(any::<u8>(), 0..200), edit in any::<prop::sample::Index>(), piece in prop::sample::select(crate::pieces::PIECES)) {
            let mut text = crate::generate::document(&bytes, crate::generate::Dialect::Json);
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            text.insert_str(ends[edit.index(ends.len())], piece);
            let (told, _) = told(&text, &[], Rules::STRICT, 4_096);
            if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok() {
                prop_assert!(is_whole(&told), "{text:?}: {told:?}");
            } else if is_whole(&told) {
                // What is open has no end yet: a number at the root alone may be whole.
                prop_assert!(false, "{text:?} was read");
            }
        }
    }

    #[test]
    fn a_fault_is_told_once_and_after_what_came_before_it() {
        for (text, code, at) in [
            ("{\"a\": Dave}", 0, 6),
            ("{\"a\": }", 1, 6),
            ("[\"\\q\"]", 2, 2),
            ("[[[", 3, 2),
            ("[\"a\nb\"]", 5, 3),
            ("[1] 2", 0, 4),
            ("[01]", 0, 1),
        ] {
            let (told, _) = told(text, &[], Rules::STRICT, 2);
            let (op, detail, start, _) = *told.lines.last().expect("a line");
            assert_eq!((op, detail & 0xFF, start), (JsonOp::Fault, code, at), "{text}");
        }
    }

    #[test]
    fn a_string_has_begun_before_its_fault() {
        let before_fault = |text: &str| {
            let (told, _) = told(text, &[], Rules::STRICT, 512);
            assert_eq!(told.lines.last().expect("a line").0, JsonOp::Fault, "{text}");
            told.lines.iter().rev().skip(1).map(|(op, _, start, end)| (*op, *start, *end)).collect::<Vec<_>>()
        };
        assert_eq!(before_fault("[\"\\q"), [(JsonOp::Piece, 2, 2), (JsonOp::Array, 0, 1)]);
        assert_eq!(before_fault("[\"a\\q")[0], (JsonOp::Piece, 2, 3));
        assert_eq!(before_fault("[x"), [(JsonOp::Array, 0, 1)]);
    }

    #[test]
    fn the_rules_that_something_was_read_by_are_named() {
        assert_eq!(told("[1]", &[], TOLERANT, 512).0.used, Rules::STRICT);
        assert_ne!(told("[1,]", &[], TOLERANT, 512).0.used, Rules::STRICT);
    }

    #[test]
    fn each_place_has_its_mode() {
        use DocumentMode::{After, Colon, Element, FirstElement, FirstKey, Key, Number, Plain, Read, Scalar, Value};
        for (text, mode) in [
            (" ", Value),
            ("[", FirstElement),
            ("[1,", Element),
            ("{", FirstKey),
            ("{\"a\": 1, ", Key),
            ("{\"a\"", Colon),
            ("{\"a\": ", Value),
            ("[1 ", After),
            ("[1", Number),
            ("[-", Scalar),
            ("[1.", Scalar),
            ("[tr", Scalar),
            ("[\"", Plain),
            ("[\"a\\", Read),
            ("{\"a", Read),
            ("{}", After),
        ] {
            assert_eq!(told(text, &[], Rules::STRICT, 512).0.mode, mode, "{text}");
            assert_eq!(mode.stops().is_empty(), mode != Plain);
        }
    }

    #[test]
    fn a_number_that_is_the_document_ends_with_the_text() {
        for (text, count) in [("12", 1), ("-", 0), ("[12", 0), ("1e", 0), ("\"a\"", 0)] {
            let mut reading = DocumentReading::new(Rules::STRICT, 512);
            let mut records: Vec<Record> = Vec::new();
            reading.run(&(), &mut Stretch::new(text.as_bytes(), 0, true), &mut records);
            records.clear();
            reading.finish(text.len() as u32, &mut records);
            assert_eq!(records.len(), count, "{text}");
        }
    }

    mod linear {
        use super::*;

        #[test]
        fn steps_grow_with_the_text() {
            for unit in ["a", "\\n", "é", "[", "{\"a\":[", "1", "\"b\",", "{\"k\":1},", " "] {
                let open = if unit.starts_with(['[', '{']) { "[" } else { "[\"" };
                let long = format!("{open}{}", unit.repeat(20_000));
                let cuts: Vec<usize> = long.char_indices().map(|(at, _)| at).skip(1).collect();
                let (_, steps) = told(&long, &cuts, Rules::STRICT, 4_096);
                assert!(steps <= 2 * long.len() as u64 + 100, "{unit}: {steps} steps for {} bytes", long.len());
            }
        }
    }
}
