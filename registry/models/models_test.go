package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"patina/store/doc"
)

const (
	first  = "00112233445566aa"
	second = "00112233445566bb"
)

func model(name string) Model {
	return Model{
		Name: name, Dir: "/models/" + name, Graph: "model.onnx", ID: "sha-" + name, Pooling: "mean",
		QueryPrefix: "query: ", PassagePrefix: "passage: ", Dimension: 384, MaxTokens: 512, Bytes: 90 << 20,
		Added: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC), Tested: true,
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func names(all []Model) (out []string) {
	for _, m := range all {
		out = append(out, m.Name)
	}
	return out
}

func TestCatalog(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	all, err := List(home)
	if err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	if _, err := os.Stat(home); err == nil {
		t.Error("reading has made the home")
	}
	check(t, Add(home, model("minilm")))
	check(t, Add(home, model("e5")))
	all, err = List(home)
	if want := []string{"e5", "minilm"}; err != nil || !slices.Equal(names(all), want) {
		t.Fatal(all, err)
	}
	if m, err := Find(home, "e5"); err != nil || m != model("e5") {
		t.Errorf("found %+v, %v", m, err)
	}
	if _, err := Find(home, "bge"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "bge") {
		t.Error(err)
	}
	for _, file := range []string{"models.json", "models.lock"} {
		if info, err := os.Stat(filepath.Join(home, file)); err != nil || info.Mode() != 0o600 {
			t.Error(file, info, err)
		}
	}

	moved := model("e5")
	moved.Dir = "/elsewhere"
	if err := Add(home, moved); !errors.Is(err, ErrTaken) || !strings.Contains(err.Error(), "/models/e5/model.onnx") {
		t.Error(err)
	}
	again := model("e5")
	again.ID, again.QueryPrefix, again.Tested = "sha-new", "", false
	check(t, Add(home, again))
	if m, err := Find(home, "e5"); err != nil || m != again {
		t.Errorf("found %+v, %v", m, err)
	}
	check(t, Remove(home, "e5"))
	if err := Remove(home, "e5"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if all, err := List(home); err != nil || !slices.Equal(names(all), []string{"minilm"}) {
		t.Error(all, err)
	}
}

func TestRefusedModels(t *testing.T) {
	home := t.TempDir()
	for _, wrong := range []func(*Model){
		func(m *Model) { m.Name = "" },
		func(m *Model) { m.Name = BuiltIn },
		func(m *Model) { m.Name = "none" },
		func(m *Model) { m.Name = "../e5" },
		func(m *Model) { m.Name = "-e5" },
		func(m *Model) { m.Name = strings.Repeat("e", 65) },
		func(m *Model) { m.Dir = "models/e5" },
		func(m *Model) { m.Runtime = "libonnxruntime.so" },
		func(m *Model) { m.Graph = "a\x00b" },
		func(m *Model) { m.Dimension = 1 << 20 },
		func(m *Model) { m.QueryPrefix = strings.Repeat("q", 2000) },
	} {
		m := model("e5")
		wrong(&m)
		if err := Add(home, m); err == nil {
			t.Errorf("%+v was added", m)
		}
	}
	if _, err := os.Stat(catalogFile(home)); err == nil {
		t.Error("something was written")
	}
}

func TestChoices(t *testing.T) {
	home := t.TempDir()
	check(t, Add(home, model("e5")))
	check(t, Add(home, model("bge")))
	if c, err := ChoiceOf(home, first); err != nil || len(c) != 0 {
		t.Error(c, err)
	}
	check(t, Choose(home, "", "e5", UsualGroups()))
	check(t, Choose(home, first, "bge", []string{"code", "notes"}))
	check(t, Choose(home, second, BuiltIn, []string{"beliefs"}))

	for id, want := range map[string]Choice{
		"":     {"beliefs": "e5", "notes": "e5", "sessions": "e5", "documents": "e5"},
		first:  {"beliefs": "e5", "notes": "bge", "sessions": "e5", "documents": "e5", "code": "bge"},
		second: {"notes": "e5", "sessions": "e5", "documents": "e5"},
	} {
		if got, err := ChoiceOf(home, id); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v, want %v", id, got, err, want)
		}
	}
	c, _ := ChoiceOf(home, first)
	if c.Of(doc.Persona) != "bge" || c.Of(doc.Pattern) != "e5" || c.Of(doc.Commit) != "" || c.Of("new") != "" {
		t.Error(c)
	}
	uses, err := Uses(home, "bge")
	if want := []Use{{first, []string{"notes", "code"}}}; err != nil || !reflect.DeepEqual(uses, want) {
		t.Error(uses, err)
	}
	if uses, err := Uses(home, "e5"); err != nil || len(uses) != 1 || uses[0].Project != "" {
		t.Error(uses, err)
	}

	// Back to the built-in model: nothing is noted that would hide a later choice for all projects.
	check(t, Choose(home, first, "none", []string{"code"}))
	check(t, Choose(home, "", "bge", []string{"code"}))
	if c, err := ChoiceOf(home, first); err != nil || c["code"] != "bge" {
		t.Error(c, err)
	}
	check(t, Choose(home, "", "none", []string{"code"}))

	check(t, Remove(home, "bge"))
	if c, err := ChoiceOf(home, first); err != nil || c["notes"] != "e5" || c["code"] != "" {
		t.Error(c, err)
	}
	check(t, Remove(home, "e5"))
	if c, err := ChoiceOf(home, first); err != nil || len(c) != 0 {
		t.Error(c, err)
	}

	if err := Choose(home, "", "gone", UsualGroups()); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if err := Choose(home, "", BuiltIn, []string{"poems"}); !errors.Is(err, ErrGroup) || !strings.Contains(err.Error(), "poems") {
		t.Error(err)
	}
	for _, id := range []string{"..", "../../x", "zz"} {
		if err := Choose(home, id, BuiltIn, UsualGroups()); err == nil {
			t.Errorf("%q is a project", id)
		}
	}
}

func TestGroups(t *testing.T) {
	seen := map[doc.Kind]bool{}
	for _, g := range Groups() {
		if len(Kinds(g)) == 0 {
			t.Errorf("%s has no kinds", g)
		}
		for _, k := range Kinds(g) {
			if seen[k] || GroupOf(k) != g {
				t.Errorf("%s is in %s and elsewhere", k, g)
			}
			seen[k] = true
		}
	}
	for _, k := range doc.Kinds() {
		if !seen[k] {
			t.Errorf("%s is in no group", k)
		}
	}
	if Kinds("poems") != nil {
		t.Error("an unknown group has kinds")
	}
	if want := []string{"beliefs", "notes", "sessions", "documents"}; !slices.Equal(UsualGroups(), want) {
		t.Error(UsualGroups())
	}
}

// Everything that a newer version writes in the same format must stay.
func TestFieldsOfNewerVersionsStay(t *testing.T) {
	home := t.TempDir()
	write := func(file, content string) {
		t.Helper()
		check(t, os.MkdirAll(filepath.Dir(file), 0o700))
		check(t, os.WriteFile(file, []byte(content), 0o600))
	}
	write(catalogFile(home), `{"format": 1, "theme": {"dark": true},
		"default": {"pictures": {"any": ["e5"]}, "code": "e5"},
		"models": {"e5": {"dir": "/models/e5", "graph": "model.onnx", "id": "x", "dimension": 8, "licence": "MIT"}}}`)
	write(ownFile(home, first), `{"format": 1, "since": 7, "choice": {"songs": "bge", "notes": "e5"}}`)

	check(t, Add(home, model("e5")))
	check(t, Add(home, model("bge")))
	check(t, Choose(home, "", "bge", []string{"commits"}))
	check(t, Choose(home, first, "bge", []string{"commits"}))
	check(t, Remove(home, "bge"))

	for file, want := range map[string][]string{
		catalogFile(home):    {`"dark": true`, `"pictures": {`, `"licence": "MIT"`, `"code": "e5"`},
		ownFile(home, first): {`"since": 7`, `"songs": "bge"`, `"notes": "e5"`},
	} {
		content, err := os.ReadFile(file)
		check(t, err)
		for _, w := range want {
			if !bytes.Contains(content, []byte(w)) {
				t.Errorf("%s has lost %s:\n%s", file, w, content)
			}
		}
	}
}

func TestDamagedFiles(t *testing.T) {
	for content, want := range map[string]error{
		``:                                   ErrDamaged,
		`{"format": 1, "models": {"e5": {`:   ErrDamaged,
		`[]`:                                 ErrDamaged,
		`null`:                               ErrDamaged,
		`{}`:                                 ErrDamaged,
		`{"format": 1, "models": []}`:        ErrDamaged,
		`{"format": 1, "models": {"e5":{}}}`: ErrDamaged,
		`{"format": 1, "default": {"code": 5}, "choice": {"code": 5}}`:              ErrDamaged,
		`{"format": 1, "default": {"code": "../x"}, "choice": {"code": "../x"}}`:    ErrDamaged,
		`{"format": 1, "models": {"../x": {"dir": "/x"}}, "choice": {"code": "/"}}`: ErrDamaged,
		`{"format": 2}`: ErrNewer,
	} {
		home := t.TempDir()
		check(t, os.WriteFile(catalogFile(home), []byte(content), 0o600))
		for what, err := range map[string]error{
			"list":   func() error { _, err := List(home); return err }(),
			"find":   func() error { _, err := Find(home, "e5"); return err }(),
			"choice": func() error { _, err := ChoiceOf(home, first); return err }(),
			"add":    Add(home, model("e5")),
			"choose": Choose(home, "", BuiltIn, UsualGroups()),
			"remove": Remove(home, "e5"),
		} {
			if !errors.Is(err, want) || !strings.Contains(err.Error(), catalogFile(home)) {
				t.Errorf("%s: %s: %v", content, what, err)
			}
		}
		if now, err := os.ReadFile(catalogFile(home)); err != nil || string(now) != content {
			t.Errorf("%s became %s", content, now)
		}

		if strings.Contains(content, `"models"`) && !strings.Contains(content, `"choice"`) {
			continue // that is nothing in a project's file
		}
		home = t.TempDir()
		check(t, Add(home, model("e5")))
		check(t, os.MkdirAll(filepath.Dir(ownFile(home, first)), 0o700))
		check(t, os.WriteFile(ownFile(home, first), []byte(content), 0o600))
		_, err := ChoiceOf(home, first)
		for _, err := range []error{err, Choose(home, first, "e5", UsualGroups()), Remove(home, "e5")} {
			if !errors.Is(err, want) || !strings.Contains(err.Error(), ownFile(home, first)) {
				t.Errorf("%s: %v", content, err)
			}
		}
		if _, err := Find(home, "e5"); err != nil {
			t.Errorf("%s: the model was removed: %v", content, err)
		}
		if now, _ := os.ReadFile(ownFile(home, first)); string(now) != content {
			t.Errorf("%s became %s", content, now)
		}
	}
}

// A link could lead to a file that the writer must not replace.
func TestLinksAreRefused(t *testing.T) {
	home, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(elsewhere, []byte(`{"format": 1}`), 0o600))
	check(t, os.Symlink(elsewhere, catalogFile(home)))
	if err := Add(home, model("e5")); err == nil {
		t.Error("a link was replaced")
	}
}

func TestManyWriters(t *testing.T) {
	home := t.TempDir()
	var all sync.WaitGroup
	failed := make(chan error, 40)
	for i := range 20 {
		all.Go(func() {
			name := fmt.Sprintf("m%02d", i)
			failed <- Add(home, model(name))
			failed <- Choose(home, fmt.Sprintf("%016x", i), name, []string{"code"})
		})
	}
	all.Wait()
	close(failed)
	for err := range failed {
		check(t, err)
	}
	if all, err := List(home); err != nil || len(all) != 20 {
		t.Error(len(all), err)
	}
	for i := range 20 {
		c, err := ChoiceOf(home, fmt.Sprintf("%016x", i))
		if want := fmt.Sprintf("m%02d", i); err != nil || c["code"] != want {
			t.Error(c, err, want)
		}
	}
}

func TestNameFor(t *testing.T) {
	for dir, want := range map[string]string{
		"/m/E5-base-v2":                  "e5-base-v2",
		"/m/all-MiniLM-L6-v2/onnx":       "all-minilm-l6-v2",
		"/m/My model (1)":                "my-model--1",
		"/m/日本":                          "",
		"/":                              "",
		"/onnx":                          "",
		"/m/" + strings.Repeat("a-", 80): strings.Repeat("a-", 31) + "a",
		"/m/none":                        "",
	} {
		if got := NameFor(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

func FuzzCatalog(f *testing.F) {
	f.Add([]byte(`{"format":1,"models":{"e5":{"dir":"/m","id":"x","dimension":8,"added":"2026-11-27T12:00:00Z"}},"default":{"code":"e5"}}`))
	f.Add([]byte(`{"format":1,"choice":{"code":"e5","songs":[1]},"models":{"a":{"Dir":"/m","dir":null}}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		fields, err := parseFields(content)
		if err != nil {
			return
		}
		if c, err := parseChoices(fields["choice"]); err == nil {
			for g, name := range c.knownGroups() {
				if !isModelName(name) && !isBuiltIn(name) {
					t.Errorf("%s: %q", g, name)
				}
			}
		}
		c, err := parseCatalog(fields)
		if err != nil {
			return
		}
		for _, m := range c.models {
			check(t, c.put(m))
		}
		written, err := json.Marshal(map[string]any{"format": 1, "models": c.raw, "default": c.everywhere})
		check(t, err)
		fields, err = parseFields(written)
		check(t, err)
		again, err := parseCatalog(fields)
		check(t, err)
		if !reflect.DeepEqual(again.models, c.models) {
			t.Errorf("%+v became %+v", c.models, again.models)
		}
		if !reflect.DeepEqual(again.everywhere.knownGroups(), c.everywhere.knownGroups()) {
			t.Errorf("%v became %v", c.everywhere, again.everywhere)
		}
	})
}
