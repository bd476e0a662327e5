//! Fields: `src/field`, and below it the JSON tokenizer.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../field/number.rs"]
mod number;
#[path = "../../pieces/field.rs"]
mod pieces;
#[path = "../../field/reading.rs"]
mod reading;
#[path = "../../support/mod.rs"]
mod support;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use reading::{MOST_STEPS, joined, lines, most_held, read_with};
use tokenweir::field::{Event, EventKind, Options, Shape};
use tokenweir::json::{Rule, Rules};
use tokenweir_fuzz::{Cuts, Input, Quoting, Setting, check_steps, document, pieces_of, repeated};

#[derive(Arbitrary, Debug)]
struct Way {
    /// 0: lenient; 1: strict; 2: JSON5; else lenient without some rules.
    rules: u8,
    without: u16,
    depth: u8,
    flags: u8,
    shape: u8,
}

impl Way {
    fn options(&self) -> Options {
        let rules = match self.rules % 6 {
            1 => Rules::STRICT,
            2 => Rules::JSON5,
            3 => {
                let is_out = |rule: &Rule| (self.without as u32) << (self.rules >> 4) & 1 << *rule as u32 != 0;
                Rules::LENIENT.iter().filter(|rule| is_out(rule)).fold(Rules::LENIENT, Rules::without)
            }
            _ => Rules::LENIENT,
        };
        let keys: &[&str] = match self.flags >> 4 & 3 {
            0 | 1 => &["a", "b", "name"],
            2 => &["no such key"],
            _ => &[],
        };
        Options {
            rules,
            max_depth: [512, 512, 1, 2, 5, 40][usize::from(self.depth) % 6],
            is_multiple: self.flags & 1 != 0,
            shape: if self.flags & 2 != 0 {
                Shape::ALL[usize::from(self.shape) % Shape::ALL.len()]
            } else {
                Shape::Any
            },
            is_nullable: self.flags & 4 != 0,
            starts_with_thinking: self.flags & 64 != 0,
            skips_code: self.flags & 128 != 0,
            keys: (self.flags & 8 != 0).then(|| keys.iter().map(|&key| key.to_owned()).collect()),
        }
    }
}

impl Setting for Way {
    fn pieces(&self) -> &'static [&'static str] {
        pieces::PIECES
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        let quoting = if bytes.arbitrary()? { Quoting::Json } else { Quoting::Loose };
        document(bytes, quoting)
    }
}

fuzz_target!(|input: Input<Way>| {
    let Input { setting, text, cuts } = &input;
    let options = setting.options();
    if let Cuts::Grown(size) = cuts {
        let text = repeated(text);
        let mut steps = 0;
        read_with(&options, pieces_of(&text, *size), |parser| steps = parser.steps());
        return check_steps(steps, &text, MOST_STEPS, 70_000, cuts);
    }
    cuts.check(text, |pieces| {
        let mut steps = 0;
        let read = read_with(&options, pieces, |parser| {
            steps = parser.steps();
            assert!(parser.held() <= most_held(&options));
        });
        check_steps(steps, text, MOST_STEPS, 70_000, cuts);
        check_order(&read.events);
        check_spans(&read.events, text);
        (joined(read.events), read.used)
    });
});

/// Paths are emitted in their order. What is very deep is left out: each path is
/// compared with all above it.
fn check_order(events: &[Event]) {
    if events.iter().all(|event| event.path.0.len() <= 40) {
        lines(events, true);
    }
}

/// Spans are where the text of the events is, and in order.
fn check_spans(events: &[Event], text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut last, mut document) = (0, 0);
    for event in events {
        let Event { kind, span, .. } = event;
        assert!(span.start <= span.end && span.end <= units.len() as u64, "{event:?} of {text:?}");
        let there = String::from_utf16_lossy(&units[span.start as usize..span.end as usize]);
        match kind {
            // Where only the end made it known, its text had passed.
            EventKind::Text(emitted) => {
                assert!(span.is_empty() || there.contains('\\') || *emitted == there, "{event:?} at {there:?}");
            }
            EventKind::Number(emitted) => assert!(there.is_empty() || *emitted == there, "{event:?} at {there:?}"),
            EventKind::Done { .. } | EventKind::Reset | EventKind::Mismatch => assert!(span.is_empty(), "{event:?}"),
            EventKind::Word(_) | EventKind::Fault(_) => {}
            _ => panic!("unknown: {event:?}"),
        }
        if event.document != document || *kind == EventKind::Reset {
            (last, document) = (0, event.document);
        }
        if matches!(kind, EventKind::Text(_)) {
            assert!(span.start >= last, "{event:?} goes back in {text:?}");
            last = span.end;
        }
    }
}
