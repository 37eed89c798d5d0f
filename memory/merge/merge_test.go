package merge

import (
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	for _, c := range [][2]string{
		{"Always run migrations before starting.", "always run **the** migrations before starting"},
		{"The pool size is 8 in production.", "In production, the pool size is 8."},
		{"Retry three times.", "Retry 3 times"},
		{"Wait 30s after a restart", "After a restart, wait 30 seconds"},
		{"Set `a_b` to 1,000.", "- Set a_b to 1000"},
		{"You must not use it", "You should not use it."},
		{"Never call it when the lock is held", "When the lock is held, never call it"},
		{"Keep files under 5 percent", "Keep files under 5%"},
	} {
		if !Same(c[0], c[1]) || !Same(c[1], c[0]) || Key(c[0]) != Key(c[1]) {
			t.Errorf("%q and %q are not the same: %q, %q", c[0], c[1], words(c[0]), words(c[1]))
		}
	}
}

func TestContradictionsAreNotSame(t *testing.T) {
	for _, c := range [][2]string{
		{"The pool size is 8", "The pool size is 16"},
		{"Set X", "Never set X"},
		{"Use http inside the cluster", "Use https inside the cluster"},
		{"You do not have to run it", "Do not run it"},
		{"You don't have to run it", "You don't run it"},
		{"Use general types", "Use generic types"},
		{"Overload operators", "Overload operations"},
		{"The writer is blocking", "The writer is blocked"},
		{"Use 10 MB", "Use 10 MiB"},
		{"Use 10 Mb", "Use 10 MB"},
		{"Wait 5 s", "Wait 5 ms"},
		{"No, use it", "No use"},
		{"No, use it", "No use it"},
		{"Pass -v", "Pass v"},
		{"Read .env", "Read env"},
		{"A calls B", "B calls A"},
		{"Tests in writer_test.go", "Tests in reader_test.go"},
		{"Stop A, then start B in C", "In C stop A, then start B"},
		{"Do A. Do B in C", "In C do A. Do B"},
		{"Only restart it in tests", "In tests only restart it"},
		{"It can fail", "It may fail"},
		{"Was it on?", "Was it on"},
		{"Use version 1.0", "Use version 10"},
		{"Use `Foo`", "Use `foo`"},
		{"the", "is"},
		{"", "the"},
		{"All tests pass", "Any tests pass"},
	} {
		if Same(c[0], c[1]) || Same(c[1], c[0]) {
			t.Errorf("%q and %q are the same: %q", c[0], c[1], words(c[0]))
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add("Run A in B", "In B run A")
	f.Add("`open *", "__ don't have to, no,")
	f.Fuzz(func(t *testing.T, a, b string) {
		same := Same(a, b)
		if same != Same(b, a) || !Same(a, a) {
			t.Fatalf("%q, %q: not symmetric or not reflexive", a, b)
		}
		_, proposed := Propose(a, b)
		if _, back := Propose(b, a); proposed != back || same && !proposed || proposed && LooseKey(a) != LooseKey(b) {
			t.Fatalf("%q, %q: proposed %v, back %v, same %v", a, b, proposed, back, same)
		}
		if same && Key(a) != Key(b) {
			t.Fatalf("%q and %q are the same and have two keys", a, b)
		}
		if n := "zzz not " + a; strings.TrimSpace(a) != "" && Same("zzz "+a, n) {
			t.Fatalf("%q and %q are the same", "zzz "+a, n)
		}
	})
}

// TestLongTexts reads texts that are slow to read without bounds: one would take minutes.
func TestLongTexts(t *testing.T) {
	for _, part := range []string{"in ", ")", "n't", "a in b ", "`", "__", "have to ", "not, ", "1,000", "'s", "- ", "* ", "\n- "} {
		for _, size := range []int{maxText - 1, 1 << 20} {
			a := "x " + strings.Repeat(part, size/len(part)-2)
			b := a + "y"
			if !Same(a, a) || Same(a, b) {
				t.Errorf("%q: %v, %v", part, Same(a, a), Same(a, b))
			}
			_, _ = Propose(a, b)
			if Key(a) == Key(b) || LooseKey(a) == LooseKey(b) {
				t.Errorf("%q: two texts have one key", part)
			}
		}
	}
}
