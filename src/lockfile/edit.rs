//! Setting and unsetting standing rules. What would not be read is refused, and then nothing changes.

use super::settings::SETTINGS;
use super::{Lockfile, Server};
use crate::json::{Object, Value};
use crate::model::{ItemKey, ServerName};

/// Whose policy it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// Every server's.
    Lockfile,
    /// A server's.
    Server(ServerName),
    /// One item's.
    Item(ServerName, ItemKey),
}

/// A setting by its path: `rule`, `levels.order-changed`, `volatile./description`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The name of the setting.
    pub name: String,
    /// The rule, or the pointer, within it.
    pub inner: Option<String>,
}

/// What is to become of a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Which one.
    pub setting: Setting,
    /// Its value; `None` to unset it.
    pub value: Option<Value>,
}

impl Setting {
    /// Whether a word may name a setting, well or badly formed: then it names nothing else.
    pub fn is_meant_by(word: &str) -> bool {
        let name = word.split(['=', '.']).next().unwrap_or(word);
        SETTINGS.iter().any(|(known, _)| *known == name)
    }

    /// Reads a path.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(path: &str) -> Result<Self, String> {
        let (name, inner) = match path.split_once('.') {
            Some((name, inner)) => (name, Some(inner)),
            None => (path, None),
        };
        let Some((_, wanted)) = SETTINGS.iter().find(|(known, _)| *known == name) else {
            let known = SETTINGS.map(|(known, _)| known).join("`, `");
            return Err(format!("there is no setting `{name}`; there is `{known}`"));
        };
        if inner.is_some() != (*wanted == "object") {
            return Err(match name {
                "levels" => "`levels` is set rule by rule: `levels.RULE`".to_owned(),
                "volatile" => "`volatile` is set text by text: `volatile./POINTER`".to_owned(),
                _ => format!("`{name}` has no parts"),
            });
        }
        Ok(Self {
            name: name.to_owned(),
            inner: inner.map(str::to_owned),
        })
    }

    /// As [`Setting::parse`] reads it.
    pub fn path(&self) -> String {
        match &self.inner {
            Some(inner) => format!("{}.{inner}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Edit {
    /// Reads `NAME=VALUE`.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(word: &str) -> Result<Self, String> {
        let Some((path, text)) = word.split_once('=') else {
            return Err(format!("`{word}` sets nothing: `{word}=VALUE`"));
        };
        let setting = Setting::parse(path)?;
        if text.is_empty() {
            return Err(format!(
                "`{path}` is set to nothing; `--unset {path}` takes it out"
            ));
        }
        let wanted = SETTINGS.iter().find(|(known, _)| *known == setting.name);
        let value = match (wanted.map(|(_, wanted)| *wanted), text) {
            (Some("boolean"), "true" | "false") => Value::Bool(text == "true"),
            (Some("boolean"), _) => {
                return Err(format!("`{path}` is `{text}`, not one of `true`, `false`"));
            }
            (Some("number"), digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                // As JSON has it.
                let digits = digits.trim_start_matches('0');
                Value::Number(if digits.is_empty() { "0" } else { digits }.into())
            }
            (Some("number"), _) => {
                return Err(format!("`{path}` is `{text}`, not a whole number"));
            }
            _ => Value::from(text),
        };
        Ok(Self {
            setting,
            value: Some(value),
        })
    }
}

impl Lockfile {
    /// Sets and unsets standing rules. A setting that is named twice gets both values, where it takes several.
    ///
    /// # Errors
    /// The first thing that could not be read again. Nothing changes then.
    pub fn set_policy(&mut self, owner: &Owner, edits: &[Edit]) -> Result<(), String> {
        let mut after = self.clone();
        match owner {
            Owner::Lockfile => edit(&mut after.policy, edits),
            Owner::Server(name) => edit(&mut after.held(name)?.policy, edits),
            Owner::Item(name, key) => edit_item(after.held(name)?, key, edits),
        }
        *self = Self::parse(after.to_text().as_bytes()).map_err(|error| error.message)?;
        Ok(())
    }

    fn held(&mut self, name: &ServerName) -> Result<&mut Server, String> {
        let missing = || format!("the lockfile holds no server `{}`", name.as_str());
        self.servers.get_mut(name).ok_or_else(missing)
    }

    /// What somebody's own policy sets, in the words that set it.
    pub fn own_policy(&self, owner: &Owner) -> Vec<(Setting, Value)> {
        let policy = match owner {
            Owner::Lockfile => Some(&self.policy),
            Owner::Server(name) => self.servers.get(name).map(|server| &server.policy),
            Owner::Item(name, key) => self
                .servers
                .get(name)
                .and_then(|server| server.policy.get(ITEMS)?.get(&item_name(key))?.as_object()),
        };
        let members = policy.into_iter().flat_map(Object::iter);
        members
            .filter(|(name, _)| *name != ITEMS)
            .flat_map(|(name, value)| {
                let setting = |inner: Option<&str>| Setting {
                    name: name.to_owned(),
                    inner: inner.map(str::to_owned),
                };
                match value {
                    Value::Object(parts) => parts
                        .iter()
                        .map(|(inner, value)| (setting(Some(inner)), value.clone()))
                        .collect(),
                    value => vec![(setting(None), value.clone())],
                }
            })
            .collect()
    }
}

/// The member of a server's policy that holds those of its items.
const ITEMS: &str = "items";

fn item_name(key: &ItemKey) -> String {
    format!("{}:{}", key.kind.word(), key.name.as_str())
}

fn edit_item(server: &mut Server, key: &ItemKey, edits: &[Edit]) {
    let object = |value: Option<Value>| match value {
        Some(Value::Object(object)) => object,
        _ => Object::default(),
    };
    let mut items = object(server.policy.remove(ITEMS));
    let mut policy = object(items.remove(&item_name(key)));
    edit(&mut policy, edits);
    put(&mut items, &item_name(key), policy);
    put(&mut server.policy, ITEMS, items);
}

/// Puts an object where it holds something.
fn put(into: &mut Object, name: &str, object: Object) {
    if object.is_empty() {
        into.remove(name);
    } else {
        into.set(name, Value::Object(object));
    }
}

fn edit(policy: &mut Object, edits: &[Edit]) {
    for (index, Edit { setting, value }) in edits.iter().enumerate() {
        let again = edits[..index]
            .iter()
            .any(|before| before.setting == *setting);
        match &setting.inner {
            None => set(policy, &setting.name, value.clone(), false),
            Some(inner) => {
                let mut parts = match policy.remove(&setting.name) {
                    Some(Value::Object(parts)) => parts,
                    _ => Object::default(),
                };
                set(&mut parts, inner, value.clone(), again);
                put(policy, &setting.name, parts);
            }
        }
    }
}

fn set(policy: &mut Object, name: &str, value: Option<Value>, again: bool) {
    match (value, policy.remove(name)) {
        (None, _) => {}
        (Some(value), Some(Value::Array(mut several))) if again => {
            several.push(value);
            policy.set(name, Value::Array(several));
        }
        (Some(value), Some(before)) if again => {
            policy.set(name, Value::Array(vec![before, value]));
        }
        (Some(value), _) => policy.set(name, value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::server;
    use super::*;
    use crate::model::Kind;

    fn lockfile() -> Lockfile {
        Lockfile {
            servers: [(ServerName::new("notes"), server())].into(),
            ..Lockfile::default()
        }
    }

    fn edits(words: &[&str]) -> Result<Vec<Edit>, String> {
        words.iter().map(|word| Edit::parse(word)).collect()
    }

    #[test]
    fn what_is_set_and_unset_again_leaves_nothing_behind() {
        let before = lockfile();
        let tool = Owner::Item("notes".into(), ItemKey::new(Kind::Tool, "a"));
        let words = [
            "rule=block",
            "levels.order-changed=material",
            "volatile./description=holds {int} notes",
            "volatile./description=built {date} here",
            "reviewers=2",
            "requireNote=true",
        ];
        let mut after = before.clone();
        after
            .set_policy(&tool, &edits(&words).expect("settings"))
            .expect("set");
        let own = after.own_policy(&tool);
        assert_eq!(own.len(), 5, "{own:?}");
        assert!(
            own.iter()
                .any(|(_, value)| matches!(value, Value::Array(two) if two.len() == 2))
        );
        let unset: Vec<Edit> = own
            .into_iter()
            .map(|(setting, _)| Edit {
                setting,
                value: None,
            })
            .collect();
        after.set_policy(&tool, &unset).expect("unset");
        assert_eq!(after.to_text(), before.to_text());
    }

    #[test]
    fn what_would_not_be_read_is_refused_and_changes_nothing() {
        let before = lockfile();
        let (server, every) = (Owner::Server("notes".into()), Owner::Lockfile);
        let tool = Owner::Item("notes".into(), ItemKey::new(Kind::Tool, "a"));
        for (owner, word, said) in [
            (&every, "rule=blok", "`rule` is `blok`, not one of"),
            (&every, "reviewers=0", "not a whole number from 1 to 1000"),
            (&every, "reviewers=two", "not a whole number"),
            (&every, "requireNote=yes", "not one of `true`, `false`"),
            (&every, "rules=block", "there is no setting `rules`"),
            (&every, "rule", "sets nothing"),
            (&every, "rule=", "--unset rule"),
            (&every, "rule.x=block", "has no parts"),
            (&every, "levels=minor", "`levels.RULE`"),
            (
                &server,
                "levels.order-change=minor",
                "there is `order-changed`",
            ),
            (
                &server,
                "volatile./description={int} notes",
                "belongs to an item",
            ),
            (
                &tool,
                "volatile./description={number} notes",
                "no hole `{number}`",
            ),
            (&tool, "due=fail", "belongs to a server"),
            (
                &Owner::Server("other".into()),
                "rule=ask",
                "holds no server `other`",
            ),
        ] {
            let mut lockfile = before.clone();
            let result = edits(&[word]).and_then(|edits| lockfile.set_policy(owner, &edits));
            let error = result.expect_err(word);
            assert!(error.contains(said), "{word}: {error}");
            assert_eq!(lockfile, before);
        }
    }
}
