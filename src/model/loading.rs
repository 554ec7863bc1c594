//! Variables that decide what a server runs: of them a launch holds more than the name.
//!
//! The value of any other variable may be a secret and is of no interest here.

use std::borrow::Cow;

/// Names of variables by which code is loaded into a process, a program found, or a package fetched from
/// elsewhere, in lower case.
const LOADING: &[&str] = &[
    "bash_env",
    "bun_config_registry",
    "classpath",
    "corepack_npm_registry",
    "deno_dir",
    "docker_host",
    "env",
    "git_config_global",
    "git_exec_path",
    "git_ssh_command",
    "goflags",
    "goproxy",
    "gosumdb",
    "java_tool_options",
    "jdk_java_options",
    "node_extra_ca_certs",
    "node_options",
    "node_path",
    "node_tls_reject_unauthorized",
    "path",
    "perl5lib",
    "perl5opt",
    "phprc",
    "pythonhome",
    "pythonpath",
    "pythonstartup",
    "pythonwarnings",
    "rubylib",
    "rubyopt",
    "shell",
    "ssl_cert_dir",
    "ssl_cert_file",
    "_java_options",
];

/// The same by how they start: loaders of the system, and the settings of package managers.
const LOADING_PREFIXES: &[&str] = &[
    "cargo_registry",
    "dotnet_startup",
    "dyld_",
    "ld_",
    "npm_config_",
    "pip_",
    "pnpm_",
    "poetry_repositories_",
    "uv_",
    "yarn_",
];

/// Whether a variable of this name can change what code is run. Windows does not tell upper from lower case.
pub fn loads_code(name: &str) -> bool {
    let name = name.to_lowercase();
    LOADING.contains(&name.as_str()) || LOADING_PREFIXES.iter().any(|p| name.starts_with(p))
}

/// How a variable stands in a launch: its name, and if it can change what code is run a digest of its value as the
/// configuration writes it, so that another value is another launch.
pub fn entry(name: &str, digest: impl FnOnce() -> String) -> Cow<'_, str> {
    if loads_code(name) {
        Cow::Owned(format!("{name}={}", digest()))
    } else {
        Cow::Borrowed(name)
    }
}

/// The name of the variable that an entry of a launch is about. No name holds `=`.
pub fn variable_of(entry: &str) -> &str {
    entry.split_once('=').map_or(entry, |(name, _)| name)
}
