package print

import (
	"errors"
	"testing"

	"patina/actors/api"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/fusion"
)

func TestExitCodesSayWhatCame(t *testing.T) {
	some := []api.Result{{Rank: 1}}
	far := []api.ChannelState{{Project: "far", Channel: "lexical", Status: api.Unreachable}}
	late := []api.ChannelState{{Project: "p", Channel: "evidence", Status: api.Deadline}}
	for _, c := range []struct {
		a      api.Answer
		strict bool
		want   int
	}{
		{api.Answer{Results: some, Relevance: fusion.Relevant}, true, cli.ExitFound},
		{api.Answer{Results: some, Relevance: fusion.Weak}, false, cli.ExitFound},
		{api.Answer{Results: some, Relevance: fusion.Irrelevant}, false, cli.ExitNothing},
		{api.Answer{Relevance: fusion.Irrelevant}, true, cli.ExitNothing},
		{api.Answer{Results: some, Relevance: fusion.Relevant, Partial: true, Channels: late}, false, cli.ExitPartial},
		{api.Answer{Results: some, Relevance: fusion.Relevant, Partial: true, Channels: late}, true, cli.ExitPartial},
		{api.Answer{Results: some, Relevance: fusion.Unjudged, Partial: true, Channels: late}, false, cli.ExitPartial},
		{api.Answer{Relevance: fusion.Unjudged, Partial: true, Channels: late}, false, cli.ExitPartial},
		{api.Answer{Results: some, Relevance: fusion.Relevant, Partial: true, Channels: far}, false, cli.ExitFound},
		{api.Answer{Results: some, Relevance: fusion.Relevant, Partial: true, Channels: far}, true, cli.ExitPartial},
		{api.Answer{Relevance: fusion.Unjudged, Partial: true, Channels: far}, false, cli.ExitPartial},
	} {
		err := exitCode(&c.a, map[string]deliver.Visit{"far": {}}, c.strict)
		var code cli.Exit
		if errors.As(err, &code); int(code) != c.want {
			t.Errorf("%+v, strict %v: exit %d, want %d", c.a, c.strict, code, c.want)
		}
	}
}
