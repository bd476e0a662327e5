//! What a text begins with that may be too short to say.

/// What was looked for at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight<T> {
    /// The text is too short to say.
    Short,
    /// It isn't there.
    No,
    /// It is.
    Yes(T),
}

impl<T> Sight<T> {
    /// What was found, if the text is long enough to say.
    pub(crate) fn yes(self) -> Option<T> {
        match self {
            Sight::Short | Sight::No => None,
            Sight::Yes(found) => Some(found),
        }
    }

    /// Whether it is there, or `None` while the text is too short to say.
    pub(crate) fn is_there(&self) -> Option<bool> {
        match self {
            Sight::Short => None,
            Sight::No => Some(false),
            Sight::Yes(_) => Some(true),
        }
    }

    /// At the end of a text, what it is too short for isn't there.
    pub(crate) fn at_last(self, is_last: bool) -> Sight<T> {
        match self {
            Sight::Short if is_last => Sight::No,
            Sight::Short | Sight::No | Sight::Yes(_) => self,
        }
    }

    /// What follows from what was found.
    pub(crate) fn map<U>(self, make: impl FnOnce(T) -> U) -> Sight<U> {
        match self {
            Sight::Short => Sight::Short,
            Sight::No => Sight::No,
            Sight::Yes(found) => Sight::Yes(make(found)),
        }
    }
}

/// What is there or isn't.
impl<T> From<Option<T>> for Sight<T> {
    fn from(found: Option<T>) -> Sight<T> {
        found.map_or(Sight::No, Sight::Yes)
    }
}

/// A value that is `None` while the text is too short; the function returns then, with `Sight::Short`.
macro_rules! seen {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return $crate::scan::Sight::Short,
        }
    };
}

/// What a [`Sight`] has found, as an option; the function returns if the text is too short, with `Sight::Short` or
/// with what is given.
macro_rules! found {
    ($sight:expr) => {
        found!($sight, $crate::scan::Sight::Short)
    };
    ($sight:expr, $short:expr) => {
        match $sight {
            $crate::scan::Sight::Short => return $short,
            $crate::scan::Sight::No => None,
            $crate::scan::Sight::Yes(found) => Some(found),
        }
    };
}

pub(crate) use {found, seen};
