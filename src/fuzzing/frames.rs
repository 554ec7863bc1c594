//! The cutting of a stdio stream into messages.

use crate::transport::Frames;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, ReadBuf};

/// What one message may hold, in bytes.
const BOUND: usize = 1 << 10;

/// Cuts the bytes at line ends, however they arrive: the frames are the lines, up to the first that is too long. The
/// first byte says how many arrive at once.
///
/// # Panics
/// Where they are not.
pub fn frames(data: &[u8]) {
    let Some((size, stream)) = data.split_first() else {
        return;
    };
    let mut frames = Frames::new(Drip(stream, usize::from(*size).max(1)), BOUND);
    let mut expected = stream.split(|byte| *byte == b'\n').peekable();
    let mut context = Context::from_waker(Waker::noop());
    loop {
        let next = std::pin::pin!(frames.next()).poll(&mut context);
        let Poll::Ready(next) = next else {
            panic!("bytes in memory are always there");
        };
        let line = expected.next();
        // What follows the last line end is a frame only if there is something.
        let line = line.filter(|line| !line.is_empty() || expected.peek().is_some());
        match next {
            Ok(Some(frame)) => {
                let line = line.expect("no frame without a line");
                assert_eq!(frame, line.strip_suffix(b"\r").unwrap_or(line));
            }
            Ok(None) => {
                assert_eq!(line, None);
                assert!(frames.has_ended());
                return;
            }
            Err(_) => {
                assert!(line.is_some_and(|line| line.len() > BOUND));
                return;
            }
        }
    }
}

/// Bytes that arrive a few at a time.
struct Drip<'a>(&'a [u8], usize);

impl AsyncRead for Drip<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let size = self.1.min(self.0.len()).min(buffer.remaining());
        let (piece, rest) = self.0.split_at(size);
        buffer.put_slice(piece);
        self.0 = rest;
        Poll::Ready(Ok(()))
    }
}
