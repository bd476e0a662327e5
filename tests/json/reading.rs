//! Whole texts as the package reads them: records up to the first fault, with
//! little room for them.

use tokenweir::json::{Container, JsonOp, JsonReading, Rules};
use tokenweir::text::{Machine as _, Record, Sink, Stretch};

struct Batch {
    records: Vec<Record>,
    room: usize,
}

impl Sink for Batch {
    fn record(&mut self, record: Record) {
        assert!(self.records.len() < self.room, "more records than there is room for");
        self.records.push(record);
    }

    fn lacks_room_for(&self, count: usize) -> bool {
        self.records.len() + count > self.room
    }
}

/// What is emitted for a text: the op, what is above it in the word, the place.
fn read(text: &str, rules: Rules, room: usize) -> Vec<(JsonOp, u32, u32, u32)> {
    let mut reading = JsonReading::new(rules, 512);
    let mut emitted = Vec::new();
    let mut take = |batch: Batch| {
        emitted.extend(
            batch
                .records
                .iter()
                .map(|record| (JsonOp::of(*record).unwrap(), record.word >> 8, record.start, record.end)),
        );
    };
    let end = text.len() as u32;
    let mut at = 0;
    while at < end && !reading.has_failed() {
        let mut batch = Batch { records: Vec::new(), room };
        at = reading.run(&(), &mut Stretch::new(&text.as_bytes()[at as usize..], at, false), &mut batch).next;
        take(batch);
    }
    let mut batch = Batch { records: Vec::new(), room };
    reading.finish(end, &mut batch);
    take(batch);
    emitted
}

#[test]
fn a_text_is_emitted_up_to_its_first_fault() {
    use JsonOp::{Array, Close, Fault, KeyEnd, Number, Object, Word};
    // The fault's number, where it was, in what.
    let fault = |fault: u32, place: u32, inside: Container| fault | place << 8 | (inside as u32) << 16;
    let rows = [
        ("true", vec![(Word, 1, 0, 4)]),
        ("12", vec![(Number, 0, 0, 2)]),
        ("[null]", vec![(Array, 0, 0, 1), (Word, 2, 1, 5), (Close, 0, 5, 6)]),
        ("[1", vec![(Array, 0, 0, 1), (Number, 0, 1, 2), (Fault, fault(7, 6, Container::Array), 2, 2)]),
        ("[1 2 3]", vec![(Array, 0, 0, 1), (Number, 0, 1, 2), (Fault, fault(0, 6, Container::Array), 3, 3)]),
        ("{\"a\" 1}", vec![(Object, 0, 0, 1), (KeyEnd, 0, 2, 3), (Fault, fault(0, 5, Container::Object), 5, 5)]),
        ("", vec![(Fault, fault(7, 0, Container::Text), 0, 0)]),
    ];
    for (text, expected) in rows {
        for room in [3, 4, 1_000] {
            assert_eq!(read(text, Rules::STRICT, room), expected, "{text} in batches of {room}");
        }
    }
}

#[test]
fn a_full_batch_changes_nothing() {
    let text = "{'a': [1, \"b\\u00e9\\n\", true, [], {}], c: .5e1,} // end";
    let emitted = read(text, Rules::LENIENT, 1_000);
    assert!(emitted.len() > 15 && emitted.iter().all(|(op, ..)| *op != JsonOp::Fault), "{emitted:?}");
    for room in 3..emitted.len() {
        assert_eq!(read(text, Rules::LENIENT, room), emitted, "batches of {room}");
    }
}
