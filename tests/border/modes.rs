//! What a machine lets JavaScript take without a call: its mode. These tests say
//! which one it is after a text, and that more plain text then changes nothing: it
//! is read to its end, it isn't buffered, and the mode stays.

use crate::machines::{Answered, Desk, Stream, Work, blocks, calls};
use tokenweir::block::{self, Face, Mode as Block, Settings};
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
        ("", Block::Read),
        ("a", Block::Text),
        ("a<", Block::Read),
        ("<thinking>a", Block::Text),
        ("<function_results>a", Block::Decoded),
        ("<function_results>a &l", Block::Read),
        ("<invoke name='a'>", Block::Read),
        (&value(""), Block::Read),
        (&value("12"), Block::Read),
        (&value("hello"), Block::Trimmed),
        (&value("hello "), Block::Trimmed),
        (&value("hello </par"), Block::Read),
    ];
    check(unmarked, Block::Read, &rows);
    // Emitted with its markup, every place counts.
    check(blocks(Face::Blocks, true), Block::Read, &[("a", Block::Read)]);
    let mut untrimmed = unmarked;
    untrimmed.machine = block::Machine::new(Settings { trims: false, ..Settings::new(Face::Blocks) });
    check(untrimmed, Block::Read, &[(&value("hello "), Block::String)]);
    let rows = [
        ("a", Block::Quoted),
        ("a\n", Block::Read),
        ("a `b", Block::Read),
        ("a `<thinking>b", Block::Read),
        ("```\na", Block::Quoted),
        ("<thinking>a", Block::Text),
        ("<function_results>a", Block::Decoded),
        (&value("hello"), Block::Trimmed),
    ];
    let mut quoting = unmarked;
    quoting.machine = block::Machine::new(Settings { skips_code: true, ..Settings::new(Face::Blocks) });
    check(quoting, Block::Read, &rows);
}

#[test]
fn of_fields() {
    let machine = Work::new(field::Machine::new(Shape::Any, Rules::LENIENT, 512));
    let rows = [
        ("", Field::Read),
        ("Sure", Field::Prose),
        ("Sure `", Field::Read),
        ("Sure {", Field::Read),
        ("{\"a\": ", Field::Read),
        ("{\"a\": \"x", Field::String),
        ("{\"a\": \"x\\", Field::Read),
        ("{\"a\": 1", Field::Read),
    ];
    check(machine, Field::Read, &rows);
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
        ("a <", Segment::Read),
        ("<run_bash>ls", Segment::Element),
        ("<run_bash>ls <", Segment::Read),
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
        ("[[SEG_START {\"type\": \"reasoning\"}]]x[", Segment::Read),
    ];
    check(with(true, true, true, false), Segment::Read, &rows);
    let escape = [("{\"tool_calls\": [\"a\\", Segment::JsonToken)];
    check(with(true, true, true, false), Segment::JsonToken, &escape);
    check(with(true, true, true, true), Segment::Read, &[("a", Segment::Text)]);
    let mut parts = with(false, true, false, false);
    parts.machine = parts.machine.with_reasoning(segment::Reasoning::Parts);
    let rows = [
        ("", Segment::Read),
        (" ", Segment::Read),
        ("a <", Segment::Text),
        ("a\n", Segment::Read),
        ("a\nb", Segment::Text),
        ("<thin", Segment::Read),
        ("<think>a", Segment::Element),
        ("<think>a </thin", Segment::Read),
        ("<think>a</think>", Segment::Read),
    ];
    check(parts, Segment::Read, &rows);
    parts.machine = parts.machine.with_reasoning(segment::Reasoning::Text);
    check(parts, Segment::Read, &[("<think>a", Segment::Read), ("<think>a</think>b", Segment::Text)]);
}

#[test]
fn of_tool_calls() {
    let hermes = calls(&hermes_row("<tool_call>", "</tool_call>"), &[]);
    let rows = [
        ("a", Call::Text),
        // Pending text is sent again, so the mode need not cover it.
        ("a <tool_", Call::Text),
        ("<tool_call>", Call::Read),
        ("<tool_call>{\"na", Call::Read),
        ("<tool_call>{\"name\": \"ad", Call::Read),
        ("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x", Call::String),
        ("<tool_call>{\"name\": \"add\", \"other\": \"x", Call::Silent),
        ("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1", Call::Read),
        ("<tool_call>{nothing at", Call::Failed),
    ];
    check(hermes, Call::Read, &rows);
    let morph = calls(&morph_row(false), &["add"]);
    check(
        morph,
        Call::Read,
        &[
            ("a", Call::Text),
            ("<add>", Call::Read),
            ("<add> ", Call::Read),
            ("<add><x", Call::Read),
            ("<add><x>te", Call::Element),
        ],
    );
}
