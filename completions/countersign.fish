# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_countersign_global_optspecs
    string join \n lock= data-dir= format= output= color= q/quiet v/verbose jobs= h/help V/version
end

function __fish_countersign_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_countersign_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_countersign_using_subcommand
    set -l cmd (__fish_countersign_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c countersign -n "__fish_countersign_needs_command" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_needs_command" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_needs_command" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_needs_command" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_needs_command" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_needs_command" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_needs_command" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_needs_command" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "snapshot" -d 'Connect and store a snapshot; the first sight of a server becomes its baseline in the lockfile'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "diff" -d 'Connect, compare with the lockfile, say what changed; or compare two files'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "review" -d 'Go through what waits on a terminal, or print it, from the newest snapshots that this machine stored, offline'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "ack" -d 'Record that somebody reviewed a change; never contacts a server'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "prune" -d 'Drop lockfile entries of items that are acknowledged as removed, and of servers that are given here and no config of the project names'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "servers" -d 'List the servers that configs and lockfile name'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "login" -d 'Sign in to a remote server in a browser; what that gives is kept for the checks to come'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "logout" -d 'Forget what a sign-in gave'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "policy" -d 'Show the standing rules of the lockfile and what they come to now, or set them'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "flag" -d 'Ask for a full review of a server: it is due until somebody records one'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "history" -d 'Show what was observed of the servers on this machine'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "watch" -d 'Stay connected, and record each change as it comes: what servers announce at once, the rest on a timer'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "guard" -d 'Stand between an MCP client and a server, and let pass what the lockfile accepts'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "approve" -d 'List the calls that a guard holds, or let one of them through, once'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "replay" -d 'Serve a snapshot, a transcript or a saved list as an MCP server over stdio'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "completions" -d 'Print a completion script'
complete -c countersign -n "__fish_countersign_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l config -d 'An MCP client configuration; repeatable [default: those that the project has]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l name -d 'The name of one server, given with --url, --from or -- COMMAND' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l url -d 'The URL of that server (Streamable HTTP, or HTTP+SSE)' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l from -d 'Read this snapshot or tools/list result as if that server had answered with it' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l timeout -d 'Seconds for one request [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l start-timeout -d 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l env -d 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -s H -l header -d 'A header for servers that are reached by URL, if they are named here or by --config' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l bearer-env -d 'Send the value of this variable as a bearer token, to the same servers' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l token-command -d 'Run this command and send what it prints as a bearer token' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l client-id -d 'Let ourselves in as this client (OAuth client credentials)' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l client-secret-env -d 'The variable with the secret of that client' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l client-key -d 'The PEM file with the private key of that client' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l scope -d 'The scopes to ask for as that client [default: those that the server asks for]' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l ca-cert -d 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l protocol -d 'Speak this revision instead of asking which one the server knows' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l capabilities -d 'What to declare: nothing, what hosts declare, or the capabilities object of a file' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l client-info -d 'Under which name and version to introduce ourselves' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l transcript -d 'Write down what is said both ways, as JSON lines without secrets; the file is replaced' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l max-frame -d 'Limit: bytes of one message of a server' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l max-listing -d 'Limit: bytes of one list, all pages together' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l max-items -d 'Limit: items of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l max-pages -d 'Limit: pages of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l max-string -d 'Limit: bytes of one string' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l max-depth -d 'Limit: levels of nesting, at most 10000' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l vary -d 'Start each server several times more, under other circumstances, and say what varies by which'
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l user -d 'The configurations in the home directory as well'
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -l start-changed -d 'Start a server although its launch differs from that in the lockfile'
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand snapshot" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l explain -d 'Say what a rule means; all of them without a name' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l base -d 'Judge this branch by another lockfile: that of the merge base of HEAD and REF, or FILE' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l full -d 'Write both sides of each change whole to files in this directory' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l config -d 'An MCP client configuration; repeatable [default: those that the project has]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l name -d 'The name of one server, given with --url, --from or -- COMMAND' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l url -d 'The URL of that server (Streamable HTTP, or HTTP+SSE)' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l from -d 'Read this snapshot or tools/list result as if that server had answered with it' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l timeout -d 'Seconds for one request [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l start-timeout -d 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l env -d 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -s H -l header -d 'A header for servers that are reached by URL, if they are named here or by --config' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l bearer-env -d 'Send the value of this variable as a bearer token, to the same servers' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l token-command -d 'Run this command and send what it prints as a bearer token' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l client-id -d 'Let ourselves in as this client (OAuth client credentials)' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l client-secret-env -d 'The variable with the secret of that client' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l client-key -d 'The PEM file with the private key of that client' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l scope -d 'The scopes to ask for as that client [default: those that the server asks for]' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l ca-cert -d 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l protocol -d 'Speak this revision instead of asking which one the server knows' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l capabilities -d 'What to declare: nothing, what hosts declare, or the capabilities object of a file' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l client-info -d 'Under which name and version to introduce ourselves' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l transcript -d 'Write down what is said both ways, as JSON lines without secrets; the file is replaced' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l max-frame -d 'Limit: bytes of one message of a server' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l max-listing -d 'Limit: bytes of one list, all pages together' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l max-items -d 'Limit: items of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l max-pages -d 'Limit: pages of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l max-string -d 'Limit: bytes of one string' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l max-depth -d 'Limit: levels of nesting, at most 10000' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l lockfile-only -d 'Judge only what the branch did to the lockfile: read no configuration, start no server'
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l user -d 'The configurations in the home directory as well'
complete -c countersign -n "__fish_countersign_using_subcommand diff" -l start-changed -d 'Start a server although its launch differs from that in the lockfile'
complete -c countersign -n "__fish_countersign_using_subcommand diff" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand diff" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand diff" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand review" -l full -d 'Write both sides of each change whole to files in this directory' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand review" -l by -d 'Who acknowledges, where a terminal asks [default: git\'s user.name <user.email>]' -r
complete -c countersign -n "__fish_countersign_using_subcommand review" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand review" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand review" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand review" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand review" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand review" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand review" -l all -d 'Acknowledged changes as well'
complete -c countersign -n "__fish_countersign_using_subcommand review" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand review" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand review" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand review" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l note -d 'Why it is fine; kept in the lockfile' -r
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l by -d 'Who says so [default: git\'s user.name <user.email>]' -r
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l all -d 'Everything that waits, minor changes too; each is listed'
complete -c countersign -n "__fish_countersign_using_subcommand ack" -l revoke -d 'Take acknowledgements back: of a change, or the newest of an item'
complete -c countersign -n "__fish_countersign_using_subcommand ack" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand ack" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand ack" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand ack" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l config -d 'An MCP client configuration whose servers are in use; repeatable [default: the project\'s]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand prune" -l check -d 'Write nothing; status 1 if there is something to drop'
complete -c countersign -n "__fish_countersign_using_subcommand prune" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand prune" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand prune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand prune" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l config -d 'An MCP client configuration; repeatable [default: those that the project has]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand servers" -l user -d 'The configurations in the home directory as well'
complete -c countersign -n "__fish_countersign_using_subcommand servers" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand servers" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand servers" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand servers" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand login" -l client-id -d 'A client that the authorization server knows, or the URL of its metadata document' -r
complete -c countersign -n "__fish_countersign_using_subcommand login" -l client-secret-env -d 'The variable with the secret of that client' -r
complete -c countersign -n "__fish_countersign_using_subcommand login" -l scope -d 'The scopes to ask for, separated by spaces [default: those that the server asks for]' -r
complete -c countersign -n "__fish_countersign_using_subcommand login" -l ca-cert -d 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand login" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand login" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand login" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand login" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand login" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand login" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand login" -l no-browser -d 'Only print the address to open'
complete -c countersign -n "__fish_countersign_using_subcommand login" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand login" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand login" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand login" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand logout" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand logout" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand logout" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand logout" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand logout" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand logout" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand logout" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand logout" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand logout" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand logout" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand policy" -l unset -d 'Take a setting out; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand policy" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand policy" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand policy" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand policy" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand policy" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand policy" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand policy" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand policy" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand policy" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand policy" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l reason -d 'Why it is to be reviewed' -r -f -a "incident\t'Something happened with it'
report\t'Somebody reported something about it'
policy\t'The rules for it changed'
usage\t'It is used in another way'"
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l note -d 'More about it; kept in the history' -r
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand flag" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand flag" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand flag" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand flag" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand flag" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand history" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand history" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand history" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand history" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand history" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand history" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand history" -l verify -d 'Hold every snapshot that it names against its digest as well'
complete -c countersign -n "__fish_countersign_using_subcommand history" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand history" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand history" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand history" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l every -d 'How often each server is listed whatever it announces: seconds, or a number with s, m or h' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l exec -d 'Run this command for each change, without a shell; what changed is JSON on its standard input' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l exec-timeout -d 'Seconds that the command may take' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l config -d 'An MCP client configuration; repeatable [default: those that the project has]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l name -d 'The name of one server, given with --url, --from or -- COMMAND' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l url -d 'The URL of that server (Streamable HTTP, or HTTP+SSE)' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l from -d 'Read this snapshot or tools/list result as if that server had answered with it' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l timeout -d 'Seconds for one request [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l start-timeout -d 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l env -d 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -s H -l header -d 'A header for servers that are reached by URL, if they are named here or by --config' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l bearer-env -d 'Send the value of this variable as a bearer token, to the same servers' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l token-command -d 'Run this command and send what it prints as a bearer token' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l client-id -d 'Let ourselves in as this client (OAuth client credentials)' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l client-secret-env -d 'The variable with the secret of that client' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l client-key -d 'The PEM file with the private key of that client' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l scope -d 'The scopes to ask for as that client [default: those that the server asks for]' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l ca-cert -d 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l protocol -d 'Speak this revision instead of asking which one the server knows' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l capabilities -d 'What to declare: nothing, what hosts declare, or the capabilities object of a file' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l client-info -d 'Under which name and version to introduce ourselves' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l transcript -d 'Write down what is said both ways, as JSON lines without secrets; the file is replaced' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l max-frame -d 'Limit: bytes of one message of a server' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l max-listing -d 'Limit: bytes of one list, all pages together' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l max-items -d 'Limit: items of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l max-pages -d 'Limit: pages of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l max-string -d 'Limit: bytes of one string' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l max-depth -d 'Limit: levels of nesting, at most 10000' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l user -d 'The configurations in the home directory as well'
complete -c countersign -n "__fish_countersign_using_subcommand watch" -l start-changed -d 'Start a server although its launch differs from that in the lockfile'
complete -c countersign -n "__fish_countersign_using_subcommand watch" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand watch" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand watch" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l config -d 'An MCP client configuration that names it; repeatable [default: those that the project has]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l url -d 'The URL of that server, where no configuration names it' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l recheck -d 'Judge a call by a listing that is no older than this, instead of listing again for each call' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l timeout -d 'Seconds for one request [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l start-timeout -d 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l env -d 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -s H -l header -d 'A header for servers that are reached by URL, if they are named here or by --config' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l bearer-env -d 'Send the value of this variable as a bearer token, to the same servers' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l token-command -d 'Run this command and send what it prints as a bearer token' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l client-id -d 'Let ourselves in as this client (OAuth client credentials)' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l client-secret-env -d 'The variable with the secret of that client' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l client-key -d 'The PEM file with the private key of that client' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l scope -d 'The scopes to ask for as that client [default: those that the server asks for]' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l ca-cert -d 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l protocol -d 'Speak this revision instead of asking which one the server knows' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l capabilities -d 'What to declare: nothing, what hosts declare, or the capabilities object of a file' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l client-info -d 'Under which name and version to introduce ourselves' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l transcript -d 'Write down what is said both ways, as JSON lines without secrets; the file is replaced' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l max-frame -d 'Limit: bytes of one message of a server' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l max-listing -d 'Limit: bytes of one list, all pages together' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l max-items -d 'Limit: items of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l max-pages -d 'Limit: pages of one list' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l max-string -d 'Limit: bytes of one string' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l max-depth -d 'Limit: levels of nesting, at most 10000' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l user -d 'The configurations in the home directory as well'
complete -c countersign -n "__fish_countersign_using_subcommand guard" -l start-changed -d 'Start a server although its launch differs from that in the lockfile'
complete -c countersign -n "__fish_countersign_using_subcommand guard" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand guard" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand guard" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand guard" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l by -d 'Who says so [default: git\'s user.name <user.email>]' -r
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand approve" -l show -d 'Show the call, and do not approve it'
complete -c countersign -n "__fish_countersign_using_subcommand approve" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand approve" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand approve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand approve" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l server -d 'Which server of a transcript that holds several' -r
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l max-file -d 'Limit: bytes of the file' -r
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l max-frame -d 'Limit: bytes of one message of the client' -r
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand replay" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand replay" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand replay" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand replay" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand replay" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand completions" -l lock -d 'The lockfile [default: countersign.lock.json here or above, up to the repository\'s root]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand completions" -l data-dir -d 'Where snapshots and history are kept [default: the platform\'s data directory]' -r -F
complete -c countersign -n "__fish_countersign_using_subcommand completions" -l format -d 'The form of the output: commands without a report know text and JSON' -r -f -a "text\t'For people'
json\t'One JSON document for programs'
markdown\t'For a comment on a pull request, or the summary of a job'
html\t'One page for a browser, with the history of each server'
sarif\t'SARIF 2.1.0, for code scanning'
github\t'Annotations for GitHub Actions'
gitlab\t'A Code Quality report for GitLab'
junit\t'JUnit\'s XML, for whatever shows test results'"
complete -c countersign -n "__fish_countersign_using_subcommand completions" -l output -d 'Write the report to a file as well, in a format of its own; repeatable' -r
complete -c countersign -n "__fish_countersign_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c countersign -n "__fish_countersign_using_subcommand completions" -l jobs -d 'How many servers to check side by side' -r
complete -c countersign -n "__fish_countersign_using_subcommand completions" -s q -l quiet -d 'Say less: a line for each server that waits or is new, and for each thing that waits'
complete -c countersign -n "__fish_countersign_using_subcommand completions" -s v -l verbose -d 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error'
complete -c countersign -n "__fish_countersign_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c countersign -n "__fish_countersign_using_subcommand completions" -s V -l version -d 'Print version'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "snapshot" -d 'Connect and store a snapshot; the first sight of a server becomes its baseline in the lockfile'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "diff" -d 'Connect, compare with the lockfile, say what changed; or compare two files'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "review" -d 'Go through what waits on a terminal, or print it, from the newest snapshots that this machine stored, offline'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "ack" -d 'Record that somebody reviewed a change; never contacts a server'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "prune" -d 'Drop lockfile entries of items that are acknowledged as removed, and of servers that are given here and no config of the project names'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "servers" -d 'List the servers that configs and lockfile name'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "login" -d 'Sign in to a remote server in a browser; what that gives is kept for the checks to come'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "logout" -d 'Forget what a sign-in gave'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "policy" -d 'Show the standing rules of the lockfile and what they come to now, or set them'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "flag" -d 'Ask for a full review of a server: it is due until somebody records one'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "history" -d 'Show what was observed of the servers on this machine'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "watch" -d 'Stay connected, and record each change as it comes: what servers announce at once, the rest on a timer'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "guard" -d 'Stand between an MCP client and a server, and let pass what the lockfile accepts'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "approve" -d 'List the calls that a guard holds, or let one of them through, once'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "replay" -d 'Serve a snapshot, a transcript or a saved list as an MCP server over stdio'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "completions" -d 'Print a completion script'
complete -c countersign -n "__fish_countersign_using_subcommand help; and not __fish_seen_subcommand_from snapshot diff review ack prune servers login logout policy flag history watch guard approve replay completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
