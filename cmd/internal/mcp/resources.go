package mcp

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// The addresses of resources.
const (
	contextURI  = "patina://context"
	documentURI = "patina://document/"
)

func (s *Server) addResources() {
	s.mcp.AddResource(mcp.NewResource(contextURI, "context",
		mcp.WithResourceDescription("what to know of the project before a change"), mcp.WithMIMEType("text/plain")),
		s.readContext)
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(documentURI+"{+doc_id}", "document",
		mcp.WithTemplateDescription("a file, symbol, commit, section or belief, whole"),
		mcp.WithTemplateMIMEType("text/plain")), s.readDocument)
}

func (s *Server) readContext(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	reply, err := s.box.Context(ctx, s.client(ctx, r.Params.Meta), Context{})
	if err != nil {
		return nil, fmt.Errorf("%s", Complaint(err))
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{
		URI: r.Params.URI, MIMEType: "text/plain",
		Text: reply.Text,
	}}, nil
}

func (s *Server) readDocument(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	docID, err := documentOf(r.Params.URI)
	if err != nil {
		return nil, err
	}
	text, err := s.box.Whole(ctx, s.client(ctx, r.Params.Meta), docID)
	if err != nil {
		return nil, fmt.Errorf("%s", Complaint(err))
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: "text/plain", Text: text}}, nil
}

// documentOf returns the doc_id in the address of a document, or an error with the expected form.
func documentOf(uri string) (string, error) {
	escaped, ok := strings.CutPrefix(uri, documentURI)
	docID, err := url.PathUnescape(escaped)
	if !ok || err != nil || docID == "" || len(docID) > maxArgument {
		return "", fmt.Errorf("%.100q is no document: want %s and a doc_id, with %% before what is no part of an address", uri, documentURI)
	}
	return docID, nil
}
