//! Readers that nobody here wrote: a validator of JSON Schemas, and a strict reader of XML.

use crate::support::repository;
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;
use std::fs;

/// A schema, ready to judge.
pub(crate) struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    /// The committed schema of the report, without its promise that members may be added: a member that it does not
    /// know was forgotten there.
    pub(crate) fn of_report() -> Self {
        let mut schema = read("docs/report.schema.json");
        close(&mut schema);
        Self::new(schema)
    }

    /// The schema of SARIF 2.1.0.
    pub(crate) fn of_sarif() -> Self {
        let folder = "tests/peers/installed/sarif-schema";
        assert!(
            repository(folder).join(".stamp").is_file(),
            "the schema of SARIF is not installed: run `tests/peers/install`"
        );
        Self::new(read(&format!(
            "{folder}/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
        )))
    }

    fn new(schema: Value) -> Self {
        const NAME: &str = "urn:test:schema";
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        compiler.add_resource(NAME, schema).expect("a schema");
        let mut schemas = Schemas::new();
        let index = compiler
            .compile(NAME, &mut schemas)
            .expect("a schema that compiles");
        Self { schemas, index }
    }

    /// Whether a document is as the schema says.
    pub(crate) fn fits(&self, document: &Value) -> bool {
        self.schemas.validate(document, self.index).is_ok()
    }

    /// Fails with what is wrong unless a document is as the schema says.
    #[track_caller]
    pub(crate) fn holds(&self, document: &Value) {
        if let Err(error) = self.schemas.validate(document, self.index) {
            panic!("{error:#}\n{document:#}");
        }
    }
}

fn read(file: &str) -> Value {
    let text = fs::read_to_string(repository(file)).unwrap_or_else(|e| panic!("`{file}`: {e}"));
    serde_json::from_str(&text).expect("JSON")
}

/// Forbids members that are not named, wherever some are.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.contains_key("properties") {
                members.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(close),
        _ => {}
    }
}

/// XML, or a page that is XML too.
pub(crate) fn tree(text: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(text, options).expect("well-formed XML")
}
