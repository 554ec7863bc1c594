//! Reads of resources that stand in no list under the URI that is asked for: another spelling of one that does, what a
//! template stands for, or a link in a result.

use super::Router;
use crate::fingerprint::Digest;
use crate::json::{Object, Value};
use crate::model::{ItemKey, Kind};
use crate::policy::Rule;
use crate::runtime::account::Account;
use crate::runtime::uri;
use crate::runtime::verdict::{Use, Verdict};
use std::collections::BTreeSet;

/// What becomes of a read that a template may stand for.
pub(super) enum Read {
    Pass,
    /// By this template, under this definition.
    Held(ItemKey, Digest, Verdict),
    Refused(String),
}

impl Router {
    /// Why a resource is not read because of one that it may be another spelling of, of which less is allowed than
    /// `own`; `None` if there is none.
    pub(super) fn other_spelling(
        &self,
        account: &Account,
        asked: &ItemKey,
        own: Use,
    ) -> Option<String> {
        let uri = asked.name.as_str();
        let forms = uri::forms(uri);
        if forms.is_empty() {
            return Some("its URI is too long or too deeply encoded to be compared".to_owned());
        }
        let is_it = |key: &&ItemKey| {
            *key != asked && uri::may_be_one(&forms, &uri::forms(key.name.as_str()))
        };
        let spelled = |key: &ItemKey, why: &str| {
            format!(
                "it may be another spelling of `{}`: {why}",
                key.name.as_str()
            )
        };
        if let Some(key) = account.blocked(Kind::Resource).iter().find(is_it) {
            return Some(spelled(key, "the policy blocks it"));
        }
        let known = self.known.get(&Kind::Resource)?.items.as_ref()?;
        let items = known.1.iter().filter(|(key, _)| is_it(key));
        let mut verdicts = items.map(|(key, item)| (key, account.verdict(key, item)));
        let stricter = verdicts.find(|(_, verdict)| verdict.usage > own);
        stricter.map(|(key, verdict)| spelled(key, &verdict.why))
    }

    /// What becomes of the read of a resource that is in no list, by the templates that may stand for it: the
    /// strictest decides.
    pub(super) fn read_by_template(&self, account: &Account, asked: &ItemKey) -> Read {
        let beginnings: BTreeSet<String> = uri::beginnings(asked.name.as_str());
        let stands = |key: &&ItemKey| uri::begins_like(&beginnings, key.name.as_str());
        let by = |key: &ItemKey, why: &str| {
            format!("template `{}` may stand for it: {why}", key.name.as_str())
        };
        if let Some(key) = account.blocked(Kind::Template).iter().find(stands) {
            return Read::Refused(by(key, "the policy blocks it"));
        }
        let known = self.known.get(&Kind::Template);
        let items = known.and_then(|known| known.items.as_ref());
        let items = items.into_iter().flat_map(|(_, items)| items.iter());
        let mut held = None;
        for (key, item) in items.filter(|(key, _)| stands(key)) {
            let verdict = account.verdict(key, item);
            match verdict.usage {
                Use::Pass => {}
                Use::Hold => held = held.or(Some((key, item.digest, verdict))),
                Use::Refuse => return Read::Refused(by(key, &verdict.why)),
            }
        }
        match (held, account.rule(asked)) {
            (Some((key, digest, verdict)), _) => Read::Held(key.clone(), digest, verdict),
            (None, Rule::Allow) => Read::Pass,
            (None, Rule::Ask) => Read::Refused(
                "the policy asks for a person's approval of each use, and this one has no definition to be approved \
                 under"
                    .to_owned(),
            ),
            (None, Rule::Block) => Read::Refused("the policy blocks it".to_owned()),
        }
    }
}

/// What a read is approved by: its URI, as if it were an input of the template.
pub(super) fn arguments(asked: &ItemKey) -> Value {
    let mut object = Object::default();
    object.set("uri", Value::from(asked.name.as_str()));
    Value::Object(object)
}
