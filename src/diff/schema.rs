//! Two schemas compared keyword by keyword, by position, with local references followed where they differ.
//!
//! Bounded in depth and in what it follows; what lies beyond is one fact whose meaning is left open.

use super::branches;
use super::keyword::{HEADER, Shape, shape, turns_direction};
use super::reference::View;
use super::survey::{Named, News, Survey};
use super::{DEPTH, Fact, Place, Side, Spoken, Spot, What, keyword, text};
use crate::json::{Object, Value};
use crate::model::{Kind, Pointer};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// How many keywords are compared inside followed references, per schema.
const FOLLOWED: usize = 100_000;

/// One comparison of two schemas.
pub(super) struct Comparison<'a> {
    side: Side,
    roots: (Option<&'a Value>, Option<&'a Value>),
    /// The name of the tool before and now: root titles are made of it.
    tools: (&'a str, &'a str),
    surveys: OnceCell<(Survey<'a>, Survey<'a>)>,
    /// Pairs of schemas with references that were followed, by address: each pair once, so circles end.
    seen: BTreeSet<(*const Value, *const Value)>,
    /// The schemas that were reached by following, by address.
    followed: BTreeSet<*const Value>,
    /// What is left of [`FOLLOWED`], while something is being followed.
    budget: usize,
    depth_followed: usize,
    facts: Vec<Fact<'a>>,
}

/// Where a comparison stands.
#[derive(Clone)]
struct Here<'a> {
    path: Pointer,
    level: usize,
    /// The keyword that the schema stands under.
    keyword: &'a str,
    input: Option<&'a str>,
    named: (Named<'a>, Named<'a>),
    decided: bool,
}

impl<'a> Here<'a> {
    /// One schema further in.
    fn inside(&self, path: Pointer, keyword: &'a str) -> Self {
        Self {
            path,
            level: self.level + 1,
            keyword,
            input: self.input,
            named: (Named::Not, Named::Not),
            decided: self.decided && !turns_direction(keyword),
        }
    }

    fn inside_named(&self, path: Pointer, keyword: &'a str, name: &'a str) -> Self {
        Self {
            input: Some(name),
            named: (Named::As(name), Named::As(name)),
            ..self.inside(path, keyword)
        }
    }
}

/// The facts of two schemas of a tool, of which one may be missing.
pub(super) fn compare<'a>(
    side: Side,
    path: Pointer,
    tools: (&'a str, &'a str),
    before: Option<&'a Value>,
    after: Option<&'a Value>,
) -> Vec<Fact<'a>> {
    let mut comparison = Comparison {
        side,
        roots: (before, after),
        tools,
        surveys: OnceCell::new(),
        seen: BTreeSet::new(),
        followed: BTreeSet::new(),
        budget: FOLLOWED,
        depth_followed: 0,
        facts: Vec::new(),
    };
    let here = Here {
        path,
        level: 0,
        keyword: "",
        input: None,
        named: (Named::Root(tools.0), Named::Root(tools.1)),
        decided: true,
    };
    match (before, after) {
        (Some(before), Some(after)) => comparison.schema(&here, before, after),
        _ => comparison.push(&here, here.path.clone(), What::Root, before, after),
    }
    comparison.settle_definitions();
    comparison.facts
}

impl<'a> Comparison<'a> {
    fn schema(&mut self, here: &Here<'a>, before: &'a Value, after: &'a Value) {
        if before == after {
            return;
        }
        let path = || here.path.clone();
        let both = (Some(before), Some(after));
        if here.level >= DEPTH {
            self.push(here, path(), What::Opaque("too deep"), both.0, both.1);
            return;
        }
        match (before, after) {
            (Value::Object(old), Value::Object(new)) => {
                self.objects(here, (before, old), (after, new));
            }
            (Value::Object(_) | Value::Bool(_), Value::Object(_) | Value::Bool(_)) => {
                let what = What::Subschema {
                    keyword: here.keyword,
                };
                self.push(here, path(), what, both.0, both.1);
            }
            _ => self.push(here, path(), What::Opaque("no schema"), both.0, both.1),
        }
    }

    fn objects(
        &mut self,
        here: &Here<'a>,
        (before, old): (&'a Value, &'a Object),
        (after, new): (&'a Value, &'a Object),
    ) {
        let (mut old, mut new) = (View::of(old), View::of(new));
        self.unwrap_null(here, (before, &mut old), (after, &mut new));
        if old.reference() == new.reference() || self.budget == 0 {
            self.members(here, &old, &new);
            return;
        }
        let (Some(root_before), Some(root_after)) = self.roots else {
            return;
        };
        let followed = (old.clone().followed(root_before))
            .zip(new.clone().followed(root_after))
            .filter(|((old, _), (new, _))| !old.conflict && !new.conflict);
        let Some(((mut old, reached_before), (mut new, reached_after))) = followed else {
            // The reference itself is a keyword that differs; what it may mean is left open.
            self.members(here, &old, &new);
            return;
        };
        let pair = (std::ptr::from_ref(before), std::ptr::from_ref(after));
        self.push(
            here,
            here.path.clone(),
            What::Reference,
            Some(before),
            Some(after),
        );
        let reached = reached_before.into_iter().chain(reached_after);
        self.followed
            .extend(reached.map(|schema| std::ptr::from_ref(schema)));
        // A schema of thousands of keywords may be referred to from thousands of places.
        self.budget = (self.budget).saturating_sub(old.members.len() + new.members.len());
        if self.seen.insert(pair) {
            self.unwrap_null(here, (before, &mut old), (after, &mut new));
            self.depth_followed += 1;
            self.members(here, &old, &new);
            self.depth_followed -= 1;
        }
    }

    /// Takes a `null` beside the rest away if only one side has it, so that the rest is compared with the rest.
    fn unwrap_null(
        &mut self,
        here: &Here<'a>,
        (before, old): (&'a Value, &mut View<'a>),
        (after, new): (&'a Value, &mut View<'a>),
    ) {
        if !here.decided || old.is_union() == new.is_union() {
            return;
        }
        let (accepted, view) = if new.is_union() {
            (true, new)
        } else {
            (false, old)
        };
        if let Some(rest) = view.without_null() {
            *view = rest;
            let what = What::Nullable { accepted };
            self.push(here, here.path.clone(), what, Some(before), Some(after));
        }
    }

    fn members(&mut self, here: &Here<'a>, old: &View<'a>, new: &View<'a>) {
        let mut named: BTreeMap<&'a str, (Vec<&'a Value>, Vec<&'a Value>)> = BTreeMap::new();
        for (name, value) in &old.members {
            named.entry(name).or_default().0.push(value);
        }
        for (name, value) in &new.members {
            named.entry(name).or_default().1.push(value);
        }
        let mut values_told = false;
        for (name, (before, after)) in named {
            // More than one only where a definition has duplicate members.
            for at in 0..before.len().max(after.len()) {
                let (before, after) = (before.get(at).copied(), after.get(at).copied());
                if before == after {
                    continue;
                }
                if self.depth_followed > 0 {
                    self.budget = self.budget.saturating_sub(1);
                }
                if self.depth_followed > 0 && self.budget == 0 {
                    let what = What::Opaque("more references than are followed");
                    self.push(here, here.path.join(name), what, before, after);
                } else if shape(name) == Shape::Values {
                    values_told = self.values(here, name, (old, new), values_told);
                } else {
                    self.keyword(here, name, (before, after), (old, new));
                }
            }
        }
    }

    fn keyword(
        &mut self,
        here: &Here<'a>,
        name: &'a str,
        (before, after): (Option<&'a Value>, Option<&'a Value>),
        views: (&View<'a>, &View<'a>),
    ) {
        let path = here.path.join(name);
        match (shape(name), before, after) {
            (
                Shape::Schema
                | Shape::SchemaOrList
                | Shape::Branches
                | Shape::Positions
                | Shape::Inputs
                | Shape::Definitions
                | Shape::Dependents,
                _,
                _,
            ) => self.schemas(here, name, path, (before, after), views),
            (Shape::Title, _, _) => {
                let generated = [(before, here.named.0), (after, here.named.1)]
                    .into_iter()
                    .all(|(title, named)| match title {
                        Some(title) => title.as_str().is_some_and(|t| named.generates(t)),
                        None => true,
                    });
                self.push(here, path, What::Title { generated }, before, after);
            }
            (Shape::Required, _, _) => self.required(here, path, before, after),
            (Shape::Dialect, _, _) => {
                let what = self.dialect(before, after);
                self.push(here, path, what, before, after);
            }
            (Shape::Data | Shape::Reference, _, _) => {
                self.push(here, path, What::Keyword(name), before, after);
            }
            _ => {
                if !self.order(&path, before, after) {
                    self.push(here, path, What::Keyword(name), before, after);
                }
            }
        }
    }

    /// What stands under a keyword that holds schemas.
    fn schemas(
        &mut self,
        here: &Here<'a>,
        name: &'a str,
        path: Pointer,
        (before, after): (Option<&'a Value>, Option<&'a Value>),
        views: (&View<'a>, &View<'a>),
    ) {
        let object = |side: Option<&'a Value>| side.map_or(Some(&*EMPTY), Value::as_object);
        match (shape(name), before, after) {
            (Shape::Inputs | Shape::Definitions | Shape::Dependents, _, _) => {
                let Some((old, new)) = object(before).zip(object(after)) else {
                    self.push(here, path, What::Opaque("no schemas"), before, after);
                    return;
                };
                let known = self.facts.len();
                match shape(name) {
                    Shape::Inputs => self.inputs(here, name, &path, (old, new), views),
                    Shape::Definitions => self.definitions(here, name, &path, old, new),
                    _ => self.dependents(here, name, &path, old, new),
                }
                if self.facts.len() == known && before.is_some() != after.is_some() {
                    // It came or went empty.
                    self.push(here, path, What::Keyword(name), before, after);
                }
            }
            (Shape::Branches, Some(Value::Array(old)), Some(Value::Array(new))) => {
                self.branches(here, name, &path, old, new);
                self.order(&path, before, after);
            }
            (Shape::SchemaOrList, Some(Value::Array(old)), Some(Value::Array(new)))
            | (Shape::Positions, Some(Value::Array(old)), Some(Value::Array(new))) => {
                for at in 0..old.len().max(new.len()) {
                    self.element(here, name, path.index(at), old.get(at), new.get(at));
                }
            }
            (_, Some(_), None) | (_, None, Some(_)) => {
                let what = What::Subschema { keyword: name };
                self.push(here, path, what, before, after);
            }
            (Shape::Schema | Shape::SchemaOrList, Some(old), Some(new))
                if old.as_array().is_none() && new.as_array().is_none() =>
            {
                let inside = here.inside(path, name);
                self.schema(&inside, old, new);
            }
            _ => self.push(here, path, What::Opaque("no such schemas"), before, after),
        }
    }

    fn inputs(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        (old, new): (&'a Object, &'a Object),
        (view_before, view_after): (&View<'a>, &View<'a>),
    ) {
        let renamed = renamed(old, new);
        let is_required = |view: &View<'a>, name: &str| {
            view.get("required")
                .and_then(Value::as_array)
                .is_some_and(|list| list.iter().any(|r| r.as_str() == Some(name)))
        };
        for (name, before, after) in merged(old, new) {
            let inside = here.inside_named(path.join(name), keyword, name);
            if let (Some(before), Some(after)) = (before, after) {
                self.schema(&inside, before, after);
            } else {
                let view = if after.is_some() {
                    view_after
                } else {
                    view_before
                };
                let counterpart = renamed.iter().find_map(|(from, to)| {
                    let (own, other) = if after.is_some() {
                        (to, from)
                    } else {
                        (from, to)
                    };
                    (*own == name).then_some(*other)
                });
                let what = What::Input {
                    name,
                    required: is_required(view, name),
                    counterpart,
                };
                let path = inside.path.clone();
                self.push(&inside, path, what, before, after);
            }
        }
    }

    fn definitions(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        old: &'a Object,
        new: &'a Object,
    ) {
        for (name, before, after) in merged(old, new) {
            let inside = here.inside_named(path.join(name), keyword, name);
            if let (Some(before), Some(after)) = (before, after) {
                self.schema(&inside, before, after);
            } else {
                let what = What::Definition {
                    name,
                    followed: false,
                };
                let path = inside.path.clone();
                self.push(&inside, path, what, before, after);
            }
        }
    }

    fn dependents(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        old: &'a Object,
        new: &'a Object,
    ) {
        for (name, before, after) in merged(old, new) {
            let path = path.join(name);
            let is_list = |side: Option<&Value>| matches!(side, None | Some(Value::Array(_)));
            if is_list(before) && is_list(after) {
                self.required(here, path, before, after);
            } else {
                self.element(here, keyword, path, before, after);
            }
        }
    }

    fn branches(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: &Pointer,
        old: &'a [Value],
        new: &'a [Value],
    ) {
        let alignment = branches::align(old, new);
        for (before, after) in alignment.changed {
            let inside = here.inside(path.index(after), keyword);
            self.schema(&inside, &old[before], &new[after]);
        }
        for at in alignment.removed {
            self.element(here, keyword, path.index(at), old.get(at), None);
        }
        for at in alignment.added {
            self.element(here, keyword, path.index(at), None, new.get(at));
        }
    }

    /// A schema that may have come or gone.
    fn element(
        &mut self,
        here: &Here<'a>,
        keyword: &'a str,
        path: Pointer,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) {
        if let (Some(before), Some(after)) = (before, after) {
            let inside = here.inside(path, keyword);
            self.schema(&inside, before, after);
        } else {
            self.push(here, path, What::Branch { keyword }, before, after);
        }
    }

    /// Tells of `enum` and `const` together: each says which values are accepted. True from then on.
    fn values(
        &mut self,
        here: &Here<'a>,
        name: &'a str,
        (old, new): (&View<'a>, &View<'a>),
        told: bool,
    ) -> bool {
        let (before, after) = (old.get(name), new.get(name));
        let path = here.path.join(name);
        if name == "enum"
            && old.get("const") == new.get("const")
            && self.order(&path, before, after)
        {
            return told;
        }
        let what = What::Values {
            before: accepted(old),
            after: accepted(new),
        };
        self.push(here, path, what, before, after);
        true
    }

    fn required(
        &mut self,
        here: &Here<'a>,
        path: Pointer,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) {
        if self.order(&path, before, after) {
            return;
        }
        let names = |list: Option<&'a Value>| -> Vec<&'a str> {
            let list = list.and_then(Value::as_array).unwrap_or_default();
            list.iter().filter_map(Value::as_str).collect()
        };
        let old = names(before);
        let mut undeclared = names(after);
        let declared: BTreeSet<&'a str> = self.surveys().1.inputs.iter().copied().collect();
        undeclared.retain(|name| !old.contains(name) && !declared.contains(name));
        self.push(here, path, What::Required { undeclared }, before, after);
        if let Some(Place::Schema(spot)) = self.facts.last_mut().map(|fact| &mut fact.place) {
            // The name of a property is told where the property is.
            spot.news.said.retain(|name| !declared.contains(name));
        }
    }

    fn dialect(&self, before: Option<&'a Value>, after: Option<&'a Value>) -> What<'a> {
        let spoken = |value: Option<&Value>| match value {
            None => Spoken::Silent,
            Some(value) => value
                .as_str()
                .and_then(keyword::Dialect::named)
                .map_or(Spoken::Unknown, Spoken::Known),
        };
        let (old, new) = self.surveys();
        let sensitive = old.sensitive.iter().chain(&new.sensitive).next();
        What::Dialect {
            before: spoken(before),
            after: spoken(after),
            sensitive: sensitive.copied(),
        }
    }

    /// Tells that the order of an array differs, of what both sides have in common. True if nothing else does.
    fn order(
        &mut self,
        path: &Pointer,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) -> bool {
        let (Some(Value::Array(old)), Some(Value::Array(new))) = (before, after) else {
            return false;
        };
        let (same, reordered) = branches::compare_sets(old, new);
        if reordered {
            self.facts.push(Fact {
                kind: Kind::Tool,
                path: path.clone(),
                place: Place::Order,
                before,
                after,
            });
        }
        same
    }

    fn surveys(&self) -> &(Survey<'a>, Survey<'a>) {
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

    fn push(
        &mut self,
        here: &Here<'a>,
        path: Pointer,
        what: What<'a>,
        before: Option<&'a Value>,
        after: Option<&'a Value>,
    ) {
        let news = news(&what, here, before, after);
        self.facts.push(Fact {
            kind: Kind::Tool,
            path,
            place: Place::Schema(Box::new(Spot {
                side: self.side,
                what,
                input: here.input,
                decided: here.decided,
                news,
            })),
            before,
            after,
        });
    }

    /// A definition whose content was compared where it is used says nothing new, but for text that the other
    /// side's schema does not hold anywhere.
    fn settle_definitions(&mut self) {
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
        What::Title { .. } | What::Reference | What::Nullable { .. } => News::default(),
    }
}

/// The values that a schema accepts by `enum` or `const`; `None` is any.
fn accepted<'a>(view: &View<'a>) -> Option<Vec<&'a Value>> {
    match (view.get("const"), view.get("enum")) {
        (Some(one), _) => Some(vec![one]),
        (None, Some(Value::Array(several))) => Some(several.iter().collect()),
        (None, Some(odd)) => Some(vec![odd]),
        (None, None) => None,
    }
}

/// The members of two objects by name; duplicates by occurrence.
pub(super) fn merged<'a>(
    old: &'a Object,
    new: &'a Object,
) -> Vec<(&'a str, Option<&'a Value>, Option<&'a Value>)> {
    let mut named: BTreeMap<&'a str, (Vec<&'a Value>, Vec<&'a Value>)> = BTreeMap::new();
    for (name, value) in old.iter() {
        named.entry(name).or_default().0.push(value);
    }
    for (name, value) in new.iter() {
        named.entry(name).or_default().1.push(value);
    }
    let mut all = Vec::with_capacity(named.len());
    for (name, (before, after)) in named {
        for at in 0..before.len().max(after.len()) {
            all.push((name, before.get(at).copied(), after.get(at).copied()));
        }
    }
    all
}

/// Properties that went and came and are the same but for their names and titles: the only such pair of its
/// kind, or the only two at all and of one type.
fn renamed<'a>(old: &'a Object, new: &'a Object) -> Vec<(&'a str, &'a str)> {
    fn only<'a>(of: &'a Object, in_other: &Object) -> Vec<(&'a str, &'a Value)> {
        let other: BTreeSet<&str> = in_other.iter().map(|(name, _)| name).collect();
        of.iter()
            .filter(|(name, _)| !other.contains(name))
            .collect()
    }
    let (gone, came) = (only(old, new), only(new, old));
    if let ([(from, before)], [(to, after)]) = (&gone[..], &came[..]) {
        let one_type = before.get("type").is_some() && before.get("type") == after.get("type");
        if one_type {
            return vec![(*from, *to)];
        }
    }
    if gone.is_empty() || came.is_empty() {
        return Vec::new();
    }
    let mut alike: BTreeMap<String, (Vec<&'a str>, Vec<&'a str>)> = BTreeMap::new();
    for (name, schema) in gone {
        alike.entry(untitled(schema)).or_default().0.push(name);
    }
    for (name, schema) in came {
        alike.entry(untitled(schema)).or_default().1.push(name);
    }
    alike
        .into_values()
        .filter_map(|pair| match (&pair.0[..], &pair.1[..]) {
            ([from], [to]) => Some((*from, *to)),
            _ => None,
        })
        .collect()
}

fn untitled(schema: &Value) -> String {
    let mut copy = schema.clone();
    if let Value::Object(object) = &mut copy {
        object.remove("title");
    }
    crate::canonical::to_text(&copy)
}

/// A side that is missing has no members.
pub(super) static EMPTY: LazyLock<Object> = LazyLock::new(Object::default);
