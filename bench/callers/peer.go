package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode"

	"patina/code/xref"
	"patina/store/doc"
)

// A peer is a language server. It speaks the Language Server Protocol, version 3.17.
type peer struct {
	root    string
	process *exec.Cmd
	in      io.WriteCloser
	answers chan message
	last    int
	texts   map[string][]string // lines of files
	opened  map[string]bool
}

// errRefused reports that the server answered with an error.
var errRefused = errors.New("refused")

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

func start(root string, command []string) (*peer, error) {
	p := &peer{root: root, answers: make(chan message), texts: make(map[string][]string), opened: make(map[string]bool)}
	p.process = exec.Command(command[0], command[1:]...)
	p.process.Dir, p.process.Stderr = root, io.Discard
	var err error
	if p.in, err = p.process.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	go p.listen(bufio.NewReader(out))
	uri := p.uri("")
	err = p.ask("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": uri,
		"workspaceFolders": []any{map[string]string{"uri": uri, "name": "root"}},
		"capabilities":     map[string]any{"workspace": map[string]any{"configuration": true, "workspaceFolders": true}},
	}, nil)
	if err == nil {
		err = p.send(map[string]any{"jsonrpc": "2.0", "method": "initialized", "params": struct{}{}})
	}
	return p, err
}

func (p *peer) stop() {
	_ = p.in.Close()
	_ = p.process.Process.Kill()
	_ = p.process.Wait()
}

func (p *peer) uri(path string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(p.root, path))}
	return u.String()
}

func (p *peer) send(m any) error {
	body, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Fprintf(p.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return err
}

// listen reads messages until the server ends. It answers the server's own requests with null.
func (p *peer) listen(r *bufio.Reader) {
	defer close(p.answers)
	for {
		length := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if v, ok := strings.CutPrefix(line, "Content-Length:"); ok {
				_, _ = fmt.Sscan(v, &length)
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m message
		if json.Unmarshal(body, &m) != nil {
			return
		}
		switch {
		case m.Method == "":
			p.answers <- m
		case len(m.ID) > 0:
			var result any
			if m.Method == "workspace/configuration" {
				var params struct{ Items []any }
				_ = json.Unmarshal(m.Params, &params)
				result = make([]any, len(params.Items))
			}
			_ = p.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
		}
	}
}

func (p *peer) ask(method string, params, result any) error {
	p.last++
	if err := p.send(map[string]any{"jsonrpc": "2.0", "id": p.last, "method": method, "params": params}); err != nil {
		return err
	}
	timeout := time.After(waits)
	for {
		select {
		case m, ok := <-p.answers:
			switch {
			case !ok:
				return errors.New("the server ended")
			case string(m.ID) != fmt.Sprint(p.last):
			case m.Error != nil:
				return fmt.Errorf("%s: %w: %s", method, errRefused, m.Error.Message)
			case result == nil || len(m.Result) == 0:
				return nil
			default:
				return json.Unmarshal(m.Result, result)
			}
		case <-timeout:
			return fmt.Errorf("%s: no answer in %v", method, waits)
		}
	}
}

// languageIDs are the protocol's names of languages.
var languageIDs = map[string]string{
	"Go": "go", "Python": "python", "TypeScript": "typescript",
	"TSX": "typescriptreact", "JavaScript": "javascript", "C": "c", "C++": "cpp", "Rust": "rust", "Java": "java",
}

// behindName matches the text between a name and the arguments of a call.
var behindName = regexp.MustCompile(`^\s*(?:\?\.)?\s*(?:::)?(?:\[[^\[\]()]*\]|<[^<>()]*>)?\(`)

// calls asks the server for the references of a function, and returns those that are calls by its
// name.
func (p *peer) calls(d xref.Definition, language string) (out []site, err error) {
	lines, err := p.lines(d.Path)
	if err != nil || d.Entry.Line > len(lines) {
		return nil, err
	}
	name := doc.LastName(doc.BareName(d.Entry.Name))
	at := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).FindStringIndex(lines[d.Entry.Line-1])
	if at == nil {
		return nil, nil
	}
	if !p.opened[d.Path] {
		p.opened[d.Path] = true
		err := p.send(map[string]any{
			"jsonrpc": "2.0", "method": "textDocument/didOpen",
			"params": map[string]any{"textDocument": map[string]any{
				"uri": p.uri(d.Path), "languageId": languageIDs[language], "version": 1, "text": strings.Join(lines, "\n"),
			}},
		})
		if err != nil {
			return nil, err
		}
	}
	column := at[0]
	if i := strings.Index(lines[d.Entry.Line-1], ") "+name+"("); i >= 0 { // func (name T) name(
		column = i + 2
	}
	var found []struct {
		URI   string
		Range struct {
			Start, End struct{ Line, Character int }
		}
	}
	err = p.ask("textDocument/references", map[string]any{
		"textDocument": map[string]string{"uri": p.uri(d.Path)},
		"context":      map[string]bool{"includeDeclaration": false},
		"position":     map[string]int{"line": d.Entry.Line - 1, "character": len([]rune(lines[d.Entry.Line-1][:column]))},
	}, &found)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		u, err := url.Parse(f.URI)
		if err != nil {
			return nil, err
		}
		path, err := filepath.Rel(p.root, filepath.FromSlash(u.Path))
		if err != nil || !filepath.IsLocal(path) {
			continue
		}
		path = filepath.ToSlash(path)
		lines, err := p.lines(path)
		if err != nil || f.Range.End.Line >= len(lines) || path == d.Path && f.Range.Start.Line == d.Entry.Line-1 {
			continue
		}
		line := []rune(lines[f.Range.End.Line])
		end := min(f.Range.End.Character, len(line))
		if string(line[min(f.Range.Start.Character, end):end]) == name && behindName.MatchString(string(line[end:])) &&
			!declares(string(line[:end]), string(line[end:])) {
			out = append(out, site{path: path, line: f.Range.Start.Line + 1})
		}
	}
	return out, nil
}

// declaring matches the text before a name that is defined, not called: in an implementation, a
// method of an interface, or an override.
var declaring = regexp.MustCompile(`(?:^|\s)(?:def|func|function|fn)\s+(?:\([^()]*\)\s*)?\w+$|^\s*(?:(?:public|private|protected|static|async|override|abstract|readonly|get|set)\s+)*\w+$`)

// declared matches the text after the name of a method that begins its line: parameters, then a
// type or a body.
var declared = regexp.MustCompile(`^(?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)\s*(?::\s*[^=?]+|\{)$`)

// declares reports whether a line may define a name. head is the line up to the name's end, tail
// the rest.
func declares(head, tail string) bool {
	if strings.TrimFunc(head, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) || r == '_' || r == '$'
	}) == "" &&
		len(strings.Fields(head)) == 1 && declared.MatchString(strings.TrimSpace(tail)) {
		return true
	}
	name := head[strings.LastIndexFunc(head, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})+1:]
	if outer, ok := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(head, name), "~"), "::"); ok &&
		name != "" && strings.HasSuffix("::"+outer, "::"+name) {
		return true // a constructor or destructor of C++
	}
	at := declaring.FindString(head)
	return at != "" && strings.ContainsAny(strings.TrimSpace(at), " ")
}

func (p *peer) lines(path string) ([]string, error) {
	if l, ok := p.texts[path]; ok {
		return l, nil
	}
	text, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	p.texts[path] = strings.Split(string(text), "\n")
	return p.texts[path], nil
}
