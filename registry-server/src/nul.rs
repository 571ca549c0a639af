//! U+0000, the one character that text in Postgres cannot hold. It is refused where it comes in, so that both
//! engines take the same and no transaction meets it.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use serde_json::Value;

use crate::problem::ApiError;

/// Whether any text in a JSON value, a key among them, holds it.
pub(crate) fn is_in(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(is_in),
        Value::Object(entries) => entries.iter().any(|(key, value)| key.contains('\0') || is_in(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether any text in a JSON document holds it. What is no JSON holds none.
pub(crate) fn is_in_json(json: &[u8]) -> bool {
    serde_json::from_slice(json).is_ok_and(|value| is_in(&value))
}

/// The layer that refuses it in an address.
pub(crate) async fn refuse_in_address(request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query().map_or("", |address| address.as_str());
    if !address.contains("%00") {
        return next.run(request).await;
    }
    let title = "the address holds the character U+0000".to_owned();
    ApiError::Other { status: StatusCode::BAD_REQUEST, code: "usage", title }.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_wherever_text_stands() {
        for json in [r#""\u0000""#, r#"{"a":["b\u0000"]}"#, r#"{"a\u0000":1}"#, r#"[{"a":{"b":"\u0000"}}]"#] {
            assert!(is_in_json(json.as_bytes()), "{json}");
        }
        for json in ["", "1", r#""\\u0000""#, r#"{"a":[null,true,"\u0001"]}"#] {
            assert!(!is_in_json(json.as_bytes()), "{json}");
        }
    }
}
