//! The promises on random text that is almost markup. (Growth is in
//! `linear.rs`, cuts of the written cases in `splits.rs`.)

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that can't go on fails")]

mod support;

#[path = "pieces/block.rs"]
mod pieces;

use pieces::{PIECES, add_own};
use proptest::prelude::*;
use std::sync::Arc;
use support::thin::thinned;
use support::{Random, cut, feed, joined, places, render};
use tokenweir::block::{BlockParser, Declared, EventKind, Face, Kind, Options, TagTable};
use tokenweir::xml::LONGEST_TAG;

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(0..PIECES.len(), 0..24)
        .prop_map(|picks| picks.iter().map(|&pick| PIECES[pick]).collect::<String>().replace('@', "antml:"))
}

/// What a tool of each name says of `p`.
fn declared(tool: &str, parameter: &str) -> Declared {
    match (tool, parameter) {
        ("a", "p") => Declared::Named,
        ("b", "p") => Declared::String,
        ("c", "p") => Declared::Container,
        _ => Declared::Unknown,
    }
}

/// The same without containers, which are JSON as they are written.
fn of_strings(tool: &str, parameter: &str) -> Declared {
    Some(declared(tool, parameter)).filter(|declared| *declared != Declared::Container).unwrap_or(Declared::Boolean)
}

fn options() -> impl Strategy<Value = Options> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(blocks, trims, declares, skips_code, has_own)| {
            let mut tags = TagTable::default();
            if blocks && has_own {
                add_own(&mut tags);
            }
            Options {
                tags,
                face: if blocks { Face::Blocks } else { Face::Elements },
                trim_parameters: trims,
                skips_code,
                declared: if declares { Some(Arc::new(declared)) } else { None },
                ..Options::default()
            }
        },
    )
}

/// What a fence may stand after, and what the lines in it begin with then.
const FENCES: [(&str, &str); 8] = [
    ("", ""),
    ("  ", ""),
    ("      ", "      "),
    ("\t", "\t"),
    ("> ", "> "),
    (">> ", "> > "),
    ("- ", "  "),
    ("1) * ", "     "),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: thinned(2_000) as u32, ..ProptestConfig::default() })]

    /// 1. Cuts don't matter; 6. one path.
    #[test]
    fn cuts_do_not_matter(text in text(), options in options(), seed in any::<u64>()) {
        let whole = joined(&feed(options.clone(), [text.as_str()]));
        let places = places(&text);
        prop_assert_eq!(&joined(&feed(options.clone(), cut(&text, &places))), &whole);
        let mut random = Random::new(seed);
        let mut cuts: Vec<_> = (0..8).map(|_| places[random.below(places.len())]).collect();
        cuts.sort_unstable();
        prop_assert_eq!(&joined(&feed(options, cut(&text, &cuts))), &whole);
    }

    /// 2. Nothing is lost, nothing leaks: spans tile, and a chunk of text or
    /// thinking says what stands at its span.
    #[test]
    fn spans_tile_and_text_is_what_stands_there(text in text(), options in options(), size in 1usize..9) {
        let pieces = cut(&text, &places(&text).into_iter().step_by(size).collect::<Vec<_>>());
        let events = feed(options.clone(), pieces);
        support::assert_tiled(&events, &text);
        let units: Vec<u16> = text.encode_utf16().collect();
        for event in &events {
            if let EventKind::Chunk { block: Kind::Text | Kind::Thinking | Kind::Own, text: chunk, .. } = &event.kind {
                let there = &units[event.span.start as usize..event.span.end as usize];
                prop_assert_eq!(&String::from_utf16_lossy(there), chunk);
            }
        }
        // The protocol: starts, chunks and completions in their order.
        render(&events, options.face);
    }

    /// 3. Held text is bounded: where no value is being read, by the longest tag.
    #[test]
    fn held_text_is_bounded(text in text(), options in options(), fill in "[a-z ]{1,40}") {
        let text = text.replace("parameter", "param").replace("plain words", &fill.repeat(300));
        let mut parser = BlockParser::new(Options { declared: None, ..options });
        for piece in cut(&text, &places(&text)) {
            parser.feed(piece).unwrap();
            prop_assert!(parser.held() <= LONGEST_TAG, "{} held", parser.held());
        }
    }

    /// 5. Text never raises an error and never panics, whatever it is.
    #[test]
    fn no_text_is_refused(text in any::<String>(), options in options()) {
        let events = feed(options.clone(), [text.as_str()]);
        support::assert_tiled(&events, &text);
        render(&events, options.face);
    }

    /// 7. A tool call that was cut off says so, and its input is JSON all the
    /// same. (An open quote is left out: at the end of the text it is not a quote, and
    /// the text after it is read as markup, unlike before.)
    #[test]
    fn a_cut_call_is_incomplete(text in text().prop_map(|text| text.replace("=\"<", "=<").replace("='&", "=&").replace(" a='", "")), at in any::<prop::sample::Index>()) {
        let places = places(&text);
        let front = &text[..places[at.index(places.len())]];
        let calls = |text: &str| {
            let mut calls = Vec::new();
            for event in feed(Options { declared: Some(Arc::new(of_strings)), ..Options::default() }, [text]) {
                if let EventKind::BlockComplete { input: Some(input), tool_name, is_incomplete, .. } = event.kind {
                    assert!(support::is_json(&input), "{input:?} of {text:?}");
                    calls.push((tool_name, input, is_incomplete));
                }
            }
            calls
        };
        let (whole, cut) = (calls(&text), calls(front));
        for (nth, call) in cut.iter().enumerate() {
            prop_assert!(call.2 || whole.get(nth) == Some(call), "{:?} of {:?} is not in {:?}", call, front, whole);
        }
    }

    /// Visible text is text: what is in thinking, calls and results never is.
    #[test]
    fn well_formed_streams_show_their_text_alone(parts in prop::collection::vec((0..4, "[a-z <&]{0,12}"), 0..8)) {
        let mut stream = String::new();
        let mut visible = String::new();
        for (kind, text) in &parts {
            match kind {
                0 => {
                    stream.push_str(text);
                    visible.push_str(text);
                }
                1 => stream.push_str(&format!("<thinking>{text}</thinking>")),
                2 => stream.push_str(&format!("<invoke name=\"x\"><parameter name=\"y\">{text}</parameter></invoke>")),
                _ => stream.push_str(&format!("<function_results><result>{text}</result></function_results>")),
            }
        }
        let mut shown = String::new();
        for event in feed(Options::default(), [stream.as_str()]) {
            if let EventKind::Chunk { block: Kind::Text, text, .. } = event.kind {
                shown.push_str(&text);
            }
        }
        prop_assert_eq!(shown, visible);
    }

    /// What is in a fence is text, whatever it is, and so is what stands before and after it.
    #[test]
    fn a_fence_has_no_blocks(text in text(), mark in "`{3,6}|~{3,6}", place in 0..FENCES.len(), size in 1usize..9) {
        let (front, before) = FENCES[place];
        let inside: String = text.replace(['`', '~', '\r'], "").split('\n').map(|line| format!("{before}x{line}\n")).collect();
        let stream = format!("{front}{mark}\n{inside}{before}{mark}\nafter");
        let options = Options { skips_code: true, ..Options::default() };
        let pieces = cut(&stream, &places(&stream).into_iter().step_by(size).collect::<Vec<_>>());
        let said = joined(&feed(options, pieces));
        let contents: Vec<_> = said.into_iter().filter_map(|kind| {
            if let EventKind::BlockComplete { content, .. } = kind { content } else { None }
        }).collect();
        prop_assert_eq!(contents, [stream]);
    }
}
