package excerpt

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"patina/store/doc"
	"patina/store/text"
)

// source is a file with three neighbours in one chunk, and a type that spans it.
const source = `package db

// Table is everything here.
type Table struct {
	// open limits the cached readers: more would
	// run out of file descriptors.
	open int
}

// Close lets go of the file.
func (t *Table) Close() error {
	return t.f.Close()
}

// Seek finds the first key at or after a target.
func (t *Table) Seek(target []byte) int {
	low, high := 0, t.n
	for low < high {
		mid := (low + high) / 2
		if t.key(mid) < target {
			low = mid + 1 // the target lies behind the middle
		} else {
			high = mid
		}
	}
	return low
}
`

func outline() *Text {
	return &Text{
		Lines: text.CutLines(source),
		Entries: []doc.Entry{
			{Name: "Table", Sort: doc.Type, First: 3, Line: 4, Last: 8, Parent: -1},
			{Name: "Table.Close", Sort: doc.Method, First: 10, Line: 11, Last: 13, Parent: -1},
			{Name: "Table.Seek", Sort: doc.Method, First: 15, Line: 16, Last: 27, Parent: -1},
		},
		Chunks: []doc.Span{{Entry: 1, First: 1, Last: 27}},
	}
}

func weights(words ...string) map[string]float64 {
	m := map[string]float64{}
	for _, w := range words {
		m[w] = 2
	}
	return m
}

// Of two parts that say as much, the one whose chunk is nearest in meaning is chosen, even if none
// is near. A text in which none is near does not answer better for that.
func TestMeaningVotesByTheBestOfTheText(t *testing.T) {
	file := outline()
	file.Chunks = []doc.Span{{Entry: 0, First: 1, Last: 13}, {Entry: 2, First: 15, Last: 27}}
	choose := func(near float64) Choice {
		// Words alone prefer Close, because it is shorter.
		words := NewWords(map[string]float64{"return": 2, "decrypt": 2})
		c, ok := words.Choose(file, []Found{
			{Chunks: []int{0, 1}}, {Chunks: []int{1, 0}, Near: []float64{near, near / 2}},
		}, 1)
		if !ok {
			t.Fatal("chose no part")
		}
		return c
	}
	far, near := choose(0.02), choose(0.5)
	for _, c := range []Choice{far, near} {
		if got := file.Entries[c.Entry].Name; got != "Table.Seek" {
			t.Errorf("chose %s, want the nearest, Table.Seek", got)
		}
	}
	if far.Answer >= near.Answer {
		t.Errorf("a far text answers %.3f, a near one %.3f", far.Answer, near.Answer)
	}
}

func TestChooseFindsTheSymbolNotItsNeighbour(t *testing.T) {
	for _, c := range []struct {
		words []string
		name  string
		line  int
	}{
		{[]string{"close", "file"}, "Table.Close", 10},
		{[]string{"seek", "kei", "target"}, "Table.Seek", 15},
		{[]string{"target", "middl", "behind"}, "Table.Seek", 21},
		{[]string{"limit", "cach", "reader"}, "Table", 5},
	} {
		file := outline()
		got, ok := NewWords(weights(c.words...)).Choose(file, []Found{{Chunks: []int{0}}}, 1)
		if !ok || got.Entry < 0 {
			t.Fatalf("%v: chose no symbol", c.words)
		}
		if name := file.Entries[got.Entry].Name; name != c.name || got.Line != c.line {
			t.Errorf("%v: chose %s at line %d, want %s at %d", c.words, name, got.Line, c.name, c.line)
		}
		if got.Lines[0] != c.line {
			t.Errorf("%v: shows %v, want line %d first", c.words, got.Lines, c.line)
		}
	}
}

func TestChooseShowsAWindowInALongSymbol(t *testing.T) {
	lines := slices.Repeat([]string{"\tstep()"}, 400)
	lines[0], lines[301] = "func run() {", "\trelease(lease)"
	file := &Text{
		Lines:   text.CutLines(strings.Join(lines, "\n")),
		Entries: []doc.Entry{{Name: "run", Sort: doc.Function, First: 1, Line: 1, Last: 400, Parent: -1}},
		Chunks:  []doc.Span{{Entry: 0, First: 1, Last: 60}, {Entry: 0, First: 281, Last: 340}},
	}
	got, ok := NewWords(weights("releas", "leas")).Choose(file, []Found{{Chunks: []int{0, 1}}}, 1)
	want := Part{Entry: None, In: 0, First: 281, Last: 340, Line: 302, Lines: []int{302}}
	got.score, got.votes, got.number, got.says, got.Also = 0, [maxChannels]float64{}, 0, false, nil
	if !ok || got.Lines[0] != 302 {
		t.Fatalf("shows lines %v, want 302 first", got.Lines)
	}
	if got.Lines = got.Lines[:1]; !reflect.DeepEqual(got.Part, want) {
		t.Errorf("chose %+v, want %+v", got.Part, want)
	}
}

func TestChooseWithoutASign(t *testing.T) {
	words := NewWords(weights("x"))
	if _, ok := words.Choose(outline(), nil, 1); ok {
		t.Error("chose a part without any chunk")
	}
	if _, ok := words.Choose(outline(), []Found{{Chunks: []int{-1, 7}}}, 1); ok {
		t.Error("chose a part of a chunk that is not there")
	}
	if got, ok := words.Choose(outline(), []Found{{Chunks: []int{0}}}, 1); !ok || got.First < 1 ||
		got.Line < got.First || got.Line > got.Last {
		t.Errorf("no word in the text: chose %+v, want some part with a line in it", got)
	}
}

func TestReasonPrefersTheCommentThatGivesIt(t *testing.T) {
	file := &Text{
		Lines: text.CutLines(`timeout := 3 // seconds

// The timeout is three because slow disks need it.
if timeout > 3 { timeout() }`),
		Chunks: []doc.Span{{Entry: None, First: 1, Last: 4}},
	}
	words := NewWords(weights("timeout"))
	words.Reason = true
	if got, _ := words.Choose(file, []Found{{Chunks: []int{0}}}, 1); got.Line != 3 {
		t.Errorf("asked why: best line %d, want 3", got.Line)
	}
}

// terms cuts ASCII into runs by itself, and must find the terms that package text finds.
func TestTermsAreThoseOfRuns(t *testing.T) {
	words := NewWords(weights("close", "file", "x", "ünder", "search", "id", "2", "i"))
	for _, s := range []string{
		source, "closeFile(x2) naïve_ünder 検索 id-2", "x", "", "ies Ids IDX\xff close", strings.Repeat("close", 20),
		"é close", "closes.filing",
	} {
		var want uint64
		text.Runs(s, func(run string) {
			text.Words(run, func(stem string) {
				if i, ok := words.index[stem]; ok {
					want |= 1 << i
				}
			})
		})
		if got := words.terms(s); got != want {
			t.Errorf("%q: terms %b, want %b", s, got, want)
		}
	}
}

// Runs are looked up before they are stemmed. That must not lose a word.
func TestTermsAreThoseOfTheTokenizer(t *testing.T) {
	for run, stem := range map[string]string{
		"QueryEngine": "engin", "HTTPServer": "server", "v2Parser": "parser", "abc123def": "def", "naïveWords": "word",
		"snake": "snake", "XMLHttpRequest": "request", "ids2": "ids2", "Ünder": "ünder",
	} {
		if NewWords(weights(stem)).terms(run) != 1 {
			t.Errorf("%q is not found in %q", stem, run)
		}
	}
}

func FuzzChoose(f *testing.F) {
	f.Add(source, "seek close", uint8(1), uint8(3), uint8(9))
	f.Add("\x00\n\n\xff ü", "ü", uint8(0), uint8(0), uint8(255))
	f.Fuzz(func(t *testing.T, body, question string, a, b, c uint8) {
		file := &Text{
			Lines: text.CutLines(body + "\n"),
			Entries: []doc.Entry{
				{Name: "T", Sort: doc.Type, First: int(a), Line: int(a), Last: int(c), Parent: -1},
				{Name: "T.m", Sort: doc.Method, First: int(b), Line: int(b), Last: int(c), Parent: 0},
			},
			Chunks: []doc.Span{{Entry: -1, First: int(a), Last: int(b)}, {Entry: 1, First: int(b), Last: int(c)}},
		}
		words := NewWords(weights(strings.Fields(question)...))
		got, ok := words.Choose(file, []Found{{Chunks: []int{1, 0}}, {Chunks: []int{0}, Near: []float64{0.5}}}, 5)
		if !ok {
			return
		}
		for _, p := range append(got.Also, got.Part) {
			if p.Last > file.Lines.Len() || p.First > p.Last {
				t.Errorf("part %+v of %d lines", p, file.Lines.Len())
			}
			for _, n := range append(p.Lines, p.Line) {
				if n != 0 && (n < p.First || n > p.Last) {
					t.Errorf("line %d is not in %d-%d", n, p.First, p.Last)
				}
			}
		}
		if again, _ := NewWords(weights(strings.Fields(question)...)).Choose(file,
			[]Found{{Chunks: []int{1, 0}}, {Chunks: []int{0}, Near: []float64{0.5}}}, 5); !reflect.DeepEqual(again,
			got) {
			t.Errorf("chose %+v, then %+v", got, again)
		}
	})
}

// In Chinese each two neighbouring characters are a run, so runs overlap. A long line must still be
// cut around the right ones.
func TestCutOfALongChineseLine(t *testing.T) {
	words := NewWords(weights("失效", "close"))
	for _, line := range []string{
		strings.Repeat("数据库连接池", 20) + "缓存失效" + strings.Repeat("的时候", 60),
		strings.Repeat("数据库 連接, é ", 30) + "close 缓存失效",
		strings.Repeat("数", 3000) + "失效",
	} {
		got := words.Cut(line)
		if len(got) > Width || !utf8.ValidString(got) {
			t.Errorf("%d bytes, %q", len(got), got)
		}
		if at := strings.Index(line, "失效"); at < longestRead && !strings.Contains(got, "失效") {
			t.Errorf("the word is cut away: %q", got)
		}
	}
}
