package print

import (
	"errors"
	"testing"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/fusion"
)

func TestExitCodesSayWhatCame(t *testing.T) {
	some := []actors.Result{{Rank: 1}}
	late := []actors.ChannelState{{Project: "p", Channel: "evidence", Status: actors.Deadline}}
	for _, c := range []struct {
		a      actors.Answer
		strict bool
		want   int
	}{
		{actors.Answer{Results: some, Relevance: fusion.Relevant}, true, cli.ExitFound},
		{actors.Answer{Results: some, Relevance: fusion.Weak}, false, cli.ExitFound},
		{actors.Answer{Results: some, Relevance: fusion.Irrelevant}, false, cli.ExitNothing},
		{actors.Answer{Relevance: fusion.Irrelevant}, true, cli.ExitNothing},
		{actors.Answer{Results: some, Relevance: fusion.Relevant, Partial: true, Channels: late}, false, cli.ExitPartial},
		{actors.Answer{Results: some, Relevance: fusion.Relevant, Partial: true, Channels: late}, true, cli.ExitPartial},
		{actors.Answer{Results: some, Relevance: fusion.Unjudged, Partial: true, Channels: late}, false, cli.ExitPartial},
		{actors.Answer{Relevance: fusion.Unjudged, Partial: true, Channels: late}, false, cli.ExitPartial},
	} {
		err := exitCode(&c.a, nil, c.strict)
		var code cli.Exit
		if errors.As(err, &code); int(code) != c.want {
			t.Errorf("%+v, strict %v: exit %d, want %d", c.a, c.strict, code, c.want)
		}
	}
}
