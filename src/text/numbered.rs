//! Enums whose numbers cross the border. Each is written once, and gives its
//! table; `crate::wire` lists the tables, and the build writes them as
//! TypeScript.

/// A variant of a numbered enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name in Rust.
    pub variant: &'static str,
    /// Its number.
    pub number: u32,
    /// Its stable name; empty where it has none.
    pub name: &'static str,
    /// What a record carries above its number.
    pub fields: &'static [Bits],
    /// The method that decodes a record in TypeScript; empty where that is written by hand.
    pub method: &'static str,
    /// Its arguments: fields, and what the build knows of a place.
    pub arguments: &'static [&'static str],
    /// Its documentation, a line each.
    pub about: &'static [&'static str],
}

impl Line {
    /// A number alone.
    #[must_use]
    pub const fn number(variant: &'static str, number: u32, name: &'static str) -> Line {
        Line { variant, number, name, fields: &[], method: "", arguments: &[], about: &[] }
    }
}

/// A field of a record's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit.
    pub from: u32,
    /// One past its highest.
    pub to: u32,
    /// Its type in Rust.
    pub kind: &'static str,
}

/// What a field of a record's word may hold.
pub trait Field: Sized {
    /// Its bits.
    fn pack(self) -> u32;
    /// What bits stand for; `None` for bits that stand for nothing.
    fn unpack(bits: u32) -> Option<Self>;
}

impl Field for bool {
    fn pack(self) -> u32 {
        u32::from(self)
    }

    fn unpack(bits: u32) -> Option<bool> {
        Some(bits != 0)
    }
}

impl Field for char {
    fn pack(self) -> u32 {
        self as u32
    }

    fn unpack(bits: u32) -> Option<char> {
        char::from_u32(bits)
    }
}

macro_rules! integer {
    ($($integer:ty)*) => { $(
        impl Field for $integer {
            fn pack(self) -> u32 {
                u32::from(self)
            }

            fn unpack(bits: u32) -> Option<$integer> {
                bits.try_into().ok()
            }
        }
    )* };
}

integer!(u8 u16 u32);

/// The bits `from..to` of a word.
#[must_use]
pub const fn bits(word: u32, from: u32, to: u32) -> u32 {
    word << (32 - to) >> (32 - to + from)
}

/// Writes an enum without payloads: `Comment = 0 => "comment"`, where the
/// stable name may be left out.
macro_rules! numbered {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident {
        $( $(#[$about:meta])* $Variant:ident = $number:literal $(=> $name:literal)? ),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "debug", derive(serde::Serialize))]
        $vis enum $Name { $( $(#[$about])* $Variant = $number ),* }

        impl $Name {
            /// All of them, in the order of their numbers.
            $vis const ALL: [$Name; <[u32]>::len(&[$($number),*])] = [$($Name::$Variant),*];

            // Hidden: the border knows it by its number.
            #[doc(hidden)]
            #[must_use]
            $vis fn from_number(number: u32) -> Option<$Name> {
                match number {
                    $( $number => Some($Name::$Variant), )*
                    _ => None,
                }
            }

            // Hidden: the build writes it as TypeScript.
            #[doc(hidden)]
            $vis const TABLE: &'static [$crate::text::Line] = &[
                $( $crate::text::Line::number(stringify!($Variant), $number, concat!($($name)?)) ),*
            ];
        }

        impl $crate::text::Field for $Name {
            fn pack(self) -> u32 {
                self as u32
            }

            fn unpack(bits: u32) -> Option<$Name> {
                $Name::from_number(bits)
            }
        }

        $crate::text::named! { $vis $Name $( $Variant $($name)? ),* }
    };
}

/// The method `name`, of an enum all of whose variants have one.
macro_rules! named {
    ($vis:vis $Name:ident $($Variant:ident $name:literal),*) => {
        impl $Name {
            // Hidden: for searches among all names.
            #[doc(hidden)]
            $vis const NAMES: &'static [&'static str] = &[$($name),*];

            /// Its stable name, the same in JavaScript.
            #[must_use]
            $vis const fn name(self) -> &'static str {
                match self { $( $Name::$Variant => $name ),* }
            }
        }
    };
    ($vis:vis $Name:ident $($Variant:ident),*) => {};
}

/// Writes an enum of what records say: the number of each in the lowest bits of
/// a record's word, and its fields at the bits that are given:
///
/// ```text
/// pub enum Op: 8 {
///     Complete { is_incomplete: bool = 8..9, is_error: bool = 9..10 } = 6,
///     Character(code: char = 8..32) = 3,
///     Name = 7 => name(text, from),
/// }
/// ```
///
/// After `=>` stands what decodes it in TypeScript: a method, whose arguments are fields or parts of
/// the place, which `xtask/src/decoders.rs` lists; `part.name(text)` is a method of a part of the
/// receiver. Without it the record is decoded by hand.
macro_rules! records {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident: $low:literal {
        $( $(#[$about:meta])* $Variant:ident
            $( ( $( $part:ident: $Part:ty = $part_from:literal..$part_to:literal ),+ ) )?
            $( { $( $(#[$field_about:meta])* $field:ident: $Field:ty = $from:literal..$to:literal ),+ $(,)? } )?
            = $number:literal $( => $method:ident $( . $inner:ident )? ( $( $argument:ident ),* ) )? ),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $Name {
            $( $(#[$about])* $Variant $( ( $($Part),+ ) )? $( { $( $(#[$field_about])* $field: $Field ),+ } )? ),*
        }

        impl $Name {
            /// The record of this op at a place.
            #[must_use]
            $vis fn at(self, start: u32, end: u32) -> $crate::text::Record {
                $crate::text::Record { word: self.word(), start, end }
            }

            /// The word of such a record.
            #[must_use]
            $vis fn word(self) -> u32 {
                match self {
                    $( $Name::$Variant $( ( $($part),+ ) )? $( { $($field),+ } )? => $number
                        $( $( | $crate::text::Field::pack($part) << $part_from )+ )?
                        $( $( | $crate::text::Field::pack($field) << $from )+ )? ),*
                }
            }

            /// What a record says; `None` for a word that no op has.
            #[must_use]
            $vis fn of(record: $crate::text::Record) -> Option<$Name> {
                use $crate::text::{Field, bits};
                let word = record.word;
                Some(match bits(word, 0, $Name::LOW) {
                    $( $number => $Name::$Variant
                        $( ( $( <$Part>::unpack(bits(word, $part_from, $part_to))? ),+ ) )?
                        $( { $( $field: <$Field>::unpack(bits(word, $from, $to))? ),+ } )?, )*
                    _ => return None,
                })
            }

            // Hidden: how many bits the number takes. The build writes it as TypeScript.
            #[doc(hidden)]
            $vis const LOW: u32 = $low;
            // Hidden: as above.
            #[doc(hidden)]
            $vis const TABLE: &'static [$crate::text::Line] = &[ $( $crate::text::Line {
                variant: stringify!($Variant),
                number: $number,
                name: "",
                fields: &[
                    $( $( $crate::text::Bits {
                        name: stringify!($part), from: $part_from, to: $part_to, kind: stringify!($Part)
                    } ),+ )?
                    $( $( $crate::text::Bits {
                        name: stringify!($field), from: $from, to: $to, kind: stringify!($Field)
                    } ),+ )?
                ],
                method: concat!($( stringify!($method) $( , ".", stringify!($inner) )? )?),
                arguments: &[ $( $( stringify!($argument) ),* )? ],
                about: &[ $( stringify!($about) ),* ],
            } ),* ];
        }
    };
}

pub(crate) use {named, numbered, records};
