//! Trees: `src/xml/tree.rs`, what robust XML and Morph's arguments are read with.

#![no_main]
#![allow(dead_code, reason = "each target uses its part of what the tests share")]

#[path = "../../segment/driver.rs"]
mod driver;
#[path = "../../pieces/elements.rs"]
mod pieces;
#[path = "../../support/mod.rs"]
mod support;

use arbitrary::{Arbitrary, Result, Unstructured};
use driver::Batch;
use libfuzzer_sys::fuzz_target;
use support::{cut, places};
use tokenweir::text::{Record, Stretch};
use tokenweir::xml::{DEEPEST_TREE, LONGEST_NAME, Tree, TreeFault, TreeFlow, TreeOp};
use tokenweir_fuzz::{Cuts, Input, Setting, check_steps, element, pieces_of, repeated};

/// What turns out not to be a tag is read twice; each move reads something or closes something.
const STEPS_A_BYTE: u64 = 8;

/// What may be pending where no tag is open: a closing tag, its name between much white space.
const LONGEST_WAIT: usize = 2 + 64 + LONGEST_NAME + 65;

#[derive(Arbitrary, Debug)]
struct Way {
    /// Elements whose names begin with a letter of these are raw.
    raw: u8,
    has_root: bool,
    /// Room for records beyond the least.
    room: u8,
}

impl Way {
    fn is_raw(&self, name: &str) -> bool {
        let letters = ["", "a", "b", "ab", "i水", "a水b", "r", ""];
        name.starts_with(|c| letters[usize::from(self.raw) % letters.len()].contains(c))
    }
}

impl Setting for Way {
    fn pieces(&self) -> &'static [&'static str] {
        pieces::PIECES
    }

    fn item(&self, bytes: &mut Unstructured<'_>) -> Result<String> {
        element(bytes, &["a", "b", "arg", "item", "arguments", "水", "0", "b-c.d:e"])
    }
}

fuzz_target!(|input: Input<Way>| {
    let Input { setting, text, cuts } = &input;
    if let Cuts::Grown(size) = cuts {
        let text = repeated(text);
        // Whoever feeds it small pieces sends what waits again, so they are not too small here.
        read(setting, &text, pieces_of(&text, (*size).max(LONGEST_WAIT)));
        return;
    }
    let whole = read(setting, text, vec![text]);
    for places in cuts.ways_with_empty(&places(text)) {
        let pieces = cut(text, &places);
        assert_eq!(read(setting, text, pieces.clone()), whole, "{text:?} as {pieces:?}");
    }
});

/// What was emitted, and where in units; consecutive texts are one.
type Emitted = (TreeOp, u32, u32);

/// Reads pieces as the border does. What holds for any text is asserted.
fn read(way: &Way, text: &str, pieces: Vec<&str>) -> Vec<Emitted> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut tree = Tree::START;
    let from = if way.has_root { text.find('<').unwrap_or(text.len()) } else { 0 };
    if way.has_root {
        tree.begin_root(count(&text[..from]));
    }
    // What is read: bytes of the text, and the unit where they begin.
    let (mut at, mut unit, mut end) = (from, count(&text[..from]), 0);
    let (mut emitted, mut moves, mut looked, mut is_over) = (Vec::new(), 0_u64, 0_u64, false);
    let many = pieces.len() as u64;
    for piece in pieces {
        end += piece.len();
        if is_over || end <= at {
            continue;
        }
        let mut stretch = Stretch::new(&text.as_bytes()[at..end], unit, false);
        loop {
            let mut batch = Batch { records: Vec::new(), room: 6 + usize::from(way.room) };
            let before = stretch.at();
            let flow = tree.advance(&mut stretch, &mut batch);
            let mut records = batch.records;
            moves += 1;
            looked += stretch.at().saturating_sub(before) as u64;
            take(&mut emitted, &records, &units, text);
            match flow {
                TreeFlow::Over | TreeFlow::Fault(TreeFault::TooDeep | TreeFault::Text) => is_over = true,
                TreeFlow::Go | TreeFlow::Abandoned | TreeFlow::Fault(_) => {}
                TreeFlow::Stop | TreeFlow::Wait => break,
                TreeFlow::Ask => {
                    let name = emitted.iter().rev().find(|(op, ..)| *op == TreeOp::Open).expect("a name is emitted");
                    let name = String::from_utf16(&units[name.1 as usize..name.2 as usize]).unwrap();
                    records.clear();
                    tree.answer(way.is_raw(&name), stretch.here(), &mut records);
                    take(&mut emitted, &records, &units, text);
                    // An empty root is over when it was answered for.
                    is_over = tree.is_over();
                }
                TreeFlow::Back(back) => {
                    if !stretch.go_back_to(back) {
                        let byte = byte_of(text, back);
                        stretch = Stretch::new(&text.as_bytes()[byte..end], back, false);
                        at = byte;
                    }
                }
            }
            if is_over {
                break;
            }
        }
        at += stretch.at();
        unit = stretch.here();
        assert!(is_over || end - at <= LONGEST_WAIT, "{} bytes wait: {text:?}", end - at);
        assert!(usize::from(tree.depth()) <= DEEPEST_TREE);
    }
    if !is_over {
        let mut records = Vec::new();
        assert!(tree.finish(units.len() as u32, &mut records));
        take(&mut emitted, &records, &units, text);
        assert_eq!(tree.depth(), 0, "something is open after the end of {text:?}");
    }
    check_steps(moves + looked, text, STEPS_A_BYTE, 4 * many + 700, &Cuts::Grown(0));
    if !is_over && !way.has_root {
        check_tiles(&emitted, &units, text);
    }
    emitted
}

fn take(emitted: &mut Vec<Emitted>, records: &[Record], units: &[u16], text: &str) {
    for record in records {
        let op = TreeOp::of(*record).unwrap_or_else(|| panic!("{record:?} says nothing"));
        let (start, end) = (record.start, record.end);
        assert!(start <= end && end as usize <= units.len(), "{op:?} at {start}..{end} of {text:?}");
        match (op, emitted.last_mut()) {
            (TreeOp::Text | TreeOp::CData, Some((last, _, to))) if *last == op && *to == start => *to = end,
            _ => emitted.push((op, start, end)),
        }
    }
}

/// Texts, references and tags follow one another, and between them there
/// is only what is never emitted: comments, instructions, marks of CDATA,
/// closing tags of nothing.
fn check_tiles(emitted: &[Emitted], units: &[u16], text: &str) {
    let mut at = 0;
    let mut depth = 0;
    // Where the last name or value in a tag ends: after it only `>` can end the tag.
    let mut inside = 0;
    for &(op, start, end) in emitted {
        let (start, end) = if op == TreeOp::Open {
            let from = inside.max(end) as usize;
            let closer = units[from..].iter().position(|&unit| unit == u16::from(b'>')).expect("the tag is whole");
            assert_eq!(units[start as usize - 1], u16::from(b'<'), "{op:?} at {start} of {text:?}");
            (start - 1, (from + closer + 1) as u32)
        } else {
            (start, end)
        };
        match op {
            TreeOp::Text | TreeOp::Character(_) | TreeOp::CData | TreeOp::Open | TreeOp::Close => {
                assert!(at <= start, "{op:?} at {start} after {at} of {text:?}");
                let gap = String::from_utf16_lossy(&units[at as usize..start as usize]);
                assert!(gap.is_empty() || is_never_emitted(&gap), "{gap:?} is lost in {text:?}");
                at = end;
            }
            TreeOp::Attribute | TreeOp::Value => inside = end,
            TreeOp::Abandon | TreeOp::Fault(_) => {}
        }
        match op {
            TreeOp::Open => depth += 1,
            TreeOp::Close | TreeOp::Abandon => depth -= 1,
            _ => {}
        }
        assert!(depth >= 0, "nothing is open to close in {text:?}");
    }
    let gap = String::from_utf16_lossy(&units[at as usize..]);
    assert!(gap.is_empty() || is_never_emitted(&gap), "{gap:?} is lost in {text:?}");
    assert_eq!(depth, 0, "{text:?}");
}

fn is_never_emitted(gap: &str) -> bool {
    ["<!", "<?", "</", "]]>"].iter().any(|begin| gap.starts_with(begin))
}

fn count(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// The byte at a unit.
fn byte_of(text: &str, unit: u32) -> usize {
    let mut left = unit;
    for (at, c) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left -= c.len_utf16() as u32;
    }
    text.len()
}
