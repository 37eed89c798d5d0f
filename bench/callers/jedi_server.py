"""A language server of three requests on jedi, for bench/callers: pip install jedi==0.20.0.

    go run -tags sqlite_fts5 ./bench/callers -repo DIR -language Python -- python3 bench/callers/jedi_server.py
"""

import json
import os
import sys
import urllib.parse

import jedi


def read():
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def path_of(uri):
    return urllib.parse.unquote(urllib.parse.urlparse(uri).path)


def references(project, params):
    at = params["position"]
    script = jedi.Script(path=path_of(params["textDocument"]["uri"]), project=project)
    for name in script.get_references(at["line"] + 1, at["character"], scope="project"):
        if name.module_path is None or name.is_definition():
            continue
        start = {"line": name.line - 1, "character": name.column}
        end = {"line": name.line - 1, "character": name.column + len(name.name)}
        yield {"uri": name.module_path.as_uri(), "range": {"start": start, "end": end}}


def main():
    project = None
    while message := read():
        result = None
        if message.get("method") == "initialize":
            root = path_of(message["params"]["rootUri"])
            source = [os.path.join(root, "src")] if os.path.isdir(os.path.join(root, "src")) else []
            project = jedi.Project(root, added_sys_path=source)
        elif message.get("method") == "textDocument/references":
            try:
                result = list(references(project, message["params"]))
            except Exception:  # jedi fails on some code: what it does not know counts for nobody
                result = []
        if "id" in message:
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            sys.stdout.buffer.flush()


main()
