// A mail server on TypeScript SDK 1.12, over stdio.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer(
  { name: "mail", version: "1.12.3" },
  { instructions: "Drafts are not sent until the user says so." },
);
const done = async () => ({ content: [{ type: "text", text: "done" }] });

server.tool(
  "draft_mail",
  "Write a draft and leave it in the drafts folder.",
  { to: z.string().describe("Address of the recipient"), text: z.string().max(10000) },
  { title: "Draft a mail", readOnlyHint: false },
  done,
);
server.tool("count_mail", "Count the mails of a folder.", { folder: z.enum(["inbox", "drafts"]) }, done);
server.tool("list_folders", "List the folders.", done);
server.prompt("reply", "Answer a mail", { tone: z.string().optional() }, ({ tone }) => ({
  messages: [{ role: "user", content: { type: "text", text: `Answer it, ${tone ?? "politely"}.` } }],
}));

await server.connect(new StdioServerTransport());
