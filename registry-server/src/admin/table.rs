use skill_core::hidden::Hidden;

/// A table for people: columns padded with blanks, a head if there are two rows or more.
pub(super) fn table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let head = head.map(str::to_owned);
    let rows = &rows.iter().map(|row| row.each_ref().map(|cell| visible(cell))).collect::<Vec<_>>()[..];
    let lines = if rows.len() > 1 { std::slice::from_ref(&head) } else { &[] };
    let all = || lines.iter().chain(rows);
    let mut text = String::new();
    for row in all() {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = all().map(|row| row[column].chars().count()).max().unwrap_or_default();
            line.push_str(cell);
            let padding = width - cell.chars().count() + 2;
            line.extend(std::iter::repeat_n(' ', padding));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A text of somebody else's in which nothing moves the cursor, ends the line or is not seen.
fn visible(text: &str) -> String {
    let shown = |c: char| {
        let is_hidden = c.is_control() || Hidden::of(c).is_some();
        if is_hidden { c.escape_unicode().to_string() } else { c.to_string() }
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_cell_moves_the_cursor_or_makes_a_row() {
        let shown = table(["label"], &[["a\u{202e}\u{1b}[31mb\nc\td é".to_owned()]]);
        assert_eq!(shown, "a\\u{202e}\\u{1b}[31mb\\u{a}c\\u{9}d é\n");
    }
}
