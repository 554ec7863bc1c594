//! The JSON Schema vocabularies: what stands under each keyword, in every dialect from draft-04 to 2020-12.
//!
//! Positions decide, never names: a child of `properties` is an input whatever it is called, a member of a
//! `default` is data. Nothing here looks at values.

/// What the value of a keyword is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One schema.
    Schema,
    /// One schema, or an array of them by position (`items` up to 2019-09).
    SchemaOrList,
    /// Schemas by the name of an input.
    Inputs,
    /// Schemas that others refer to, by name.
    Definitions,
    /// What holds when a property is there: schemas or lists of names, by its name.
    Dependents,
    /// Schemas whose order means nothing: `anyOf`, `oneOf`, `allOf`.
    Branches,
    /// Schemas by position.
    Positions,
    /// `title`: a text that libraries generate.
    Title,
    /// A text for readers.
    Text,
    /// Any value, which is what it says: order counts.
    Data,
    /// The values that are accepted: `enum`, `const`.
    Values,
    /// Names of properties that must be there.
    Required,
    /// The dialect.
    Dialect,
    /// A reference to another schema.
    Reference,
    /// Anything else that the vocabularies define.
    Plain,
    /// Outside the vocabularies: whatever it means, a model reads it.
    Unknown,
}

/// What stands under a keyword.
pub fn shape(keyword: &str) -> Shape {
    match keyword {
        "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contentSchema" => Shape::Schema,
        "items" => Shape::SchemaOrList,
        "properties" | "patternProperties" => Shape::Inputs,
        "$defs" | "definitions" => Shape::Definitions,
        "dependentSchemas" | "dependencies" | "dependentRequired" => Shape::Dependents,
        "anyOf" | "oneOf" | "allOf" => Shape::Branches,
        "prefixItems" => Shape::Positions,
        "title" => Shape::Title,
        "description" | "$comment" | "examples" => Shape::Text,
        "default" => Shape::Data,
        "enum" | "const" => Shape::Values,
        "required" => Shape::Required,
        "$schema" => Shape::Dialect,
        "$ref" | "$dynamicRef" | "$recursiveRef" => Shape::Reference,
        "type" | "pattern" | "format" | "minLength" | "maxLength" | "minimum" | "maximum"
        | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" | "minItems" | "maxItems"
        | "uniqueItems" | "minProperties" | "maxProperties" | "minContains" | "maxContains"
        | "contentEncoding" | "contentMediaType" | "readOnly" | "writeOnly" | "deprecated"
        | "$id" | "id" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" | "$vocabulary" => {
            Shape::Plain
        }
        _ => Shape::Unknown,
    }
}

/// The type whose values a keyword restricts; `None` if it is about values of any type.
pub fn restricted_type(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains"
        | "minItems" | "maxItems" | "uniqueItems" | "minContains" | "maxContains" => "array",
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "required"
        | "dependentRequired"
        | "dependentSchemas"
        | "minProperties"
        | "maxProperties" => "object",
        "pattern" | "format" | "minLength" | "maxLength" | "contentEncoding"
        | "contentMediaType" | "contentSchema" => "string",
        _ => return None,
    })
}

/// Whether what stands under a keyword says what is refused or when, so that accepting less there may accept
/// more as a whole.
pub fn turns_direction(keyword: &str) -> bool {
    matches!(keyword, "not" | "if")
}

/// Whether what stands under a keyword speaks of the same value as the schema that it stands in.
pub fn stays_in_place(keyword: &str) -> bool {
    matches!(
        keyword,
        "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependencies"
    )
}

/// The keyword by which an HTTP client sends an input as a header (2026-07-28, "Transports").
pub const HEADER: &str = "x-mcp-header";

/// Whether a text may name a header: a token (RFC 9110, section 5.6.2).
pub fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// A dialect of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// 2019-09.
    Draft2019,
    /// 2020-12, which is also what holds without `$schema` (2025-11-25, "Tools").
    Draft2020,
}

impl Dialect {
    /// The dialect that a `$schema` names; the scheme and an empty fragment do not count.
    pub fn named(uri: &str) -> Option<Self> {
        let rest = uri
            .strip_prefix("https://")
            .or_else(|| uri.strip_prefix("http://"))?;
        match rest.strip_suffix('#').unwrap_or(rest) {
            "json-schema.org/draft-04/schema" => Some(Self::Draft4),
            "json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft2019),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            _ => None,
        }
    }

    /// Its usual name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft2019 => "2019-09",
            Self::Draft2020 => "2020-12",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_is_known_with_or_without_its_empty_fragment() {
        assert_eq!(
            Dialect::named("http://json-schema.org/draft-07/schema#"),
            Some(Dialect::Draft7)
        );
        assert_eq!(
            Dialect::named("https://json-schema.org/draft/2020-12/schema"),
            Some(Dialect::Draft2020)
        );
        assert_eq!(Dialect::named("https://example.invalid/schema"), None);
    }
}
