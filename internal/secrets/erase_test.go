package secrets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomText returns n random characters of an alphabet.
func randomText(r *rand.Rand, n int, alphabet string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	body         = "+/" + alphanumeric
)

func TestErase(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	token := "ghp_" + randomText(r, 36, alphanumeric)
	var key strings.Builder
	for range 20 {
		key.WriteString(randomText(r, 64, body) + "\n")
	}
	head, foot := "-----BEGIN RSA "+"PRIVATE KEY-----\n", "-----END RSA "+"PRIVATE KEY-----\n"
	middle := strings.Split(key.String(), "\n")[10]
	quoted := strings.ReplaceAll(key.String(), "\n", `\n`)
	for name, c := range map[string]struct{ text, secret string }{
		"plain":              {"use " + token + " now", token[:12]},
		"without a digit":    {"use glpat-" + "NnWlrKbiviSKtvEefvcf now", "NnWlrKbivi"},
		"allowed by itself":  {"use " + token + " # gitleaks:allow", token[:12]},
		"wrapped":            {"token is " + token[:20] + "\n" + token[20:] + "\nend", token[20:30]},
		"wrapped, indented":  {"token is " + token[:9] + "\r\n    " + token[9:30] + "  \n\t" + token[30:] + " end", token[12:24]},
		"wrapped, in shell":  {"export X=" + token[:20] + "\\\n" + token[20:], token[20:30]},
		"key":                {"a\n" + head + key.String() + foot + "b", middle},
		"key without end":    {"a\n" + head + key.String() + "\nthe rest is here", middle},
		"key without begin":  {"cut off\n" + key.String() + foot + "b", middle},
		"key as JSON":        {`{"k":"` + strings.TrimSpace(head) + `\n` + quoted + `"} and more`, middle},
		"key as JSON, twice": {`{"k":"` + strings.TrimSpace(head) + `\\n` + strings.ReplaceAll(quoted, `\`, `\\`), middle},
		"key, quoted":        {"> " + head + "> " + strings.ReplaceAll(key.String(), "\n", "\n> ") + "text", middle},
		"password in URL":    {"git clone https://me:" + token[4:20] + "@host/x", token[4:20]},
	} {
		got := Erase(c.text)
		if strings.Contains(got, c.secret) || !strings.Contains(got, Redacted) {
			t.Errorf("%s: %q", name, got)
		}
		if again := Erase(got); again != got {
			t.Errorf("%s: erased twice: %q, then %q", name, got, again)
		}
	}
	if got := Erase("a\n" + head + key.String() + "\nthe rest is here"); !strings.HasSuffix(got, "the rest is here") {
		t.Errorf("text after a key: %q", got)
	}
	var many strings.Builder
	var all []string
	for range 1500 { // more than one rule finds in one pass
		all = append(all, "ghp_"+randomText(r, 36, alphanumeric))
		fmt.Fprintln(&many, "x", all[len(all)-1])
	}
	got := Erase(many.String())
	for _, s := range all {
		if strings.Contains(got, s) {
			t.Fatal("one of many secrets is left")
		}
	}
	for _, harmless := range []string{
		"", "The pool size is 8 in production", "see commit 3f2a9c17d0b14e5f8a6b7c8d9e0f1a2b3c4d5e6f",
		"func TestSomethingRatherLongWithDigits2(t *testing.T) {\n\treturn\n}",
		"the configuration-of-the-deployment\ncontinues-on-the-next-line-with-7-words",
	} {
		if got := Erase(harmless); got != harmless {
			t.Errorf("harmless %q became %q", harmless, got)
		}
	}
}

func FuzzErase(f *testing.F) {
	f.Add("-----BEGIN " + "PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")
	f.Add("a1b2c3d4e5f6a7b8\nc1d2e3f4a5b6c7d8\\\n  e1")
	f.Fuzz(func(t *testing.T, text string) {
		got := Erase(text)
		if again := Erase(got); again != got {
			t.Fatalf("%q, then %q", got, again)
		}
	})
}
