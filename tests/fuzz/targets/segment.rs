//! Segments: `src/segment`, and below it tags, JSON's brackets and literals.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../segment/held.rs"]
mod held;
#[path = "../../pieces/segment.rs"]
mod pieces;
#[path = "../../segment/reading.rs"]
mod reading;
#[path = "../../support/mod.rs"]
mod support;
#[path = "../../segment/way.rs"]
mod way;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use reading::{check, faults, joined, read_with};
use tokenweir::segment::{Event, Markers, Profile, Reasoning};
use tokenweir_fuzz::{Cuts, Input, Setting, check_steps, pieces_of, repeated, segment};
use way::Way;

/// What follows a tool's closing tag in an open argument is read twice, up to 4,096 units: once in the
/// 32 bytes of `<tool name=t><arg name=a></tool>`. Besides, the dearest text that `tests/segment/linear.rs`
/// knows; and what may be searched again once.
const STEPS_A_BYTE: u64 = 4_096 / 32 + 9;
const STEPS_ONCE: u64 = 70_000;

#[derive(Arbitrary, Debug)]
struct Choices {
    /// The markers, one bit each; none of the lower three: all.
    markers: u8,
    profile: u8,
    own: u8,
}

impl Choices {
    fn way(&self) -> Way {
        let bit = |nth: u8| self.markers & 7 == 0 || self.markers >> nth & 1 != 0;
        let generic = ["write_file", "RUN_BASH", "note"];
        Way {
            markers: Markers { xml: bit(0), json: bit(1), sentinel: bit(2), skips_code: self.markers & 8 != 0 },
            // Parts, where nothing is said.
            reasoning: [Reasoning::Parts, Reasoning::Text, Reasoning::Search, Reasoning::Parts][usize::from(self.markers >> 4 & 3)],
            profile: Profile::ALL.into_iter().nth(usize::from(self.profile) % (Profile::ALL.len() + 1)),
            has_own: self.own & 1 != 0,
            generic: generic.get(usize::from(self.own >> 1)).copied(),
        }
    }
}

impl Setting for Choices {
    fn pieces(&self) -> &'static [&'static str] {
        pieces::PIECES
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        segment(bytes)
    }
}

fuzz_target!(|input: Input<Choices>| {
    let Input { setting, text, cuts } = &input;
    let way = setting.way();
    if let Cuts::Grown(size) = cuts {
        let text = repeated(text);
        let mut steps = 0;
        let events = read_with(&way.options(), pieces_of(&text, *size), |parser, _| steps = parser.steps());
        check(&events, &text);
        return check_steps(steps, &text, STEPS_A_BYTE, STEPS_ONCE, cuts);
    }
    cuts.check(text, |pieces| {
        let events = read(&way, text, pieces, cuts);
        (joined(&events), faults(&events))
    });
});

/// Reads pieces. What holds for any text is asserted.
fn read(way: &Way, text: &str, pieces: Vec<&str>, cuts: &Cuts) -> Vec<Event> {
    let setting = way.setting();
    let units: Vec<u16> = text.encode_utf16().collect();
    let (mut steps, mut fed) = (0, 0);
    let lengths: Vec<usize> = pieces.iter().map(|piece| piece.encode_utf16().count()).collect();
    let mut lengths = lengths.into_iter();
    let events = read_with(&way.options(), pieces, |parser, events| {
        steps = parser.steps();
        fed += lengths.next().unwrap_or_default();
        let (front, held) = units[..fed].split_at(fed - parser.held() as usize);
        let (front, held) = (String::from_utf16_lossy(front), String::from_utf16_lossy(held));
        let is_quoted = way.markers.skips_code && held::may_be_quoted(&front, &held);
        assert!(is_quoted || setting.may_be_held(events, &held), "{held:?} is held in {text:?}, {way:?}");
    });
    check(&events, text);
    check_steps(steps, text, STEPS_A_BYTE, STEPS_ONCE, cuts);
    events
}
