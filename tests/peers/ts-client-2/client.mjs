// The client of TypeScript SDK 2. Usage: client.mjs MODE SCENARIO COMMAND...; MODE is legacy or auto.
// SCENARIO is JSON: calls ([name, arguments] each), progress and cancel (one such each). Prints one JSON document.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [mode, scenario, command, ...args] = process.argv.slice(2);
try {
  const { calls = [], progress, cancel } = JSON.parse(scenario);
  const client = new Client({ name: "ts-2", version: "1.0" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));
  const said = { instructions: client.getInstructions() ?? null, revision: client.getNegotiatedProtocolVersion?.() ?? null, tools: (await client.listTools()).tools, results: [] };
  for (const [name, input] of calls) {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    said.results.push([content[0]?.text?.slice(0, 300) ?? null, content[0]?.text?.length ?? 0, isError]);
  }
  if (progress) {
    let steps = 0;
    await client.callTool({ name: progress[0], arguments: progress[1] }, { onprogress: () => { steps += 1; } });
    said.steps = steps;
  }
  if (cancel) {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    said.cancelled = await client.callTool({ name: cancel[0], arguments: cancel[1] }, { signal: stop.signal }).then(() => false, () => true);
    said.after = (await client.listTools()).tools.length;
  }
  await client.close();
  console.log(JSON.stringify(said));
} catch (error) {
  console.log(JSON.stringify({ error: String(error.message ?? error) }));
  process.exit(1);
}
