//! What the skill says that it requires.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, rules};
use crate::frontmatter::node::Pair;
use crate::name::{SkillName, Slug};
use crate::requirement::Requirement;

use super::named::Named;
use super::programs::alike;
use super::source::Language;
use super::value::pair_named;
use super::{Family, Findings, Skill, words};

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

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let mut places = HashMap::new();
    of_skills(&skill.frontmatter.tree, &mut places);
    for (name, requirement) in &skill.manifest.requires.skills {
        let place = || places.get(name.as_str()).copied();
        if name.parse::<SkillName>().is_err() && name.parse::<Slug>().is_err() {
            let message = format!("`{name}` is no skill: owner/slug or slug");
            found.push(skill.at_key(Diagnostic::new(&REQUIRES_NAME, message), place()));
        }
        if let Err(error) = Requirement::parse(requirement) {
            let message = format!("{name}: {error}");
            found.push(skill.at_key(Diagnostic::new(&REQUIRES_VERSION, message), place()));
        }
    }
    let requires = &skill.manifest.requires;
    let wanted = requires.bins.iter().chain(&requires.env).map(String::as_str);
    let named = Named::of(skill, wanted.flat_map(|name| [name, alike(name)]));
    unused(skill, "bins", &requires.bins, |name| names_program(skill, &named, name), found);
    unused(skill, "env", &requires.env, |name| named.holds(name), found);
}

/// One finding for each of the lists of `requires`.
fn unused(
    skill: &Skill<'_>,
    key: &str,
    declared: &[String],
    used: impl Fn(&str) -> bool,
    found: &mut Findings,
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
fn names_program(skill: &Skill<'_>, named: &Named, name: &str) -> bool {
    let language = match alike(name) {
        "python" => Some(Language::Python),
        "node" => Some(Language::Node),
        "bash" | "sh" => Some(Language::Shell),
        _ => None,
    };
    named.holds(name)
        || named.holds(alike(name))
        || language.is_some() && skill.scripts.iter().any(|script| Some(script.language) == language)
}

/// The pairs of required skills by their names: below `skills`, wherever in the frontmatter that stands.
fn of_skills<'a>(pairs: &'a [Pair], places: &mut HashMap<&'a str, &'a Pair>) {
    for pair in pairs {
        if pair.key == "skills" {
            // Of a key that stands twice the last one counts.
            for skill in pair.value.pairs().iter().rev() {
                places.entry(&skill.key).or_insert(skill);
            }
        }
        of_skills(pair.value.pairs(), places);
    }
}
