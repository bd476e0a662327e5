//! How the block machine reads a stretch: text up to what may be markup, tags,
//! character references, values. What they mean is in `rules.rs`.

use super::element::name_of;
use super::machine::{Leaf, Machine, Run};
use super::op::Op;
use super::tags::{Role, TagTable};
use super::value::Form;
use crate::markdown::{STOPS, Standing};
use crate::scan::find_any;
use crate::text::{Sink, utf16_len, whitespace_len, whitespace_tail};
use crate::xml::{Cdata, LONGEST_TAG, Progress, Reading, is_letter};

impl Machine {
    /// Reads a tag to its end, the end of the stretch, or the byte that fails it.
    pub(super) fn read_tag<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        let recognised = self.recognised();
        let is_closing = self.tag.is_closing() || self.tag.held() == 1 && run.text.rest().first() == Some(&b'/');
        if self.leaf == Leaf::Parameter && !is_closing && self.value.cdata == Cdata::Outside {
            return self.read_tag_in_value(run, tags);
        }
        let is_own = self.call.element.declared().is_some() && (self.leaf == Leaf::Invoke || is_closing);
        let mut words = if is_own { self.call.element.vocabulary() } else { tags.vocabulary() };
        let is_guess =
            self.leaf == Leaf::Parameter && self.value.form == Form::Guess && self.value.cdata == Cdata::Outside;
        let reread = self.own_tag_again(run, &mut words);
        let text = if reread.is_some() { run.text.rest().get(..1).unwrap_or_default() } else { run.text.rest() };
        let (count, progress) = self.tag.read(&words, recognised, text);
        if let Some(reread) = reread {
            self.say_attribute(run, reread);
        }
        if is_guess {
            for &byte in run.text.rest().iter().take(count) {
                self.value.tag_goes_on(byte);
            }
        }
        run.text.pass(count);
        self.steps.add(count);
        match progress {
            Progress::Pending => {}
            Progress::Whole(tag) => {
                run.text.pass(1);
                self.tag_ends(run, tags, &tag);
            }
            Progress::Failed => self.tag_fails(run),
        }
    }

    /// Reads one byte of a character reference.
    pub(super) fn read_entity<S: Sink>(&mut self, run: &mut Run<'_, '_, S>) {
        let Some(&byte) = run.text.rest().first() else { return };
        match self.entity.step(byte) {
            Reading::Pending => run.text.pass(1),
            Reading::Whole(character) => {
                run.text.pass(1);
                let end = run.text.here();
                let start = end.saturating_sub(self.entity.held());
                self.send(run, start);
                if end > run.clip {
                    self.open_if_closed(run);
                    run.say(Op::Character(character), start.max(run.clip), end);
                    run.from = end;
                }
            }
            Reading::Failed => self.entity.give_up(),
        }
    }

    /// Reads text up to the next byte that may be markup.
    pub(super) fn content<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        if self.leaf == Leaf::Parameter {
            return self.value_text(run, tags);
        }
        if self.payloads.are_near() {
            return self.text_at_spot(run);
        }
        if self.reads_code() {
            return self.quotable_text(run, tags);
        }
        let here = run.text.here();
        if run.from >= here && self.is_layout() {
            let spaces = run.text.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if spaces > 0 {
                self.steps.add(spaces);
                run.text.pass(spaces);
                let end = run.text.here();
                run.mark_layout(here, end);
                run.from = end.max(self.clip_here());
                return;
            }
            if self.leaf == Leaf::Invoke && !self.call.has_parameters && run.text.rest().first() == Some(&b'{') {
                self.call.element.is_json();
            }
        }
        // Up to where the text begins anew, so that no cut says what comes first there.
        let front = run.clip_at.checked_sub(run.text.at()).filter(|front| *front > 0);
        let rest = run.text.rest();
        let rest = front.and_then(|front| rest.get(..front)).unwrap_or(rest);
        let found = if self.decodes() { find_any(rest, [b'<', b'&']) } else { self.find_tag(rest, tags) };
        if self.thinking.is_at_start {
            let text = rest.get(..found.unwrap_or(rest.len())).unwrap_or_default();
            self.thinking.is_at_start = text.trim_ascii().is_empty();
        }
        match (found, front) {
            (None, Some(front)) => {
                self.steps.add(front);
                run.text.pass(front);
            }
            (Some(found), _) if self.reads_elements() => {
                self.steps.add(found);
                run.text.pass(found);
                self.begin_element(run, tags);
            }
            _ => self.text_until(run, found),
        }
    }

    /// Reads text in which Markdown's code is text, up to a `<` that may begin a tag.
    fn quotable_text<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        let recognised = self.recognised();
        while let Some((&byte, after)) = run.text.rest().split_first() {
            if byte == b'<' && tags.may_begin_with(after, recognised) && self.quotes.code().standing() != Standing::Code
            {
                return self.text_until(run, Some(0));
            }
            self.steps.add(1);
            run.text.pass(1);
            let code = self.quotes.code_mut();
            code.step(byte);
            if code.is_plain() {
                let [a, b, c, d] = STOPS;
                let plain = find_any(after, [b'<', a, b, c, d]).unwrap_or(after.len());
                self.steps.add(plain);
                run.text.pass(plain);
            }
        }
    }

    /// Reads on at a unit that was passed: in this stretch, or by the caller.
    pub(super) fn go_back<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, unit: u32) {
        if !run.text.go_back_to(unit) {
            self.send(run, unit);
            run.reread = Some(unit);
        }
    }

    /// At a `<` in a call: asks about the name of an element that may be a parameter, and
    /// comes back with the answer.
    fn begin_element<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        if self.call.element.declared().is_some() || self.call.element.take_stranger() {
            return self.text_until(run, Some(0));
        }
        let after = run.text.rest().get(1..).unwrap_or_default();
        let Some((prefix, name)) = name_of(after) else {
            run.waits = true;
            return;
        };
        if name.is_empty() || matches!(tags.role(name), Some(Role::Parameter | Role::Invoke)) {
            return self.text_until(run, Some(0));
        }
        let from = run.text.here() + 1 + utf16_len(prefix);
        self.call.element.ask(name);
        run.say(Op::Element { is_opener: false }, from, from + utf16_len(name));
        run.asks = true;
    }

    /// Goes to a byte that was found, and begins a tag or a reference there.
    pub(super) fn text_until<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, found: Option<usize>) {
        let Some(found) = found else {
            self.steps.add(run.text.rest().len());
            run.text.pass(run.text.rest().len());
            return;
        };
        self.steps.add(found);
        run.text.pass(found);
        if run.text.rest().first() == Some(&b'&') {
            self.entity.begin();
        } else {
            if self.leaf == Leaf::Parameter {
                self.value.tag_begins();
                self.value.openers.begin_tag(self.is_line(run));
            }
            self.tag.begin();
            run.tag_byte = Some(run.text.at());
        }
        run.text.pass(1);
    }

    /// Reads a parameter's value.
    fn value_text<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        if self.value.cdata != Cdata::Outside {
            return self.section_text(run);
        }
        let here = run.text.here();
        let rest = run.text.rest();
        match self.value.form {
            Form::Guess | Form::Container if self.value.is_at_start() => {
                let space = whitespace_len(rest);
                let Some(&byte) = rest.first() else { return };
                if byte == b'<' {
                    self.value.cdata = Cdata::Opening { read: 0 };
                } else if space > 0 && (self.settings.trims || self.value.form == Form::Container) {
                    run.text.pass(space);
                    run.from = run.text.here();
                    run.mark_layout(here, run.from);
                } else if self.value.form == Form::Container {
                    self.value.form = if matches!(byte, b'{' | b'[') { Form::Json } else { Form::Guess };
                } else {
                    run.text.pass(self.value.guess_next(rest, self.settings.trims));
                }
            }
            Form::Guess | Form::Container => {
                let read = self.value.guess(rest, self.settings.trims);
                self.steps.add(read);
                run.text.pass(read);
                if self.value.form == Form::Guess && !run.text.is_at_end() {
                    self.text_until(run, Some(0));
                }
            }
            Form::Verbatim if self.value.is_at_front => {
                let Some(&byte) = rest.first() else { return };
                if byte == b'<' {
                    self.value.cdata = Cdata::Opening { read: 0 };
                } else if byte.is_ascii_whitespace() && here.saturating_sub(run.from) < LONGEST_TAG {
                    run.text.pass(1);
                } else {
                    self.value.is_at_front = false;
                }
            }
            Form::Verbatim => {
                let found = self.find_tag(rest, tags);
                self.text_until(run, found);
            }
            Form::String | Form::Json => {
                let found = self.find_tag(rest, tags);
                let text = rest.get(..found.unwrap_or(rest.len())).unwrap_or_default();
                let (len, tail) = (text.len(), whitespace_tail(text));
                let last = run.text.at() + len;
                let spaces_from = run.text.unit_at(last - tail);
                let spaces = run.text.unit_at(last).saturating_sub(spaces_from);
                self.value.ends_in(spaces, tail == len);
                self.steps.add(tail);
                self.text_until(run, found);
            }
        }
    }

    /// The pending text since a `<` is not a tag.
    pub(super) fn tag_fails<S: Sink>(&mut self, run: &mut Run<'_, '_, S>) {
        let end = run.text.here();
        let start = end.saturating_sub(self.tag.held());
        let first = end.saturating_sub(run.text.origin());
        self.tag.give_up();
        self.thinking.is_at_start = false;
        if self.leaf == Leaf::Parameter {
            if self.value.cdata.is_closed() {
                return self.refuse_after_section(run, start);
            }
            let spaces = if self.tag.is_closing() { self.tag.spaces() } else { self.value.openers.spaces };
            return self.value.tag_failed(spaces);
        } else {
            self.call.element.end();
            self.payloads.begin_text();
        }
        if self.reads_code() {
            // Code is looked for in what follows too.
            self.quotes.code_mut().step(b'<');
        } else if !self.tag.has_inner() {
            return;
        }
        // Read what comes after the `<` again: in this stretch, or by the caller.
        if let Some(byte) = run.tag_byte {
            run.text.set_at(byte + 1);
        } else if self.tag.held() == first + 1 {
            run.text.set_at(0);
        } else {
            self.send(run, start + 1);
            run.reread = Some(start + 1);
        }
    }

    /// Where the next `<` stands that may begin a tag. Text that is full of others
    /// is passed over here, not by the tokenizer.
    fn find_tag(&self, text: &[u8], tags: &TagTable) -> Option<usize> {
        let counted = self.recognised();
        let is_in_element = self.leaf == Leaf::Parameter && self.call.element.declared().is_some();
        let reads_elements = self.reads_elements();
        let mut at = 0;
        loop {
            at += find_any(text.get(at..)?, [b'<'])?;
            let after = text.get(at + 1..)?;
            let may_begin = if is_in_element && matches!(after.first(), None | Some(b'/')) {
                self.call.element.may_close_with(after)
            } else {
                tags.may_begin_with(after, counted)
            };
            if may_begin || reads_elements && after.first().is_some_and(|byte| is_letter(*byte)) {
                return Some(at);
            }
            at += 1;
        }
    }
}
