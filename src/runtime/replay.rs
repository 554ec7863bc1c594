//! A server that is not there: what one offered, served again in either era. Pure: one message in, its answer out.
//!
//! Items are served as they were written, whatever they hold. Nothing is ever done: a call is answered with an error.

use super::answers::{self, Modern};
use super::envelope::{self, Envelope};
use crate::canonical;
use crate::capture::{Answer, Capture, Hello};
use crate::json::{self, Limits, Object, Value};
use crate::model::Kind;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use std::collections::BTreeMap;

const MODERN: &str = "2026-07-28";
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_INFO: &str = "io.modelcontextprotocol/serverInfo";
const METHOD_NOT_FOUND: i32 = -32601;
const UNSUPPORTED_VERSION: i32 = -32022;

/// What is served: JSON texts, each on one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replay {
    lists: BTreeMap<Kind, Vec<Vec<u8>>>,
    instructions: Option<Vec<u8>>,
    info: Option<Vec<u8>>,
    capabilities: Option<Vec<u8>>,
    /// What a call is answered with.
    refusal: String,
}

/// Why a transcript cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// A line that is none of a transcript.
    #[error("line {0} is none of a transcript")]
    Line(usize),
    /// Several servers, and none was chosen.
    #[error("it holds the talk with several servers: {0}")]
    Several(String),
    /// No server of that name.
    #[error("it holds no talk with `{0}`")]
    NoServer(String),
    /// No list was answered.
    #[error("it holds no answer to a list request")]
    NoList,
}

impl Replay {
    /// Serves what a capture holds. `of` says where it is from, for the answers to calls.
    pub fn of_capture(capture: &Capture, of: &str) -> Self {
        let mut replay = Self {
            refusal: format!("this is a replay of {of} by countersign: it lists, and does nothing"),
            ..Self::default()
        };
        for (kind, pages) in &capture.lists {
            let served = replay.lists.entry(*kind).or_default();
            for page in pages {
                let result = page.result();
                let elements = result.get(kind.list_member()).and_then(Value::as_array);
                served.extend(
                    elements
                        .unwrap_or_default()
                        .iter()
                        .map(|e| text_of(page, e)),
                );
                let raw = raw_of(result).and_then(|raw| raw.get(kind.list_member())?.as_array());
                let raw = raw.unwrap_or_default().iter().filter_map(Value::as_str);
                served.extend(
                    raw.filter_map(|text| BASE64.decode(text).ok())
                        .map(one_line),
                );
            }
        }
        if let Hello::Initialize(answer) | Hello::Discover(answer) = &capture.hello {
            let result = answer.result();
            let part = |name: &str| {
                let raw = raw_of(result).and_then(|raw| raw.get(name)?.as_str());
                match raw.and_then(|text| BASE64.decode(text).ok()) {
                    Some(bytes) => Some(one_line(bytes)),
                    None => result.get(name).map(|value| text_of(answer, value)),
                }
            };
            let discovered = result.get("_meta").and_then(|meta| meta.get(META_INFO));
            replay.instructions = part("instructions");
            replay.capabilities = part("capabilities");
            replay.info = part("serverInfo").or(discovered.map(|info| text_of(answer, info)));
        }
        replay
    }

    /// The answer to one line of a client, or to each message of a batch; none for what is no request.
    pub fn answer(&self, line: &[u8]) -> Vec<Vec<u8>> {
        let messages = envelope::read(line).messages();
        if messages.is_empty() {
            return vec![rpc_error(b"null", -32700, "not one JSON-RPC message", None)];
        }
        let answers = messages.iter().filter(|one| one.is_request());
        answers.map(|one| self.reply(line, one)).collect()
    }

    fn reply(&self, line: &[u8], one: &Envelope) -> Vec<u8> {
        let id = one.id.clone().map(|id| &line[id]).unwrap_or_default();
        let method = one.method.as_deref().unwrap_or_default();
        let params = one.params.clone().and_then(|params| {
            let document = json::read(&line[params], Limits::default()).ok()?;
            document.value.as_object().cloned()
        });
        let params = params.unwrap_or_default();
        let version = params
            .get("_meta")
            .and_then(|meta| meta.get(META_VERSION))
            .and_then(Value::as_str);
        let modern = version.is_some() || method == "server/discover";
        if let Some(other) = version.filter(|version| *version != MODERN) {
            let data = json!({ "supported": [MODERN], "requested": other });
            return rpc_error(
                id,
                UNSUPPORTED_VERSION,
                "Unsupported protocol version",
                Some(&data),
            );
        }
        let result = match method {
            "initialize" if !modern => self.initialize(&params),
            "server/discover" => self.discover(),
            "ping" | "logging/setLevel" if !modern => Vec::new(),
            "tools/call" => return answers::tool_error(id, Modern(modern), &self.refusal),
            "prompts/get" | "resources/read" | "completion/complete" => {
                return answers::error(id, &self.refusal);
            }
            _ => {
                let listed = Kind::LISTED
                    .into_iter()
                    .find(|kind| kind.list_method() == Some(method));
                let Some((kind, items)) =
                    listed.and_then(|kind| Some((kind, self.lists.get(&kind)?)))
                else {
                    return rpc_error(id, METHOD_NOT_FOUND, "Method not found", None);
                };
                let list = [b"[", &items.join(&b","[..])[..], b"]"].concat();
                vec![(kind.list_member(), list)]
            }
        };
        let mut members: Vec<Vec<u8>> = result
            .into_iter()
            .map(|(name, value)| [format!("\"{name}\":").as_bytes(), &value].concat())
            .collect();
        if modern {
            members.push(br#""resultType":"complete","ttlMs":0,"cacheScope":"private""#.to_vec());
            let info = [
                format!(r#""_meta":{{"{META_INFO}":"#).as_bytes(),
                &self.info(),
                b"}",
            ]
            .concat();
            members.push(info);
        }
        let result = [b"{", &members.join(&b","[..])[..], b"}"].concat();
        answers::answer(id, &result)
    }

    fn initialize(&self, params: &Object) -> Vec<(&'static str, Vec<u8>)> {
        let known = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
        let asked = params.text("protocolVersion");
        let version = known
            .into_iter()
            .find(|known| Some(*known) == asked)
            .unwrap_or("2025-11-25");
        let mut result = vec![
            ("protocolVersion", json!(version).to_string().into_bytes()),
            ("capabilities", self.capabilities()),
            ("serverInfo", self.info()),
        ];
        result.extend(self.instructions.clone().map(|text| ("instructions", text)));
        result
    }

    fn discover(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut result = vec![
            (
                "supportedVersions",
                json!([MODERN]).to_string().into_bytes(),
            ),
            ("capabilities", self.capabilities()),
        ];
        result.extend(self.instructions.clone().map(|text| ("instructions", text)));
        result
    }

    fn info(&self) -> Vec<u8> {
        let ours = || json!({ "name": "countersign-replay", "version": env!("CARGO_PKG_VERSION") });
        self.info
            .clone()
            .unwrap_or_else(|| ours().to_string().into_bytes())
    }

    fn capabilities(&self) -> Vec<u8> {
        self.capabilities.clone().unwrap_or_else(|| {
            let has = |kind| self.lists.contains_key(&kind);
            let mut offered = serde_json::Map::new();
            for (name, is_there) in [
                ("tools", has(Kind::Tool)),
                ("prompts", has(Kind::Prompt)),
                ("resources", has(Kind::Resource) || has(Kind::Template)),
            ] {
                if is_there {
                    offered.insert(name.to_owned(), json!({}));
                }
            }
            serde_json::Value::Object(offered).to_string().into_bytes()
        })
    }
}

/// What a server answered in a transcript (`--transcript FILE`): the last answers win.
///
/// # Errors
/// Another kind of file, several servers without a choice, and no list at all.
pub fn capture_of_transcript(
    text: &str,
    server: Option<&str>,
    limits: Limits,
) -> Result<Capture, TranscriptError> {
    let lines = read_transcript(text)?;
    let mut names: Vec<&str> = lines.iter().map(|line| line.server.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let chosen = match (server, names.as_slice()) {
        (Some(server), names) if names.contains(&server) => server,
        (Some(server), _) => return Err(TranscriptError::NoServer(server.to_owned())),
        (None, [one]) => *one,
        (None, []) => return Err(TranscriptError::NoList),
        (None, several) => return Err(TranscriptError::Several(several.join(", "))),
    };
    let mut asked: BTreeMap<envelope::Id, (String, bool)> = BTreeMap::new();
    let mut hello = Hello::None;
    let mut lists: BTreeMap<Kind, Vec<Answer>> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.server == chosen) {
        let frame = line.message.as_bytes();
        for one in envelope::read(frame).messages() {
            let Some(id) = one.id(frame) else { continue };
            if let Some(method) = one.method.as_ref().filter(|_| line.is_sent) {
                let params = one
                    .params
                    .clone()
                    .and_then(|params| json::read(&frame[params], limits).ok());
                let goes_on = params.is_some_and(|params| params.value.get("cursor").is_some());
                asked.insert(id, (method.clone(), goes_on));
            } else if let Some((method, goes_on)) = asked.get(&id).filter(|_| !line.is_sent)
                && one.result.is_some()
                && let Ok(answer) = Answer::read(frame[one.span.clone()].to_vec(), limits)
            {
                match method.as_str() {
                    "initialize" => hello = Hello::Initialize(answer),
                    "server/discover" => hello = Hello::Discover(answer),
                    method => {
                        let kind = Kind::LISTED
                            .into_iter()
                            .find(|kind| kind.list_method() == Some(method));
                        if let Some(kind) = kind {
                            let pages = lists.entry(kind).or_default();
                            if !goes_on {
                                pages.clear();
                            }
                            pages.push(answer);
                        }
                    }
                }
            }
        }
    }
    if lists.is_empty() {
        return Err(TranscriptError::NoList);
    }
    Ok(Capture {
        hello,
        lists,
        taking: crate::capture::Taking::default(),
        warnings: Vec::new(),
    })
}

/// Whether a text begins as a transcript does.
pub fn is_transcript(text: &[u8]) -> bool {
    let first = text.split(|b| *b == b'\n').next().unwrap_or_default();
    json::read(first, Limits::default()).is_ok_and(|line| line.value.get("transcript").is_some())
}

struct Line {
    server: String,
    is_sent: bool,
    message: String,
}

fn read_transcript(text: &str) -> Result<Vec<Line>, TranscriptError> {
    let mut lines = Vec::new();
    for (index, line) in text.split_terminator('\n').enumerate().skip(1) {
        let document = json::read(line.as_bytes(), Limits::default());
        let value = document
            .map_err(|_| TranscriptError::Line(index + 1))?
            .value;
        let member = |name: &str| value.get(name).and_then(Value::as_str);
        match (member("server"), member("way"), member("message")) {
            (Some(server), Some(way @ ("sent" | "received")), Some(message)) => lines.push(Line {
                server: server.to_owned(),
                is_sent: way == "sent",
                message: message.to_owned(),
            }),
            _ if value.get("cut").is_some() => break,
            _ => return Err(TranscriptError::Line(index + 1)),
        }
    }
    Ok(lines)
}

/// What a snapshot keeps of definitions without a canonical form.
fn raw_of(result: &Value) -> Option<&Value> {
    result
        .get("raw")
        .filter(|_| result.get("snapshot").is_some())
}

fn text_of(answer: &Answer, value: &Value) -> Vec<u8> {
    match value {
        Value::Object(object) => one_line(answer.source[object.span()].to_vec()),
        other => canonical::to_text(other).into_bytes(),
    }
}

/// JSON on one line: a line end in it stands between tokens.
fn one_line(mut text: Vec<u8>) -> Vec<u8> {
    for byte in &mut text {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    text
}

fn rpc_error(id: &[u8], code: i32, message: &str, data: Option<&serde_json::Value>) -> Vec<u8> {
    let mut error = json!({ "code": code, "message": message });
    if let Some(data) = data {
        error["data"] = data.clone();
    }
    let id = String::from_utf8_lossy(id);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes()
}
