package ui

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// Whatever an address holds, the links that are made of it lead to this server, and a question
// reads back as it was written.
func FuzzAddress(f *testing.F) {
	f.Add("/", "q=water&kind=code&path=a&n=5")
	f.Add("//example.org/x", "walk=a&walk=b&id=c&ask=q%3Dx&repo=y")
	f.Add(`/\\example.org`, "ask=%22%3E%3Cscript%3E&line=-1&from=99999999999999999999")
	f.Fuzz(func(t *testing.T, path, raw string) {
		q, err := url.ParseQuery(raw)
		if err != nil {
			return
		}
		asked := questionOf(q)
		if again := questionOf(asked.values()); !reflect.DeepEqual(asked.values(), again.values()) {
			t.Errorf("%v, again %v", asked.values(), again.values())
		}
		walk := trailOf(q)
		links := []string{localPath(path, q), walk.link(q.Get("id")+"x", numberArgument(q, "line")), asked.toggled("lang", q.Get("q"))}
		for _, c := range walk.past(q.Get("id") + "x").crumbs() {
			links = append(links, c.Link)
		}
		for _, link := range links {
			u, err := url.Parse(link)
			if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(link, "/") || strings.HasPrefix(link, "//") {
				t.Errorf("%q: %v", link, err)
			}
		}
		if len(walk.past("x").steps) > mostSteps {
			t.Errorf("%d steps", len(walk.steps))
		}
	})
}
