//! Texts with `${…}` in them: taken apart once, then shown as written or filled with values.
//!
//! A text is kept with each variable masked by a marker, so that splitting it and looking for secrets in it
//! never cut a variable in two. Nothing that looks like `${…}` is ever passed on literally.

use super::environment::Environment;
use super::looks;
use super::spans::Span;
use super::syntax::{Bracket, Syntax, UNKNOWN};
use super::variable::{Variable, name_length};
use crate::model::{Problem, Warning};
use crate::secret::Secrets;
use std::collections::BTreeMap;
use std::path::Path;

/// What stands in an identity where a literal secret stood.
pub(super) const REDACTED: &str = "${redacted}";

/// A text of a configuration.
#[derive(Clone)]
pub(super) struct Template {
    /// The text with each variable as its number between two NUL characters.
    masked: String,
    variables: Vec<Variable>,
}

/// Where variables get their values.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) env: &'a Environment,
    pub(super) workspace: &'a Path,
    /// The folder that relative paths to other files are relative to.
    pub(super) folder: &'a Path,
    /// The inputs that the configuration declares: id and description.
    pub(super) inputs: &'a BTreeMap<String, String>,
}

/// What came to light while a server's entry was expanded.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) problems: Vec<Problem>,
    pub(super) warnings: Vec<Warning>,
    pub(super) secrets: Secrets,
    /// As [`crate::model::ServerSpec::credential`].
    pub(super) credential: BTreeMap<String, Vec<String>>,
}

impl Findings {
    pub(super) fn problem(&mut self, message: String) {
        self.problems.push(Problem::new("config", message));
    }

    /// Keeps a value out of every output, unless it is a word that cannot be a secret and stands everywhere.
    pub(super) fn secret(&mut self, name: &str, value: &str) {
        if !looks::is_everyday(value) {
            self.secrets.add(name, value);
        }
    }
}

/// The values of a template's variables.
#[derive(Default)]
pub(super) struct Values(Vec<String>);

impl Values {
    /// A piece of the template's masked text, with each marker replaced.
    pub(super) fn fill(&self, piece: &str) -> String {
        fill(piece, |index| self.0.get(index).cloned())
    }
}

impl Template {
    /// A text in which nothing is expanded.
    pub(super) fn literal(text: &str) -> Self {
        Self {
            masked: text.replace('\0', "\u{FFFD}"),
            variables: Vec::new(),
        }
    }

    /// The value of one variable of this environment, as a configuration names it without any spelling.
    pub(super) fn variable(name: &str) -> Self {
        Self {
            masked: "\u{0}0\u{0}".to_owned(),
            variables: vec![Variable::named(name)],
        }
    }

    /// Takes a text apart.
    pub(super) fn parse(text: &str, syntax: Syntax) -> Self {
        let mut out = Self::literal("");
        let mut rest = text;
        while let Some((at, bracket)) = opening(rest, syntax) {
            out.masked.push_str(&rest[..at].replace('\0', "\u{FFFD}"));
            let number = out.variables.len().to_string();
            out.masked.extend(["\0", &number, "\0"]);
            let inside = &rest[at + bracket.open.len()..];
            let (body, after) = if bracket.close.is_empty() {
                let (name, after) = inside.split_at(name_length(inside));
                (name, Some(after))
            } else {
                inside
                    .split_once(bracket.close)
                    .map_or((inside, None), |(body, after)| (body, Some(after)))
            };
            let variable = Variable::parse(body, bracket.forms, after.is_some(), syntax);
            out.variables.push(variable);
            rest = after.unwrap_or_default();
        }
        out.masked.push_str(&rest.replace('\0', "\u{FFFD}"));
        out
    }

    /// The text with markers for variables, for looking at its literal parts.
    pub(super) fn masked(&self) -> &str {
        &self.masked
    }

    /// The same variables in another masked text, a piece of this one.
    pub(super) fn with_masked(&self, masked: String) -> Self {
        Self {
            masked,
            variables: self.variables.clone(),
        }
    }

    /// Whether a piece of the masked text is made of variables alone.
    fn only_variables(piece: &str) -> bool {
        piece.split('\0').step_by(2).all(str::is_empty)
    }

    /// The text as the configuration has it, without the literal secrets that stand in the spans or in defaults.
    pub(super) fn written(&self, spans: &[Span]) -> String {
        let mut out = String::new();
        let mut at = 0;
        for span in spans {
            out.push_str(&self.fill(&self.masked[at..span.range.start], |v| v.written(false)));
            let inside = &self.masked[span.range.clone()];
            if Self::only_variables(inside) {
                out.push_str(&self.fill(inside, |v| v.written(true)));
            } else {
                out.push_str(REDACTED);
            }
            at = span.range.end;
        }
        out.push_str(&self.fill(&self.masked[at..], |v| v.written(false)));
        out
    }

    /// Looks the variables up. What is missing becomes a problem that names the field, and an empty value.
    pub(super) fn values(&self, field: &str, scope: &Scope<'_>, findings: &mut Findings) -> Values {
        let look_up = |variable: &Variable| variable.value(field, scope, findings);
        Values(self.variables.iter().map(look_up).collect())
    }

    /// The whole text, filled with the values.
    pub(super) fn filled(&self, values: &Values) -> String {
        values.fill(&self.masked)
    }

    /// The variables in it, as they are written, without the literal secrets of defaults.
    pub(super) fn variables(&self) -> Vec<String> {
        let numbers = self.masked.split('\0').skip(1).step_by(2);
        let numbers = numbers.filter_map(|number| number.parse::<usize>().ok());
        let variables = numbers.filter_map(|number| self.variables.get(number));
        variables.map(|variable| variable.written(true)).collect()
    }

    fn fill(&self, piece: &str, text: impl Fn(&Variable) -> String) -> String {
        fill(piece, |index| self.variables.get(index).map(&text))
    }
}

/// The first place where a variable begins, and the longest bracket that fits there.
fn opening(text: &str, syntax: Syntax) -> Option<(usize, &'static Bracket)> {
    let brackets = syntax.0.iter().chain([&UNKNOWN]);
    let places = brackets.filter_map(|bracket| {
        let mut places = text.match_indices(bracket.open);
        let (at, _) = places.find(|(at, _)| {
            !bracket.close.is_empty() || name_length(&text[at + bracket.open.len()..]) > 0
        })?;
        Some((at, bracket))
    });
    // Of two that are equal the client's own one comes first.
    places.min_by_key(|(at, bracket)| (*at, std::cmp::Reverse(bracket.open.len())))
}

/// Every second piece between NUL characters is a variable's number.
fn fill(piece: &str, text: impl Fn(usize) -> Option<String>) -> String {
    let mut out = String::new();
    for (position, part) in piece.split('\0').enumerate() {
        if position % 2 == 0 {
            out.push_str(part);
        } else if let Some(text) = part.parse().ok().and_then(&text) {
            out.push_str(&text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::environment::tests::surroundings;
    use super::*;

    fn expand(text: &str, vars: &[(&str, &str)]) -> (String, Findings) {
        expand_as(text, Syntax::SHARED, vars)
    }

    fn expand_as(text: &str, syntax: Syntax, vars: &[(&str, &str)]) -> (String, Findings) {
        let env = surroundings(vars);
        let inputs = [("my-key".to_owned(), "Key for notes".to_owned())].into();
        let scope = Scope {
            env: &env,
            workspace: Path::new("/home/ada/project"),
            folder: Path::new("/home/ada/project"),
            inputs: &inputs,
        };
        let mut findings = Findings::default();
        let template = Template::parse(text, syntax);
        let values = template.values("args[0]", &scope, &mut findings);
        (template.filled(&values), findings)
    }

    #[test]
    fn every_known_form_is_expanded_and_the_rest_stays() {
        let vars = [
            ("A", "va"),
            ("EMPTY", ""),
            ("COUNTERSIGN_INPUT_MY_KEY", "vk"),
        ];
        for (text, expanded) in [
            ("", ""),
            ("plain $A {A} $", "plain $A {A} $"),
            ("${A}", "va"),
            ("x${A}y${env:A}z", "xvayvaz"),
            ("${A:-d}", "va"),
            ("${B:-d e}", "d e"),
            ("${B:-}", ""),
            ("${env:B:-http://h/}", "http://h/"),
            ("${EMPTY:-d}", "d"),
            ("${input:my-key}", "vk"),
            ("${workspaceFolder}/x", "/home/ada/project/x"),
            ("${workspaceFolderBasename}", "project"),
            ("${userHome}${pathSeparator}x${/}y", "/home/ada/x/y"),
        ] {
            let (out, findings) = expand(text, &vars);
            assert_eq!(out, expanded, "{text}");
            assert!(findings.problems.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_value_is_never_expanded_again() {
        assert_eq!(expand("${A}", &[("A", "${B}"), ("B", "b")]).0, "${B}");
    }

    #[test]
    fn an_unset_variable_names_field_and_variable_and_how_to_set_it() {
        let (_, findings) = expand("${A} ${env:B}", &[]);
        let problem = &findings.problems[0];
        assert_eq!(
            problem.message,
            "`args[0]` needs the variable `A`, which is not set"
        );
        assert_eq!(problem.hint.as_deref(), Some("export A=…"));
        assert_eq!(findings.problems.len(), 2);
    }

    #[test]
    fn a_missing_input_is_named_with_its_description() {
        let (_, findings) = expand("${input:my-key}", &[]);
        let problem = &findings.problems[0];
        assert_eq!(
            problem.message,
            "`args[0]` needs the input `my-key` (Key for notes): `COUNTERSIGN_INPUT_MY_KEY` is not set"
        );
        assert_eq!(
            problem.hint.as_deref(),
            Some("export COUNTERSIGN_INPUT_MY_KEY=…")
        );
    }

    #[test]
    fn an_empty_variable_is_a_warning() {
        let (out, findings) = expand("a${E}b", &[("E", "")]);
        assert_eq!(out, "ab");
        assert_eq!(findings.warnings[0].rule, "empty-variable");
        assert!(findings.warnings[0].message.contains("`E`"));
    }

    #[test]
    fn an_unknown_form_is_a_problem_and_shows_no_value() {
        for text in [
            "${config:x.y}",
            "${A:=hunter2-value}",
            "${A-hunter2-value}",
            "${A:-${B}}",
            "${}",
            "${A",
            "${{ secrets.X }}",
            "${1}",
            "${file:/etc/x}",
            "${env:}",
        ] {
            let (_, findings) = expand(text, &[("A", "a"), ("B", "b")]);
            let problem = &findings.problems[0];
            assert!(problem.message.contains("not known"), "{text}");
            assert!(!problem.message.contains("hunter2"), "{text}");
        }
    }

    #[test]
    fn each_client_expands_its_own_forms_and_passes_on_no_other() {
        const REFUSED: Option<&str> = None;
        for (syntax, text, expanded) in [
            (Syntax::NONE, "$A {env:A} %A%", Some("$A {env:A} %A%")),
            (Syntax::NONE, "${A}", REFUSED),
            (Syntax::CLAUDE, "${A} ${B:-b} $A", Some("va b $A")),
            (Syntax::CLAUDE, "${env:A}", REFUSED),
            (Syntax::CLAUDE, "${workspaceFolder}", REFUSED),
            (Syntax::CLAUDE, "${B}", REFUSED),
            (
                Syntax::VS_CODE,
                "${env:A} ${input:my-key} ${userHome}",
                Some("va vk /home/ada"),
            ),
            (Syntax::VS_CODE, "${A}", REFUSED),
            (
                Syntax::CURSOR,
                "${env:A} ${workspaceFolderBasename}",
                Some("va project"),
            ),
            (Syntax::CURSOR, "${input:my-key}", REFUSED),
            (Syntax::WINDSURF, "x${env:A} $A", Some("xva $A")),
            (Syntax::WINDSURF, "${file:/gone/file}", REFUSED),
            (Syntax::GEMINI, "$A/${A}$ $5 a$A.b", Some("va/va$ $5 ava.b")),
            (Syntax::GEMINI, "${A:-d}", REFUSED),
            (Syntax::GEMINI, "$NOT_SET", REFUSED),
            (Syntax::KIRO, "${A} $A", Some("va $A")),
            (Syntax::KIRO, "${env:A}", REFUSED),
            (
                Syntax::CONTINUE,
                "${{ secrets.A }}${{secrets.A}}",
                Some("vava"),
            ),
            (Syntax::CONTINUE, "${{ inputs.A }}", REFUSED),
            (Syntax::CONTINUE, "${{ secrets.A }", REFUSED),
            (Syntax::CONTINUE, "${A}", REFUSED),
            (
                Syntax::OPENCODE,
                "{env:A} {\"a\": 1}",
                Some("va {\"a\": 1}"),
            ),
            (Syntax::OPENCODE, "{env:A", REFUSED),
            (Syntax::OPENCODE, "{file:/gone/file}", REFUSED),
            (Syntax::OPENCODE, "${A}", REFUSED),
        ] {
            let vars = [("A", "va"), ("COUNTERSIGN_INPUT_MY_KEY", "vk")];
            let (out, findings) = expand_as(text, syntax, &vars);
            let found = findings.problems.is_empty().then_some(out.as_str());
            assert_eq!(found, expanded, "{text}");
        }
    }

    #[test]
    fn what_is_refused_comes_with_what_the_client_knows() {
        let hint = |syntax| {
            let (_, findings) = expand_as("${x.y}", syntax, &[]);
            findings.problems[0].hint.clone().unwrap_or_default()
        };
        assert_eq!(hint(Syntax::GEMINI), "known are ${VAR}, $VAR");
        assert_eq!(hint(Syntax::CONTINUE), "known are ${{ secrets.VAR }}");
        assert!(hint(Syntax::NONE).contains("expands no variable"));
    }

    #[test]
    fn a_file_s_text_is_a_secret_and_its_path_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        std::fs::write(&path, " hunter2-value\n").expect("written");
        let text = format!("${{file:{}}}", path.display());
        let (out, findings) = expand_as(&text, Syntax::WINDSURF, &[]);
        assert_eq!(out, "hunter2-value");
        assert_eq!(
            findings.secrets.redact("x hunter2-value"),
            format!("x {text}")
        );
        assert_eq!(Template::parse(&text, Syntax::WINDSURF).written(&[]), text);
    }

    #[test]
    fn braces_are_expanded_only_where_the_client_does() {
        let template = Template::parse("{env:A}-{x}", Syntax::OPENCODE);
        assert_eq!(template.written(&[]), "${A}-{x}");
        let template = Template::parse("{env:A}", Syntax::SHARED);
        assert_eq!(template.written(&[]), "{env:A}");
    }

    #[test]
    fn values_are_secrets_and_plain_defaults_are_not() {
        let (_, findings) = expand("${A} ${B:-plain}", &[("A", "hunter2-value")]);
        assert_eq!(findings.secrets.redact("hunter2-value plain"), "${A} plain");
    }

    #[test]
    fn a_default_that_is_a_secret_is_not_written() {
        let text = "${A:-plain} ${B:-postgres://u:hunter2@h/db}";
        let template = Template::parse(text, Syntax::SHARED);
        assert_eq!(template.written(&[]), "${A:-plain} ${B:-${redacted}}");
        let template = Template::parse("${A:-hunter2}", Syntax::SHARED);
        let span = Span::new(0..template.masked().len(), "key");
        assert_eq!(template.written(&[span]), "${A:-${redacted}}");
    }

    proptest::proptest! {
        #[test]
        fn a_text_without_variables_is_written_and_filled_as_it_is(text in "[^\0{]{0,40}") {
            let template = Template::parse(&text, Syntax::OPENCODE);
            assert_eq!(template.written(&[]), text);
            assert_eq!(template.filled(&Values::default()), text);
        }

        #[test]
        fn no_text_gets_past_expansion_with_an_opening_brace(text in "(\\$|\\{|\\}|\0|A|:-|é|env:|input:|[0-9]){0,12}") {
            let (out, findings) = expand(&text, &[("A", "a")]);
            let is_default_or_literal = !out.contains("${");
            assert!(is_default_or_literal || !findings.problems.is_empty(), "{text:?} {out:?}");
        }
    }
}
