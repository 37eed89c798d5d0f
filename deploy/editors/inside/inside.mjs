// node inside.mjs PATINA CHROMIUM CODE EXTENSION [SHOTS]: opens a repository in the server of VS Code at CODE and uses the extension
// as somebody does: the view, a question, code lenses, callers, why on hover. It also looks that nothing of it is there in a
// folder that is not trusted. SHOTS is a folder for pictures.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const [patina, browserPath, code, extension, shots] = process.argv.slice(2);
const work = mkdtempSync(path.join(tmpdir(), "inside-"));
const shop = path.join(work, "shop");
const env = { PATH: process.env.PATH, HOME: path.join(work, "home"), PATINA_HOME: path.join(work, "patina"), LANG: "C.UTF-8" };
const patience = 120_000; // the machine may be busy
const running = [];

function layRepository() {
  for (const dir of [shop, env.HOME]) mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(shop, "retry.ts"), `/** pause returns how long the courier waits before another attempt. */
export function pause(attempt: number): number { return 1000 << attempt; }

/** deliver tries three times, with a pause in between. */
export function deliver(send: () => boolean): boolean {
  for (let i = 0; i < 3; i++) { if (send()) return true; pause(i); }
  return false;
}
`);
  const git = (...args) => execFileSync("git", ["-C", shop, "-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { env });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "shop: wait longer after each failed attempt");
  execFileSync(patina, ["scrape"], { cwd: shop, env, stdio: "pipe" });
}

// freePort returns a port that nobody listens on. The server is told it, because it prints none that it has chosen.
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

// serve starts a server with the extension, and returns its address once it listens.
async function serve(name, ...flags) {
  const data = path.join(work, name);
  cpSync(extension, path.join(data, "extensions", "patina.patina-0.1.0"), {
    recursive: true, filter: (from) => !["node_modules", "out", "src", "test"].includes(path.basename(from)),
  });
  mkdirSync(path.join(data, "data", "Machine"), { recursive: true });
  writeFileSync(path.join(data, "data", "Machine", "settings.json"), JSON.stringify({ "patina.path": patina }));
  const port = await freePort();
  const server = spawn(process.execPath, [path.join(code, "out", "server-main.js"), "--host", "127.0.0.1", "--port", String(port),
    "--without-connection-token", "--accept-server-license-terms", "--disable-telemetry", "--extensions-dir", path.join(data, "extensions"),
    "--server-data-dir", data, ...flags], { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.push(server);
  let said = "";
  await new Promise((resolve, reject) => {
    const stuck = setTimeout(() => reject(new Error(`the server does not listen:\n${said}`)), patience);
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => {
      said += text;
      if (said.includes("Extension host agent listening")) { clearTimeout(stuck); resolve(); }
    });
    server.on("exit", (status) => reject(new Error(`the server ended with ${status}:\n${said}`)));
  });
  return `http://127.0.0.1:${port}/?folder=${encodeURIComponent(shop)}`;
}

async function open(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(patience);
  await page.goto(address);
  await page.locator(".monaco-workbench").waitFor();
  return page;
}

async function use(page) {
  const picture = (name) => shots && page.screenshot({ path: path.join(shots, `${name}.png`) });
  await page.locator('.activitybar a[aria-label^="patina"]').first().click();
  await page.getByRole("button", { name: "Ask the repository" }).first().waitFor();
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input.input").waitFor();
  await page.keyboard.type("patina: Ask");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "patina: Ask the repository" }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-message", { hasText: "Ask the repository" }).waitFor();
  await page.keyboard.type("how long is the pause between two attempts");
  await page.keyboard.press("Enter");
  const rows = page.locator(".pane-body .monaco-list-row");
  await rows.filter({ hasText: "how long the courier waits" }).first().click();
  await picture("question");
  console.log("a question: its results are in the view");

  const lenses = page.locator(".codelens-decoration a", { hasText: "callers" });
  await lenses.nth(1).waitFor();
  await lenses.first().click();
  await rows.filter({ hasText: "deliver" }).first().waitFor();
  await picture("callers");
  console.log("a code lens: callers");

  await page.locator(".view-line span", { hasText: "pause" }).first().hover();
  await page.locator(".monaco-hover", { hasText: "why retry.ts::pause" }).filter({ hasText: "shop: wait longer" }).first().waitFor();
  await picture("hover");
  console.log("a hover: why");
}

// In a folder that is not trusted the extension does not run, so it has no view until the user trusts it.
async function keepOut(page) {
  const trust = page.getByRole("button", { name: "Yes, I trust the authors" });
  await trust.waitFor();
  await page.locator('.activitybar a[aria-label^="Extensions"]').waitFor();
  const view = page.locator('.activitybar a[aria-label^="patina"]');
  if (await view.count() > 0) throw new Error("it runs in a folder that is not trusted");
  await trust.click();
  await view.first().waitFor();
  console.log("a folder that is not trusted: it is there once you trust it");
}

let failed;
const browser = await chromium.launch({
  executablePath: browserPath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});
try {
  if (shots) mkdirSync(shots, { recursive: true });
  layRepository();
  await use(await open(browser, await serve("trusted", "--disable-workspace-trust")));
  await keepOut(await open(browser, await serve("strange")));
} catch (err) {
  failed = err;
} finally {
  await browser.close();
  for (const server of running) {
    try { process.kill(-server.pid); } catch { /* it has ended */ }
  }
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}
if (failed) {
  console.error(failed);
  process.exit(1);
}
