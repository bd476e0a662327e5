//! A body that is any text, up to the closer of the call or the end. The program reads it.
//!
//! Only where the text is a JSON object, and nothing else, another call may follow at the start
//! of a line: in any other text an opener is data.

use super::{Ask, Flow, Machine, Phase};
use crate::format::row::Part;
use crate::format::table::Table;
use crate::text::{Sink, Stretch, state};

state! {
    /// Where such a body is read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Place {
        is_line_start: bool,
        /// Whether the program is asked if it is a JSON object: once, so that no text is read over and over.
        may_be_object: bool,
    }
}

impl Machine {
    /// The payload begins here.
    pub(super) fn start_plain(&mut self, here: u32) -> Phase {
        self.value.emitted = here;
        self.payload_end = here;
        Phase::Plain(Place { is_line_start: false, may_be_object: true })
    }

    pub(super) fn read_plain(
        &mut self,
        mut place: Place,
        table: &Table,
        text: &mut Stretch<'_>,
        sink: &mut impl Sink,
    ) -> Flow {
        let row = table.row(self.row);
        let flow = loop {
            self.phase = Phase::Plain(place);
            let Some(&byte) = text.rest().first() else {
                break if self.is_last { self.plain_ended(Ask::Whole, text) } else { Flow::Stop };
            };
            let Some(closer) = row.fits(Part::CallClose, text.rest(), self.is_last) else { break Flow::Wait };
            if closer > 0 {
                break self.plain_ended(Ask::Whole, text);
            }
            if place.is_line_start && place.may_be_object {
                let Some(opener) = row.fits(Part::CallOpen, text.rest(), self.is_last) else { break Flow::Wait };
                if opener > 0 {
                    let Some(begins) = self.begins(table, text.rest()).is_there() else { break Flow::Wait };
                    if begins {
                        break self.plain_ended(Ask::Open, text);
                    }
                }
            }
            place.is_line_start = byte == b'\n';
            text.pass(1);
        };
        let here = text.here();
        self.emit_value(here, sink);
        flow
    }

    fn plain_ended(&mut self, question: Ask, text: &mut Stretch<'_>) -> Flow {
        self.payload_end = text.here();
        self.ask(question)
    }

    /// Another call begins here; the program has said whether the text before it is an object.
    pub(super) fn plain_answered(&mut self, is_object: bool) -> Flow {
        self.phase =
            if is_object { Phase::After } else { Phase::Plain(Place { is_line_start: false, may_be_object: false }) };
        Flow::Go
    }
}
