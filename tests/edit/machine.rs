//! What JavaScript alone asks of the machine: the lines of one file, as arguments of a call have them, whose events
//! need the file that they don't name; what has to be kept, and which chunks need not be read.

use tokenweir::edit::{Fault, Flag, Machine, Mode, Op, Side};
use tokenweir::text::{Emitter, Machine as _, Nothing, OptionText, Parser, Piece, Stretch};

/// The records but those of markup, each with its text.
#[derive(Clone)]
struct Records(Flag);

impl Emitter for Records {
    const NAME: &'static str = "records";
    type Options = Flag;
    type Machine = Machine;
    type Event = (Op, String);

    fn of(flag: Flag) -> Records {
        Records(flag)
    }

    fn options(&self) -> Vec<OptionText> {
        Vec::new()
    }

    fn machine(&self) -> Machine {
        Machine::new(self.0 as u32)
    }

    fn table(&self) -> &() {
        &()
    }

    fn reset(&mut self) {}

    fn emit(&mut self, piece: &Piece<'_>, events: &mut Vec<(Op, String)>) {
        let op = Op::of(piece.record).filter(|op| *op != Op::Markup);
        events.extend(op.map(|op| (op, piece.text.to_owned())));
    }

    fn answer(&mut self, _: &Machine, ask: Nothing, _: &mut Vec<(Op, String)>) -> Nothing {
        ask
    }
}

#[track_caller]
fn assert_records(flag: Flag, text: &str, expected: &[(Op, &str)]) {
    let mut parser = Parser::of(Records(flag));
    let mut found = parser.feed(text).unwrap();
    found.extend(parser.finish());
    let found: Vec<_> = found.iter().map(|(op, text)| (*op, text.as_str())).collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn the_lines_of_an_update() {
    let whole = [
        (Op::Section, ""),
        (Op::Context, "f"),
        (Op::Hunk, ""),
        (Op::Delta(Side::Old), "a\n"),
        (Op::HunkDone(true), ""),
        (Op::FileDone, ""),
    ];
    assert_records(Flag::BareUpdate, "@@ f\n-a\n*** End of File\n", &whole);
    let begun = [(Op::Section, ""), (Op::Hunk, ""), (Op::Delta(Side::New), "b\n")];
    for wrong in ["*** End Patch\n", "*** Update File: a\n", "*** Begin Patch\n"] {
        let fault = (Op::Fault(Fault::UnknownHeader), "");
        assert_records(Flag::BareUpdate, &format!("+b\n{wrong}-x\n{wrong}"), &[&begun[..], &[fault]].concat());
    }
}

#[test]
fn the_lines_of_a_new_file() {
    let lines = [(Op::Section, ""), (Op::Hunk, ""), (Op::Delta(Side::New), "b\n")];
    let done = [(Op::HunkDone(false), ""), (Op::FileDone, "")];
    assert_records(Flag::BareAdd, "+b\n", &[&lines[..], &done].concat());
    let fault = (Op::Fault(Fault::BadLine), "");
    for wrong in ["*** End Patch\n", "*** End of File\n"] {
        assert_records(Flag::BareAdd, &format!("+b\n{wrong}+c\n{wrong}"), &[&lines[..], &[fault]].concat());
    }
}

#[test]
fn a_line_is_kept_only_while_it_may_be_a_name() {
    let name = [(Op::Word { is_first: true }, "a.py\n"), (Op::Named { start: 0, end: 4 }, "")];
    assert_records(Flag::SearchReplace, "a.py\n", &name);
    assert_records(Flag::SearchReplace, "two words\n", &[(Op::Text, "two words\n")]);
    assert_records(Flag::Unified, "a.py\n", &[(Op::Text, "a.py\n")]);
}

#[test]
fn only_what_may_be_a_name_or_a_marker_has_to_be_read() {
    for (flag, text, expected, stops) in [
        (Flag::SearchReplace, "a.p", Mode::Read, ""),
        (Flag::SearchReplace, "two words", Mode::Text, "\n"),
        (Flag::Unified, "a.p", Mode::Text, "\n"),
        (Flag::Unified, "-", Mode::Read, ""),
        (Flag::BareUpdate, "-a", Mode::Old, "\n\r"),
        (Flag::BareUpdate, "+a", Mode::New, "\n\r"),
        (Flag::BareUpdate, " a", Mode::Both, "\n\r"),
        (Flag::BareUpdate, "x", Mode::Skip, "\n"),
    ] {
        let mut machine = Machine::new(flag as u32);
        machine.run(&(), &mut Stretch::new(text.as_bytes(), 0, true), &mut Vec::new());
        assert_eq!((machine.mode(), expected.stops()), (expected, stops.as_bytes()), "{text:?}");
    }
}
