//! Linear: growth is counted in moves, not in time. Four times the text is about
//! four times the moves, so many a byte, the machine is called about as often
//! as there are chunks, and pending text doesn't grow except where it has to.

use crate::driver::Driver;
use crate::reading::text_of;
use crate::support::{self, Random};
use tokenweir::segment::{
    Choice, EventKind, LONGEST_HEADER, Machine, Markers, Mode, Op, Options, Profile, Reasoning, SegmentParser,
    Signatures,
};

const ALL: Markers = Markers { xml: true, json: true, sentinel: true, skips_code: false };

/// Before a path: the tool has not begun.
const WAITING: &str = "<tool name=\"write_file\">";
const WAITING_MARKED: &str = "<tool name=\"write_file\"><arg name=\"content\">__START_CONTENT__";
const BEGUN: &str = "<tool name=\"write_file\"><arg name=\"path\">a</arg>";
const MARKED: &str = "<tool name=\"write_file\"><arg name=\"path\">a</arg><arg name=\"content\">__START_CONTENT__";

/// Tags inside tags, and none is whole: whichever quote is open, the next
/// tag goes on.
const INSIDE_OUT: &str = "<tool a=' \" ' b=\" ";

/// Which markers are looked for.
const SETTINGS: [Markers; 5] = [
    Markers::XML,
    Markers { json: true, ..Markers::NONE },
    Markers { sentinel: true, ..Markers::NONE },
    ALL,
    Markers { skips_code: true, ..ALL },
];

struct Cost {
    moves: u64,
    held: u32,
    calls: usize,
    chunks: usize,
}

/// What it costs when an ASCII text comes in chunks of `size` bytes.
fn cost(markers: Markers, text: &str, size: usize) -> Cost {
    let machine = Machine::new(markers, Signatures::of(Profile::OpenAi)).with_reasoning(Reasoning::Parts);
    let mut driver = Driver::new(machine, usize::MAX, Choice::BuiltIn);
    let mut chunks = 0;
    for piece in text.as_bytes().chunks(size) {
        driver.feed(std::str::from_utf8(piece).unwrap());
        chunks += 1;
    }
    driver.finish();
    Cost { moves: driver.steps(), held: driver.most_held, calls: driver.calls, chunks }
}

/// The text that `unit` makes of about `len` bytes, after what opens the place.
fn repeated(open: &str, unit: &str, len: usize) -> String {
    format!("{open}{}", unit.repeat(len.div_ceil(unit.len())))
}

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    for input in support::adversarial_inputs("segment") {
        let (name, moves_a_byte) = (&input.name, input.steps);
        for markers in SETTINGS {
            for size in [1, 4, usize::MAX] {
                let (short, long) = (input.text(15_000), input.text(60_000));
                let (few, many) = (cost(markers, &short, size), cost(markers, &long, size));
                let place = format!("{name} in chunks of {size}, {markers:?}");
                let bytes = long.len() as u64;
                // What may open reasoning at the start is read again with each of its characters.
                assert!(many.moves <= moves_a_byte * bytes + 8, "{place}: {} moves for {bytes} bytes", many.moves);
                assert!(
                    many.moves <= few.moves * 4 * 21 / 20 + 30_000,
                    "{place}: {} moves grow to {} with four times the text",
                    few.moves,
                    many.moves
                );
                assert!(many.held <= input.held, "{place}: {} units were held", many.held);
                // A second call reads again what was pending, a third goes on after a tool's name.
                let names = long.matches("<tool name").count();
                assert!(many.calls <= 2 * many.chunks + names + 20, "{place}: {} calls", many.calls);
            }
        }
    }
}

#[test]
fn no_unit_of_some_pieces_grows_faster() {
    const PIECES: [&str; 46] = [
        "<think>",
        "\n<thinking",
        "</think>",
        "<tool ",
        "<tool a=\"",
        "<tool a='",
        "<run_bash ",
        "<",
        ">",
        "\"",
        "'",
        "=",
        " ",
        "\n",
        "/",
        "&",
        "a",
        "xxxxxxxx",
        "{",
        "{ ",
        "{\"a\":",
        "{\"a\":\"",
        "[{\"",
        "}",
        "]",
        ":",
        ",",
        "\\",
        "[[SEG_START ",
        "[[SEG_START {\"a\":\"",
        "`",
        "_",
        "__END_CONTENT__",
        "__END_",
        "</arg>",
        "</ar",
        "</tool>",
        "</to",
        "</arguments",
        "<arg name=\"",
        "<arg name=\"content\">",
        "__START_CONTENT__",
        // These four are dear.
        INSIDE_OUT,
        "<tool a=' \" <",
        "<run_bash b=\" ' ",
        "[",
    ];
    let seed = support::seed();
    eprintln!("SEED={seed}");
    let mut random = Random::new(seed);
    for _ in 0..600 {
        let open = ["", "", "", WAITING, BEGUN, MARKED][random.below(6)];
        let markers = SETTINGS[random.below(SETTINGS.len())];
        let from = if random.below(4) == 0 { &PIECES[PIECES.len() - 4..] } else { &PIECES };
        let unit: String = (0..=random.below(8))
            .map(|_| from[random.below(from.len())].repeat(1 + random.below(2) * random.below(40)))
            .collect();
        let size = [1, 4, usize::MAX][random.below(3)];
        let [few, many] = [20_000, 80_000].map(|len| cost(markers, &repeated(open, &unit, len), size).moves);
        let place = format!("SEED={seed} {open:?} and {unit:?} in chunks of {size}, {markers:?}");
        assert!(many <= 9 * 80_000, "{place}: {many} moves");
        assert!(many <= few * 4 * 21 / 20 + 30_000, "{place}: {few} moves grow to {many}");
    }
}

#[test]
fn text_that_is_not_read_earns_the_same() {
    // Because of the mode JavaScript doesn't read it. How far a failed
    // candidate is searched again must not depend on that.
    let inside = INSIDE_OUT.repeat(100);
    let text = format!("{}<{inside}<run_bash>ls</run_bash>{inside}<", INSIDE_OUT.repeat(216));
    let found = |is_read: bool| {
        let mut driver = Driver::new(Machine::new(Markers::XML, Signatures::NONE), usize::MAX, Choice::BuiltIn);
        driver.feed("x");
        assert_eq!(driver.mode(), Mode::Text);
        let prose = "x".repeat(400_000);
        if is_read {
            driver.feed(&prose)
        } else {
            driver.pass(&prose, Op::Text)
        }
        driver.feed(&text);
        let (emitted, _) = driver.finish();
        assert!(emitted.iter().any(|(op, ..)| matches!(op, Op::Start(_))), "it is not found: {emitted:?}");
        emitted
    };
    assert_eq!(found(false), found(true));
}

#[test]
fn a_header_that_never_ends_is_given_up() {
    let text = repeated("[[SEG_START {\"a\":\"", "words [[SEG_START ", 3 << 19);
    for size in [64, usize::MAX] {
        let mut driver = Driver::new(Machine::new(ALL, Signatures::of(Profile::Default)), usize::MAX, Choice::BuiltIn);
        for piece in text.as_bytes().chunks(size) {
            driver.feed(std::str::from_utf8(piece).unwrap());
        }
        let units = text.len() as u32;
        assert!(driver.most_held <= LONGEST_HEADER + 64 || size > units as usize, "{} are held", driver.most_held);
        let (emitted, said) = driver.finish();
        assert_eq!(emitted, [(Op::Text, 0, units)]);
        assert_eq!(said.first().map(|&(_, from, to)| (from, to)), Some((0, LONGEST_HEADER)));
        assert!(driver.steps() <= 8 * u64::from(units), "{} moves", driver.steps());
    }
}

#[test]
fn a_megabyte_in_front_of_its_path() {
    let content = "    if (a < b) { return \"x </arg\" }\n".repeat(30_000);
    let text = format!("{WAITING_MARKED}\n{content}__END_CONTENT__\n</arg><arg name=\"path\">a</arg></tool>");
    for size in [4, 4_096, usize::MAX] {
        let mut parser = SegmentParser::new(Options::default());
        let mut emitted = Vec::new();
        for (nth, piece) in text.as_bytes().chunks(size).enumerate() {
            let events = parser.feed(std::str::from_utf8(piece).unwrap()).unwrap();
            assert!(events.is_empty() || (nth + 1).saturating_mul(size) > content.len(), "{events:?} before the path");
            emitted.extend(events);
        }
        emitted.extend(parser.finish());
        let contents: Vec<_> = emitted.iter().filter(|event| matches!(event.kind, EventKind::Content(_))).collect();
        assert_eq!(contents.len(), 1, "what was held comes whole");
        assert!(matches!(&contents[0].kind, EventKind::Content(text) if *text == content));
        assert!(parser.steps() <= 3 * text.len() as u64, "{} moves", parser.steps());
    }
}

#[test]
fn megabytes_in_one_and_in_many_chunks() {
    // What a driver does beside the moves isn't counted: had it a square in it,
    // this would take minutes.
    let sentinels = Markers { sentinel: true, ..Markers::NONE };
    for (markers, open, unit) in [
        (ALL, "", "Some words, and <run_bash>ls -la</run_bash> {\"tool\": {\"function\": \"f\"}} é水🙂\n"),
        (Markers::XML, "", "<tool name=\"a\">x</tool>"),
        (Markers::XML, "", "<tool name=\"write_file\"></tool>"),
        (Markers::XML, WAITING_MARKED, "hello __END_CONTEN\n"),
        (Markers::XML, WAITING, "<arg name=\"path\">x<b"),
        (Markers::XML, "<write_file path=\"a\">", "words, </write_fil words 水🙂"),
        (sentinels, "", "[[SEG_START x"),
        (sentinels, "[[SEG_START {\"a\":\"", "[[SEG_START {\\\""),
    ] {
        let text = repeated(open, unit, 1 << 21);
        for size in [4, 1 << 12, usize::MAX] {
            let places = (0..text.len()).step_by(size).filter(|&at| text.is_char_boundary(at)).skip(1);
            let mut options = Options::default();
            options.markers = markers;
            let mut parser = SegmentParser::new(options);
            let mut events = Vec::new();
            for piece in support::cut(&text, &places.collect::<Vec<_>>()) {
                events.extend(parser.feed(piece).unwrap());
            }
            events.extend(parser.finish());
            assert_eq!(text_of(&events).len(), text.len(), "{open:?} and {unit:?} in chunks of {size}");
            assert!(parser.steps() <= 6 * text.len() as u64, "{} moves: {open:?} and {unit:?}", parser.steps());
        }
    }
}
