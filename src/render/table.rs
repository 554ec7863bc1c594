//! Aligned columns for listings. Every cell is outside text until it is escaped.

use super::escape::short;
use comfy_table::{ContentArrangement, ContentLineStyle, LineStyle, Table, TableStyle};

/// Bars between the cells and before the first one: no cell starts a line.
const BARS: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::new('|', '|', '|'))
    .header_separator(LineStyle::new('|', '-', '|', '|'))
    .content_lines(ContentLineStyle::new('|', '|', '|'));

/// A table with a line feed at its end, at most `width` columns wide as long as every cell can be wrapped. Each cell
/// is escaped; where one is wrapped, its lines stand between bars too.
pub fn table(headers: &[&str], rows: &[Vec<String>], width: u16) -> String {
    let mut table = Table::new();
    table.load_style(BARS);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(width);
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
            table(&["server", "transport"], &rows, 80),
            "\
| server                | transport |
|-----------------------|-----------|
| notes                 | stdio     |
| ::error::x\\n\\u{1B}[8m |           |
"
        );
    }

    #[test]
    fn a_long_cell_is_wrapped_between_bars() {
        let rows = [vec!["a".to_owned(), "word ".repeat(30) + &"x".repeat(90)]];
        let shown = table(&["server", "launch"], &rows, 40);
        for line in shown.lines() {
            assert!(line.starts_with('|') && line.ends_with('|'), "{line}");
            assert_eq!(line.chars().count(), 40, "{line}");
        }
        assert_eq!(shown.matches('x').count(), 90);
    }
}
