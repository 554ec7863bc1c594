//! Which spellings of a variable a client expands: one constant a client, each a table of brackets and forms.
//!
//! A client that expands nothing has an empty table. What no table knows is refused, never passed on.

/// What a client expands: pairs of brackets, and the forms that may stand between each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Syntax(pub(super) &'static [Bracket]);

/// What a variable stands between.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Bracket {
    pub(super) open: &'static str,
    /// Empty where the variable ends with its name.
    pub(super) close: &'static str,
    pub(super) forms: &'static [Form],
}

/// What may stand between brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `VAR`
    Plain,
    /// `:-default` behind a variable, for when it is not set or empty.
    Default,
    /// `env:VAR`
    Env,
    /// `input:id`
    Input,
    /// `workspaceFolder` and what else editors know of themselves.
    Editor,
    /// `file:/path`: what the file holds.
    File,
    /// `/path`: what the file holds.
    Path,
    /// ` secrets.VAR `
    Secret,
}

impl Form {
    /// How it is written, for a hint.
    const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Plain => &["VAR"],
            Self::Default => &["VAR:-default"],
            Self::Env => &["env:VAR"],
            Self::Input => &["input:id"],
            Self::Editor => &[
                "workspaceFolder",
                "workspaceFolderBasename",
                "userHome",
                "pathSeparator",
            ],
            Self::File => &["file:/path"],
            Self::Path => &["/path"],
            Self::Secret => &[" secrets.VAR "],
        }
    }
}

impl Syntax {
    /// Nothing is expanded.
    pub const NONE: Self = Self(&[]);
    /// Every form between `${` and `}`: files that several clients read, and files of nobody known.
    pub const SHARED: Self = Self(&[dollar(&[
        // Before any variable: an editor's own words are no variables of the environment.
        Form::Editor,
        Form::Plain,
        Form::Default,
        Form::Env,
        Form::Input,
    ])]);
    /// `${VAR}`, `${VAR:-default}`
    pub const CLAUDE: Self = Self(&[dollar(&[Form::Plain, Form::Default])]);
    /// `${input:id}`, `${env:VAR}`, `${workspaceFolder}` and the like.
    pub const VS_CODE: Self = Self(&[dollar(&[Form::Env, Form::Input, Form::Editor])]);
    /// `${env:VAR}`, `${workspaceFolder}` and the like.
    pub const CURSOR: Self = Self(&[dollar(&[Form::Env, Form::Editor])]);
    /// `${env:VAR}`, `${file:/path}`
    pub const WINDSURF: Self = Self(&[dollar(&[Form::Env, Form::File])]);
    /// `$VAR`, `${VAR}`
    pub const GEMINI: Self = Self(&[
        dollar(&[Form::Plain]),
        Bracket {
            open: "$",
            close: "",
            forms: &[Form::Plain],
        },
    ]);
    /// `${VAR}`
    pub const KIRO: Self = Self(&[dollar(&[Form::Plain])]);
    /// `${{ secrets.VAR }}`
    pub const CONTINUE: Self = Self(&[Bracket {
        open: "${{",
        close: "}}",
        forms: &[Form::Secret],
    }]);
    /// `{env:VAR}`, `{file:/path}`
    pub const OPENCODE: Self = Self(&[
        Bracket {
            open: "{env:",
            close: "}",
            forms: &[Form::Plain],
        },
        Bracket {
            open: "{file:",
            close: "}",
            forms: &[Form::Path],
        },
    ]);

    /// The forms as they are written: `${VAR}`.
    pub fn forms(self) -> Vec<String> {
        let forms = self.0.iter().flat_map(|bracket| {
            bracket
                .forms
                .iter()
                .flat_map(|form| form.words())
                .map(|word| format!("{}{word}{}", bracket.open, bracket.close))
        });
        forms.collect()
    }

    /// What could stand there instead, for a hint.
    pub(super) fn known(self) -> String {
        let forms = self.forms();
        if forms.is_empty() {
            "the client that owns this file expands no variable: write the value, or let the server read its own environment".to_owned()
        } else {
            format!("known are {}", forms.join(", "))
        }
    }
}

const fn dollar(forms: &'static [Form]) -> Bracket {
    Bracket {
        open: "${",
        close: "}",
        forms,
    }
}

/// What is refused where no table has it: every client's reader takes it for a variable.
pub(super) static UNKNOWN: Bracket = dollar(&[]);
