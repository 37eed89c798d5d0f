package lookup_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"patina/code/lookup"
	"patina/store/doc"
	"patina/store/storetest"
)

// FindText must agree with a search of all texts.
func TestFindTextAgreesWithSlow(t *testing.T) {
	c := storetest.NewCorpus(31)
	c.Fill()
	r := c.PinAll(t)
	var bodies []lookup.Text
	storetest.Check(t, lookup.Texts(context.Background(), r, func(x lookup.Text) error {
		if x.Path != "" {
			bodies = append(bodies, x)
		}
		return nil
	}))
	found := 0
	for i := range 300 {
		body := bodies[i%len(bodies)].Body
		from := (i * 7) % len(body)
		piece := body[from:min(len(body), from+5+i%40)]
		piece, _, _ = strings.Cut(strings.TrimLeft(piece, "\n"), "\n")
		if piece == "" || !utf8.ValidString(piece) {
			continue
		}
		for _, p := range []lookup.TextPattern{
			{Literal: piece},
			{Regex: regexp.QuoteMeta(piece)},
			{Regex: `(` + regexp.QuoteMeta(piece) + `)+\w*$`},
			{Regex: "(?i)" + regexp.QuoteMeta(strings.ToUpper(piece))},
		} {
			got, err := lookup.FindText(context.Background(), r, p, doc.Filter{}, 1<<20)
			storetest.Check(t, err)
			var places []string
			for _, m := range got.Matches {
				places = append(places, fmt.Sprint(m.Path, ":", m.Line))
			}
			slices.Sort(places)
			want := slow(bodies, p)
			if !slices.Equal(places, want) || got.Lines != len(want) || got.Partial {
				t.Fatalf("%+v: %d lines %q, want %q", p, got.Lines, places, want)
			}
			found += len(want)
		}
	}
	if found == 0 {
		t.Error("nothing was found")
	}
}

func slow(bodies []lookup.Text, p lookup.TextPattern) (places []string) {
	re := regexp.MustCompile(p.Regex)
	for _, x := range bodies {
		for i, line := range strings.Split(strings.TrimSuffix(x.Body, "\n"), "\n") {
			if p.Literal != "" && strings.Contains(line, p.Literal) || p.Regex != "" && re.MatchString(line) {
				places = append(places, fmt.Sprint(x.Path, ":", i+1))
			}
		}
	}
	slices.Sort(places)
	return places
}

func TestFindTextBounds(t *testing.T) {
	c := storetest.NewCorpus(32)
	c.Fill()
	r := c.PinAll(t)
	ctx := context.Background()
	all, err := lookup.FindText(ctx, r, lookup.TextPattern{Regex: "a"}, doc.Filter{}, 3)
	storetest.Check(t, err)
	if len(all.Matches) != 3 || all.Lines <= 3 || all.Files == 0 {
		t.Errorf("%d matches, %d lines in %d files", len(all.Matches), all.Lines, all.Files)
	}
	code, err := lookup.FindText(ctx, r, lookup.TextPattern{Regex: "a"}, doc.Filter{Kinds: []doc.Kind{doc.Pattern}}, 1<<20)
	storetest.Check(t, err)
	for _, m := range code.Matches {
		if m.Kind != doc.Pattern {
			t.Errorf("%s:%d is %s", m.Path, m.Line, m.Kind)
		}
	}
	if code.Lines == 0 || code.Lines == all.Lines {
		t.Errorf("%d lines of sections, %d of all", code.Lines, all.Lines)
	}
	over, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Second))
	defer cancel()
	late, err := lookup.FindText(over, c.PinAll(t), lookup.TextPattern{Regex: "a"}, doc.Filter{}, 3)
	if err == nil && !late.Partial {
		t.Error("a search without time is whole")
	}
	for _, p := range []lookup.TextPattern{{}, {Literal: "a", Regex: "b"}, {Regex: "("}, {Literal: strings.Repeat("a", 2000)}} {
		if _, err := lookup.FindText(ctx, r, p, doc.Filter{}, 3); err == nil {
			t.Errorf("%.40v: no error", p)
		}
	}
}
