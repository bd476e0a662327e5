//! Prints every event of a text on standard input, with its place.
//!
//! ```text
//! printf 'Hello <thinking>hm</thinking>done' | cargo run --example trace -- 5
//! ```
//!
//! The number is the size of the chunks in bytes of ASCII; without it the text
//! is one chunk.

#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use std::io::Read;
use tokenweir::block::{BlockParser, Event, EventKind, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let size = std::env::args().nth(1).map_or(Ok(usize::MAX), |size| size.parse())?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut parser = BlockParser::new(Options::default());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let mut end = size.clamp(1, rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (chunk, behind) = rest.split_at(end);
        print(&parser.feed(chunk)?, &text);
        if parser.held() > 0 {
            println!("          … {} held", parser.held());
        }
        rest = behind;
    }
    print(&parser.finish(), &text);
    Ok(())
}

fn print(events: &[Event], text: &str) {
    let units: Vec<u16> = text.encode_utf16().collect();
    for event in events {
        let place = format!("{}..{}", event.span.start, event.span.end);
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
        println!("{place:>9} {what}");
    }
}
