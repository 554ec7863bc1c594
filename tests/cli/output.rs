//! What reaches a terminal or a log from outside is shown and never obeyed.

use crate::support::Sandbox;

#[test]
fn a_usage_error_does_not_obey_the_words_that_it_repeats() {
    let sandbox = Sandbox::new();
    let word = "x\u{1b}[31m\n::error::owned\r##[error]x\u{202e}";
    for args in [
        &[word][..],
        &[&format!("--{word}")],
        &["snapshot", "--timeout", word],
        &["diff", "--format", word],
        &["completions", word],
    ] {
        let said = sandbox.run(args).expect(2).stderr;
        let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!said.contains(obeyed) && !said.contains("##["), "{said:?}");
        assert!(
            !said.contains("\n::") && said.contains(r"\n::error"),
            "{said:?}"
        );
    }
}
