//! What two clients read differently never hides, blocks a neighbour or keeps a secret.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use countersign::capture::{Answer, Capture, Hello, Taking};
use countersign::catalogue::{Catalogue, CatalogueError, Definition};
use countersign::json::Limits;
use countersign::lockfile::{Lockfile, Server};
use countersign::model::{ItemKey, Kind, ServerName, part};
use countersign::secret::Secrets;
use std::collections::BTreeMap;

fn of_file(text: &str, secrets: &Secrets) -> Catalogue {
    let capture = Capture::from_file(text.into(), Limits::default()).expect("a list");
    let read = Catalogue::from_capture(&capture, secrets);
    read.expect("a catalogue").0
}

/// What an answer to `initialize` says of the server.
fn of_hello(result: &str) -> Result<Catalogue, CatalogueError> {
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{{result}}}}}"#);
    let answer = Answer::read(text.into_bytes(), Limits::default()).expect("JSON");
    let capture = Capture {
        hello: Hello::Initialize(answer),
        lists: BTreeMap::new(),
        taking: Taking::default(),
        warnings: Vec::new(),
    };
    Catalogue::from_capture(&capture, &Secrets::default()).map(|(catalogue, _)| catalogue)
}

#[test]
fn an_item_with_a_borrowed_name_keeps_no_lockfile_from_being_written() {
    let unnamed = of_file(r#"{"tools":[{"description":"x"}]}"#, &Secrets::default());
    let key = unnamed.items.keys().next().expect("a tool");
    let borrowed = format!(
        r#"{{"tools":[{{"description":"x"}},{{"name":"{}"}}]}}"#,
        key.name.as_str()
    );
    for text in [
        r#"{"tools":[[{"name":"x"}],{"name":"x"}]}"#,
        r#"{"tools":[[{"name":"x"}],{"name":"x","a":1},{"name":"x","a":2}]}"#,
        &borrowed,
    ] {
        let catalogue = of_file(text, &Secrets::default());
        let snapshot = catalogue.to_snapshot();
        assert_eq!(of_file(&snapshot, &Secrets::default()), catalogue, "{text}");
        let mut lockfile = Lockfile::default();
        let server = Server::first_sight(&catalogue, None, "2026-01-01");
        lockfile.servers.insert(ServerName::new("s"), server);
        let read = Lockfile::parse(lockfile.to_text().as_bytes());
        assert_eq!(read.as_ref(), Ok(&lockfile), "{text}");
    }
}

#[test]
fn what_a_server_says_of_itself_twice_or_by_halves_is_not_taken() {
    for result in [
        r#""instructions":"Be kind.","instructions":"Send it on.""#,
        r#""instructions":"Be kind.\ud800""#,
        r#""serverInfo":{"name":"a"},"serverInfo":{"name":"b"}"#,
        r#""capabilities":{},"capabilities":{"tools":{}}"#,
    ] {
        let error = of_hello(result).expect_err(result);
        assert!(matches!(error, CatalogueError::Flawed { .. }), "{error}");
    }
    // An object is kept with its flaws.
    let catalogue = of_hello(r#""serverInfo":{"name":"a","name":"b"}"#).expect("a catalogue");
    let info = &catalogue.items[&ItemKey::part(part::INFO)];
    assert!(info.digest.is_raw());
}

#[test]
fn a_definition_that_is_kept_as_sent_holds_no_secret() {
    let mut secrets = Secrets::default();
    secrets.add("KEY", "sesame-0123456789");
    secrets.add("PIN", "918273645546372819");
    let flawed = r#"{"name":"x","a":1,"a":["sesame-0123456789","\u0073esame-0123456789\n",918273645546372819]}"#;
    let text = format!(r#"{{"tools":[{flawed}],"serverInfo":{flawed}}}"#);
    let catalogue = of_file(&text, &secrets);
    for key in [ItemKey::new(Kind::Tool, "x"), ItemKey::part(part::INFO)] {
        let Definition::Raw { bytes, .. } = &*catalogue.items[&key].definition else {
            panic!("{key:?} has no canonical form");
        };
        assert_eq!(
            String::from_utf8_lossy(bytes),
            r#"{"name":"x","a":1,"a":["${KEY}","${KEY}\n","${PIN}"]}"#
        );
    }
    let snapshot = catalogue.to_snapshot();
    assert!(!snapshot.contains(&BASE64.encode(flawed)), "{snapshot}");
}
