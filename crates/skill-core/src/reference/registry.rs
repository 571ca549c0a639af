//! `slug`, `owner/slug`, `@owner/slug`, each with `@REQ`.

use super::{ReferenceError, RegistryRef};
use crate::requirement::{RequirementWarning, Selector};

const SHAPE: &str = "a reference: owner/slug, a slug, a path like ./X, or a URL";
const SLUG: &str = "a slug: a-z, 0-9 and single hyphens between them, 1 to 96 characters";
const OWNER: &str = "an owner: a-z, 0-9, with - and _ inside, 1 to 40 characters";

pub(super) fn registry_ref(text: &str) -> Result<(RegistryRef, Option<RequirementWarning>), ReferenceError> {
    let (name, selector) = match text.rfind('@') {
        Some(at) if at > 0 => (&text[..at], Some(&text[at + 1..])),
        _ => (text, None),
    };
    let (owner, slug, slug_at) = match name.split_once('/') {
        Some((owner, slug)) => {
            let at = usize::from(owner.starts_with('@'));
            (Some((&owner[at..], at)), slug, owner.len() + 1)
        }
        None => (None, name, 0),
    };
    let owner = owner
        .map(|(owner, at)| {
            let allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-' | '_');
            owner.parse().map_err(|_| unreadable(text, owner, at, allowed, OWNER))
        })
        .transpose()?;
    let slug = slug.parse().map_err(|_| {
        let allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-');
        unreadable(text, slug, slug_at, allowed, SLUG)
    })?;
    let (selector, warning) = match selector.map(Selector::parse).transpose()? {
        Some((selector, warning)) => (Some(selector), warning),
        None => (None, None),
    };
    Ok((RegistryRef { owner, slug, selector }, warning))
}

/// The caret stands under the first character that cannot be there, else under the part.
fn unreadable(
    text: &str,
    part: &str,
    part_at: usize,
    allowed: impl Fn(char) -> bool,
    wanted: &'static str,
) -> ReferenceError {
    match part.char_indices().find(|&(_, c)| !allowed(c)) {
        Some((offset, c)) if !c.is_ascii_uppercase() => {
            ReferenceError::unreadable(text, part_at + offset, SHAPE)
        }
        Some((offset, _)) => ReferenceError::unreadable(text, part_at + offset, wanted),
        None => ReferenceError::unreadable(text, part_at, wanted),
    }
}
