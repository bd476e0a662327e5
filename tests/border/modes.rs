//! What a machine lets JavaScript take without a call: its mode. These tests say
//! which one it is after a text, and that more plain text then changes nothing: it
//! is read to its end, it isn't buffered, and the mode stays.

use crate::machines::{Answered, Desk, Stream, Work, blocks, calls};
use tokenweir::block::{Face, Mode as Block};
use tokenweir::field::{self, Mode as Field, Shape};
use tokenweir::json::Rules;
use tokenweir::segment::{self, Markers, Mode as Segment, Profile, Signatures};
use tokenweir::tool_call::{Mode as Call, hermes_row, morph_row};

/// Asserts the mode after a text, and after one more character.
fn check<M: Answered<Mode: PartialEq + std::fmt::Debug>>(machine: Work<M>, ask: M::Mode, rows: &[(&str, M::Mode)]) {
    for &(text, expected) in rows {
        let mut desk = Desk(machine);
        let mut stream = Stream::new(machine);
        stream.feed(&mut desk, text.as_bytes());
        assert_eq!(stream.parked.machine.mode(), expected, "after {text}");
        if expected != ask {
            stream.feed(&mut desk, b"1");
            assert_eq!((stream.at, stream.parked.machine.mode()), (text.len() + 1, expected), "after {text}1");
            // A call is buffered as a whole until it is one.
            assert!(
                stream.origin == stream.at
                    || stream.origin
                        == ["<tool_call>", "<add>", "<tool name"].iter().find_map(|tag| text.find(tag)).unwrap(),
                "after {text}1"
            );
        }
    }
}

const VALUE: &str = "<invoke name='a'><parameter name='b'>";

#[test]
fn of_blocks() {
    let value = |text: &str| format!("{VALUE}{text}");
    let unmarked = blocks(Face::Blocks, false);
    let rows = [
        ("", Block::Ask),
        ("a", Block::Text),
        ("a<", Block::Ask),
        ("<thinking>a", Block::Text),
        ("<function_results>a", Block::Decoded),
        ("<function_results>a &l", Block::Ask),
        ("<invoke name='a'>", Block::Ask),
        (&value(""), Block::Ask),
        (&value("12"), Block::Ask),
        (&value("hello"), Block::Trimmed),
        (&value("hello "), Block::Trimmed),
        (&value("hello </par"), Block::Ask),
    ];
    check(unmarked, Block::Ask, &rows);
    // Emitted with its markup, every place counts.
    check(blocks(Face::Blocks, true), Block::Ask, &[("a", Block::Ask)]);
    let mut untrimmed = unmarked;
    untrimmed.machine.configure(false, false, false);
    check(untrimmed, Block::Ask, &[(&value("hello "), Block::String)]);
    let mut quoting = unmarked;
    quoting.machine.skip_code();
    let rows = [
        ("a", Block::Quoted),
        ("a\n", Block::Ask),
        ("a `b", Block::Ask),
        ("a `<thinking>b", Block::Ask),
        ("```\na", Block::Quoted),
        ("<thinking>a", Block::Text),
        ("<function_results>a", Block::Decoded),
        (&value("hello"), Block::Trimmed),
    ];
    check(quoting, Block::Ask, &rows);
}

#[test]
fn of_fields() {
    let machine = Work::new(field::Machine::new(Shape::Any, Rules::LENIENT, 512));
    let rows = [
        ("", Field::Ask),
        ("Sure", Field::Prose),
        ("Sure `", Field::Ask),
        ("Sure {", Field::Ask),
        ("{\"a\": ", Field::Ask),
        ("{\"a\": \"x", Field::String),
        ("{\"a\": \"x\\", Field::Ask),
        ("{\"a\": 1", Field::Ask),
    ];
    check(machine, Field::Ask, &rows);
    let could_be_closed = [
        ("Sure", false),
        ("Sure {", false),
        ("{\"a\":", false),
        ("{\"a\": 1", false),
        ("{\"a\": 1, \"b\": [2", true),
        ("[{\"a\": 1} ", true),
        ("{\"a\": 1} ", true),
    ];
    for (text, expected) in could_be_closed {
        let mut stream = Stream::new(machine);
        stream.feed(&mut Desk(machine), text.as_bytes());
        assert_eq!(stream.parked.machine.could_be_closed(), expected, "{text}");
    }
}

#[test]
fn of_segments() {
    let with = |xml, json, sentinel, skips_code| {
        let markers = Markers { xml, json, sentinel, skips_code };
        Work::new(segment::Machine::new(markers, Signatures::of(Profile::OpenAi)))
    };
    let rows = [
        ("a", Segment::Text),
        ("a <", Segment::Ask),
        ("<run_bash>ls", Segment::Element),
        ("<run_bash>ls <", Segment::Ask),
        ("<tool name=\"a\">", Segment::Value),
        ("<tool name=\"write_file\"><arguments><arg name=\"path\">a</arg><arg name=\"content\">x", Segment::Value),
        ("<tool name=\"write_file\"><arguments><arg name=\"content\">x", Segment::Pending),
        (
            "<tool name=\"write_file\"><arguments><arg name=\"path\">a</arg><arg name=\"content\">__START_CONTENT__\nx",
            Segment::Marked,
        ),
        ("{\"tool_calls\": [", Segment::JsonToken),
        ("{\"tool_calls\": [@", Segment::Json),
        ("{\"tool_calls\": [@\"a", Segment::JsonString),
        ("{\"tool_calls\": [\"a", Segment::JsonString),
        ("[[SEG_START {\"type\": \"reasoning\"}]]x", Segment::Sentinel),
        ("[[SEG_START {\"type\": \"reasoning\"}]]x[", Segment::Ask),
    ];
    check(with(true, true, true, false), Segment::Ask, &rows);
    let escape = [("{\"tool_calls\": [\"a\\", Segment::JsonToken)];
    check(with(true, true, true, false), Segment::JsonToken, &escape);
    check(with(true, true, true, true), Segment::Ask, &[("a", Segment::Text)]);
    let mut parts = with(false, true, false, false);
    parts.machine = parts.machine.with_reasoning(segment::Reasoning::Parts);
    let rows = [
        ("", Segment::Ask),
        (" ", Segment::Ask),
        ("a <", Segment::Text),
        ("a\n", Segment::Ask),
        ("a\nb", Segment::Text),
        ("<thin", Segment::Ask),
        ("<think>a", Segment::Element),
        ("<think>a </thin", Segment::Ask),
        ("<think>a</think>", Segment::Ask),
    ];
    check(parts, Segment::Ask, &rows);
    parts.machine = parts.machine.with_reasoning(segment::Reasoning::Text);
    check(parts, Segment::Ask, &[("<think>a", Segment::Ask), ("<think>a</think>b", Segment::Text)]);
}

#[test]
fn of_tool_calls() {
    let hermes = calls(&hermes_row("<tool_call>", "</tool_call>"), &[]);
    let rows = [
        ("a", Call::Text),
        // Pending text is sent again, so the mode need not cover it.
        ("a <tool_", Call::Text),
        ("<tool_call>", Call::Ask),
        ("<tool_call>{\"na", Call::Ask),
        ("<tool_call>{\"name\": \"ad", Call::Ask),
        ("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x", Call::String),
        ("<tool_call>{\"name\": \"add\", \"other\": \"x", Call::Silent),
        ("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1", Call::Ask),
        ("<tool_call>{nothing at", Call::Failed),
    ];
    check(hermes, Call::Ask, &rows);
    let morph = calls(&morph_row(false), &["add"]);
    check(
        morph,
        Call::Ask,
        &[
            ("a", Call::Text),
            ("<add>", Call::Ask),
            ("<add> ", Call::Ask),
            ("<add><x", Call::Ask),
            ("<add><x>te", Call::Element),
        ],
    );
}
