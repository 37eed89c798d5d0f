// The extension: a view of results, code lenses for callers and beliefs, and why on hover. It sends nothing anywhere.
import * as vscode from 'vscode';
import * as path from 'node:path';
import { answer, beliefs, callers, Entry, exact, why } from './read';
import { findProgram, Outcome, run } from './run';

function folderOf(uri?: vscode.Uri): string | undefined {
  const folder = uri ? vscode.workspace.getWorkspaceFolder(uri) : vscode.workspace.workspaceFolders?.[0];
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined;
}

function setting<T>(name: string, otherwise: T): T { return vscode.workspace.getConfiguration('patina').get<T>(name) ?? otherwise; }

// programPath is read from the settings of the user and of this machine alone, whatever a workspace says.
function programPath(): string {
  const s = vscode.workspace.getConfiguration('patina').inspect<string>('path');
  return s?.globalValue ?? s?.defaultValue ?? 'patina';
}

async function ask(folder: string, args: string[], token?: vscode.CancellationToken): Promise<Outcome> {
  const stop = new AbortController();
  const listening = token?.onCancellationRequested(() => stop.abort());
  try {
    return await run(findProgram(programPath(), folder), args, folder, stop.signal);
  } finally {
    listening?.dispose();
  }
}

function complain(error: unknown): void {
  void vscode.window.showErrorMessage('patina: ' + (error instanceof Error ? error.message : String(error)));
}

class Results implements vscode.TreeDataProvider<Entry> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private entries: Entry[] = [];
  show(entries: Entry[]): void { this.entries = entries; this.changed.fire(); }
  getChildren(of?: Entry): Entry[] { return of ? [] : this.entries; }
  getTreeItem(e: Entry): vscode.TreeItem {
    const item = new vscode.TreeItem(e.label);
    item.description = e.detail;
    item.tooltip = e.detail;
    if (e.file) {
      const at = new vscode.Position(e.line - 1, 0);
      item.command = { command: 'vscode.open', title: 'Open', arguments: [vscode.Uri.file(e.file), { selection: new vscode.Range(at, at) }] };
    }
    return item;
  }
}

class Lenses implements vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly governing = new Map<string, Promise<string[]>>(); // by file, until one is saved
  private readonly silent = new Map<string, number>(); // how often a file had no symbols
  forget(): void {
    this.governing.clear();
    this.silent.clear();
    this.changed.fire();
  }

  // A file that is opened first has no symbols until its language has started, and VS Code does not ask again by itself.
  private askAgain(file: string): void {
    const n = this.silent.get(file) ?? 0;
    this.silent.set(file, n + 1);
    if (n < 6) setTimeout(() => this.changed.fire(), 1000 * 2 ** n);
  }

  private beliefsOf(folder: string, file: string): Promise<string[]> {
    let found = this.governing.get(file);
    if (!found) {
      // No index yet, for example: a lens is no place for errors, and "Ask" says them.
      found = ask(folder, ['impact', '--json', '--', path.relative(folder, file)]).then((o) => beliefs(o.value), () => []);
      this.governing.set(file, found);
    }
    return found;
  }

  async provideCodeLenses(document: vscode.TextDocument) {
    const folder = folderOf(document.uri);
    if (!folder || !setting('codeLens', true)) return [];
    const lenses: vscode.CodeLens[] = [];
    const found = await this.beliefsOf(folder, document.uri.fsPath);
    if (found.length > 0) {
      const title = `${found.length} ${found.length === 1 ? 'belief governs' : 'beliefs govern'} this file: ${found[0]}`;
      lenses.push(new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { command: '', title }));
    }
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', document.uri);
    const functions = [vscode.SymbolKind.Function, vscode.SymbolKind.Method, vscode.SymbolKind.Constructor];
    const add = (all: vscode.DocumentSymbol[]): void => all.forEach((s) => {
      if (functions.includes(s.kind) && s.selectionRange) {
        const place = `${path.relative(folder, document.uri.fsPath)}:${s.selectionRange.start.line + 1}`;
        lenses.push(new vscode.CodeLens(s.selectionRange, { command: 'patina.callers', title: 'callers', arguments: [folder, place] }));
      }
      add(s.children ?? []);
    });
    if (symbols?.length) add(symbols);
    else this.askAgain(document.uri.fsPath);
    return lenses;
  }
}

class Hovers implements vscode.HoverProvider {
  async provideHover(document: vscode.TextDocument, at: vscode.Position, token: vscode.CancellationToken) {
    const folder = folderOf(document.uri);
    if (!folder || !setting('hover', true)) return undefined;
    try {
      const place = `${path.relative(folder, document.uri.fsPath)}:${at.line + 1}`;
      const id = exact((await ask(folder, ['scry', '--json', '--limit', '1', '--', place], token)).value);
      if (!id) return undefined;
      const lines = why((await ask(folder, ['why', '--json', '--', id], token)).value).slice(0, 6);
      if (lines.length === 0) return undefined;
      const shown = new vscode.MarkdownString(); // not trusted, no HTML; appendText escapes what would be markup
      shown.appendText([`why ${id}`, ...lines].join('\n'));
      return new vscode.Hover(shown);
    } catch {
      return undefined;
    }
  }
}

export function activate(context: vscode.ExtensionContext): void {
  const results = new Results();
  const lenses = new Lenses();
  const show = async (entries: Entry[]): Promise<void> => {
    results.show(entries);
    await vscode.commands.executeCommand('patina.results.focus');
  };
  const selector: vscode.DocumentSelector = { scheme: 'file' };
  context.subscriptions.push(
    vscode.window.registerTreeDataProvider('patina.results', results),
    vscode.languages.registerCodeLensProvider(selector, lenses),
    vscode.workspace.onDidSaveTextDocument(() => lenses.forget()),
    vscode.languages.registerHoverProvider(selector, new Hovers()),
    vscode.commands.registerCommand('patina.ask', async () => {
      const folder = folderOf(vscode.window.activeTextEditor?.document.uri) ?? folderOf();
      if (!folder) return complain('open a folder first');
      const question = await vscode.window.showInputBox({ prompt: 'Ask the repository' });
      if (!question) return;
      try {
        const got = await ask(folder, ['scry', '--json', '--limit', String(setting('limit', 20)), '--', question]);
        if (got.code === 1) void vscode.window.showInformationMessage('patina: nothing relevant');
        if (got.code === 3) void vscode.window.showWarningMessage('patina: the answer is not complete');
        await show(answer(folder, got.value));
      } catch (error) { complain(error); }
    }),
    vscode.commands.registerCommand('patina.callers', async (folder: unknown, place: unknown) => {
      if (typeof folder !== 'string' || typeof place !== 'string') return;
      try {
        const id = exact((await ask(folder, ['scry', '--json', '--limit', '1', '--', place])).value);
        if (!id) return complain(`${place} is not in the index (patina scrape)`);
        const entries = callers(folder, (await ask(folder, ['callers', '--json', '--', id])).value);
        if (entries.length === 0) void vscode.window.showInformationMessage(`patina: nobody calls ${id}, or it is not known`);
        await show(entries);
      } catch (error) { complain(error); }
    }));
}

export function deactivate(): void { /* nothing is kept */ }
