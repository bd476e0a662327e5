//! The version of states.

/// The version of what a [`Snapshot`](crate::text::Snapshot) holds: another one can't be restored. It changes with the sources
/// of the parsers.
///
/// ```
/// assert_eq!(tokenweir::ENGINE.len(), 16);
/// ```
pub const ENGINE: &str = env!("TOKENWEIR_ENGINE");
