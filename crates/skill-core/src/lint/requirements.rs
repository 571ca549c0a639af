//! What the skill says that it requires.

use crate::diagnostic::{Diagnostic, rules};
use crate::frontmatter::node::Pair;
use crate::name::{SkillName, Slug};
use crate::requirement::Requirement;

use super::programs::alike;
use super::source::Language;
use super::value::pair_named;
use super::{Family, Skill, words};

pub(super) const FAMILY: Family = Family { title: "Requirements", rules: RULES, check };

rules! {
    pub(super) static RULES;

    REQUIRES_NAME Error "requires-skill-name"
        "a required skill is neither owner/slug nor a slug"
        why "Nothing can be installed under such a name."
        fix "Write it as `owner/slug`."
        source "docs/FORMAT.md, names";
    REQUIRES_VERSION Error "requires-skill-version"
        "the version requirement of a required skill cannot be read"
        why "No release can be chosen for it."
        fix "Write a number, `^`, `~`, `=`, a range like `>=1.2 <2`, or `*`."
        source "docs/FORMAT.md, requirements";
    REQUIRES_UNUSED Note "requires-unused"
        "a program or variable is required and nothing in the skill names it"
        why "Agents do not offer the skill where it is missing, although nothing needs it."
        fix "Remove it from `requires`, or say in the instructions what it is for."
        source "this project";
}

fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    for (name, requirement) in &skill.manifest.requires.skills {
        let pair = place(&skill.frontmatter.tree, name);
        if name.parse::<SkillName>().is_err() && name.parse::<Slug>().is_err() {
            let message = format!("`{name}` is no skill: owner/slug or slug");
            found.push(skill.at_key(Diagnostic::new(&REQUIRES_NAME, message), pair));
        }
        if let Err(error) = Requirement::parse(requirement) {
            let message = format!("{name}: {error}");
            found.push(skill.at_key(Diagnostic::new(&REQUIRES_VERSION, message), pair));
        }
    }
    let requires = &skill.manifest.requires;
    unused(skill, "bins", &requires.bins, |name| names_program(skill, name), found);
    unused(skill, "env", &requires.env, |name| is_named(skill, name), found);
}

/// One finding for each of the lists of `requires`.
fn unused(
    skill: &Skill<'_>,
    key: &str,
    declared: &[String],
    used: impl Fn(&str) -> bool,
    found: &mut Vec<Diagnostic>,
) {
    let idle: Vec<&str> = declared.iter().map(String::as_str).filter(|name| !used(name)).collect();
    if idle.is_empty() {
        return;
    }
    let be = if idle.len() == 1 { "is" } else { "are" };
    let message = format!("{} {be} required and nothing in the skill names it", words::listed(&idle));
    let message = if idle.len() == 1 { message } else { message.replace("names it", "names them") };
    let requires = pair_named(&skill.frontmatter.tree, "requires");
    let pair = requires.and_then(|requires| pair_named(requires.value.pairs(), key)).or(requires);
    found.push(skill.at_key(Diagnostic::new(&REQUIRES_UNUSED, message), pair));
}

/// Whether a program is named anywhere, or has scripts to run.
fn names_program(skill: &Skill<'_>, name: &str) -> bool {
    let language = match alike(name) {
        "python" => Some(Language::Python),
        "node" => Some(Language::Node),
        "bash" | "sh" => Some(Language::Shell),
        _ => None,
    };
    is_named(skill, name)
        || is_named(skill, alike(name))
        || language.is_some() && skill.scripts.iter().any(|script| Some(script.language) == language)
}

/// Whether the instructions or any other text of the bundle hold a word.
fn is_named(skill: &Skill<'_>, name: &str) -> bool {
    let wanted = name.to_lowercase();
    let others =
        skill.input.files.iter().filter(|file| !super::is_skill_md(file)).filter_map(super::LintFile::text);
    std::iter::once(skill.body).chain(others).any(|text| words::find(&text.to_lowercase(), &wanted).is_some())
}

/// The pair of a required skill: below `skills`, wherever in the frontmatter that stands.
fn place<'a>(pairs: &'a [Pair], name: &str) -> Option<&'a Pair> {
    pairs.iter().find_map(|pair| {
        let here = (pair.key == "skills").then(|| pair.value.get(name)).flatten();
        here.or_else(|| place(pair.value.pairs(), name))
    })
}
