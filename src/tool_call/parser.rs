//! The tool-call parser for Rust programs: chunks in, events out.
//!
//! It drives the machine that JavaScript drives. There is no schema here, so values are what
//! they were written as: JSON stays JSON, and values between tags are texts.

use super::emitter::State;
use super::event::Event;
use super::options::{Options, Reading};
use crate::format::{Answer, Argument, Ask, Machine, Op, Table};
use crate::text::{Emitter, OptionText, Parser, Piece, Record, Span, option_texts, utf16_len};
use std::sync::Arc;

/// Emits the tool calls of a stream.
///
/// ```
/// use tokenweir::tool_call::{EventKind, Options, ToolCallParser};
/// let mut parser = ToolCallParser::new(Options::hermes());
/// let mut calls = Vec::new();
/// for chunk in ["Let me add. <tool_", "call>{\"name\": \"add\", \"argu", "ments\": {\"a\": 1,}}</tool_call>"] {
///     for event in parser.feed(chunk)? {
///         if let EventKind::CallDone { name, arguments, .. } = event.kind {
///             calls.push((name, arguments));
///         }
///     }
/// }
/// parser.finish();
/// parser.reset();
/// parser.feed("1 <tool")?;
/// assert_eq!(parser.held(), 5);
/// assert_eq!(calls, [("add".to_owned(), "{\"a\":1}".to_owned())]);
/// # Ok::<(), tokenweir::Error>(())
/// ```
pub type ToolCallParser = Parser<CallEmitter>;

/// Emits the events of tool calls.
#[derive(Clone, Debug)]
pub struct CallEmitter {
    options: Options,
    table: Arc<Table>,
    state: State,
    /// How much of what is read stands in the prompt.
    passed: u64,
}

impl CallEmitter {
    /// Events of what was read: none of the text that stands in the prompt, and places without it.
    fn emitted(
        &mut self,
        is_in_prompt: bool,
        events: &mut Vec<Event>,
        emit: impl FnOnce(&mut State, &Reading<'_>, &mut Vec<Event>),
    ) {
        let from = events.len();
        emit(&mut self.state, &Reading { options: &self.options, table: &self.table }, events);
        if self.passed == 0 {
            return;
        }
        let new = events.split_off(from);
        let shown = new.into_iter().filter(|event| event.call > 0 || !is_in_prompt);
        events.extend(shown.map(|Event { call, kind, span }| {
            let [start, end] = [span.start, span.end].map(|place| place.saturating_sub(self.passed));
            Event { call, kind, span: Span { start, end } }
        }));
    }
}

impl ToolCallParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new(options: Options) -> ToolCallParser {
        Parser::of(CallEmitter::of(options))
    }
}

impl Emitter for CallEmitter {
    const NAME: &'static str = "tool-calls";
    type Options = Options;
    type Machine = Machine;
    type Event = Event;

    fn of(options: Options) -> CallEmitter {
        let table = options.table();
        let passed = u64::from(utf16_len(options.open_message(&table).as_bytes()));
        CallEmitter { table, state: State::default(), options, passed }
    }

    fn options(&self) -> Vec<OptionText> {
        option_texts!(
            Options &self.options;
            tags, formats, prefill, tools, rejects_unknown, line_prefixed, longest, reasoning, skips_code;
        )
    }

    fn machine(&self) -> Machine {
        self.options.machine(&self.table)
    }

    fn prompt(&self) -> &str {
        self.options.open_message(&self.table)
    }

    fn table(&self) -> &Table {
        &self.table
    }

    fn reset(&mut self) {
        self.state = State::default();
    }

    fn longest(&self) -> u32 {
        self.options.longest
    }

    fn takes_text(&self, record: Record) -> bool {
        match Op::of(record) {
            // The way to where a segment began is far.
            Some(Op::End) => self.state.keeps_text(),
            Some(op) => matches!(
                op,
                Op::Text | Op::Name | Op::Id | Op::Failed | Op::Quoted | Op::Reasoned | Op::Type { .. } | Op::CiteEnd
            ),
            None => Argument::of(record).is_some(),
        }
    }

    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<Event>) {
        self.emitted(piece.span.end <= self.passed, events, |state, reading, events| {
            if let Some(op) = Op::of(piece.record) {
                state.emit(op, piece, reading, events);
            } else if let Some(argument) = Argument::of(piece.record) {
                state.emit_argument(argument, piece, reading);
            }
        });
    }

    fn answer(&mut self, _: &Machine, ask: Ask, events: &mut Vec<Event>) -> Answer {
        let mut answer = Answer::Malformed;
        self.emitted(false, events, |state, reading, events| answer = state.answer(ask, reading, events));
        answer
    }

    fn pause(&mut self, events: &mut Vec<Event>) {
        self.emitted(false, events, |state, _, events| state.emit_delta(events));
    }

    fn finish(&mut self, _: u64, events: &mut Vec<Event>) {
        self.emitted(false, events, |state, _, events| state.release(events));
    }
}
