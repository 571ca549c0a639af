use super::Found;

/// The comments above the first line of code: no quote can be open there.
pub(super) fn read(mark: &str, text: &str, found: &mut Found) -> Option<()> {
    let mut at = 0;
    let mut in_block = false;
    for whole in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}']) {
        let line = whole.trim();
        let start = at + (whole.len() - whole.trim_start().len());
        at += whole.len();
        found.steps += whole.len();
        // Java reads `\u000a` as the end of a line, wherever it stands.
        if line.contains("\\u") {
            return None;
        }
        let block = in_block || (mark == "//" && line.starts_with("/*"));
        if block {
            let inside = if in_block { line } else { &line[2..] };
            match inside.split_once("*/") {
                None => in_block = true,
                Some((_, "")) => in_block = false,
                Some(_) => return None,
            }
        } else if line.is_empty() || (line.starts_with("#!") && start == 0) {
            continue;
        } else if !line.starts_with(mark) || line.starts_with("--[") {
            return None;
        }
        found.push(start..start + line.len(), true);
    }
    Some(())
}
