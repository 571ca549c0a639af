//! Makes the changes that need no decision.

use std::borrow::Cow;

use crate::diagnostic::apply_edits;
use crate::manifest::Manifest;

/// More passes than any line has faults that hide one another.
const PASSES: usize = 8;

/// Makes every mechanical change to a `SKILL.md` that its findings offer, until none is left.
///
/// Gives the new bytes (the same ones if there is nothing to do) and how many changes were made. A
/// file that cannot be read is left as it is.
pub fn fix(skill_md: &[u8]) -> (Cow<'_, [u8]>, usize) {
    let (mut bytes, mut made) = (Cow::Borrowed(skill_md), 0);
    for _ in 0..PASSES {
        // The name is never filled in from a hint: that is for a person to decide.
        let Ok((_, found)) = Manifest::read(&bytes, "") else { break };
        let edits = found.iter().filter(|found| found.code != "frontmatter-missing");
        let (changed, count) = apply_edits(&bytes, edits.filter_map(|found| found.edit.as_ref()));
        if count == 0 {
            break;
        }
        (bytes, made) = (Cow::Owned(changed), made + count);
    }
    (bytes, made)
}
