package markup

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// folded joins the words of a program's text.
func folded(p *Program) string {
	if p == nil {
		return ""
	}
	return strings.Join(strings.Fields(string(p.Text)), " ")
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		language, text string
		scripts        []string
		template       string
		calls          []string
		imports        []string
	}{
		"setup": {
			language: "Vue", text: "<script setup lang=\"ts\">\nlet a = f()\n</script>\n<template>\n" +
				"<Row :n=\"g(a)\" @pick=\"save\" />\n" +
				"<my-cell v-for=\"x in list(a)\" v-slot=\"{ y }\">{{ x }}</my-cell>\n</template>\n" +
				"<style>p { }</style>\n",
			scripts: []string{"TypeScript: let a = f()"}, template: ";(g(a)) ;(list(a)) ;( x )",
			calls: []string{"Row", "save", "MyCell"},
		},
		"two scripts": {
			language: "Vue", text: "<script>\nlet a\n</script>\n<script setup>\nlet b\n</script>\n" +
				"<template><p @click=\"n++; go(n)\">{{ t('x') }}</p></template>",
			scripts: []string{"JavaScript: let a let b"}, template: ";{n++; go(n)} ;( t('x') )",
		},
		"elements of the page": {
			language: "Vue", text: "<template><button><slot/><router-view/></button></template>",
			calls: []string{"RouterView"},
		},
		"another template": {
			language: "Vue", text: "<template lang=\"pug\">\np {{ a() }}\n</template>\n" +
				"<i18n>{ \"a\": \"{{ b() }}\" }</i18n>\n<script src=\"./a.js\"></script>",
			scripts: []string{"JavaScript: "}, imports: []string{"./a.js"},
		},
		"svelte": {
			language: "Svelte", text: "<script context=\"module\">let a</script>\n{#each rows(a) as r, i " +
				"(r.id)}<Cell {...r} on:click={pick} use:tip|global={f(r)} title=\"a " +
				"{g(r)}\">{r}{h(r)}</Cell>{:else if none()}{/each}\n{@const s = size()}{#await load() then y}{/await}",
			scripts:  []string{"JavaScript: let a"},
			template: ";( rows(a)) ;(r) ;(f(r)) ;g(r); ;r; ;h(r); ;( none()) ;( s = size()) ;( load())",
			calls:    []string{"Cell", "pick", "tip"},
		},
		"astro": {
			language: "Astro", text: "---\nimport X from './X'\nconst a = f()\n---\n<!-- no {call()} -->\n" +
				"<X.Y client:load n={g(a)}>{a.map((b) => <Z>{b} isn't</Z>)}</X.Y>\n<script>run()</script>",
			scripts:  []string{"TypeScript: import X from './X' const a = f() run()"},
			template: ";(g(a)) ;a.map((b) => <Z>{b} isn't</Z>);", calls: []string{"X.Y"},
		},
		"page": {
			language: "HTML", text: "<html><script src=app.js></script><script type=\"application/json\">{\"f()\": " +
				"1}</script><body onload=\"start()\">{x()}<Thing/><script>\nf()\n</script>",
			scripts: []string{"JavaScript: f()"}, template: ";{start()}", imports: []string{"./app.js"},
		},
		"no end": {language: "Svelte", text: "<p>{#if a(</p><script>let b", scripts: []string{"JavaScript: let b"}},
	} {
		p := Read(c.language, []byte(c.text))
		var scripts, calls []string
		for _, s := range p.Scripts {
			scripts = append(scripts, s.Language+": "+folded(s))
		}
		for _, x := range p.Calls {
			calls = append(calls, x.Name)
		}
		if !slices.Equal(scripts, c.scripts) || folded(p.Template) != c.template || !slices.Equal(calls, c.calls) ||
			!slices.Equal(p.Imports, c.imports) {
			t.Errorf("%s: scripts %q\ntemplate %q\ncalls %q, imports %q",
				name, scripts, folded(p.Template), calls, p.Imports)
		}
	}
}

// The markup that represents a component is its longest range.
func TestComponent(t *testing.T) {
	for text, want := range map[string]string{
		"<script>\nlet a\n</script>\n\n<p>\n  text\n</p>\n<style>\np {}\n</style>\n": "<p>\n  text\n</p>",
		"<script>\nlet a\n</script>\n": "<script>",
		"":                             "",
	} {
		p := Read("Svelte", []byte(text))
		if got := text[p.Component.Start:p.Component.End]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Whatever the text is, a program must know the places of its parts: each byte is that of the page,
// a line end, or a mark of a statement.
func TestPlaces(t *testing.T) {
	pieces := []string{"<script>", "</script>", "<script lang=ts src='a'", ">", "<template>", "{{", "}}", "{", "}", "<A b=", "\"", "'", "`", "@c", ":d", "v-for=\"a in b\"", "{#each x as y}", "---\n", "\n", "f(x)", "<!--", "-->", "/", "/*", "\\", "é", "${", " ", "="}
	random := rand.New(rand.NewPCG(7, 0))
	for range 4000 {
		var b strings.Builder
		for range random.IntN(30) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := []byte(b.String())
		for _, language := range Languages() {
			checkPlaces(t, language, text)
		}
	}
}

// A page must read the same whether tags without programs are skipped or read.
func TestSkip(t *testing.T) {
	pieces := []string{
		"<p", "<a ", "<script>", "</script>", "<style ", ">", "/>", " ", "\n", "\t", "=", "\"", "'", "a", "o", "on",
		" onload=", "x=\"f()\"", " b='>'", " c=d", "<", "/", "{", "-", "é", "<!--", "-->", "f()",
	}
	random := rand.New(rand.NewPCG(3, 0))
	for range 200_000 {
		var b strings.Builder
		for range random.IntN(16) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		text := []byte(b.String())
		skipped := scanner{language: "HTML", text: text}
		read := scanner{language: "HTML", text: text, whole: true}
		skipped.scanMarkup()
		read.scanMarkup()
		if !reflect.DeepEqual(skipped.out, read.out) {
			t.Fatalf("%q: %+v, want %+v", text, skipped.out, read.out)
		}
	}
}

func checkPlaces(t *testing.T, language string, text []byte) {
	t.Helper()
	p := Read(language, text)
	for _, x := range p.Programs() {
		last := 0
		for i, c := range x.Text {
			at := x.Place(i)
			if at < last || at > len(text) {
				t.Fatalf("%s of %q: %q at %d stands at %d, behind %d", language, text, x.Text, i, at, last)
			}
			last = at
			isPart := at < len(text) && text[at] == c && x.Holds(Range{at, at + 1})
			if !isPart && bytes.IndexByte([]byte("\n;(){}"), c) < 0 {
				t.Fatalf("%s of %q: %q of %q is not at %d", language, text, c, x.Text, at)
			}
		}
	}
	for _, c := range p.Calls {
		if c.At < 0 || c.At >= len(text) {
			t.Fatalf("%s of %q: call %+v", language, text, c)
		}
	}
	if r := p.Component; r.Start < 0 || r.Start > r.End || r.End > len(text) {
		t.Fatalf("%s of %q: component %+v", language, text, r)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("<script>a</script>{{ b }}<C @d='e'/>")
	f.Fuzz(func(t *testing.T, s string) {
		for _, language := range Languages() {
			checkPlaces(t, language, []byte(s))
		}
	})
}
