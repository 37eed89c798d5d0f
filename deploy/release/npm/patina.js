#!/usr/bin/env node
// Starts the program of the package for this platform, with the same arguments, streams and exit
// code. Signals reach it. Nothing is fetched and nothing is written.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

// candidates are the packages to look for, the best first. On Linux the program for musl is static,
// so it runs where that for glibc is missing.
function candidates() {
  const base = `@patina/${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [base];
  const glibc = process.report?.getReport().header.glibcVersionRuntime;
  const [major, minor] = (glibc || "0.0").split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 28) ? [base, `${base}-musl`] : [`${base}-musl`];
}

function findProgram() {
  for (const name of candidates()) {
    try {
      return require.resolve(`${name}/bin/patina`);
    } catch (err) {
      if (err.code !== "MODULE_NOT_FOUND") throw err;
    }
  }
  console.error(`patina: no package for ${process.platform} on ${process.arch} is installed: ${candidates().join(" or ")}`);
  console.error("patina: hint: npm leaves it out with --omit=optional, and where there is none for this platform");
  process.exit(1);
}

const child = spawn(findProgram(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"]) {
  // Of a terminal the program has the signal already. A second one would not let it finish.
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("error", (err) => {
  console.error(`patina: cannot start ${child.spawnfile}: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
