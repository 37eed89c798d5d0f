package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/print"
	"patina/fusion"
	"patina/registry/querylog"
)

func init() {
	addRoute("GET /rank", (*view).rankPage)
	addRoute("GET /part/without", (*view).withoutPart)
}

// A quantity is one number behind a rank, as a bar with its words.
type quantity struct {
	Name, Words string
	Value       float64
	Text        string
}

// A rank is why a document has its rank for a question.
type rank struct {
	Question, Name, Link, Back string
	Found                      bool
	Place, Of                  int
	Channels, Merge            []quantity
	Lines                      []string // as --explain prints them
	Closest                    []string
	Without                    string // the address of the answers without each channel
	Missing                    []string
}

// rankPage shows the numbers behind the rank of a document.
func (v *view) rankPage() error {
	q, id := questionOf(v.query), v.query.Get("id")
	r := q.request()
	r.Form, r.Name = ask.Why, id
	c, a, err := v.askWith("why", q, r)
	if err != nil {
		return err
	}
	if a.Ranked == nil {
		return &ask.NotFoundError{Form: ask.Why, What: "question beside the document", Typed: id}
	}
	x := a.Ranked.Explanation
	without := q.values()
	without.Set("id", id)
	out := rank{
		Question: q.Text, Name: layout.OpenPath(a.Ranked.DocID), Link: trail{ask: q.values().Encode()}.link(a.Ranked.DocID, 0),
		Back: "/?" + q.values().Encode(), Of: x.Ranked, Without: "/part/without?" + without.Encode(),
		Missing: deliver.Lacking(&x.Answer, print.Visits(c.Visits)),
	}
	for _, res := range x.Results {
		out.Found, out.Place, out.Name = true, res.Rank, deliver.Name(res.Description)
		out.Channels, out.Merge, out.Lines = channelsOf(res), mergeOf(res), deliver.Arithmetic(res)
	}
	for _, p := range a.Ranked.Closest {
		out.Closest = append(out.Closest, layout.Clip(fmt.Sprintf("%s ~ %s %.2f", p.Question, p.Passage, p.Cosine), 80))
	}
	return v.page("rank", "why this rank", "", out)
}

// askWith begins a call with the projects and filters of a question, and asks.
func (v *view) askWith(mode string, q question, r ask.Request) (*ask.Call, *ask.Answer, error) {
	given := map[string]string{}
	if q.All {
		given["all-repos"] = "true"
	}
	c, err := v.beginCallWith(ask.Options{Repos: q.Repos, Given: given, Sent: querylog.Delivery{Mode: mode}})
	if err != nil {
		return nil, nil, err
	}
	a, err := c.Ask(v.r.Context(), r)
	return c, a, explain(err, c)
}

// channelWords say what each channel and each kind of evidence from names looks at.
var channelWords = map[string]string{
	"lexical": "the words of the question in it", "semantic": "its meaning beside the question's",
	"temporal": "past commits like the question touched it", "belief": "a belief's words and meaning",
	"memory": "a note of the project", "persona": "a note of yours",
	"symbol": "the question names or asks for a symbol in it", "stem": "the question names the file",
	"coverage": "words of the question in its name", "paths": "the text names its path",
	"frames": "a traceback in the text has it", "names": "it defines names of the text",
	"messages": "it prints a message of the text", "passage": "its best part answers the question",
}

// channelsOf returns the part of each channel in a result.
func channelsOf(r api.Result) (all []quantity) {
	for _, c := range r.Contributions {
		text := fmt.Sprintf("%.3f × weight %.2f = %.3f", c.Normalised, c.Weight, c.Added)
		if c.Rank > 0 {
			text = fmt.Sprintf("place %d there; ", c.Rank) + text
		}
		all = append(all, quantity{layout.Clip(c.Channel, 20), channelWords[c.Channel], c.Added, text})
	}
	return all
}

// mergeOf returns the numbers by which a result was merged with those of other kinds.
func mergeOf(r api.Result) []quantity {
	number := func(x float64) string { return fmt.Sprintf("%.3f", x) }
	all := []quantity{
		{"score", "how likely it is right, by its own numbers", r.Score, number(r.Score)},
		{"share", "part of the question that its best passage accounts for", r.Share, number(r.Share)},
		{"breadth", "what its other passages add", r.Breadth, number(r.Breadth)},
		{"agreement", "how well the channels agree on it, beside the best of its kind", r.Agreement, number(r.Agreement)},
		{"prior", "how much a question of this intent asks for its kind", r.Prior, number(r.Prior)},
		{"known", "part of the question's words that the project knows", r.Evidence.Known, number(r.Evidence.Known)},
		{"meaning", "part of the question that its meaning accounts for", r.Evidence.Cosine, number(r.Evidence.Cosine)},
	}
	if d := r.Evidence.Demotion; d > 0 && d < 1 {
		all = append(all, quantity{"demotion", "it is a test, an example or the like, and counts so much", d, number(d)})
	}
	if r.Weight > 0 && r.Weight < 1 {
		all = append(all, quantity{"route", "the weight of the way to its project", r.Weight, number(r.Weight)})
	}
	return all
}

// A loss is the difference of an answer without one channel.
type loss struct {
	Channel string
	Place   string   // where the document would stand
	Moved   string   // "up", "down", "gone" or ""
	First   []string // the names of the first results
	Error   string
}

// withoutPart writes the answers without each channel that took part. It asks again, each time with
// the others alone, as --oracle does.
func (v *view) withoutPart() error {
	q, id := questionOf(v.query), v.query.Get("id")
	r := q.request()
	r.Form, r.Name = ask.Why, id
	_, a, err := v.askWith("why", q, r)
	if err != nil {
		return err
	}
	if a.Ranked == nil {
		return &ask.NotFoundError{Form: ask.Why, What: "question beside the document", Typed: id}
	}
	now := placeIn(a.Ranked.Explanation)
	var took []string
	for _, c := range a.Ranked.Explanation.Channels {
		if c.Status == api.OK && !slices.Contains(took, c.Channel) {
			took = append(took, c.Channel)
		}
	}
	var losses []loss
	for _, channel := range took {
		if len(took) < 2 {
			break
		}
		others := slices.DeleteFunc(slices.Clone(took), func(x string) bool { return x == channel })
		losses = append(losses, v.without(channel, others, q, r, now))
	}
	return v.part("without", losses)
}

// without asks with the other channels alone.
func (v *view) without(channel string, others []string, q question, why ask.Request, now int) loss {
	out := loss{Channel: channel}
	why.Oracles = others
	_, a, err := v.askWith("why", q, why)
	if err != nil || a.Ranked == nil {
		out.Error = layout.OneLine(cmp.Or(err, error(&ask.NotFoundError{What: "document", Typed: why.Name})).Error())
		return out
	}
	switch place := placeIn(a.Ranked.Explanation); {
	case place == 0:
		out.Place, out.Moved = "not found", "gone"
	case place > now:
		out.Place, out.Moved = fmt.Sprintf("rank %d", place), "down"
	case place < now:
		out.Place, out.Moved = fmt.Sprintf("rank %d", place), "up"
	default:
		out.Place = fmt.Sprintf("rank %d, as now", place)
	}
	find := q.request()
	find.Oracles, find.Listing = others, true
	_, first, err := v.askWith("find", q, find)
	if err != nil {
		return out
	}
	if first.Found.Relevance == fusion.Irrelevant {
		out.First = append(out.First, "nothing relevant")
		return out
	}
	for _, x := range first.Found.Results[:min(3, len(first.Found.Results))] {
		out.First = append(out.First, strings.TrimSpace(deliver.Name(x.Description)))
	}
	return out
}

// placeIn returns the rank of the document that is explained, or 0 if it was not found.
func placeIn(x *api.Explanation) int {
	if len(x.Results) == 0 {
		return 0
	}
	return x.Results[0].Rank
}
