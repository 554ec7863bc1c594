//! `login` and `logout`: the only commands that take part in a sign-in. What a sign-in gives is kept for the checks
//! to come, which ask nobody.

use super::world::World;
use super::{Output, browser, credential, talk};
use crate::auth::{Loopback, SignIn, Wishes, server_url};
use crate::cli;
use crate::config::{self, CommandLine};
use crate::model::{Endpoint, Problem, SpecState};
use crate::render::Format;
use crate::{render, term};
use std::io::BufRead as _;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// How long somebody may take to sign in.
const PATIENCE: Duration = Duration::from_mins(5);

pub(super) async fn login(world: &World, args: &cli::Login) -> Result<Output, Problem> {
    let url = expanded(world, &args.url)?;
    let file = world.need_credential_file()?;
    if !args.no_browser {
        has_somebody(world)?;
    }
    file.prepare().await?;
    let wishes = Wishes {
        client_id: args.client_id.clone(),
        client_secret: match &args.client_secret_env {
            Some(name) => Some(credential::secret_of(world, name)?),
            None => None,
        },
        scope: args.scope.clone(),
        ca_certs: talk::ca_certs(world, args.ca_cert.as_deref())?,
    };
    let loopback = Loopback::bind().await?;
    let sign_in = SignIn::begin(&url, &wishes, loopback.redirect()).await?;
    say(&format!(
        "to sign in at {}, open this address:\n\n{}\n\n",
        render::escape::name(sign_in.issuer()),
        sign_in.address()
    ));
    if !args.no_browser && !browser::open(sign_in.address()) {
        say("no browser could be started here\n");
    }
    say(
        "waiting up to 5 minutes. If the browser runs on another machine, paste here the address that it ends at\n",
    );
    let came_back = tokio::time::timeout(PATIENCE, async {
        tokio::select! {
            address = loopback.answer(|address| sign_in.is_answer(address)) => address,
            address = pasted(&sign_in, lines()) => address,
        }
    });
    let address = came_back.await.map_err(|_| {
        Problem::new("auth", "nobody signed in within 5 minutes")
            .with_hint("countersign login URL".replace("URL", &args.url))
    })?;
    let kept = sign_in.finish(&address).await?;
    let (server, issuer, scopes) = (kept.server.clone(), kept.issuer.clone(), kept.scopes());
    file.keep(kept).await?;
    let stdout = if world.common.format == Format::Json {
        render::document(&serde_json::json!({
            "login": 1, "server": server, "issuer": issuer, "scopes": scopes,
        }))
    } else {
        let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let with = match scopes.join(" ") {
            scopes if scopes.is_empty() => String::new(),
            scopes => format!(" with the scopes {}", render::escape::name(&scopes)),
        };
        format!("signed in to {}{with}\n", render::escape::name(&server))
    };
    Ok(done(stdout))
}

pub(super) async fn logout(world: &World, args: &cli::Logout) -> Result<Output, Problem> {
    let url = server_url(&expanded(world, &args.url)?)?;
    let forgotten = world.need_credential_file()?.forget(&url).await?;
    let stdout = if world.common.format == Format::Json {
        render::document(&serde_json::json!({
            "logout": 1, "server": url.as_str(), "forgotten": forgotten,
        }))
    } else {
        let server = render::escape::name(url.as_str());
        if forgotten {
            format!("signed out of {server}: its tokens are no longer kept here\n")
        } else {
            format!("nothing is kept for {server}\n")
        }
    };
    Ok(done(stdout))
}

fn done(stdout: String) -> Output {
    Output {
        stdout,
        stderr: String::new(),
        status: 0,
    }
}

/// What has to be read while the command still runs.
fn say(words: &str) {
    // Nobody who reads it any more is no failure of the sign-in.
    let _ = term::err(words);
}

/// The URL with its `${VAR}` filled in, as `--url` takes it.
fn expanded(world: &World, written: &str) -> Result<String, Problem> {
    let words = CommandLine {
        name: Some("login".to_owned()),
        url: Some(written.to_owned()),
        ..CommandLine::default()
    };
    let refuse = |problem: Problem| Problem {
        message: problem.message.replace("`--url`", "the URL"),
        ..problem
    };
    let spec = config::from_command_line(&words, &world.environment).map_err(refuse)?;
    match spec.state {
        SpecState::Ready(Endpoint::Http { url, .. }) => Ok(url),
        SpecState::Broken(problem) => Err(refuse(problem)),
        _ => Err(Problem::new("usage", "that is not the URL of a server")),
    }
}

/// Whether there is somebody to sign in.
fn has_somebody(world: &World) -> Result<(), Problem> {
    let why = if world.in_ci() {
        "`CI` is set"
    } else if !term::is_interactive() {
        "there is no terminal"
    } else {
        return Ok(());
    };
    Err(
        Problem::new("auth", format!("nobody can sign in here: {why}")).with_hint(
            "`--bearer-env NAME`, `--token-command COMMAND` or `--client-id ID` give checks a credential; `--no-browser` signs in all the same",
        ),
    )
}

/// The lines of standard input. They are read beside the runtime, which ends without waiting for one.
fn lines() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The first of the lines that answers the sign-in.
async fn pasted(sign_in: &SignIn, mut lines: UnboundedReceiver<String>) -> String {
    while let Some(line) = lines.recv().await {
        if sign_in.is_answer(&line) {
            return line;
        }
        if !line.trim().is_empty() {
            say(
                "that is not the address that this sign-in ends at: it begins with `http://127.0.0.1:` and holds `state=`\n",
            );
        }
    }
    std::future::pending().await
}
