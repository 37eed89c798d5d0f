// What "patina graph" writes is read by those that it is written for: Mermaid, Graphviz, an XML parser, and a browser without a network.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const source = (path) => readFileSync(new URL(`node_modules/${path}`, import.meta.url), "utf8");

// checkGraphs draws each subject in each form. It returns the number of drawings.
export async function checkGraphs({ patina, root, env, browser, dir, subjects, faults }) {
  const reader = await browser.newPage();
  await reader.addScriptTag({ content: source("@mermaid-js/tiny/dist/mermaid.tiny.js") });
  await reader.addScriptTag({ content: source("@viz-js/viz/lib/viz-standalone.js") });
  await reader.evaluate(() => mermaid.initialize({ startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true }));
  const offline = await browser.newContext({ offline: true });
  const page = await offline.newPage();
  let file = "";
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") faults.push(`${file}: console: ${m.text()}`); });
  page.on("pageerror", (e) => faults.push(`${file}: script: ${e.message}`));
  page.on("request", (r) => { if (r.url() !== file && !r.url().startsWith("data:")) faults.push(`${file}: a request leaves: ${r.url()}`); });
  let drawings = 0;
  for (const [name, args] of Object.entries(subjects)) {
    const draw = (form) => { drawings++; return execFileSync(patina, ["graph", ...args, "--format", form], { cwd: root, env, encoding: "utf8" }); };
    const { nodes, edges } = JSON.parse(draw("json"));
    assert.ok(nodes.length > 1 && edges.length > 0, `${name}: nothing is drawn`);
    const as = `${name} as mermaid`, text = draw("mermaid");
    const read = await reader.evaluate(async (t) => {
      const { diagramType } = await mermaid.parse(t);
      const { db } = await mermaid.mermaidAPI.getDiagramFromText(t);
      const { svg } = await mermaid.render("drawn", t);
      const at = new DOMParser().parseFromString(svg, "text/html");
      return [diagramType, db.getVertices().size, db.getEdges().length, at.querySelectorAll("script, img").length];
    }, text).catch((e) => assert.fail(`${as}: ${e.message}\n${text}`));
    const remarks = text.match(/^ {2}remark\d+\[/gm)?.length ?? 0;
    assert.deepEqual(read, ["flowchart-v2", nodes.length + remarks, edges.length, 0], `${as}\n${text}`);
    const dot = draw("dot");
    const laid = await reader.evaluate(async (t) => {
      const r = (await Viz.instance()).render(t, { format: "json" });
      const g = r.status === "success" ? JSON.parse(r.output) : {};
      return [r.errors.map((e) => e.message), g.objects?.filter((o) => !o.nodes).length, g.edges?.length];
    }, dot);
    assert.deepEqual(laid[0], [], `${name} as dot\n${dot}`);
    assert.deepEqual(laid.slice(1), [nodes.length + remarks, edges.length], `${name} as dot\n${dot}`);
    const fault = await reader.evaluate((t) => {
      const at = new DOMParser().parseFromString(t, "image/svg+xml");
      return at.querySelector("parsererror")?.textContent ?? (at.querySelector("script, foreignObject, image") ? "it has an active element" : "");
    }, draw("svg"));
    assert.equal(fault, "", `${name} as svg`);
    const path = join(dir, `${name}.html`);
    writeFileSync(path, draw("html"));
    file = pathToFileURL(path).href;
    await page.goto(file);
    assert.ok(await page.locator("svg").isVisible(), `${name} as html: no drawing`);
    for (const label of [nodes.find((n) => n.centre) ?? nodes[0]].map((n) => n.label.split("/").at(-1))) {
      assert.ok((await page.locator("body").textContent()).includes(label), `${name} as html: no ${label}`);
    }
  }
  await offline.close();
  await reader.close();
  return drawings;
}
