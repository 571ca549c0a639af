//! Words that make another name of the same thing.

/// Words that say little about what a skill does. Lists of packages are full of names that were made by putting one
/// of them before or behind a known one.
const AFFIXES: [&str; 31] = [
    "skill", "skills", "agent", "agents", "cli", "tool", "tools", "helper", "pro", "plus", "ai", "bot",
    "mcp", "app", "the", "my", "new", "x", "js", "py", "api", "v1", "v2", "2", "official", "real",
    "original", "dev", "core", "lib", "plugin",
];

/// The name without such words at its ends and without hyphens; the whole name if nothing else is left.
pub(super) fn without(slug: &str) -> String {
    let words: Vec<&str> = slug.split('-').collect();
    let mut rest = words.as_slice();
    while let [first, behind @ ..] = rest
        && AFFIXES.contains(first)
    {
        rest = behind;
    }
    while let [before @ .., last] = rest
        && AFFIXES.contains(last)
    {
        rest = before;
    }
    if rest.is_empty() { words.concat() } else { rest.concat() }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn words_at_the_ends_go_others_stay() {
        assert_eq!(without("my-github-cli-pro"), "github");
        assert_eq!(without("the-tool"), "thetool");
        assert_eq!(without("agent-of-the-sea"), "ofthesea");
        assert_eq!(without("git-hub-skill"), "github");
    }
}
