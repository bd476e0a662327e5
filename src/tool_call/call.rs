//! What is known of the call that is read.

use super::arguments::{Arguments, char_of};
use super::options::Options;
use crate::format::Answer;
use crate::text::Span;
use crate::xml::{TreeOp, references};

/// The call that is read, or what may become one.
#[derive(Clone, Debug, Default)]
pub(super) struct Call {
    /// Whether its start was emitted.
    pub(super) is_open: bool,
    /// Whether it has no opener.
    pub(super) is_bare: bool,
    /// Whether a list of calls is only checked, and nothing of it is emitted.
    pub(super) is_checking: bool,
    pub(super) name: String,
    pub(super) name_end: Option<Span>,
    pub(super) id: String,
    /// Whether it has no arguments, once its object was read.
    pub(super) is_missing: Option<bool>,
    /// Whether a quote may be part of a string.
    pub(super) may_be_quote: bool,
    /// The answer if it is asked whether what follows a closing tag in a value opens.
    pub(super) next: Option<Answer>,
    /// Whether the name of the parameter that opens next stands between opener and closer.
    pub(super) is_nameless: bool,
    pub(super) arguments: Arguments,
    /// Where the tokens stand that were written since something was emitted.
    pub(super) written: Option<Span>,
    /// Departures by which arguments were read that are JSON in a string.
    pub(super) repairs: u64,
    /// The attributes of the tag that is being read.
    attributes: Vec<(String, String)>,
    pub(super) element: Option<Element>,
}

/// A tool's element.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    /// Of those that come twice the first counts. An argument's element counts more.
    pub(super) attributes: Vec<(String, String)>,
    /// The tag inside it that was read last.
    pub(super) child: Option<(String, Span)>,
    /// Whether that one is an argument, whose text comes.
    pub(super) is_in_argument: bool,
    /// Its text.
    pub(super) argument: String,
}

impl Call {
    pub(super) fn has_written(&mut self, span: Span) {
        let start = self.written.map_or(span.start, |written| written.start);
        self.written = Some(Span { start, end: span.end });
    }

    /// The tag of a call that is an element, or of an argument in it.
    pub(super) fn emit_element(&mut self, op: TreeOp, text: &str, span: Span) {
        match op {
            TreeOp::Attribute => self.attributes.push((text.to_owned(), String::new())),
            TreeOp::Value => {
                if let Some((_, value)) = self.attributes.last_mut() {
                    *value = decoded(text);
                }
            }
            TreeOp::Open => {
                let attributes = std::mem::take(&mut self.attributes);
                match &mut self.element {
                    Some(element) => element.child = Some((text.to_owned(), span)),
                    none => *none = Some(Element { attributes, ..Element::default() }),
                }
            }
            // What looked like a tag is text, or the call fails.
            TreeOp::Fault(_) => self.attributes.clear(),
            TreeOp::Text | TreeOp::CData => self.argument(text, span),
            TreeOp::Character(code) => self.argument(char_of(code).encode_utf8(&mut [0; 4]), span),
            // Closed, or ended by the tool's own closing tag.
            TreeOp::Close | TreeOp::Abandon => {
                if self.element.as_mut().is_some_and(|element| std::mem::take(&mut element.is_in_argument)) {
                    self.arguments.end_text();
                    self.has_written(span);
                }
            }
        }
    }

    fn argument(&mut self, text: &str, span: Span) {
        let Some(element) = self.element.as_mut().filter(|element| element.is_in_argument) else { return };
        element.argument.push_str(text);
        self.arguments.text(text);
        self.has_written(span);
    }

    /// A tag inside of the tool's: an argument, or another call.
    pub(super) fn take_argument(&mut self, options: &Options) -> Answer {
        let Some(element) = &mut self.element else { return Answer::Malformed };
        let Some((name, span)) = element.child.take() else {
            // It was never closed: a call's tag in it was meant to stand after it.
            let has_call = tags(&element.argument).any(|name| options.has_tool(name));
            return if has_call { Answer::Malformed } else { Answer::Accept };
        };
        if options.has_tool(&name) {
            return Answer::Nested;
        }
        element.is_in_argument = true;
        element.argument.clear();
        element.attributes.retain(|(attribute, _)| *attribute != name);
        self.arguments.element(&name);
        self.has_written(span);
        Answer::Text
    }
}

/// The names of the opening tags in a text.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    text.split('<').skip(1).filter_map(|tag| tag.split_once([' ', '\t', '\r', '\n', '>']).map(|(name, _)| name))
}

/// A value with its references decoded.
fn decoded(text: &str) -> String {
    let mut value = String::new();
    let mut from = 0;
    references(text.as_bytes(), |place, character| {
        value.push_str(text.get(from..place.start).unwrap_or_default());
        value.push(character);
        from = place.end;
        true
    });
    value.push_str(text.get(from..).unwrap_or_default());
    value
}
