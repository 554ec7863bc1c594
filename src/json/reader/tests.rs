use super::*;

fn flaws(text: &str) -> Vec<FlawKind> {
    let document = read(text.as_bytes(), Limits::default()).expect("legal JSON");
    document.flaws.into_iter().map(|f| f.kind).collect()
}

fn kind(text: &[u8]) -> ErrorKind {
    read(text, Limits::default()).expect_err("not JSON").kind
}

#[test]
fn order_duplicates_and_number_texts_are_kept() {
    let text = r#"{"b":1.0,"a":[1e2,-0,0.10],"b":"\u00e9\ud83d\ude00"}"#;
    let document = read(text.as_bytes(), Limits::default()).expect("legal JSON");
    let members: Vec<_> = document
        .value
        .as_object()
        .expect("an object")
        .iter()
        .collect();
    assert_eq!(members[0], ("b", &Value::Number("1.0".into())));
    assert_eq!(members[2], ("b", &Value::from("é😀")));
    assert_eq!(
        document.flaws[0].kind,
        FlawKind::DuplicateMember("b".into())
    );
}

#[test]
fn a_duplicate_stands_where_its_second_name_does() {
    let text = r#"{"a":1,"a":{"b":"\ud800"}}"#;
    let document = read(text.as_bytes(), Limits::default()).expect("legal JSON");
    let offsets: Vec<_> = document.flaws.iter().map(|flaw| flaw.offset).collect();
    assert_eq!(offsets[0], 7);
    assert!(offsets.is_sorted() && offsets.len() == 2);
}

#[test]
fn an_object_knows_the_bytes_it_was_read_from() {
    let text = br#" [ {"a": {} } , 1]"#;
    let document = read(text, Limits::default()).expect("legal JSON");
    let first = document.value.as_array().expect("an array")[0]
        .as_object()
        .expect("an object");
    assert_eq!(&text[first.span()], br#"{"a": {} }"#);
}

#[test]
fn elements_of_outer_lists_are_handed_on_with_their_place_and_their_flaws() {
    let text = r#"{"a":[1,{"x":[2]}],"r":{"b":[{"c":1,"c":2},"\ud800",{}],"d":{"e":[3]}},"r":[]}"#;
    let mut told = Vec::new();
    let document = read_lists(text.as_bytes(), Limits::default(), &mut |element| {
        let (path, value) = (element.path.join("/"), element.value);
        let is_object = value.as_object().is_some();
        told.push((path, element.is_flawed, value.type_name()));
        is_object.then_some(value)
    });
    let document = document.expect("legal JSON");
    let wanted = [
        ("a", false, "number"),
        ("a", false, "object"),
        ("r/b", true, "object"),
        ("r/b", false, "string"),
        ("r/b", false, "object"),
    ];
    let told: Vec<_> = told.iter().map(|(p, f, t)| (p.as_str(), *f, *t)).collect();
    assert_eq!(told, wanted);
    let left = r#"{"a":[{"x":[2]}],"r":{"b":[{"c":1,"c":2},{}],"d":{"e":[3]}},"r":[]}"#;
    let whole = read(text.as_bytes(), Limits::default()).expect("legal JSON");
    let left = read(left.as_bytes(), Limits::default()).expect("legal JSON");
    assert_eq!((document.value, document.flaws), (left.value, whole.flaws));
}

#[test]
fn a_lone_surrogate_is_a_flaw_and_its_neighbour_is_read() {
    assert_eq!(flaws(r#""a\ud800b""#), [FlawKind::LoneSurrogate]);
    assert_eq!(flaws(r#""\ud800\u0041""#), [FlawKind::LoneSurrogate]);
    assert_eq!(flaws(r#""\udc00""#), [FlawKind::LoneSurrogate]);
    assert_eq!(flaws(r#""\ud83d\ude00""#), []);
}

#[test]
fn what_is_not_json_is_refused() {
    for text in [
        "",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "01",
        "+1",
        ".5",
        "1.",
        "1e",
        "nul",
        "NaN",
        "'a'",
        "[1 2]",
        "{a:1}",
        "\"\\x\"",
        "1a",
    ] {
        assert!(read(text.as_bytes(), Limits::default()).is_err(), "{text}");
    }
    assert_eq!(kind(b"\"\x01\""), ErrorKind::StringSyntax);
    assert_eq!(kind(b"\"\xff\""), ErrorKind::Utf8);
    assert_eq!(kind(b"{} {}"), ErrorKind::Trailing);
}

#[test]
fn depth_is_bounded_without_recursion() {
    let limits = Limits {
        depth: 3,
        ..Limits::default()
    };
    assert!(read(b"[[[]]]", limits).is_ok());
    assert_eq!(
        read(b"[[[[]]]]", limits).expect_err("too deep").kind,
        ErrorKind::Depth(3)
    );
    let bomb = vec![b'['; 4 << 20];
    assert_eq!(kind(&bomb), ErrorKind::Depth(2_000));
}

#[test]
fn an_error_names_line_and_column() {
    let error = read(b"{\n  \"a\": tru\n}", Limits::default()).expect_err("not JSON");
    assert_eq!((error.line, error.column), (2, 8));
}

#[test]
fn an_exponent_is_endless_as_it_stands_or_in_its_canonical_text() {
    for (text, is_endless) in [
        ("1e999999999999999999", false),
        ("1e0999999999999999999", false),
        ("1e1000000000000000000", true),
        ("-1.5e-999999999999999999", true),
        ("10e999999999999999999", true),
        ("10.0e999999999999999999", true),
        ("10.5e999999999999999999", false),
        ("0.10e999999999999999999", false),
        ("100e-999999999999999999", false),
        ("0e999999999999999999", false),
    ] {
        let document = read(text.as_bytes(), Limits::default()).expect("a number");
        assert_eq!(!document.flaws.is_empty(), is_endless, "{text}");
        if !is_endless {
            let again = crate::canonical::number(text);
            let again = read(again.as_bytes(), Limits::default()).expect("a number");
            assert_eq!(again.flaws, [], "{text}");
        }
    }
}
