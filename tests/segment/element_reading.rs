//! Reads the elements of arguments cut at places, in batches that may be full,
//! and puts the records together. The protocol of records is asserted.

use crate::driver::Batch;
use tokenweir::text::Record;
use tokenweir::xml::{DEEPEST_ELEMENT, Elements};

/// What happened, places in UTF-16 units.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Open { name: String, value: Option<String>, element: u32, has_attributes: bool, from: u32, to: u32 },
    Close { from: u32, to: u32 },
    Abandon,
    Spoil,
    Reclose { from: u32, to: u32 },
    Stray,
    Lacks,
    CData { inner: String, from: u32, to: u32 },
}

/// Reads a text cut at places, in batches with so much room.
pub fn read(text: &str, cuts: &[usize], room: usize) -> Vec<Token> {
    let mut elements = Elements::START;
    let mut records = Vec::new();
    let (mut at, mut from, mut end) = (0, 0, 0);
    for &to in cuts.iter().chain([&text.len()]) {
        end += count(&text[from..to]);
        while at < end {
            let mut batch = Batch { records: Vec::new(), room };
            let next = elements.run(&text.as_bytes()[from..to], at, &mut batch);
            assert!(next > at, "no way on from {at} in {text:?}");
            records.append(&mut batch.records);
            let mut read = text[from..to].chars();
            while at < next {
                let c = read.next().unwrap();
                at += c.len_utf16() as u32;
                from += c.len_utf8();
            }
        }
        assert_eq!((at, from), (end, to), "the units are counted wrong in {text:?}");
    }
    let mut batch = Batch { records, room: usize::MAX };
    elements.finish(&mut batch);
    tokens(text, &batch.records)
}

pub fn count(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// The records put together, as the package does; their protocol is asserted.
fn tokens(text: &str, records: &[Record]) -> Vec<Token> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let there = |start: u32, end: u32| String::from_utf16(&units[start as usize..end as usize]).unwrap();
    let (mut name, mut value, mut inner) = (None, None, None);
    let (mut tokens, mut last, mut depth, mut lacks) = (Vec::new(), 0, 0_usize, false);
    for &Record { word, start, end } in records {
        assert!(start <= end && end as usize <= units.len(), "{word} at {start}..{end} in {text:?}");
        if [3, 4, 8].contains(&(word & 0xF)) {
            assert!(last <= start, "{word} at {start} comes after {last} in {text:?}");
            last = end;
        }
        match word & 0xF {
            1 => assert_eq!(name.replace(there(start, end)), None, "two names in {text:?}"),
            2 => assert_eq!(value.replace(there(start, end)), None, "two values in {text:?}"),
            3 => {
                depth += 1;
                assert!(depth <= DEEPEST_ELEMENT + 1, "too deep in {text:?}");
                let (name, value) = (name.take().unwrap(), value.take());
                let tag = there(start, end);
                assert!(tag.starts_with(&format!("<{name}")) && tag.ends_with('>'), "{tag} opens {name} in {text:?}");
                let (element, has_attributes) = (word >> 4 & 0xF, word & 0x100 != 0);
                lacks &= element != 1;
                tokens.push(Token::Open { name, value, element, has_attributes, from: start, to: end });
            }
            4 | 5 => {
                depth = depth.checked_sub(1).unwrap_or_else(|| panic!("nothing is open to close in {text:?}"));
                tokens.push(if word & 0xF == 4 { Token::Close { from: start, to: end } } else { Token::Abandon });
            }
            6 => tokens.push(Token::Spoil),
            7 => inner = Some(there(start, end)),
            9 => {
                // What was around it is open again.
                depth += usize::from(std::mem::take(&mut lacks));
                tokens.push(Token::Reclose { from: start, to: end });
            }
            10 => tokens.push(Token::Stray),
            11 => {
                lacks = true;
                tokens.push(Token::Lacks);
            }
            8 => tokens.push(Token::CData { inner: inner.take().unwrap(), from: start, to: end }),
            other => panic!("{other} is not an op"),
        }
    }
    assert_eq!((depth, &name, &value, &inner), (0, &None, &None, &None), "something is open in {text:?}");
    tokens
}
