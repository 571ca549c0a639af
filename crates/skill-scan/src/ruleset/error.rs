/// Why a file of rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RuleError {
    /// Not TOML of the shape.
    #[error("rules: {0}")]
    Toml(#[source] toml::de::Error),
    /// A pattern names a fragment that is not there.
    #[error("rule {rule}: no fragment `{fragment}`")]
    Fragment {
        /// Which rule or fragment.
        rule: String,
        /// What it names.
        fragment: String,
    },
    /// The anchors cannot be searched for.
    #[error("rule {rule}: anchors: {error}")]
    Anchors {
        /// Which rule.
        rule: String,
        /// What is wrong with them.
        error: aho_corasick::BuildError,
    },
    /// A range of code points does not read.
    #[error("class {class}: `{text}` is no range of code points")]
    Range {
        /// Which class.
        class: String,
        /// What was read.
        text: String,
    },
}
