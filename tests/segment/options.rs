//! What options say, and what has a bound.

use crate::reading::{joined, read, text_of};
use tokenweir::segment::{
    Event, EventKind, LONGEST_HEADER, LONGEST_SPACE, Machine, Markers, Options, SegmentParser, SegmentType, Signatures,
    ToolState,
};

const NOTE: ToolState<'static> = ToolState {
    tool: "note",
    segment_type: SegmentType::Own,
    content: "text",
    start_when: &[],
    metadata: &["title"],
    markers: None,
};

/// The contents of all segments but text, each with its type.
fn contents(options: &Options, text: &str) -> Vec<(SegmentType, String)> {
    let mut contents: Vec<(SegmentType, String)> = Vec::new();
    for event in joined(&read(options, [text])) {
        match event.kind {
            EventKind::Start { segment_type, .. } => contents.push((segment_type, String::new())),
            EventKind::Content(text) => contents.last_mut().unwrap().1.push_str(&text),
            EventKind::End | EventKind::Markup(_) | EventKind::Fault(_) => {}
            _ => panic!("unknown: {:?}", event.kind),
        }
    }
    contents.retain(|(segment_type, _)| *segment_type != SegmentType::Text);
    contents
}

#[test]
fn a_state_that_waits_for_nothing_begins_with_its_content() {
    let mut options = Options::default();
    assert!(options.add_state(&NOTE));
    let mut parser = SegmentParser::new(options);
    let is_start = |kind: &EventKind| matches!(kind, EventKind::Start { segment_type: SegmentType::Own, .. });
    let begins =
        |parser: &mut SegmentParser, text: &str| parser.feed(text).unwrap().iter().any(|event| is_start(&event.kind));
    assert!(!begins(&mut parser, r#"<tool name="note"><arguments><arg name="title">a</arg>"#));
    assert!(begins(&mut parser, r#"<arg name="text">"#));
}

#[test]
fn a_tool_that_needs_nothing_may_have_nothing() {
    let mut options = Options::default();
    assert!(options.add_state(&NOTE));
    let text = r#"<tool name="note"><arguments></arguments></tool>"#;
    assert_eq!(contents(&options, text), [(SegmentType::Own, String::new())]);
}

#[test]
fn the_first_of_a_name_counts() {
    let mut options = Options::default();
    assert!(options.add_state(&ToolState { start_when: &["to", "subject"], metadata: &[], ..NOTE }));
    let start = |arguments: &str| {
        let text = format!(r#"<tool name="note"><arguments>{arguments}<arg name="text">b</arg></arguments></tool>"#);
        read(&options, [text.as_str()]).into_iter().find_map(|event| {
            if let EventKind::Start { segment_type: SegmentType::Own, metadata } = event.kind {
                Some(metadata)
            } else {
                None
            }
        })
    };
    let [to, other, subject] = [("to", "a"), ("to", "b"), ("subject", "c")];
    let arg = |(name, value): (&str, &str)| format!(r#"<arg name="{name}">{value}</arg>"#);
    let known = Some([to, subject].map(|(name, value)| (name.to_owned(), value.to_owned())));
    let start = |arguments: &[(&str, &str)]| {
        let metadata = start(&arguments.iter().map(|&argument| arg(argument)).collect::<String>())?;
        Some(metadata.into_iter().filter(|(name, _)| name != "tool_name").collect::<Vec<_>>())
    };
    for arguments in [
        &[to, subject][..],
        &[subject, to],
        &[to, other, subject],
        &[subject, ("subject", "z"), to],
        &[to, subject, other],
        &[("to", " "), to, subject],
    ] {
        let mut metadata = start(arguments).unwrap();
        metadata.sort_by_key(|(name, _)| name != "to");
        assert_eq!(metadata, known.clone().unwrap(), "{arguments:?}");
    }
    for arguments in [&[to][..], &[subject], &[to, other], &[("to", ""), subject]] {
        assert_eq!(start(arguments), None, "{arguments:?}");
    }
    // One that is empty has no value, whatever follows.
    let text = r#"<tool name="note"><arguments><arg name="to"/>x</arg><arg name="subject">c</arg></arguments></tool>"#;
    assert_eq!(contents(&options, text), []);

    let twice = r#"<tool name="note"><arguments><arg name="to">a</arg><arg name="subject">c</arg><arg name="text">1</arg><arg name="text">2</arg></arguments></tool>"#;
    assert_eq!(contents(&options, twice), [(SegmentType::Own, "1".to_owned())]);
    let before = r#"<tool name="note"><arguments><arg name="text">1</arg><arg name="text">2</arg><arg name="to">a</arg><arg name="subject">c</arg></arguments></tool>"#;
    assert_eq!(contents(&options, before), [(SegmentType::Own, "1".to_owned())]);
}

#[test]
fn a_state_that_can_be_none_is_refused() {
    let mut options = Options::default();
    assert!(!options.add_state(&ToolState { markers: Some(("", "end")), ..NOTE }));
    assert_eq!(contents(&options, r#"<tool name="note"><arguments><arg name="text">a"#)[0].0, SegmentType::ToolCall);
}

#[test]
fn after_a_reset_it_is_a_new_stream() {
    let mut parser = SegmentParser::new(Options::default());
    let first = parser.feed("a <run_bash>ls <").unwrap();
    assert_eq!(parser.held(), 1);
    parser.reset();
    assert_eq!(parser.held(), 0);
    assert_eq!(parser.feed("a <run_bash>ls <").unwrap(), first);
}

/// What is written, after the opening tag of the argument, as content of a file.
fn written(text: &str) -> String {
    let tool = r#"<tool name="write_file"><arguments><arg name="path">a</arg><arg name="content">"#;
    contents(&Options::default(), &format!("{tool}{text}</arguments></tool>"))[0].1.clone()
}

fn spaces(count: u32) -> String {
    " ".repeat(count as usize)
}

#[test]
fn what_may_stand_in_front_of_marked_content() {
    let marked = |front: &str| written(&format!("{front}x\n__END_CONTENT__</arg>"));
    assert_eq!(marked(&format!("{}__START_CONTENT__\n", spaces(LONGEST_SPACE + 1))), "x\n");
    let beyond = marked(&format!("{}__START_CONTENT__\n", spaces(LONGEST_SPACE + 2)));
    assert!(beyond.trim_start().starts_with("__START_CONTENT__"), "{beyond}");
    assert_eq!(marked("__START_CONTENT__\r\n"), "x\n");
    assert_eq!(marked("__START_CONTENT__\r\r\n"), "\r\r\nx\n");
}

#[test]
fn what_may_follow_marked_content() {
    let marked = |text: &str| written(&format!("__START_CONTENT__\n{text}"));
    let long = spaces(LONGEST_SPACE - 100);
    assert_eq!(marked(&format!("x\n{long}__END_CONTENT__</arg>")), format!("x\n{long}"));
    assert_eq!(marked(&format!("x\n__END_CONTENT__{long}</arg>")), "x\n");
    // The end marker never comes.
    assert_eq!(marked("x\n</arg>"), "x");
    assert_eq!(marked(&format!("x\n{long}</arg>")), "x");
    assert_eq!(marked(&format!("x\n</arg>{long}")), "x");
}

fn with(markers: Markers, text: &str) -> Vec<(SegmentType, String)> {
    let mut options = Options::default();
    options.markers = markers;
    contents(&options, text)
}

#[test]
fn white_space_in_a_signature_has_a_bound() {
    let json = Markers { json: true, ..Markers::NONE };
    let count = |front: &str, spaces: u32| {
        let spaces = " ".repeat(spaces as usize);
        with(json, &format!(r#"{front}{{{spaces}"tool": "a"}}"#)).len()
    };
    // Up to the second quote.
    assert_eq!([0, LONGEST_SPACE - 6, LONGEST_SPACE - 5, LONGEST_SPACE + 900].map(|n| count("", n)), [1, 1, 0, 0]);
    assert_eq!(count(&"x".repeat(LONGEST_SPACE as usize), 9), 1);
}

#[test]
fn white_space_in_a_closing_tag_has_a_bound() {
    let content = |front: &str, closing: &str, spaces: u32| {
        let spaces = " ".repeat(spaces as usize);
        let next = if closing == "</arg" { "</tool>" } else { "" };
        let text = format!("{front}a{closing}{spaces}>{next}</arg></tool></run_bash>");
        contents(&Options::default(), &text).remove(0).1.len()
    };
    let file = r#"<tool name="write_file"><arg name="path">p</arg><arg name="content">"#;
    let marked = format!("{file}__START_CONTENT__");
    for (front, closing) in [("<run_bash>", "</run_bash"), (file, "</arg"), (marked.as_str(), "__END_CONTENT__</arg")] {
        // A tag whose attributes are read is at most so long in all.
        let most = LONGEST_SPACE + 1 - closing.len() as u32 - if closing == "</arg" { 2 } else { 0 };
        assert_eq!([0, 1, most].map(|spaces| content(front, closing, spaces)), [1; 3], "{closing}");
        // Then it closes nothing, and what comes after it does.
        for spaces in [most + 1, most + 900] {
            assert!(content(front, closing, spaces) > spaces as usize, "{closing} {spaces}");
        }
    }
}

#[test]
fn in_an_object_that_is_no_tool_nothing_is_found() {
    let both = Markers { json: true, ..Markers::XML };
    let mut without = Options::default();
    without.markers = both;
    without.signatures = Signatures::NONE;
    for object in [r#"{"a": {}, "b": "<run_bash>ls</run_bash>"}"#, r#"{ "a": "<run_bash>ls</run_bash>"}"#] {
        assert_eq!(with(both, object), [], "{object}");
        assert_eq!(contents(&without, object), [], "{object}");
        let text = format!("{object}<run_bash>ls</run_bash>");
        assert_eq!(with(both, &text), [(SegmentType::RunBash, "ls".to_owned())], "{text}");
    }
    let front = "x".repeat(LONGEST_SPACE as usize + 900);
    assert_eq!(contents(&without, &format!(r#"{front}{{ "a": "<run_bash>ls</run_bash>"}}"#)), []);
    // Too much white space before its first key.
    let far = spaces(LONGEST_SPACE + 900);
    assert_eq!(contents(&without, &format!(r#"{{{far}"a": "<run_bash>ls</run_bash>"}}"#)).len(), 1);
}

#[test]
fn white_space_after_a_header() {
    let text = format!(r#"{}[[SEG_START {{"type": "reasoning"}} ]]a"#, "x".repeat(LONGEST_HEADER as usize * 3 / 4));
    let sentinel = Markers { sentinel: true, ..Markers::NONE };
    assert_eq!(with(sentinel, &text), [(SegmentType::Reasoning, "a".to_owned())]);
}

#[test]
fn a_tool_that_waits_for_too_long_is_text_up_to_its_end() {
    let mut options = Options::default();
    options.longest = 100;
    for length in 0..80 {
        for (inside, end) in [
            ("<arg name=\"content\">y", "\n__END_CONTENT__</arg>"),
            ("<arg name=\"content\">__START_CONTENT__\ny", "\n__END_CONTENT__</arg>"),
            ("<arg name=\"path\"> ", "</arg>"),
        ] {
            let spaces = " ".repeat(length);
            let tool = format!("<tool name=\"write_file\"><arguments>{inside}{spaces}{end}</arguments></tool>");
            let text = format!("a {tool} b <run_bash>ls</run_bash>");
            for size in [1, 7, 64] {
                let chunks: Vec<&str> =
                    (0..text.len()).step_by(size).map(|at| &text[at..text.len().min(at + size)]).collect();
                let events = read(&options, chunks);
                let type_of = |event: &Event| {
                    if let EventKind::Start { segment_type, .. } = event.kind { Some(segment_type) } else { None }
                };
                let types: Vec<_> = events.iter().filter_map(type_of).collect();
                assert_eq!(types, [SegmentType::Text, SegmentType::RunBash], "{text} by {size}");
                assert_eq!(text_of(&events), text, "by {size}");
            }
        }
    }
}

#[test]
fn a_signature_that_can_be_none_is_refused() {
    let mut machine = Machine::new(Markers { json: true, ..Markers::NONE }, Signatures::NONE);
    assert!(machine.add_signature(br#"{"call":"#));
    assert!(!machine.add_signature(b""));
}
