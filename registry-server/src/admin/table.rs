/// A table for people: columns padded with blanks, a head if there are two rows or more.
pub(super) fn table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let head = head.map(str::to_owned);
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
