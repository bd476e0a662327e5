//! Values that are CDATA: `<parameter name="a"><![CDATA[x < y]]></parameter>`. Their text is
//! literal: it isn't trimmed, and a string unless the schema says something else. Text after it
//! can't be part of the value that was emitted already, so the call is refused.

use super::machine::{Machine, Run};
use super::value::Form;
use crate::text::Sink;
use crate::xml::{Cdata, CdataMove};

impl Machine {
    /// Reads a value that is CDATA, or may be.
    pub(super) fn section_text<S: Sink>(&mut self, run: &mut Run<'_, '_, S>) {
        let here = run.text.here();
        let rest = run.text.rest();
        let Some(&byte) = rest.first() else { return };
        let before = self.value.cdata;
        let plain = before.plain(rest);
        if plain > 0 {
            let count = self.section_content(run, rest.get(..plain).unwrap_or_default());
            self.steps.add(count);
            return run.text.pass(count);
        }
        self.steps.add(1);
        match self.value.cdata.step(byte) {
            CdataMove::Brackets(count) => return self.brackets(count),
            CdataMove::Failed(read) => return self.section_fails(run, before, read),
            CdataMove::Hold | CdataMove::Text => {}
            CdataMove::Opened => self.section_opens(run, before, here + 1),
            CdataMove::OldestBracket => self.brackets(1),
            CdataMove::Closed => {
                let end = here.saturating_sub(2);
                if self.is_guess() {
                    self.value.section_end = end;
                } else {
                    self.send(run, end);
                    run.mark_layout(end, here + 1);
                    run.from = here + 1;
                }
            }
            CdataMove::Space if self.is_guess() => {}
            CdataMove::Space => {
                run.mark_layout(here, here + 1);
                run.from = here + 1;
            }
        }
        run.text.pass(1);
    }

    /// Text in a section, up to the next bracket; gives how many bytes were read.
    fn section_content<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, text: &[u8]) -> usize {
        let Some(&byte) = text.first() else { return 0 };
        match self.value.form {
            Form::Verbatim | Form::String | Form::Json => text.len(),
            Form::Container if byte.is_ascii_whitespace() => {
                let here = run.text.here();
                run.mark_layout(here, here + 1);
                run.from = here + 1;
                1
            }
            Form::Container => {
                self.value.form = if matches!(byte, b'{' | b'[') { Form::Json } else { Form::Guess };
                0
            }
            Form::Guess => self.value.guess_next(text, false),
        }
    }

    /// Brackets that were pending are text.
    fn brackets(&mut self, count: u8) {
        for _ in 0..count {
            match self.value.form {
                Form::Guess => _ = self.value.guess_next(b"]", false),
                Form::Container => self.value.form = Form::String,
                Form::Verbatim | Form::String | Form::Json => {}
            }
        }
    }

    /// A section begins at a unit.
    fn section_opens<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, before: Cdata, at: u32) {
        if before.is_closed() && self.value.form == Form::Guess {
            // What stands in two places is no JSON.
            self.value.form = Form::String;
            let end = self.value.section_end;
            self.send(run, end);
            run.from = end;
        } else {
            self.value.begin_literal();
        }
        run.mark_layout(run.from, at);
        run.from = at;
    }

    /// What was pending, `read` bytes, begins no section; the byte after it is read again.
    fn section_fails<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, before: Cdata, read: u8) {
        let is_first = matches!(before, Cdata::Opening { .. });
        let is_tag = read == 1 || !is_first && read == 0 && run.text.rest().first() == Some(&b'<');
        if is_first {
            self.value.is_at_front = false;
            self.value.tag_begins();
            if !is_tag {
                self.value.tag_failed(0);
            }
        } else if !is_tag {
            let here = run.text.here();
            return self.refuse_after_section(run, here.saturating_sub(u32::from(read)));
        }
        if is_tag {
            self.tag.begin();
            let at = run.text.at();
            run.tag_byte = if read == 0 { Some(at) } else { at.checked_sub(1) };
            run.text.pass(usize::from(read == 0));
        }
    }

    /// Something else follows a section, from a unit on.
    pub(super) fn refuse_after_section<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, from: u32) {
        if self.is_guess() {
            self.value.form = Form::String;
            let end = self.value.section_end;
            self.send(run, end);
        }
        run.mark_layout(run.from, from);
        run.from = run.from.max(from);
        self.value.spaces = 0;
        self.value.cdata = Cdata::Outside;
        self.value.is_followed = true;
        self.call.is_refused = true;
    }

    /// The value ends with its section; the tag after it stands at `start`.
    pub(super) fn end_section<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, start: u32) {
        self.value.spaces = 0;
        let end = if self.is_guess() { self.value.section_end } else { run.from };
        let is_json = self.value.is_json();
        self.end_value(run, end, is_json);
        run.mark_layout(run.from, start);
        run.from = start.max(run.from);
    }

    /// The stream ends in a value that is CDATA, or may be.
    pub(super) fn section_cut<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, held: u32) {
        match self.value.cdata {
            Cdata::Closed { read: 0 } | Cdata::After => return self.end_section(run, held),
            Cdata::Closed { read } => self.refuse_after_section(run, held.saturating_sub(u32::from(read))),
            Cdata::Opening { .. } => {
                self.value.tag_begins();
                self.value.tag_failed(0);
            }
            Cdata::Bracket => self.brackets(1),
            Cdata::Brackets => self.brackets(2),
            Cdata::Outside | Cdata::Inside => {}
        }
        if self.value.cdata != Cdata::Outside {
            self.value.spaces = 0;
        }
        self.end_value(run, held, self.value.is_json());
    }
}
