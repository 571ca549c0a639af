//! What is left of a name for an eye that passes over it.

/// One text for all names that look alike: one letter for those that are read for each other, and one for
/// several of the same. `name` has no hyphens.
pub(super) fn of(name: &str) -> String {
    let letters: Vec<char> = name.chars().map(letter).collect();
    let mut skeleton = String::with_capacity(letters.len());
    let mut rest = letters.as_slice();
    while let [first, behind @ ..] = rest {
        let (seen, taken) = match (first, behind.first()) {
            ('r', Some('n')) => ('m', 2),
            ('v', Some('v')) => ('w', 2),
            ('c', Some('l')) => ('d', 2),
            _ => (*first, 1),
        };
        if !skeleton.ends_with(seen) {
            skeleton.push(seen);
        }
        rest = &rest[taken..];
    }
    skeleton
}

const fn letter(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | 'i' => 'l',
        '2' => 'z',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '8' => 'b',
        '9' => 'g',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn one_skeleton_for_what_looks_alike() {
        for (one, other) in [
            ("github", "g1thub"),
            ("modern", "modem"),
            ("vvhisper", "whisper"),
            ("clocker", "docker"),
            ("gitthub", "github"),
            ("5l4ck", "slack"),
        ] {
            assert_eq!(of(one), of(other), "{one} {other}");
        }
        assert_ne!(of("github"), of("gitlab"));
    }
}
