//! Searches that stop at the end of a chunk and continue with the next one.

mod byte;
mod literal_set;
mod sight;
mod tag;

pub(crate) use byte::{after, at_most, is_space, pass_space, space_len};
pub use byte::{find_any, plain_len};
pub use literal_set::{Entry, Literals, Prefix};
pub(crate) use sight::{AtLast, Short, Sight};
pub(crate) use tag::{LONGEST_GAP, begins, tag_len};
