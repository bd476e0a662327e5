//! Machines by the calls that src/wasm makes of them, and streams that share one place.

use tokenweir::block::{self, Declared, Face, Settings, TagTable};
use tokenweir::field;
use tokenweir::format::{Start, Table};
use tokenweir::segment::{self, CallMachine, Choice};
use tokenweir::text::{Machine, Nothing, Outcome, Record, Sink, Stretch};
use tokenweir::tool_call::{self, Answer};

/// A batch as the border has one: with an end.
pub struct Batch(Vec<Record>);

/// Records of a batch, few enough that texts need several.
pub const ROOM: usize = 40;

impl Sink for Batch {
    fn record(&mut self, record: Record) {
        assert!(self.0.len() < ROOM, "more records than were asked room for");
        self.0.push(record);
    }

    fn lacks_room_for(&self, count: usize) -> bool {
        self.0.len() + count > ROOM
    }
}

/// A machine with its table beside it, which is swapped with it.
#[derive(Clone, Copy)]
pub struct Work<M: Machine> {
    pub machine: M,
    pub table: M::Table,
}

impl<M: Machine<Table = ()>> Work<M> {
    pub fn new(machine: M) -> Work<M> {
        Work { machine, table: () }
    }
}

pub fn blocks(face: Face, marks: bool) -> Work<block::Machine> {
    let machine = block::Machine::new(Settings { marks, ..Settings::new(face) });
    Work { machine, table: TagTable::default() }
}

/// The machine of a row, without reasoning.
pub fn calls(row: &[u8], tools: &[&str]) -> Work<tool_call::Machine> {
    let mut table = Table::NOTHING;
    assert!(table.add(row));
    for tool in tools {
        assert!(table.names.add(tool.as_bytes()));
    }
    Work { machine: tool_call::Machine::new(Start::Turn, false, false), table }
}

/// What the tests answer.
pub trait Answered: Machine<Table: Copy> {
    const ANSWER: Self::Answer;
}

impl Answered for block::Machine {
    const ANSWER: Declared = Declared::Unknown;
}

impl Answered for field::Machine {
    const ANSWER: u8 = field::KEY_AGREES;
}

impl Answered for segment::Machine {
    const ANSWER: Choice = Choice::BuiltIn;
}

impl Answered for CallMachine {
    const ANSWER: Nothing = Nothing::Read;
}

impl Answered for tool_call::Machine {
    const ANSWER: Answer = Answer::Accept;
}

/// The one place where a kind of machine works.
pub struct Desk<M: Machine>(pub Work<M>);

/// A stream: what JavaScript keeps of it.
pub struct Stream<M: Machine> {
    /// The machine while another is at work.
    pub parked: Work<M>,
    text: Vec<u8>,
    /// Where the undecided text begins, and up to where was read.
    pub origin: usize,
    pub at: usize,
    pub emitted: Vec<(u32, usize, usize)>,
}

impl<M: Answered> Stream<M> {
    pub fn new(machine: Work<M>) -> Stream<M> {
        Stream { parked: machine, text: Vec::new(), origin: 0, at: 0, emitted: Vec::new() }
    }

    pub fn feed(&mut self, desk: &mut Desk<M>, chunk: &[u8]) {
        self.text.extend(chunk);
        self.read(desk);
    }

    /// Before each call the machine is put on the desk, and after it taken away:
    /// between any two calls another parser may be at work.
    fn call(
        &mut self,
        desk: &mut Desk<M>,
        act: impl FnOnce(&mut Work<M>, &mut Batch) -> Outcome<M::Ask>,
    ) -> Outcome<M::Ask> {
        let mut batch = Batch(Vec::new());
        desk.0 = self.parked;
        let step = act(&mut desk.0, &mut batch);
        if step.ask.is_some() {
            desk.0.machine.answer(M::ANSWER);
        }
        self.parked = desk.0;
        let place = |unit: u32| self.origin + unit as usize;
        self.emitted.extend(batch.0.iter().map(|record| (record.word, place(record.start), place(record.end))));
        self.at = place(step.next);
        self.origin = place(step.held_from);
        step
    }

    fn read(&mut self, desk: &mut Desk<M>) {
        loop {
            let text = self.text[self.at..].to_vec();
            let held = (self.at - self.origin) as u32;
            let step = self
                .call(desk, |work, batch| work.machine.run(&work.table, &mut Stretch::new(&text, held, true), batch));
            if step.ask.is_none() && (step.waits || self.at == self.text.len()) {
                return;
            }
        }
    }

    pub fn finish(&mut self, desk: &mut Desk<M>) {
        loop {
            let held = (self.text.len() - self.origin) as u32;
            let end = self.text.len();
            self.call(desk, |work, batch| work.machine.finish(held, batch));
            if self.at == end {
                return;
            }
            self.read(desk);
        }
    }
}
