package mcp

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
)

// mostValues bounds a completion. The protocol has the same bound.
const mostValues = 100

// A Completion asks for names that begin like Word.
type Completion struct {
	Word    string
	Folders bool // only folders
}

// CompletePromptArgument implements server.PromptCompletionProvider.
func (s *Server) CompletePromptArgument(ctx context.Context, name string, a mcp.CompleteArgument,
	_ mcp.CompleteContext,
) (*mcp.Completion, error) {
	if name != "orient" || a.Name != "path" {
		return &mcp.Completion{Values: []string{}}, nil
	}
	return s.complete(ctx, Completion{Word: a.Value, Folders: true})
}

// CompleteResourceArgument implements server.ResourceCompletionProvider.
func (s *Server) CompleteResourceArgument(ctx context.Context, _ string, a mcp.CompleteArgument,
	_ mcp.CompleteContext,
) (*mcp.Completion, error) {
	return s.complete(ctx, Completion{Word: a.Value})
}

func (s *Server) complete(ctx context.Context, want Completion) (*mcp.Completion, error) {
	if len(want.Word) > maxArgument {
		return &mcp.Completion{Values: []string{}}, nil
	}
	names, err := s.box.Complete(ctx, s.client(ctx, nil), want)
	if err != nil { // completions show no errors
		s.log.Info("complete", "error", err)
		names = nil
	}
	n := min(len(names), mostValues)
	return &mcp.Completion{Values: append([]string{}, names[:n]...), Total: len(names), HasMore: len(names) > n}, nil
}
