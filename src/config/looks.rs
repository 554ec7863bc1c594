//! What a secret looks like: names that hold one, and values that can be nothing else.
//!
//! What is taken for a secret is left out of a launch's identity, so a wrong guess costs either way: a key in
//! a committed file, or a swapped program that nobody sees. Names decide where they can; a value alone counts
//! only when it looks drawn at random.

/// Words of a name that say that its value is a secret.
const SECRET_WORDS: [&str; 27] = [
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "credentials",
    "jwt",
    "key",
    "keys",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "pat",
    "pwd",
    "secret",
    "secrets",
    "sig",
    "signature",
    "token",
    "accesskey",
    "privatekey",
    "secretkey",
    "authkey",
    "apitoken",
];

/// Ends of words that were written together: `accesstoken`, `dbpassword`.
const SECRET_ENDS: [&str; 6] = [
    "token",
    "secret",
    "password",
    "passwd",
    "apikey",
    "passphrase",
];

/// Last words of a name that say where a secret is or of what kind, not what it is.
const ABOUT_WORDS: [&str; 13] = [
    "dir", "endpoint", "env", "file", "host", "method", "mode", "name", "path", "type", "uri",
    "url", "var",
];

/// Words of a name whose value is a fingerprint of something public.
const HASH_WORDS: [&str; 9] = [
    "checksum",
    "commit",
    "digest",
    "hash",
    "integrity",
    "ref",
    "rev",
    "revision",
    "sha",
];

/// Values that switch something on or off.
const SWITCHES: [&str; 8] = ["false", "no", "none", "null", "off", "on", "true", "yes"];

/// Values that stand in too many messages to be taken out of them.
const EVERYDAY: [&str; 25] = [
    "admin",
    "basic",
    "bearer",
    "debug",
    "default",
    "development",
    "error",
    "guest",
    "info",
    "local",
    "localhost",
    "plain",
    "postgres",
    "production",
    "root",
    "silent",
    "staging",
    "stderr",
    "stdio",
    "stdout",
    "test",
    "trace",
    "user",
    "warn",
    "warning",
];

/// Beginnings that services give their keys.
const KEY_STARTS: [&str; 20] = [
    "AIza",
    "AKIA",
    "ASIA",
    "eyJ",
    "figd_",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "hf_",
    "npm_",
    "ntn_",
    "sk-",
    "sk_",
    "tvly-",
    "xapp-",
    "xox",
    "ya29.",
];

/// Endings of files that programs are started with.
const SCRIPT_ENDS: [&str; 15] = [
    ".js", ".mjs", ".cjs", ".ts", ".py", ".rb", ".sh", ".jar", ".php", ".exe", ".cmd", ".bat",
    ".json", ".yaml", ".toml",
];

/// Whether a value of that name is a secret: `--api-key`, `GITHUB_TOKEN`, `accessToken`, `X-Api-Key`.
pub(super) fn secret_name(name: &str) -> bool {
    let words = words(name);
    if words
        .last()
        .is_some_and(|word| ABOUT_WORDS.contains(&word.as_str()))
    {
        return false;
    }
    words.iter().any(|word| {
        SECRET_WORDS.contains(&word.as_str()) || SECRET_ENDS.iter().any(|end| word.ends_with(end))
    })
}

/// Whether a value of that name is a fingerprint, however random it looks.
pub(super) fn hash_name(name: &str) -> bool {
    words(name)
        .iter()
        .any(|word| HASH_WORDS.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// Whether a value switches something on or off, which no secret does.
pub(super) fn is_switch(value: &str) -> bool {
    SWITCHES.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether taking a value out of messages would hide what they say and nothing else.
pub(super) fn is_everyday(value: &str) -> bool {
    is_switch(value) || EVERYDAY.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether a value is the name of a script: what follows a flag such as `--auth` may be the next argument.
pub(super) fn is_script(value: &str) -> bool {
    SCRIPT_ENDS.iter().any(|end| value.ends_with(end))
}

/// Whether a value is a secret whatever its name.
pub(super) fn secret_value(value: &str) -> bool {
    random(value) || !super::spans::userinfo(value).is_empty()
}

/// Whether a value looks drawn at random: long, letters and digits thrown together, or the beginning of a
/// known kind of key. Paths, package names, versions, host names, digests and UUIDs do not.
pub(super) fn random(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+/.~".contains(c);
    let value = value.trim_end_matches('=');
    if value.len() < 16 || !value.chars().all(plain) || value.starts_with(['/', '.', '~']) {
        return false;
    }
    let run = value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .max_by_key(|run| run.len())
        .unwrap_or_default();
    let digits = run.chars().filter(char::is_ascii_digit).count();
    if KEY_STARTS.iter().any(|start| value.starts_with(start)) && run.len() >= 12 && digits > 0 {
        return true;
    }
    // `sha256-…` and the like, and what ends like a file or a host.
    if value.starts_with("sha") && value[3..].starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let ending = value.rsplit_once('.').map_or("", |(_, ending)| ending);
    if (2..=6).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_lowercase()) {
        return false;
    }
    let is_hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    if value.len() >= 32 && value.chars().all(is_hex) && (1..value.len()).contains(&digits) {
        return true;
    }
    // With a slash it may be a path; base64 has both cases, hashes in paths have one.
    let has_both_cases =
        run.chars().any(|c| c.is_ascii_lowercase()) && run.chars().any(|c| c.is_ascii_uppercase());
    if value.contains('/') && !has_both_cases {
        return false;
    }
    let bytes = run.as_bytes();
    let changes = bytes
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    run.len() >= 20 && changes >= 3 && changes * 10 >= run.len()
}

/// The words of a name, in lower case: `accessToken`, `X-Api-Key` and `API_KEY` alike.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(i + 1);
        let hump = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_ascii_digit())
                || (before.is_some_and(char::is_uppercase)
                    && after.is_some_and(|a| a.is_lowercase())));
        if hump || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_hold_secrets_are_told_from_those_that_do_not() {
        for name in [
            "--api-key",
            "apiKey",
            "access_token",
            "GITHUB_TOKEN",
            "X-Api-Key",
            "APIKey",
            "key",
            "accesstoken",
            "dbpassword",
            "DB_PASS",
            "GITHUB_PAT",
            "sig",
            "Authorization",
            "client-secret",
            "AWS_SECRET_ACCESS_KEY",
            "auth",
            "AccountKey",
            "Cookie",
            "AWS_ACCESS_KEY_ID",
        ] {
            assert!(secret_name(name), "{name}");
        }
        for name in [
            "--key-file",
            "TOKEN_PATH",
            "--token-env",
            "auth-type",
            "--auth-url",
            "keyboard",
            "monkey",
            "--max-tokens",
            "design",
            "author",
            "--mode",
            "verbose",
            "",
            "tokenizer",
            "secret-name",
            "compatible",
        ] {
            assert!(!secret_name(name), "{name}");
        }
    }

    #[test]
    fn values_drawn_at_random_are_told_from_names_paths_and_digests() {
        for value in [
            "sk-proj-4f9aB27kQz81LmN0pXy",
            "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "xoxb-123456789012-abcdefABCDEF0123456789",
            "AKIAIOSFODNN7EXAMPLE",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc",
            "0123456789abcdef0123456789abcdef",
            "4f9aB27kQz81LmN0pXyW",
            "wJalrXUtnFEMI/K7MDENG/bPxRfi4CYEXAMPLE7Kx9Qa2Z3",
            "q8Zt4Lw2Vn6Xb0Rk5Mj9Pd3H==",
        ] {
            assert!(random(value), "{value}");
        }
        for value in [
            "server.py",
            "@modelcontextprotocol/server-everything@2026.1.14",
            "server-everything-2026-production-v12",
            "AzureDevOpsMcpServer2024",
            "/nix/store/0c7c96gikmzv87i7lv3vq5s1cmfjd6zf-python3-3.13/bin/python",
            "./node_modules/.bin/8f3a9b2c4d5e6f7a8b9c0d1e",
            "dist/index-8f3a9b2c4d5e6f7a8b9c0d1e.js",
            "index-8f3a9b2c4d5e6f7a8b9c0d1e.js",
            "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
            "sha256-4f9aB27kQz81LmN0pXyW4f9aB27kQz81LmN0pXyW",
            "example/notes@sha256:0123456789abcdef0123456789abcdef",
            "git+https://h.invalid/x@0123456789abcdef0123456789abcdef01234567",
            "https://h.invalid/0123456789abcdef0123456789abcdef",
            "abc123def456ghi789jkl012.eu-west-1.example.com",
            "sk-learn-mcp-server-for-notes",
            "2026-07-28T10:00:00Z",
            "12345678901234567890",
            "abcdefghijklmnopqrstuvwxyz",
            "",
        ] {
            assert!(!random(value), "{value}");
        }
    }

    #[test]
    fn a_url_with_userinfo_is_a_secret_whatever_its_name() {
        assert!(secret_value("postgres://app:pw@db.internal/x"));
        assert!(!secret_value("postgres://db.internal/x"));
    }

    #[test]
    fn names_of_fingerprints_are_known() {
        assert!(hash_name("--rev") && hash_name("sha256") && hash_name("imageDigest"));
        assert!(!hash_name("--reverse") && !hash_name("share"));
    }
}
