
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
            cand --format 'The form of the output: commands without a report know text and JSON'
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
            cand login 'Sign in to a remote server in a browser; what that gives is kept for the checks to come'
            cand logout 'Forget what a sign-in gave'
            cand completions 'Print a completion script'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'countersign;snapshot'= {
            cand --config 'An MCP client configuration; repeatable [default: those that the project has]'
            cand --name 'The name of one server, given with --url, --from or -- COMMAND'
            cand --url 'The URL of that server (Streamable HTTP, or HTTP+SSE)'
            cand --from 'Read this snapshot or tools/list result as if that server had answered with it'
            cand --timeout 'Seconds for one request [default: what the configuration says, or 60]'
            cand --start-timeout 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]'
            cand --env 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment'
            cand -H 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --header 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --bearer-env 'Send the value of this variable as a bearer token, to the same servers'
            cand --token-command 'Run this command and send what it prints as a bearer token'
            cand --client-id 'Let ourselves in as this client (OAuth client credentials)'
            cand --client-secret-env 'The variable with the secret of that client'
            cand --client-key 'The PEM file with the private key of that client'
            cand --scope 'The scopes to ask for as that client [default: those that the server asks for]'
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
            cand --format 'The form of the output: commands without a report know text and JSON'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --vary 'Start each server several times more, under other circumstances, and say what varies by which'
            cand --user 'The configurations in the home directory as well'
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
            cand --config 'An MCP client configuration; repeatable [default: those that the project has]'
            cand --name 'The name of one server, given with --url, --from or -- COMMAND'
            cand --url 'The URL of that server (Streamable HTTP, or HTTP+SSE)'
            cand --from 'Read this snapshot or tools/list result as if that server had answered with it'
            cand --timeout 'Seconds for one request [default: what the configuration says, or 60]'
            cand --start-timeout 'Seconds for start, probe and handshake together [default: what the configuration says, or 60]'
            cand --env 'A variable for servers that are started, if they are named here or by --config; without a value it is taken from this environment'
            cand -H 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --header 'A header for servers that are reached by URL, if they are named here or by --config'
            cand --bearer-env 'Send the value of this variable as a bearer token, to the same servers'
            cand --token-command 'Run this command and send what it prints as a bearer token'
            cand --client-id 'Let ourselves in as this client (OAuth client credentials)'
            cand --client-secret-env 'The variable with the secret of that client'
            cand --client-key 'The PEM file with the private key of that client'
            cand --scope 'The scopes to ask for as that client [default: those that the server asks for]'
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
            cand --format 'The form of the output: commands without a report know text and JSON'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --user 'The configurations in the home directory as well'
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
            cand --format 'The form of the output: commands without a report know text and JSON'
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
            cand --format 'The form of the output: commands without a report know text and JSON'
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
            cand --format 'The form of the output: commands without a report know text and JSON'
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
            cand --config 'An MCP client configuration; repeatable [default: those that the project has]'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output: commands without a report know text and JSON'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --user 'The configurations in the home directory as well'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;login'= {
            cand --client-id 'A client that the authorization server knows, or the URL of its metadata document'
            cand --client-secret-env 'The variable with the secret of that client'
            cand --scope 'The scopes to ask for, separated by spaces [default: those that the server asks for]'
            cand --ca-cert 'Trust the authorities of this PEM file as well, beside those of the system and of `SSL_CERT_FILE`'
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output: commands without a report know text and JSON'
            cand --color 'When to use colour'
            cand --jobs 'How many servers to check side by side'
            cand --no-browser 'Only print the address to open'
            cand -q 'Say less: a line for each server and each material change'
            cand --quiet 'Say less: a line for each server and each material change'
            cand -v 'With -vv: the messages of the protocol as well, on standard error'
            cand --verbose 'With -vv: the messages of the protocol as well, on standard error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'countersign;logout'= {
            cand --lock 'The lockfile [default: countersign.lock.json here or above, up to the repository''s root]'
            cand --data-dir 'Where snapshots and history are kept [default: the platform''s data directory]'
            cand --format 'The form of the output: commands without a report know text and JSON'
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
            cand --format 'The form of the output: commands without a report know text and JSON'
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
            cand login 'Sign in to a remote server in a browser; what that gives is kept for the checks to come'
            cand logout 'Forget what a sign-in gave'
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
        &'countersign;help;login'= {
        }
        &'countersign;help;logout'= {
        }
        &'countersign;help;completions'= {
        }
        &'countersign;help;help'= {
        }
    ]
    $completions[$command]
}
