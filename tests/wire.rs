//! The tables of the border: no number stands for two things, and what is packed fits.

use std::collections::BTreeSet;
use tokenweir::text::{Line, Record, packed};
use tokenweir::tool_call::{Answer, Op, Repair, Why};
use tokenweir::xml::{TreeFault, TreeOp};
use tokenweir::{json, wire};

fn table(name: &str) -> &'static [Line] {
    wire::ENUMS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, lines)| lines)
}

#[test]
fn every_number_of_an_enum_is_its_own() {
    let records = wire::RECORDS.iter().map(|&(name, _, lines)| (name, lines));
    for (name, lines) in records.chain(wire::ENUMS.iter().copied()) {
        let numbers: BTreeSet<u32> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers.len(), lines.len(), "{name}");
    }
    // Records of a tool call come in one batch.
    let together = [table("JsonOp"), TreeOp::TABLE, Op::TABLE].concat();
    let numbers: BTreeSet<u32> = together.iter().map(|line| line.number).collect();
    assert!(numbers.len() == together.len() && numbers.len() > 40, "{numbers:?}");
}

#[test]
fn fields_of_a_record_stand_side_by_side() {
    for &(name, bits, lines) in wire::RECORDS {
        for line in lines {
            assert!((1..1 << bits).contains(&line.number), "{name}: {line:?}");
            line.fields.iter().fold(bits, |free, field| {
                assert!(free <= field.from && field.from < field.to && field.to <= 32, "{name}: {line:?}");
                field.to
            });
        }
    }
}

#[test]
fn what_a_call_packs_fits() {
    for name in ["Block", "Field", "Segment", "Format", "Edit"] {
        let modes = table(&format!("{name}Mode"));
        assert!(modes.iter().all(|mode| mode.number <= packed::MODE_MASK), "{name}");
        assert!(table(&format!("{name}Ask")).iter().all(|ask| ask.number <= packed::ASK_MASK), "{name}");
        assert!(modes.first().is_some_and(|mode| (mode.variant, mode.number) == ("Read", 0)), "{name}");
    }
    // A record has room for 32 rules and 24 repairs, whose bits go on from there.
    assert!(json::Rule::ALL.len() <= 32);
    for (at, repair) in Repair::ALL.into_iter().enumerate() {
        assert!(repair as usize == 32 + at && repair.bit() == 1 << (32 + at) && at < 24);
    }
}

#[test]
fn ops_come_back_with_what_they_carry() {
    for op in [
        Op::NameCharacter(0x1F642),
        Op::NameEnd { is_alias: true },
        Op::Done { repairs: 0xFF_FFFF },
        Op::Fail(Why::Mentioned),
        Op::FailEnd { is_cut: true },
        Op::Whole { is_missing: true },
        Op::Key { is_first: true },
        Op::Next { is_param: true },
    ] {
        assert_eq!(Op::of(op.at(3, 5)), Some(op));
    }
    for op in [TreeOp::Open, TreeOp::Character(0x1F642), TreeOp::Fault(TreeFault::Text)] {
        assert_eq!(TreeOp::of(op.at(3, 5)), Some(op));
    }
    for word in [0, 31, 57, 49 | 11 << 8] {
        assert_eq!(Op::of(Record { word, start: 0, end: 0 }), None, "{word}");
    }
}

#[test]
fn an_unknown_number_is_the_worst() {
    assert_eq!((Answer::of(0), Answer::of(99)), (Answer::Accept, Answer::Malformed));
}
