package train

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// function returns a Go function with ten lines that depend on a number.
func function(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Step%d moves the wheel number %d and says how far it went.\nfunc Step%d() int {\n", n, n, n)
	for k := range 10 {
		fmt.Fprintf(&b, "\tturn(%d, %d)\n", n, k)
	}
	b.WriteString("\treturn 0\n}\n\n")
	return b.String()
}

// No window of an evaluation file may occur in mined examples. Copies are found with other
// indentation, in other surroundings and in part. No other example is lost.
func TestNoEvaluationWindowIsMined(t *testing.T) {
	evaluation := t.TempDir()
	text := "package wheel\n\n" + function(1) + function(2)
	if err := os.WriteFile(filepath.Join(evaluation, "wheel.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	w := NewWindows()
	if err := w.AddFolder(evaluation); err != nil {
		t.Fatal(err)
	}
	part := strings.Join(strings.Split(function(2), "\n")[3:11], "\n") // eight of its lines
	other := strings.Replace(function(5), "\tturn(5, 3)\n", "\tturn(5, 3)\n"+part+"\n", 1)
	training := "package other\n\n" + strings.ReplaceAll(function(1), "\t", "    \n  ") + function(3) + other +
		function(4)
	found, dropped := mine("other.go", []byte(training), w.Shared([]byte(training)))
	if len(found) != 2 || found[0].name != "Step3" || found[1].name != "Step4" || dropped != 2 {
		t.Errorf("mined %+v, dropped %d", found, dropped)
	}
	for _, e := range found {
		if line, ok := overlap(text, e.body); ok {
			t.Errorf("%s shares %q", e.name, line)
		}
	}
	all, _ := mine("other.go", []byte(training), nil)
	if len(all) != 4 {
		t.Errorf("without windows %d are mined", len(all))
	}
}

// overlap is the slow way: it looks up every eight lines of b, as one string, in a.
func overlap(a, b string) (string, bool) {
	plain := func(text string) (lines []string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		return lines
	}
	whole, lines := "\n"+strings.Join(plain(a), "\n")+"\n", plain(b)
	for i := 0; i+windowLines <= len(lines); i++ {
		if strings.Contains(whole, "\n"+strings.Join(lines[i:i+windowLines], "\n")+"\n") {
			return lines[i], true
		}
	}
	return "", false
}

func FuzzWindows(f *testing.F) {
	f.Add(function(1)+function(2), function(2))
	f.Add("a\nb\nc\nd\ne\nf\ng\nh", "x\na\n b\nc\n\nd\ne\nf\ng\nh\r\ny")
	f.Add("a\n\n\n", "")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !isText([]byte(a)) {
			return
		}
		w := NewWindows()
		w.Add([]byte(a))
		_, want := overlap(a, b)
		if got := w.Shared([]byte(b)) != nil; got != want {
			t.Errorf("%q and %q share a window: %v, want %v", a, b, got, want)
		}
	})
}
