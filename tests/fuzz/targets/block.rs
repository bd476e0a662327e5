//! Blocks: `src/block`, and below it tags, references and the recogniser of JSON.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../pieces/block.rs"]
mod pieces;
#[path = "../../support/mod.rs"]
mod support;

use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use support::{assert_tiled, feed_with, joined, render};
use tokenweir::block::{Declared, Face, LONGEST_VALUE, Options, Role, TagTable};
use tokenweir::xml::LONGEST_TAG;
use tokenweir_fuzz::{Cuts, Input, Setting, block, check_steps, pieces_of, repeated};

/// An opening tag of each kind that fails at a quote is read again inside of the tag
/// around it, and a tag is at most so long: the dearest text, by `linear.rs`.
const STEPS_A_BYTE: u64 = 300;

#[derive(Arbitrary, Debug)]
struct Way {
    is_elements: bool,
    keeps_space: bool,
    is_declared: bool,
    has_other_names: bool,
    has_own_tags: bool,
    is_in_thinking: bool,
    skips_code: bool,
}

impl Way {
    fn options(&self) -> Options {
        let mut tags = TagTable::default();
        if self.has_other_names {
            tags.set("think", Some(Role::Thinking)).unwrap();
            tags.set("b", Some(Role::Thinking)).unwrap();
            tags.set("error", None).unwrap();
        }
        if self.has_own_tags && !self.is_elements {
            pieces::add_own(&mut tags);
        }
        let declared = |_: &str, parameter: &str| match parameter.len() % 3 {
            0 => Declared::Unknown,
            1 => Declared::String,
            _ if parameter.len() > 6 => Declared::Named,
            _ if parameter.len() > 3 => Declared::Boolean,
            _ => Declared::Container,
        };
        Options {
            tags,
            face: if self.is_elements { Face::Elements } else { Face::Blocks },
            trim_parameters: !self.keeps_space,
            start_with_thinking: self.is_in_thinking,
            skips_code: self.skips_code,
            declared: if self.is_declared { Some(Arc::new(declared)) } else { None },
            ..Options::default()
        }
    }
}

impl Setting for Way {
    fn pieces(&self) -> &'static [&'static str] {
        pieces::PIECES
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        block(bytes)
    }
}

fuzz_target!(|input: Input<Way>| {
    let Input { setting, text, cuts } = &input;
    if let Cuts::Grown(size) = cuts {
        let text = repeated(text);
        let steps = [text.len() / 4, text.len()].map(|len| {
            let len = (0..=len).rev().find(|&len| text.is_char_boundary(len)).unwrap();
            read(setting, &text[..len], pieces_of(&text[..len], *size)).2
        });
        check_steps(steps[1], &text, STEPS_A_BYTE, 2_000, cuts);
        assert!(steps[1] <= steps[0] * 5 + 40_000, "{steps:?} steps for four times the text: {:?}", input.text);
        return;
    }
    cuts.check(text, |pieces| {
        let (blocks, kinds, steps) = read(setting, text, pieces);
        check_steps(steps, text, STEPS_A_BYTE, 2_000, cuts);
        (blocks, kinds)
    });
});

/// The blocks as lines, what was said, and the steps. What holds for any text is asserted.
fn read(way: &Way, text: &str, pieces: Vec<&str>) -> (String, Vec<tokenweir::block::EventKind>, u64) {
    let options = way.options();
    let face = options.face;
    let mut steps = 0;
    let (mut at, mut lengths) = (0, pieces.iter().map(|piece| piece.len()).collect::<Vec<_>>().into_iter());
    let has_parameter = way.is_declared || text.contains("parameter");
    let events = feed_with(options, pieces, |parser| {
        at += lengths.next().unwrap_or_default();
        steps = parser.steps();
        check_held(&text[..at], parser.held(), has_parameter);
    });
    assert_tiled(&events, text);
    (render(&events, face), joined(&events), steps)
}

/// What is undecided is a tag or a reference, or the value of a parameter that is open.
fn check_held(text: &str, held: u32, has_parameter: bool) {
    let most = if has_parameter { LONGEST_VALUE + LONGEST_TAG } else { LONGEST_TAG };
    assert!(held <= most, "{held} units are held");
    let mut left = held as usize;
    let from = text.char_indices().rev().take_while(|&(_, c)| {
        let is_held = left > 0;
        left = left.saturating_sub(c.len_utf16());
        is_held
    });
    let Some((from, first)) = from.last() else { return };
    let is_value = has_parameter && text[..from].contains("<");
    assert!(is_value || first == '<' || first == '&' && held <= 10, "{:?} is held of {text:?}", &text[from..]);
}
