
use builtin;
use str;

set edit:completion:arg-completer[countersign] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'countersign'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'countersign'= {
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand snapshot 'Connect and store a snapshot; the first sight of a server becomes its baseline in the lockfile'
            cand diff 'Connect, compare with the lockfile, say what changed; or compare two files'
            cand review 'Show what waits, from the newest snapshots that this machine stored, offline'
            cand ack 'Record that somebody reviewed a change; never contacts a server'
            cand prune 'Drop lockfile entries of items that are acknowledged as removed, and of servers that are given here and no config of the project names'
            cand servers 'List the servers that configs and lockfile name'
            cand guard 'Stand between an MCP client and a server, and let pass what the lockfile accepts'
            cand approve 'List the calls that a guard holds, or let one of them through, once'
            cand replay 'Serve a snapshot, a transcript or a saved list as an MCP server over stdio'
            cand completions 'Print a completion script'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'countersign;snapshot'= {
            cand --config 'An MCP client configuration; repeatable [default: the project''s .mcp.json, .vscode/mcp.json, .cursor/mcp.json]'
            cand --name 'The name of one server, given with --url, --from or -- COMMAND'
            cand --url 'The URL of that server (Streamable HTTP, or HTTP+SSE)'
            cand --from 'Read this snapshot or tools/list result as if that server had answered with it'
            cand --timeout 'Seconds for one request'
            cand --start-timeout 'Seconds for start, probe and handshake together'
            cand --env 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment'
            cand -H 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --header 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --bearer-env 'Send the value of this variable as a bearer token, to the same servers'
            cand --ca-cert 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`'
            cand --protocol 'Speak this revision instead of asking which one the server knows'
            cand --capabilities 'What to declare: nothing, what hosts declare, or the capabilities object of a file'
            cand --client-info 'Under which name and version to introduce ourselves'
            cand --transcript 'Write down what is said both ways, as JSON lines without secrets; the file is replaced'
            cand --max-frame 'Limit: bytes of one message of a server'
            cand --max-listing 'Limit: bytes of one list, all pages together'
            cand --max-items 'Limit: items of one list'
            cand --max-pages 'Limit: pages of one list'
            cand --max-string 'Limit: bytes of one string'
            cand --max-depth 'Limit: levels of nesting, at most 10000'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --start-changed 'Start a server although its launch differs from that in the lockfile'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;diff'= {
            cand --explain 'Say what a rule means; all of them without a name'
            cand --full 'Write both sides of each change whole to files in this directory'
            cand --config 'An MCP client configuration; repeatable [default: the project''s .mcp.json, .vscode/mcp.json, .cursor/mcp.json]'
            cand --name 'The name of one server, given with --url, --from or -- COMMAND'
            cand --url 'The URL of that server (Streamable HTTP, or HTTP+SSE)'
            cand --from 'Read this snapshot or tools/list result as if that server had answered with it'
            cand --timeout 'Seconds for one request'
            cand --start-timeout 'Seconds for start, probe and handshake together'
            cand --env 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment'
            cand -H 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --header 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --bearer-env 'Send the value of this variable as a bearer token, to the same servers'
            cand --ca-cert 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`'
            cand --protocol 'Speak this revision instead of asking which one the server knows'
            cand --capabilities 'What to declare: nothing, what hosts declare, or the capabilities object of a file'
            cand --client-info 'Under which name and version to introduce ourselves'
            cand --transcript 'Write down what is said both ways, as JSON lines without secrets; the file is replaced'
            cand --max-frame 'Limit: bytes of one message of a server'
            cand --max-listing 'Limit: bytes of one list, all pages together'
            cand --max-items 'Limit: items of one list'
            cand --max-pages 'Limit: pages of one list'
            cand --max-string 'Limit: bytes of one string'
            cand --max-depth 'Limit: levels of nesting, at most 10000'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --start-changed 'Start a server although its launch differs from that in the lockfile'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;review'= {
            cand --full 'Write both sides of each change whole to files in this directory'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --all 'Acknowledged changes as well'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;ack'= {
            cand --note 'Why it is fine; kept in the lockfile'
            cand --by 'Who says so [default: git''s user.name <user.email>]'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --all 'Everything that waits, minor changes too; each is listed'
            cand --revoke 'Take acknowledgements back: of a change, or the newest of an item'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;prune'= {
            cand --config 'An MCP client configuration whose servers are in use; repeatable [default: the project''s]'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --check 'Write nothing; status 1 if there is something to drop'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;servers'= {
            cand --config 'An MCP client configuration; repeatable [default: the project''s]'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;guard'= {
            cand --config 'An MCP client configuration that names it; repeatable [default: the project''s .mcp.json, .vscode/mcp.json, .cursor/mcp.json]'
            cand --url 'The URL of that server, where no configuration names it'
            cand --recheck 'Judge a call by a listing that is no older than this, instead of listing again for each call'
            cand --timeout 'Seconds for one request'
            cand --start-timeout 'Seconds for start, probe and handshake together'
            cand --env 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment'
            cand -H 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --header 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --bearer-env 'Send the value of this variable as a bearer token, to the same servers'
            cand --ca-cert 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`'
            cand --protocol 'Speak this revision instead of asking which one the server knows'
            cand --capabilities 'What to declare: nothing, what hosts declare, or the capabilities object of a file'
            cand --client-info 'Under which name and version to introduce ourselves'
            cand --transcript 'Write down what is said both ways, as JSON lines without secrets; the file is replaced'
            cand --max-frame 'Limit: bytes of one message of a server'
            cand --max-listing 'Limit: bytes of one list, all pages together'
            cand --max-items 'Limit: items of one list'
            cand --max-pages 'Limit: pages of one list'
            cand --max-string 'Limit: bytes of one string'
            cand --max-depth 'Limit: levels of nesting, at most 10000'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --start-changed 'Start a server although its launch differs from that in the lockfile'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;approve'= {
            cand --by 'Who says so [default: git''s user.name <user.email>]'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --show 'Show the call, and do not approve it'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;replay'= {
            cand --server 'Which server of a transcript that holds several'
            cand --max-file 'Limit: bytes of the file'
            cand --max-frame 'Limit: bytes of one message of the client'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;completions'= {
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;help'= {
            cand snapshot 'Connect and store a snapshot; the first sight of a server becomes its baseline in the lockfile'
            cand diff 'Connect, compare with the lockfile, say what changed; or compare two files'
            cand review 'Show what waits, from the newest snapshots that this machine stored, offline'
            cand ack 'Record that somebody reviewed a change; never contacts a server'
            cand prune 'Drop lockfile entries of items that are acknowledged as removed, and of servers that are given here and no config of the project names'
            cand servers 'List the servers that configs and lockfile name'
            cand guard 'Stand between an MCP client and a server, and let pass what the lockfile accepts'
            cand approve 'List the calls that a guard holds, or let one of them through, once'
            cand replay 'Serve a snapshot, a transcript or a saved list as an MCP server over stdio'
            cand completions 'Print a completion script'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'countersign;help;snapshot'= {
        }
        &'countersign;help;diff'= {
        }
        &'countersign;help;review'= {
        }
        &'countersign;help;ack'= {
        }
        &'countersign;help;prune'= {
        }
        &'countersign;help;servers'= {
        }
        &'countersign;help;guard'= {
        }
        &'countersign;help;approve'= {
        }
        &'countersign;help;replay'= {
        }
        &'countersign;help;completions'= {
        }
        &'countersign;help;help'= {
        }
    ]
    $completions[$command]
}
