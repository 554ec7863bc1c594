// A parcel server on TypeScript SDK 2. Usage: server.mjs stdio | server.mjs http PORT
import { createServer } from "node:http";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import * as z from "zod";

function parcels() {
  const server = new McpServer(
    { name: "parcels", version: "2.4.0" },
    { instructions: "Ask before a parcel is returned to its sender." },
  );
  server.registerTool(
    "track_parcel",
    {
      title: "Track a parcel",
      description: "Say where a parcel is.",
      inputSchema: z.object({ number: z.string().describe("The number on the label") }),
      annotations: { readOnlyHint: true },
    },
    async () => ({ content: [{ type: "text", text: "on its way" }] }),
  );
  server.registerTool(
    "return_parcel",
    { description: "Send a parcel back.", inputSchema: z.object({ number: z.string(), paid: z.boolean().default(true) }) },
    async () => ({ content: [] }),
  );
  return server;
}

const [mode, port] = process.argv.slice(2);
if (mode === "stdio") {
  await serveStdio(parcels);
} else {
  createServer(toNodeHandler(createMcpHandler(parcels))).listen(Number(port), "127.0.0.1");
}
