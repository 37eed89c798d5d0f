package print

import (
	"errors"
	"testing"

	"patina/actors/api"
	"patina/cmd/internal/cli"
	"patina/fusion"
)

func TestExitCodesSayWhatCame(t *testing.T) {
	some := []api.Result{{Rank: 1}}
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
	} {
		err := exitCode(&c.a, nil, c.strict)
		var code cli.Exit
		if errors.As(err, &code); int(code) != c.want {
			t.Errorf("%+v, strict %v: exit %d, want %d", c.a, c.strict, code, c.want)
		}
	}
}
