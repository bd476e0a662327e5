//! Streams that share a desk emit what each emits alone.

use crate::machines::{Answered, Desk, Stream, Work, blocks, calls};
use tokenweir::block::Face;
use tokenweir::field::{self, Shape};
use tokenweir::json::Rules;
use tokenweir::segment::{self, CallMachine, Markers, Profile, Signatures};
use tokenweir::tool_call::{hermes_row, morph_row};

/// Reads texts, chunk by chunk, in turn; the desk is left by each what it was.
fn in_turn<M: Answered>(texts: &[(Work<M>, &str)], size: usize) -> Vec<Vec<(u32, usize, usize)>> {
    let mut desk = Desk(texts[0].0);
    let mut streams: Vec<_> = texts.iter().map(|&(machine, _)| Stream::new(machine)).collect();
    let longest = texts.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
    for from in (0..longest).step_by(size) {
        for (stream, (_, text)) in streams.iter_mut().zip(texts) {
            if let Some(chunk) = text.as_bytes().get(from..(from + size).min(text.len())) {
                stream.feed(&mut desk, chunk);
            }
        }
    }
    for stream in &mut streams {
        stream.finish(&mut desk);
    }
    streams.into_iter().map(|stream| stream.emitted).collect()
}

/// Streams that share a desk emit what each emits alone.
fn check<M: Answered>(texts: &[(Work<M>, &str)], least: usize) {
    // Miri is a thousand times slower.
    let sizes: &[usize] = if cfg!(miri) { &[11] } else { &[1, 2, 7, 1_000] };
    for &size in sizes {
        let alone: Vec<_> = texts.iter().flat_map(|&text| in_turn(&[text], size)).collect();
        assert!(alone.iter().all(|emitted| emitted.len() >= least), "the texts show little: {alone:?}");
        assert_eq!(in_turn(texts, size), alone, "chunks of {size}");
    }
}

#[test]
fn blocks_share_a_desk() {
    let call = "<function_calls><invoke name=\"a\"><parameter name=\"b\">[1, 2]</parameter></invoke></function_calls>";
    let thinking = "a < b <thinking why='x > y'>hm</thinking> so </thinking";
    check(
        &[
            (blocks(Face::Blocks, true), call),
            (blocks(Face::Blocks, false), thinking),
            (blocks(Face::Elements, false), call),
        ],
        3,
    );
}

#[test]
fn fields_share_a_desk() {
    let machine = |shape, rules| Work::new(field::Machine::new(shape, rules, 512));
    let json = "Sure: ```json\n{\"a\": [1, -2.5e3, \"x\\ud83d\\ude42y\"], \"b\": {\"c\": null}}\n```";
    let json5 = "{a: 'it\\'s', /* why */ b: +.5, c: Infinity,} and [tru";
    check(
        &[
            (machine(Shape::Any, Rules::LENIENT), json),
            (machine(Shape::Any, Rules::LENIENT), json5),
            (machine(Shape::Object, Rules::STRICT), json),
        ],
        4,
    );
}

#[test]
fn segments_share_a_desk() {
    let machine = |xml, json, sentinel| {
        let markers = Markers { xml, json, sentinel, skips_code: true };
        let machine = segment::Machine::new(markers, Signatures::of(Profile::OpenAi));
        Work::new(machine.with_reasoning(segment::Reasoning::Parts))
    };
    let xml = "<think>a<run_bash></think> Look `<tool` <tool name=\"write_file\"><arguments><arg name=\"path\">a</arg><arg name=\"content\">1 < 2</arg></arguments></tool> done";
    let json = "So {\"tool_calls\": [{\"function\": {\"name\": \"a\"}}]} and {\"x\": 1}";
    let sentinel = "[[SEG_START {\"type\": \"write_file\", \"path\": \"a\"}]]text[[SEG_END]] and [[SEG_";
    check(
        &[
            (machine(true, false, false), xml),
            (machine(false, true, false), json),
            (machine(false, false, true), sentinel),
            (machine(true, true, true), xml),
        ],
        4,
    );
}

#[test]
fn api_calls_share_a_desk() {
    let machine = |names: &[&[u8]]| Work::new(CallMachine::new(names).unwrap_or(CallMachine::REST));
    let (file, other) =
        ("{\"path\": \"a/b\", \"content\": \"x\\ny\"} ", "{\"path\": {\"path\": 1}, \"command\": \"ls\"}");
    check(&[(machine(&[b"path", b"content"]), file), (machine(&[b"command"]), other)], 2);
}

#[test]
fn tool_calls_share_a_desk() {
    let hermes = hermes_row("<tool_call>", "</tool_call>");
    let json = "I add. <tool_call>{\"arguments\": {\"a\": 1,}, \"name\": \"add\"}</tool_call> <tool_";
    let list = "<tool_call>[{'name': \"add\"}, {\"name\": \"get\"}]</tool_call><tool_call>{nothing";
    let tools = ["add", "get"];
    check(&[(calls(&hermes, &tools), json), (calls(&hermes, &tools), list)], 4);
    let elements = "a <b> <add><x>1 &lt; 2</x><y/></add> <get";
    let failing = "<get><x>1</get> and <add n='1'></add>";
    check(&[(calls(&morph_row(false), &["add"]), elements), (calls(&morph_row(false), &tools), failing)], 2);
}
