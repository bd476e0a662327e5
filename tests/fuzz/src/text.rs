//! Writes a text from bytes. What is UTF-8 stands for itself; any other byte is
//! an order: a piece of markup, half of one, something well-formed, the same
//! again, a long run.

use crate::input::Setting;
use arbitrary::{Result, Unstructured};

/// Beyond it no order is carried out: long enough for each bound of a tag, twice.
const LONGEST: usize = 12_000;

pub fn write(setting: &impl Setting, bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    while !bytes.is_empty() && text.len() < LONGEST {
        match character(bytes) {
            Some(c) => text.push(c),
            None => carry_out(setting, &mut text, bytes)?,
        }
    }
    Ok(text.replace('@', "antml:"))
}

/// The character that the bytes are, if they are one.
fn character(bytes: &mut Unstructured<'_>) -> Option<char> {
    let length = match bytes.peek_bytes(1)?[0] {
        0..0x80 => 1,
        0xC2..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0..0xF5 => 4,
        _ => return None,
    };
    let c = std::str::from_utf8(bytes.peek_bytes(length)?).ok()?.chars().next()?;
    bytes.bytes(length).ok()?;
    Some(c)
}

fn carry_out(setting: &impl Setting, text: &mut String, bytes: &mut Unstructured<'_>) -> Result<()> {
    let order: u8 = bytes.arbitrary()?;
    let pieces = setting.pieces();
    match order {
        0xA0..=0xA9 => *text += &setting.item(bytes)?,
        0xAA | 0xAB => {
            let piece = bytes.choose(pieces)?;
            let end = bytes.int_in_range(0..=piece.chars().count())?;
            text.extend(piece.chars().take(end));
        }
        0xAC | 0xAD => {
            let piece = bytes.choose(pieces)?;
            let start = bytes.int_in_range(0..=piece.chars().count())?;
            text.extend(piece.chars().skip(start));
        }
        0xAE | 0xAF => {
            let piece = bytes.choose(pieces)?;
            *text += &piece.repeat(bytes.int_in_range(2..=40)?);
        }
        // What was written last, some times more.
        0xB0 | 0xB1 => {
            let length = bytes.int_in_range(1..=40)?;
            let last = text.char_indices().rev().nth(length - 1).map_or(0, |(at, _)| at);
            let last = text[last..].to_owned();
            *text += &last.repeat(bytes.int_in_range(1..=30)?);
        }
        0xB2 | 0xB3 => text.push(bytes.arbitrary()?),
        // A closing tag that isn't whole.
        0xB4 | 0xB5 => {
            for _ in 0..bytes.int_in_range(1..=6)? {
                text.pop();
            }
        }
        0xB6 | 0xB9..=0xBF => {
            let run = bytes.choose(&[" ", "\n", "x", "1", "é", "水", "🙂", " \n", "\t", "[", "\\", "<"])?;
            let length = bytes.choose(&[8, 60, 64, 65, 128, 511, 513, 1_023, 1_025, 4_090, 4_096, 4_097, 4_110])?;
            *text += &run.repeat((length - bytes.int_in_range(0..=8)?) / run.chars().count());
        }
        0xB7 => {
            let (open, close) = (bytes.choose(pieces)?, bytes.choose(pieces)?);
            let depth = bytes.int_in_range(2..=70)?;
            *text += &open.repeat(depth);
            *text += &setting.item(bytes)?;
            *text += &close.repeat(depth);
        }
        // Deeper than anything may be.
        0xB8 => {
            let (open, close) =
                bytes.choose(&[("[", "]"), ("{\"a\":", "}"), ("<a>", "</a>"), ("<b c=\"d\">", "</b>")])?;
            let depth = bytes.choose(&[14, 16, 17, 62, 64, 65, 66, 510, 512, 513, 514])?;
            *text += &open.repeat(*depth);
            *text += &close.repeat(bytes.int_in_range(0..=*depth)?);
        }
        _ => *text += bytes.choose(pieces)?,
    }
    Ok(())
}
