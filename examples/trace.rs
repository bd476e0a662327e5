//! Prints every event of a text on standard input, with its span.
//!
//! ```text
//! printf 'Hello <thinking>hm</thinking>done' | cargo run --example trace -- 5
//! printf 'Sure: {"name": "Ada", "age": 36}' | cargo run --example trace -- --fields 5
//! printf 'If a < b: <run_bash>ls</run_bash>' | cargo run --example trace -- --segments 5
//! printf '<tool_call>{"name": "f"}</tool_call>' | cargo run --example trace -- --tool-calls 5
//! printf '<get><city>Seoul</city></get>' | cargo run --example trace -- --tool-calls=get,add 5
//! ```
//!
//! The number is the size of the chunks in bytes of ASCII; without it the text
//! is one chunk. `--fields` reads the text as a JSON document in prose,
//! `--segments` as text with tools: XML, JSON and sentinels, `--tool-calls` as
//! text with calls in the Hermes format, or, with tool names, in the Morph
//! format.

#![allow(clippy::print_stdout, reason = "it is a printing program")]

use std::io::Read;
use tokenweir::block::{self, BlockParser};
use tokenweir::field::{self, FieldParser};
use tokenweir::segment::{self, Markers, SegmentParser};
use tokenweir::text::Span;
use tokenweir::tool_call::{self, ToolCallParser};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, sizes): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let size = sizes.first().map_or(Ok(usize::MAX), |size| size.parse())?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    match flags.first().map(String::as_str) {
        None => trace_blocks(&text, size)?,
        Some("--fields") => trace_fields(&text, size)?,
        Some("--segments") => trace_segments(&text, size)?,
        Some("--tool-calls") => trace_calls(tool_call::Options::hermes(), &text, size)?,
        Some(flag) => match flag.strip_prefix("--tool-calls=") {
            Some(names) => {
                let names: Vec<_> = names.split(',').collect();
                trace_calls(tool_call::Options::morph(&names), &text, size)?;
            }
            None => {
                return Err(format!("unknown flag {flag}; the flags are --fields, --segments and --tool-calls").into());
            }
        },
    }
    Ok(())
}

fn trace_blocks(text: &str, size: usize) -> Result<(), tokenweir::Error> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut parser = BlockParser::new(block::Options::default());
    for chunk in chunks(text, size) {
        parser.feed(chunk)?.iter().for_each(|event| print_block(event, &units));
        print_held(parser.held());
    }
    parser.finish().iter().for_each(|event| print_block(event, &units));
    Ok(())
}

fn trace_fields(text: &str, size: usize) -> Result<(), tokenweir::Error> {
    let mut parser = FieldParser::new(field::Options::default());
    for chunk in chunks(text, size) {
        parser.feed(chunk)?.iter().for_each(print_field);
        print_held(parser.held());
    }
    parser.finish().iter().for_each(print_field);
    let rules: Vec<_> = parser.used_rules().iter().map(|rule| rule.name()).collect();
    println!("          rules: {rules:?}");
    Ok(())
}

fn trace_segments(text: &str, size: usize) -> Result<(), tokenweir::Error> {
    let mut options = segment::Options::default();
    options.markers = Markers { json: true, sentinel: true, ..Markers::XML };
    let mut parser = SegmentParser::new(options);
    for chunk in chunks(text, size) {
        parser.feed(chunk)?.iter().for_each(print_segment);
        print_held(parser.held());
    }
    parser.finish().iter().for_each(print_segment);
    Ok(())
}

fn trace_calls(options: tool_call::Options, text: &str, size: usize) -> Result<(), tokenweir::Error> {
    let mut parser = ToolCallParser::new(options);
    for chunk in chunks(text, size) {
        parser.feed(chunk)?.iter().for_each(print_call);
        print_held(parser.held());
    }
    parser.finish().iter().for_each(print_call);
    Ok(())
}

/// A text in chunks of `size` bytes, extended to the end of a character.
fn chunks(text: &str, size: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = (size.max(1)..rest.len()).find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
        let (chunk, after) = rest.split_at(end);
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

fn print_held(units: u32) {
    if units > 0 {
        println!("          … {units} pending");
    }
}

fn print(span: Span, what: &str) {
    println!("{:>9} {what}", format!("{}..{}", span.start, span.end));
}

fn print_block(event: &block::Event, units: &[u16]) {
    use block::EventKind;
    let what = match &event.kind {
        EventKind::BlockStart { index, block } => format!("start    {index} {block:?}"),
        EventKind::Chunk { part: Some(part), text, .. } => format!("  {part:?} {text:?}"),
        EventKind::Chunk { part: None, text, .. } => format!("  chunk {text:?}"),
        EventKind::BlockComplete { index, block, is_incomplete, .. } => {
            format!("complete {index} {block:?}{}", if *is_incomplete { ", incomplete" } else { "" })
        }
        EventKind::Markup => {
            let written = units.get(event.span.start as usize..event.span.end as usize).unwrap_or_default();
            format!("  markup {:?}", String::from_utf16_lossy(written))
        }
    };
    print(event.span, &what);
}

fn print_field(event: &field::Event) {
    use field::EventKind;
    let path = &event.path;
    let what = match &event.kind {
        EventKind::Text(text) => format!("  {path} {text:?}"),
        EventKind::Number(number) => format!("  {path} {number}"),
        EventKind::Word(word) => format!("  {path} {word:?}"),
        EventKind::Done { form, source } => format!("done {path} {form:?}, {source:?}"),
        EventKind::Reset => "reset".to_owned(),
        EventKind::Fault(fault) => format!("fault {fault:?} in {path}"),
    };
    print(event.span, &what);
}

fn print_segment(event: &segment::Event) {
    use segment::EventKind;
    let number = event.segment;
    let what = match &event.kind {
        EventKind::Start { segment_type, metadata } => format!("start  {number} {} {metadata:?}", segment_type.name()),
        EventKind::Content(text) => format!("  {number} {text:?}"),
        EventKind::End => format!("end    {number}"),
        EventKind::Markup(text) => format!("  markup {text:?}"),
        EventKind::Fault(fault) => format!("fault  {}", fault.code()),
    };
    print(event.span, &what);
}

fn print_call(event: &tool_call::Event) {
    use tool_call::{Arguments, EventKind};
    let number = event.call;
    let what = match &event.kind {
        EventKind::Text(text) => format!("{text:?}"),
        EventKind::CallStart { name } => format!("call   {number} {name}"),
        EventKind::Delta(json) => format!("  {number} {json}"),
        EventKind::ArgumentStart { name } => format!("  {number} {name}"),
        EventKind::Argument(text) => format!("    {number} {text:?}"),
        EventKind::ArgumentEnd => format!("  {number} end"),
        EventKind::CallDone { name, arguments: Arguments::Json(json), .. } => format!("done   {number} {name} {json}"),
        EventKind::CallDone { name, arguments: Arguments::Elements(elements), .. } => {
            format!("done   {number} {name} {elements:?}")
        }
        EventKind::End => format!("end    {number}"),
        EventKind::Fail(why) => format!("rejected: {}", why.name()),
        EventKind::Failed(text) => format!("  failed {text:?}"),
        EventKind::FailEnd { is_cut } => format!("end of the rejected call{}", if *is_cut { ", cut off" } else { "" }),
        EventKind::ReasoningStart => "reasoning".to_owned(),
        EventKind::Reasoning(text) => format!("  thought {text:?}"),
        EventKind::ReasoningRestart => "  repeated opening tag".to_owned(),
        EventKind::ReasoningEnd => "end of reasoning".to_owned(),
    };
    print(event.span, &what);
}
