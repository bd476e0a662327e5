//! Opening tags in a value. They are text all the same, but a value that has swallowed the tag of a parameter is
//! refused: one on a line of its own, if the caller says that it is one, or after that of a call.

use super::machine::{Machine, Run};
use super::op::Op;
use super::tags::{NAME, Role, TagTable};
use crate::text::Sink;
use crate::xml::{Progress, Tag};

impl Machine {
    /// Reads what may be an opening tag in a value.
    pub(super) fn read_tag_in_value<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tags: &TagTable) {
        let recognised = self.recognised();
        while let Some(&byte) = run.text.rest().first() {
            self.steps.add(1);
            let progress =
                if byte == b'<' { Progress::Failed } else { self.tag.step(&tags.vocabulary(), recognised, byte) };
            if progress == Progress::Failed {
                return self.tag_fails(run);
            }
            let openers = &mut self.value.openers;
            openers.spaces = if byte.is_ascii_whitespace() { openers.spaces + 1 } else { 0 };
            run.text.pass(1);
            self.value.tag_goes_on(byte);
            if let Progress::Whole(tag) = progress {
                if !self.settings.keeps_tags {
                    self.opener_in_value(run, &tag);
                }
                return self.value.tag_failed(0);
            }
        }
    }

    /// An opening tag was read: asks about its name, if it may be a parameter.
    fn opener_in_value<S: Sink>(&mut self, run: &mut Run<'_, '_, S>, tag: &Tag) {
        let Some((from, to)) = tag.values.get(NAME).copied().flatten().filter(|(from, to)| from < to) else { return };
        let openers = &mut self.value.openers;
        if Role::of_class(tag.class) == Some(Role::Invoke) {
            openers.have_call = true;
        } else if openers.have_call {
            openers.have_parameter = true;
        } else if openers.is_tag_at_line {
            (openers.is_asked, run.asks) = (true, true);
            let start = run.text.here().saturating_sub(tag.len);
            run.say(Op::Element { is_opener: true }, start + from, start + to);
        }
    }
}
