//! `replay FILE`: serves what a file holds as an MCP server over stdio. It starts nothing and calls nothing.

use super::Output;
use super::world::World;
use crate::capture::Capture;
use crate::catalogue::Catalogue;
use crate::cli;
use crate::json::Limits;
use crate::model::Problem;
use crate::render::escape;
use crate::runtime::lines::Lines;
use crate::runtime::replay::{self, Replay};
use crate::secret::Secrets;
use std::io::{self, Read as _, Write as _};

pub(super) fn run(world: &World, args: &cli::Replay) -> Result<Output, Problem> {
    let replay = load(world, args)?;
    let mut lines = Lines::new(io::stdin(), args.max_frame);
    let mut out = io::stdout().lock();
    loop {
        let line = lines
            .line()
            .map_err(|error| Problem::new("protocol", error.to_string()))?;
        let Some(line) = line else { break };
        for mut answer in replay.answer(&line) {
            answer.push(b'\n');
            // A client that went away is the end of the talk.
            if out.write_all(&answer).and_then(|()| out.flush()).is_err() {
                return Ok(done());
            }
        }
    }
    Ok(done())
}

fn done() -> Output {
    Output {
        stdout: String::new(),
        stderr: String::new(),
        status: 0,
    }
}

fn load(world: &World, args: &cli::Replay) -> Result<Replay, Problem> {
    let name = args.file.display();
    let cannot = |cause: String| Problem::new("file", format!("cannot replay `{name}`: {cause}"));
    let mut bytes = Vec::new();
    let path = world.cwd.join(&args.file);
    // A pipe that nobody writes into would never answer.
    if std::fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
        return Err(cannot("it is no regular file".to_owned()));
    }
    std::fs::File::open(path)
        .and_then(|file| file.take(args.max_file as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| cannot(error.to_string()))?;
    if bytes.len() > args.max_file {
        return Err(cannot(format!(
            "it is larger than {} bytes (--max-file)",
            args.max_file
        )));
    }
    let limits = Limits {
        depth: Limits::MAX_DEPTH,
        string: args.max_file,
    };
    let capture = if replay::is_transcript(&bytes) {
        let text = String::from_utf8(bytes).map_err(|error| cannot(error.to_string()))?;
        replay::capture_of_transcript(&text, args.server.as_deref(), limits).map_err(|error| {
            let problem = cannot(error.to_string());
            match error {
                replay::TranscriptError::Several(_) => {
                    problem.with_hint(format!("countersign replay {name} --server NAME"))
                }
                _ => problem,
            }
        })?
    } else {
        if let Some(server) = &args.server {
            return Err(cannot(format!(
                "it is no transcript, so there is no server `{server}` to choose"
            )));
        }
        Capture::from_file(bytes, limits).map_err(|error| cannot(error.to_string()))?
    };
    // What clients would read differently is no catalogue to test them against.
    Catalogue::from_capture(&capture, &Secrets::default())
        .map_err(|error| cannot(error.to_string()))?;
    Ok(Replay::of_capture(
        &capture,
        &format!("`{}`", escape::line(&name.to_string())),
    ))
}
