// Makes entries of the JSON of patina, which holds texts of a repository. It knows nothing of VS Code.
import * as path from 'node:path';
import { isWithin } from './run';

// An Entry is one line of a list. file is absolute and in the workspace, or missing.
export type Entry = { label: string; detail: string; file?: string; line: number };

type Fields = Record<string, unknown>;

function fields(v: unknown): Fields { return typeof v === 'object' && v !== null && !Array.isArray(v) ? (v as Fields) : {}; }
function list(v: unknown): Fields[] { return Array.isArray(v) ? v.map(fields) : []; }

// text makes one line of a value.
export function text(v: unknown): string {
  return typeof v === 'string' || typeof v === 'number' ? String(v).replace(/\p{C}+/gu, ' ').trim() : '';
}

function line(v: unknown): number { return typeof v === 'number' && Number.isInteger(v) && v > 0 ? v : 1; }

// fileOf returns the absolute path of a file of the workspace, or undefined for any other.
export function fileOf(workspace: string, p: unknown): string | undefined {
  if (typeof p !== 'string' || p === '' || p.includes('\0') || path.isAbsolute(p)) return undefined;
  const file = path.resolve(workspace, p);
  return isWithin(workspace, file) ? file : undefined;
}

// answer reads "patina scry --json".
export function answer(workspace: string, v: unknown): Entry[] {
  return list(fields(v)['results']).map((r) => ({
    label: text(r['symbol']) || text(r['doc_id']),
    detail: [text(r['project']), text(r['path']), text(r['summary'])].filter((s) => s !== '').join('  '),
    file: r['project'] ? undefined : fileOf(workspace, r['path']),
    line: line(r['line'] ?? r['line_start']),
  }));
}

// callers reads "patina callers --json".
export function callers(workspace: string, v: unknown): Entry[] {
  return list(fields(v)['facts']).map((f) => ({
    label: (f['candidate'] === true ? '? ' : '') + text(f['symbol']),
    detail: `${text(f['path'])}  ${text(f['written'])}`,
    file: fileOf(workspace, f['path']),
    line: line(f['line']),
  }));
}

// exact returns the doc_id of a place from "patina scry --json PATH:LINE", or undefined if it is not in the index.
export function exact(v: unknown): string | undefined {
  const first = list(fields(v)['results'])[0];
  return first && first['exact'] === true ? text(first['doc_id']) : undefined;
}

// why reads the links of "patina why --json" as lines.
export function why(v: unknown): string[] {
  const first = list(fields(v)['results'])[0] ?? {};
  return list(first['breadcrumbs']).map((b) => `${text(b['relation'])} ${text(b['target'])}  ${text(b['note'])}`.trim());
}

// beliefs reads the beliefs that govern a file from "patina impact --json".
export function beliefs(v: unknown): string[] {
  return list(fields(v)['governing']).map((b) => text(b['statement']) || text(b['id']));
}
