package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"patina/wire"
	"patina/wire/config"
)

func TestTable(t *testing.T) {
	x := newTable("what", "figure")
	x.add("a time", 1234*time.Microsecond)
	x.add("a number", .98765)
	x.add("a miss", mark(false, "7"))
	for _, d := range []time.Duration{time.Second, 3 * time.Second, 2 * time.Second} {
		x.addTo("times", d, 2500*time.Millisecond)
	}
	x.merge()
	var out bytes.Buffer
	x.print(&out)
	want := "| what | figure |\n|---|---|\n| a time | 1.23 ms |\n| a number | 0.988 |\n| a miss | 7 **missed** |\n" +
		"| times | p50 2000 ms, most 3000 ms **missed** of 3 |\n\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

func TestTally(t *testing.T) {
	s := newTally([]outcome{
		{took: time.Second, budget: time.Second},
		{took: time.Second + 10*time.Millisecond, budget: time.Second},
		{took: time.Second + 11*time.Millisecond, budget: time.Second, failure: "late"},
		{took: time.Millisecond, budget: time.Second, failure: "late"},
		{took: time.Millisecond, budget: time.Second, failure: "other"},
	})
	if s.asked != 5 || s.failed != 3 || s.late != 1 || s.lateMost != 11*time.Millisecond || s.reasons() != "2 × late" {
		t.Errorf("%+v, %s", s, s.reasons())
	}
}

// The same tree gives the same questions, and too small a tree none.
func TestQuestions(t *testing.T) {
	dir := t.TempDir()
	r := config.Repository{Name: "r", URL: "file://" + dir}
	if _, err := questionsOf(r, 3); err == nil {
		t.Error("questions about nothing")
	}
	text := "package r\n\n// Evict drops the least recently used entry of the cache, if it is full.\nfunc Evict() {}\n\nfunc Insert() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "r.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := questionsOf(r, 5)
	if err != nil {
		t.Fatal(err)
	}
	b, err := questionsOf(r, 5)
	if err != nil || !slices.Equal(a, b) {
		t.Errorf("%q, %q, %v", a, b, err)
	}
	for _, q := range a {
		if !strings.Contains(text, q) {
			t.Errorf("%q is not from the tree", q)
		}
	}
}

// Prepared lists have the wanted size as a message, and are the same in each process.
func TestPreparedLists(t *testing.T) {
	a, err := encodedLists(preparedLists("r", 30_000))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(a); n < 30_000 || n > 33_000 {
		t.Errorf("%d bytes", n)
	}
	m, err := wire.EncodeLists(preparedLists("r", 30_000))
	if err != nil {
		t.Fatal(err)
	}
	if n := proto.Size(m); n != len(a) {
		t.Errorf("%d bytes and %d", len(a), n)
	}
}

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	for _, text := range []string{"", "a frame"} {
		if err := writeFrame(&b, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := readFrame(&b); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := readFrame(strings.NewReader("\xff\xff\xff\xff")); err == nil {
		t.Error("a frame of 4 GB was read")
	}
}

func TestChoose(t *testing.T) {
	var log bytes.Buffer
	b := &bench{log: &log}
	if _, err := choose(b, []string{"equals"}); err == nil || !strings.Contains(err.Error(), "the parts are equal, faults") {
		t.Error(err)
	}
	if _, err := choose(b, []string{"versions"}); err == nil || !strings.Contains(err.Error(), "-old COMMAND") {
		t.Error(err)
	}
	all, err := choose(b, nil)
	if err != nil || len(all) < 9 || !strings.Contains(log.String(), "routing is left out: give -set FILE") {
		t.Errorf("%d parts, %v, %s", len(all), err, log.String())
	}
}
