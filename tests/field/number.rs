//! Numbers as JavaScript reads and writes them.

/// The number that a text is: JSON's and JSON5's forms.
pub fn parse(text: &str) -> f64 {
    let (is_negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let value = match hexadecimal {
        // Up to 32 digits are rounded once. What is longer is only compared with itself.
        Some(digits) => u128::from_str_radix(digits, 16).map_or_else(
            |_| digits.chars().fold(0.0, |value, digit| value * 16.0 + f64::from(digit.to_digit(16).unwrap())),
            |value| value as f64,
        ),
        None => digits.parse().unwrap_or_else(|error| panic!("{text:?} is not a number: {error}")),
    };
    if is_negative { -value } else { value }
}

/// The result of `String`, except -0, which the cases distinguish from 0.
///
/// Source: ECMA-262, `Number::toString`.
pub fn render(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "NaN".to_owned() } else { format!("{number}").replace("inf", "Infinity") };
    }
    // The shortest digits that are this number, and no other.
    let shortest = format!("{:e}", number.abs());
    let (digits, exponent) = shortest.split_once('e').unwrap();
    let digits = digits.replace('.', "");
    let (length, before_point) = (digits.len() as i32, exponent.parse::<i32>().unwrap() + 1);
    let zeros = |count: i32| "0".repeat(count as usize);
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let magnitude = if (length..=21).contains(&before_point) {
        digits + &zeros(before_point - length)
    } else if (1..=21).contains(&before_point) {
        let (whole, fraction) = digits.split_at(before_point as usize);
        format!("{whole}.{fraction}")
    } else if (-5..=0).contains(&before_point) {
        format!("0.{}{digits}", zeros(-before_point))
    } else {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let sign = if before_point > 0 { "+" } else { "-" };
        format!("{first}{point}{rest}e{sign}{}", (before_point - 1).abs())
    };
    format!("{sign}{magnitude}")
}

#[test]
fn numbers_are_written_as_javascript_writes_them() {
    for (text, written) in [
        ("0", "0"),
        ("-0.0", "-0"),
        ("+12", "12"),
        ("12.50e1", "125"),
        ("1e21", "1e+21"),
        ("123456789012345678901", "123456789012345680000"),
        ("-1.5e300", "-1.5e+300"),
        ("0.000001", "0.000001"),
        ("1e-7", "1e-7"),
        ("12.5e-9", "1.25e-8"),
        ("5e-324", "5e-324"),
        ("1e400", "Infinity"),
        ("-1e400", "-Infinity"),
        (".5", "0.5"),
        ("5.", "5"),
        ("-0xFF", "-255"),
        ("0X20000000000001", "9007199254740992"),
        ("-Infinity", "-Infinity"),
        ("+NaN", "NaN"),
    ] {
        assert_eq!(render(parse(text)), written, "{text}");
    }
}
