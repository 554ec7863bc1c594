//! The catalogue of a file, whose items are taken in one by one as they are read.

use super::build::Builder;
use super::{Catalogue, CatalogueError};
use crate::capture::{Answer, FileAnswer, FileError, Hello};
use crate::json::Limits;
use crate::model::{Kind, Warning};
use crate::secret::Secrets;

/// Why a file is no catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileCatalogueError {
    /// It is nothing that a server could have answered.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is an answer that clients would read differently.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
}

impl Catalogue {
    /// What a file holds, as [`crate::capture::Capture::from_file`] has it: each item is taken in as soon as it is read, so that
    /// the values of all of them are never held at once.
    pub fn from_file(
        source: Vec<u8>,
        limits: Limits,
        secrets: &Secrets,
    ) -> Result<(Self, Vec<Warning>), FileCatalogueError> {
        // Which of both places is that of the lists is known at the end.
        let (mut outside, mut inside) = (Builder::new(secrets), Builder::new(secrets));
        let answer = Answer::read_lists(source, limits, |source, element| {
            let (builder, list) = match *element.path {
                [] => (&mut outside, Kind::Tool.list_member()),
                [list] => (&mut outside, list),
                ["result", list] => (&mut inside, list),
                _ => return Some(element.value),
            };
            let kind = Kind::LISTED
                .into_iter()
                .find(|kind| kind.list_member() == list);
            let Some(kind) = kind else {
                return Some(element.value);
            };
            builder.take(kind, source, element);
            None
        });
        let file = FileAnswer::of(answer.map_err(FileError::from)?)?;
        let mut builder = if file.answer.is_response() {
            inside
        } else {
            outside
        };
        let mut known = file.kinds;
        for kind in &known {
            builder.rest(*kind, &file.answer)?;
        }
        if file.knows_server {
            builder.hello(&Hello::Initialize(file.answer))?;
            known.insert(Kind::Server);
        }
        Ok(builder.end(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::Capture;

    #[test]
    fn a_file_holds_the_same_whether_it_is_read_whole_or_item_by_item() {
        let mut secrets = Secrets::default();
        secrets.add("TOKEN", "abcdefgh-1234");
        for text in [
            r#"{"tools":[{"name":"t","description":"abcdefgh-1234"},null,[1],"x",{"name":"t"},{"a":1,"a":"abcdefgh-1234"}]}"#,
            r#" [{"name":"a"},{"name":"b","x":{"y":1,"y":2}},{"name":"c"}] "#,
            r#"{"id":1,"result":{"prompts":[{"name":"p","x":"\ud800"}],"tools":[{"name":"t","tools":[1]}]}}"#,
            r#"{"result":{"tools":[{"name":"a","name":"b"}]},"tools":[{"name":"c"}]}"#,
            r#"{"result":{"tools":[{"name":"a"}]},"prompts":[{"name":"c"}]}"#,
            r#"{"result":{"prompts":[{"name":"abcdefgh-1234"}]},"tools":[{"name":"c"}]}"#,
            r#"{"result":{},"tools":[{"name":"c"}],"resources":[],"resourceTemplates":[{"uriTemplate":"x"}]}"#,
            r#"{"tools":[{"name":"a","a":1,"a":2}],"tools":[]}"#,
            r#"{"tools":[],"tools":[{"name":"a","a":1,"a":2}]}"#,
            r#"{"tools":["\ud800"]}"#,
            r#"{"tools":[[{"a":1,"a":2}]]}"#,
            r#"{"tools":[{"name":"a","a":1,"a":2}],"instructions":"\ud800"}"#,
            r#"{"tools":[{"name":"a","a":1,"a":2}],"serverInfo":{"a":1,"a":2},"instructions":"x"}"#,
            r#"{"snapshot":1,"tools":[],"raw":{"tools":["eyJhIjoxLCJhIjoyfQ=="],"serverInfo":"eyJhIjoxLCJhIjoyfQ=="}}"#,
            r#"{"snapshot":2,"tools":[{"name":"a"}]}"#,
            r#"{"x":[1,{"tools":[{"name":"a"}]}],"result":[{"tools":[{"name":"a"}]}]}"#,
            r#"{"result":{"result":{"tools":[{"name":"a"}]}}}"#,
            r#"{"tools":{"name":"a"}}"#,
            r#"{"tools":[{"name":"a"},]}"#,
            r#"{"tools":[{"name":"a"}"#,
            r#"{"result":[],"tools":[{"name":"c"}]} x"#,
            "[]",
            "null",
        ] {
            let whole = Capture::from_file(text.into(), Limits::default())
                .map_err(FileCatalogueError::from)
                .and_then(|capture| Ok(Catalogue::of_capture(capture, &secrets)?));
            let one_by_one = Catalogue::from_file(text.into(), Limits::default(), &secrets);
            assert_eq!(one_by_one, whole, "{text}");
        }
    }
}
