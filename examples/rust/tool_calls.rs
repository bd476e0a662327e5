//! Tool calls of a local model, which writes them as JSON between tags.
//!
//!     cargo run --example tool_calls -- FILE

mod chunks;

use std::error::Error;
use std::io::{self, Write};
use tokenweir::tool_call::{Arguments, Event, EventKind, Options, ToolCallParser};

fn main() -> Result<(), Box<dyn Error>> {
    let mut parser = ToolCallParser::new(Options::hermes());
    chunks::each_chunk(|chunk| print(parser.feed(chunk)?))?;
    print(parser.finish())
}

fn print(events: Vec<Event>) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    for Event { call, kind, .. } in events {
        match kind {
            EventKind::Text(text) | EventKind::Failed(text) => writeln!(out, "text {text:?}")?,
            EventKind::Reasoning(text) => writeln!(out, "reasoning {text:?}")?,
            EventKind::CallStart { name } => writeln!(out, "{call} {name}")?,
            EventKind::Delta(json) => writeln!(out, "  {json:?}")?,
            // Only now is it sure that this is a call.
            EventKind::CallDone { name, arguments: Arguments::Json(json), .. } => {
                writeln!(out, "{call} call {name} {json}")?
            }
            EventKind::CallDone { .. } => {}
            EventKind::Fail(why) => writeln!(out, "{call} not a call: {why:?}")?,
            // Arguments as elements are Morph's.
            EventKind::ArgumentStart { .. } | EventKind::Argument(_) | EventKind::ArgumentEnd => {}
            EventKind::End | EventKind::FailEnd { .. } => {}
            EventKind::ReasoningStart | EventKind::ReasoningRestart | EventKind::ReasoningEnd => {}
        }
    }
    Ok(())
}
