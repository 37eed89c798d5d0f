import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { answer, beliefs, callers, exact, fileOf, text, why } from '../src/read';
import { findProgram, isWithin, run } from '../src/run';

const node = process.execPath;
const folder = mkdtempSync(path.join(tmpdir(), 'patina-'));
const print = (what: string, code = 0): string[] => ['-e', `process.stdout.write(${JSON.stringify(what)}); process.exitCode = ${code}`];

test('a program is started without a shell, and its JSON read', async () => {
  assert.deepEqual(await run(node, print('{"results": []}'), folder), { code: 0, value: { results: [] }, errors: '' });
  assert.equal((await run(node, print('{}', 3), folder)).code, 3);
  assert.deepEqual((await run(node, print('', 1), folder)).value, {});
  const words = '$(touch ran) `touch ran`; touch ran';
  const got = await run(node, ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', words], folder);
  assert.deepEqual(got.value, [words]);
});

test('errors have the words of the program', async () => {
  await assert.rejects(run(node, ['-e', 'console.error("patina: no index for x"); process.exitCode = 2'], folder), /^Error: no index for x$/);
  await assert.rejects(run(node, print('no json'), folder), /printed no JSON/);
  await assert.rejects(run('/no/such/program', [], folder), /ENOENT/);
  const stop = new AbortController();
  const waiting = run(node, ['-e', 'setTimeout(() => {}, 100000)'], folder, stop.signal);
  stop.abort();
  await assert.rejects(waiting);
});

test('a program in the workspace is not run', () => {
  const bin = mkdtempSync(path.join(tmpdir(), 'bin-'));
  for (const dir of [folder, bin]) {
    writeFileSync(path.join(dir, 'patina'), '#!/bin/sh\n');
    chmodSync(path.join(dir, 'patina'), 0o755);
  }
  assert.match(findProgram('patina', folder, [bin].join(path.delimiter)), /patina$/);
  assert.throws(() => findProgram(path.join(folder, 'patina'), folder), /lies in the workspace/);
  assert.throws(() => findProgram('patina', folder, folder), /lies in the workspace/);
  const link = path.join(bin, 'linked');
  symlinkSync(path.join(folder, 'patina'), link);
  assert.throws(() => findProgram(link, folder), /lies in the workspace/);
  for (const named of ['', './patina', 'bin/patina', '../patina', 'no-such-patina']) {
    assert.throws(() => findProgram(named, folder, ['', '.', bin].join(path.delimiter)), /no program/);
  }
  mkdirSync(path.join(bin, 'folder'));
  assert.throws(() => findProgram('folder', folder, bin), /no program/);
});

test('a path leads nowhere out of the workspace', () => {
  assert.equal(fileOf('/w', 'a/b.go'), '/w/a/b.go');
  for (const p of ['../x', 'a/../../x', '/etc/passwd', '', '.', 7, undefined, 'a\0b']) assert.equal(fileOf('/w', p), undefined);
  assert.ok(isWithin('/w', '/w/..a') && !isWithin('/w', '/w') && !isWithin('/w', '/wx'));
});

test('answers become entries', () => {
  const results = [
    { doc_id: 'a.go::F', symbol: 'F', path: 'a.go', line: 7, summary: 'func F()\nF does it.', exact: true },
    { doc_id: 'commit:0123', kind: 'commit', summary: 'feat: tea' },
    { doc_id: 'b.go', path: 'b.go', project: 'library' },
    { doc_id: 'c', path: '../c', line: -1 }, 'no object', null,
  ];
  const got = answer('/w', { results });
  assert.deepEqual(got[0], { label: 'F', detail: 'a.go  func F() F does it.', file: '/w/a.go', line: 7 });
  assert.deepEqual(got.slice(1, 4).map((e) => e.file), [undefined, undefined, undefined]);
  assert.equal(exact({ results }), 'a.go::F');
  assert.equal(exact({ results: results.slice(1) }), undefined);
  assert.equal(text('a\u001b[31m\u202eb'), 'a [31m b');
  for (const odd of [undefined, null, 1, 'x', [], { results: 1, facts: {} }]) {
    assert.deepEqual([answer('/w', odd), callers('/w', odd), why(odd), beliefs(odd)], [[], [], [], []]);
  }
});

test('callers and why become lines', () => {
  const facts = [{ symbol: 'G', path: 'g.go', line: 3, written: 'f.F' }, { symbol: 'H', path: 'h.go', line: 4, written: 'F', candidate: true }];
  assert.deepEqual(callers('/w', { facts }).map((e) => [e.label, e.file, e.line]), [['G', '/w/g.go', 3], ['? H', '/w/h.go', 4]]);
  const breadcrumbs = [{ relation: 'commit', target: 'commit:0123', note: '2026-01-01 feat: tea' }];
  assert.deepEqual(why({ results: [{ breadcrumbs }] }), ['commit commit:0123  2026-01-01 feat: tea']);
  assert.deepEqual(beliefs({ governing: [{ id: 'b-1', statement: 'Tea is hot.' }, { id: 'b-2' }] }), ['Tea is hot.', 'b-2']);
});
