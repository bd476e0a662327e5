//! Machines by the calls that src/wasm makes of them, and streams that share one place.

use tokenweir::block::{self, Face, TagTable};
use tokenweir::field;
use tokenweir::segment::{self, CallMachine, Choice};
use tokenweir::text::{Record, Sink};
use tokenweir::tool_call::{self, Answer, ToolNames};

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

/// What a call came to.
pub struct Step {
    next: u32,
    held_from: u32,
    asks: bool,
    waits: bool,
}

/// A machine by the calls that src/wasm makes of it.
pub trait Machine: Copy + 'static {
    fn run(&mut self, text: &[u8], held: u32, batch: &mut Batch) -> Step;
    fn finish(&mut self, held: u32, batch: &mut Batch) -> Step;
    fn answer(&mut self) {}
}

/// Blocks have their tags in a place beside, which is swapped with the machine.
#[derive(Clone, Copy)]
pub struct Blocks {
    pub machine: block::Machine,
    tags: TagTable,
}

impl Blocks {
    pub fn new(face: Face, marks: bool) -> Blocks {
        let mut machine = block::Machine::new(face);
        machine.configure(true, false, marks);
        Blocks { machine, tags: TagTable::default() }
    }
}

impl Machine for Blocks {
    fn run(&mut self, text: &[u8], held: u32, batch: &mut Batch) -> Step {
        let block::Outcome { next, held_from, .. } = self.machine.run(&self.tags, text, held, 0, true, batch);
        Step { next, held_from, asks: false, waits: false }
    }

    fn finish(&mut self, held: u32, batch: &mut Batch) -> Step {
        let block::Outcome { next, held_from, .. } = self.machine.finish(held, 0, batch);
        Step { next, held_from, asks: false, waits: false }
    }
}

impl Machine for field::Machine {
    fn run(&mut self, text: &[u8], held: u32, batch: &mut Batch) -> Step {
        let field::Outcome { next, held_from, asks_key } = self.run(text, held, true, batch);
        Step { next, held_from, asks: asks_key, waits: false }
    }

    fn finish(&mut self, held: u32, batch: &mut Batch) -> Step {
        let field::Outcome { next, held_from, .. } = self.finish(held, batch);
        Step { next, held_from, asks: false, waits: false }
    }

    fn answer(&mut self) {
        self.answer(true);
    }
}

impl Machine for segment::Machine {
    fn run(&mut self, text: &[u8], held: u32, batch: &mut Batch) -> Step {
        let segment::Outcome { next, held_from, asks_state } = self.run(text, held, true, batch);
        Step { next, held_from, asks: asks_state, waits: false }
    }

    fn finish(&mut self, held: u32, batch: &mut Batch) -> Step {
        let segment::Outcome { next, held_from, .. } = self.finish(held, batch);
        Step { next, held_from, asks: false, waits: false }
    }

    fn answer(&mut self) {
        self.answer(&Choice::BuiltIn);
    }
}

impl Machine for CallMachine {
    fn run(&mut self, text: &[u8], held: u32, batch: &mut Batch) -> Step {
        let (next, held_from) = self.run(text, held, true, batch);
        Step { next, held_from, asks: false, waits: false }
    }

    fn finish(&mut self, held: u32, batch: &mut Batch) -> Step {
        self.finish(held, batch);
        Step { next: held, held_from: held, asks: false, waits: false }
    }
}

/// Tool calls have the names of the tools in a place beside.
#[derive(Clone, Copy)]
pub struct Calls {
    pub machine: tool_call::Machine,
    names: ToolNames,
}

impl Calls {
    pub fn new(machine: tool_call::Machine, tools: &[&str]) -> Calls {
        let mut names = ToolNames::NONE;
        for tool in tools {
            assert!(names.add(tool.as_bytes()));
        }
        Calls { machine, names }
    }
}

impl Machine for Calls {
    fn run(&mut self, text: &[u8], held: u32, batch: &mut Batch) -> Step {
        let tool_call::Outcome { next, held_from, asks, waits } =
            self.machine.run(&self.names, text, held, true, batch);
        Step { next, held_from, asks, waits }
    }

    fn finish(&mut self, held: u32, batch: &mut Batch) -> Step {
        let tool_call::Outcome { next, held_from, .. } = self.machine.finish(held, batch);
        Step { next, held_from, asks: false, waits: false }
    }

    fn answer(&mut self) {
        self.machine.answer(Answer::Accept);
    }
}

/// The one place where a kind of machine works.
pub struct Desk<M>(pub M);

/// A stream: what JavaScript keeps of it.
pub struct Stream<M> {
    /// The machine while another is at work.
    pub parked: M,
    text: Vec<u8>,
    /// Where the undecided text begins, and up to where was read.
    pub origin: usize,
    pub at: usize,
    pub told: Vec<(u32, usize, usize)>,
}

impl<M: Machine> Stream<M> {
    pub fn new(machine: M) -> Stream<M> {
        Stream { parked: machine, text: Vec::new(), origin: 0, at: 0, told: Vec::new() }
    }

    pub fn feed(&mut self, desk: &mut Desk<M>, chunk: &[u8]) {
        self.text.extend(chunk);
        self.read(desk);
    }

    /// Before each call the machine is put on the desk, and behind it taken away:
    /// between any two calls another parser may be at work.
    fn call(&mut self, desk: &mut Desk<M>, act: impl FnOnce(&mut M, &mut Batch) -> Step) -> Step {
        let mut batch = Batch(Vec::new());
        desk.0 = self.parked;
        let step = act(&mut desk.0, &mut batch);
        if step.asks {
            desk.0.answer();
        }
        self.parked = desk.0;
        let place = |unit: u32| self.origin + unit as usize;
        self.told.extend(batch.0.iter().map(|record| (record.word, place(record.start), place(record.end))));
        self.at = place(step.next);
        self.origin = place(step.held_from);
        step
    }

    fn read(&mut self, desk: &mut Desk<M>) {
        loop {
            let text = self.text[self.at..].to_vec();
            let held = (self.at - self.origin) as u32;
            let step = self.call(desk, |machine, batch| machine.run(&text, held, batch));
            if !step.asks && (step.waits || self.at == self.text.len()) {
                return;
            }
        }
    }

    pub fn finish(&mut self, desk: &mut Desk<M>) {
        loop {
            let held = (self.text.len() - self.origin) as u32;
            let end = self.text.len();
            self.call(desk, |machine, batch| machine.finish(held, batch));
            if self.at == end {
                return;
            }
            self.read(desk);
        }
    }
}
