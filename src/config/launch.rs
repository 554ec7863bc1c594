//! From one entry to a server: its identity without secrets, its endpoint with them, and what is odd about it.
//!
//! The identity comes from the unexpanded text, so that it is the same on every machine and survives the
//! rotation of a credential. Nothing is started or reached here.

use super::entry::{Entry, Transport};
use super::expand::{Findings, Scope, Template, Values};
use super::sources::Source;
use super::spans::{self, Span};
use super::{http, stdio};
use crate::model::{Endpoint, Launch, Problem, ServerName, ServerSpec, SpecState, Warning};
use std::path::Path;

/// Turns an entry into a server.
pub(super) fn resolve(
    entry: Entry,
    origin: Option<&Path>,
    explicit: bool,
    source: &Source,
    scope: &Scope<'_>,
) -> ServerSpec {
    let mut findings = Findings::default();
    let mut launch = None;
    let carrier = entry.transport.as_ref().ok().map(Transport::carrier);
    let mut state = match entry.transport {
        Ok(transport) => {
            let (identity, endpoint) = transport.resolve(scope, &mut findings);
            launch = Some(identity);
            match all(std::mem::take(&mut findings.problems)) {
                None => SpecState::Ready(endpoint),
                Some(problem) => SpecState::Broken(problem),
            }
        }
        Err(problem) => SpecState::Broken(problem),
    };
    if let Some(problem) = launch
        .as_ref()
        .and_then(|launch| guard(&entry.name, launch))
    {
        state = SpecState::Broken(problem);
        launch = None;
    }
    let mut warnings = entry.warnings;
    warnings.append(&mut findings.warnings);
    if entry.disabled {
        // Nobody will start it: what it would need, or how it is read, is of no interest.
        state = SpecState::Disabled;
        warnings.clear();
    } else if let Some(reason) = launch.as_ref().and_then(super::floating::floating) {
        warnings.push(Warning::new("floating-version", reason));
    }
    warnings.dedup();
    let mut spec = ServerSpec {
        name: ServerName::new(entry.name),
        origin: origin.map(Path::to_owned),
        client: Some(source.client).filter(|client| !client.is_empty()),
        explicit,
        launch,
        state,
        credential: findings.credential,
        carrier,
        timeouts: entry.timeouts,
        secrets: findings.secrets,
        warnings,
    };
    redact(&mut spec);
    spec
}

/// What to say of an entry that starts our own guard: the server is the one behind it, whose launch is accepted, and
/// checking the guard would check the lockfile against itself.
fn guard(name: &str, launch: &Launch) -> Option<Problem> {
    let Launch::Stdio { command, args, .. } = launch else {
        return None;
    };
    let program = Path::new(command).file_stem()?;
    if program != "countersign" || args.first()? != "guard" {
        return None;
    }
    let after = |word: &str| {
        args.iter()
            .position(|arg| arg == word)
            .map(|at| &args[at + 1..])
    };
    let quoted = |words: &[String]| shlex::try_join(words.iter().map(String::as_str)).ok();
    let source = match (after("--config"), after("--")) {
        (Some([file, ..]), _) => quoted(&["--config".to_owned(), file.clone()]),
        (_, Some(words)) => quoted(
            &[
                &["--name".to_owned(), name.to_owned(), "--".to_owned()],
                words,
            ]
            .concat(),
        ),
        _ => None,
    };
    let message = format!(
        "`{name}` starts `countersign guard`: it is the server behind that guard which is checked"
    );
    let hint = format!(
        "countersign diff {}",
        source.unwrap_or_else(|| "--config FILE".to_owned())
    );
    Some(Problem::new("config", message).with_hint(hint))
}

/// Several problems as one: everything that has to be set is said at once.
fn all(problems: Vec<Problem>) -> Option<Problem> {
    let mut problems = problems.into_iter();
    let mut first = problems.next()?;
    let mut hints: Vec<String> = first.hint.take().into_iter().collect();
    for problem in problems {
        if !first.message.contains(&problem.message) {
            first.message.push_str("; ");
            first.message.push_str(&problem.message);
        }
        hints.extend(problem.hint.filter(|hint| !hints.contains(hint)));
    }
    first.hint = (!hints.is_empty()).then(|| hints.join("\n"));
    Some(first)
}

/// Field names are outside text too, and nothing forbids a secret in one place to stand in another.
fn redact(spec: &mut ServerSpec) {
    let secrets = &spec.secrets;
    if let SpecState::Broken(problem) = &mut spec.state {
        problem.message = secrets.redact(&problem.message);
    }
    for warning in &mut spec.warnings {
        warning.message = secrets.redact(&warning.message);
    }
}

impl Transport {
    fn resolve(self, scope: &Scope<'_>, findings: &mut Findings) -> (Launch, Endpoint) {
        match self {
            Self::Stdio(child) => stdio::resolve(child, scope, findings),
            Self::Http {
                field,
                url,
                headers,
                ..
            } => http::resolve(&field, &url, &headers, scope, findings),
        }
    }
}

/// The value of every span is a secret, in the form it is written in and, if it is escaped for a URL, without.
pub(super) fn keep_secret(
    template: &Template,
    values: &Values,
    spans: &[Span],
    findings: &mut Findings,
) {
    for span in spans {
        let value = values.fill(&template.masked()[span.range.clone()]);
        findings.secret(&span.name, &value);
        if value.contains('%') {
            let pair = format!("v={}", value.replace('+', "%2B").replace('&', "%26"));
            for (_, decoded) in url::form_urlencoded::parse(pair.as_bytes()) {
                findings.secret(&span.name, &decoded);
            }
        }
    }
}

/// A variable may bring a URL with userinfo along: all of it is a secret already, the parts become some too.
pub(super) fn keep_userinfo(expanded: &str, findings: &mut Findings) {
    let whole = Template::literal(expanded);
    let spans = spans::userinfo(whole.masked());
    keep_secret(&whole, &Values::default(), &spans, findings);
}
