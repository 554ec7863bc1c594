//! Messages on a byte stream, one a line: framed by the byte 0x0A and nothing else, bounded while they are read.

use super::Failure;
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much is asked for at once.
const CHUNK: usize = 64 << 10;

/// Cuts a stream into frames.
#[derive(Debug)]
pub(crate) struct Frames<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where the next frame begins in the buffer.
    start: usize,
    /// How much of the buffer is known to hold no line end.
    searched: usize,
    bound: usize,
    ended: bool,
    was_whole: bool,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    /// Frames of at most `bound` bytes.
    pub(crate) fn new(source: R, bound: usize) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            bound,
            ended: false,
            was_whole: true,
        }
    }

    /// Where they come from.
    pub(crate) fn source(&self) -> &R {
        &self.source
    }

    /// Whether the source has ended; frames may be left.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether the last frame had its line end.
    pub(crate) fn was_whole(&self) -> bool {
        self.was_whole
    }

    /// The next frame without its line end; `None` at the end. What stands after the last line end is a frame
    /// too: servers exit without ending their line. Safe to be cancelled.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            let found = memchr::memchr(b'\n', &self.buffer[self.searched..]);
            let end = found.map_or(self.buffer.len(), |at| self.searched + at);
            if end - self.start > self.bound {
                return Err(Failure::Frame(self.bound));
            }
            if found.is_some() {
                return Ok(Some(without_cr(self.cut(end))));
            }
            // What was handed out goes once for all frames of a chunk.
            self.buffer.drain(..std::mem::take(&mut self.start));
            self.searched = self.buffer.len();
            if self.ended {
                self.was_whole = false;
                let last = std::mem::take(&mut self.buffer);
                self.searched = 0;
                return Ok((!last.is_empty()).then(|| without_cr(last)));
            }
            self.buffer.reserve(CHUNK);
            // A pipe that breaks is a pipe that ends: the process says why.
            self.ended = matches!(self.source.read_buf(&mut self.buffer).await, Ok(0) | Err(_));
        }
    }

    /// The frame up to a line end, which is dropped. Of a long frame and what follows it, the shorter is copied.
    fn cut(&mut self, end: usize) -> Vec<u8> {
        let next = end + 1;
        if self.start == 0 && self.buffer.len() - next < end {
            let rest = self.buffer.split_off(next);
            let mut frame = std::mem::replace(&mut self.buffer, rest);
            frame.truncate(end);
            self.searched = 0;
            return frame;
        }
        let frame = self.buffer[self.start..end].to_vec();
        (self.start, self.searched) = (next, next);
        frame
    }
}

fn without_cr(mut frame: Vec<u8>) -> Vec<u8> {
    if frame.last() == Some(&b'\r') {
        frame.pop();
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(source: &[u8], bound: usize) -> Result<Vec<Vec<u8>>, Failure> {
        let mut frames = Frames::new(source, bound);
        let mut out = Vec::new();
        while let Some(frame) = frames.next().await? {
            out.push(frame);
        }
        Ok(out)
    }

    #[tokio::test]
    async fn only_a_line_feed_ends_a_frame() {
        let source = "a\u{2028}b\r\nc\rd\n\ne".as_bytes();
        let frames = all(source, 100).await.expect("within the bound");
        assert_eq!(
            frames,
            ["a\u{2028}b".as_bytes(), b"c\rd", b"", b"e"].map(<[u8]>::to_vec)
        );
    }

    #[tokio::test]
    async fn frames_of_any_length_come_out_as_they_went_in() {
        let lengths = [
            0, 1, 300_000, 7, 65_536, 65_535, 0, 131_071, 2, 3, 100_000, 1,
        ];
        let sent: Vec<Vec<u8>> = (b'a'..)
            .zip(lengths)
            .map(|(letter, length)| vec![letter; length])
            .collect();
        let source = sent.join(&b'\n');
        for chunk in [1 << 10, 64 << 10, 1 << 20] {
            let (mut out, source_of) = (tokio::io::duplex(chunk), source.clone());
            let writing = tokio::spawn(async move {
                use tokio::io::AsyncWriteExt as _;
                out.0.write_all(&source_of).await.expect("written");
            });
            let mut frames = Frames::new(out.1, 300_000);
            for frame in &sent {
                let found = frames.next().await.expect("within the bound");
                assert_eq!(found.as_ref(), Some(frame));
            }
            assert_eq!(frames.next().await.expect("an end"), None);
            writing.await.expect("it ends");
        }
    }

    #[tokio::test]
    async fn a_frame_beyond_the_bound_is_refused_while_it_is_read() {
        assert!(all(b"12345\n1234", 5).await.is_ok());
        assert!(matches!(all(b"123456\n", 5).await, Err(Failure::Frame(5))));
        let endless = tokio::io::repeat(b'a');
        let error = Frames::new(endless, 1 << 20).next().await;
        assert!(matches!(error, Err(Failure::Frame(_))));
    }
}
