package secrets

import (
	"crypto/sha256"
	"fmt"
	"math/rand"
	"reflect"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"
)

// The rules must be those with which the findings were compared. A newer release must be compared
// again.
func TestRulesAreThoseOfTheRelease(t *testing.T) {
	const want = "e163e53b9e7e8a8511e77271e2b323ed057759542a6d988258afe3a1fa329caf"
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(config.DefaultConfig))); got != want {
		t.Errorf("the rules of gitleaks have the checksum %s", got)
	}
}

func TestRulesCanBeUsed(t *testing.T) {
	s := loaded()
	probes := 0
	for _, r := range s.rules {
		r.expression()
		r.onlyIn()
		if r.SecretGroup > r.expression().NumSubexp() {
			t.Errorf("%s has no group %d", r.ID, r.SecretGroup)
		}
		for _, k := range r.Keywords {
			if strings.ToLower(k) != k || strings.ContainsFunc(k, func(c rune) bool { return c > 127 }) {
				t.Errorf("%s: keyword %q", r.ID, k)
			}
		}
		for _, a := range r.Allowlists {
			a.paths()
			a.regexes()
			if !slices.Contains([]string{"", "AND", "OR"}, a.Condition) ||
				!slices.Contains([]string{"", "secret", "match", "line"}, a.RegexTarget) {
				t.Errorf("%s: %+v", r.ID, a)
			}
		}
		if r.probe() != nil {
			probes++
		}
	}
	if len(s.rules) != 221 || probes < 190 {
		t.Errorf("%d rules, %d of them with a probe", len(s.rules), probes)
	}
}

// sample writes a text that an expression matches, except for its conditions on the surroundings.
func sample(random *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	times := func(least, most int) {
		if most < 0 || most > least+20 {
			most = least + 20
		}
		for range least + random.Intn(most-least+1) {
			sample(random, re.Sub[0], b)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		pair := 2 * random.Intn(len(re.Rune)/2)
		if re.Rune[pair] > 127 { // rare but needed: without case, ſ is an s
			pair = 2 * random.Intn(len(re.Rune)/2)
		}
		if re.Rune[pair] > 127 && random.Intn(4) > 0 {
			pair = 0
		}
		from, to := re.Rune[pair], min(re.Rune[pair+1], re.Rune[pair]+60)
		b.WriteRune(from + rune(random.Intn(int(to-from)+1)))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(alphabet[random.Intn(len(alphabet))])
	case syntax.OpCapture:
		sample(random, re.Sub[0], b)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			sample(random, sub, b)
		}
	case syntax.OpAlternate:
		sample(random, re.Sub[random.Intn(len(re.Sub))], b)
	case syntax.OpStar:
		times(0, -1)
	case syntax.OpPlus:
		times(1, -1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	}
}

// samples returns texts in which a rule has something to find, in surroundings of several kinds.
func samples(t *testing.T, random *rand.Rand, r *rule, n int) (out []string) {
	t.Helper()
	re, err := syntax.Parse(r.Regex, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	around := []string{
		"", "\n", " ", "\"", "x", "é", "\xff", "key", r.Keywords[0] + " ", "a-b.c_d" + r.Keywords[0], "; ",
	}
	for range n {
		var b strings.Builder
		for range 1 + random.Intn(3) {
			b.WriteString(around[random.Intn(len(around))])
			sample(random, re, &b)
			b.WriteString(around[random.Intn(len(around))])
		}
		out = append(out, b.String())
	}
	return out
}

// Trying an expression at keywords must find the same as trying it everywhere.
func TestProbesFindTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("samples of every rule, one after another")
	}
	s := loaded()
	random := rand.New(rand.NewSource(1))
	matched := 0
	for i := range s.rules {
		r := &s.rules[i]
		for _, text := range samples(t, random, r, 30) {
			got := r.matches(text, s.keywords.findKeywords(text, len(s.rules))[i])
			want := r.expression().FindAllStringIndex(text, mostOfOne)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %q: %v, want %v", r.ID, text, got, want)
			}
			matched += len(want)
		}
	}
	if matched < 30*len(s.rules)/2 {
		t.Errorf("the samples match %d times in all", matched)
	}
}

// Every rule must find something.
func TestEveryRuleFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("samples of every rule, one after another")
	}
	random := rand.New(rand.NewSource(2))
	paths := map[string]string{
		"freemius-secret-key": "a.php", "hashicorp-tf-password": "a.tf", "kubernetes-secret-yaml": "a.yaml",
		"nuget-config-password": "nuget.config",
	}
	for _, r := range loaded().rules {
		found := slices.ContainsFunc(samples(t, random, &r, 300), func(text string) bool {
			return slices.ContainsFunc(Find(paths[r.ID], text), func(f Finding) bool { return f.Rule == r.ID })
		})
		if !found {
			t.Errorf("%s finds nothing", r.ID)
		}
	}
}

// findKeywords must find the same as a search for each keyword.
func TestWordsFindEveryKeyword(t *testing.T) {
	s := loaded()
	random := rand.New(rand.NewSource(3))
	for range 200 {
		var b strings.Builder
		for range 20 {
			r := s.rules[random.Intn(len(s.rules))]
			k := r.Keywords[random.Intn(len(r.Keywords))]
			b.WriteString(k[:1+random.Intn(len(k))])
			if random.Intn(2) == 0 {
				b.WriteString(strings.ToUpper(k))
			}
		}
		text := strings.ToLower(b.String())
		for i, at := range s.keywords.findKeywords(b.String(), len(s.rules)) {
			want := []int{}
			for _, k := range s.rules[i].Keywords {
				for from := 0; ; from++ {
					n := strings.Index(text[from:], k)
					if n < 0 {
						break
					}
					from += n
					want = append(want, from)
				}
			}
			slices.Sort(at)
			slices.Sort(want)
			if !slices.Equal(at, want) {
				t.Fatalf("%s in %q: %v, want %v", s.rules[i].ID, text, at, want)
			}
		}
	}
}

func TestOpenings(t *testing.T) {
	for expression, want := range map[string][]string{
		`abc`:               {"abc"},
		`(?i)Key[0-9]{3}`:   {"key"},
		`(?:a|b)c`:          {"ac", "bc"},
		`passw(?:or)?d`:     {"password", "passwd"},
		`\b(ey[a-zA-Z]{9})`: {"ey"},
		`[Aa]pi|API`:        {"api", "api"},
		`[\w.-]+x`:          {""},
		`x*y`:               {""},
	} {
		re, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := findOpenings(re)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
}
