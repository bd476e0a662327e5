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
//!          | 0x00 byte         ; so many zeros and one more: at most 128
//! ```
//!
//! Texts, which only the parsers for Rust programs have, stand one after the other
//! in a text beside the bytes.

use std::collections::BTreeMap;

/// What is part of a machine. `state!` implements it from the type's definition,
/// so that no field and no variant is forgotten.
pub trait State: Sized {
    /// A value to be overwritten; nothing starts with it.
    const BLANK: Self;

    /// Writes it, or overwrites it with what is read.
    fn carry(&mut self, codec: &mut Codec<'_>);
}

/// Most zeros that two bytes stand for: so what is read isn't much larger than the bytes.
const MOST_ZEROS: u32 = 128;

/// Most of what is counted or a place, so that sums don't overflow.
const MOST: u32 = 1 << 30;

/// Writes numbers into bytes, or reads them from there.
pub struct Codec<'a> {
    bytes: &'a mut [u8],
    at: usize,
    /// Zeros that are still to be written, or that were read and are still to come.
    zeros: u32,
    /// Where texts are written, or read from `text_at` on.
    text: Option<&'a mut String>,
    text_at: usize,
    loads: bool,
    is_refused: bool,
}

impl<'a> Codec<'a> {
    fn new(bytes: &'a mut [u8], text: Option<&'a mut String>, loads: bool) -> Codec<'a> {
        Codec { bytes, at: 0, zeros: 0, text, text_at: 0, loads, is_refused: false }
    }

    /// Writes a state into `bytes`. Returns how many it takes; if there are fewer, it isn't
    /// there, and another call can have enough of them.
    pub fn save(state: &mut impl State, bytes: &mut [u8]) -> usize {
        let mut codec = Codec::new(bytes, None, false);
        state.carry(&mut codec);
        codec.write_zeros();
        codec.at
    }

    /// Makes a state the one that `save` wrote. False if there is none in `bytes`:
    /// then part of it is overwritten, and it must not be used.
    #[must_use]
    pub fn load(state: &mut impl State, bytes: &mut [u8]) -> bool {
        let mut codec = Codec::new(bytes, None, true);
        state.carry(&mut codec);
        codec.is_whole()
    }

    /// Writes what `carry` carries: numbers and texts.
    pub(super) fn write_all(mut carry: impl FnMut(&mut Codec<'_>)) -> (Vec<u8>, String) {
        let (mut bytes, mut text) = (Vec::new(), String::new());
        // The first time only counts the bytes.
        for _ in 0..2 {
            text.clear();
            let mut codec = Codec::new(&mut bytes, Some(&mut text), false);
            carry(&mut codec);
            codec.write_zeros();
            let len = codec.at;
            bytes.resize(len, 0);
        }
        (bytes, text)
    }

    /// Has `carry` read what `write_all` wrote; false if that isn't what is there.
    pub(super) fn read_all(bytes: &mut [u8], text: &mut String, carry: impl FnOnce(&mut Codec<'_>)) -> bool {
        let mut codec = Codec::new(bytes, Some(text), true);
        carry(&mut codec);
        codec.is_whole()
    }

    fn is_whole(&self) -> bool {
        let text_len = self.text.as_ref().map_or(0, |text| text.len());
        !self.is_refused && self.zeros == 0 && self.at == self.bytes.len() && self.text_at == text_len
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
            if self.zeros == MOST_ZEROS {
                self.write_zeros();
            }
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

    /// Writes a text, or reads one.
    fn text(&mut self, value: &mut String) {
        let len = self.number(value.len() as u32, u32::MAX) as usize;
        let Some(text) = self.text.as_mut() else { return self.refuse() };
        if !self.loads {
            return text.push_str(value);
        }
        let end = self.text_at.saturating_add(len);
        let Some(read) = text.get(self.text_at..end) else { return self.refuse() };
        read.clone_into(value);
        self.text_at = end;
    }

    fn write_zeros(&mut self) {
        if let Some(more) = self.zeros.checked_sub(1) {
            self.zeros = 0;
            self.put(0);
            self.put(more as u8);
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
            let more = self.take();
            if more >= MOST_ZEROS {
                self.refuse();
                return 0;
            }
            self.zeros = more + 1;
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
        // Machines have the last one for what isn't known yet.
        if *self > MOST && *self != u32::MAX {
            codec.refuse();
        }
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
        *self = codec.number(*self as u32, MOST) as usize;
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

impl State for char {
    const BLANK: char = '\0';

    fn carry(&mut self, codec: &mut Codec<'_>) {
        match char::from_u32(codec.number(u32::from(*self), u32::MAX)) {
            Some(read) => *self = read,
            None => codec.refuse(),
        }
    }
}

impl State for String {
    const BLANK: String = String::new();

    fn carry(&mut self, codec: &mut Codec<'_>) {
        codec.text(self);
    }
}

impl<T: State> State for Vec<T> {
    const BLANK: Vec<T> = Vec::new();

    fn carry(&mut self, codec: &mut Codec<'_>) {
        let len = codec.number(self.len() as u32, u32::MAX) as usize;
        if codec.loads {
            self.clear();
        }
        for at in 0..len {
            if codec.is_refused {
                break;
            }
            if codec.loads {
                self.push(T::BLANK);
            }
            if let Some(item) = self.get_mut(at) {
                item.carry(codec);
            }
        }
    }
}

impl<K: State + Ord, V: State> State for BTreeMap<K, V> {
    const BLANK: BTreeMap<K, V> = BTreeMap::new();

    fn carry(&mut self, codec: &mut Codec<'_>) {
        let mut pairs: Vec<(K, V)> = std::mem::take(self).into_iter().collect();
        pairs.carry(codec);
        self.extend(pairs);
    }
}

impl<A: State, B: State, C: State> State for (A, B, C) {
    const BLANK: (A, B, C) = (A::BLANK, B::BLANK, C::BLANK);

    fn carry(&mut self, codec: &mut Codec<'_>) {
        let (a, b, c) = self;
        a.carry(codec);
        b.carry(codec);
        c.carry(codec);
    }
}

/// Writes a type that is part of a machine, and implements [`State`] for it.
/// Of a list `names: [u8; NAMES] = ..len` only the first `len` items are used.
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
