//! What a machine lets JavaScript take without a call: its mode. Here is which
//! one it is behind a text, and that more plain text is then nothing to it: it
//! is read to its end, it isn't held, and the mode stays.

use crate::machines::{Blocks, Calls, Desk, Machine, Stream};
use tokenweir::block::{Face, Mode as Block};
use tokenweir::field::{self, Mode as Field, Shape};
use tokenweir::json::Rules;
use tokenweir::segment::{self, Markers, Mode as Segment, Profile, Signatures};
use tokenweir::tool_call::{self, Marker, Mode as Call};

/// Asserts the mode behind a text, and behind one more character.
fn check<M: Machine, Mode: PartialEq + std::fmt::Debug + Copy>(
    machine: M,
    mode: impl Fn(&M) -> Mode,
    ask: Mode,
    rows: &[(&str, Mode)],
) {
    for &(text, expected) in rows {
        let mut desk = Desk(machine);
        let mut stream = Stream::new(machine);
        stream.feed(&mut desk, text.as_bytes());
        assert_eq!(mode(&stream.parked), expected, "behind {text}");
        if expected != ask {
            stream.feed(&mut desk, b"1");
            assert_eq!((stream.at, mode(&stream.parked)), (text.len() + 1, expected), "behind {text}1");
            // A call is held as a whole until it is one.
            assert!(
                stream.origin == stream.at || stream.origin == text.find("<tool_call>").or(text.find("<add>")).unwrap(),
                "behind {text}1"
            );
        }
    }
}

const VALUE: &str = "<invoke name='a'><parameter name='b'>";

#[test]
fn of_blocks() {
    let value = |text: &str| format!("{VALUE}{text}");
    let mode = |blocks: &Blocks| blocks.machine.mode();
    let blocks = Blocks::new(Face::Blocks, false);
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
    check(blocks, mode, Block::Ask, &rows);
    // Told with its markup, every place counts.
    check(Blocks::new(Face::Blocks, true), mode, Block::Ask, &[("a", Block::Ask)]);
    let mut untrimmed = blocks;
    untrimmed.machine.configure(false, false, false);
    check(untrimmed, mode, Block::Ask, &[(&value("hello "), Block::String)]);
}

#[test]
fn of_fields() {
    let machine = field::Machine::new(Shape::Any, Rules::LENIENT, 512);
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
    check(machine, field::Machine::mode, Field::Ask, &rows);
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
        assert_eq!(stream.parked.could_be_closed(), expected, "{text}");
    }
}

#[test]
fn of_segments() {
    let with = |xml, json, sentinel, skips_code| {
        segment::Machine::new(Markers { xml, json, sentinel, skips_code }, Signatures::of(Profile::OpenAi))
    };
    let rows = [
        ("a", Segment::Text),
        ("a <", Segment::Ask),
        ("<run_bash>ls", Segment::Element),
        ("<run_bash>ls <", Segment::Ask),
        ("<tool name=\"a\">", Segment::Element),
        ("<tool name=\"write_file\"><arguments><arg name=\"path\">a</arg><arg name=\"content\">x", Segment::Element),
        ("<tool name=\"write_file\"><arguments><arg name=\"content\">x", Segment::Ask),
        (
            "<tool name=\"write_file\"><arguments><arg name=\"path\">a</arg><arg name=\"content\">__START_CONTENT__\nx",
            Segment::Marked,
        ),
        ("{\"tool_calls\": [", Segment::Json),
        ("{\"tool_calls\": [\"a", Segment::JsonString),
        ("{\"tool_calls\": [\"a\\", Segment::Ask),
        ("[[SEG_START {\"type\": \"reasoning\"}]]x", Segment::Sentinel),
        ("[[SEG_START {\"type\": \"reasoning\"}]]x[", Segment::Ask),
    ];
    check(with(true, true, true, false), segment::Machine::mode, Segment::Ask, &rows);
    check(with(true, true, true, true), segment::Machine::mode, Segment::Ask, &[("a", Segment::Ask)]);
}

#[test]
fn of_tool_calls() {
    let marker = |text: &str| Marker::new(&[text.as_bytes()]).unwrap();
    let hermes = Calls::new(tool_call::Machine::hermes(marker("<tool_call>"), marker("</tool_call>")), &[]);
    let mode = |calls: &Calls| calls.machine.mode();
    let rows = [
        ("a", Call::Text),
        // What is held is sent again, so the mode need not speak of it.
        ("a <tool_", Call::Text),
        ("<tool_call>", Call::Ask),
        ("<tool_call>{\"na", Call::Ask),
        ("<tool_call>{\"name\": \"ad", Call::Ask),
        ("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": \"x", Call::String),
        ("<tool_call>{\"name\": \"add\", \"other\": \"x", Call::Silent),
        ("<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 1", Call::Ask),
        ("<tool_call>{nothing at", Call::Failed),
    ];
    check(hermes, mode, Call::Ask, &rows);
    let morph = Calls::new(tool_call::Machine::morph(), &["add"]);
    check(
        morph,
        mode,
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
