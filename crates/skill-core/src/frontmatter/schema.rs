//! What a plain scalar is: the core schema of YAML 1.2.2, section 10.3.2.
//!
//! `yes`, `on`, dates and `1_000` are texts, unlike in YAML 1.1. Two kinds of numbers stay texts since JSON
//! has no value for them: integers beyond 64 bits, and infinities and NaN.

use serde_json::{Number, Value};

/// The value of a plain scalar.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => integer(text).or_else(|| float(text)).map_or_else(|| text.into(), Value::Number),
    }
}

fn integer(text: &str) -> Option<Number> {
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let only_digits = digits.chars().all(|digit| digit.is_digit(radix));
            return only_digits.then(|| u64::from_str_radix(digits, radix).ok().map(Number::from)).flatten();
        }
    }
    if !is_digits(text.strip_prefix(['+', '-']).unwrap_or(text)) {
        return None;
    }
    let signed = text.parse::<i64>().ok().map(Number::from);
    signed.or_else(|| text.parse::<u64>().ok().map(Number::from))
}

fn float(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let spelled = (is_digits(whole) && (fraction.is_empty() || is_digits(fraction)))
        || (whole.is_empty() && is_digits(fraction));
    let integral = unsigned == mantissa && !mantissa.contains('.');
    let fits = spelled && !integral && is_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    fits.then(|| text.parse().ok()).flatten().and_then(Number::from_f64)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_row_of_the_core_schema() {
        for (text, value) in [
            ("", json!(null)),
            ("Null", json!(null)),
            ("True", json!(true)),
            ("FALSE", json!(false)),
            ("0", json!(0)),
            ("010", json!(10)),
            ("-19", json!(-19)),
            ("+12", json!(12)),
            ("0o14", json!(12)),
            ("0x3A", json!(58)),
            ("18446744073709551615", json!(u64::MAX)),
            ("0.", json!(0.0)),
            ("-0.0", json!(-0.0)),
            (".5", json!(0.5)),
            ("+12e03", json!(12_000.0)),
            ("-2E+05", json!(-200_000.0)),
            ("1.10", json!(1.1)),
        ] {
            assert_eq!(plain(text), value, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_value_is_text() {
        for text in [
            "yes",
            "No",
            "on",
            "off",
            "y",
            "nULL",
            "tRUE",
            "~~",
            "1_000",
            "0b101",
            "0o8",
            "0x",
            "0xG",
            "-0x1F",
            "+0o7",
            "1.2.3",
            "1e",
            "e3",
            ".",
            "-",
            "+",
            ".e3",
            "--1",
            "+-1",
            "2026-11-30",
            "12:30",
            "1,5",
            "٣",
            ".inf",
            "-.INF",
            ".NaN",
            "1e999",
            "99999999999999999999",
            " 1",
            "NaN",
            "infinity",
            "0x10000000000000000",
        ] {
            assert_eq!(plain(text), json!(text));
        }
    }
}
