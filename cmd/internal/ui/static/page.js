// The keys and the theme of the pages. What a page shows is made by the server.
"use strict";
(() => {
  const root = document.documentElement;
  const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  if (kept()) root.dataset.theme = kept();

  const typing = (e) => e.target.closest("input, textarea, select");
  const steps = () => [...document.querySelectorAll("main [data-step]")].filter((x) => x.offsetParent);

  // move focuses the next or the previous link.
  const move = (by) => {
    const all = steps();
    if (!all.length) return;
    const at = all.indexOf(document.activeElement);
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("keydown", (e) => {
    const help = document.getElementById("help");
    if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
    if (e.key === "Escape") {
      if (help.open) return; // the dialog closes itself
      if (typing(e)) { e.target.blur(); return; }
      const back = document.querySelector(".crumbs li:nth-last-child(2) a");
      if (back) back.click();
      return;
    }
    if (typing(e) || help.open) return;
    if (e.key === "/") {
      const q = document.getElementById("q");
      if (q) { q.focus(); q.select(); } else { location.href = "/"; }
    } else if (e.key === "j") move(1);
    else if (e.key === "k") move(-1);
    else if (e.key === "?") help.showModal();
    else return;
    e.preventDefault();
  });

  // A part that does not come says so in its place, below what is there already, and may be asked for again.
  const lost = (text) => (e) => {
    const { elt, requestConfig } = e.detail, at = e.detail.target || elt;
    const said = document.createElement("div"), p = document.createElement("p"), again = document.createElement("button");
    said.className = "trouble";
    p.setAttribute("role", "alert");
    p.textContent = text;
    again.type = "button";
    again.textContent = "Try again";
    again.addEventListener("click", () => {
      p.className = "wait";
      p.textContent = "Asking again…";
      again.remove();
      htmx.ajax("GET", requestConfig.path, { source: elt, target: at, swap: elt.getAttribute("hx-swap") || "innerHTML" });
    });
    said.append(p, again);
    at.querySelectorAll(":scope > .wait, :scope > .trouble").forEach((x) => x.remove());
    at.append(said);
  };
  document.addEventListener("htmx:sendError", lost("The server does not answer: is patina ui still running?"));
  document.addEventListener("htmx:timeout", lost("The answer did not come within a minute."));
  document.addEventListener("htmx:responseError", lost("The server refused: open the link that patina ui has printed last."));

  // An answer grows: its response has parts, each of which replaces the one before. The focus and what is in sight stay.
  const parts = (text) => text.split("<!--next-->");
  const grow = (at, html) => {
    const focused = at.contains(document.activeElement) && document.activeElement;
    const seen = focused || scrollY > 0 && [...at.querySelectorAll("a.name")].find((x) => x.getBoundingClientRect().bottom > 0);
    const mark = seen && (seen.getAttribute("href") || seen.closest(".result")?.querySelector("a.name").getAttribute("href"));
    const top = seen && seen.getBoundingClientRect().top;
    htmx.swap(at, html, { swapStyle: "innerHTML" });
    const again = mark && [...at.querySelectorAll("a[href]")].find((x) => x.getAttribute("href") === mark);
    if (again) {
      if (focused) again.focus({ preventScroll: true });
      scrollBy(0, again.getBoundingClientRect().top - top);
    }
    document.getElementById("told").textContent = at.querySelector("[data-told], .said, .trouble p")?.textContent ?? "";
  };
  const grows = (e) => e.detail.target?.matches("[data-grows]");
  document.addEventListener("htmx:beforeSend", (e) => {
    if (!grows(e)) return;
    const { xhr, target } = e.detail;
    let shown = 1;
    xhr.addEventListener("progress", () => {
      const come = parts(xhr.responseText);
      if (come.length > shown && xhr.readyState < 4) grow(target, come.at(-2));
      shown = come.length;
    });
  });
  document.addEventListener("htmx:beforeSwap", (e) => {
    if (!grows(e) || e.detail.isError || !e.detail.shouldSwap) return;
    e.detail.shouldSwap = false;
    grow(e.detail.target, parts(e.detail.serverResponse).at(-1));
  });

  document.addEventListener("DOMContentLoaded", () => {
    const theme = document.getElementById("theme");
    const show = () => theme.setAttribute("aria-pressed", String(dark()));
    show();
    theme.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch { /* it holds for this page */ }
      show();
    });
    document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());
    // Empty fields need not stand in the address.
    document.querySelectorAll("form.asking").forEach((f) => f.addEventListener("submit", () => {
      f.querySelectorAll("input").forEach((x) => { if (!x.value.trim()) x.disabled = true; });
      setTimeout(() => f.querySelectorAll("input").forEach((x) => { x.disabled = false; }), 0);
    }));
    if (location.hash.startsWith("#L")) document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: "center" });
  });
})();
