//! Where the block machine reads on before it decides: after a parameter's closing tag, which
//! ends the value only where the grammar goes on, after an opening tag of calls in
//! thinking, which counts only if a call begins there, and after a tag that may be in
//! Markdown's code.
//!
//! ```text
//! <parameter name="a">1</parameter>| </invoke>
//! <think>The tag is <function_calls>| and
//! ```
//!
//! The tag and what follows it are pending meanwhile. Then the machine goes back: to after the
//! tag, in thinking to the tag itself, or to after the code.

use super::element::name_of;
use super::machine::{Leaf, Machine, Run};
use super::op::{Kind, Op};
use super::tags::{NAME, Role, TagTable};
use super::undecided::{Ahead, Undecided};
use super::value::Form;
use crate::markdown::Found;
use crate::text::{Sink, units_of, utf16_len};
use crate::xml::{After, Closer, Closing, Progress, Recognised, Tag, Tokenizer, is_letter};

/// Most units of a call's beginning in thinking that are pending until it is one.
const FURTHEST_CALL: u32 = 1_024;

/// Closing tags that end what encloses a value, and opening tags that end it too.
const STRUCTURE: Recognised = Recognised {
    openers: Role::Parameter.bit() | Role::Invoke.bit() | Role::FunctionCalls.bit() | Role::FunctionResults.bit(),
    closers: Role::Parameter.bit() | Role::Invoke.bit() | Role::FunctionCalls.bit(),
};

/// What a call in thinking begins with.
const CALL: Recognised =
    Recognised { openers: Role::Parameter.bit() | Role::Invoke.bit(), closers: Role::Invoke.bit() };

impl Machine {
    /// Reads on after the closing tag of a value, which ends at the place.
    pub(super) fn look_after_value<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tag: &Tag) {
        let from = run.text.here().saturating_sub(tag.len);
        self.value.tag_goes_on(b'>');
        let ahead = Ahead::Value(Closer::begin(tag.len));
        self.undecided = Undecided { ahead, from, len: tag.len, name_end: tag.name.1, own: Tokenizer::REST };
    }

    /// Reads on after an opening tag of calls in thinking, which ends at the place.
    pub(super) fn look_for_call<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, role: Role, tag: &Tag) {
        let from = run.text.here().saturating_sub(tag.len);
        let is_named = role == Role::Invoke;
        let ahead = Ahead::Call { is_named };
        self.undecided = Undecided { ahead, from, len: tag.len, name_end: tag.name.1, own: Tokenizer::REST };
        self.send(run, from);
        if tag.is_empty || is_named && !has_name(tag) {
            self.settle_call(run, is_named && has_name(tag));
        }
    }

    /// Reads the text after the tag, up to what decides about it.
    pub(super) fn read_undecided<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        while let Some(&byte) = run.text.rest().first() {
            match self.undecided.ahead {
                Ahead::None | Ahead::Known | Ahead::Attributes => return,
                Ahead::Parameter => return self.settle_value(run, Closing::Ends),
                // Nobody has answered, in a state that was overwritten: it is asked again.
                Ahead::Value(closer) | Ahead::Stranger(closer) | Ahead::Asked(closer) => {
                    if let Some(closing) = self.read_after_value(run, tags, closer, byte) {
                        return self.settle_value(run, closing);
                    }
                    if run.asks || run.waits {
                        return;
                    }
                }
                Ahead::Code => {
                    if let Some(found) = self.quotes.ahead(byte) {
                        return self.unquote(run, found);
                    }
                    self.steps.add(1);
                    run.text.pass(1);
                }
                Ahead::Call { is_named } => {
                    if let Some(begins) = self.read_call(run, tags, is_named, byte) {
                        return self.settle_call(run, begins);
                    }
                    if run.waits {
                        return;
                    }
                }
            }
        }
    }

    /// The end of the stream after the tag.
    pub(super) fn end_undecided<S: Sink>(&mut self, run: &mut Run<'_, '_, S>) {
        match self.undecided.ahead {
            Ahead::None | Ahead::Known | Ahead::Attributes => {}
            Ahead::Value(_) | Ahead::Asked(_) | Ahead::Stranger(_) | Ahead::Parameter => {
                self.settle_value(run, Closing::Ends);
            }
            Ahead::Code => {
                let found = self.quotes.end();
                self.unquote(run, found);
            }
            Ahead::Call { .. } => self.settle_call(run, false),
        }
    }

    /// Whether the tag is in code is known: reads on after the code, or at the tag again.
    fn unquote<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, found: Found) {
        let tag = std::mem::replace(&mut self.undecided, Undecided::NONE).from;
        let next = match found {
            Found::Again => tag,
            Found::Code { back } => run.text.here().saturating_sub(back),
        };
        self.go_back(run, next);
    }

    /// One byte after a closing tag of the value: what it says of that.
    fn read_after_value<S: Sink>(
        &mut self,
        run: &mut Run<'_, '_, S>,
        tags: &TagTable,
        mut closer: Closer,
        byte: u8,
    ) -> Option<Closing> {
        let is_element = self.call.element.declared().is_some();
        let units = units_of(byte);
        let mut after = After::of(byte, byte.is_ascii_whitespace());
        if byte == b'<' {
            let is_stranger = self.undecided.ahead == Ahead::Stranger(closer);
            self.tag.give_up();
            self.undecided.own.give_up();
            if !is_stranger
                && self.settings.asks
                && self.call.element.are_looked_for()
                && self.ask_ahead(run, tags, closer)
            {
                return None;
            }
            self.tag.begin();
            self.undecided.own.begin();
        } else if self.tag.is_reading() || self.undecided.own.is_reading() {
            after = self.step_after_value(tags, closer.is_direct, is_element, byte);
        }
        run.text.pass(1);
        self.steps.add(1);
        let closing = closer.step(after, units);
        self.undecided.ahead = Ahead::Value(closer);
        (closing != Closing::Pending).then_some(closing)
    }

    /// One byte of what may be a tag after a closing tag of the value.
    fn step_after_value(&mut self, tags: &TagTable, is_direct: bool, is_element: bool, byte: u8) -> After {
        let in_thinking = if self.stack.count(Kind::Thinking) > 0 { Role::Thinking.bit() } else { 0 };
        let recognised = Recognised { closers: STRUCTURE.closers | in_thinking, ..STRUCTURE };
        let own = self.undecided.own.is_reading() && is_element;
        if own {
            let only = Recognised { openers: 0, closers: Role::Parameter.bit() };
            match self.undecided.own.step(&self.call.element.vocabulary(), only, byte) {
                Progress::Pending => {}
                Progress::Whole(_) => return After::Closer,
                Progress::Failed => self.undecided.own.give_up(),
            }
        } else {
            self.undecided.own.give_up();
        }
        if self.tag.is_reading() {
            match self.tag.step(&tags.vocabulary(), recognised, byte) {
                // The first closing tag of thinking is that of its own name, or it is text there too.
                Progress::Whole(tag) if tag.is_closer => match Role::of_class(tag.class) {
                    Some(Role::Parameter) if is_element => self.tag.give_up(),
                    Some(Role::Parameter) => return After::Closer,
                    Some(Role::Thinking) if !self.thinking.is_closed_by(tags, self.tag.word()) => self.tag.give_up(),
                    _ => return After::Structure,
                },
                Progress::Whole(tag) if is_direct || has_name(&tag) || !needs_name(&tag) => return After::Structure,
                Progress::Whole(_) | Progress::Failed => self.tag.give_up(),
                Progress::Pending if self.tag.value_at() == Some(NAME as u8) => return After::Structure,
                Progress::Pending => {}
            }
        }
        if self.tag.is_reading() || self.undecided.own.is_reading() { After::Space } else { After::Text }
    }

    /// At a `<` after a closing tag of the value: asks whether it begins a parameter, if it is an
    /// element. False if there is nothing to ask.
    fn ask_ahead<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable, closer: Closer) -> bool {
        let after = run.text.rest().get(1..).unwrap_or_default();
        if after.first().is_some_and(|first| !is_letter(*first)) {
            return false;
        }
        let Some((prefix, name)) = name_of(after) else {
            run.waits = true;
            return true;
        };
        if name.is_empty() || matches!(tags.role(name), Some(Role::Parameter | Role::Invoke)) {
            return false;
        }
        let from = run.text.here() + 1 + utf16_len(prefix);
        self.undecided.ahead = Ahead::Asked(closer);
        run.say(Op::Element { is_opener: false }, from, from + utf16_len(name));
        run.asks = true;
        true
    }

    /// Whether the closing tag ends its value is known: reads on after it.
    fn settle_value<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, closing: Closing) {
        let Undecided { from, len, name_end, .. } = self.undecided;
        let end = from + len;
        self.undecided = Undecided::NONE;
        self.tag.give_up();
        if closing == Closing::Inside {
            self.value.tag_failed(0);
            self.value.openers.have_call = false;
        } else {
            self.end_value(run, from, self.value.is_json_at_closing_tag());
            self.leaf = Leaf::Invoke;
            self.call.has_stray = false;
            run.from = from.max(self.clip_here());
            if self.settings.marks && end > run.clip {
                let tag = Op::Tag { role: Role::Parameter, is_closer: true, is_empty: false };
                run.say(tag, from + 2, from + name_end);
            }
            run.mark(run.from, end);
            run.from = end.max(self.clip_here());
        }
        if !run.text.go_back_to(end) {
            run.reread = Some(end);
        }
    }

    /// One byte after an opening tag of calls in thinking: whether a call begins.
    fn read_call<S: Sink>(
        &mut self,
        run: &mut Run<'_, '_, S>,
        tags: &TagTable,
        is_named: bool,
        byte: u8,
    ) -> Option<bool> {
        let here = run.text.here();
        if here.saturating_sub(self.undecided.from) >= FURTHEST_CALL {
            return Some(false);
        }
        self.steps.add(1);
        if self.tag.is_reading() {
            let progress = self.tag.step(&tags.vocabulary(), CALL, byte);
            run.text.pass(usize::from(!matches!(progress, Progress::Failed)));
            return match progress {
                Progress::Pending => None,
                Progress::Failed => Some(false),
                Progress::Whole(tag) => match Role::of_class(tag.class) {
                    Some(Role::Invoke) if !tag.is_closer && !is_named && has_name(&tag) => {
                        self.undecided.ahead = Ahead::Call { is_named: true };
                        tag.is_empty.then_some(true)
                    }
                    Some(Role::Invoke) => Some(tag.is_closer && is_named),
                    _ => Some(is_named),
                },
            };
        }
        if byte == b'<' {
            if is_named && self.settings.asks {
                // An element may be a parameter. Which are can't be asked before the call begins.
                match name_of(run.text.rest().get(1..).unwrap_or_default()) {
                    None => run.waits = true,
                    Some((_, name)) if !name.is_empty() && tags.role(name).is_none() => return Some(true),
                    Some(_) => {}
                }
                if run.waits {
                    return None;
                }
            }
            self.tag.begin();
        } else if !byte.is_ascii_whitespace() {
            return Some(is_named && byte == b'{');
        }
        run.text.pass(1);
        None
    }

    /// Whether a call begins at the opening tag is known: reads it again, or as text.
    fn settle_call<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, begins: bool) {
        let from = self.undecided.from;
        self.undecided = Undecided::NONE;
        self.tag.give_up();
        if begins {
            self.undecided.ahead = Ahead::Known;
        }
        let next = if begins { from } else { from + 1 };
        self.go_back(run, next);
    }

    /// What the value of the form buffers up to the closing tag that is undecided, from the end.
    pub(super) fn is_guess(&self) -> bool {
        matches!(self.value.form, Form::Guess | Form::Container)
    }
}

fn needs_name(tag: &Tag) -> bool {
    matches!(Role::of_class(tag.class), Some(Role::Parameter | Role::Invoke))
}

fn has_name(tag: &Tag) -> bool {
    tag.values.get(NAME).copied().flatten().is_some_and(|(from, to)| from < to)
}
