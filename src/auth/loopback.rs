//! Where a browser comes back to: one address of this machine, for one answer, for as long as somebody signs in.

use crate::model::Problem;
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

const PATH: &str = "/callback";
/// Bytes of a request's head, and how long it may take to come.
const LARGEST: usize = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(10);
/// How many connections are read side by side: browsers open some in advance.
const PLACES: usize = 16;

/// A listener on a free port of 127.0.0.1.
pub struct Loopback {
    listener: TcpListener,
    redirect: String,
}

impl Loopback {
    /// Begins to listen.
    ///
    /// # Errors
    /// `auth`: this machine lets nobody listen.
    pub async fn bind() -> Result<Self, Problem> {
        let cannot = |error| Problem::new("auth", format!("cannot listen on 127.0.0.1: {error}"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        Ok(Self {
            listener,
            redirect: format!("http://127.0.0.1:{port}{PATH}"),
        })
    }

    /// The address to be sent back to.
    pub fn redirect(&self) -> &str {
        &self.redirect
    }

    /// The first address that a browser comes back to and that is an answer. Whatever else comes is turned away, so
    /// that no page on the way can end the wait.
    pub async fn answer(self, is_answer: impl Fn(&str) -> bool) -> String {
        let base = self.redirect.trim_end_matches(PATH);
        let mut reading = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if reading.len() < PLACES => {
                    if let Ok((stream, _)) = accepted {
                        reading.spawn(timeout(PATIENCE, request(stream)));
                    }
                }
                Some(read) = reading.join_next() => {
                    let Ok(Ok(Some((stream, wanted)))) = read else { continue };
                    let address = format!("{base}{wanted}");
                    let is_ours = wanted.split('?').next() == Some(PATH) && is_answer(&address);
                    let _ = timeout(PATIENCE, reply(stream, is_ours)).await;
                    if is_ours {
                        return address;
                    }
                }
            }
        }
    }
}

/// What a GET asks for.
async fn request(mut stream: TcpStream) -> Option<(TcpStream, String)> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut piece = [0; 2048];
        let count = stream.read(&mut piece).await.ok()?;
        if count == 0 || head.len() + count > LARGEST {
            return None;
        }
        head.extend_from_slice(&piece[..count]);
    }
    let head = std::str::from_utf8(&head).ok()?;
    let mut words = head.lines().next()?.split(' ');
    match (words.next(), words.next()) {
        (Some("GET"), Some(wanted)) if wanted.starts_with('/') => Some((stream, wanted.to_owned())),
        _ => None,
    }
}

async fn reply(mut stream: TcpStream, is_ours: bool) -> std::io::Result<()> {
    let (status, words) = if is_ours {
        (
            "200 OK",
            "countersign has what it needs. You can close this page and go back to the terminal.",
        )
    } else {
        ("404 Not Found", "Nothing is waited for here.")
    };
    let length = words.len();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n{words}"
    );
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await
}
