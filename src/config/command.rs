//! A command as people write it: with its arguments in one string, behind `cmd /c`, with a `~`.

use super::environment::Environment;
use super::expand::Template;
use super::spans::program_name;

/// Splits a command that holds its arguments too, as a shell would, without a shell. Variables stay whole.
/// `None` where a quote is not closed.
pub(super) fn split(command: &Template, windows: bool) -> Option<Vec<Template>> {
    // On Windows a backslash parts folders; a shell would take it away.
    let text = if windows {
        command.masked().replace('\\', "\\\\")
    } else {
        command.masked().to_owned()
    };
    let words = shlex::split(&text)?;
    Some(
        words
            .into_iter()
            .map(|word| command.with_masked(word))
            .collect(),
    )
}

/// `cmd /c npx X` is `npx X`: the words behind `/c`, if what is before them adds nothing.
pub(super) fn without_cmd(words: &[String]) -> &[String] {
    match words {
        [program, flag, rest @ ..]
            if program_name(program).eq_ignore_ascii_case("cmd")
                && flag.eq_ignore_ascii_case("/c")
                && !rest.is_empty()
                // What `cmd` would read as more than words.
                && !rest.iter().any(|word| word.contains(['&', '|', '<', '>', '^', '%', '"', '\n'])) =>
        {
            rest
        }
        _ => words,
    }
}

/// The home directory for a leading `~`, as long as it was written and did not come out of a variable.
/// `None` where it is needed and not known.
pub(super) fn with_home(written: &str, expanded: String, env: &Environment) -> Option<String> {
    let Some(rest) = written.strip_prefix('~') else {
        return Some(expanded);
    };
    let is_home =
        rest.is_empty() || rest.starts_with('/') || (env.windows && rest.starts_with('\\'));
    if !is_home {
        return Some(expanded);
    }
    let home = env.home.as_ref()?.to_str()?;
    Some(format!("{home}{}", &expanded[1..]))
}

#[cfg(test)]
mod tests {
    use super::super::environment::tests::surroundings;
    use super::super::syntax::Syntax;
    use super::*;

    fn words(command: &str, windows: bool) -> Option<Vec<String>> {
        let template = Template::parse(command, Syntax::SHARED);
        let words = split(&template, windows)?;
        Some(words.iter().map(|word| word.written(&[])).collect())
    }

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_joined_command_is_split_as_a_shell_would() {
        let split = words("python3 server.py --mode 'two words' \"a b\" c\\ d", false);
        let expected = ["python3", "server.py", "--mode", "two words", "a b", "c d"];
        assert_eq!(split, Some(owned(&expected)));
        assert_eq!(words("a 'b", false), None);
        assert_eq!(
            words("a | b && $(c) # d", false),
            Some(owned(&["a", "|", "b", "&&", "$(c)"]))
        );
    }

    #[test]
    fn a_variable_is_never_split() {
        let split = words("run ${A:-two words} '${B} c'", false);
        assert_eq!(split, Some(owned(&["run", "${A:-two words}", "${B} c"])));
    }

    #[test]
    fn backslashes_part_folders_on_windows() {
        let split = words(r"C:\tools\node.exe 'C:\my files\x.js'", true);
        assert_eq!(
            split.as_deref().map(|words| words[0].as_str()),
            Some(r"C:\tools\node.exe")
        );
    }

    #[test]
    fn cmd_adds_nothing_to_plain_words() {
        for program in ["cmd", "cmd.exe", r"C:\Windows\System32\CMD.EXE"] {
            let words = owned(&[program, "/C", "npx", "-y", "x"]);
            assert_eq!(without_cmd(&words), &words[2..]);
        }
        for words in [
            &["cmd", "/c"][..],
            &["cmd", "/k", "npx"],
            &["cmd", "/c", "npx", "&", "calc"],
            &["cmd", "/c", "npx", "%X%"],
            &["sh", "-c", "npx"],
        ] {
            let words = owned(words);
            assert_eq!(without_cmd(&words), &words[..]);
        }
    }

    #[test]
    fn a_leading_tilde_is_the_home_directory() {
        let env = surroundings(&[]);
        let expand = |text: &str| with_home(text, text.to_owned(), &env);
        assert_eq!(expand("~/bin/x").as_deref(), Some("/home/ada/bin/x"));
        assert_eq!(expand("~").as_deref(), Some("/home/ada"));
        for text in ["~bob/x", "a~/b", "--x=~/y", ""] {
            assert_eq!(expand(text).as_deref(), Some(text));
        }
        let mut env = surroundings(&[]);
        env.home = None;
        assert_eq!(with_home("~/x", "~/x".to_owned(), &env), None);
    }
}
