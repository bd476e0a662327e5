//! A machine's state as bytes, and back.
//!
//! Both ways are one walk over the fields: [`Codec`] either takes each number or
//! puts the one that was read in its place. So nothing is written that isn't read,
//! and what is read is checked: a number beyond its type's range, a variant or a
//! length that doesn't exist, too few bytes and too many are all refused.
//!
//! ```text
//! state  ::= number*
//! number ::= LEB128            ; not 0
//!          | 0x00 LEB128       ; so many zeros, and one more
//! ```

/// What is part of a machine. `state!` implements it from the type's definition,
/// so that no field and no variant is forgotten.
pub trait State: Copy {
    /// A value to be overwritten; no machine starts with it.
    const BLANK: Self;

    /// Writes it, or overwrites it with what is read.
    fn carry(&mut self, codec: &mut Codec<'_>);
}

/// Writes numbers into bytes, or reads them from there.
pub struct Codec<'a> {
    bytes: &'a mut [u8],
    at: usize,
    /// Zeros that are still to be written, or that were read and are still to come.
    zeros: u32,
    loads: bool,
    is_refused: bool,
}

impl Codec<'_> {
    /// Writes a state into `bytes`. Returns how many it takes; if there are fewer, it isn't
    /// there, and another call can have enough of them.
    pub fn save(state: &mut impl State, bytes: &mut [u8]) -> usize {
        let mut codec = Codec { bytes, at: 0, zeros: 0, loads: false, is_refused: false };
        state.carry(&mut codec);
        codec.write_zeros();
        codec.at
    }

    /// Makes a state the one that `save` wrote. False if there is none in `bytes`:
    /// then part of it is overwritten, and it must not be used.
    #[must_use]
    pub fn load(state: &mut impl State, bytes: &mut [u8]) -> bool {
        let mut codec = Codec { bytes, at: 0, zeros: 0, loads: true, is_refused: false };
        state.carry(&mut codec);
        !codec.is_refused && codec.zeros == 0 && codec.at == codec.bytes.len()
    }

    /// Whether it reads.
    #[must_use]
    pub fn loads(&self) -> bool {
        self.loads
    }

    /// What is read stands for nothing.
    pub fn refuse(&mut self) {
        self.is_refused = true;
    }

    /// Writes a number and gives it back, or gives the one that is read: at most
    /// `most`, and 0 once something was refused.
    #[cold]
    #[inline(never)]
    pub fn number(&mut self, value: u32, most: u32) -> u32 {
        if self.loads {
            let read = self.read();
            self.is_refused |= read > most;
            return if self.is_refused { 0 } else { read };
        }
        if value == 0 {
            self.zeros += 1;
        } else {
            self.write_zeros();
            self.write(value);
        }
        value
    }

    /// Writes the first `used` of a list, or reads them.
    pub fn list<T: State>(&mut self, list: &mut [T], used: usize) {
        match list.get_mut(..used) {
            Some(list) => list.iter_mut().for_each(|item| item.carry(self)),
            None => self.refuse(),
        }
    }

    fn write_zeros(&mut self) {
        if let Some(more) = self.zeros.checked_sub(1) {
            self.zeros = 0;
            self.put(0);
            self.write(more);
        }
    }

    #[inline(never)]
    fn write(&mut self, mut value: u32) {
        while value > 0x7F {
            self.put(value as u8 | 0x80);
            value >>= 7;
        }
        self.put(value as u8);
    }

    #[inline(never)]
    fn put(&mut self, byte: u8) {
        if let Some(room) = self.bytes.get_mut(self.at) {
            *room = byte;
        }
        self.at += 1;
    }

    fn read(&mut self) -> u32 {
        if self.zeros == 0 {
            let value = self.take();
            if value != 0 {
                return value;
            }
            self.zeros = self.take().saturating_add(1);
        }
        self.zeros -= 1;
        0
    }

    #[inline(never)]
    fn take(&mut self) -> u32 {
        let (mut value, mut shift) = (0, 0);
        // As far as a number of 32 bits goes.
        while shift < 32 {
            let Some(&byte) = self.bytes.get(self.at) else { break };
            self.at += 1;
            value |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
        self.refuse();
        0
    }
}

impl State for bool {
    const BLANK: bool = false;

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        *self = codec.number(u32::from(*self), 1) != 0;
    }
}

impl State for u8 {
    const BLANK: u8 = 0;

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        *self = codec.number(u32::from(*self), u8::MAX.into()) as u8;
    }
}

impl State for u16 {
    const BLANK: u16 = 0;

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        *self = codec.number(u32::from(*self), u16::MAX.into()) as u16;
    }
}

impl State for u32 {
    const BLANK: u32 = 0;

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        *self = codec.number(*self, u32::MAX);
    }
}

impl State for u64 {
    const BLANK: u64 = 0;

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        let low = codec.number(*self as u32, u32::MAX);
        let high = codec.number((*self >> 32) as u32, u32::MAX);
        *self = u64::from(high) << 32 | u64::from(low);
    }
}

/// Only indexes and counts are of this type, and none is beyond 32 bits.
impl State for usize {
    const BLANK: usize = 0;

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        *self = codec.number(*self as u32, u32::MAX) as usize;
    }
}

impl<T: State> State for Option<T> {
    const BLANK: Option<T> = None;

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        let mut is_some = self.is_some();
        is_some.carry(codec);
        if is_some {
            self.get_or_insert(T::BLANK).carry(codec);
        } else {
            *self = None;
        }
    }
}

impl<A: State, B: State> State for (A, B) {
    const BLANK: (A, B) = (A::BLANK, B::BLANK);

    #[cold]
    #[inline(never)]
    fn carry(&mut self, codec: &mut Codec<'_>) {
        let (a, b) = self;
        a.carry(codec);
        b.carry(codec);
    }
}

impl<T: State, const LENGTH: usize> State for [T; LENGTH] {
    const BLANK: [T; LENGTH] = [T::BLANK; LENGTH];

    fn carry(&mut self, codec: &mut Codec<'_>) {
        codec.list(self, LENGTH);
    }
}

/// Writes a type that is part of a machine, and implements [`State`] for it.
/// `names: [u8; NAMES] = ..len` is a list of which only the first `len` are used.
macro_rules! state {
    ($(#[$meta:meta])* $vis:vis struct $Name:ident { $(
        $(#[$about:meta])* $field_vis:vis $field:ident: $Type:ty $(= ..$used:ident)?
    ),* $(,)? }) => {
        $(#[$meta])*
        #[cfg_attr(feature = "debug", derive(serde::Serialize))]
        $vis struct $Name { $( $(#[$about])* $field_vis $field: $Type ),* }

        impl $crate::text::State for $Name {
            const BLANK: $Name = $Name { $( $field: <$Type as $crate::text::State>::BLANK ),* };

            #[cold]
    #[inline(never)]
            fn carry(&mut self, codec: &mut $crate::text::Codec<'_>) {
                let $Name { $($field),* } = self;
                $( $crate::text::state!(@field codec $field $(..$used)?); )*
                // Lists come last, as their lengths must be known.
                $( $(codec.list($field, usize::from(*$used));)? )*
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis enum $Name:ident { $(
        $(#[$about:meta])* $Variant:ident
        $( ( $A:ty $(, $B:ty)? ) )?
        $( { $( $(#[$field_about:meta])* $field:ident: $Field:ty ),+ $(,)? } )?
        $(= $number:literal)?
    ),* $(,)? }) => {
        $(#[$meta])*
        #[cfg_attr(feature = "debug", derive(serde::Serialize))]
        $vis enum $Name { $(
            $(#[$about])* $Variant $( ($A $(, $B)?) )? $( { $( $(#[$field_about])* $field: $Field ),+ } )? $(= $number)?
        ),* }

        impl $Name {
            /// By their numbers in bytes.
            const BLANKS: [$Name; <[&str]>::len(&[$(stringify!($Variant)),*])] = [$(
                $Name::$Variant
                $( ( <$A as $crate::text::State>::BLANK $(, <$B as $crate::text::State>::BLANK)? ) )?
                $( { $( $field: <$Field as $crate::text::State>::BLANK ),+ } )?
            ),*];
        }

        impl $crate::text::State for $Name {
            const BLANK: $Name = $Name::BLANKS[0];

            #[cold]
    #[inline(never)]
            fn carry(&mut self, codec: &mut $crate::text::Codec<'_>) {
                let number = {
                    enum VariantNumber { $($Variant),* }
                    match self { $( $Name::$Variant { .. } => VariantNumber::$Variant as u32 ),* }
                };
                let number = codec.number(number, $Name::BLANKS.len() as u32 - 1);
                if codec.loads() {
                    *self = $Name::BLANKS.get(number as usize).copied().unwrap_or(Self::BLANK);
                }
                match self { $(
                    $Name::$Variant
                    $( ( a $(, $crate::text::state!(@second b $B))? ) )?
                    $( { $($field),+ } )?
                    => {
                        $(
                            <$A as $crate::text::State>::carry(a, codec);
                            $( <$B as $crate::text::State>::carry(b, codec); )?
                        )?
                        $( $( <$Field as $crate::text::State>::carry($field, codec); )+ )?
                    }
                ),* }
            }
        }
    };
    (@field $codec:ident $field:ident) => { $crate::text::State::carry($field, $codec) };
    (@field $codec:ident $field:ident ..$used:ident) => {};
    (@second $b:ident $B:ty) => { $b };
}

pub(crate) use state;
