//! What a text begins with that may be too short to say.

/// The text is too short to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Short;

/// What a text says that is long enough. `?` passes on that it is too short.
pub(crate) type Sight<T> = Result<T, Short>;

/// What holds at the end of a text.
pub(crate) trait AtLast {
    /// At the end of a text, what it is too short for isn't there.
    fn at_last(self, is_last: bool) -> Self;
}

impl<T: Default> AtLast for Sight<T> {
    fn at_last(self, is_last: bool) -> Sight<T> {
        if is_last { self.or(Ok(T::default())) } else { self }
    }
}
