//! JSON by any rules: `src/json`, the tokenizer and the recogniser. What strict
//! reading takes is what serde_json takes.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../pieces/json.rs"]
mod pieces;
#[path = "../../json/document.rs"]
mod document;
#[path = "../../json/reader.rs"]
mod reader;
#[path = "../../support/thin.rs"]
mod thin;
#[path = "../../json/value.rs"]
mod value;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use reader::{Part, Reading, read};
use serde::de::IgnoredAny;
use tokenweir::json::{Recogniser, Rule, Rules};
use tokenweir_fuzz::{Cuts, Input, Quoting, Setting, document as written, repeated};

#[derive(Arbitrary, Debug)]
struct Way {
    rules: u8,
    others: u16,
    depth: u8,
    /// Where half a surrogate pair is put in, in 65,536ths of the length; 0 is nowhere.
    half_at: u16,
    is_low: bool,
}

impl Way {
    fn rules(&self) -> Rules {
        let named = [Rules::STRICT, Rules::JSON5, Rules::LENIENT, Rules::RELAXED, Rules::TOLERANT, Rules::CALL];
        named.get(usize::from(self.rules % 8)).copied().unwrap_or_else(|| {
            let bits = u32::from(self.others) << (self.rules >> 5);
            let some = Rule::ALL.into_iter().filter(|&rule| bits >> rule as u32 & 1 != 0);
            some.fold(Rules::STRICT, Rules::with)
        })
    }

    fn max_depth(&self) -> u16 {
        [512, 4_096, 1, 2, 3, 65][usize::from(self.depth) % 6]
    }

    fn units(&self, text: &str) -> Vec<u16> {
        let mut units: Vec<u16> = text.encode_utf16().collect();
        if self.half_at > 0 {
            let half = if self.is_low { 0xDE42 } else { 0xD83D };
            units.insert(usize::from(self.half_at) * units.len() >> 16, half);
        }
        units
    }
}

impl Setting for Way {
    fn pieces(&self) -> &'static [&'static str] {
        pieces::PIECES
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        let quoting = if bytes.arbitrary()? { Quoting::Json } else { Quoting::Loose };
        written(bytes, quoting)
    }
}

// The reader asserts that held text and steps are bounded after each piece, and
// that tokens stand in order; faults and layout are what they leave.
fuzz_target!(|input: Input<Way>| {
    let Input { setting, text, cuts } = &input;
    let (rules, max_depth) = (setting.rules(), setting.max_depth());
    if let Cuts::Grown(size) = cuts {
        let units = setting.units(&repeated(text));
        let cuts: Vec<usize> = (0..units.len()).step_by((*size).max(64)).skip(1).collect();
        read(&units, &cuts, rules, max_depth);
        return;
    }
    let units = setting.units(text);
    let whole = read(&units, &[], rules, max_depth);
    check(&whole, text, &units, rules, max_depth);
    let places: Vec<usize> = (0..=units.len()).collect();
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    check_document(text, &cuts.among(&ends), max_depth);
    for places in cuts.ways_with_empty(&places) {
        assert_eq!(read(&units, &places, rules, max_depth), whole, "{text:?} cut at {places:?}");
    }
});

fn check(reading: &Reading, text: &str, units: &[u16], rules: Rules, max_depth: u16) {
    assert_eq!(reading.used.iter().fold(rules, Rules::with), rules, "a rule was used that is not allowed: {text:?}");
    let mut depth = 0_u16;
    let mut at = 0;
    for (part, place) in &reading.parts {
        match part {
            Part::Push(_) => depth += 1,
            Part::Pop(_) => depth -= 1,
            _ => {}
        }
        assert!(depth <= max_depth, "{depth} deep in {text:?}");
        // Between tokens of what was read without fault there is nothing but layout.
        if reading.is_accepted() && rules == Rules::STRICT {
            let gap = String::from_utf16_lossy(&units[at.min(place.start)..place.start]);
            assert!(gap.chars().all(|c| " \t\n\r,:\"".contains(c)), "{gap:?} is lost in {text:?}");
            at = place.end.max(at);
        }
    }
    let is_text = char::decode_utf16(units.iter().copied()).all(|c| c.is_ok());
    if rules == Rules::STRICT && max_depth == 4_096 && is_text {
        let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
        assert_eq!(reading.is_accepted(), is_json, "{text:?}: {reading:?}");
        let deepest = text.matches(['[', '{']).count();
        let mut json = Recogniser::START;
        let is_recognised = text.bytes().all(|byte| json.step(byte)) && json.is_whole();
        assert!(is_recognised == is_json || deepest > 512, "{text:?}");
    }
}

/// The arguments of a call: wherever they are cut, the records are the same, and what is read whole is JSON.
fn check_document(text: &str, cuts: &[usize], max_depth: u16) {
    for rules in [Rules::STRICT, Rules::ARGUMENTS] {
        let (whole, _) = document::told(text, &[], rules, max_depth);
        assert_eq!(document::told(text, cuts, rules, max_depth).0, whole, "{text:?} cut at {cuts:?}");
        if rules == Rules::STRICT && max_depth == 4_096 && serde_json::from_str::<IgnoredAny>(text).is_ok() {
            assert!(!whole.has_failed(), "{text:?}: {whole:?}");
        }
    }
}
