//! Markup in the XML manner: tags, attributes, entities.
//!
//! Which names are tags, and which of them count just now, is the front-end's
//! data; this floor only reads.

mod elements;
mod entity;
mod state;
mod tokenizer;
mod tree;

pub use elements::{DEEPEST_ELEMENT, Element, ElementOp, Elements, LONGEST_ELEMENT};
pub use entity::{Entity, Reading, references};
pub use state::{Action, Class, State, at_end, step};
pub use tokenizer::{LONGEST_TAG, Progress, Recognised, Tag, Tokenizer, VALUES, Vocabulary};
pub use tree::{DEEPEST_TREE, LONGEST_NAME, Tree, TreeFault, TreeFlow, TreeOp};
