//! Makes facts of places in schemas, with what came and went at each.

use super::{Comparison, Here};
use crate::diff::keyword::{HEADER, restricted_type};
use crate::diff::reference::View;
use crate::diff::survey::{Named, News, Survey};
use crate::diff::values::{TYPES, types};
use crate::diff::{Fact, Place, Spot, What};
use crate::json::Value;
use crate::model::{Kind, Pointer};
use crate::text;
use std::collections::BTreeSet;

impl<'a> Comparison<'a> {
    pub(super) fn surveys(&self) -> &(Survey<'a>, Survey<'a>) {
        self.surveys.get_or_init(|| {
            let of = |root: Option<&'a Value>, tool| {
                root.map(|root| Survey::of(root, Named::Root(tool)))
                    .unwrap_or_default()
            };
            (
                of(self.roots.0, self.tools.0),
                of(self.roots.1, self.tools.1),
            )
        })
    }

    pub(super) fn push(
        &mut self,
        here: &Here<'a>,
        path: Pointer,
        what: What<'a>,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) {
        let mut news = news(&what, here, before, after);
        if !news.undeclared.is_empty() {
            let declared = self.declared(here);
            news.undeclared.retain(|name| !declared.contains(name));
        }
        self.facts.push(Fact {
            kind: Kind::Tool,
            path,
            was: None,
            place: Place::Schema(Box::new(Spot {
                side: self.side,
                what,
                input: here.input,
                shared: here.shared,
                decided: here.decided,
                moot: false,
                news,
            })),
            before,
            after,
        });
    }

    /// Adds to what the last fact says a name that stands in its pointer, unless a property of that name says it.
    pub(super) fn say(&mut self, name: &'a str) {
        let declared = self.surveys().1.inputs.contains(&name);
        if let Some(Place::Schema(spot)) = self.facts.last_mut().map(|fact| &mut fact.place)
            && !declared
        {
            spot.news.said.insert(0, name);
        }
    }

    /// Marks the facts from a number on that are about a keyword which says nothing of the types accepted now.
    pub(super) fn mark_moot(
        &mut self,
        known: usize,
        path: &Pointer,
        keyword: &str,
        now: &View<'a>,
    ) {
        let Some(restricted) = restricted_type(keyword) else {
            return;
        };
        let accepted = types(now.get("type")).unwrap_or_else(|| TYPES.into());
        if accepted.contains(restricted) {
            return;
        }
        for fact in &mut self.facts[known..] {
            if let Place::Schema(spot) = &mut fact.place
                && fact.path == *path
            {
                spot.moot = true;
            }
        }
    }

    /// A definition whose content was compared where it is used says nothing new, but for text that the other
    /// side's schema does not hold anywhere.
    pub(super) fn settle_definitions(&mut self) {
        if self.followed.is_empty() {
            return;
        }
        let (old, new) = self.surveys().clone();
        let known = |survey: Survey<'a>| survey.texts.into_iter().collect::<BTreeSet<&str>>();
        let (old, new) = (known(old), known(new));
        for fact in &mut self.facts {
            let schema = fact.before.or(fact.after).map(std::ptr::from_ref);
            let Place::Schema(spot) = &mut fact.place else {
                continue;
            };
            if let What::Definition { followed, .. } = &mut spot.what
                && schema.is_some_and(|schema| self.followed.contains(&schema))
            {
                *followed = true;
                let mut news = std::mem::take(&mut spot.news);
                news.said.retain(|text| !old.contains(text));
                news.unsaid.retain(|text| !new.contains(text));
                spot.news.said = news.said;
                spot.news.unsaid = news.unsaid;
            }
        }
    }
}

/// What came and went with a place that a reader would look for.
fn news<'a>(
    what: &What<'a>,
    here: &Here<'a>,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
) -> News<'a> {
    let surveys = |of: &dyn Fn(&'a Value, Named<'a>) -> Survey<'a>| {
        let before = before.map(|schema| of(schema, here.named.0));
        let after = after.map(|schema| of(schema, here.named.1));
        News::between(&before.unwrap_or_default(), &after.unwrap_or_default())
    };
    match what {
        What::Root | What::Opaque(_) | What::Branch { .. } => {
            surveys(&|s, named| Survey::of(s, named))
        }
        What::Input { name, .. } | What::Definition { name, .. } => {
            let mut news = surveys(&|s, named| Survey::of(s, named));
            if after.is_some() && text::is_prose(name) {
                news.said.insert(0, name);
            }
            news
        }
        What::Subschema { keyword } if *keyword == here.keyword => {
            surveys(&|s, named| Survey::of(s, named))
        }
        What::Subschema { keyword } => surveys(&|s, _| Survey::under(keyword, s)),
        What::Keyword(keyword) => News {
            said: text::new_prose(before, after),
            headers: *keyword == HEADER,
            ..News::default()
        },
        What::Values { .. } | What::Required { .. } | What::Dialect { .. } => News {
            said: text::new_prose(before, after),
            ..News::default()
        },
        What::Title { .. }
        | What::Reference
        | What::Nullable { .. }
        | What::Wrapped { .. }
        | What::Union { .. } => News::default(),
    }
}
