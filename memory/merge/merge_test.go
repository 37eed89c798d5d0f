package merge

import (
	"slices"
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
		{"Never commit generated files.", "Generated files must never be committed."},
		{"The proxy authenticates the client", "The client is authenticated by the proxy."},
		{"We cache `a.go` in CI", "In CI `a.go` gets cached"},
		{"Purge soft-deleted rows after ninety days", "Soft-deleted rows are purged after 90 days"},
		{"Old files go after twenty-four hours at 02:00", "Old files go after 24 h at 2:00"},
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
		{"The worker scraps the page", "The page is scraped by the worker"},
		{"Do not encrypt emails", "Emails are not encrypted"}, // may be a fault
		{"The client authenticates the proxy", "The client is authenticated by the proxy"},
		{"The loader set the cache", "The cache is set by the loader"}, // may be the past
		{"We moved the logs", "The logs are moved"},
		{"Only the owner deletes a file", "A file is only deleted by the owner"},
		{"Build and sign the image", "The image is built and signed"},
		{"Rebuild the index on every deploy", "Every deploy is rebuilt on the index"},
		{"Use ninety workers", "Use nineteen workers"},
		{"Run it at 02:00", "Run it at 20:00"},
	} {
		if Same(c[0], c[1]) || Same(c[1], c[0]) {
			t.Errorf("%q and %q are the same: %q", c[0], c[1], words(c[0]))
		}
	}
}

func TestPropose(t *testing.T) {
	for _, c := range [][3]string{
		{"Never commit generated files.", "Generated files must never be committed.", "says the same"},
		{"The lexer feeds the parser.", "The parser is fed by the lexer.", "says the same"},
		{"Readers never block writers", "Writers are never blocked by readers", "says the same"},
		{"We replaced Redis with Memcached", "Redis was replaced with Memcached", "voice"},
		{"The rate limit is 5 per tenant in prod", "Per tenant the production rate limit is 5", ""},
		{"Files larger than 5 MB are rejected in dev", "In development, files over 5 MB are rejected", "other forms"},
		{"Run the linter before you commit", "Before committing, always run the linter", "other forms"},
		{"New code should use the v2 client", "Use the v2 client in new code", "voice or order"},
		{"Delete the snapshot of the user", "Delete the user's snapshot", "voice or order"},
		{"By default there are 5 workers in the pool", "The pool has five workers by default", "voice or order"},
		{"Every deploy rebuilds the index", "The index is rebuilt on every deploy", "voice or order"},
		{"Uploads go to the bucket directly", "Uploads go directly to the bucket", "other forms"},
		{"Unit tests use SQLite, load tests use Postgres", "Load tests use Postgres, unit tests use SQLite", "another order"},
		{"Unit tests use SQLite, load tests use Postgres", "Load tests use SQLite, unit tests use Postgres", ""},
		{"Build the image, push the image", "Push the image, build the image", ""},
		{"Deploy the API ahead of the UI", "Deploy the UI ahead of the API", ""},
		{"Use npm instead of pnpm", "Use pnpm instead of npm", ""},
		{"Delete files of the owner", "The owner deletes files", ""},
		{"Count requests of each tenant", "Count tenants of each request", ""},
		{"Raise limits of big tenants", "Raise tenants of big limits", ""},
		{"Use larger buffers", "Use more buffers", ""},
		{"Keep logs for at most 5 days", "Keep logs for at least 5 days", ""},
		{"You need not run it before you commit", "Run it before committing", ""},
		{"Rotate the keys weekly", "Rotate the keys daily", ""},
		{"Do not edit vendored code", "Vendored code must not be edited", "says the same"},
		{"Files are read lazily", "We read files lazily", "says the same"},
		{"Strip slashes from URLs before signing", "Before signing, slashes are stripped from URLs", "says the same"},
		{"Pull the schema from staging into local", "From staging pull the schema into local", "order"},
		{"Results go to stdout, errors go to stderr", "Errors go to stderr and results go to stdout", "another order"},
		{"Fetch tags, build, publish", "Fetch tags, build and publish", "parts"},
		{"The lexer feeds the parser", "The lexer is fed by the parser", ""},
		{"We replaced Redis with Memcached", "Memcached was replaced with Redis", ""},
		{"We disabled the cache", "The cache is disabled", ""},
		{"Only the owner deletes a file", "A file is only deleted by the owner", ""},
		{"Stop A, start B", "Start B, stop A", ""},
		{"Errors go to stdout, results go to stderr", "Errors go to stderr, results go to stdout", ""},
		{"Jobs are assigned to runners by A", "A assigns runners to jobs", ""},
		{"When a field is removed, bump the version", "When the version is bumped, remove a field", ""},
		{"Slashes are stripped by A and B is cut", "A and B strip slashes", ""},
	} {
		for _, p := range [][2]string{{c[0], c[1]}, {c[1], c[0]}} {
			reason, ok := Propose(p[0], p[1])
			if ok != (c[2] != "") || !strings.Contains(reason, c[2]) {
				t.Errorf("%q and %q: %v %q, want %q", p[0], p[1], ok, reason, c[2])
			}
		}
	}
}

func FuzzSame(f *testing.F) {
	f.Add("Run A in B", "In B run A")
	f.Add("`open *", "__ don't have to, no,")
	f.Add("there are over 5 keys of the repo in prod", "whenever you commit locally, PRs use e2e-tests on every deploy")
	f.Add("x is larger than 10x of y's z", "before committing, we need to be sure to get scraped by weekly")
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

// TestLongTexts reads texts that are slow to read without bounds. One would take minutes.
func TestLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("texts of a megabyte, one after another")
	}
	for _, part := range []string{
		"in ", ")", "n't", "a in b ", "`", "__", "have to ", "not, ", "1,000", "'s", "- ",
		"* ", "\n- ",
	} {
		for _, size := range []int{maxText - 1, 1 << 20} {
			a := "x " + strings.Repeat(part, size/len(part)-2)
			b := a + "y"
			if !Same(a, a) || Same(a, b) {
				t.Errorf("%q: %v, %v", part, Same(a, a), Same(a, b))
			}
			_, _ = Propose(a, b)
			fields := strings.Fields(a)
			slices.Reverse(fields)
			_, _ = Propose(a, strings.Join(fields, " "))
			if Key(a) == Key(b) || LooseKey(a) == LooseKey(b) {
				t.Errorf("%q: two texts have one key", part)
			}
		}
	}
}
