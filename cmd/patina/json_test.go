package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// keysOf adds the names of all fields in a value and its parts. Objects whose names are data are
// left out.
func keysOf(v any, keys map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			keysOf(x, keys)
		}
	case map[string]any:
		for name, x := range v {
			keys[name] = true
			if name != "skipped" && name != "languages" && name != "facts" {
				keysOf(x, keys)
			}
		}
	}
}

// The output of --json must have exactly the fields in docs/json.md, and every text a schema.
func TestJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	g := layGoldens(t)
	printed := map[string]bool{}
	read := func(args ...string) {
		t.Helper()
		text := g.run(args...)
		start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
		var v map[string]any
		if start < 0 || end < start || json.Unmarshal([]byte(text[start:end+1]), &v) != nil {
			t.Fatalf("patina %s prints no object:\n%s", strings.Join(args, " "), text)
		}
		if v["schema"] == nil {
			t.Errorf("patina %s prints no schema", strings.Join(args, " "))
		}
		if args[0] != "memory" {
			keysOf(v, printed)
		}
	}
	read("scrape", "--no-adapt", "--json")
	g.run("memory", "add", "the lease is renewed in half its time")
	for _, form := range []string{"--json", "--json=full"} {
		read("scry", form, "how are retries spread")
		read("scry", form, "--content-type", "belief,session,commit", "why is every retry jittered")
	}
	read("scry", "--json", "--detail", "server/internal/lease/lease.go")
	read("scry", "--json", "why", "server/internal/lease/lease.go")
	read("scry", "--json=full", "why", "server/internal/lease/lease.go", "how does a lease expire")
	read("scry", "--json", "--literal", "lease")
	read("scry", "--json", "recent", "--days", "36500")
	read("scry", "--json", "orient", ".")
	read("impact", "--json", "server/internal/lease/lease.go")
	read("config", "--json")
	read("memory", "list", "--json")
	read("memory", "recall", "--json", "lease renewed")
	read("memory", "stats", "--json")

	for name := range printed {
		if !regexp.MustCompile("[`\"._ (]" + regexp.QuoteMeta(name) + "[`\", )\\]]").Match(doc) {
			t.Errorf("docs/json.md does not name the field %q", name)
		}
	}
	shown := map[string]bool{}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllSubmatch(doc, -1) {
		var v any
		if err := json.Unmarshal(block[1], &v); err != nil {
			t.Errorf("an example is no JSON: %v", err)
		}
		keysOf(v, shown)
	}
	var never []string
	for name := range shown {
		if !printed[name] {
			never = append(never, name)
		}
	}
	if slices.Sort(never); len(never) > 0 {
		t.Errorf("docs/json.md shows fields that nothing prints: %q", never)
	}
}
