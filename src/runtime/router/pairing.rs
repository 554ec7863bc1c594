//! Which requests of the client can be paired with their answers: an answer is judged by what it answers, so what
//! cannot be told apart from another request is refused.

use super::Router;
use super::looks::is_own;
use crate::json::{self, Limits, Value};
use crate::runtime::envelope::{Envelope, Id};

/// The largest whole number that every reader of JSON tells from its neighbours: 2^53 - 1.
const LARGEST: i64 = (1 << 53) - 1;

/// The id that an answer can bear, as JSON text, and why the request cannot be paired.
pub(super) type Unpaired<'t> = (&'t [u8], &'static str);

impl Router {
    /// The id of a request and its JSON text; `None` for what is no request.
    ///
    /// # Errors
    /// The id that an answer can bear, as JSON text, and why the request cannot be paired.
    pub(super) fn pairable<'t>(
        &self,
        text: &'t [u8],
        one: &Envelope,
    ) -> Result<Option<(Id, &'t [u8])>, Unpaired<'t>> {
        if one.has_null_id {
            return Err((b"null", "its id is `null`"));
        }
        let Some(range) = one.id.clone() else {
            return Ok(None);
        };
        let id_text = &text[range];
        let Some(id) = read(id_text) else {
            return Err((b"null", "its id is neither a string nor a whole number"));
        };
        if is_own(id_text) {
            return Err((id_text, "ids that begin like its own are the guard's"));
        }
        if self.is_taken(&id) {
            return Err((
                id_text,
                "a request with this id, in this or another spelling, still waits for its answer",
            ));
        }
        Ok(Some((id, id_text)))
    }

    fn is_taken(&self, id: &Id) -> bool {
        let mut known = self.known.values();
        let mut asking = self.asking.values();
        self.awaited.contains_key(id)
            || asking.any(|asking| asking.parked.id == *id)
            || known.any(|known| {
                let mut waiting = known.parked.iter().chain(&known.late);
                waiting.any(|parked| parked.id == *id)
            })
    }
}

/// An id that all readers read alike.
fn read(text: &[u8]) -> Option<Id> {
    let document = json::read(text, Limits::default()).ok()?;
    let is_plain = document.flaws.is_empty()
        && match &document.value {
            Value::String(_) => true,
            Value::Number(number) => {
                let number = crate::canonical::number(number).parse::<i64>();
                number.is_ok_and(|number| (-LARGEST..=LARGEST).contains(&number))
            }
            _ => false,
        };
    is_plain.then(|| Id::read(text)).flatten()
}
