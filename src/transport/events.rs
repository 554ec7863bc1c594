//! The event-stream grammar (HTML standard, "Server-sent events"), fed in pieces of any size.

use super::Failure;
use std::collections::VecDeque;
use std::time::Duration;

/// Cuts an event stream into the data of its `message` events.
#[derive(Debug)]
pub(super) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    name: Vec<u8>,
    /// The last line ended in CR: an LF right after it belongs to that end.
    after_cr: bool,
    at_start: bool,
    ready: VecDeque<Vec<u8>>,
    bound: usize,
    /// The last id, by which a broken stream is resumed.
    pub(super) last_id: String,
    /// How long the server wants to be left alone before that.
    pub(super) retry: Option<Duration>,
}

impl Events {
    /// Events whose data is at most `bound` bytes.
    pub(super) fn new(bound: usize) -> Self {
        Self {
            line: Vec::new(),
            data: Vec::new(),
            name: Vec::new(),
            after_cr: false,
            at_start: true,
            ready: VecDeque::new(),
            bound,
            last_id: String::new(),
            retry: None,
        }
    }

    /// The data of the next event that is complete.
    pub(super) fn pop(&mut self) -> Option<Vec<u8>> {
        self.ready.pop_front()
    }

    /// Takes in the next piece of the stream. An event that the stream does not end with a blank line never was.
    pub(super) fn push(&mut self, mut piece: &[u8]) -> Result<(), Failure> {
        while !piece.is_empty() {
            if std::mem::take(&mut self.after_cr) && piece[0] == b'\n' {
                piece = &piece[1..];
                continue;
            }
            let end = piece.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let length = end.unwrap_or(piece.len());
            if self.line.len() + self.data.len() + length > self.bound {
                return Err(Failure::Frame(self.bound));
            }
            self.line.extend_from_slice(&piece[..length]);
            let Some(end) = end else { break };
            self.after_cr = piece[end] == b'\r';
            piece = &piece[end + 1..];
            self.end_line();
        }
        Ok(())
    }

    fn end_line(&mut self) {
        let taken = std::mem::take(&mut self.line);
        let mut line = taken.as_slice();
        if std::mem::take(&mut self.at_start) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            self.dispatch();
            return;
        }
        let (field, value) = match line.iter().position(|b| *b == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"event" => self.name = value.to_vec(),
            b"id" if !value.contains(&0) => {
                self.last_id = String::from_utf8_lossy(value).into_owned();
            }
            b"retry" if value.iter().all(u8::is_ascii_digit) => {
                self.retry = std::str::from_utf8(value)
                    .ok()
                    .and_then(|digits| digits.parse().ok())
                    .map(Duration::from_millis);
            }
            // A comment, or a field that nobody defined.
            _ => {}
        }
    }

    fn dispatch(&mut self) {
        let name = std::mem::take(&mut self.name);
        let mut data = std::mem::take(&mut self.data);
        data.pop();
        if !data.is_empty() && matches!(name.as_slice(), b"" | b"message") {
            self.ready.push_back(data);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(stream: &[u8], size: usize) -> (Vec<String>, Events) {
        let mut events = Events::new(1000);
        for piece in stream.chunks(size) {
            events.push(piece).expect("within the bound");
        }
        let mut out = Vec::new();
        while let Some(data) = events.pop() {
            out.push(String::from_utf8(data).expect("UTF-8"));
        }
        (out, events)
    }

    #[test]
    fn the_grammar_holds_wherever_the_stream_is_cut() {
        let stream =
            b"\xef\xbb\xbf: hello\r\n\r\nid: 0\r\ndata:\r\n\r\nevent:message\ndata: {\ndata:1}\n\n\
            event: ping\rdata: x\r\rdata: \xc3\xa9\r\rretry: 20\nid:7\nfoo\ndata\n\ndata: lost\n";
        for size in [1, 2, 3, 5, 7, 1000] {
            let (data, events) = read(stream, size);
            assert_eq!(data, ["{\n1}", "é"], "{size}");
            assert_eq!(events.last_id, "7");
            assert_eq!(events.retry, Some(Duration::from_millis(20)));
        }
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut events = Events::new(10);
        assert!(events.push(b"data: 1234").is_ok());
        assert!(matches!(events.push(b"56"), Err(Failure::Frame(10))));
        let mut events = Events::new(10);
        assert!(events.push(b"data:12\ndata:34\n").is_ok());
        assert!(events.push(b"data:56\n").is_err());
    }
}
