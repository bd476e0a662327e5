//! How the debug build shows parts of a machine's state that serde can't derive.

use serde::{Serialize, Serializer};
use std::fmt::Debug;

/// A buffer of text, without the zeros at its end.
pub(crate) fn buffer<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let text = String::from_utf8_lossy(bytes);
    serializer.serialize_str(text.trim_end_matches('\0'))
}

/// A list with room at its end, where the last value is repeated: the rest of it.
pub(crate) fn list<T: Serialize + Debug, S: Serializer>(list: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    let shown = |value: &T| format!("{value:?}");
    let room = list.last().map(shown);
    let used = list.iter().rposition(|value| Some(shown(value)) != room).map_or(0, |last| last + 1);
    serializer.collect_seq(list.get(..used).unwrap_or_default())
}

/// Shows a type as the bytes that its method gives, which are text.
macro_rules! shown_as_text {
    ($type:ty $(, $length:ident)?: $bytes:expr) => {
        impl$(<const $length: usize>)? serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let bytes: fn(&$type) -> &[u8] = $bytes;
                serializer.serialize_str(&String::from_utf8_lossy(bytes(self)))
            }
        }
    };
}

pub(crate) use shown_as_text;
