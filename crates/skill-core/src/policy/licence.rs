/// Whether a licence expression is met by a list of licence names: of what `OR` joins one is enough, of
/// what `AND` joins all are needed. Letter case does not count. Brackets are not read: such an
/// expression has to stand in the list as it is.
pub(super) fn allowed(expression: &str, list: &[String]) -> bool {
    let listed = |name: &str| list.iter().any(|one| one.eq_ignore_ascii_case(name.trim()));
    if listed(expression) {
        return true;
    }
    if expression.contains(['(', ')']) {
        return false;
    }
    let words: Vec<&str> = expression.split_whitespace().collect();
    let joined = |words: &[&str]| listed(&words.join(" "));
    words
        .split(|word| word.eq_ignore_ascii_case("or"))
        .any(|one| one.split(|word| word.eq_ignore_ascii_case("and")).all(joined))
}

#[cfg(test)]
mod tests {
    #[test]
    fn or_needs_one_and_needs_all() {
        let list = ["MIT".to_owned(), "Apache-2.0 WITH LLVM-exception".to_owned(), "BSD-3-Clause".to_owned()];
        let allowed = |text: &str| super::allowed(text, &list);
        assert!(allowed("mit"));
        assert!(allowed("MIT OR GPL-3.0-only"));
        assert!(allowed("MIT AND BSD-3-Clause"));
        assert!(allowed("Apache-2.0 WITH LLVM-exception"));
        assert!(!allowed("Apache-2.0"));
        assert!(!allowed("MIT AND GPL-3.0-only"));
        assert!(!allowed("(MIT)"));
        assert!(!allowed(""));
        assert!(allowed("MIT OR"));
        assert!(!allowed("or"));
    }
}
