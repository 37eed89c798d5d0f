// Strangers' clients of "patina mcp": the SDK's client, the inspector's command line, and the conformance suite. Each lists and
// calls every tool, over standard streams and over HTTP. Usage: node check.mjs PATINA
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const here = dirname(fileURLToPath(import.meta.url));
const patina = resolve(process.argv[2]);
const top = mkdtempSync(join(tmpdir(), "patina-mcp-"));
const root = join(top, "tea");
const env = { ...process.env, PATINA_HOME: join(top, "home"), HOME: top, GIT_CONFIG_GLOBAL: "/dev/null", MCP_CATALOG_PATH: join(top, "catalog.json") };

mkdirSync(root);
writeFileSync(join(root, "kettle.go"), "package tea\n\n// BoilKettle heats water for tea.\nfunc BoilKettle() { fill() }\n\nfunc fill() {}\n");
writeFileSync(join(root, "README.md"), "# tea\n\nMakes tea. Never boil an empty kettle.\n");
const git = (...args) => execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { cwd: root, env });
git("init", "-q");
git("add", "-A");
git("commit", "-qm", "feat: boil the kettle");

const calls = [
  ["scry", { query: "heats water for tea" }, /kettle\.go/],
  ["scry", { mode: "detail", doc_id: "kettle.go::BoilKettle" }, /heats water/],
  ["scry", { mode: "why", doc_id: "kettle.go" }, /boil the kettle/],
  ["scry", { mode: "orient" }, /README\.md/],
  ["scry", { mode: "recent", days: 3 }, /boil the kettle/],
  ["scry", { mode: "file", path: "kettle.go" }, /kettle\.go/],
  ["context", {}, /kettle\.go/],
  ["assay", { query_type: "callers", pattern: "fill" }, /BoilKettle/],
  ["remember", { text: "The kettle is filled before it is boiled.", type: "lesson" }, /^m-[0-9a-f]+/],
];

async function sdk(name, transport) {
  const client = new Client({ name: "check", version: "1" }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file://" + root }] }));
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name), ["scry", "context", "assay", "remember"]);
  let progress = 0;
  while (/draft of the index/.test((await client.callTool({ name: "scry", arguments: { query: "heats water" } }, undefined, { onprogress: () => progress++ })).content[0].text)) {
    await new Promise((done) => setTimeout(done, 100)); // a first call is answered before the history is read
  }
  for (const [tool, args, want] of calls) {
    const result = await client.callTool({ name: tool, arguments: args }, undefined, { onprogress: () => progress++ });
    assert.equal(result.isError ?? false, false, JSON.stringify(result));
    assert.match(result.content[0].text, want);
    assert.equal(result.structuredContent, undefined);
  }
  const json = await client.callTool({ name: "scry", arguments: { query: "heats water for tea", format: "json" } });
  assert.equal(json.structuredContent.results[0].path, "kettle.go");
  const wrong = await client.callTool({ name: "scry", arguments: { mode: "dance" } });
  assert.match(wrong.content[0].text, /unknown mode "dance"\nhint: there are: find/);
  const { resources } = await client.listResources();
  for (const r of [...resources.map((r) => r.uri), "patina://document/kettle.go"]) {
    const { contents } = await client.readResource({ uri: r });
    assert.ok(contents[0].text.length > 20, r);
  }
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map((p) => p.name).sort(), ["orient", "recall"]);
  assert.match((await client.getPrompt({ name: "orient" })).messages[0].content.text, /kettle\.go/);
  const { completion } = await client.complete({ ref: { type: "ref/resource", uri: "patina://document/{+doc_id}" }, argument: { name: "doc_id", value: "ketle.go" } });
  assert.ok(completion.values.includes("kettle.go"), completion.values.join());
  await client.close();
  console.log(`ok  SDK client over ${name}: ${tools.length} tools, ${calls.length + 2} calls, ${progress} messages of progress`);
}

function inspect(name, target) {
  const cli = (...args) => JSON.parse(execFileSync(join(here, "node_modules/.bin/mcp-inspector"), ["--cli", "-e", "PATINA_HOME=" + env.PATINA_HOME, ...target, ...args], { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  const { tools } = cli("--method", "tools/list");
  assert.equal(tools.length, 4);
  for (const [tool, args, want] of calls) {
    const pairs = Object.entries(args).flatMap(([k, v]) => ["--tool-arg", `${k}=${v}`]);
    const result = cli("--method", "tools/call", "--tool-name", tool, ...pairs);
    assert.match(result.content[0].text, want);
  }
  console.log(`ok  inspector over ${name}: ${tools.length} tools, ${calls.length} calls`);
}

let served;
try {
  await sdk("stdio", new StdioClientTransport({ command: patina, args: ["mcp"], env, cwd: top }));
  inspect("stdio", [patina, "mcp"]);
  served = spawn(patina, ["mcp", "--listen", "127.0.0.1:0"], { cwd: root, env, stdio: ["ignore", "inherit", "pipe"] });
  const url = await new Promise((done) => served.stderr.on("data", (b) => { const m = /http:\S+/.exec(String(b)); if (m) done(m[0]); }));
  await sdk("HTTP", new StreamableHTTPClientTransport(new URL(url)));
  inspect("HTTP", [url]);
  const suite = execFileSync(process.execPath, [join(here, "node_modules/.bin/conformance"), "server", "--url", url, "--suite", "all", "--expected-failures", join(here, "expected-failures.yml"), "-o", join(top, "results")], { env, encoding: "utf8" });
  console.log(suite.slice(suite.indexOf("=== SUMMARY")));
} catch (error) {
  console.error(error.stdout ?? "", error);
  process.exitCode = 1;
} finally {
  served?.kill();
  rmSync(top, { recursive: true, force: true });
}
