//! What a reader filters by, as it follows from a manifest.

use serde_json::Value;

/// A system that a skill runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

impl System {
    /// Every one that can be filtered by.
    pub const ALL: [Self; 3] = [Self::Linux, Self::Macos, Self::Windows];

    /// As manifests and addresses name it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Macos => "macos",
            Self::Windows => "windows",
        }
    }

    /// As people read it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Linux => "Linux",
            Self::Macos => "macOS",
            Self::Windows => "Windows",
        }
    }

    pub(super) const fn bit(self) -> i64 {
        match self {
            Self::Linux => 1,
            Self::Macos => 2,
            Self::Windows => 4,
        }
    }
}

/// The column `os`: the systems that a manifest names; all of them if it names none.
pub(super) fn systems(manifest: &Value) -> i64 {
    let named = manifest.get("os").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let wanted = |system: &System| named.is_empty() || named.iter().any(|name| name == system.as_str());
    System::ALL.iter().filter(|system| wanted(system)).map(|system| system.bit()).sum()
}

/// The column `secrets`: whether it names a variable that must be set.
pub(super) fn needs_secrets(manifest: &Value) -> bool {
    let required = |variable: &Value| variable.get("required").and_then(Value::as_bool).unwrap_or(true);
    let list = |pointer: &str| manifest.pointer(pointer).and_then(Value::as_array);
    manifest.get("primaryEnv").is_some_and(|name| !name.is_null())
        || list("/requires/env").is_some_and(|names| !names.is_empty())
        || list("/envVars").is_some_and(|variables| variables.iter().any(required))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_system_named_means_all() {
        assert_eq!(systems(&json!({})), 7);
        assert_eq!(systems(&json!({ "os": [] })), 7);
        assert_eq!(systems(&json!({ "os": ["macos", "linux"] })), 3);
        assert_eq!(systems(&json!({ "os": ["plan9"] })), 0);
    }

    #[test]
    fn secrets_are_variables_that_must_be_set() {
        assert!(!needs_secrets(&json!({ "requires": { "env": [] }, "envVars": [] })));
        assert!(!needs_secrets(&json!({ "envVars": [{ "name": "A", "required": false }] })));
        assert!(needs_secrets(&json!({ "envVars": [{ "name": "A" }] })));
        assert!(needs_secrets(&json!({ "requires": { "env": ["A"] } })));
        assert!(needs_secrets(&json!({ "primaryEnv": "A" })));
    }
}
