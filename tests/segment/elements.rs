//! The elements of arguments: trees that are well-formed, and what holds for
//! any text. (Unit tests show text that is not well-formed.)

use crate::config;
use crate::element_pieces::PIECES;
use crate::element_reading::{Token, count, read};
use crate::support::places;
use proptest::prelude::*;
use tokenweir::text::Record;
use tokenweir::xml::{DEEPEST_ELEMENT, Element, ElementOp, LONGEST_ELEMENT};

/// A tree that is well-formed.
#[derive(Clone, Debug)]
enum Node {
    Text(&'static str),
    CData(&'static str),
    Comment(&'static str),
    Element { name: &'static str, attributes: &'static str, is_empty: bool, inside: Vec<Node> },
}

/// Attributes as they may be written, and the value of `name` among them.
const ATTRIBUTES: [(&str, Option<&str>, u32); 9] = [
    ("", None, 0),
    (" ", None, 0),
    (" name=\"x\"", Some("x"), 1),
    ("\n NAME = 'a > b'\t", Some("a > b"), 1),
    (" name=\"\"", Some(""), 1),
    (" a='1' name='水🙂' b", Some("水🙂"), 3),
    (" name='first' name='second'", Some("first"), 2),
    (" names='x' na='y'", None, 2),
    (" disabled", None, 1),
];

fn node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        prop::sample::select(&["words", " ", "\n", "a < b", "1<2", "é水🙂", "&lt;", "x > y", "< b>"][..])
            .prop_map(Node::Text),
        prop::sample::select(&["", "<a>", "]", "]]", "</a> & <b", "水🙂"][..]).prop_map(Node::CData),
        prop::sample::select(&["", " <a> ", " - ", "水"][..]).prop_map(Node::Comment),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let name = prop::sample::select(&["a", "arg", "ARG", "item", "arguments", "b-c.d:e_f1", "水", "args", "_"][..]);
        let attributes = prop::sample::select(&ATTRIBUTES[..]).prop_map(|(text, ..)| text);
        (name, attributes, prop::collection::vec(inner, 0..5)).prop_map(|(name, attributes, inside)| Node::Element {
            name,
            attributes,
            is_empty: inside.is_empty() && attributes.len() % 2 == 0,
            inside,
        })
    })
}

/// Writes a tree, and its events.
fn write(node: &Node, text: &mut String, tokens: &mut Vec<Token>) {
    let from = count(text);
    match node {
        Node::Text(words) => text.push_str(words),
        Node::CData(inner) | Node::Comment(inner) => {
            let is_data = matches!(node, Node::CData(_));
            *text += &if is_data { format!("<![CDATA[{inner}]]>") } else { format!("<!--{inner}-->") };
            let inner = if is_data { inner } else { "" };
            tokens.push(Token::CData { inner: inner.to_owned(), from, to: count(text) });
        }
        Node::Element { name, attributes, is_empty, inside } => {
            let (_, value, number) = ATTRIBUTES.into_iter().find(|(text, ..)| text == attributes).unwrap();
            *text += &format!("<{name}{attributes}{}", if *is_empty { "/>" } else { ">" });
            let element = match (name.to_lowercase().as_str(), value) {
                ("arg", Some(_)) => Element::Arg,
                ("item", _) => Element::Item,
                ("arguments", _) => Element::Arguments,
                _ => Element::Other,
            };
            let to = count(text);
            tokens.push(Token::Open {
                name: (*name).to_owned(),
                value: value.map(str::to_owned),
                element: element as u32,
                has_attributes: number > u32::from(element == Element::Arg),
                from,
                to,
            });
            if *is_empty {
                tokens.push(Token::Close { from: to, to });
                return;
            }
            for node in inside {
                write(node, text, tokens);
            }
            let from = count(text);
            // Names are the same in any case of letters.
            *text += &format!("</{}>", name.to_uppercase());
            tokens.push(Token::Close { from, to: count(text) });
        }
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    /// A tree is read as it was written.
    #[test]
    fn a_tree_is_what_was_written(nodes in prop::collection::vec(node(), 0..6)) {
        let (mut text, mut expected) = (String::new(), Vec::new());
        for node in &nodes {
            write(node, &mut text, &mut expected);
        }
        let read = |cuts: &[usize], room| {
            let tokens = read(&text, cuts, room).into_iter();
            tokens.filter(|token| *token != Token::Stray).collect::<Vec<_>>()
        };
        prop_assert_eq!(read(&[], usize::MAX), expected.clone(), "{}", text);
        prop_assert_eq!(read(&places(&text), DEEPEST_ELEMENT + 4), expected, "{}", text);
    }

    /// Cuts and full batches change nothing, and what opens is closed.
    #[test]
    fn cuts_do_not_matter(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30), size in 1..9usize) {
        let text = pieces.concat();
        let whole = read(&text, &[], usize::MAX);
        let cuts: Vec<_> = places(&text).into_iter().step_by(size).collect();
        prop_assert_eq!(read(&text, &cuts, usize::MAX), whole.clone(), "{}", text);
        prop_assert_eq!(read(&text, &[], DEEPEST_ELEMENT + 4), whole, "{}", text);
    }

    #[test]
    fn no_text_is_refused(text in any::<String>()) {
        prop_assert_eq!(read(&text, &places(&text), usize::MAX), read(&text, &[], usize::MAX));
    }
}

#[test]
fn what_the_text_ends_in_is_spoiled_where_it_was_meant() {
    for (text, is_spoiled) in [
        ("<a", false),
        ("</a", false),
        ("<", false),
        ("a < b", false),
        ("<a ", true),
        ("<a b", true),
        ("<a b=\"", true),
        ("<a b='x' ", true),
        ("<a /", true),
        ("</a ", true),
        ("<!", true),
        ("<!-", true),
        ("<!-- x --", true),
        ("<![CDATA[x]]", true),
        ("<!DOCTYPE", false),
    ] {
        assert_eq!(read(text, &[], usize::MAX) == [Token::Spoil], is_spoiled, "{text}");
    }
}

#[test]
fn deep_texts_fit_the_batch() {
    // All open elements are abandoned together, and closed one by one.
    let deep = DEEPEST_ELEMENT;
    for (text, opened, abandoned) in [
        (format!("{}</x>", "<x>".to_owned() + &"<a>".repeat(deep - 1)), deep, deep - 1),
        (format!("{}{}", "<a>".repeat(deep), "</a>".repeat(deep)), deep, 0),
        ("<a>".repeat(3 * deep), deep, deep),
        (format!("{}<b/>{}", "<a>".repeat(deep), "</a>".repeat(deep)), deep, 0),
    ] {
        let tokens = read(&text, &[], deep + 4);
        let number = |is: fn(&Token) -> bool| tokens.iter().filter(|token| is(token)).count();
        assert_eq!(number(|token| matches!(token, Token::Open { .. })), opened, "{text}");
        assert_eq!(number(|token| *token == Token::Abandon), abandoned, "{text}");
    }
    let name = "x".repeat(LONGEST_ELEMENT);
    assert_eq!(read(&format!("<{name}></{name}>"), &[], usize::MAX).len(), 2);
    assert_eq!(read(&format!("<{name}x></{name}x>"), &[], usize::MAX), []);
}

#[test]
fn ops_have_the_words_that_are_read_here() {
    let open = |element, has_attributes| ElementOp::Open { element, has_attributes };
    for (op, word) in [
        (ElementOp::Name, 1),
        (ElementOp::NameValue, 2),
        (open(Element::Other, false), 3),
        (open(Element::Arguments, true), 0x133),
        (ElementOp::Close, 4),
        (ElementOp::Abandon, 5),
        (ElementOp::Spoil, 6),
        (ElementOp::Inner, 7),
        (ElementOp::CData, 8),
        (ElementOp::Reclose, 9),
        (ElementOp::Stray, 10),
        (ElementOp::Lacks, 11),
    ] {
        assert_eq!(op.at(1, 2), Record { word, start: 1, end: 2 });
    }
}
