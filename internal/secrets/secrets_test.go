package secrets

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// letters returns n random characters. The tests hold no whole tokens, because a scanner would take
// them for a leak.
func letters(n int, of string) string {
	random := rand.New(rand.NewSource(7))
	b := make([]byte, n)
	for i := range b {
		b[i] = of[random.Intn(len(of))]
	}
	return string(b)
}

const (
	hex      = "0123456789abcdef"
	alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	upper    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

func TestFind(t *testing.T) {
	github := "gh" + "p_" + letters(36, alphabet)
	aws := "AK" + "IA" + letters(16, upper)
	stripe := "sk_" + "live_" + letters(24, alphabet)
	password := letters(24, alphabet)
	private := "-----BEGIN " + "PRIVATE" + " KEY-----\n" + letters(64, alphabet) + "\n" + letters(64, alphabet) +
		"\n-----END " + "PRIVATE" + " KEY-----\n"
	for _, c := range []struct{ path, text, want string }{
		{"", "", ""},
		{"", "the key of the answer is 42", ""},
		{"", "one\ntwo " + github + "\n", "2 github-pat ghp_ 40"},
		{"a.md", "token: `" + github + "`", "1 github-pat ghp_ 40"},
		{"", aws, "1 aws-access-token AKIA 20"},
		{"a.py", "\n\nstripe.api_key = '" + stripe + "'\n", "3 stripe-access-token sk_l 32"},
		{"", "db_password = \"" + password + "\"\n", "1 generic-api-key " + password[:4] + " 24"},
		{"", "x\n" + private, "2 private-key ---- 183"},
		{"", github + "\n" + aws, "1 github-pat ghp_ 40; 2 aws-access-token AKIA 20"},
		{"", "github_token = \"" + github + "\"", "1 github-pat ghp_ 40"}, // not generic-api-key as well

		{"", "ghp_" + strings.Repeat("a", 36), ""},                                      // too regular
		{"", "AK" + "IAIOSFODNN7EXAMPLE", ""},                                           // of a manual
		{"", "password = \"${DATABASE_PASSWORD}\"", ""},                                 // a variable
		{"", github + " # gitleaks:allow", ""},                                          // allowed
		{"", "sourcegraph/zoekt " + letters(40, hex), ""},                               // a commit
		{"go.sum", github, ""},                                                          // the path
		{"src/vendor/modules.txt", github, ""},                                          //
		{"a.tf", "admin_password = \"p4ssw0rd-1x\"", "1 hashicorp-tf-password \"p4 13"}, // *.tf only
		{"a.txt", "admin_password = \"p4ssw0rd-1x\"", ""},
	} {
		var got []string
		for _, f := range Find(c.path, c.text) {
			got = append(got, fmt.Sprintf("%d %s %s %d", f.Line, f.Rule, f.Hint, f.Length))
		}
		if g := strings.Join(got, "; "); g != c.want {
			t.Errorf("%s %.50q: %s, want %s", c.path, c.text, g, c.want)
		}
	}
}

// A finding must not hold anything by which the secret could be used.
func TestFindingsHoldNoSecret(t *testing.T) {
	token := "gh" + "p_" + letters(36, alphabet)
	found := Find("", token)
	if said := fmt.Sprintf("%+v", found); len(found) != 1 || strings.Contains(said, token[4:10]) {
		t.Error(said)
	}
	for n, want := range map[int]int{0: 0, 3: 0, 8: 2, 16: 4, 400: 4} {
		f := (candidate{rule: &rule{}, secret: strings.Repeat("é", n)}).finding()
		if len([]rune(f.Hint)) != want || f.Length != n {
			t.Errorf("of %d characters %+v", n, f)
		}
	}
}

func TestFindIsSafeForMany(t *testing.T) {
	token := "gh" + "p_" + letters(36, alphabet)
	want := Find("", token)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if got := Find("", token); !reflect.DeepEqual(got, want) {
					t.Errorf("%+v", got)
				}
			}
		})
	}
	all.Wait()
}

// Hostile texts must be read a few times, and not once for each of their words.
func TestHostileTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts, one after another")
	}
	many := 5000
	for _, text := range []string{
		strings.Repeat("key=", many),
		strings.Repeat("key ", many),
		strings.Repeat("ey", many),
		strings.Repeat("secret: '", many),
		strings.Repeat("-----BEGIN "+"PRIVATE"+" KEY-----\n", many/5),
		strings.Repeat("curl ", many),
		strings.Repeat("kind: secret\n", many/10),
		"key=" + strings.Repeat("a", 10*many),
		strings.Repeat("api_key='"+letters(20, hex)+"' ", many/100),
	} {
		if n := len(Find("a.yaml", text)); n > 2*mostOfOne {
			t.Errorf("%.20q: %d findings", text, n)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("a.tf", "password = \""+letters(20, alphabet)+"\"\n")
	f.Add("", "\xff-----BEGIN RSA ")
	f.Fuzz(func(t *testing.T, path, text string) {
		lines := 1 + strings.Count(text, "\n")
		for _, found := range Find(path, text) {
			if found.Line < 1 || found.Line > lines || found.Rule == "" {
				t.Errorf("%+v in %d lines", found, lines)
			}
		}
		s := loaded()
		for i, at := range s.keywords.findKeywords(text, len(s.rules)) {
			r := &s.rules[i]
			if len(at) == 0 || len(text) > 10_000 {
				continue
			}
			got, want := r.matches(text, slices.Clone(at)), r.expression().FindAllStringIndex(text, mostOfOne)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, want %v", r.ID, got, want)
			}
		}
	})
}
