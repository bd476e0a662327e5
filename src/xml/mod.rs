//! Markup in the XML manner: tags, attributes, entities.
//!
//! Which names are tags, and which of them count now, is the parsers' data; this
//! floor only reads.

mod cdata;
mod closer;
mod elements;
mod entity;
mod machine;
mod op;
mod state;
mod tag;
mod tokenizer;
mod tree;

pub(crate) use cdata::{CDATA_CLOSER, CDATA_OPENER, Cdata, CdataMove};
pub(crate) use closer::{After, Closer, Closing, FURTHEST_CLOSER};
pub use entity::references;
pub use op::{TreeFault, TreeOp};
pub(crate) use tag::{Name, is_letter};
pub use tree::{DEEPEST_TREE, LONGEST_NAME, Tree, TreeFlow};
pub(crate) use tree::{NamedTag, named_tag};

// Hidden: what the border asks.
#[doc(hidden)]
pub use machine::{References, TREE_IS_OVER, TreeAsk};

// Hidden: for the arguments of segments.
#[doc(hidden)]
pub use elements::{DEEPEST_ELEMENT, Elements, LONGEST_ELEMENT};
#[doc(hidden)]
pub use op::{Element, ElementOp};

// Hidden: the tags of the parsers, a byte at a time.
#[doc(hidden)]
pub use entity::{Entity, Reading};
#[doc(hidden)]
pub use tokenizer::{Attribute, LONGEST_TAG, Progress, Recognised, Tag, Tokenizer, VALUES, Vocabulary};
