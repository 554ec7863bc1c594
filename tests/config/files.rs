//! Files: which are found, how one is read, and what two of them make together.

use crate::support::{endpoint, entry, environment, server, texts};
use countersign::config::{discover, load, merge};
use countersign::model::SpecState;
use std::path::{Path, PathBuf};

#[test]
fn a_project_s_files_are_found_in_their_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(discover(folder.path()), Vec::<PathBuf>::new());
    for path in [".cursor/mcp.json", ".mcp.json", ".vscode/mcp.json"] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, "{}").expect("written");
    }
    let found = discover(folder.path());
    let expected =
        [".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"].map(|path| folder.path().join(path));
    assert_eq!(found, expected);
}

#[test]
fn the_workspace_is_the_project_that_the_file_belongs_to() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let json = r#"{ "servers": { "x": { "command": "${workspaceFolder}" } } }"#;
    let command = |path: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(&path, json).expect("written");
        let spec = server(
            "x",
            load(&path, true, &environment()).expect("a configuration"),
        );
        texts(endpoint(&spec)).remove(0)
    };
    let project = folder.path().to_string_lossy().into_owned();
    assert_eq!(command(".vscode/mcp.json"), project);
    assert_eq!(command(".mcp.json"), project);
    assert_eq!(command("ci/servers.json"), "/home/ada/project");
}

#[test]
fn a_broken_file_is_named_with_the_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let message = |text: &str, explicit: bool| {
        let path = folder.path().join("config.json");
        std::fs::write(&path, text).expect("written");
        let problem = load(&path, explicit, &environment()).err()?;
        assert_eq!(problem.kind, "config");
        assert!(problem.message.contains("config.json`"), "{problem:?}");
        Some(problem.message)
    };
    let ends = |message: Option<String>, end: &str| message.is_some_and(|text| text.ends_with(end));
    assert!(ends(
        message("{\n \"servers\": {},\n \"servers\": {} }", true),
        "line 3: the member `servers` stands twice in one object (first on line 2)"
    ));
    assert!(message("{\n x }", true).is_some_and(|text| text.contains("line 2, column 2: ")));
    assert!(ends(
        message("[]", true),
        "the file holds an array, not an object"
    ));
    assert!(message("{}", true).is_some_and(|text| text.contains("`mcpServers`, `servers`")));
    assert_eq!(message("{}", false), None);
    assert_eq!(message(r#"{ "servers": {} }"#, true), None);
    let missing = load(&folder.path().join("gone.json"), true, &environment());
    assert!(
        missing
            .err()
            .is_some_and(|problem| problem.message.contains("gone.json` cannot be read"))
    );
}

#[test]
fn one_bad_server_leaves_its_neighbours_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("config.json");
    let text = r#"{ "servers": { "b": 1, "a": { "command": "x" }, "c": { "command": "x", "args": {} } } }"#;
    std::fs::write(&path, text).expect("written");
    let specs = load(&path, false, &environment()).expect("a configuration");
    let states: Vec<_> = specs
        .iter()
        .map(|spec| {
            (
                spec.name.as_str(),
                matches!(spec.state, SpecState::Ready(_)),
                spec.explicit,
            )
        })
        .collect();
    assert_eq!(
        states,
        [("a", true, false), ("b", false, false), ("c", false, false)]
    );
    assert_eq!(specs[0].origin.as_deref(), Some(path.as_path()));
}

#[test]
fn of_two_servers_of_one_name_the_first_that_is_enabled_stands() {
    let list = |file: &str, json: &str| {
        let mut spec = entry(json);
        spec.origin = Some(PathBuf::from(file));
        vec![spec]
    };
    let same = r#"{ "command": "x" }"#;
    let other = r#"{ "command": "y" }"#;
    let disabled = r#"{ "command": "x", "disabled": true }"#;

    let (specs, warnings) = merge(vec![list("one", same), list("two", same)]);
    assert_eq!((specs.len(), warnings.len()), (1, 0));

    let (specs, warnings) = merge(vec![list("one", same), list("two", other)]);
    assert_eq!(specs[0].origin.as_deref(), Some(Path::new("one")));
    assert_eq!(warnings[0].rule, "same-name");
    assert_eq!(
        warnings[0].message,
        "`one` and `two` launch `x` in different ways: that of `one` is taken"
    );

    let (specs, warnings) = merge(vec![list("one", disabled), list("two", other)]);
    assert_eq!(specs[0].origin.as_deref(), Some(Path::new("two")));
    assert_eq!(warnings.len(), 1);

    let (specs, warnings) = merge(vec![list("one", disabled), list("two", same)]);
    assert!(matches!(specs[0].state, SpecState::Ready(_)));
    assert!(warnings.is_empty());
}
