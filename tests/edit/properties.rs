//! The promises on random text that is almost an edit: cuts don't matter, spans tile, little is pending, and a plain
//! reader of whole texts agrees.

use crate::naive;
use crate::pieces::PIECES;
use crate::reading::{check, lines, read, read_with};
use crate::support::thin::thinned;
use crate::support::{Random, cut, places};
use proptest::prelude::*;
use tokenweir::edit::{EditParser, Format, LONGEST_HEADER, Options};

fn options() -> impl Strategy<Value = Options> {
    let formats = prop_oneof![
        3 => Just(Format::ALL.to_vec()),
        1 => prop::sample::select(&Format::ALL[..]).prop_map(|format| vec![format]),
    ];
    let path = prop::option::weighted(0.3, Just("p.txt".to_owned()));
    (formats, path, prop::bool::weighted(0.2)).prop_map(|(formats, path, whole)| Options {
        formats,
        path,
        whole,
        ..Options::default()
    })
}

/// Pieces, mostly of one format, so that edits are whole now and then.
fn text() -> impl Strategy<Value = String> {
    let any = || prop::sample::select(PIECES);
    let patch = prop::collection::vec(prop::sample::select(&PIECES[..34]), 0..12)
        .prop_map(|pieces| format!("*** Begin Patch\n{}", pieces.concat()));
    let update = prop::collection::vec(prop::sample::select(&PIECES[19..34]), 0..10)
        .prop_map(|pieces| format!("*** Begin Patch\n*** Update File: a\n{}*** End Patch\n", pieces.concat()));
    let block =
        prop::collection::vec(any(), 0..5).prop_map(|pieces| format!("a.py\n<<<<<<< SEARCH\n{}", pieces.concat()));
    let blocks = prop::collection::vec(prop::sample::select(&PIECES[24..55]), 0..16).prop_map(|pieces| pieces.concat());
    let diff = prop::collection::vec(prop::sample::select(&PIECES[55..70]), 0..8);
    let lines = prop::collection::vec(prop::sample::select(&PIECES[24..34]), 0..8);
    let diff = (diff, lines)
        .prop_map(|(diff, lines)| format!("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n{}{}", lines.concat(), diff.concat()));
    let part = prop_oneof![2 => prop::collection::vec(any(), 0..10).prop_map(|pieces| pieces.concat()), 1 => patch, 1 => update, 2 => block, 1 => blocks, 2 => diff];
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: thinned(2_000) as u32, ..ProptestConfig::default() })]

    #[test]
    fn any_cut_gives_what_the_plain_reader_finds(text in text(), options in options(), has_finished in any::<bool>(), seed in any::<u64>()) {
        let whole = read(&options, [text.as_str()], has_finished);
        check(&whole, &text);
        let expected = lines(&whole);
        prop_assert_eq!(&naive::lines(&options, &text, has_finished), &expected, "the plain reader of {:?}", text);
        let places = places(&text);
        let mut random = Random::new(seed);
        let every = cut(&text, &places);
        let some = |random: &mut Random| {
            let mut cuts: Vec<_> = (0..1 + random.below(6)).map(|_| places[random.below(places.len())]).collect();
            cuts.sort_unstable();
            cut(&text, &cuts)
        };
        for pieces in [every, some(&mut random), some(&mut random), some(&mut random)] {
            let events = read(&options, pieces.iter().copied(), has_finished);
            check(&events, &text);
            prop_assert_eq!(&lines(&events), &expected, "{:?}", pieces);
        }
    }

    #[test]
    fn only_what_may_become_a_marker_is_pending(text in text(), options in options()) {
        let mut read_so_far = String::new();
        let places = places(&text);
        let mut pieces = cut(&text, &places).into_iter();
        read_with(&options, cut(&text, &places), false, |parser, _| {
            read_so_far.push_str(pieces.next().unwrap_or_default());
            let held = parser.held() as usize;
            let units: Vec<u16> = read_so_far.encode_utf16().collect();
            let held = String::from_utf16(&units[units.len() - held..]).unwrap();
            let lines: Vec<&str> = held.split_inclusive('\n').collect();
            // A header that waits, what may become a marker, and empty lines.
            let whole = lines.iter().filter(|line| line.ends_with('\n') && !line.trim().is_empty()).count();
            assert!(whole <= 1, "{held:?} is held");
            assert!(lines.iter().all(|line| line.len() <= LONGEST_HEADER as usize), "{held:?}");
            if let Some(last) = lines.last().filter(|line| !line.ends_with('\n')) {
                let trimmed = last.trim_start();
                assert!(trimmed.is_empty() || trimmed.starts_with(['*', '@', '<', '-', '=', '>', '+']), "{held:?} is held");
            }
        });
    }
}

#[test]
fn white_space_waits_for_a_patch_alone() {
    for (format, held) in [(Format::V4a, 2), (Format::SearchReplace, 0), (Format::Unified, 0)] {
        let mut parser = EditParser::new(Options { formats: vec![format], ..Options::default() });
        parser.feed("  ").unwrap();
        assert_eq!(parser.held(), held, "{format:?}");
    }
}
