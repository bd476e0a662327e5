//! What the package knows by heart is what the machine says: names of rules,
//! numbers of records, modes, faults, words and shapes. Its sources are read as
//! text, so a line that is written otherwise fails here as well.

use crate::reading::code;
use tokenweir::field::{Mode, Op, Shape};
use tokenweir::json::{Container, Fault, Literal, Rule, Rules};

fn source(file: &str) -> String {
    let path = format!("{}/pkg-template/src/fields/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The number of `const NAME = number`.
fn constant(source: &str, name: &str) -> u32 {
    let line = source.lines().find_map(|line| line.strip_prefix(&format!("const {name} = ")));
    line.unwrap_or_else(|| panic!("there is no const {name}")).parse().unwrap()
}

/// What stands in the brackets of `const NAME… = […]`.
fn list<'a>(source: &'a str, name: &str) -> Vec<&'a str> {
    let (_, rest) = source.split_once(&format!("const {name}")).unwrap_or_else(|| panic!("there is no const {name}"));
    let (_, rest) = rest.split_once("= [").unwrap();
    let (inside, _) = rest.split_once(']').unwrap();
    inside.split(',').map(|item| item.trim().trim_matches('\'')).filter(|item| !item.is_empty()).collect()
}

#[test]
fn rules_have_their_names_in_their_order() {
    assert_eq!(list(&source("rules.ts"), "RULES"), Rules::LENIENT.iter().map(Rule::name).collect::<Vec<_>>());
}

#[test]
fn records_have_their_numbers() {
    let reader = source("reader.ts");
    let ops = [
        ("CANDIDATE", Op::Candidate),
        ("DROP", Op::Drop),
        ("CONFIRM", Op::Confirm),
        ("FALLBACK", Op::Fallback),
        ("END", Op::End),
        ("PUSH", Op::Push(Container::Array)),
        ("POP", Op::Pop),
        ("KEY_PIECE", Op::KeyPiece),
        ("KEY_CHARACTER", Op::KeyCharacter(0)),
        ("KEY", Op::Key),
        ("PIECE", Op::Piece),
        ("CHARACTER", Op::Character(0)),
        ("TEXT", Op::Text),
        ("NUMBER", Op::Number),
        ("CUT_NUMBER", Op::CutNumber),
        ("WORD", Op::Word(Literal::False)),
        ("STUMBLE", Op::Stumble),
        ("FAULT", Op::Fault(Fault::Unexpected)),
    ];
    for (at, (name, op)) in ops.into_iter().enumerate() {
        // The list is whole: the numbers go from 1 on.
        assert_eq!(op.at(0, 0).word, at as u32 + 1, "{name}");
        assert_eq!(constant(&reader, name), at as u32 + 1, "{name}");
        assert!(reader.contains(&format!("case {name}:")), "nobody reads {name}");
    }
    assert_eq!(Op::of(tokenweir::text::Record { word: ops.len() as u32 + 1, start: 0, end: 0 }), None);
    // The detail of `PUSH` is 0 for an array.
    assert!(reader.contains("this.push(word >>> 8 === 0)") && reader.contains("push(isArray: boolean)"));
    assert_eq!(Op::Push(Container::Array).at(0, 0).word >> 8, 0);
    assert_eq!(Op::Push(Container::Object).at(0, 0).word >> 8, 1);
}

#[test]
fn modes_have_their_numbers() {
    let reader = source("reader.ts");
    assert_eq!(constant(&reader, "PROSE"), Mode::Prose as u32);
    assert_eq!(constant(&reader, "STRING"), Mode::String as u32);
    assert_eq!(Mode::Ask as u32, 0);
}

#[test]
fn faults_and_words_are_in_their_order() {
    let reader = source("reader.ts");
    let faults =
        [Fault::Unexpected, Fault::MissingValue, Fault::BadEscape, Fault::TooDeep, Fault::TooLong, Fault::RawControl];
    assert!(faults.iter().enumerate().all(|(at, &fault)| fault as usize == at));
    assert_eq!(list(&reader, "FAULTS"), faults.map(code));
    let words = [Literal::False, Literal::True, Literal::Null];
    assert!(words.iter().enumerate().all(|(at, &word)| word as usize == at));
    assert_eq!(list(&reader, "WORDS"), words.map(|word| format!("{word:?}").to_lowercase()));
}

#[test]
fn shapes_have_their_numbers() {
    let options = source("options.ts");
    assert!(Shape::ALL.iter().enumerate().all(|(at, &shape)| shape as usize == at));
    assert_eq!(constant(&options, "ANY"), Shape::Any as u32);
    assert_eq!(constant(&options, "OBJECT"), Shape::Object as u32);
    assert_eq!(constant(&options, "ARRAY"), Shape::Array as u32);
    let [objects, strings, numbers] =
        [Shape::ArrayOfObjects, Shape::ArrayOfStrings, Shape::ArrayOfNumbers].map(|shape| shape as u32);
    let line = format!("const ARRAY_OF = {{ object: {objects}, string: {strings}, number: {numbers}, any: ARRAY }}");
    assert!(options.contains(&line), "there is no {line}");
}
