//! How a run talks to its servers: what the command line says for all of them, what a configuration says for one,
//! which credentials there are, and who else gets to see what is said.

use super::credential::Credentials;
use super::transcript::Transcript;
use super::world::World;
use crate::cli::Connect;
use crate::client::{self, Bounds, CaCerts, Direction, Options, Profile, Trace};
use crate::model::{Problem, ServerName, ServerSpec};
use crate::{render, term};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// What holds for every talk of a run.
pub(super) struct Talk {
    options: Options,
    /// What the command line says: it outweighs what a configuration says.
    timeout: Option<Duration>,
    start_timeout: Option<Duration>,
    /// Whether messages are shown, under `-vv`.
    is_shown: bool,
    transcript: Option<Arc<Transcript>>,
    credentials: Rc<Credentials>,
}

impl Talk {
    /// Reads what the command line says, and begins the transcript that it asks for.
    ///
    /// # Errors
    /// A flag or a file of a flag that cannot be read, and a transcript that cannot be written.
    pub(super) fn begin(world: &World, connect: &Connect) -> Result<Self, Problem> {
        let options = options(world, connect)?;
        let credentials = Rc::new(Credentials::of(world, connect, &options.ca_certs)?);
        let transcript = match &connect.transcript {
            Some(file) => Some(Arc::new(Transcript::create(&world.cwd.join(file))?)),
            None => None,
        };
        Ok(Self {
            options,
            timeout: connect.timeout,
            start_timeout: connect.start_timeout,
            is_shown: world.common.verbose > 1,
            transcript,
            credentials,
        })
    }

    /// The credentials that servers are shown.
    pub(super) fn credentials(&self) -> Rc<Credentials> {
        Rc::clone(&self.credentials)
    }

    /// The options for one server.
    pub(super) fn options(&self, spec: &ServerSpec) -> Options {
        let options = &self.options;
        let (request, start) = (spec.timeouts.request, spec.timeouts.start);
        Options {
            timeout: self.timeout.or(request).unwrap_or(options.timeout),
            start_timeout: self
                .start_timeout
                .or(start)
                .unwrap_or(options.start_timeout),
            trace: self.trace(&spec.name),
            ..options.clone()
        }
    }

    /// Whether the command line says which revision is spoken.
    pub(super) fn asks_for_a_revision(&self) -> bool {
        self.options.protocol.is_some()
    }

    /// Ends the transcript.
    ///
    /// # Errors
    /// It could not be written whole.
    pub(super) fn finish(&self) -> Result<(), Problem> {
        self.transcript
            .as_ref()
            .map_or(Ok(()), |transcript| transcript.finish())
    }

    /// What becomes of each message of a server: shown under `-vv`, written to the transcript.
    fn trace(&self, server: &ServerName) -> Option<Trace> {
        if !self.is_shown && self.transcript.is_none() {
            return None;
        }
        let (server, transcript) = (server.clone(), self.transcript.clone());
        let is_shown = self.is_shown;
        Some(Arc::new(move |direction, message: &str| {
            if is_shown {
                show(direction, message);
            }
            if let Some(transcript) = &transcript {
                transcript.note(&server, direction, message);
            }
        }))
    }
}

fn options(world: &World, connect: &Connect) -> Result<Options, Problem> {
    Ok(Options {
        protocol: connect.protocol.as_deref().map(revision).transpose()?,
        profile: profile(world, &connect.capabilities)?,
        client_info: match &connect.client_info {
            Some(text) => client_info(text)?,
            None => Options::default().client_info,
        },
        bounds: Bounds {
            frame_bytes: connect.max_frame,
            listing_bytes: connect.max_listing,
            items: connect.max_items,
            string_bytes: connect.max_string,
            depth: connect.max_depth,
            pages: connect.max_pages,
        },
        ca_certs: ca_certs(world, connect.ca_cert.as_deref())?,
        ..Options::default()
    })
}

fn revision(text: &str) -> Result<String, Problem> {
    let known = client::revisions();
    if known.contains(&text) {
        return Ok(text.to_owned());
    }
    let known = known.join("`, `");
    Err(Problem::new(
        "usage",
        format!("`--protocol {text}` is none of the revisions `{known}`"),
    ))
}

fn client_info(text: &str) -> Result<(String, String), Problem> {
    match text.split_once('/') {
        Some((name, version)) if !name.is_empty() && !version.is_empty() => {
            Ok((name.to_owned(), version.to_owned()))
        }
        _ => Err(Problem::new(
            "usage",
            format!("`--client-info {text}` is not NAME/VERSION"),
        )),
    }
}

/// The authorities of the file that `--ca-cert` names; none without it.
pub(super) fn ca_certs(world: &World, file: Option<&Path>) -> Result<CaCerts, Problem> {
    let Some(file) = file else {
        return Ok(CaCerts::default());
    };
    std::fs::read(world.cwd.join(file))
        .map_err(|error| error.to_string())
        .and_then(|pem| CaCerts::read(&pem))
        .map_err(|cause| {
            let message = format!("`--ca-cert {}` cannot be used: {cause}", file.display());
            Problem::new("usage", message)
        })
}

fn profile(world: &World, choice: &str) -> Result<Profile, Problem> {
    match choice {
        "host" => Ok(Profile::Host),
        "none" => Ok(Profile::None),
        file => {
            let cannot = |cause: String| {
                Problem::new(
                    "usage",
                    format!(
                        "`--capabilities {file}` is neither `none`, `host` nor a file with a JSON object: {cause}"
                    ),
                )
            };
            let text = std::fs::read_to_string(world.cwd.join(file))
                .map_err(|error| cannot(error.to_string()))?;
            let capabilities: serde_json::Value =
                serde_json::from_str(&text).map_err(|error| cannot(error.to_string()))?;
            if !capabilities.is_object() {
                return Err(cannot("it holds something else".to_owned()));
            }
            Ok(Profile::Custom {
                name: file.to_owned(),
                capabilities,
            })
        }
    }
}

fn show(direction: Direction, message: &str) {
    let arrow = match direction {
        Direction::Sent => "-> ",
        Direction::Received => "<- ",
    };
    // Nobody who reads the messages any more is no failure of the run.
    let _ = term::err(&format!("{arrow}{}\n", render::escape::line(message)));
}
