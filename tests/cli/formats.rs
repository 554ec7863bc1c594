//! Every format of a real report, by readers that nobody here wrote.

use crate::schema::{Schema, tree};
use crate::support::{Sandbox, repository, scripted};
use countersign::render::Format;
use serde_json::{Value, json};
use std::fs;

const LOCKFILE: &str = "countersign.lock.json";

/// A repository with a server that was accepted and has changed, one that does not start, one that is disabled, and one
/// that nobody took in yet.
fn drifting() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path(".git")).expect("a folder of the sandbox");
    sandbox.copy("fixtures/demo/before.json", "catalogue.json");
    sandbox.copy("fixtures/demo/before.json", "gone.json");
    let mut servers = json!({ "notes": server(&sandbox, "catalogue.json"), "broken": server(&sandbox, "gone.json") });
    configure(&sandbox, &servers);
    sandbox.run(&["snapshot"]).expect(0);
    fs::remove_file(sandbox.path("gone.json")).expect("a file of the sandbox");
    sandbox.copy("fixtures/demo/after.json", "catalogue.json");
    servers["off"] = json!({ "command": "true", "disabled": true });
    sandbox.copy("fixtures/demo/before.json", "other.json");
    servers["new one"] = server(&sandbox, "other.json");
    configure(&sandbox, &servers);
    sandbox
}

/// The entry of a scripted server.
pub(crate) fn server(sandbox: &Sandbox, catalogue: &str) -> Value {
    let command = scripted(&sandbox.path(catalogue));
    json!({ "command": command[0], "args": command[1..] })
}

/// Names the servers of the project.
pub(crate) fn configure(sandbox: &Sandbox, servers: &Value) {
    sandbox.write(".mcp.json", json!({ "mcpServers": servers }).to_string());
}

fn shown(sandbox: &Sandbox, format: &str) -> String {
    sandbox.run(&["diff", "--format", format]).expect(1).stdout
}

#[test]
fn every_format_of_an_unchanged_world_is_the_same_twice() {
    let sandbox = drifting();
    shown(&sandbox, "text");
    for format in Format::ALL {
        let word = format.word();
        let (first, second) = (shown(&sandbox, word), shown(&sandbox, word));
        assert!(
            !first.is_empty() && first.ends_with('\n'),
            "{word}: {first}"
        );
        assert_eq!(first, second, "{word}");
    }
}

#[test]
fn what_is_kept_as_a_file_says_on_standard_error_what_it_comes_to() {
    let sandbox = drifting();
    for format in Format::ALL {
        let said = sandbox
            .run(&["diff", "--format", format.word()])
            .expect(1)
            .stderr;
        let summary = said.contains("material changes wait in 2 servers");
        assert_eq!(summary, format.is_kept(), "{}: {said}", format.word());
        let quiet = ["diff", "-q", "--format", format.word()];
        assert_eq!(sandbox.run(&quiet).expect(1).stderr, "");
    }
}

#[test]
fn a_run_that_fails_answers_in_the_format_that_was_asked_for() {
    let sandbox = drifting();
    sandbox.write(LOCKFILE, "<<<<<<< HEAD\n");
    for format in Format::ALL.into_iter().filter(|f| *f != Format::Text) {
        for args in [&["diff"][..], &["diff", "--no-such-flag"]] {
            let args = [args, &["--format", format.word()]].concat();
            let failed = sandbox.run(&args).expect(2);
            let cause =
                failed.stdout.contains("merge conflict") || failed.stdout.contains("no-such-flag");
            assert!(cause, "{}: {}", format.word(), failed.stdout);
            assert_eq!(
                failed.stderr.is_empty(),
                format == Format::Json,
                "{}",
                failed.stderr
            );
        }
        // What has no report is text or JSON.
        let failed = sandbox
            .run(&["ack", "--all", "--format", format.word()])
            .expect(2);
        assert_eq!(
            failed.stdout.is_empty(),
            format != Format::Json,
            "{}",
            failed.stdout
        );
    }
}

#[test]
fn real_reports_are_as_the_committed_schema_says_and_have_no_other_member() {
    let schema = Schema::of_report();
    let sandbox = drifting();
    let run = |args: &[&str], status| {
        let args = [args, &["--format", "json"]].concat();
        let report = sandbox.run(&args).expect(status).json();
        schema.holds(&report);
        report
    };
    let report = run(&["diff"], 1);
    let outcomes = report["servers"].as_array().expect("servers").iter();
    let outcomes: Vec<&Value> = outcomes.map(|server| &server["outcome"]).collect();
    assert_eq!(outcomes, ["unknown", "drift", "drift", "disabled"]);
    run(&["snapshot"], 2);
    run(&["review"], 1);
    run(&["diff", "--no-such-flag"], 2);
    sandbox
        .run(&["ack", "notes", "--by", "Ada", "--note", "fine"])
        .expect(0);
    let all = run(&["review", "--all"], 2);
    let changes = all["servers"][2]["changes"].as_array().expect("changes");
    assert!(
        changes
            .iter()
            .any(|change| change["acknowledged"] != Value::Null),
        "{all:#}"
    );
    let rules = fs::read_dir(repository("fixtures/rules")).expect("a folder");
    for rule in rules {
        let folder = rule.expect("an entry").path();
        let [before, after] = ["before.json", "after.json"].map(|side| folder.join(side));
        let [before, after] = [&before, &after].map(|side| side.to_str().expect("UTF-8"));
        let args = ["diff", before, after, "--format", "json"];
        schema.holds(&sandbox.run(&args).json());
    }
}

#[test]
fn the_schema_of_the_report_refuses_what_is_none() {
    let schema = Schema::of_report();
    let report = drifting()
        .run(&["diff", "--format", "json"])
        .expect(1)
        .json();
    for (pointer, value) in [
        ("/report", json!(2)),
        ("/outcome", json!("fine")),
        ("/servers/0/outcome", json!("drifting")),
        ("/servers/2/changes/0/id", json!("xyz")),
        ("/servers/2/changes/0/level", Value::Null),
        ("/servers/2/changes/0/after/digest", json!("sha256:1")),
        ("/servers/2/changes/0/reasons/0/path", json!("description")),
        ("/error", json!("no")),
    ] {
        let mut other = report.clone();
        *other
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("no {pointer}")) = value;
        assert!(!schema.fits(&other), "{pointer}");
    }
    let mut other = report;
    other["servers"][0]["invented"] = json!(1);
    assert!(!schema.fits(&other), "an unknown member");
}

#[test]
fn sarif_is_valid_and_points_to_the_lines_of_the_lockfile() {
    let schema = Schema::of_sarif();
    let sandbox = drifting();
    let log = |args: &[&str], status| {
        let args = [args, &["--format", "sarif"]].concat();
        let log = sandbox.run(&args).expect(status).json();
        schema.holds(&log);
        log["runs"][0].clone()
    };
    let run = log(&["diff"], 1);
    let lines: Vec<String> = sandbox.read(LOCKFILE).lines().map(str::to_owned).collect();
    let results = run["results"].as_array().expect("results");
    let mut tools = 0;
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"]
            .as_u64()
            .map_or(usize::MAX, |i| usize::try_from(i).expect("an index"))];
        assert_eq!(rule["id"], result["ruleId"]);
        let place = &result["locations"][0];
        let physical = &place["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], LOCKFILE);
        let subject = place["logicalLocations"][0]["fullyQualifiedName"]
            .as_str()
            .expect("a name");
        if let Some(tool) = subject.strip_prefix("notes/tool:") {
            tools += 1;
            // A new tool stands where its server does.
            let known = lines
                .iter()
                .any(|line| line.contains(&format!("\"{tool}\": {{")));
            let name = if known { tool } else { "notes" };
            let line = physical["region"]["startLine"].as_u64().expect("a line");
            let line = &lines[usize::try_from(line).expect("a line") - 1];
            assert_eq!(line.trim(), format!("\"{name}\": {{"), "{result:#}");
        }
    }
    assert!(tools > 1, "{results:#?}");
    let levels = |level: &str| {
        results
            .iter()
            .filter(|result| result["level"] == level)
            .count()
    };
    assert!(levels("error") > 1);
    let unknown = results
        .iter()
        .find(|result| result["ruleId"] == "not-checked")
        .expect("an unknown server");
    let text = unknown["message"]["text"].as_str().expect("a text");
    assert!(
        text.starts_with("server broken could not be checked: "),
        "{text}"
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    log(&["diff", "--no-such-flag"], 2);
    let files = [
        repository("fixtures/demo/before.json"),
        repository("fixtures/demo/after.json"),
    ];
    let files = files.each_ref().map(|file| file.to_str().expect("UTF-8"));
    let run = log(&["diff", files[0], files[1]], 1);
    let place = &run["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "after.json");
    sandbox.run(&["ack", "notes", "--by", "Ada"]).expect(0);
    let run = log(&["review", "--all", "notes"], 0);
    assert_eq!(
        run["results"],
        json!([]),
        "what is acknowledged is left out"
    );
}

#[test]
fn fingerprints_stay_while_lines_move_and_change_with_the_next_edit() {
    let sandbox = drifting();
    let prints = || -> Vec<String> {
        let log: Value = serde_json::from_str(&shown(&sandbox, "sarif")).expect("JSON");
        let results = log["runs"][0]["results"]
            .as_array()
            .expect("results")
            .iter();
        let of_notes = results.filter(|result| {
            result["message"]["text"]
                .as_str()
                .is_some_and(|text| text.contains("notes/"))
        });
        of_notes
            .map(|result| result["partialFingerprints"]["countersign/v1"].to_string())
            .collect()
    };
    let first = prints();
    assert!(first.len() > 2, "{first:?}");
    let moved = sandbox.read(LOCKFILE).replacen('{', "{\n\n\n", 1);
    sandbox.write(LOCKFILE, moved);
    assert_eq!(prints(), first);
    let edited = sandbox
        .read("catalogue.json")
        .replace("Return the text", "Return all of the text");
    sandbox.write("catalogue.json", edited);
    let second = prints();
    let stayed = first.iter().filter(|print| second.contains(print)).count();
    assert!(
        stayed > 0 && second.iter().any(|print| !first.contains(print)),
        "{first:?} {second:?}"
    );
}

#[test]
fn an_xml_reader_counts_what_junit_says() {
    let sandbox = drifting();
    let xml = shown(&sandbox, "junit");
    let document = tree(&xml);
    let root = document.root_element();
    let count = |node: roxmltree::Node<'_, '_>, name: &str| {
        node.descendants().filter(|n| n.has_tag_name(name)).count()
    };
    for suite in std::iter::once(root).chain(root.children().filter(roxmltree::Node::is_element)) {
        for (attribute, element) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            let said = suite
                .attribute(attribute)
                .and_then(|count| count.parse().ok());
            assert_eq!(said, Some(count(suite, element)), "{attribute} in {xml}");
        }
    }
    let of = |server: &str, element: &str| {
        let suite = root
            .children()
            .find(|node| node.attribute("name") == Some(server))
            .expect("a suite");
        count(suite, element)
    };
    assert_eq!((of("broken", "error"), of("broken", "failure")), (1, 0));
    assert_eq!((of("off", "skipped"), of("\"new one\"", "failure")), (1, 1));
    let report = sandbox.run(&["diff", "--format", "json"]).expect(1).json();
    let changes = report["servers"][2]["changes"].as_array().expect("changes");
    let waiting = changes
        .iter()
        .filter(|change| change["level"] == "material")
        .count();
    assert_eq!(of("notes", "failure"), waiting);
}

#[test]
fn a_list_for_gitlab_has_what_code_quality_asks_for() {
    let sandbox = drifting();
    let list: Value = serde_json::from_str(&shown(&sandbox, "gitlab")).expect("JSON");
    let entries = list.as_array().expect("a list");
    let mut prints: Vec<&str> = Vec::new();
    for entry in entries {
        for member in ["description", "check_name", "fingerprint"] {
            assert!(
                entry[member].as_str().is_some_and(|text| !text.is_empty()),
                "{entry:#}"
            );
        }
        let severity = entry["severity"].as_str().expect("a severity");
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&severity));
        assert_eq!(entry["location"]["path"], LOCKFILE);
        assert!(
            entry["location"]["lines"]["begin"]
                .as_u64()
                .is_some_and(|line| line > 0)
        );
        prints.push(entry["fingerprint"].as_str().expect("a text"));
    }
    prints.sort_unstable();
    prints.dedup();
    assert_eq!(prints.len(), entries.len());
    assert!(
        entries
            .iter()
            .any(|entry| entry["severity"] == "critical" && entry["check_name"] == "not-checked")
    );
}

#[test]
fn annotations_stand_at_the_lines_of_the_lockfile() {
    let sandbox = drifting();
    let annotations = shown(&sandbox, "github");
    // `broken` stands before it, with a tool of that name.
    let lockfile = sandbox.read(LOCKFILE);
    let lines: Vec<&str> = lockfile.lines().map(str::trim).collect();
    let line = lines
        .iter()
        .rposition(|line| *line == "\"search_notes\": {");
    let line = line.expect("a tool");
    let wanted = format!(
        "::error file={LOCKFILE},line={},title=tool notes/search_notes changed::",
        line + 1
    );
    assert!(annotations.contains(&wanted), "{wanted} in {annotations}");
}

#[test]
fn the_page_tells_the_past_of_a_server() {
    let sandbox = drifting();
    sandbox.run(&["diff"]).expect(1);
    let ack = ["ack", "notes", "--by", "Ada", "--note", "wanted, & <fine>"];
    sandbox.run(&ack).expect(0);
    let page = shown(&sandbox, "html");
    let document = tree(&page);
    let is_notes = |node: &roxmltree::Node<'_, '_>| {
        let text: String = node.descendants().filter_map(|n| n.text()).collect();
        node.has_tag_name("section") && text.trim_start().starts_with("notes")
    };
    let section = document.descendants().find(is_notes).expect("a section");
    let past: Vec<String> = section
        .descendants()
        .filter(|node| node.attribute("class") == Some("moments"))
        .flat_map(|list| list.children().filter(roxmltree::Node::is_element))
        .map(|moment| {
            moment
                .descendants()
                .filter(roxmltree::Node::is_text)
                .filter_map(|n| n.text())
                .collect()
        })
        .collect();
    let tells = |words: &str| past.iter().position(|moment| moment.contains(words));
    // The newest first.
    let order = [
        "acknowledged by Ada: wanted, & <fine>",
        "search_notes changed",
        "first seen",
        "taken into the lockfile",
    ];
    let order =
        order.map(|words| tells(words).unwrap_or_else(|| panic!("no {words} in {past:#?}")));
    assert!(order.is_sorted(), "{past:#?}");
}

#[test]
fn one_run_writes_the_same_in_every_format_as_runs_of_their_own() {
    let sandbox = drifting();
    shown(&sandbox, "text");
    let outputs: Vec<String> = Format::ALL
        .iter()
        .map(|format| format!("--output={0}=out/{0}", format.word()))
        .collect();
    fs::create_dir(sandbox.path("out")).expect("a folder of the sandbox");
    let mut words = vec!["diff", "--format", "github"];
    words.extend(outputs.iter().map(String::as_str));
    let run = sandbox.run(&words).expect(1);
    assert_eq!(run.stdout, shown(&sandbox, "github"));
    for format in Format::ALL {
        let word = format.word();
        let kept = sandbox.run(&["diff", "--format", word]).expect(1).stdout;
        assert_eq!(sandbox.seen(&format!("out/{word}")), kept, "{word}");
    }
}

#[test]
fn a_run_that_fails_as_a_whole_says_so_in_its_files_too() {
    let sandbox = Sandbox::new();
    let words = [
        "diff",
        "--output",
        "junit=report.xml",
        "--output",
        "sarif=report.sarif",
    ];
    sandbox.run(&words).expect(2);
    let junit = sandbox.read("report.xml");
    assert!(junit.contains("<error"), "{junit}");
    let sarif: Value = serde_json::from_str(&sandbox.read("report.sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "not-checked");
}

#[test]
fn a_file_that_cannot_be_written_is_never_status_0_and_keeps_no_other_from_being() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path(".git")).expect("a folder of the sandbox");
    sandbox.copy("fixtures/demo/before.json", "catalogue.json");
    configure(
        &sandbox,
        &json!({ "notes": server(&sandbox, "catalogue.json") }),
    );
    sandbox.run(&["snapshot"]).expect(0);
    let words = [
        "diff",
        "--output",
        "json=no/such/folder",
        "--output",
        "json=there.json",
    ];
    let run = sandbox.run(&words).expect(2);
    assert!(run.stderr.contains("no/such/folder"), "{}", run.stderr);
    assert!(
        sandbox
            .read("there.json")
            .contains("\"outcome\": \"clean\"")
    );
    for wrong in ["json", "json=", "=file", "pdf=file"] {
        let run = sandbox.run(&["diff", "--output", wrong]).expect(2);
        assert!(run.stderr.contains("sarif"), "{wrong}: {}", run.stderr);
    }
}
