package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// The schemas of the tools' arguments, for a client's model. They are written by hand because each
// byte is in the context of each session.
const (
	scryArgs = `{"type":"object","properties":{
"query":{"type":"string","description":"question, name, path or error"},
"mode":{"type":"string","enum":["find","full","detail","why","orient","recent","file","literal","regex","recall","inject","feedback"],"description":"detail: query_id and rank, or doc_id, whole; full: find, whole; why: doc_id, or its rank for query; orient: path; file: what changes with path; recall: notes; inject: for a task; feedback: query good or bad"},
"query_id":{"type":"string"},
"rank":{"type":"integer"},
"doc_id":{"type":"string","description":"src/a.go::Lock, src/a.go:120, commit:…"},
"page":{"type":"integer"},
"belief":{"type":"string","description":"id; with content_type code, its code"},
"content_type":{"type":"string","description":"code, belief, commit, session, doc, memory, persona"},
"path":{"type":"string","description":"file, folder, glob; ! excludes"},
"lang":{"type":"string"},
"since":{"type":"string","description":"2024-03, last week"},
"until":{"type":"string"},
"author":{"type":"string"},
"days":{"type":"integer"},
"limit":{"type":"integer"},
"budget":{"type":"integer","description":"tokens"},
"timeout":{"type":"integer","description":"seconds"},
"repo":{"type":"string","description":"another project"},
"all_repos":{"type":"boolean"},
"format":{"type":"string","enum":["text","json"]}}}`

	contextArgs = `{"type":"object","properties":{
"topic":{"type":"string"},
"budget":{"type":"integer"},
"repo":{"type":"string"},
"format":{"type":"string","enum":["text","json"]}}}`

	assayArgs = `{"type":"object","properties":{
"query_type":{"type":"string","enum":["callers","callees","references","imports","importers","functions","types","inventory","co-changes","impact"]},
"pattern":{"type":"string","description":"name, Type.method, glob, path or doc_id; impact: also A..B, or none: uncommitted work"},
"limit":{"type":"integer"},
"budget":{"type":"integer"},
"timeout":{"type":"integer"},
"repo":{"type":"string"},
"all_repos":{"type":"boolean"},
"format":{"type":"string","enum":["text","json"]}},"required":["query_type"]}`

	rememberArgs = `{"type":"object","properties":{
"text":{"type":"string"},
"type":{"type":"string","enum":["lesson","decision","gotcha","pattern","preference","summary","self_report"]},
"tags":{"type":"string","description":"comma list"},
"path":{"type":"string"},
"symbol":{"type":"string"},
"format":{"type":"string","enum":["text","json"]}},"required":["text"]}`

	// repoArg is listed only for clients with several roots.
	repoArg = `"repo":{"type":"string","description":"project, by the name of its folder"},`
)

// alwaysLoad asks a client to show a tool from the start, not only after a search for it.
const alwaysLoad = "anthropic/alwaysLoad"

func (s *Server) addTools() {
	scry := tool("scry", dialect.ScryTool, scryArgs)
	scry.Meta = &mcp.Meta{AdditionalFields: map[string]any{alwaysLoad: true}}
	s.mcp.AddTool(scry, handler(s, "scry", (*Scry).fields, s.box.Scry))
	s.mcp.AddTool(tool("context", dialect.ContextTool, contextArgs),
		handler(s, "context", (*Context).fields, s.box.Context))
	s.mcp.AddTool(tool("assay", dialect.AssayTool, assayArgs), handler(s, "assay", (*Assay).fields, s.box.Assay))
	remember, yes, no := tool("remember", dialect.RememberTool, rememberArgs), true, false
	remember.Annotations.ReadOnlyHint, remember.Annotations.DestructiveHint = &no, &no
	remember.Annotations.IdempotentHint = &yes
	s.mcp.AddTool(remember, handler(s, "remember", (*Remember).fields, s.box.Remember))
}

// tool describes a tool that only reads. An index that it refreshes is derived from files, and what
// it counts in the home of the user moves weights only when the user says so. The protocol gives
// idempotentHint no meaning for such a tool.
func tool(name, description, schema string) mcp.Tool {
	yes, no := true, false
	return mcp.Tool{
		Name: name, Description: description, RawInputSchema: json.RawMessage(schema),
		Annotations: mcp.ToolAnnotation{ReadOnlyHint: &yes, OpenWorldHint: &no},
	}
}

// orderTools puts the tools in the order of their use. For clients with several projects it adds
// the argument that names one.
func (s *Server) orderTools(ctx context.Context, tools []mcp.Tool) []mcp.Tool {
	order := []string{"scry", "context", "assay", "remember"}
	out := slices.Clone(tools)
	slices.SortFunc(out, func(a, b mcp.Tool) int {
		return cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name))
	})
	if s.roots.countKnown(ctx) < 2 {
		return out
	}
	for i := range out {
		if strings.Contains(string(out[i].RawInputSchema), `"repo":`) {
			continue
		}
		schema := strings.Replace(string(out[i].RawInputSchema), `"properties":{`, `"properties":{`+repoArg, 1)
		out[i].RawInputSchema = json.RawMessage(schema)
	}
	return out
}

// handler returns a handler that calls a tool's function.
func handler[A any](s *Server, name string, fields func(*A) map[string]any,
	call func(context.Context, Client, A) (Reply, error),
) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		began := time.Now()
		roots, question := s.rootsFor(ctx, r.Params.MultiRoundTripParams)
		if question != nil {
			return question, nil
		}
		var args A
		err := readArguments(name, r.Params.Arguments, fields(&args))
		var reply Reply
		if err == nil {
			c := s.client(ctx, r.Params.Meta)
			c.Roots = roots
			reply, err = call(ctx, c, args)
		}
		s.log.Info("call", "tool", name, "took", time.Since(began).Round(time.Millisecond/10), "bytes", len(reply.Text),
			"error", err)
		if err != nil {
			return mcp.NewToolResultError(Complaint(err)), nil
		}
		return result(reply), nil
	}
}

// result returns a reply as one block of text. JSON is also structured content.
func result(r Reply) *mcp.CallToolResult {
	out := mcp.NewToolResultText(r.Text)
	if r.JSON {
		out.StructuredContent = json.RawMessage(r.Text)
	}
	return out
}

// maxComplaint bounds an error, in bytes.
const maxComplaint = 4 << 10

// Complaint returns an error on one line, with its hints below.
func Complaint(err error) string {
	text := err.Error()
	text = layout.OneLine(text[:min(len(text), maxComplaint)])
	var h hinted
	if errors.As(err, &h) {
		for _, hint := range h.Hints() {
			text += "\nhint: " + layout.OneLine(hint)
		}
	}
	return text
}

// client returns the sender of a call.
func (s *Server) client(ctx context.Context, meta *mcp.Meta) Client {
	c := Client{Roots: s.rootsOf(ctx), Session: sessionID(ctx), Listed: func() int { return s.lists.bytesSent(ctx) }}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		c.Name = session.GetClientInfo().Name
	}
	if meta == nil || meta.ProgressToken == nil {
		c.Tell = s.logger(ctx)
		return c
	}
	token, last := meta.ProgressToken, 0
	c.Tell = func(done int, text string) {
		last = max(last+1, done) // it must rise
		err := s.mcp.SendNotificationToClient(ctx, "notifications/progress",
			map[string]any{"progressToken": token, "progress": last, "message": text})
		if err != nil {
			s.log.Debug("progress", "error", err)
		}
	}
	return c
}

// logEach is the least time between two messages in a client's log.
const logEach = 2 * time.Second

// logger returns a function that reports progress in the log of a client that wants no progress
// messages.
func (s *Server) logger(ctx context.Context) func(int, string) {
	last := time.Now() // short work is not reported
	return func(_ int, text string) {
		if time.Since(last) < logEach {
			return
		}
		last = time.Now()
		_ = s.mcp.SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(mcp.LoggingLevelInfo, "patina", text))
	}
}
