//! Messages on a blocking stream, one a line, bounded while they are read.

use std::io::{self, BufRead, BufReader, Read};

/// Reads lines of at most a bound of bytes.
pub struct Lines<R> {
    source: BufReader<R>,
    bound: usize,
}

impl<R: Read> Lines<R> {
    /// Of a stream.
    pub fn new(source: R, bound: usize) -> Self {
        Self {
            source: BufReader::with_capacity(64 << 10, source),
            bound,
        }
    }

    /// The next line that says something, without its end; `None` at the end of the stream. Half a line at the end is
    /// half a message: it is none.
    ///
    /// # Errors
    /// What reading met; a line beyond the bound is [`io::ErrorKind::InvalidData`].
    pub fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let mut line = Vec::new();
            let bound = self.bound as u64 + 1;
            let mut bounded = (&mut self.source).take(bound);
            bounded.read_until(b'\n', &mut line)?;
            if line.last() == Some(&b'\n') {
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                return Ok(Some(line));
            }
            if line.len() > self.bound {
                let message = format!(
                    "a message of the client is larger than {} bytes",
                    self.bound
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_and_bounded() {
        let mut lines = Lines::new(&b"abc\r\n\n \nabcd\nhalf"[..], 4);
        assert_eq!(lines.line().expect("read"), Some(b"abc".to_vec()));
        assert_eq!(lines.line().expect("read"), Some(b"abcd".to_vec()));
        assert_eq!(lines.line().expect("read"), None);
        let mut lines = Lines::new(&b"abcdef\n"[..], 4);
        let error = lines.line().expect_err("too long");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
