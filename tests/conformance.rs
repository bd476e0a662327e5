//! Every case of `tests/cases/block`, whole: the right blocks at the right places.

#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod support;

#[test]
fn every_case_gives_its_blocks() {
    let mut wrong = Vec::new();
    let cases = support::cases();
    for case in &cases {
        let options = case.options();
        let face = options.face;
        let events = support::feed(options, [case.input.as_str()]);
        let blocks = support::render(&events, face);
        // The elements' face is membrane's, which has no spans to state.
        let expected = case.blocks.trim_end_matches('\n');
        if blocks != expected {
            wrong.push(format!("{}\ninput:    {:?}\nexpected:\n{expected}\nfound:\n{blocks}\n", case.name, case.input));
        }
        support::assert_tiled(&events, &case.input);
    }
    assert!(wrong.is_empty(), "{} of {} cases are wrong:\n\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
