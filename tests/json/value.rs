//! A value as JavaScript has it, and ways to get one from other parsers.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// UTF-16 code units; half of a surrogate pair may stand alone.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Units(pub Vec<u16>);

impl fmt::Debug for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for unit in char::decode_utf16(self.0.iter().copied()) {
            match unit {
                Ok(c) => write!(f, "{}", c.escape_debug())?,
                Err(half) => write!(f, "\\u{:04x}", half.unpaired_surrogate())?,
            }
        }
        f.write_str("\"")
    }
}

impl From<&str> for Units {
    fn from(text: &str) -> Self {
        Units(text.encode_utf16().collect())
    }
}

/// A double. NaN equals NaN, and -0 is not 0.
#[derive(Clone, Copy, Debug)]
pub struct Double(pub f64);

impl PartialEq for Double {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits() || self.0.is_nan() && other.0.is_nan()
    }
}

/// A JSON value; members in the order in which each name was read first.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Number(Double),
    String(Units),
    Array(Vec<Value>),
    Object(Vec<(Units, Value)>),
}

impl Value {
    /// The same with 0 for each -0: the crate json5 reads `-0` as an integer.
    pub fn without_minus_zero(self) -> Value {
        match self {
            Value::Number(Double(number)) => Value::Number(Double(if number == 0.0 { 0.0 } else { number })),
            Value::Array(items) => Value::Array(items.into_iter().map(Value::without_minus_zero).collect()),
            Value::Object(members) => {
                Value::Object(members.into_iter().map(|(name, value)| (name, value.without_minus_zero())).collect())
            }
            Value::Null | Value::Bool(_) | Value::String(_) => self,
        }
    }
}

/// Sets a member: the last value of a name wins, at the place of the first.
pub fn insert(members: &mut Vec<(Units, Value)>, name: Units, value: Value) {
    match members.iter_mut().find(|(known, _)| *known == name) {
        Some((_, old)) => *old = value,
        None => members.push((name, value)),
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(Double(value as f64)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(Double(value as f64)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(Double(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some((name, value)) = access.next_entry::<String, Value>()? {
            insert(&mut members, name.as_str().into(), value);
        }
        Ok(Value::Object(members))
    }
}
