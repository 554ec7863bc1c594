//! The event-stream grammar (HTML standard, "Server-sent events"), fed in pieces of any size.

use super::Failure;
use std::collections::VecDeque;
use std::time::Duration;

/// An event that is complete.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A message: its data.
    Message(Vec<u8>),
    /// Where messages are to be posted (2024-11-05, "HTTP with SSE").
    Endpoint(String),
}

/// Cuts an event stream into its events.
#[derive(Debug)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    name: Vec<u8>,
    /// The last line ended in CR: an LF right after it belongs to that end.
    after_cr: bool,
    at_start: bool,
    ready: VecDeque<Event>,
    bound: usize,
    /// The id of the event that is being read; it counts once that event is complete.
    id: Option<String>,
    /// The id of the last complete event that had one, by which a broken stream is resumed.
    pub(crate) last_id: String,
    /// How long the server wants to be left alone before that.
    pub(crate) retry: Option<Duration>,
}

impl Events {
    /// Events whose data is at most `bound` bytes.
    pub(crate) fn new(bound: usize) -> Self {
        Self {
            line: Vec::new(),
            data: Vec::new(),
            name: Vec::new(),
            after_cr: false,
            at_start: true,
            ready: VecDeque::new(),
            bound,
            id: None,
            last_id: String::new(),
            retry: None,
        }
    }

    /// The next event that is complete.
    pub(crate) fn pop(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }

    /// Gets ready for another stream that goes on where this one broke: what was not complete comes again.
    pub(crate) fn start_over(&mut self) {
        self.line.clear();
        self.data.clear();
        self.name.clear();
        self.id = None;
        self.after_cr = false;
        self.at_start = true;
    }

    /// Takes in the next piece of the stream. An event that the stream does not end with a blank line never was.
    pub(crate) fn push(&mut self, mut piece: &[u8]) -> Result<(), Failure> {
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
                self.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                // More digits than a number holds: very long.
                let digits = std::str::from_utf8(value).unwrap_or_default();
                self.retry = Some(Duration::from_millis(digits.parse().unwrap_or(u64::MAX)));
            }
            // A comment, or a field that nobody defined.
            _ => {}
        }
    }

    fn dispatch(&mut self) {
        if let Some(id) = self.id.take() {
            self.last_id = id;
        }
        let name = std::mem::take(&mut self.name);
        let mut data = std::mem::take(&mut self.data);
        data.pop();
        if data.is_empty() {
            return;
        }
        match name.as_slice() {
            b"" | b"message" => self.ready.push_back(Event::Message(data)),
            b"endpoint" => {
                let text = String::from_utf8_lossy(&data).into_owned();
                self.ready.push_back(Event::Endpoint(text));
            }
            // An event that nobody defined.
            _ => {}
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
        while let Some(event) = events.pop() {
            out.push(match event {
                Event::Message(data) => String::from_utf8(data).expect("UTF-8"),
                Event::Endpoint(place) => format!("at {place}"),
            });
        }
        (out, events)
    }

    #[test]
    fn the_grammar_holds_wherever_the_stream_is_cut() {
        let stream =
            b"\xef\xbb\xbf: hello\r\n\r\nid: 0\r\ndata:\r\n\r\nevent:message\ndata: {\ndata:1}\n\n\
            event: ping\rdata: x\r\rdata: \xc3\xa9\r\rretry: 20\nid:7\nfoo\ndata\n\n\
            event: endpoint\ndata: /m?s=1\n\nid: 8\nretry:\nretry: x\ndata: lost\n";
        for size in [1, 2, 3, 5, 7, 1000] {
            let (data, events) = read(stream, size);
            assert_eq!(data, ["{\n1}", "é", "at /m?s=1"], "{size}");
            assert_eq!(events.last_id, "7");
            assert_eq!(events.retry, Some(Duration::from_millis(20)));
        }
    }

    #[test]
    fn what_was_not_complete_is_forgotten_before_another_stream_goes_on() {
        let (_, mut events) = read(b"id: 1\ndata: a\n\nid: 2\ndata: hal", 100);
        events.start_over();
        assert_eq!(events.last_id, "1");
        events
            .push(b"\xef\xbb\xbfid: 2\ndata: half\n\n")
            .expect("within the bound");
        assert_eq!(events.pop(), Some(Event::Message(b"half".to_vec())));
        assert_eq!((events.pop(), events.last_id.as_str()), (None, "2"));
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
