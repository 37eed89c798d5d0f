package mcp

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

func (s *Server) addPrompts() {
	s.mcp.AddPrompt(mcp.NewPrompt("orient",
		mcp.WithPromptDescription("Get to know the project, or a folder of it"),
		mcp.WithArgument("path", mcp.ArgumentDescription("a folder; without one, all"))), s.orient)
	s.mcp.AddPrompt(mcp.NewPrompt("recall",
		mcp.WithPromptDescription("What the project holds to be true on a topic"),
		mcp.WithArgument("topic", mcp.ArgumentDescription("some words"), mcp.RequiredArgument())), s.recall)
}

// orient returns the context of the project and an overview of a folder.
func (s *Server) orient(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	c := s.client(ctx, r.Params.Meta)
	path := r.Params.Arguments["path"]
	if path == "" {
		path = "."
	}
	about, err := s.box.Context(ctx, c, Context{})
	if err != nil {
		return nil, fmt.Errorf("%s", Complaint(err))
	}
	folder, err := s.box.Scry(ctx, c, Scry{Mode: "orient", Path: []string{path}})
	if err != nil {
		return nil, fmt.Errorf("%s", Complaint(err))
	}
	return prompt("Get to know this project before working on it. This is what its index says; dig deeper with scry where the task needs it.", about.Text, folder.Text), nil
}

// recall returns the beliefs on a topic, and the context for it. The topic must not be empty.
func (s *Server) recall(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	c := s.client(ctx, r.Params.Meta)
	topic := r.Params.Arguments["topic"]
	if topic == "" {
		return nil, fmt.Errorf("no topic")
	}
	beliefs, err := s.box.Scry(ctx, c, Scry{Query: topic, ContentType: []string{"belief"}})
	if err != nil {
		return nil, fmt.Errorf("%s", Complaint(err))
	}
	about, err := s.box.Context(ctx, c, Context{Topic: topic})
	if err != nil {
		return nil, fmt.Errorf("%s", Complaint(err))
	}
	return prompt("Before answering on this topic, take into account what the project holds to be true.", beliefs.Text,
		about.Text), nil
}

// prompt returns a request to the model, followed by texts.
func prompt(request string, texts ...string) *mcp.GetPromptResult {
	for _, t := range texts {
		request += "\n\n" + t
	}
	return mcp.NewGetPromptResult("",
		[]mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(request))})
}
