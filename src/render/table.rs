//! Aligned columns for listings. Every cell is outside text until it is escaped.

use super::escape::short;
use comfy_table::{ContentLineStyle, LineStyle, Table, TableStyle};

/// Bars between the cells and before the first one: no cell starts a line.
const BARS: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::new('|', '|', '|'))
    .header_separator(LineStyle::new('|', '-', '|', '|'))
    .content_lines(ContentLineStyle::new('|', '|', '|'));

/// A table with a line feed at its end. Each cell is escaped and stands on one line.
pub fn table(headers: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_style(BARS);
    table.set_header(headers.iter().map(|cell| short(cell)));
    for row in rows {
        table.add_row(row.iter().map(|cell| short(cell)));
    }
    format!("{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned_and_escaped() {
        let rows = [
            vec!["notes".to_owned(), "stdio".to_owned()],
            vec!["::error::x\n\u{1b}[8m".to_owned(), String::new()],
        ];
        assert_eq!(
            table(&["server", "transport"], &rows),
            "\
| server                | transport |
|-----------------------|-----------|
| notes                 | stdio     |
| ::error::x\\n\\u{1B}[8m |           |
"
        );
    }
}
