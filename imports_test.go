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
	"safeio":                           {},
	"secrets":                          {"internal/lazyregexp"},
	"printable":                        {},
	"shell":                            {"printable"},
	"fusion":                           {},
	"period":                           {},
	"route":                            {"store/text"},
	"standing":                         {},
	"settings":                         {"safeio"},
	"store/text":                       {"internal/lazyregexp", "store/markdown"},
	"store/vector":                     {"safeio"},
	"store/sqlite":                     {},
	"store":                            {"internal/lazyregexp", "period", "safeio", "store/belief", "store/glob", "store/outside", "store/sqlite", "store/text", "store/vector"},
	"store/literal":                    {"internal/lazyregexp", "store/markdown", "store/text"},
	"store/manifest":                   {"internal/lazyregexp"},
	"store/markdown":                   {},
	"store/xref":                       {"internal/lazyregexp", "store", "store/glob", "store/manifest", "store/text"},
	"store/excerpt":                    {"internal/lazyregexp", "store", "store/markdown", "store/text"},
	"store/lookup":                     {"internal/lazyregexp", "store", "store/belief", "store/excerpt", "store/glob", "store/knowledge", "store/markdown", "store/rationale", "store/reach", "store/text", "store/xref"},
	"store/assay":                      {"store", "store/glob", "store/lookup", "store/scrape/language", "store/scrape/markup", "store/scrape/syntax", "store/text", "store/xref"},
	"store/proposal":                   {"internal/lazyregexp", "printable", "store", "store/lookup", "store/rationale", "store/text"},
	"store/glob":                       {},
	"store/outside":                    {},
	"persona":                          {"internal/lazyregexp", "oracles/embed", "safeio", "store", "store/sqlite", "store/text"},
	"store/knowledge":                  {"internal/lazyregexp", "standing", "store", "store/belief", "store/reach", "store/scrape/decision", "store/text"},
	"store/frontmatter":                {"internal/lazyregexp"},
	"store/belief":                     {"internal/lazyregexp", "store/frontmatter", "store/markdown", "store/text"},
	"store/rationale":                  {"internal/lazyregexp", "store/scrape/prose", "store/text"},
	"store/brief":                      {"internal/lazyregexp", "store", "store/belief", "store/glob", "store/knowledge", "store/lookup", "store/manifest", "store/markdown", "store/rationale", "store/scrape/prose", "store/scrape/rule", "store/text"},
	"store/reach":                      {"internal/lazyregexp", "store", "store/markdown", "store/text"},
	"store/audit":                      {"store", "store/belief", "store/knowledge", "store/lookup", "store/reach", "store/verification"},
	"store/verification":               {"store", "store/belief", "store/frontmatter", "store/knowledge", "store/markdown", "store/reach", "store/sqlite"},
	"store/storetest":                  {"store", "store/sqlite", "store/text"},
	"oracles/embed":                    {"store"},
	"oracles":                          {"internal/lazyregexp", "memory", "memory/recall", "oracles/embed", "persona", "standing", "store", "store/knowledge", "store/literal", "store/lookup", "store/outside", "store/scrape/decision", "store/text", "store/vector", "store/xref"},
	"querylog":                         {"internal/lazyregexp", "secrets"},
	"actors/actor":                     {},
	"actors/stall":                     {},
	"actors":                           {"actors/actor", "actors/stall", "fusion", "oracles", "period", "querylog", "standing", "store", "store/assay", "store/audit", "store/belief", "store/brief", "store/excerpt", "store/knowledge", "store/lookup", "store/proposal", "store/reach", "store/scrape/openat", "store/text", "store/verification"},
	"store/scrape/chunk":               {"internal/lazyregexp", "store"},
	"store/scrape/language":            {"internal/lazyregexp", "store/scrape/chunk"},
	"store/scrape/class":               {"internal/lazyregexp", "store", "store/scrape/chunk", "store/scrape/language", "store/text"},
	"store/scrape/openat":              {"store"},
	"store/scrape/content":             {"internal/lazyregexp", "store", "store/scrape/language", "store/scrape/openat", "store/text"},
	"store/scrape/git":                 {},
	"store/scrape/history":             {"safeio", "store", "store/scrape/git"},
	"store/scrape/follow":              {"store", "store/scrape/history", "store/scrape/parse"},
	"store/scrape/prose":               {"internal/lazyregexp", "store/frontmatter", "store/markdown"},
	"store/scrape/decision":            {"internal/lazyregexp", "store/frontmatter", "store/scrape/prose"},
	"store/scrape/session":             {"store/belief", "store/frontmatter", "store/markdown"},
	"store/scrape/rule":                {"internal/lazyregexp", "store/scrape/prose"},
	"store/scrape/markup":              {"store/text"},
	"store/scrape/notebook":            {"internal/lazyregexp", "store/text"},
	"store/scrape/syntax":              {"internal/lazyregexp", "store", "store/scrape/markup", "store/text"},
	"store/scrape/split":               {"internal/lazyregexp", "store/scrape/chunk", "store/text"},
	"store/scrape/parse":               {"internal/lazyregexp", "store", "store/belief", "store/frontmatter", "store/literal", "store/markdown", "store/reach", "store/scrape/chunk", "store/scrape/class", "store/scrape/decision", "store/scrape/language", "store/scrape/markup", "store/scrape/notebook", "store/scrape/rule", "store/scrape/session", "store/scrape/split", "store/scrape/syntax", "store/text"},
	"store/scrape/walk":                {"shell", "store", "store/scrape/class", "store/scrape/content", "store/scrape/git", "store/scrape/history", "store/scrape/openat"},
	"store/scrape":                     {"store", "store/belief", "store/manifest", "store/scrape/class", "store/scrape/content", "store/scrape/decision", "store/scrape/git", "store/scrape/history", "store/scrape/language", "store/scrape/openat", "store/scrape/parse", "store/scrape/walk"},
	"oracles/embed/train":              {"oracles/embed", "store", "store/scrape"},
	"oracles/embed/train/patina-train": {"oracles/embed", "oracles/embed/train"},
	"oracles/oracletest":               {"oracles", "oracles/embed", "store", "store/scrape", "store/text"},
	"dismissed":                        {"safeio"},
	"memory/merge":                     {},
	"memory/marker":                    {},
	"memory/transcript":                {"memory/marker", "store/markdown"},
	"memory/ground":                    {"internal/lazyregexp", "store", "store/scrape/content", "store/scrape/git", "store/scrape/openat", "store/scrape/parse"},
	"memory/recall":                    {"store", "store/text"},
	"memory/turns":                     {"memory/recall", "store", "store/scrape/content", "store/scrape/openat", "store/scrape/session"},
	"memory":                           {"memory/merge", "memory/recall", "printable", "safeio", "secrets", "store", "store/sqlite", "store/vector"},
	"registry":                         {"safeio", "store", "store/sqlite"},
	"store/scrape/scrapetest":          {"store/scrape/openat"},
	"agent":                            {"safeio"},
	"mother":                           {"registry", "store/sqlite"},
	"mother/suggest":                   {"internal/lazyregexp", "store/manifest"},
	"store/imports":                    {"store"},
	"cmd/internal/author":              {"safeio"},
	"cmd/internal/editor":              {},
	"cmd/internal/drawing":             {},
	"cmd/internal/layout":              {"cmd/internal/drawing", "printable"},
	"cmd/internal/dialect":             {"cmd/internal/layout", "shell"},
	"cmd/internal/deliver":             {"actors", "cmd/internal/dialect", "cmd/internal/layout", "fusion", "internal/lazyregexp", "memory", "store", "store/belief", "store/brief", "store/knowledge", "store/lookup", "store/proposal", "store/reach"},
	"cmd/internal/mcp":                 {"cmd/internal/dialect", "cmd/internal/layout"},
	"cmd/internal/mcp/mcptest":         {},
	"bench/eval":                       {"actors", "fusion", "internal/lazyregexp", "oracles", "store", "store/lookup", "store/scrape/git", "store/text"},
	"ask/project":                      {"actors", "ask/hint", "memory/recall", "mother/suggest", "oracles", "oracles/embed", "registry", "route", "settings", "store", "store/imports", "store/knowledge", "store/lookup", "store/scrape", "store/scrape/follow", "store/scrape/history", "store/text"},
	"ask/hint":                         {},
	"cmd/internal/abcmd":               {"actors", "ask/project", "bench/eval/ab", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout"},
	"ask":                              {"actors", "actors/stall", "ask/fresh", "ask/hint", "ask/project", "ask/visit", "ask/watch", "dismissed", "fusion", "memory", "memory/recall", "mother", "period", "querylog", "settings", "store", "store/assay", "store/lookup", "store/reach", "store/scrape"},
	"cmd/internal/cli":                 {"actors", "ask", "ask/hint", "ask/project", "ask/watch", "cmd/internal/dialect", "cmd/internal/layout", "registry", "settings", "store", "store/scrape"},
	"cmd/internal/agentcmd":            {"agent", "cmd/internal/cli", "cmd/internal/layout", "registry"},
	"cmd/internal/doctorcmd":           {"ask/project", "cmd/internal/cli", "cmd/internal/dialect", "cmd/internal/layout", "registry", "secrets", "settings", "store", "store/lookup", "store/scrape", "store/sqlite"},
	"cmd/internal/memorycmd":           {"ask/project", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "memory", "memory/ground", "memory/marker", "memory/recall", "memory/transcript", "memory/turns", "registry", "safeio", "store/sqlite"},
	"ask/visit":                        {"actors", "ask/project", "mother", "oracles/embed", "registry", "route", "store", "store/brief", "store/lookup", "store/scrape", "store/text"},
	"cmd/internal/mothercmd":           {"actors", "ask/project", "ask/visit", "cmd/internal/cli", "cmd/internal/drawing", "cmd/internal/layout", "mother", "mother/suggest", "registry", "safeio", "store/scrape", "store/sqlite"},
	"cmd/internal/personacmd":          {"cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "persona", "registry", "safeio", "secrets", "store/text"},
	"cmd/internal/evalcmd":             {"actors", "ask", "ask/project", "ask/visit", "bench/eval", "bench/eval/conversation", "bench/eval/record", "bench/eval/routes", "bench/eval/self", "bench/eval/spend", "cmd/internal/abcmd", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/memorycmd", "memory", "oracles/embed", "printable", "querylog", "store"},
	"ask/watch":                        {},
	"ask/fresh":                        {"actors", "actors/stall", "ask/project", "ask/watch", "store", "store/scrape", "store/scrape/history"},
	"cmd/patina":                       {"actors", "ask", "ask/project", "cmd/internal/agentcmd", "cmd/internal/beliefcmd", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/doctorcmd", "cmd/internal/evalcmd", "cmd/internal/layout", "cmd/internal/memorycmd", "cmd/internal/mothercmd", "cmd/internal/personacmd", "cmd/internal/print", "cmd/internal/serve", "querylog", "registry", "settings", "shell", "store", "store/assay", "store/scrape"},
	"cmd/internal/deliver/facts":       {"actors", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "store/assay"},
	"cmd/internal/deliver/beliefs":     {"actors", "cmd/internal/deliver", "cmd/internal/deliver/facts", "cmd/internal/drawing", "cmd/internal/layout", "dismissed", "standing", "store", "store/audit", "store/belief", "store/proposal", "store/verification"},
	"cmd/internal/print":               {"actors", "ask", "ask/hint", "ask/visit", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/deliver/beliefs", "cmd/internal/deliver/facts", "cmd/internal/dialect", "cmd/internal/layout", "fusion", "store", "store/assay"},
	"cmd/internal/beliefcmd":           {"actors", "ask", "cmd/internal/author", "cmd/internal/cli", "cmd/internal/deliver/beliefs", "cmd/internal/dialect", "cmd/internal/editor", "cmd/internal/layout", "cmd/internal/print", "dismissed", "printable", "store/belief", "store/lookup", "store/proposal", "store/text"},
	"cmd/internal/serve":               {"actors", "ask", "ask/hint", "ask/pool", "ask/project", "ask/visit", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/mcp", "cmd/internal/memorycmd", "cmd/internal/print", "memory", "mother", "querylog", "registry", "store/assay", "store/scrape"},
	"bench/eval/self":                  {"actors", "bench/eval", "memory", "memory/transcript", "oracles", "oracles/embed", "safeio", "store", "store/belief", "store/lookup", "store/scrape", "store/scrape/decision", "store/scrape/git", "store/scrape/history", "store/scrape/session"},
	"bench/eval/record":                {"bench/eval", "bench/eval/self", "safeio"},
	"bench/eval/routes":                {"actors", "ask/project", "ask/visit", "bench/eval", "store"},
	"bench/eval/spend":                 {"actors", "store", "store/lookup", "store/text"},
	"bench":                            {"actors", "memory", "memory/recall", "oracles", "oracles/embed", "store", "store/lookup", "store/scrape", "store/sqlite", "store/text", "store/vector"},
	"bench/eval/fixture":               {},
	"bench/eval/ab":                    {"actors", "bench/eval", "fusion", "store", "store/lookup", "store/text"},
	"bench/eval/conversation":          {"bench/eval", "memory/recall", "store"},
	"bench/eval/patina-eval":           {"actors", "bench/eval", "bench/eval/rankings", "bench/eval/record", "bench/eval/self", "oracles/embed", "store", "store/scrape"},
	"bench/eval/rankings":              {"actors", "bench/eval", "oracles", "store", "store/literal", "store/lookup", "store/scrape", "store/text"},
	"bench/callers":                    {"store", "store/lookup", "store/xref"},
	"bench/house":                      {},
	"bench/localise":                   {"bench/eval", "store/scrape/git"},
	"bench/torture":                    {"actors", "bench/eval", "oracles", "oracles/embed", "store", "store/scrape", "store/storetest"},
	"ask/pool":                         {"actors", "ask", "ask/fresh", "ask/project", "ask/watch", "registry", "settings", "store", "store/scrape"},
	"cmd/internal/layout/layouttest":   {"printable"},
}

// testsMayImport lists extra imports for a package's tests, beyond its own and the package itself.
// They fill a store, run the conformance tests, read a damaged store and this project's beliefs.
var testsMayImport = map[string][]string{
	".":                            {"store/belief", "store/frontmatter"},
	"store":                        {"oracles", "store/assay", "store/excerpt", "store/knowledge", "store/lookup", "store/storetest"},
	"store/imports":                {"store/storetest"},
	"store/lookup":                 {"store/scrape", "store/scrape/scrapetest", "store/storetest"},
	"store/proposal":               {"store/scrape", "store/scrape/scrapetest", "store/storetest"},
	"store/brief":                  {"store/scrape", "store/scrape/scrapetest", "store/storetest"},
	"store/knowledge":              {"store/scrape", "store/scrape/scrapetest", "store/storetest"},
	"store/reach":                  {"store/storetest"},
	"store/audit":                  {"store/scrape", "store/scrape/scrapetest", "store/storetest"},
	"store/verification":           {"store/storetest"},
	"oracles":                      {"oracles/oracletest", "store/scrape", "store/storetest"},
	"actors":                       {"oracles/embed", "persona", "store/scrape"},
	"store/scrape/content":         {"store/scrape/scrapetest"},
	"store/scrape/parse":           {"store/scrape/content"},
	"store/scrape/walk":            {"store/scrape/scrapetest"},
	"store/scrape":                 {"oracles", "store/assay", "store/lookup", "store/scrape/scrapetest", "store/storetest", "store/text"},
	"cmd/internal/deliver":         {"cmd/internal/layout/layouttest", "oracles/oracletest", "store/scrape/parse"},
	"bench/eval/ab":                {"store/belief", "store/reach", "store/verification"},
	"bench/eval/routes":            {"mother", "registry", "store/scrape", "store/scrape/scrapetest"},
	"bench/eval/self":              {"bench/eval/fixture", "memory/marker", "store/scrape/scrapetest"},
	"bench/eval/rankings":          {"oracles/embed"},
	"cmd/patina":                   {"bench/eval", "bench/eval/fixture", "cmd/internal/mcp/mcptest", "memory", "persona", "safeio", "store/sqlite"},
	"bench/eval/patina-eval":       {"bench/eval/fixture"},
	"bench/torture":                {"bench/eval/fixture"},
	"bench/eval/conversation":      {"oracles/embed"},
	"memory":                       {"oracles/embed"},
	"store/scrape/split":           {"store/scrape/language"},
	"ask/fresh":                    {"registry"},
	"ask/pool":                     {"ask/visit", "store/assay"},
	"cmd/internal/mothercmd":       {"ask/hint"},
	"cmd/internal/deliver/beliefs": {"cmd/internal/dialect", "store/knowledge", "store/reach"},
	"cmd/internal/deliver/facts":   {"cmd/internal/layout/layouttest", "store"},
	"cmd/internal/layout":          {"cmd/internal/layout/layouttest"},
	"cmd/internal/dialect":         {"cmd/internal/layout/layouttest", "cmd/internal/mcp/mcptest", "printable"},
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
		"store":        {"ErrDamaged", "ErrForeign", "ErrNewer", "ErrNoIndex", "ErrOlder", "Examination", "Format", "Kinds"},
		"store/lookup": {"Text"},
	},
	"cmd/internal/evalcmd": {"store": {"Filter", "Kind", "KindOf"}},
}

// onlyIn names the one package that may import a heavy dependency, tests included. With "/..." a
// folder of packages may. YAML has two: one edits settings as bytes, one reads front matter.
var onlyIn = map[string]string{
	"github.com/zricethezav/gitleaks":         "secrets",
	"github.com/mattn/go-sqlite3":             "store/sqlite",
	"github.com/klauspost/compress":           "store",
	"github.com/blevesearch/go-porterstemmer": "store/text",
	"github.com/spf13/cobra":                  "cmd/...",
	"go.yaml.in/yaml":                         "agent store/frontmatter",
	"github.com/mark3labs/mcp-go":             "cmd/internal/mcp",
	"github.com/fsnotify/fsnotify":            "ask/watch",
	"github.com/tree-sitter":                  "store/scrape/syntax",
	"github.com/tree-sitter-grammars":         "store/scrape/syntax",
	"github.com/google/licensecheck":          "oracles/embed/train",
}

// alsoInTests names packages whose tests may import a dependency from elsewhere. They are a client.
var alsoInTests = map[string]string{"github.com/mark3labs/mcp-go": "cmd/patina"}

// mayStart names the packages that may start other programs, tests apart. In the product there are
// three: one starts git so that no program named by a repository runs, two what the user has named:
// an editor, and a judge of answers. The others measure, train, and prepare tests.
var mayStart = []string{"store/scrape/git", "cmd/internal/editor", "bench", "bench/callers", "bench/localise", "bench/eval/ab", "bench/eval/fixture", "bench/eval/patina-eval", "bench/torture", "oracles/embed/train", "oracles/oracletest", "store/scrape/scrapetest"}

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
		{"store/x.go", `"patina/store/scrape"`, 1},
		{"store/x_test.go", `"patina/actors"`, 1},
		{"store/text/x.go", `"github.com/mattn/go-sqlite3"`, 1},
		{"store/scrape/x.go", `"github.com/klauspost/compress/zstd"`, 1},
		{"store/scrape/x.go", `"github.com/klauspost/compressor"`, 0},
		{"oracles/x.go", `"patina/store/scrape"`, 1},
		{"oracles/x_test.go", `"patina/store/scrape"; "patina/oracles/oracletest"`, 0},
		{"oracles/x_test.go", `"patina/actors/actor"`, 1},
		{"cmd/patina/x.go", `"patina/registry"; "patina/cmd/internal/deliver"; "github.com/spf13/cobra"`, 0},
		{"cmd/patina/x.go", `"patina/oracles"; "patina/store/scrape/history"`, 2},
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
