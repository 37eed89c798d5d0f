// Drives "patina ui" as a person does: check.mjs PATINA CHROMIUM [FOLDER FOR PICTURES].
// It fails if a step fails, if the console has an error, if a request leaves the server, or if axe-core finds something serious.
import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import assert from "node:assert/strict";
import { checkGraphs } from "./graphs.mjs";

const [patina, browserPath, pictures] = process.argv.slice(2);
const axe = readFileSync(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const began = Date.now();
const dir = mkdtempSync(join(tmpdir(), "patina-ui-"));
const root = join(dir, "kettle");
const env = {
  ...process.env, PATINA_HOME: join(dir, "home"), HOME: dir, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", PATINA_TIMEOUT: "2m",
  GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org", GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org",
};
delete env.DISPLAY;

// A project with calls, a belief, reasons in commits, a hostile name, and a file of 20,000 lines.
const belief = (id, text, more = "") => [`layer/surface/epistemic/beliefs/${id}.md`,
  `---\ntype: belief\nid: ${id}\nentrenchment: high\nstatus: active\n---\n\n# ${id}\n\n${text}\n\n## Evidence\n\n- [[boil.go::Boil]] - it takes litres\n${more}`];
const files = Object.fromEntries([
  ["go.mod", "module kettle\n\ngo 1.26\n"],
  ["boil.go", "package kettle\n\n// Boil heats water until it boils.\nfunc Boil(litres int) int {\n\t// The sum is made first, because a full kettle must not take longer.\n\treturn heat(litres)\n}\n\n// heat adds energy to water.\nfunc heat(litres int) int { return litres * 100 }\n"],
  ["tea/tea.go", "package tea\n\nimport \"kettle\"\n\n// Brew makes tea with boiling water.\nfunc Brew() int { return kettle.Boil(1) }\n"],
  ["soup/soup.go", "package soup\n\nimport \"kettle\"\n\n// Cook makes soup with boiling water.\nfunc Cook() int { return kettle.Boil(3) }\n\n// Dinner is soup, and more.\nfunc Dinner() int { return Cook() }\n"],
  ["docs/kettle.md", "# Kettle\n\nThe kettle heats water. See [the code](../boil.go).\n\n## Safety\n\nNever boil it dry.\n"],
  ["<img src=x onerror=alert(1)>.go", "package kettle\n\n// Evil <script>alert(1)</script> heats water \u202Egnp\u202C.\nfunc Evil() {}\n"],
  ["long.go", "package kettle\n" + "var _ = \"a line of a long file\"\n".repeat(20000)],
  belief("no-dry-boil", "The kettle is never boiled without water."),
  belief("lid-on", "The lid stays on while water boils.", "\n## Supports\n\n- [[no-dry-boil]] - steam stays inside\n"),
]);
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
const git = (...args) => execFileSync("git", args, { cwd: root, env });
git("init", "-q");
git("add", "-A");
git("commit", "-q", "-m", "feat: the kettle boils", "-m", "Water is heated by litres, because a full kettle must not take longer than an empty one.");
writeFileSync(join(root, "tea/tea.go"), files["tea/tea.go"] + "\n// Pour pours tea.\nfunc Pour() {}\n");
writeFileSync(join(root, "boil.go"), files["boil.go"] + "\n// Cool lets water stand.\nfunc Cool() {}\n");
git("commit", "-qam", "feat: tea is poured, and water cools");
execFileSync(patina, ["scrape"], { cwd: root, env, stdio: "ignore" });

// Another project, which may be asked as well.
const stove = join(dir, "stove");
mkdirSync(stove);
writeFileSync(join(stove, "stove.go"), "package stove\n\n// Glow is what heats water on the plate.\nfunc Glow() {}\n");
execFileSync("git", ["init", "-q"], { cwd: stove, env });
execFileSync(patina, ["scrape"], { cwd: stove, env, stdio: "ignore" });

// serve starts the pages of a folder, and returns their link.
const servers = [], origins = [];
process.on("exit", () => {
  servers.forEach((s) => s.kill("SIGINT"));
  rmSync(dir, { recursive: true, force: true });
});
async function serve(folder) {
  const server = spawn(patina, ["ui", "--no-open"], { cwd: folder, env });
  servers.push(server);
  const link = await new Promise((done, fail) => {
    let text = "";
    server.stdout.on("data", (b) => { text += b; if (text.includes("\n")) done(text.trim()); });
    server.on("exit", (code) => fail(new Error(`patina ui ended: ${code}`)));
  });
  origins.push(new URL(link).origin);
  return link;
}
const link = await serve(root), origin = new URL(link).origin;

const browser = await chromium.launch({
  executablePath: browserPath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});
const faults = [];
let requests = 0, examined = 0;

// open returns a page of a new browser that has opened a link.
async function open(width, scheme, at = link) {
  const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme: scheme, reducedMotion: "reduce" });
  context.setDefaultTimeout(30000);
  context.on("request", (r) => {
    requests++;
    if (!origins.includes(new URL(r.url()).origin) && !r.url().startsWith("data:")) faults.push(`a request leaves: ${r.url()}`);
  });
  const page = await context.newPage();
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") faults.push(`console: ${m.text()}`); });
  page.on("pageerror", (e) => faults.push(`script: ${e.message}`));
  page.on("dialog", (d) => { faults.push(`a dialog: ${d.message()}`); d.dismiss(); });
  await page.goto(at);
  assert.equal(page.url(), new URL(at).origin + "/", "the token stays in the address");
  return page;
}

// settled waits until all parts of the page have come. Some come when they are seen, and others that come above push them out of sight,
// so it looks at one that waits until none does.
async function settled(page, within = 60000) {
  await page.waitForLoadState();
  const until = Date.now() + within;
  for (;;) {
    const waiting = await page.evaluate(() => {
      const all = [...document.querySelectorAll(".wait")];
      all[0]?.scrollIntoView({ block: "center" });
      const names = all.map((x) => `${x.closest("[hx-get]")?.getAttribute("hx-get") ?? "no part"}: ${x.textContent}`);
      return names.concat([...document.querySelectorAll(".htmx-request")].map((x) => `asked: ${x.getAttribute("hx-get")}`));
    }).catch((e) => [`a page that is left: ${e.message}`]);
    if (!waiting.length) return;
    if (Date.now() > until) assert.fail(`${page.url()} waits after ${within / 1000} s for\n  ${waiting.join("\n  ")}\n${faults.join("\n")}`);
    await page.waitForTimeout(50);
  }
}

// moved acts, and waits for the page to which that leads.
async function moved(page, act) {
  const before = page.url();
  await act();
  await page.waitForURL((u) => u.href !== before);
  await settled(page);
}

// examine runs axe-core on the page, and looks whether it fits the width.
async function examine(page, name) {
  await settled(page);
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const v of found.violations) {
    const text = `axe: ${name}: ${v.impact} ${v.id}: ${v.nodes[0].html.slice(0, 160)}`;
    if (v.impact === "serious" || v.impact === "critical") faults.push(text);
  }
  const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (wide > width) faults.push(`${name}: ${wide} columns of pixels in ${width}`);
  examined++;
  if (pictures) await page.screenshot({ path: join(pictures, name.replaceAll(/[^\w]+/g, "-") + ".png") });
}

// 1. With the keyboard alone: ask, open, walk three steps, go back, see why.
const page = await open(1440, "light");
await page.locator("body").press("Escape");
await page.locator("body").press("/");
await page.keyboard.type("what heats water");
await page.keyboard.press("Enter");
await page.waitForURL(/[?&]q=what\+heats\+water/);
await settled(page);
assert.ok((await page.locator(".result").count()) >= 3, "few results");
await page.locator("body").press("j");
const first = await page.evaluate(() => document.activeElement.textContent);
await page.keyboard.press("j");
await page.keyboard.press("k");
assert.equal(await page.evaluate(() => document.activeElement.textContent), first, "k does not lead back");
await page.goto(origin + "/?q=Boil");
await settled(page);
await page.keyboard.press("j");
await page.keyboard.press("Enter");
await page.waitForURL(/\/thing\?/);
await settled(page);
assert.match(await page.locator("h1").textContent(), /boil\.go.* Boil/);
const steps = [];
const follow = async (text) => { // focuses a link of the page by j, and opens it
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("j");
    const at = await page.evaluate(() => document.activeElement.textContent.trim());
    if (at === text) {
      const before = page.url();
      await page.keyboard.press("Enter");
      await page.waitForFunction((u) => location.href !== u, before);
      await settled(page);
      steps.push(text);
      return;
    }
  }
  assert.fail(`no link ${text} on ${page.url()}`);
};
await follow("Cook");
await follow("Dinner");
await follow("Cook");
assert.equal(await page.locator(".crumbs li").count(), 5, "the walk: question, three steps, here");
const walked = page.url();
await page.reload();
await settled(page);
assert.equal(page.url(), walked);
assert.equal(await page.locator(".crumbs li").count(), 5, "a reload loses the walk");
await page.keyboard.press("Escape");
await page.waitForFunction((u) => location.href !== u, walked);
await settled(page);
assert.match(await page.locator("h1").textContent(), /Dinner/);
await page.goBack();
await settled(page);
assert.equal(page.url(), walked, "back loses the page");
await page.keyboard.press("?");
assert.ok(await page.locator("#help").isVisible());
await page.keyboard.press("Escape");
assert.ok(!(await page.locator("#help").isVisible()));

// The first view of a browser that has kept nothing: all that comes over the wire with its answer.
{
  const first = await open(1440, "light");
  const sizes = [];
  first.on("requestfinished", (r) => sizes.push(r.sizes().then((s) => s.responseBodySize + s.responseHeadersSize)));
  const cold = await first.context().newCDPSession(first);
  await cold.send("Network.setCacheDisabled", { cacheDisabled: true });
  await settled(first);
  await first.goto(origin + "/?q=what+heats+water");
  await settled(first);
  const bytes = (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
  assert.ok(bytes > 10_000 && bytes <= 250_000, `the first view takes ${bytes} bytes`);
  await first.context().close();
}

// The five clicks of docs/ui.md, by mouse. Who calls X is above, by keyboard.
await page.goto(origin + "/");
await page.locator("#q").fill("why is a kettle never boiled dry");
await moved(page, () => page.getByRole("button", { name: "Ask", exact: true }).click());
await moved(page, () => page.locator(".result").filter({ has: page.locator(".kind").getByText(/^(belief|commit)$/) }).first().locator("a.name").click());
assert.match(await page.locator("main").innerText(), /never boiled without water|because a full kettle/);
await page.goto(origin + "/");
await page.locator("#q").fill("boil.go");
await moved(page, () => page.keyboard.press("Enter"));
await moved(page, () => page.locator(".result a.name").first().click());
await moved(page, () => page.locator(".p-impact").getByRole("link", { name: "tea/tea.go" }).click());
assert.match(await page.locator("h1").textContent(), /tea\/tea\.go/);
await moved(page, () => page.locator(".crumbs").getByRole("link", { name: "boil.go", exact: true }).click());
assert.match(await page.locator("h1").textContent(), /^boil\.go/);

// 2. Filters are in the address, and a score says why.
await page.goto(origin + "/?q=what+heats+water");
await settled(page);
await page.getByRole("link", { name: "belief", exact: true }).click();
await page.waitForURL(/kind=belief/);
await settled(page);
assert.ok((await page.locator(".result .kind").allTextContents()).every((x) => x === "belief"), "another kind passes the filter");
await page.reload();
await settled(page);
assert.equal(await page.locator("#q").inputValue(), "what heats water");
assert.equal(await page.locator(".chip.on").count(), 1);
await moved(page, () => page.getByRole("link", { name: "Remove the filter belief" }).click());
await page.getByText("more filters").click();
await page.getByLabel("Path or glob").fill("tea/**");
await page.getByRole("button", { name: "Apply" }).click();
await page.waitForURL(/path=tea/);
await settled(page);
assert.ok(!/[?&](lang|since|author)=/.test(page.url()), "empty filters are in the address");
await page.goBack();
await settled(page);
assert.ok(!/path=tea/.test(page.url()));
await page.locator(".score").first().click();
await page.waitForURL(/\/rank\?/);
await settled(page);
assert.match(await page.locator("main").textContent(), /Rank 1 of.*lexical.*Without/s);

// Results come as they are found. The other project is here at once, so a proxy stands for a slow one: it sends the answer of home with
// the words of a first part, and the whole answer when the gate opens. Go tests hold that the server sends them so.
let openGate, leaves;
const through = (r, path, headers = {}) => new Promise((done, fail) => {
  const to = request(origin + path, { method: r.method, headers: { ...r.headers, ...headers, host: new URL(origin).host } }, (a) => {
    const all = [];
    a.on("data", (b) => all.push(b)).on("end", () => done([a, Buffer.concat(all)]));
  });
  to.on("error", fail).end();
});
const proxy = createServer(async (r, w) => {
  if (r.url.startsWith("/part/answers")) {
    const [a, home] = await through(r, r.url.replace("&repo=stove", ""));
    w.writeHead(a.statusCode, a.headers["content-type"] && { "content-type": a.headers["content-type"] });
    const said = '<p class="wait" data-told>2 results from kettle so far. Still asking stove…</p>';
    w.write(home.toString().replace(/<p[^>]*data-told>[^<]*<\/p>/, said).replace(/<footer class="below">.*<\/footer>/s, "")
      .replaceAll("ask=q%3Dwhat%2Bheats%2Bwater", "$&%26repo%3Dstove") + "<!--next-->");
    const gate = new Promise((open) => { openGate = open; });
    leaves = new Promise((left) => w.on("close", () => { if (!w.writableEnded) left(); }));
    await gate;
    w.end((await through(r, r.url))[1]);
    return;
  }
  const [a, body] = await through(r, r.url);
  w.writeHead(a.statusCode, a.headers).end(body);
});
await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
const slow = `http://127.0.0.1:${proxy.address().port}`;
origins.push(slow);
await page.goto(slow + "/?q=what+heats+water&repo=stove");
await page.getByText("Still asking stove…").first().waitFor();
assert.match(await page.locator("#told").textContent(), /Still asking stove/, "a reader who does not see it is not told");
assert.ok(!(await page.locator(".via").count()));
for (let i = 0; i < 3; i++) await page.keyboard.press("j");
await page.evaluate(() => scrollTo(0, 200));
const where = () => page.evaluate(() => [document.activeElement.getAttribute("href"), Math.round(document.activeElement.getBoundingClientRect().top)]);
const [held, high] = await where();
assert.ok(held);
openGate();
await page.locator(".via").first().waitFor();
const [holds, stands] = await where();
assert.equal(holds, held, "the focus is lost when more comes");
assert.ok(Math.abs(stands - high) <= 1, `what has the focus jumps from ${high} to ${stands}`);
assert.match(await page.locator("#told").textContent(), /The answer is complete|results/);
assert.equal(await page.locator(".wait").count(), 0);
await page.keyboard.press("j");
assert.notEqual((await where())[0], held, "j does not go on from where the focus was");
await page.reload();
await page.getByText("Still asking stove…").first().waitFor();
await page.goto(origin + "/?q=what+heats+water");
await leaves; // who goes away ends the request
await page.goBack();
await page.getByText("Still asking stove…").first().waitFor();
openGate();
await page.locator(".via").first().waitFor();
proxy.closeAllConnections();
proxy.close();

// 3. A note is kept, pinned and ended. A proposal is dismissed. A belief is written.
await page.goto(origin + "/thing?id=boil.go::Boil");
await page.getByRole("link", { name: "keep a note about it" }).click();
await page.getByLabel("Text").fill("Descale it <b>each month</b>.");
await page.getByRole("button", { name: "Keep", exact: true }).click();
await page.getByText("The note is kept.").waitFor();
await page.getByRole("button", { name: /^Pin/ }).click();
await page.getByText("The note is pinned.").waitFor();
await page.goto(origin + "/thing?id=boil.go::Boil");
await settled(page);
await page.getByText("Descale it").waitFor();
await page.goto(origin + "/notes");
await examine(page, "notes-1440-light");
await page.getByRole("button", { name: /^End/ }).click();
await page.getByText("no longer holds").waitFor();
await page.goto(origin + "/beliefs");
await settled(page);
await page.getByRole("button", { name: /^Dismiss/ }).first().click();
await page.getByText("not proposed again").waitFor();
await page.getByRole("link", { name: "Write a belief" }).click();
await page.getByLabel("What is so").fill("The kettle is descaled each month.");
await page.getByLabel("Id", { exact: true }).fill("descaled");
await page.getByRole("button", { name: "Show the file" }).click();
await page.getByText("layer/surface/epistemic/beliefs/descaled.md").waitFor();
await examine(page, "draft-1440-light");
await page.getByRole("button", { name: "Write this file" }).click();
await page.getByText("The belief is written.").waitFor();
assert.match(readFileSync(join(root, "layer/surface/epistemic/beliefs/descaled.md"), "utf8"), /descaled each month/);

// A part that does not come says so, is asked for again by a click, and takes nothing that is shown.
const before = faults.length;
await page.route("**/part/{callers,code}*", (r) => r.abort());
await page.goto(origin + "/thing?id=boil.go::Boil");
await page.getByText("The server does not answer").nth(1).waitFor();
assert.equal(await page.getByText("The server does not answer").count(), 2);
assert.ok(await page.locator("#L4").isVisible(), "the text is gone, because its commits did not come");
await page.unroute("**/part/{callers,code}*");
faults.splice(before); // the browser's own words about the two requests
for (let n = 2; n > 0; n--) {
  await page.getByRole("button", { name: "Try again" }).first().click();
  await page.waitForFunction((n) => document.querySelectorAll(".trouble").length < n, n);
}
await settled(page);
await page.getByRole("link", { name: "Brew", exact: true }).waitFor();
assert.ok(await page.locator(".who a").count(), "no commit beside the lines");
assert.equal(await page.locator(".trouble").count(), 0);

// 4. A long file scrolls: its parts come as they are seen.
await page.goto(origin + "/thing?id=long.go");
await page.locator("#L400").waitFor({ state: "attached" });
assert.ok(!(await page.locator("#L900").count()));
await page.waitForFunction(() => { // as the wheel does
  document.querySelector(".onward:last-of-type")?.scrollIntoView();
  return document.getElementById("L1200");
}, null, { polling: 200 });
await page.goto(origin + "/thing?id=long.go&line=15000#L15000");
assert.ok(await page.locator("#L15000").isVisible());

// 5. The theme follows the system until it is chosen, and the choice stays.
const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = await ground();
await page.locator("#theme").click();
const dark = await ground();
assert.notEqual(light, dark);
await page.reload();
assert.equal(await ground(), dark, "the theme is lost");
await page.context().close();

// 6. Every page in both themes and at both widths.
const sha = git("rev-parse", "HEAD").toString().trim();
const pages = {
  begin: "/", answer: "/?q=what+heats+water", nothing: "/?q=zebra+quantum+blockchain", refused: "/?q=water&kind=nonsense", symbol: "/thing?id=boil.go::Boil&ask=q%3Dwater&walk=tea/tea.go",
  file: "/thing?id=boil.go", commit: `/thing?id=commit:${sha}`, section: "/thing?id=pattern:docs/kettle.md%23safety", belief: "/thing?id=belief:no-dry-boil",
  hostile: "/thing?id=" + encodeURIComponent("<img src=x onerror=alert(1)>.go"), folder: "/thing?id=tea", rank: "/rank?q=what+heats+water&id=boil.go", notes: "/notes?all=1", beliefs: "/beliefs?all=1", draft: "/beliefs/new", project: "/project",
};
for (const [width, scheme] of [[1440, "light"], [1440, "dark"], [390, "light"], [390, "dark"]]) {
  const page = await open(width, scheme);
  for (const [name, path] of Object.entries(pages)) {
    const answer = await page.goto(origin + path);
    assert.equal(answer.status(), 200, path);
    await examine(page, `${name}-${width}-${scheme}`);
  }
  await page.context().close();
}

// 7. Projects that lack something: each page says what it lacks, and how to get it.
const bare = async (name, wants, { files = {}, scraped }) => {
  const folder = join(dir, name);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  execFileSync("git", ["init", "-q"], { cwd: folder, env });
  if (Object.keys(files).length) {
    execFileSync("git", ["add", "-A"], { cwd: folder, env });
    execFileSync("git", ["commit", "-qm", "begin"], { cwd: folder, env });
  }
  if (scraped) execFileSync(patina, ["scrape"], { cwd: folder, env, stdio: "ignore" });
  const at = await serve(folder);
  for (const [width, scheme] of [[1440, "light"], [390, "dark"]]) {
    const page = await open(width, scheme, at);
    for (const [path, texts] of Object.entries(wants)) {
      const before = faults.length;
      const answer = await page.goto(new URL(at).origin + path);
      if (answer.status() >= 400) faults.splice(before); // the browser says the status, too
      await examine(page, `${name} ${path} ${width} ${scheme}`);
      const text = await page.locator("main").innerText();
      for (const want of texts) if (!want.test(text)) faults.push(`${name}: ${path}: it does not say ${want}:\n${text}`);
    }
    await page.context().close();
  }
};
const scrape = /patina scrape/;
await bare("unread", {
  "/": [scrape], "/?q=water": [scrape], "/project": [scrape, /index: there is none/], "/notes": [/none yet/], "/beliefs": [scrape], "/beliefs/new": [/./], "/thing?id=a.go": [scrape],
}, {});
await bare("empty", {
  "/": [/./], "/?q=water": [/the index is empty/i], "/project": [/no commit/i, /no code/i, /belief add/], "/notes": [/memory add/], "/beliefs": [/belief add|Write a belief/],
  "/beliefs/new": [/./], "/thing?id=a.go": [/no document/],
}, { scraped: true });
await bare("layerless", {
  "/?q=A": [/a\.go/], "/?q=A&kind=belief": [/belief add|nothing/i], "/project": [/belief add/, /repo (add|link)/, /docs.adr/], "/notes": [/memory add/], "/beliefs": [/belief add|Write a belief/],
  "/thing?id=a.go": [/no belief, decision or rule/, /no commit touched it together/], "/thing?id=a.go::A": [/nothing in the index calls it/],
}, { files: { "a.go": "package a\n\nfunc A() {}\n" }, scraped: true });

// 8. Each form of each graph is read by those that it is for.
execFileSync(patina, ["repo", "add", root], { cwd: root, env, stdio: "ignore" });
execFileSync(patina, ["repo", "add", stove], { cwd: root, env, stdio: "ignore" });
execFileSync(patina, ["repo", "link", "kettle", "stove", "USES"], { cwd: root, env, stdio: "ignore" });
const drawings = await checkGraphs({ patina, root, env, browser, dir, faults, subjects: {
  symbol: ["boil.go::Boil"], file: ["tea/tea.go", "--depth", "2"], hostile: ["<img src=x onerror=alert(1)>.go"], belief: ["belief:lid-on"],
  packages: ["--packages"], beliefs: ["--beliefs"], mother: ["--mother"],
} });

await browser.close();
assert.deepEqual(faults, []);
console.log(`ui-check: ${examined} pages examined, ${drawings} drawings read, ${requests} requests, all of them here, ${((Date.now() - began) / 1000).toFixed(0)} s`);
process.exit(0);
