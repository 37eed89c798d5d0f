package git

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"patina/store/doc"
)

func readAll(data []byte) ([]doc.Revision, error) {
	records := records{r: bufio.NewReaderSize(bytes.NewReader(data), pipeBuffer)}
	var revs []doc.Revision
	for {
		rev, err := records.nextCommit()
		if err == io.EOF {
			return revs, nil
		}
		if err != nil {
			return revs, err
		}
		revs = append(revs, rev)
	}
}

const (
	id1 = "0123456789012345678901234567890123456789"
	id2 = "abcdefabcdefabcdefabcdefabcdefabcdefabcd"
)

// record returns a commit as git writes it, with changes such as "M\x00file".
func record(id, parents, subject, body string, files ...string) string {
	s := strings.Join([]string{"", id, parents, "A", "a@b", "7", subject, body, ""}, "\x00")
	for i, f := range files {
		if i == 0 {
			s += "\n"
		}
		s += f + "\x00"
	}
	return s
}

func TestRecords(t *testing.T) {
	first := record(id1, "", "s", "b", "M\x00x", "A\x00\ny")
	tests := []struct {
		name, data string
		commits    int
		err        error
	}{
		{"nothing", "", 0, nil},
		{"one", first, 1, nil},
		{"renamed", record(id1, "", "s", "b", "R087\x00x\x00y"), 1, nil},
		{"cut in a rename", record(id1, "", "s", "b", "R100\x00x"), 0, errCut},
		{"no status", record(id1, "", "s", "b", "x\x00y"), 0, errSyntax},
		{"no file", record(id1, "", "s", "b", "M\x00"), 0, errSyntax},
		{"two", first + record(id2, id1+" "+id1, "", ""), 2, nil},
		{"cut in a field", first[:20], 0, errCut},
		{"cut between fields", first[:42], 0, errCut},
		{"cut in a file", first[:len(first)-1], 0, errCut},
		{"no empty field", "x" + first, 0, errSyntax},
		{"no id", record("HEAD", "", "s", "b"), 0, errSyntax},
		{"a field too many", first + "\x00" + first, 1, errSyntax},
	}
	for _, test := range tests {
		revs, err := readAll([]byte(test.data))
		if len(revs) != test.commits || !errors.Is(err, test.err) {
			t.Errorf("%s: %d commits, %v, want %d, %v", test.name, len(revs), err, test.commits, test.err)
		}
	}
}

// FuzzRecords compares with the obvious way: cut the output at NULs, take eight fields, then
// changes up to an empty field.
func FuzzRecords(f *testing.F) {
	f.Add([]byte(record(id1, "", "s", "b", "M\x00x", "R100\x00\ny\x00z") + record(id2, id1+" "+id1, "", "")))
	f.Add([]byte(record(id1, "", "\xff", "\n\n", "D\x00")))
	f.Fuzz(func(t *testing.T, data []byte) {
		revs, err := readAll(data)
		slow, ok := slowRecords(data)
		if ok != (err == nil) {
			t.Fatalf("error %v, the obvious way: %v", err, ok)
		}
		if ok && !reflect.DeepEqual(revs, slow) {
			t.Errorf("\n got %#v\nwant %#v", revs, slow)
		}
	})
}

func slowRecords(data []byte) ([]doc.Revision, bool) {
	tokens := strings.Split(string(data), "\x00")
	if tokens[len(tokens)-1] != "" {
		return nil, false
	}
	tokens = tokens[:len(tokens)-1]
	var revs []doc.Revision
	for len(tokens) > 0 {
		if len(tokens) < 8 || tokens[0] != "" || !isID(tokens[1]) {
			return nil, false
		}
		for _, token := range tokens {
			if len(token) > maxField {
				return nil, false // not compared
			}
		}
		one := records{r: bufio.NewReaderSize(strings.NewReader(strings.Join(tokens[1:8], "\x00")+"\x00"), pipeBuffer)}
		rev, err := one.header()
		if err != nil {
			return nil, false
		}
		n := 8
		for ; n < len(tokens) && tokens[n] != ""; n++ {
			status := tokens[n]
			if n == 8 {
				rev.Files, status = []string{}, strings.TrimPrefix(status, "\n")
			}
			if status == "" || status[0] < 'A' || status[0] > 'Z' {
				return nil, false
			}
			files := 1
			if status[0] == 'R' {
				files = 2
			}
			for range files {
				if n++; n == len(tokens) || tokens[n] == "" {
					return nil, false
				}
				rev.Files = append(rev.Files, tokens[n])
			}
			if files == 2 {
				rev.Moves = append(rev.Moves, doc.Move{From: tokens[n-1], To: tokens[n]})
			}
		}
		revs, tokens = append(revs, rev), tokens[n:]
	}
	return revs, true
}

func BenchmarkRecords(b *testing.B) {
	body := strings.Repeat("A line of a message, as long as people write them.\n", 8)
	data := []byte(strings.Repeat(record(id1, id2, "subject of a commit", body, "M\x00store/a.go", "M\x00store/b.go",
		"A\x00cmd/main.go"), 1000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if revs, err := readAll(data); len(revs) != 1000 || err != nil {
			b.Fatal(len(revs), err)
		}
	}
	b.ReportMetric(float64(b.N*1000)/b.Elapsed().Seconds(), "commits/s")
}
