package printable

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"":              "''",
		"store/a_b.go":  "store/a_b.go",
		"=ls":           "'=ls'",
		"~root":         "'~root'",
		"a b":           "'a b'",
		"it's":          `'it'\''s'`,
		`a\'b`:          `'a'\\\''b'`,
		`\`:             `\\`,
		"$(touch x)`y`": "'$(touch x)`y`'",
		"naïve 字":       "'naïve 字'",
		"a\nb":          "",
		"a\x1b[2Jb":     "",
		"a\xffb":        "",
		"a\u202eb":      "",
		"{a,b}":         "'{a,b}'",
	} {
		if got := ShellQuote(word); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}

// Every shell that is installed must read back the quoted word and run nothing.
func TestShellsReadBack(t *testing.T) {
	words := []string{
		"", "~", "a b", "it's", `\`, `\\`, `'\''`, `$'\'; touch x; echo '`, "!!", "a=b", "#x", "*", "-n", "%s", "x;y",
		"{a,b}", "&", "^a^b", "=ls",
	}
	const alphabet = `ab'"\$()` + "`" + `;|&<>*?[]{}!#~=%^ -é字`
	runes := []rune(alphabet)
	r := rand.New(rand.NewPCG(1, 2))
	for range 1251 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteRune(runes[r.IntN(len(runes))])
		}
		words = append(words, b.String())
	}
	var script strings.Builder
	for _, w := range words {
		script.WriteString("printf '%s\\n' x" + ShellQuote(w) + "\nprintf '%s\\n' " + ShellQuote("x"+w) + "\n")
	}
	var want strings.Builder
	for _, w := range words {
		want.WriteString(strings.Repeat("x"+w+"\n", 2))
	}
	tried := 0
	for _, sh := range []string{"sh", "dash", "bash", "zsh", "ksh", "fish", "busybox"} {
		path, err := exec.LookPath(sh)
		if err != nil {
			continue
		}
		args := []string{"-c", script.String()}
		if sh == "busybox" {
			args = append([]string{"sh"}, args...)
		}
		c := exec.Command(path, args...)
		c.Dir = t.TempDir()
		out, err := c.CombinedOutput()
		if err != nil || string(out) != want.String() {
			t.Errorf("%s does not read back what was quoted (%v)", sh, err)
		}
		tried++
	}
	if tried == 0 {
		t.Fatal("no shell was tried")
	}
}
