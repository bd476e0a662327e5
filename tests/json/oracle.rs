//! Fresh documents for `npm run test:oracles`, which runs this alone and reads
//! what it prints: a line for each text that is read differently here and by
//! the crates serde_json and json5, and how many texts were read.
//!
//! `ORACLE_SEED` and `ORACLE_COUNT` say which texts are written; with
//! `ORACLE_TEXTS`, a file of `{"judge": …, "text": …}` a line, those are read.

use crate::generate::{Dialect, document};
use crate::pieces::PIECES;
use crate::reader::read;
use crate::value::Value;
use serde::de::IgnoredAny;
use tokenweir::json::Rules;

/// Numbers that a seed repeats: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    /// A document with a few places that may be changed.
    fn text(&mut self, dialect: Dialect) -> String {
        let bytes: Vec<u8> = (0..self.below(300)).map(|_| self.next() as u8).collect();
        let mut chars: Vec<char> = document(&bytes, dialect).chars().collect();
        for _ in 0..self.below(4).saturating_sub(1) {
            let from = self.below(chars.len() + 1);
            let to = (from + self.below(3)).min(chars.len());
            let piece = PIECES[self.below(PIECES.len())];
            chars.splice(from..to, piece.chars());
        }
        chars.into_iter().collect()
    }
}

/// What is read here and what the judge reads; values as Rust shows them.
fn answers(judge: &str, text: &str) -> (String, String) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let is_json = judge == "serde_json";
    // `serde_json` takes lone surrogates, huge numbers and any depth only where it ignores what it reads.
    let theirs = match judge {
        "serde_json" => serde_json::from_str::<Value>(text)
            .ok()
            .or_else(|| serde_json::from_str::<IgnoredAny>(text).ok().map(|_| Value::Null)),
        "json5" => json5::from_str::<Value>(text).ok(),
        _ => panic!("there is no judge {judge}"),
    };
    let takes_any = is_json && theirs.is_some() && serde_json::from_str::<Value>(text).is_err();
    let reading = read(&units, &[], if is_json { Rules::STRICT } else { Rules::JSON5 }, 4_096);
    let ours = reading.is_accepted().then_some(reading.value).flatten();
    let shown = |value: Option<Value>| match value {
        None => "refused".to_owned(),
        Some(_) if takes_any => "read".to_owned(),
        Some(value) => format!("{:?}", if is_json { value } else { value.without_minus_zero() }),
    };
    (shown(ours), shown(theirs))
}

#[derive(serde::Deserialize)]
struct Listed {
    judge: String,
    text: String,
}

#[test]
#[allow(clippy::print_stdout, reason = "its output is what it is run for")]
#[ignore = "run by `npm run test:oracles`"]
fn fresh_documents() {
    let number = |name: &str| std::env::var(name).map(|text| text.parse().unwrap());
    let mut random = Random(number("ORACLE_SEED").unwrap_or(1));
    let mut documents = 0;
    let mut ask = |judge: &str, text: &str, always: bool| {
        let (ours, theirs) = answers(judge, text);
        documents += 1;
        if always || ours != theirs {
            println!(
                "oracle {}",
                serde_json::json!({ "document": { "judge": judge, "text": text }, "ours": ours, "theirs": theirs })
            );
        }
    };
    if let Ok(path) = std::env::var("ORACLE_TEXTS") {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let Listed { judge, text } = serde_json::from_str(line).unwrap();
            ask(&judge, &text, true);
        }
    } else {
        for nth in 0..number("ORACLE_COUNT").unwrap_or(10_000) {
            let (judge, dialect) = if nth % 2 == 0 { ("serde_json", Dialect::Json) } else { ("json5", Dialect::Json5) };
            ask(judge, &random.text(dialect), false);
        }
    }
    println!("oracle {}", serde_json::json!({ "documents": documents }));
}
