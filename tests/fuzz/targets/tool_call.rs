//! Tool calls: `src/tool_call`, Hermes and Morph, and below it JSON and trees.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../tool_call/case.rs"]
mod case;
#[path = "../../tool_call/held.rs"]
mod held;
#[path = "../../pieces/tool_call.rs"]
mod pieces;
#[path = "../../tool_call/reading.rs"]
mod reading;
#[path = "../../support/mod.rs"]
mod support;

use arbitrary::{Arbitrary, Result, Unstructured};
use held::may_be_held;
use libfuzzer_sys::fuzz_target;
use reading::{check, joined, read_with};
use tokenweir::tool_call::{Event, EventKind, LONGEST_SPACE, LONGEST_TOOL_TAG, Options, Reasoning};
use tokenweir_fuzz::{Cuts, Input, Setting, check_steps, hermes, morph, pieces_of, repeated};

/// At the stream's end each unit may be read again four times, and 65,536 besides;
/// a unit costs up to four moves. The dearest text that was found takes 14 a byte.
const STEPS_A_BYTE: u64 = 20;
const STEPS_ONCE: u64 = 300_000;

/// What is looked at after a quote, again with each piece that comes.
const STEPS_A_PIECE: u64 = 600;

#[derive(Arbitrary, Debug)]
struct Way {
    is_morph: bool,
    rejects_unknown: bool,
    /// How long a segment may be: 0 is the default.
    longest: u8,
    /// How reasoning is read, and whether Morph reads tools on lines of their own.
    reasoning: u8,
}

impl Way {
    fn options(&self) -> Options {
        let options = if self.is_morph { Options::morph(&["add", "get"]) } else { Options::hermes() };
        let mut options = if self.rejects_unknown && !self.is_morph { options.only(&["get"]) } else { options };
        if self.longest > 0 {
            options.longest = 2 * u32::from(self.longest);
        }
        options.reasoning = [Reasoning::Skip, Reasoning::Search, Reasoning::Inside][usize::from(self.reasoning % 3)];
        options
    }
}

impl Setting for Way {
    fn pieces(&self) -> &'static [&'static str] {
        if self.is_morph { pieces::MORPH } else { pieces::HERMES }
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        if self.is_morph { morph(bytes) } else { hermes(bytes) }
    }
}

fuzz_target!(|input: Input<Way>| {
    let Input { setting, text, cuts } = &input;
    if let Cuts::Grown(size) = cuts {
        let text = repeated(text);
        let mut steps = 0;
        let events = read_with(&setting.options(), pieces_of(&text, *size), |parser, _| steps = parser.steps());
        check(&events, &text);
        return check_steps(steps, &text, STEPS_A_BYTE, STEPS_ONCE, cuts);
    }
    cuts.check(text, |pieces| comparable(&read(setting, text, pieces, cuts)));
});

/// The events joined, except where deltas end: after one there may be escapes
/// that stand for nothing, and whether they count depends on the cut.
fn comparable(events: &[Event]) -> Vec<Event> {
    let mut all = joined(events);
    for event in all.iter_mut().filter(|event| matches!(event.kind, EventKind::Delta(_))) {
        event.span.end = event.span.start;
    }
    all
}

/// Reads pieces. What holds for any text is asserted.
fn read(way: &Way, text: &str, pieces: Vec<&str>, cuts: &Cuts) -> Vec<Event> {
    let options = way.options();
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut steps, mut fed) = (0, 0);
    let lengths: Vec<usize> = pieces.iter().map(|piece| piece.encode_utf16().count()).collect();
    let looks = STEPS_A_PIECE * lengths.len() as u64;
    let mut lengths = lengths.into_iter();
    let events = read_with(&options, pieces, |parser, events| {
        steps = parser.steps();
        fed += lengths.next().unwrap_or_default();
        // A start tag before a call is buffered, however short a call may be.
        let most = options.longest.max(if way.is_morph { LONGEST_TOOL_TAG } else { 2 * LONGEST_SPACE });
        assert!(parser.held() <= most, "{} units are held", parser.held());
        let held = String::from_utf16_lossy(&units[fed - parser.held() as usize..fed]);
        let last = events.last().map(|event| &event.kind);
        let is_failed = matches!(last, Some(EventKind::Failed(_) | EventKind::Fail(_)));
        assert!(may_be_held(&held, way.is_morph, is_failed), "{held:?} is held in {text:?}");
    });
    check(&events, text);
    check_steps(steps, text, STEPS_A_BYTE, STEPS_ONCE + looks, cuts);
    events
}
