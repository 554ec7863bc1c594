//! The reader of event streams.

use crate::transport::{Event, Events};

/// What one event may hold, in bytes.
const BOUND: usize = 4 << 10;

/// Reads the bytes as an event stream, in one piece and in small ones: both come to the same events, each within the
/// bound. The first byte says how small.
///
/// # Panics
/// Where they differ.
pub fn events(data: &[u8]) {
    let Some((size, stream)) = data.split_first() else {
        return;
    };
    let whole = read(stream, stream.len().max(1));
    let cut = read(stream, usize::from(*size).max(1));
    assert_eq!(whole, cut, "in pieces of {size}");
}

/// The events, the last id, the time to wait, and whether an event was too long.
fn read(stream: &[u8], size: usize) -> (Vec<Event>, String, Option<std::time::Duration>, bool) {
    let mut reader = Events::new(BOUND);
    let mut found = Vec::new();
    let mut refused = false;
    for piece in stream.chunks(size) {
        refused = reader.push(piece).is_err();
        while let Some(event) = reader.pop() {
            if let Event::Message(data) = &event {
                assert!(data.len() <= BOUND);
            }
            found.push(event);
        }
        if refused {
            break;
        }
    }
    (found, reader.last_id, reader.retry, refused)
}
