//! Every format, of a report that two lists of tools make.

use super::compare::{catalogue, compared};
use super::halves;
use crate::model::Problem;
use crate::render::{Format, Style, What, report};
use crate::report::Report;
use crate::text::hidden::hidden;

/// Compares two lists of tools, which the byte 0xFF parts, and renders what came out in every format: each is
/// well-formed by an independent reader, and shows nothing that is hidden.
///
/// # Panics
/// Where one is not, or does.
pub fn render(data: &[u8]) {
    let (before, after) = halves(data);
    let (Some(before), Some(after)) = (catalogue(before), catalogue(after)) else {
        return;
    };
    let mut server = compared(&before, &after);
    let last = String::from_utf8_lossy(&data[data.len().saturating_sub(40)..]);
    server.error = Some(Problem::new("start", last.clone()).with_hint(last));
    let found = Report {
        servers: vec![server],
        ..Report::default()
    };
    for format in Format::ALL {
        let style = Style {
            color: data.len().is_multiple_of(2),
            width: Some(80),
            what: What::Files,
            ..Style::default()
        };
        let text = report(&found, format, &style);
        if format == Format::Text {
            let plain = text.replace("\u{1b}[", "");
            assert!(hidden(&plain).is_empty() && !plain.contains(['\t', '\r', '\u{1b}']));
        } else {
            assert!(hidden(&text).is_empty(), "{format:?}");
        }
        match format {
            Format::Json | Format::Sarif | Format::Gitlab => {
                let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                assert!(read.is_object() || read.is_array());
            }
            Format::Html | Format::Junit => well_formed(&text),
            Format::Text | Format::Markdown | Format::Github => {}
        }
    }
}

fn well_formed(text: &str) {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let tree = roxmltree::Document::parse_with_options(text, options).expect("well-formed XML");
    let acts = |node: roxmltree::Node<'_, '_>| node.has_tag_name("script") || node.is_comment();
    assert!(!tree.descendants().any(acts), "a script");
}
