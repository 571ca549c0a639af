//! The name: its letters, and the folder's.

use icu_normalizer::ComposingNormalizerBorrowed;

use crate::diagnostic::{Diagnostic, rules};
use crate::name::Slug;

use super::{Family, Findings, Skill};

pub(super) const FAMILY: Family = Family { title: "Name", rules: RULES, check };

rules! {
    pub(super) static RULES;

    NAME_CHARSET Warning "name-charset"
        "the name is a display name: not lower-case letters, digits and single hyphens"
        why "Clients use the name as an identifier and as a folder; many refuse anything else."
        fix "Write the shown name; what people are to read belongs into the heading."
        source "Agent Skills specification, `name`";
    FRONTMATTER_NAME Warning "frontmatter-name-differs"
        "the name is not the folder's"
        why "The specification wants both to be equal, and clients that follow it refuse the skill."
        fix "Give the folder the skill's name, or the skill the folder's."
        source "Agent Skills specification, `name`";
}

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let Some(pair) = skill.frontmatter.top("name") else { return };
    let name = &skill.manifest.name;
    let slug = Slug::slugify(name).map(|slug| slug.to_string());
    if !follows_the_spec(name) {
        let message = format!(
            "`{name}` is read as a display name; a name has lower-case letters, digits and single hyphens"
        );
        let said = skill.at_key(Diagnostic::new(&NAME_CHARSET, message), Some(pair));
        found.push(match &slug {
            Some(slug) => said.fix(format!("name: {slug}")),
            None => said,
        });
    }
    let Some(folder) = skill.input.folder else { return };
    // A folder like `4.0.0` or `My Skill` can be no name: only the letter of the specification is broken.
    let fits = follows_the_spec(folder);
    if normal(folder) != normal(name) && slug.as_deref() != Some(folder) && (fits || skill.input.strict) {
        let message = format!("the name is {name}, the folder is {folder}");
        let said = skill.at_key(Diagnostic::new(&FRONTMATTER_NAME, message), Some(pair));
        found.push(if fits { said.fix(format!("name: {folder}")) } else { said });
    }
}

/// The grammar of the Agent Skills specification as its reference validator reads it: letters and
/// digits of any script that are their own lower case, single hyphens between them, after NFKC.
fn follows_the_spec(name: &str) -> bool {
    normal(name).split('-').all(|part| {
        !part.is_empty()
            && part.chars().all(|c| c.is_alphanumeric() && c.to_lowercase().eq(std::iter::once(c)))
    })
}

fn normal(name: &str) -> String {
    ComposingNormalizerBorrowed::new_nfkc().normalize(name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_specification() {
        for good in ["a", "pdf-processing", "0", "名称", "größe", "ﬁle"] {
            assert!(follows_the_spec(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "PDF", "a_b", "a b", "ce:brainstorm", "../evil"] {
            assert!(!follows_the_spec(bad), "{bad}");
        }
    }
}
