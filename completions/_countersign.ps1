
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'countersign' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'countersign'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'countersign' {
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('snapshot', 'snapshot', [CompletionResultType]::ParameterValue, 'Connect and store a snapshot; the first sight of a server becomes its baseline in the lockfile')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Connect, compare with the lockfile, say what changed; or compare two files')
            [CompletionResult]::new('review', 'review', [CompletionResultType]::ParameterValue, 'Go through what waits on a terminal, or print it, from the newest snapshots that this machine stored, offline')
            [CompletionResult]::new('ack', 'ack', [CompletionResultType]::ParameterValue, 'Record that somebody reviewed a change; never contacts a server')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Drop lockfile entries of items that are acknowledged as removed, and of servers that are given here and no config of the project names')
            [CompletionResult]::new('servers', 'servers', [CompletionResultType]::ParameterValue, 'List the servers that configs and lockfile name')
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Sign in to a remote server in a browser; what that gives is kept for the checks to come')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Forget what a sign-in gave')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Show the standing rules of the lockfile and what they come to now, or set them')
            [CompletionResult]::new('flag', 'flag', [CompletionResultType]::ParameterValue, 'Ask for a full review of a server: it is due until somebody records one')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'Show what was observed of the servers on this machine')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Stay connected, and record each change as it comes: what servers announce at once, the rest on a timer')
            [CompletionResult]::new('guard', 'guard', [CompletionResultType]::ParameterValue, 'Stand between an MCP client and a server, and let pass what the lockfile accepts')
            [CompletionResult]::new('approve', 'approve', [CompletionResultType]::ParameterValue, 'List the calls that a guard holds, or let one of them through, once')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Serve a snapshot, a transcript or a saved list as an MCP server over stdio')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'countersign;snapshot' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'An MCP client configuration; repeatable [default: those that the project has]')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of one server, given with --url, --from or -- COMMAND')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'The URL of that server (Streamable HTTP, or HTTP+SSE)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Read this snapshot or tools/list result as if that server had answered with it')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Seconds for one request [default: what the configuration says, or 60]')
            [CompletionResult]::new('--start-timeout', '--start-timeout', [CompletionResultType]::ParameterName, 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--bearer-env', '--bearer-env', [CompletionResultType]::ParameterName, 'Send the value of this variable as a bearer token, to the same servers')
            [CompletionResult]::new('--token-command', '--token-command', [CompletionResultType]::ParameterName, 'Run this command and send what it prints as a bearer token')
            [CompletionResult]::new('--client-id', '--client-id', [CompletionResultType]::ParameterName, 'Let ourselves in as this client (OAuth client credentials)')
            [CompletionResult]::new('--client-secret-env', '--client-secret-env', [CompletionResultType]::ParameterName, 'The variable with the secret of that client')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The PEM file with the private key of that client')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'The scopes to ask for as that client [default: those that the server asks for]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Speak this revision instead of asking which one the server knows')
            [CompletionResult]::new('--capabilities', '--capabilities', [CompletionResultType]::ParameterName, 'What to declare: nothing, what hosts declare, or the capabilities object of a file')
            [CompletionResult]::new('--client-info', '--client-info', [CompletionResultType]::ParameterName, 'Under which name and version to introduce ourselves')
            [CompletionResult]::new('--transcript', '--transcript', [CompletionResultType]::ParameterName, 'Write down what is said both ways, as JSON lines without secrets; the file is replaced')
            [CompletionResult]::new('--max-frame', '--max-frame', [CompletionResultType]::ParameterName, 'Limit: bytes of one message of a server')
            [CompletionResult]::new('--max-listing', '--max-listing', [CompletionResultType]::ParameterName, 'Limit: bytes of one list, all pages together')
            [CompletionResult]::new('--max-items', '--max-items', [CompletionResultType]::ParameterName, 'Limit: items of one list')
            [CompletionResult]::new('--max-pages', '--max-pages', [CompletionResultType]::ParameterName, 'Limit: pages of one list')
            [CompletionResult]::new('--max-string', '--max-string', [CompletionResultType]::ParameterName, 'Limit: bytes of one string')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Limit: levels of nesting, at most 10000')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--vary', '--vary', [CompletionResultType]::ParameterName, 'Start each server several times more, under other circumstances, and say what varies by which')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The configurations in the home directory as well')
            [CompletionResult]::new('--start-changed', '--start-changed', [CompletionResultType]::ParameterName, 'Start a server although its launch differs from that in the lockfile')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;diff' {
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say what a rule means; all of them without a name')
            [CompletionResult]::new('--base', '--base', [CompletionResultType]::ParameterName, 'Judge this branch by another lockfile: that of the merge base of HEAD and REF, or FILE')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Write both sides of each change whole to files in this directory')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'An MCP client configuration; repeatable [default: those that the project has]')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of one server, given with --url, --from or -- COMMAND')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'The URL of that server (Streamable HTTP, or HTTP+SSE)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Read this snapshot or tools/list result as if that server had answered with it')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Seconds for one request [default: what the configuration says, or 60]')
            [CompletionResult]::new('--start-timeout', '--start-timeout', [CompletionResultType]::ParameterName, 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--bearer-env', '--bearer-env', [CompletionResultType]::ParameterName, 'Send the value of this variable as a bearer token, to the same servers')
            [CompletionResult]::new('--token-command', '--token-command', [CompletionResultType]::ParameterName, 'Run this command and send what it prints as a bearer token')
            [CompletionResult]::new('--client-id', '--client-id', [CompletionResultType]::ParameterName, 'Let ourselves in as this client (OAuth client credentials)')
            [CompletionResult]::new('--client-secret-env', '--client-secret-env', [CompletionResultType]::ParameterName, 'The variable with the secret of that client')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The PEM file with the private key of that client')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'The scopes to ask for as that client [default: those that the server asks for]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Speak this revision instead of asking which one the server knows')
            [CompletionResult]::new('--capabilities', '--capabilities', [CompletionResultType]::ParameterName, 'What to declare: nothing, what hosts declare, or the capabilities object of a file')
            [CompletionResult]::new('--client-info', '--client-info', [CompletionResultType]::ParameterName, 'Under which name and version to introduce ourselves')
            [CompletionResult]::new('--transcript', '--transcript', [CompletionResultType]::ParameterName, 'Write down what is said both ways, as JSON lines without secrets; the file is replaced')
            [CompletionResult]::new('--max-frame', '--max-frame', [CompletionResultType]::ParameterName, 'Limit: bytes of one message of a server')
            [CompletionResult]::new('--max-listing', '--max-listing', [CompletionResultType]::ParameterName, 'Limit: bytes of one list, all pages together')
            [CompletionResult]::new('--max-items', '--max-items', [CompletionResultType]::ParameterName, 'Limit: items of one list')
            [CompletionResult]::new('--max-pages', '--max-pages', [CompletionResultType]::ParameterName, 'Limit: pages of one list')
            [CompletionResult]::new('--max-string', '--max-string', [CompletionResultType]::ParameterName, 'Limit: bytes of one string')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Limit: levels of nesting, at most 10000')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--lockfile-only', '--lockfile-only', [CompletionResultType]::ParameterName, 'Judge only what the branch did to the lockfile: read no configuration, start no server')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The configurations in the home directory as well')
            [CompletionResult]::new('--start-changed', '--start-changed', [CompletionResultType]::ParameterName, 'Start a server although its launch differs from that in the lockfile')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;review' {
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Write both sides of each change whole to files in this directory')
            [CompletionResult]::new('--by', '--by', [CompletionResultType]::ParameterName, 'Who acknowledges, where a terminal asks [default: git''s user.name <user.email>]')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Acknowledged changes as well')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;ack' {
            [CompletionResult]::new('--note', '--note', [CompletionResultType]::ParameterName, 'Why it is fine; kept in the lockfile')
            [CompletionResult]::new('--by', '--by', [CompletionResultType]::ParameterName, 'Who says so [default: git''s user.name <user.email>]')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Everything that waits, minor changes too; each is listed')
            [CompletionResult]::new('--revoke', '--revoke', [CompletionResultType]::ParameterName, 'Take acknowledgements back: of a change, or the newest of an item')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;prune' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'An MCP client configuration whose servers are in use; repeatable [default: the project''s]')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Write nothing; status 1 if there is something to drop')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;servers' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'An MCP client configuration; repeatable [default: those that the project has]')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The configurations in the home directory as well')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;login' {
            [CompletionResult]::new('--client-id', '--client-id', [CompletionResultType]::ParameterName, 'A client that the authorization server knows, or the URL of its metadata document')
            [CompletionResult]::new('--client-secret-env', '--client-secret-env', [CompletionResultType]::ParameterName, 'The variable with the secret of that client')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'The scopes to ask for, separated by spaces [default: those that the server asks for]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--no-browser', '--no-browser', [CompletionResultType]::ParameterName, 'Only print the address to open')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;logout' {
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;policy' {
            [CompletionResult]::new('--unset', '--unset', [CompletionResultType]::ParameterName, 'Take a setting out; repeatable')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;flag' {
            [CompletionResult]::new('--reason', '--reason', [CompletionResultType]::ParameterName, 'Why it is to be reviewed')
            [CompletionResult]::new('--note', '--note', [CompletionResultType]::ParameterName, 'More about it; kept in the history')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;history' {
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Hold every snapshot that it names against its digest as well')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;watch' {
            [CompletionResult]::new('--every', '--every', [CompletionResultType]::ParameterName, 'How often each server is listed whatever it announces: seconds, or a number with s, m or h')
            [CompletionResult]::new('--exec', '--exec', [CompletionResultType]::ParameterName, 'Run this command for each change, without a shell; what changed is JSON on its standard input')
            [CompletionResult]::new('--exec-timeout', '--exec-timeout', [CompletionResultType]::ParameterName, 'Seconds that the command may take')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'An MCP client configuration; repeatable [default: those that the project has]')
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The name of one server, given with --url, --from or -- COMMAND')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'The URL of that server (Streamable HTTP, or HTTP+SSE)')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Read this snapshot or tools/list result as if that server had answered with it')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Seconds for one request [default: what the configuration says, or 60]')
            [CompletionResult]::new('--start-timeout', '--start-timeout', [CompletionResultType]::ParameterName, 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--bearer-env', '--bearer-env', [CompletionResultType]::ParameterName, 'Send the value of this variable as a bearer token, to the same servers')
            [CompletionResult]::new('--token-command', '--token-command', [CompletionResultType]::ParameterName, 'Run this command and send what it prints as a bearer token')
            [CompletionResult]::new('--client-id', '--client-id', [CompletionResultType]::ParameterName, 'Let ourselves in as this client (OAuth client credentials)')
            [CompletionResult]::new('--client-secret-env', '--client-secret-env', [CompletionResultType]::ParameterName, 'The variable with the secret of that client')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The PEM file with the private key of that client')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'The scopes to ask for as that client [default: those that the server asks for]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Speak this revision instead of asking which one the server knows')
            [CompletionResult]::new('--capabilities', '--capabilities', [CompletionResultType]::ParameterName, 'What to declare: nothing, what hosts declare, or the capabilities object of a file')
            [CompletionResult]::new('--client-info', '--client-info', [CompletionResultType]::ParameterName, 'Under which name and version to introduce ourselves')
            [CompletionResult]::new('--transcript', '--transcript', [CompletionResultType]::ParameterName, 'Write down what is said both ways, as JSON lines without secrets; the file is replaced')
            [CompletionResult]::new('--max-frame', '--max-frame', [CompletionResultType]::ParameterName, 'Limit: bytes of one message of a server')
            [CompletionResult]::new('--max-listing', '--max-listing', [CompletionResultType]::ParameterName, 'Limit: bytes of one list, all pages together')
            [CompletionResult]::new('--max-items', '--max-items', [CompletionResultType]::ParameterName, 'Limit: items of one list')
            [CompletionResult]::new('--max-pages', '--max-pages', [CompletionResultType]::ParameterName, 'Limit: pages of one list')
            [CompletionResult]::new('--max-string', '--max-string', [CompletionResultType]::ParameterName, 'Limit: bytes of one string')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Limit: levels of nesting, at most 10000')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The configurations in the home directory as well')
            [CompletionResult]::new('--start-changed', '--start-changed', [CompletionResultType]::ParameterName, 'Start a server although its launch differs from that in the lockfile')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;guard' {
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'An MCP client configuration that names it; repeatable [default: those that the project has]')
            [CompletionResult]::new('--url', '--url', [CompletionResultType]::ParameterName, 'The URL of that server, where no configuration names it')
            [CompletionResult]::new('--recheck', '--recheck', [CompletionResultType]::ParameterName, 'Judge a call by a listing that is no older than this, instead of listing again for each call')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Seconds for one request [default: what the configuration says, or 60]')
            [CompletionResult]::new('--start-timeout', '--start-timeout', [CompletionResultType]::ParameterName, 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]')
            [CompletionResult]::new('--env', '--env', [CompletionResultType]::ParameterName, 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'A header for servers that are reached by URL, if they are named here or by --config')
            [CompletionResult]::new('--bearer-env', '--bearer-env', [CompletionResultType]::ParameterName, 'Send the value of this variable as a bearer token, to the same servers')
            [CompletionResult]::new('--token-command', '--token-command', [CompletionResultType]::ParameterName, 'Run this command and send what it prints as a bearer token')
            [CompletionResult]::new('--client-id', '--client-id', [CompletionResultType]::ParameterName, 'Let ourselves in as this client (OAuth client credentials)')
            [CompletionResult]::new('--client-secret-env', '--client-secret-env', [CompletionResultType]::ParameterName, 'The variable with the secret of that client')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The PEM file with the private key of that client')
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'The scopes to ask for as that client [default: those that the server asks for]')
            [CompletionResult]::new('--ca-cert', '--ca-cert', [CompletionResultType]::ParameterName, 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`')
            [CompletionResult]::new('--protocol', '--protocol', [CompletionResultType]::ParameterName, 'Speak this revision instead of asking which one the server knows')
            [CompletionResult]::new('--capabilities', '--capabilities', [CompletionResultType]::ParameterName, 'What to declare: nothing, what hosts declare, or the capabilities object of a file')
            [CompletionResult]::new('--client-info', '--client-info', [CompletionResultType]::ParameterName, 'Under which name and version to introduce ourselves')
            [CompletionResult]::new('--transcript', '--transcript', [CompletionResultType]::ParameterName, 'Write down what is said both ways, as JSON lines without secrets; the file is replaced')
            [CompletionResult]::new('--max-frame', '--max-frame', [CompletionResultType]::ParameterName, 'Limit: bytes of one message of a server')
            [CompletionResult]::new('--max-listing', '--max-listing', [CompletionResultType]::ParameterName, 'Limit: bytes of one list, all pages together')
            [CompletionResult]::new('--max-items', '--max-items', [CompletionResultType]::ParameterName, 'Limit: items of one list')
            [CompletionResult]::new('--max-pages', '--max-pages', [CompletionResultType]::ParameterName, 'Limit: pages of one list')
            [CompletionResult]::new('--max-string', '--max-string', [CompletionResultType]::ParameterName, 'Limit: bytes of one string')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Limit: levels of nesting, at most 10000')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The configurations in the home directory as well')
            [CompletionResult]::new('--start-changed', '--start-changed', [CompletionResultType]::ParameterName, 'Start a server although its launch differs from that in the lockfile')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;approve' {
            [CompletionResult]::new('--by', '--by', [CompletionResultType]::ParameterName, 'Who says so [default: git''s user.name <user.email>]')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('--show', '--show', [CompletionResultType]::ParameterName, 'Show the call, and do not approve it')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;replay' {
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Which server of a transcript that holds several')
            [CompletionResult]::new('--max-file', '--max-file', [CompletionResultType]::ParameterName, 'Limit: bytes of the file')
            [CompletionResult]::new('--max-frame', '--max-frame', [CompletionResultType]::ParameterName, 'Limit: bytes of one message of the client')
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;completions' {
            [CompletionResult]::new('--lock', '--lock', [CompletionResultType]::ParameterName, 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]')
            [CompletionResult]::new('--data-dir', '--data-dir', [CompletionResultType]::ParameterName, 'Where snapshots and history are kept [default: the platform''s data directory]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the output: commands without a report know text and JSON')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the report to a file as well, in a format of its own; repeatable')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'How many servers to check side by side')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say less: a line for each server that waits or is new, and for each thing that waits')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more: acknowledged changes in full, and in `servers` how each is launched and used; with -vv the messages of the protocol as well, on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'countersign;help' {
            [CompletionResult]::new('snapshot', 'snapshot', [CompletionResultType]::ParameterValue, 'Connect and store a snapshot; the first sight of a server becomes its baseline in the lockfile')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Connect, compare with the lockfile, say what changed; or compare two files')
            [CompletionResult]::new('review', 'review', [CompletionResultType]::ParameterValue, 'Go through what waits on a terminal, or print it, from the newest snapshots that this machine stored, offline')
            [CompletionResult]::new('ack', 'ack', [CompletionResultType]::ParameterValue, 'Record that somebody reviewed a change; never contacts a server')
            [CompletionResult]::new('prune', 'prune', [CompletionResultType]::ParameterValue, 'Drop lockfile entries of items that are acknowledged as removed, and of servers that are given here and no config of the project names')
            [CompletionResult]::new('servers', 'servers', [CompletionResultType]::ParameterValue, 'List the servers that configs and lockfile name')
            [CompletionResult]::new('login', 'login', [CompletionResultType]::ParameterValue, 'Sign in to a remote server in a browser; what that gives is kept for the checks to come')
            [CompletionResult]::new('logout', 'logout', [CompletionResultType]::ParameterValue, 'Forget what a sign-in gave')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Show the standing rules of the lockfile and what they come to now, or set them')
            [CompletionResult]::new('flag', 'flag', [CompletionResultType]::ParameterValue, 'Ask for a full review of a server: it is due until somebody records one')
            [CompletionResult]::new('history', 'history', [CompletionResultType]::ParameterValue, 'Show what was observed of the servers on this machine')
            [CompletionResult]::new('watch', 'watch', [CompletionResultType]::ParameterValue, 'Stay connected, and record each change as it comes: what servers announce at once, the rest on a timer')
            [CompletionResult]::new('guard', 'guard', [CompletionResultType]::ParameterValue, 'Stand between an MCP client and a server, and let pass what the lockfile accepts')
            [CompletionResult]::new('approve', 'approve', [CompletionResultType]::ParameterValue, 'List the calls that a guard holds, or let one of them through, once')
            [CompletionResult]::new('replay', 'replay', [CompletionResultType]::ParameterValue, 'Serve a snapshot, a transcript or a saved list as an MCP server over stdio')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'countersign;help;snapshot' {
            break
        }
        'countersign;help;diff' {
            break
        }
        'countersign;help;review' {
            break
        }
        'countersign;help;ack' {
            break
        }
        'countersign;help;prune' {
            break
        }
        'countersign;help;servers' {
            break
        }
        'countersign;help;login' {
            break
        }
        'countersign;help;logout' {
            break
        }
        'countersign;help;policy' {
            break
        }
        'countersign;help;flag' {
            break
        }
        'countersign;help;history' {
            break
        }
        'countersign;help;watch' {
            break
        }
        'countersign;help;guard' {
            break
        }
        'countersign;help;approve' {
            break
        }
        'countersign;help;replay' {
            break
        }
        'countersign;help;completions' {
            break
        }
        'countersign;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
