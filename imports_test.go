package patina_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the import path of the root.
const module = "patina"

// mayImport lists which of our packages each package may import. Every package has a row, and every
// row a package.
var mayImport = map[string][]string{
	".":                                {},
	"internal/lazyregexp":              {},
	"internal/safeio":                  {},
	"internal/secrets":                 {"internal/lazyregexp"},
	"internal/printable":               {},
	"internal/shell":                   {"internal/printable"},
	"fusion":                           {},
	"fusion/period":                    {},
	"registry/route":                   {"store/text"},
	"belief/standing":                  {},
	"registry/settings":                {"internal/safeio"},
	"store/text":                       {"internal/lazyregexp", "store/markdown"},
	"store/vector":                     {"internal/safeio"},
	"store/sqlite":                     {},
	"store":                            {"internal/lazyregexp", "fusion/period", "internal/safeio", "belief", "internal/glob", "store/outside", "store/sqlite", "store/text", "store/vector"},
	"store/literal":                    {"internal/lazyregexp", "store/markdown", "store/text"},
	"code/manifest":                    {"internal/lazyregexp"},
	"store/markdown":                   {},
	"code/xref":                        {"internal/lazyregexp", "store", "internal/glob", "code/manifest", "store/text"},
	"store/excerpt":                    {"internal/lazyregexp", "store", "store/markdown", "store/text"},
	"code/lookup":                      {"internal/lazyregexp", "store", "belief", "store/excerpt", "internal/glob", "belief/knowledge", "store/markdown", "belief/rationale", "belief/reach", "store/text", "code/xref"},
	"code/assay":                       {"store", "internal/glob", "code/lookup", "scrape/language", "scrape/markup", "scrape/syntax", "store/text", "code/xref"},
	"belief/proposal":                  {"internal/lazyregexp", "internal/printable", "store", "code/lookup", "belief/rationale", "store/text"},
	"internal/glob":                    {},
	"store/outside":                    {},
	"memory/persona":                   {"internal/lazyregexp", "oracles/embed", "internal/safeio", "store", "store/sqlite", "store/text"},
	"belief/knowledge":                 {"internal/lazyregexp", "belief/standing", "store", "belief", "belief/reach", "scrape/decision", "store/text"},
	"store/frontmatter":                {"internal/lazyregexp"},
	"belief":                           {"internal/lazyregexp", "store/frontmatter", "store/markdown", "store/text"},
	"belief/rationale":                 {"internal/lazyregexp", "scrape/prose", "store/text"},
	"code/brief":                       {"internal/lazyregexp", "store", "belief", "internal/glob", "belief/knowledge", "code/lookup", "code/manifest", "store/markdown", "belief/rationale", "scrape/prose", "scrape/rule", "store/text"},
	"belief/reach":                     {"internal/lazyregexp", "store", "store/markdown", "store/text"},
	"belief/audit":                     {"store", "belief", "belief/knowledge", "code/lookup", "belief/reach", "belief/verification"},
	"belief/verification":              {"store", "belief", "store/frontmatter", "belief/knowledge", "store/markdown", "belief/reach", "store/sqlite"},
	"store/storetest":                  {"store", "store/sqlite", "store/text"},
	"oracles/embed":                    {"store"},
	"oracles":                          {"internal/lazyregexp", "memory", "memory/recall", "oracles/embed", "memory/persona", "belief/standing", "store", "belief/knowledge", "store/literal", "code/lookup", "store/outside", "scrape/decision", "store/text", "store/vector", "code/xref"},
	"registry/querylog":                {"internal/lazyregexp", "internal/secrets"},
	"actors/actor":                     {},
	"actors/stall":                     {},
	"actors":                           {"actors/actor", "actors/stall", "fusion", "oracles", "fusion/period", "registry/querylog", "belief/standing", "store", "code/assay", "belief/audit", "belief", "code/brief", "store/excerpt", "belief/knowledge", "code/lookup", "belief/proposal", "belief/reach", "scrape/openat", "store/text", "belief/verification"},
	"scrape/chunk":                     {"internal/lazyregexp", "store"},
	"scrape/language":                  {"internal/lazyregexp", "scrape/chunk"},
	"scrape/class":                     {"internal/lazyregexp", "store", "scrape/chunk", "scrape/language", "store/text"},
	"scrape/openat":                    {"store"},
	"scrape/content":                   {"internal/lazyregexp", "store", "scrape/language", "scrape/openat", "store/text"},
	"scrape/git":                       {},
	"scrape/history":                   {"internal/safeio", "store", "scrape/git"},
	"scrape/follow":                    {"store", "scrape/history", "scrape/parse"},
	"scrape/prose":                     {"internal/lazyregexp", "store/frontmatter", "store/markdown"},
	"scrape/decision":                  {"internal/lazyregexp", "store/frontmatter", "scrape/prose"},
	"scrape/session":                   {"belief", "store/frontmatter", "store/markdown"},
	"scrape/rule":                      {"internal/lazyregexp", "scrape/prose"},
	"scrape/markup":                    {"store/text"},
	"scrape/notebook":                  {"internal/lazyregexp", "store/text"},
	"scrape/syntax":                    {"internal/lazyregexp", "store", "scrape/markup", "store/text"},
	"scrape/split":                     {"internal/lazyregexp", "scrape/chunk", "store/text"},
	"scrape/parse":                     {"internal/lazyregexp", "store", "belief", "store/frontmatter", "store/literal", "store/markdown", "belief/reach", "scrape/chunk", "scrape/class", "scrape/decision", "scrape/language", "scrape/markup", "scrape/notebook", "scrape/rule", "scrape/session", "scrape/split", "scrape/syntax", "store/text"},
	"scrape/walk":                      {"internal/shell", "store", "scrape/class", "scrape/content", "scrape/git", "scrape/history", "scrape/openat"},
	"scrape":                           {"store", "belief", "code/manifest", "scrape/class", "scrape/content", "scrape/decision", "scrape/git", "scrape/history", "scrape/language", "scrape/openat", "scrape/parse", "scrape/walk"},
	"oracles/embed/train":              {"oracles/embed", "store", "scrape"},
	"oracles/embed/train/patina-train": {"oracles/embed", "oracles/embed/train"},
	"oracles/oracletest":               {"oracles", "oracles/embed", "store", "scrape", "store/text"},
	"belief/dismissed":                 {"internal/safeio"},
	"memory/merge":                     {},
	"memory/marker":                    {},
	"memory/transcript":                {"memory/marker", "store/markdown"},
	"memory/ground":                    {"internal/lazyregexp", "store", "scrape/content", "scrape/git", "scrape/openat", "scrape/parse"},
	"memory/recall":                    {"store", "store/text"},
	"memory/turns":                     {"memory/recall", "store", "scrape/content", "scrape/openat", "scrape/session"},
	"memory":                           {"memory/merge", "memory/recall", "internal/printable", "internal/safeio", "internal/secrets", "store", "store/sqlite", "store/vector"},
	"registry":                         {"internal/safeio", "store", "store/sqlite"},
	"scrape/scrapetest":                {"scrape/openat"},
	"cmd/internal/agent":               {"internal/safeio"},
	"registry/mother":                  {"registry", "store/sqlite"},
	"registry/mother/suggest":          {"internal/lazyregexp", "code/manifest"},
	"store/imports":                    {"store"},
	"cmd/internal/author":              {"internal/safeio"},
	"cmd/internal/editor":              {},
	"cmd/internal/drawing":             {},
	"cmd/internal/layout":              {"cmd/internal/drawing", "internal/printable"},
	"cmd/internal/dialect":             {"cmd/internal/layout", "internal/shell"},
	"cmd/internal/deliver":             {"actors", "cmd/internal/dialect", "cmd/internal/layout", "fusion", "internal/lazyregexp", "memory", "store", "belief", "code/brief", "belief/knowledge", "code/lookup", "belief/proposal", "belief/reach"},
	"cmd/internal/mcp":                 {"cmd/internal/dialect", "cmd/internal/layout"},
	"cmd/internal/mcp/mcptest":         {},
	"bench/eval":                       {"actors", "fusion", "internal/lazyregexp", "oracles", "store", "code/lookup", "scrape/git", "store/text"},
	"ask/project":                      {"actors", "ask/hint", "memory/recall", "registry/mother/suggest", "oracles", "oracles/embed", "registry", "registry/route", "registry/settings", "store", "store/imports", "belief/knowledge", "code/lookup", "scrape", "scrape/follow", "scrape/history", "store/text"},
	"ask/hint":                         {},
	"cmd/internal/abcmd":               {"actors", "ask/project", "bench/eval/ab", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout"},
	"ask":                              {"actors", "actors/stall", "ask/fresh", "ask/hint", "ask/project", "ask/visit", "ask/watch", "belief/dismissed", "fusion", "memory", "memory/recall", "registry/mother", "fusion/period", "registry/querylog", "registry/settings", "store", "code/assay", "code/lookup", "belief/reach", "scrape"},
	"cmd/internal/cli":                 {"actors", "ask", "ask/hint", "ask/project", "ask/watch", "cmd/internal/dialect", "cmd/internal/layout", "registry", "registry/settings", "store", "scrape"},
	"cmd/internal/agentcmd":            {"cmd/internal/agent", "cmd/internal/cli", "cmd/internal/layout", "registry"},
	"cmd/internal/doctorcmd":           {"ask/project", "cmd/internal/cli", "cmd/internal/dialect", "cmd/internal/layout", "registry", "internal/secrets", "registry/settings", "store", "code/lookup", "scrape", "store/sqlite"},
	"cmd/internal/memorycmd":           {"ask/project", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "memory", "memory/ground", "memory/marker", "memory/recall", "memory/transcript", "memory/turns", "registry", "internal/safeio", "store/sqlite"},
	"ask/visit":                        {"actors", "ask/project", "registry/mother", "oracles/embed", "registry", "registry/route", "store", "code/brief", "code/lookup", "scrape", "store/text"},
	"cmd/internal/mothercmd":           {"actors", "ask/project", "ask/visit", "cmd/internal/cli", "cmd/internal/drawing", "cmd/internal/layout", "registry/mother", "registry/mother/suggest", "registry", "internal/safeio", "scrape", "store/sqlite"},
	"cmd/internal/personacmd":          {"cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "memory/persona", "registry", "internal/safeio", "internal/secrets", "store/text"},
	"cmd/internal/evalcmd":             {"actors", "ask", "ask/project", "ask/visit", "bench/eval", "bench/eval/conversation", "bench/eval/record", "bench/eval/routes", "bench/eval/self", "bench/eval/spend", "cmd/internal/abcmd", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/memorycmd", "memory", "oracles/embed", "internal/printable", "registry/querylog", "store"},
	"ask/watch":                        {},
	"ask/fresh":                        {"actors", "actors/stall", "ask/project", "ask/watch", "store", "scrape", "scrape/history"},
	"cmd/patina":                       {"actors", "ask", "ask/project", "cmd/internal/agentcmd", "cmd/internal/beliefcmd", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/doctorcmd", "cmd/internal/evalcmd", "cmd/internal/layout", "cmd/internal/memorycmd", "cmd/internal/mothercmd", "cmd/internal/personacmd", "cmd/internal/print", "cmd/internal/serve", "registry/querylog", "registry", "registry/settings", "internal/shell", "store", "code/assay", "scrape"},
	"cmd/internal/deliver/facts":       {"actors", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "code/assay"},
	"cmd/internal/deliver/beliefs":     {"actors", "cmd/internal/deliver", "cmd/internal/deliver/facts", "cmd/internal/drawing", "cmd/internal/layout", "belief/dismissed", "belief/standing", "store", "belief/audit", "belief", "belief/proposal", "belief/verification"},
	"cmd/internal/print":               {"actors", "ask", "ask/hint", "ask/visit", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/deliver/beliefs", "cmd/internal/deliver/facts", "cmd/internal/dialect", "cmd/internal/layout", "fusion", "store", "code/assay"},
	"cmd/internal/beliefcmd":           {"actors", "ask", "cmd/internal/author", "cmd/internal/cli", "cmd/internal/deliver/beliefs", "cmd/internal/dialect", "cmd/internal/editor", "cmd/internal/layout", "cmd/internal/print", "belief/dismissed", "internal/printable", "belief", "code/lookup", "belief/proposal", "store/text"},
	"cmd/internal/serve":               {"actors", "ask", "ask/hint", "ask/pool", "ask/project", "ask/visit", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/mcp", "cmd/internal/memorycmd", "cmd/internal/print", "memory", "registry/mother", "registry/querylog", "registry", "code/assay", "scrape"},
	"bench/eval/self":                  {"actors", "bench/eval", "memory", "memory/transcript", "oracles", "oracles/embed", "internal/safeio", "store", "belief", "code/lookup", "scrape", "scrape/decision", "scrape/git", "scrape/history", "scrape/session"},
	"bench/eval/record":                {"bench/eval", "bench/eval/self", "internal/safeio"},
	"bench/eval/routes":                {"actors", "ask/project", "ask/visit", "bench/eval", "store"},
	"bench/eval/spend":                 {"actors", "store", "code/lookup", "store/text"},
	"bench":                            {"actors", "memory", "memory/recall", "oracles", "oracles/embed", "store", "code/lookup", "scrape", "store/sqlite", "store/text", "store/vector"},
	"bench/eval/fixture":               {},
	"bench/eval/ab":                    {"actors", "bench/eval", "fusion", "store", "code/lookup", "store/text"},
	"bench/eval/conversation":          {"bench/eval", "memory/recall", "store"},
	"bench/eval/patina-eval":           {"actors", "bench/eval", "bench/eval/rankings", "bench/eval/record", "bench/eval/self", "oracles/embed", "store", "scrape"},
	"bench/eval/rankings":              {"actors", "bench/eval", "oracles", "store", "store/literal", "code/lookup", "scrape", "store/text"},
	"bench/callers":                    {"store", "code/lookup", "code/xref"},
	"bench/house":                      {},
	"bench/localise":                   {"bench/eval", "scrape/git"},
	"bench/torture":                    {"actors", "bench/eval", "oracles", "oracles/embed", "store", "scrape", "store/storetest"},
	"ask/pool":                         {"actors", "ask", "ask/fresh", "ask/project", "ask/watch", "registry", "registry/settings", "store", "scrape"},
	"cmd/internal/layout/layouttest":   {"internal/printable"},
}

// testsMayImport lists extra imports for a package's tests, beyond its own and the package itself.
// They fill a store, run the conformance tests, read a damaged store and this project's beliefs.
var testsMayImport = map[string][]string{
	".":                            {"belief", "store/frontmatter"},
	"store":                        {"oracles", "code/assay", "store/excerpt", "belief/knowledge", "code/lookup", "store/storetest"},
	"store/imports":                {"store/storetest"},
	"code/lookup":                  {"scrape", "scrape/scrapetest", "store/storetest"},
	"belief/proposal":              {"scrape", "scrape/scrapetest", "store/storetest"},
	"code/brief":                   {"scrape", "scrape/scrapetest", "store/storetest"},
	"belief/knowledge":             {"scrape", "scrape/scrapetest", "store/storetest"},
	"belief/reach":                 {"store/storetest"},
	"belief/audit":                 {"scrape", "scrape/scrapetest", "store/storetest"},
	"belief/verification":          {"store/storetest"},
	"oracles":                      {"oracles/oracletest", "scrape", "store/storetest"},
	"actors":                       {"oracles/embed", "memory/persona", "scrape"},
	"scrape/content":               {"scrape/scrapetest"},
	"scrape/parse":                 {"scrape/content"},
	"scrape/walk":                  {"scrape/scrapetest"},
	"scrape":                       {"oracles", "code/assay", "code/lookup", "scrape/scrapetest", "store/storetest", "store/text"},
	"cmd/internal/deliver":         {"cmd/internal/layout/layouttest", "oracles/oracletest", "scrape/parse"},
	"bench/eval/ab":                {"belief", "belief/reach", "belief/verification"},
	"bench/eval/routes":            {"registry/mother", "registry", "scrape", "scrape/scrapetest"},
	"bench/eval/self":              {"bench/eval/fixture", "memory/marker", "scrape/scrapetest"},
	"bench/eval":                   {"bench/eval/fixture"},
	"bench/eval/rankings":          {"bench/eval/fixture", "oracles/embed"},
	"cmd/patina":                   {"bench/eval", "bench/eval/fixture", "cmd/internal/mcp/mcptest", "memory", "memory/persona", "internal/safeio", "store/sqlite"},
	"bench/eval/patina-eval":       {"bench/eval/fixture"},
	"bench/torture":                {"bench/eval/fixture"},
	"bench/eval/conversation":      {"oracles/embed"},
	"memory":                       {"oracles/embed"},
	"scrape/split":                 {"scrape/language"},
	"ask/fresh":                    {"registry"},
	"ask/pool":                     {"ask/visit", "code/assay"},
	"cmd/internal/mothercmd":       {"ask/hint"},
	"cmd/internal/deliver/beliefs": {"cmd/internal/dialect", "belief/knowledge", "belief/reach"},
	"cmd/internal/deliver/facts":   {"cmd/internal/layout/layouttest", "store"},
	"cmd/internal/layout":          {"cmd/internal/layout/layouttest"},
	"cmd/internal/dialect":         {"cmd/internal/layout/layouttest", "cmd/internal/mcp/mcptest", "internal/printable"},
}

// mayName lists the names a package may use from another one, if not all. The command knows the
// store's words and errors. Opening, reading and writing an index are left to workspace and actors.
var mayName = map[string]map[string][]string{
	"cmd/patina": {
		"store": {"ErrLocked"},
	},
	"cmd/internal/cli": {
		"store": {"ErrDamaged", "ErrForeign", "ErrLocked", "ErrNewer", "ErrNoIndex", "ErrNotStore", "ErrOlder", "ErrUnsafe"},
	},
	"cmd/internal/doctorcmd": {
		"store":       {"ErrDamaged", "ErrForeign", "ErrNewer", "ErrNoIndex", "ErrOlder", "Examination", "Format", "Kinds"},
		"code/lookup": {"Text"},
	},
	"cmd/internal/evalcmd": {"store": {"Filter", "Kind", "KindOf"}},
}

// onlyIn names the one package that may import a heavy dependency, tests included. With "/..." a
// folder of packages may. YAML has two: one edits settings as bytes, one reads front matter.
var onlyIn = map[string]string{
	"github.com/zricethezav/gitleaks":         "internal/secrets",
	"github.com/mattn/go-sqlite3":             "store/sqlite",
	"github.com/klauspost/compress":           "store",
	"github.com/blevesearch/go-porterstemmer": "store/text",
	"github.com/spf13/cobra":                  "cmd/...",
	"go.yaml.in/yaml":                         "cmd/internal/agent store/frontmatter",
	"github.com/mark3labs/mcp-go":             "cmd/internal/mcp",
	"github.com/fsnotify/fsnotify":            "ask/watch",
	"github.com/tree-sitter":                  "scrape/syntax",
	"github.com/tree-sitter-grammars":         "scrape/syntax",
	"github.com/google/licensecheck":          "oracles/embed/train",
}

// alsoInTests names packages whose tests may import a dependency from elsewhere. They are a client.
var alsoInTests = map[string]string{"github.com/mark3labs/mcp-go": "cmd/patina"}

// mayStart names the packages that may start other programs, tests apart. In the product there are
// three: one starts git so that no program named by a repository runs, two what the user has named:
// an editor, and a judge of answers. The others measure, train, and prepare tests.
var mayStart = []string{"scrape/git", "cmd/internal/editor", "bench", "bench/callers", "bench/localise", "bench/eval/ab", "bench/eval/fixture", "bench/eval/patina-eval", "bench/torture", "oracles/embed/train", "oracles/oracletest", "scrape/scrapetest"}

var startsPrograms = regexp.MustCompile(`"os/exec"|\b(os\.StartProcess|(syscall|unix)\.(Exec|ForkExec|StartProcess))\b`)

func TestGitIsStartedInOnePlace(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range goFiles(t) {
		source, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") || !startsPrograms.Match(source) {
			continue
		}
		if seen[path.Dir(file)] = true; !slices.Contains(mayStart, path.Dir(file)) {
			t.Errorf("%s starts programs, which its package may not", file)
		}
	}
	for _, dir := range mayStart {
		if !seen[dir] {
			t.Errorf("package %q may start programs and does not", dir)
		}
	}
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range goFiles(t) {
		seen[path.Dir(file)] = true
		for _, v := range violations(t, file, nil) {
			t.Error(v)
		}
	}
	for dir := range mayImport {
		if !seen[dir] {
			t.Errorf("package %q has a row in mayImport and no files", dir)
		}
	}
}

// The tables allow nothing unused.
func TestImportTablesAreExact(t *testing.T) {
	code, tests := map[string]bool{}, map[string]bool{}
	for _, file := range goFiles(t) {
		used := code
		if strings.HasSuffix(file, "_test.go") {
			used = tests
		}
		for _, imported := range importsOf(t, file, nil) {
			if ours, ok := strings.CutPrefix(imported, module+"/"); ok {
				used[path.Dir(file)+" → "+ours] = true
			}
		}
	}
	for dir, allowed := range mayImport {
		for _, a := range allowed {
			if !code[dir+" → "+a] {
				t.Errorf("package %q may import %q and does not", dir, a)
			}
		}
	}
	for dir, allowed := range testsMayImport {
		for _, a := range allowed {
			if !tests[dir+" → "+a] || slices.Contains(mayImport[dir], a) {
				t.Errorf("the tests of %q may import %q and do not, or might anyway", dir, a)
			}
		}
	}
}

func TestTheCommandOpensNoStore(t *testing.T) {
	for dir, of := range mayName {
		for imported, allowed := range of {
			named := namesOf(t, dir, module+"/"+imported)
			for _, name := range slices.Sorted(maps.Keys(named)) {
				if !slices.Contains(allowed, name) {
					t.Errorf("%s names %s.%s", named[name], path.Base(imported), name)
				}
			}
			for _, name := range allowed {
				if named[name] == "" {
					t.Errorf("%s may name %s.%s and does not", dir, path.Base(imported), name)
				}
			}
		}
	}
}

// USearch and SimSIMD are C, so imports do not show their use: only store/vector links them.
func TestNativeLibraries(t *testing.T) {
	for _, file := range goFiles(t) {
		source, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		if linksNative.Match(source) != (file == "store/vector/native.go") {
			t.Errorf("%s: store/vector/native.go alone links third_party", file)
		}
	}
}

var linksNative = regexp.MustCompile(`(?m)^#cgo .*third_party`)

// This checks the test itself: cases to catch, and cases to let pass.
func TestViolationsAreCaught(t *testing.T) {
	for _, test := range []struct {
		file, imports string
		want          int
	}{
		{"fusion/x.go", `"math"`, 0},
		{"fusion/x.go", `"patina/store"`, 1},
		{"fusion/x.go", `s "patina/store"; _ "patina/store/text"`, 2},
		{"fusion/x_test.go", `. "patina/fusion"`, 0},
		{"fusion/x.go", `"patina/fusion"`, 1},
		{"store/x.go", `"patina/store/text"; "patina/store/sqlite"`, 0},
		{"store/x.go", `"github.com/mattn/go-sqlite3"`, 1},
		{"store/sqlite/x.go", `"github.com/mattn/go-sqlite3"`, 0},
		{"store/x.go", `"patina/scrape"`, 1},
		{"store/x_test.go", `"patina/actors"`, 1},
		{"store/text/x.go", `"github.com/mattn/go-sqlite3"`, 1},
		{"scrape/x.go", `"github.com/klauspost/compress/zstd"`, 1},
		{"scrape/x.go", `"github.com/klauspost/compressor"`, 0},
		{"oracles/x.go", `"patina/scrape"`, 1},
		{"oracles/x_test.go", `"patina/scrape"; "patina/oracles/oracletest"`, 0},
		{"oracles/x_test.go", `"patina/actors/actor"`, 1},
		{"cmd/patina/x.go", `"patina/registry"; "patina/cmd/internal/deliver"; "github.com/spf13/cobra"`, 0},
		{"cmd/patina/x.go", `"patina/oracles"; "patina/scrape/history"`, 2},
		{"cmd/patina/x.go", `"patina/actors/actor"`, 1},
		{"cmd/internal/deliver/x.go", `"patina/registry"`, 1},
		{"store/x.go", `"patina/store/vector"`, 0},
		{"store/vector/x.go", `"patina/store"`, 1},
		{"cmd/patina/x.go", `"github.com/mark3labs/mcp-go/client"`, 1},
		{"cmd/patina/x_test.go", `"github.com/mark3labs/mcp-go/client"`, 0},
		{"util/x.go", `"fmt"`, 1}, // a package without a row
	} {
		source := "package x\nimport (" + test.imports + ")"
		if got := violations(t, test.file, source); len(got) != test.want {
			t.Errorf("%s with %s: %q, want %d violations", test.file, test.imports, got, test.want)
		}
	}
}

// violations lists the faults in a file's imports. A source other than nil is read in place of the
// file.
func violations(t *testing.T, file string, source any) []string {
	t.Helper()
	dir := path.Dir(file)
	allowed, ok := mayImport[dir]
	if !ok {
		return []string{fmt.Sprintf("%s: package %q has no row in mayImport", file, dir)}
	}
	if strings.HasSuffix(file, "_test.go") {
		allowed = slices.Concat(allowed, testsMayImport[dir], []string{dir})
	}
	var out []string
	for _, imported := range importsOf(t, file, source) {
		if ours, ok := strings.CutPrefix(imported, module+"/"); ok {
			if !slices.Contains(allowed, ours) {
				out = append(out, fmt.Sprintf("%s imports %s, which is not above it", file, ours))
			}
		}
		for heavy, home := range onlyIn {
			tested := strings.HasSuffix(file, "_test.go") && alsoInTests[heavy] == dir
			if (imported == heavy || strings.HasPrefix(imported, heavy+"/")) && !slices.ContainsFunc(strings.Fields(home), func(h string) bool { return below(dir, h) }) && !tested {
				out = append(out, fmt.Sprintf("%s imports %s, which only %s may", file, imported, home))
			}
		}
	}
	return out
}

// below reports whether a package is the home of a dependency or lies in it.
func below(dir, home string) bool {
	folder, whole := strings.CutSuffix(home, "/...")
	return dir == home || whole && strings.HasPrefix(dir, folder+"/")
}

// importsOf lists the paths a file imports. A source other than nil is read in place of the file.
func importsOf(t *testing.T, file string, source any) (paths []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, imported)
	}
	return paths
}

// goFiles lists every Go file in the project, with slashes, whatever its build tags.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && p != "." && (name[0] == '.' || name[0] == '_' || name == "testdata" || name == "third_party"):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go"):
			files = append(files, filepath.ToSlash(p))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// namesOf returns the names a package uses from another one, tests apart, each with a file using
// it.
func namesOf(t *testing.T, dir, imported string) map[string]string {
	t.Helper()
	named := map[string]string{}
	for _, file := range goFiles(t) {
		if path.Dir(file) != dir || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		as := path.Base(imported)
		for _, spec := range parsed.Imports {
			if spec.Path.Value == strconv.Quote(imported) && spec.Name != nil {
				as = spec.Name.Name
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == as {
					named[s.Sel.Name] = file
				}
			}
			return true
		})
	}
	return named
}
