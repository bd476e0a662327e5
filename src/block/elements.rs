//! The rules of [`Face::Elements`](super::Face::Elements): an element of
//! thinking, function calls or function results is one block of text.
//!
//! Source: membrane's `IncrementalXmlParser` (v0.5.78), by spec/block.md.
//! Differences: a closing tag without its opening tag changes nothing (there the depth
//! goes to −1), and no block is completed that was not started.

use super::machine::{Ending, Machine, Run};
use super::op::Kind;
use super::stack::Stack;
use super::tags::Role;
use crate::text::Sink;
use crate::xml::Tag;

/// The kind of a block that starts here: thinking before calls before results.
pub(super) fn kind(stack: &Stack) -> Kind {
    let order = [Kind::Thinking, Kind::ToolCall, Kind::ToolResult];
    order.into_iter().find(|&kind| stack.count(kind) > 0).unwrap_or(Kind::Text)
}

/// One tag.
pub(super) fn tag<S: Sink>(machine: &mut Machine, run: &mut Run<'_, '_, S>, role: Role, tag: &Tag) {
    let kind = match role {
        Role::Thinking => Kind::Thinking,
        Role::FunctionCalls => Kind::ToolCall,
        Role::FunctionResults => Kind::ToolResult,
        Role::Invoke | Role::Parameter | Role::Result | Role::Error => return,
    };
    if !tag.is_closer {
        machine.complete(run, Ending::OtherTag);
        machine.stack.enter(kind);
        machine.start(run, kind, run.from);
    }
    if (tag.is_closer || tag.is_empty) && machine.stack.count(kind) > 0 {
        machine.complete(run, Ending::OwnTag);
        machine.stack.leave(kind);
    }
}
