//! Linear: growth is counted in moves, not in time. Four times the text is about
//! four times the moves, so many a byte, the machine is called about as often
//! as there are chunks, and what is held doesn't grow but where it has to.

use crate::driver::Driver;
use crate::support::{self, Random};
use tokenweir::segment::{
    Choice, EventKind, LONGEST_HEADER, LONGEST_SPACE, Machine, Markers, Mode, Op, Options, Profile, SegmentParser,
    Signatures,
};
use tokenweir::xml::LONGEST_TAG;

const ALL: Markers = Markers { xml: true, json: true, sentinel: true, skips_code: false };

/// In front of a path: the tool has not begun.
const WAITING: &str = "<tool name=\"write_file\">";
const WAITING_CONTENT: &str = "<tool name=\"write_file\"><arg name=\"content\">";
const WAITING_MARKED: &str = "<tool name=\"write_file\"><arg name=\"content\">__START_CONTENT__";
const BEGUN: &str = "<tool name=\"write_file\"><arg name=\"path\">a</arg>";
const MARKED: &str = "<tool name=\"write_file\"><arg name=\"path\">a</arg><arg name=\"content\">__START_CONTENT__";

/// Tags inside of tags, none of which is one: whichever quote is open, the next
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
    let machine = Machine::new(markers, Signatures::of(Profile::OpenAi));
    let mut driver = Driver::new(machine, usize::MAX, Choice::BuiltIn);
    let mut chunks = 0;
    for piece in text.as_bytes().chunks(size) {
        driver.feed(std::str::from_utf8(piece).unwrap());
        chunks += 1;
    }
    driver.finish();
    Cost { moves: driver.steps(), held: driver.most_held, calls: driver.calls, chunks }
}

/// The text that `unit` makes of about `len` bytes, behind what opens the place.
fn bomb(open: &str, unit: &str, len: usize) -> String {
    format!("{open}{}", unit.repeat(len.div_ceil(unit.len())))
}

#[test]
fn moves_grow_with_the_text_and_not_with_its_square() {
    let long_tag = format!("<tool a=\"{}", "x".repeat(4_080));
    let spaced = format!("{{{}", " ".repeat(4_095));
    let spaces = format!("__END_CONTENT__{}", " ".repeat(4_000));
    let line_ends = format!("__END_CONTENT__{}", "\n".repeat(4_000));
    let closed = format!("</arg>{}", "\n".repeat(4_000));
    let lead = format!("{BEGUN}<arg name=\"content\">{}", " ".repeat(4_000));
    // Many cheap candidates earn some searching, which a few dear ones use up.
    let cheap_and_dear = format!("{}{}<", "[".repeat(4_000), INSIDE_OUT.repeat(216));
    let (tag, space) = (LONGEST_TAG, LONGEST_SPACE);
    let bounded = [
        // Name, what opens the place, what is repeated, most moves a byte, most held.
        ("prose", "", "the quick brown fox ", 2, 0),
        ("line ends", "", "\n", 2, 0),
        ("angle brackets", "", "<", 3, 1),
        ("names", "", "<tool", 3, 5),
        ("tags that were meant", "", "<tool ", 3, 6),
        ("a tag of names", "<tool ", "a", 3, tag),
        ("a tag of spaces", "<tool", " ", 3, tag),
        ("a tag of one value", "<tool a=\"", "x", 3, tag),
        ("tags and double quotes", "", "<tool a=\"", 5, 18),
        ("tags and both quotes", "", "<tool a=\"'", 5, 20),
        ("tags in tags", "", INSIDE_OUT, 9, tag),
        ("cheap and dear candidates", "", &cheap_and_dear, 9, tag),
        ("long tags", "", &long_tag, 5, tag),
        ("tags without what they need", "", "<tool><write_file a=\"<\">", 4, 20),
        ("open braces", "", "{", 5, 1),
        ("open braces and spaces", "", "{ ", 4, 2),
        ("braces and quotes", "", "{\"", 6, 2),
        ("nested objects", "", "{\"a\":", 4, 5),
        ("one string of an object", "{\"a\":\"", "{ [[SEG_START <tool ", 3, 20),
        ("objects that are none", "", "{\"a\": x ", 4, 8),
        ("braces and much space", "", &spaced, 4, space + 2),
        ("fronts of signatures", "", "{\"too", 5, 5),
        ("open brackets", "", "[", 6, 2),
        ("markers of sentinels", "", "[[SEG_START", 4, 11),
        ("markers of sentinels and spaces", "", "[[SEG_START ", 4, 12),
        ("headers in headers", "", "[[SEG_START {\"a\":\"", 5, 32),
        ("headers and escapes", "", "[[SEG_START {\"a\":\"\\\"", 5, 34),
        ("headers of nothing", "", "[[SEG_START {}]]", 4, 16),
        ("a nested header", "[[SEG_START ", "{\"a\":", 3, 2_600),
        ("sentinels", "", "[[SEG_START {\"type\":\"text\"}]]", 3, 29),
        ("fronts of a sentinel's end", "[[SEG_START {\"type\":\"text\"}]]", "[[SEG_EN", 3, 28),
        ("brackets in a sentinel", "[[SEG_START {\"type\":\"text\"}]]", "[", 6, 28),
        ("fronts of a command's end", "<run_bash>", "</run_bas", 3, 10),
        ("angle brackets in a command", "<run_bash>", "<", 3, 10),
        ("fronts of a tool's end", "<tool name=\"a\">", "</tool", 3, 14),
        ("tools", "", "<tool name=\"a\">x</tool>", 4, 22),
        (
            "files",
            "",
            "<tool name=\"write_file\"><arg name=\"path\">p</arg><arg name=\"content\">c</arg></tool>",
            3,
            48,
        ),
        ("files without a path", "", "<tool name=\"write_file\"></tool>", 3, 31),
        ("tools of JSON", "", "{\"tool\":1}", 5, 9),
        ("one deep tool of JSON", "{\"tool\":", "{\"a\":[", 3, 7),
        ("one string of JSON", "{\"tool\":\"", "\\\"x", 3, 7),
        ("markers that end nothing", MARKED, "__END_CONTEN_", 5, 47),
        ("fronts of markers", MARKED, "_", 7, 47),
        ("line ends in content", MARKED, "\n", 4, space + 1),
        ("lines of content", MARKED, "\nx", 4, 47),
        ("closing tags in content", MARKED, "</arg> ", 6, 47),
        ("closing tags on lines", MARKED, "\n</arg>\n", 6, 47),
        ("closing tags and a front", MARKED, "</arg></too", 5, 47),
        ("closing tags and arguments", MARKED, "</arg></arguments", 5, 47),
        ("angle brackets in content", MARKED, "<", 5, 47),
        ("end markers and spaces", MARKED, &spaces, 5, 2 * space),
        ("end markers and line ends", MARKED, &line_ends, 5, 2 * space),
        ("closing tags and line ends", MARKED, &closed, 5, 2 * space),
        ("spaces in front of no marker", "", &lead, 3, space),
        ("contents that come again", BEGUN, "<arg name=\"content\">__START_CONTEN</arg>", 3, 47),
        ("behind the content", "<tool name=\"run_bash\"><arg name=\"command\">c</arg>", "</tool", 3, 21),
        ("tags between arguments", "<tool name=\"run_bash\">", "<arg name=\"", 4, 22),
        ("backticks", "", "`", 2, 0),
        ("fences", "", "```\n<tool ", 4, 10),
    ];
    // All of it is held, since the path may still come.
    let held = [
        ("content that waits", WAITING_CONTENT, "hello </ar ", 3, u32::MAX),
        ("fronts in content that waits", WAITING_CONTENT, "</ar", 3, u32::MAX),
        ("lines of content that waits", WAITING_MARKED, "hello __END_CONTEN\n", 5, u32::MAX),
        ("line ends of content that waits", WAITING_MARKED, "\n", 4, u32::MAX),
        ("closing tags of content that waits", WAITING_MARKED, "</arg> ", 6, u32::MAX),
        ("a path that never ends", "<tool name=\"write_file\"><arg name=\"path\">", "x", 3, u32::MAX),
        ("paths that never end", WAITING, "<arg name=\"path\">x<b", 3, u32::MAX),
        ("arguments that wait", WAITING, "<arg ", 4, u32::MAX),
        ("angle brackets that wait", WAITING, "<", 4, u32::MAX),
        ("a header that waits", "[[SEG_START {\"a\":\"", "words ", 4, u32::MAX),
        ("a header's end that waits", "[[SEG_START {\"type\":\"text\"}", " ", 4, u32::MAX),
    ];
    for (name, open, unit, moves_a_byte, most_held) in bounded.into_iter().chain(held) {
        for markers in SETTINGS {
            for size in [1, 4, usize::MAX] {
                let (short, long) = (bomb(open, unit, 15_000), bomb(open, unit, 60_000));
                let (few, many) = (cost(markers, &short, size), cost(markers, &long, size));
                let place = format!("{name} in chunks of {size}, {markers:?}");
                let bytes = long.len() as u64;
                assert!(many.moves <= moves_a_byte * bytes, "{place}: {} moves for {bytes} bytes", many.moves);
                assert!(
                    many.moves <= few.moves * 4 * 21 / 20 + 30_000,
                    "{place}: {} moves grow to {} with four times the text",
                    few.moves,
                    many.moves
                );
                assert!(many.held <= most_held, "{place}: {} units were held", many.held);
                // A second call reads again what was held, a third goes on behind a tool's name.
                let names = long.matches("<tool name").count();
                assert!(many.calls <= 2 * many.chunks + names + 20, "{place}: {} calls", many.calls);
            }
        }
    }
}

#[test]
fn no_unit_of_some_pieces_grows_faster() {
    const PIECES: [&str; 43] = [
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
        let [few, many] = [20_000, 80_000].map(|len| cost(markers, &bomb(open, &unit, len), size).moves);
        let place = format!("SEED={seed} {open:?} and {unit:?} in chunks of {size}, {markers:?}");
        assert!(many <= 9 * 80_000, "{place}: {many} moves");
        assert!(many <= few * 4 * 21 / 20 + 30_000, "{place}: {few} moves grow to {many}");
    }
}

#[test]
fn text_that_is_not_read_earns_the_same() {
    // By its mode JavaScript doesn't read it. How far what turned out to be
    // nothing is searched again must not hang on that.
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
        let (told, _) = driver.finish();
        assert!(told.iter().any(|(op, ..)| matches!(op, Op::Start(_))), "it is not found: {told:?}");
        told
    };
    assert_eq!(found(false), found(true));
}

#[test]
fn a_header_that_never_ends_is_given_up() {
    let text = bomb("[[SEG_START {\"a\":\"", "words [[SEG_START ", 3 << 19);
    for size in [64, usize::MAX] {
        let mut driver = Driver::new(Machine::new(ALL, Signatures::of(Profile::Default)), usize::MAX, Choice::BuiltIn);
        for piece in text.as_bytes().chunks(size) {
            driver.feed(std::str::from_utf8(piece).unwrap());
        }
        let units = text.len() as u32;
        assert!(driver.most_held <= LONGEST_HEADER + 64 || size > units as usize, "{} are held", driver.most_held);
        let (told, said) = driver.finish();
        assert_eq!(told, [(Op::Text, 0, units)]);
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
        let mut told = Vec::new();
        for (nth, piece) in text.as_bytes().chunks(size).enumerate() {
            let events = parser.feed(std::str::from_utf8(piece).unwrap()).unwrap();
            assert!(events.is_empty() || (nth + 1).saturating_mul(size) > content.len(), "{events:?} before the path");
            told.extend(events);
        }
        told.extend(parser.finish());
        let contents: Vec<_> = told.iter().filter(|event| matches!(event.kind, EventKind::Content(_))).collect();
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
        let text = bomb(open, unit, 1 << 21);
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
            let told = events.iter().map(|event| match &event.kind {
                EventKind::Content(text) | EventKind::Markup(text) => text.len(),
                EventKind::Start { .. } | EventKind::End | EventKind::Fault(_) => 0,
            });
            assert_eq!(told.sum::<usize>(), text.len(), "{open:?} and {unit:?} in chunks of {size}");
            assert!(parser.steps() <= 6 * text.len() as u64, "{} moves: {open:?} and {unit:?}", parser.steps());
        }
    }
}
