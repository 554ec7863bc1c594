#!/usr/bin/env python3
"""What a guard costs: latency, throughput and memory beside a direct connection, in one run.

Usage: cargo build --release --bins --examples && benches/guard.py [--calls N] [--target DIR]

Direct and guarded talks alternate, so that a busy machine is busy for both. Printed is a table: the median latency of a
small call and the throughput of results of 100 KB, four of them under way at a time, and the memory of the guard after
1,000 calls and after all of them (100,000, or N).
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROUNDS = 7
SMALL = 1000
LARGE = 200
WINDOW = 4
BYTES = 100_000
CATALOGUE = {"tools": [{"name": "add", "description": "Adds a note.", "inputSchema": {
    "type": "object", "properties": {"text": {"type": "string"}}}}]}


class Talk:
    """A talk with a server over stdio, direct or through a guard."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment(folder), bufsize=1 << 20)
        self.last = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "bench", "version": "1"}})
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, params):
        self.last += 1
        self.write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})

    def ask(self, method, params):
        self.send(method, params)
        return self.process.stdout.readline()

    def call(self, arguments):
        self.send("tools/call", {"name": "add", "arguments": arguments})

    def latencies(self, count):
        """Of calls one after another, in seconds."""
        out = []
        for _ in range(count):
            begun = time.perf_counter()
            self.call({"text": "a"})
            answer = self.process.stdout.readline()
            out.append(time.perf_counter() - begun)
            assert b'"isError":true' not in answer and b'"result"' in answer, answer[:300]
        return out

    def throughput(self, count):
        """Of results of 100 KB, in bytes a second."""
        begun, sent, read = time.perf_counter(), 0, 0
        for done in range(count):
            while sent < count and sent - done < WINDOW:
                self.call({"bytes": BYTES})
                sent += 1
            answer = self.process.stdout.readline()
            assert len(answer) > BYTES, answer[:300]
            read += len(answer)
        return read / (time.perf_counter() - begun)

    def resident(self):
        """Memory in KiB, where the system tells it."""
        try:
            text = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS:"))

    def leave(self):
        self.process.stdin.close()
        assert self.process.wait(30) == 0


def environment(folder):
    return {"PATH": os.environ["PATH"], "HOME": folder, "COUNTERSIGN_DATA_DIR": os.path.join(folder, "data")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--target", type=Path, default=Path(__file__).parent.parent / "target/release")
    args = parser.parse_args()
    target = args.target.resolve()
    program = str(target / "countersign")
    with tempfile.TemporaryDirectory() as folder:
        catalogue = os.path.join(folder, "catalogue.json")
        Path(catalogue).write_text(json.dumps(CATALOGUE))
        server = [str(target / "examples/scripted-server"), "--calls", catalogue]
        entry = {"mcpServers": {"notes": {"command": server[0], "args": server[1:]}}}
        Path(folder, ".mcp.json").write_text(json.dumps(entry))
        subprocess.run([program, "snapshot"], cwd=folder, env=environment(folder), check=True, capture_output=True)
        commands = {
            "direct": server,
            "guard": [program, "guard", "notes"],
            "guard --recheck 1": [program, "guard", "notes", "--recheck", "1"],
        }
        talks = {name: Talk(command, folder) for name, command in commands.items()}
        for talk in talks.values():
            talk.latencies(SMALL // 5)
            talk.throughput(LARGE // 10)
        latency = {name: [] for name in talks}
        rate = {name: [] for name in talks}
        for _ in range(ROUNDS):
            for name, talk in talks.items():
                latency[name].append(statistics.median(talk.latencies(SMALL)))
            for name, talk in talks.items():
                rate[name].append(talk.throughput(LARGE))
        for talk in talks.values():
            talk.leave()
        print("| connection | small call, median | added | 100 KB results | of direct |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for name in talks:
            added = statistics.median(a - b for a, b in zip(latency[name], latency["direct"]))
            share = statistics.median(a / b for a, b in zip(rate[name], rate["direct"]))
            print(f"| `{name}` | {statistics.median(latency[name]) * 1e3:.3f} ms | {added * 1e3:.3f} ms "
                  f"| {statistics.median(rate[name]) / 1e6:.0f} MB/s | {share * 100:.0f} % |")
        talk = Talk(commands["guard"], folder)
        talk.latencies(1000)
        early = talk.resident()
        talk.latencies(args.calls - 1000)
        late = talk.resident()
        talk.leave()
        print(f"\nmemory of `guard`: {early} KiB after 1,000 calls, {late} KiB after {args.calls:,}")


if __name__ == "__main__":
    main()
