//! The rules of [`Face::Blocks`](super::Face::Blocks): what an opening tag, a closing tag
//! and the end of a value do.
//!
//! Source: spec/block.md, "Events of `BlockParser`".

use super::call::Call;
use super::machine::{Ending, Leaf, Machine, Run, Thinking};
use super::op::{Kind, Op};
use super::tags::{NAME, Role, TOOL_USE_ID};
use super::value::{Declared, Form, Value};
use crate::text::Sink;
use crate::xml::Tag;

impl Machine {
    /// A tag of this face.
    pub(super) fn block_tag<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, role: Role, tag: &Tag, start: u32) {
        let is_at_start = std::mem::take(&mut self.thinking.is_at_start);
        if tag.is_closer {
            return self.closing_tag(run, role);
        }
        if is_at_start && role == Role::Thinking && !tag.is_empty {
            // The opening tag that the prompt has, repeated by the server.
            self.thinking.name = Some(self.tag.word());
            return;
        }
        self.opening_tag(run, role, tag, start);
        if tag.is_empty && (self.leaf == Leaf::Parameter || role != Role::Parameter) {
            self.close_empty(run, role);
        }
    }

    fn opening_tag<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, role: Role, tag: &Tag, start: u32) {
        let value = |slot: usize| tag.values.get(slot).copied().flatten().map(|(from, to)| (start + from, start + to));
        if role == Role::Parameter {
            if self.leaf == Leaf::Invoke {
                let declared = self.call.element.declared();
                let (from, to) = match declared {
                    Some(_) => {
                        (start + tag.name.0 + self.call.element.prefix_of(tag.name.1 - tag.name.0), start + tag.name.1)
                    }
                    None => value(NAME).unwrap_or((run.from, run.from)),
                };
                self.mark_around(run, Op::Key, from, to);
                self.call.has_parameters = true;
                self.leaf = Leaf::Parameter;
                self.value = Value::START;
                match declared {
                    Some(declared) => self.value.declare(declared),
                    None => run.asks = self.settings.asks && !tag.is_empty,
                }
            }
            return;
        }
        self.complete(run, Ending::OtherTag);
        self.leaf = Leaf::None;
        let end = start + tag.len;
        match role {
            Role::Thinking => {
                self.stack.push(Kind::Thinking);
                self.thinking.name = Some(self.tag.word());
                self.start(run, Kind::Thinking, end);
            }
            Role::FunctionCalls => self.stack.push(Kind::ToolCall),
            Role::FunctionResults => self.stack.push(Kind::ToolResult),
            Role::Invoke => {
                self.start(run, Kind::ToolCall, end);
                self.leaf = Leaf::Invoke;
                // An empty name isn't a name.
                let name = value(NAME).filter(|(from, to)| from < to);
                self.call = Call { has_name: name.is_some(), ..Call::NONE };
                let (from, to) = name.unwrap_or((run.from, run.from));
                self.mark_around(run, Op::Name { is_present: self.call.has_name }, from, to);
            }
            Role::Result | Role::Error => {
                self.start(run, Kind::ToolResult, end);
                self.leaf = Leaf::Result { is_error: role == Role::Error };
                if let Some((from, to)) = value(TOOL_USE_ID) {
                    run.say(Op::ResultId, from, to);
                }
            }
            Role::Parameter => {}
        }
    }

    /// Says an op about a place inside a tag, and marks the tag up to its end.
    fn mark_around<S: Sink>(&self, run: &mut Run<'_, '_, S>, op: Op, from: u32, to: u32) {
        run.mark(run.from, from);
        run.say(op, from, to);
        run.from = to;
    }

    fn closing_tag<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, role: Role) {
        match role {
            Role::Thinking => self.close_level(run, Kind::Thinking),
            Role::FunctionCalls => self.close_level(run, Kind::ToolCall),
            Role::FunctionResults => self.close_level(run, Kind::ToolResult),
            // Without its opening tag it changes nothing. The value of a parameter was ended before.
            Role::Invoke if self.leaf != Leaf::Invoke => {}
            Role::Result | Role::Error if !matches!(self.leaf, Leaf::Result { .. }) => {}
            Role::Parameter => {}
            Role::Invoke | Role::Result | Role::Error => {
                self.complete(run, Ending::OwnTag);
                self.leaf = Leaf::None;
            }
        }
    }

    /// A self-closing tag: its closing tag, immediately.
    fn close_empty<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, role: Role) {
        if role == Role::Parameter {
            self.value.declare(Declared::String);
            self.end_value(run, run.from, false);
            self.leaf = Leaf::Invoke;
        } else {
            self.closing_tag(run, role);
        }
    }

    fn close_level<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, kind: Kind) {
        if self.stack.count(kind) > 0 {
            let is_own = kind == Kind::Thinking && self.open == Some(kind);
            self.complete(run, if is_own { Ending::OwnTag } else { Ending::OtherTag });
            self.leaf = Leaf::None;
            self.stack.pop(kind);
            if self.stack.count(Kind::Thinking) == 0 {
                self.thinking = Thinking::NONE;
            }
        } else if kind == Kind::Thinking {
            let (start, end) = run.closing;
            run.say(Op::Unopened, start, end);
        }
    }

    /// A parameter's value ends at `end`. `is_json`: what a guess came to.
    pub(super) fn end_value<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, end: u32, is_json: bool) {
        let spaces = if self.settings.trims { self.value.held_spaces() } else { 0 };
        let first = run.from;
        match self.value.form {
            Form::Guess | Form::Container => {
                let text_end = (end - spaces.min(end)).max(first);
                let op = match self.value.boolean() {
                    Some(value) if is_json => Op::Boolean { value },
                    Some(_) | None if is_json => Op::Raw,
                    Some(_) | None => Op::String { is_first: true, is_last: true },
                };
                self.call.is_refused |= self.value.openers.have_parameter && !is_json;
                run.say(op, first, text_end);
                run.mark_layout(text_end, end);
            }
            Form::String | Form::Verbatim | Form::Json => {
                let text_end = if self.value.form == Form::Verbatim { end } else { end - spaces.min(end) };
                self.send(run, text_end);
                if self.value.form != Form::Json {
                    self.call.is_refused |= self.value.openers.have_parameter;
                    run.say(Op::String { is_first: !self.value.is_quoted, is_last: true }, text_end, text_end);
                }
                run.mark_layout(text_end, end);
            }
        }
        run.from = end;
        self.call.element.end();
    }
}
