//! The promises on random documents, of every row.

use crate::checks::{assert_tiled, is_whole};
use crate::documents::{Pieces, Step};
use crate::reading::{Call, Event, Reader, Way, What, byte_of, calls, joined, read};
use crate::rows::{ALL, Row, Rows};
use crate::support::thin::thinned;
use crate::support::{Random, cut, places};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use std::cell::Cell;
use std::panic::AssertUnwindSafe;
use std::sync::{LazyLock, Once};
use tokenweir::format::{Body, Op, Start, Why};

/// Random documents of each row.
const DOCUMENTS: usize = 120;

static PIECES: LazyLock<Vec<Pieces>> = LazyLock::new(|| ALL.iter().map(|row| Pieces::of(&[row])).collect());

/// What holds for a text that is read by rows. The number is a seed.
type Property = fn(&Rows, Way, &str, u64);

thread_local! {
    /// Whether panics are only looked for: of one document many are, to make it smaller.
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// What a run gives, or what it panics with.
pub fn found<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    HOOK.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_LOOKING.get() {
                tell(panic);
            }
        }));
    });
    IS_LOOKING.set(true);
    let found = std::panic::catch_unwind(AssertUnwindSafe(run));
    IS_LOOKING.set(false);
    found.map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        said.unwrap_or_default().to_owned()
    })
}

/// Checks random documents of each row, read in random ways.
fn check(property: Property) {
    let check = |(row, pieces): (&'static Row, &Pieces)| check_rows(&[row], pieces, DOCUMENTS, property);
    let wrong: Vec<_> = ALL.iter().zip(PIECES.iter()).filter_map(check).collect();
    assert!(wrong.is_empty(), "{} rows of {}:\n{}", wrong.len(), ALL.len(), wrong.join("\n"));
}

/// The smallest document that was found for which a property doesn't hold.
fn check_rows(rows: &[&'static Row], pieces: &Pieces, documents: usize, property: Property) -> Option<String> {
    let both = [true, false].map(|has_tools| Rows::of(rows.to_vec(), has_tools));
    let cases = thinned(documents) as u32;
    let mut runner = TestRunner::new(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() });
    let steps = prop::collection::vec(any::<Step>(), 0..pieces.most());
    let found = runner.run(&(steps, any::<u64>(), any::<u64>()), |(steps, way, seed)| {
        let text = pieces.document(&steps);
        let way = Way::of(way);
        let rows = &both[usize::from(!way.has_tools)];
        let found = found(|| property(rows, way, &text, seed));
        found.map_err(|why| TestCaseError::fail(format!("{text:?} by {way:?}\n{why}")))
    });
    let ids: Vec<_> = rows.iter().map(|row| row.id.as_str()).collect();
    found.err().map(|error| format!("{}: {error}", ids.join(" + ")))
}

/// Says where two readings differ first.
fn assert_same(found: &[String], expected: &[String], how: &str) {
    let at = found.iter().zip(expected).take_while(|(one, other)| one == other).count();
    let from =
        |lines: &[String]| lines.get(at.saturating_sub(1)..lines.len().min(at + 3)).unwrap_or_default().join("\n  ");
    assert!(found == expected, "{how}: the whole is\n  {}\nand this is\n  {}", from(expected), from(found));
}

/// (a) Cuts don't matter: whole, character by character, at random places.
fn cuts_do_not_matter(rows: &Rows, way: Way, text: &str, seed: u64) {
    let whole = joined(&read(rows, way, [text]));
    let places = places(text);
    assert_same(&joined(&read(rows, way, cut(text, &places))), &whole, "character by character");
    let mut random = Random::new(seed);
    for _ in 0..3 {
        let count = 1 + random.below(6);
        let mut cuts: Vec<_> = (0..count).map(|_| places[random.below(places.len())]).collect();
        cuts.sort_unstable();
        assert_same(&joined(&read(rows, way, cut(text, &cuts))), &whole, &format!("cut at {cuts:?}"));
    }
}

/// Whether one of the calls is such a call at the same place.
fn has_call(calls: &[Call], call: &Call) -> bool {
    calls.iter().any(|other| (other.start, &other.name, &other.arguments) == (call.start, &call.name, &call.arguments))
}

/// Whether what was read as a call is one without the text around it: in the document it may be a part of another's text.
fn stands_alone(rows: &Rows, way: Way, call: &Call, text: &str) -> bool {
    let segment = &text[byte_of(text, call.start as u32)..byte_of(text, call.end as u32)];
    let alone = calls(&read(rows, Way { start: Start::Text, ..way }, [segment, " x"]));
    alone.iter().any(|other| (other.start, &other.name, &other.arguments) == (0, &call.name, &call.arguments))
}

/// (d) A front of a document has no call that the document hasn't, unless the payload is whole.
/// A code span that is closed after the front hides a whole call: then the rest is taken without its backticks.
fn a_cut_call_is_not_a_call(rows: &Rows, way: Way, text: &str, seed: u64) {
    let whole = calls(&read(rows, way, [text]));
    let places = places(text);
    let mut random = Random::new(seed);
    for _ in 0..12.min(places.len()) {
        let (front, rest) = text.split_at(places[random.below(places.len())]);
        for call in calls(&read(rows, way, [front])) {
            let row = rows.rows[usize::from(call.row)];
            let may_be = has_call(&whole, &call) || call.is_at_end && is_whole(row, &call, front);
            let is_hidden = || has_call(&calls(&read(rows, way, [front, &rest.replace('`', "'")])), &call);
            assert!(
                may_be || stands_alone(rows, way, &call, front) || way.skips_code && is_hidden(),
                "{call:?} of {front:?} is not in {whole:?}"
            );
        }
    }
}

/// What is shown, and what was thought.
fn shown(events: &[Event]) -> [String; 2] {
    [[Op::Text, Op::Failed].as_slice(), &[Op::Reasoned]].map(|ops| {
        let is_of = |event: &&Event| ops.iter().any(|&op| event.what == What::Own(op));
        events.iter().filter(is_of).map(|event| event.text.as_str()).collect()
    })
}

/// (e) The end of a run of text changes nothing before the end of the stream but that nothing more begins in it.
fn runs_end_as_streams_do(rows: &Rows, way: Way, text: &str, seed: u64) {
    cuts_do_not_matter(rows, way, text, seed);
    let whole = read(rows, way, [text]);
    let places = places(text);
    let mut random = Random::new(seed);
    let mut cuts: Vec<_> = (0..random.below(6)).map(|_| places[random.below(places.len())]).collect();
    cuts.sort_unstable();
    let mut reader = Reader::new(rows, way);
    cut(text, &cuts).into_iter().for_each(|piece| reader.feed(piece));
    reader.settle();
    let events = reader.finish().0;
    assert_tiled(rows, &events, text);
    // A call that broke off may have begun in what was pending.
    let has_begun = whole.iter().any(|event| event.what == What::Own(Op::Fail(Why::Unfinished)));
    if calls(&whole).is_empty() && !has_begun {
        assert_eq!(shown(&events), shown(&whole), "{cuts:?}");
    }
}

/// Thinking, sections that fail and mentions, closed and cut off.
fn mixed(row: &Row) -> Pieces {
    let thinking = row.texts("reasoning.open").into_iter().chain(row.texts("reasoning.close"));
    let thinking = thinking.chain(["<think>", "</think>", "<thinking>", "</thinking>"].map(str::to_owned));
    let markers = ["section.open", "section.close", "call.open", "call.close", "drop"];
    let markers = markers.iter().flat_map(|path| row.texts(path)).map(|marker| marker.replace("{suffix}", ""));
    let words = ["\n", "\n\n", " ", "Hello", "null", "`", ".", "{", "<", "</", "[", "1"].map(str::to_owned);
    Pieces::of_these(thinking.chain(markers).chain(words).collect(), row)
}

#[test]
fn thinking_failed_sections_and_mentions_are_read_alike_wherever_the_text_is_cut() {
    let check = |row: &'static Row| check_rows(&[row], &mixed(row), DOCUMENTS, runs_end_as_streams_do);
    let wrong: Vec<_> = ALL.iter().filter(|row| row.body != Body::Nothing).filter_map(check).collect();
    assert!(wrong.is_empty(), "{} rows of {}:\n{}", wrong.len(), ALL.len(), wrong.join("\n"));
}

#[test]
fn cuts_do_not_matter_in_any_row() {
    check(cuts_do_not_matter);
}

#[test]
fn nothing_is_lost_in_any_row() {
    check(|rows, way, text, _| {
        let events = read(rows, way, [text]);
        assert_tiled(rows, &events, text);
        calls(&events);
    });
}

#[test]
fn a_cut_call_is_not_a_call_in_any_row() {
    check(a_cut_call_is_not_a_call);
}

#[test]
fn rows_together() {
    let mut random = Random::new(crate::support::seed());
    for _ in 0..thinned(40) {
        let count = 2 + random.below(2);
        let rows: Vec<_> = (0..count).map(|_| &ALL[random.below(ALL.len())]).collect();
        let pieces = Pieces::of(&rows);
        let wrong = check_rows(&rows, &pieces, 40, |rows, way, text, seed| {
            cuts_do_not_matter(rows, way, text, seed);
            assert_tiled(rows, &read(rows, way, [text]), text);
        });
        assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
    }
}

/// Each sample has a call, which shows that the rows are what the machine reads. A front of it has none that it hasn't.
#[test]
fn samples_have_calls_and_their_fronts_no_others() {
    for row in ALL.iter() {
        let rows = Rows::of(vec![row], true);
        let whole = calls(&read(&rows, Way::PLAIN, [row.sample.as_str()]));
        let expected = usize::from(row.body != Body::Nothing);
        assert!(whole.len() >= expected, "{}: {whole:?}", row.id);
        // A front of a text is a text.
        let fronts = if row.body == Body::Text { Vec::new() } else { places(&row.sample) };
        for place in fronts {
            for call in calls(&read(&rows, Way::PLAIN, [&row.sample[..place]])) {
                assert!(has_call(&whole, &call), "{}: {call:?} of {:?}", row.id, &row.sample[..place]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: thinned(300) as u32, ..ProptestConfig::default() })]

    /// (b) Text never panics, whatever it is.
    #[test]
    fn no_text_is_refused(text in any::<String>(), way in any::<u64>(), row in 0..ALL.len()) {
        let way = Way::of(way);
        let rows = Rows::of(vec![&ALL[row]], way.has_tools);
        assert_tiled(&rows, &read(&rows, way, [text.as_str()]), &text);
    }
}
