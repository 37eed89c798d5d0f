// Starts patina without a shell and reads its JSON. It knows nothing of VS Code.
import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import * as path from 'node:path';

export type Outcome = { code: number; value: unknown; errors: string };

const mostOutput = 16 << 20; // bytes
const longest = 60_000; // milliseconds

// isWithin reports whether a file lies in a folder. Both must be absolute.
export function isWithin(folder: string, file: string): boolean {
  const rel = path.relative(folder, file);
  return rel !== '' && !rel.startsWith('..' + path.sep) && rel !== '..' && !path.isAbsolute(rel);
}

// findProgram returns the file that a setting names: an absolute path, or a name to look for in the folders of PATH. It
// throws if there is none, or if it lies in the workspace, which may be a stranger's.
export function findProgram(named: string, workspace: string, searched: string = process.env['PATH'] ?? ''): string {
  const candidates = path.isAbsolute(named)
    ? [named]
    : named.includes('/') || named === ''
      ? []
      : searched.split(path.delimiter).filter(path.isAbsolute).map((dir) => path.join(dir, named));
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK);
      if (!statSync(candidate).isFile()) continue;
    } catch {
      continue;
    }
    const real = realpathSync(candidate);
    if (isWithin(realpathSync(workspace), real) || isWithin(workspace, candidate)) {
      throw new Error(`${candidate} lies in the workspace, and is not run`);
    }
    return real;
  }
  throw new Error(`no program ${JSON.stringify(named)} (setting patina.path)`);
}

// run starts a program in a folder. Exit codes: 0 found, 1 nothing relevant, 3 incomplete; any other rejects with the
// words of the program.
export function run(program: string, args: string[], folder: string, stop?: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program, args, { cwd: folder, maxBuffer: mostOutput, timeout: longest, shell: false, signal: stop },
      (error, out, errors) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        const said = errors.trim().replace(/^patina: /, '');
        if (![0, 1, 3].includes(code)) return reject(new Error(said || error?.message || 'it has ended without a word'));
        if (code === 1 && out.trim() === '') return resolve({ code, value: {}, errors: said });
        try {
          resolve({ code, value: JSON.parse(out), errors: said });
        } catch {
          reject(new Error('it has printed no JSON'));
        }
      });
    child.stdin?.end();
  });
}
