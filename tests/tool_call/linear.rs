//! Linear: growth is counted in moves, not in time. Four times the text is about
//! four times the moves, and so many a byte, in small chunks and in large ones.

use crate::support;
use tokenweir::tool_call::{EventKind, Options, ToolCallParser};

/// Moves, and calls made, when an ASCII text comes in chunks of `size` bytes.
fn cost(is_morph: bool, text: &str, size: usize) -> (u64, usize) {
    let options = if is_morph { Options::morph(&["add", "write_file"]) } else { Options::hermes() };
    let mut parser = ToolCallParser::new(options);
    let mut calls = 0;
    let mut count = |events: Vec<tokenweir::tool_call::Event>| {
        calls += events.iter().filter(|event| matches!(event.kind, EventKind::CallDone { .. })).count();
    };
    for chunk in text.as_bytes().chunks(size) {
        count(parser.feed(std::str::from_utf8(chunk).unwrap()).unwrap());
    }
    count(parser.finish());
    (parser.steps(), calls)
}

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    let mut wrong = Vec::new();
    for input in support::adversarial_inputs("tool_call") {
        let (name, most, least) = (&input.name, input.steps, input.calls);
        let is_morph = input.protocol.as_deref() == Some("morph");
        for size in [16, 1_024, usize::MAX] {
            let [(small, _), (large, calls)] = [50_000, 200_000].map(|len| {
                let text = input.text(len);
                cost(is_morph, &text, size.min(text.len()))
            });
            if large > 5 * small || large > most * 200_000 || calls < least {
                wrong.push(format!("{name} by {size}: {small}, then {large} moves, {calls} calls"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_chunk_far_longer_than_a_call_may_be() {
    // What is done beside the moves isn't counted: had it a square in it, this
    // would take minutes.
    for (options, unit) in [
        (Options::hermes(), "words, <tool_call>{\"name\":\"f\"}</tool_call> "),
        (Options::morph(&["add"]), "words, <add><a>1</a></add> "),
    ] {
        let text = unit.repeat((2 << 20) / unit.len());
        let mut options = options;
        options.longest = 4;
        let mut parser = ToolCallParser::new(options);
        let emitted = parser.feed(&text).unwrap();
        let failed = emitted.iter().filter(|event| matches!(event.kind, EventKind::Fail(_))).count();
        assert_eq!(failed, text.len() / unit.len(), "{unit}");
        assert!(parser.steps() <= 9 * text.len() as u64, "{} moves: {unit}", parser.steps());
    }
}
