//! Drives the machine itself, as the package does: text by units, records into
//! a batch that may be full, and how often it was called.

use tokenweir::segment::{Ask, Choice, Machine, Mode, Op};
use tokenweir::text::{Machine as _, Outcome, Record, Sink, Stretch};

/// An op and its place, in units from the start of the text.
pub type Emitted = (Op, u32, u32);

/// A batch with room for so many records.
pub struct Batch {
    pub records: Vec<Record>,
    pub room: usize,
}

impl Sink for Batch {
    fn record(&mut self, record: Record) {
        assert!(self.records.len() < self.room, "more records than were asked room for: {:?}", self.records);
        self.records.push(record);
    }

    fn lacks_room_for(&self, count: usize) -> bool {
        self.records.len() + count > self.room
    }
}

/// Reads text in pieces.
pub struct Driver {
    machine: Machine,
    room: usize,
    /// All text, and for each of its bytes how many units come before it.
    text: String,
    units: Vec<u32>,
    /// Up to where it was read.
    read: u32,
    /// Where the undecided text begins.
    origin: u32,
    ops: Vec<Emitted>,
    /// How often the machine was called.
    pub calls: usize,
    /// The most that was pending after a piece.
    pub most_held: u32,
    /// What is said of tools.
    choice: Choice,
}

impl Driver {
    pub fn new(machine: Machine, room: usize, choice: Choice) -> Driver {
        Driver {
            machine,
            room,
            text: String::new(),
            units: vec![0],
            read: 0,
            origin: 0,
            ops: Vec::new(),
            calls: 0,
            most_held: 0,
            choice,
        }
    }

    pub fn mode(&self) -> Mode {
        self.machine.mode()
    }

    pub fn machine(&self) -> Machine {
        self.machine
    }

    pub fn steps(&self) -> u64 {
        self.machine.steps()
    }

    /// Units that are undecided.
    pub fn held(&self) -> u32 {
        self.end() - self.origin
    }

    fn end(&self) -> u32 {
        self.units[self.units.len() - 1]
    }

    /// A piece that need not be read, by the mode.
    pub fn pass(&mut self, piece: &str, op: Op) {
        assert!(self.mode() != Mode::Read && self.held() == 0, "it has to be read");
        self.add(piece);
        self.ops.push((op, self.origin, self.end()));
        self.machine.pass(self.held());
        self.origin = self.end();
        self.read = self.origin;
    }

    /// Reads a piece.
    pub fn feed(&mut self, piece: &str) {
        self.add(piece);
        self.read_from(self.read);
        self.most_held = self.most_held.max(self.held());
    }

    fn add(&mut self, piece: &str) {
        self.text.push_str(piece);
        for c in piece.chars() {
            let here = self.end();
            // The bytes inside a character have no place.
            self.units.extend(std::iter::repeat_n(here, c.len_utf8() - 1));
            self.units.push(here + c.len_utf16() as u32);
        }
    }

    /// The end of the text. Returns what was emitted, with neighbouring
    /// text joined, and separately what concerns segments and errors, which
    /// may come before or after the text that precedes it.
    pub fn finish(&mut self) -> (Vec<Emitted>, Vec<Emitted>) {
        loop {
            let held = self.held();
            let mut batch = Batch { records: Vec::new(), room: self.room };
            let outcome = self.machine.finish(held, &mut batch);
            self.take(&batch.records, outcome);
            if outcome.next == held {
                break;
            }
            let at = self.origin - outcome.held_from + outcome.next;
            self.read_from(at);
        }
        assert_eq!(self.held(), 0, "text is held after the end");
        let (mut emitted, mut said): (Vec<Emitted>, Vec<Emitted>) = (Vec::new(), Vec::new());
        for &(op, start, end) in &self.ops {
            match (op, emitted.last_mut()) {
                (Op::Text | Op::Content | Op::Markup, Some((last, _, to))) if *last == op && *to == start => *to = end,
                (Op::Text | Op::Content | Op::Markup | Op::Stray | Op::Start(_) | Op::End, _) => {
                    emitted.push((op, start, end))
                }
                (Op::Name | Op::Metadata(_) | Op::Attribute(_) | Op::Header | Op::Drop | Op::Fault(_), _)
                | (Op::OtherName | Op::OtherValue | Op::Missing | Op::Called(_), _) => said.push((op, start, end)),
            }
        }
        (emitted, said)
    }

    fn read_from(&mut self, mut at: u32) {
        let end = self.end();
        let mut stalled = 0;
        let mut asks = at < end;
        while at < end || asks {
            let bytes = &self.text.as_bytes()[self.units.partition_point(|&unit| unit < at)..];
            let mut batch = Batch { records: Vec::new(), room: self.room };
            let mut stretch = Stretch::new(bytes, at - self.origin, bytes.is_ascii());
            let outcome = self.machine.run(&(), &mut stretch, &mut batch);
            let next = self.origin + outcome.next;
            stalled = if next == at { stalled + 1 } else { 0 };
            assert!(stalled < 4, "no way on from {at} in {:?}", self.text);
            at = next;
            asks = outcome.ask.is_some();
            let waits = outcome.waits;
            self.take(&batch.records, outcome);
            if asks {
                self.machine.answer(self.choice.clone());
            } else if waits {
                break;
            }
        }
        self.read = at;
    }

    fn take(&mut self, records: &[Record], outcome: Outcome<Ask>) {
        self.calls += 1;
        let op = |record: &Record| Op::of(*record).unwrap_or_else(|| panic!("{record:?} says nothing"));
        let origin = self.origin;
        self.ops.extend(records.iter().map(|record| (op(record), origin + record.start, origin + record.end)));
        self.origin += outcome.held_from;
    }
}
