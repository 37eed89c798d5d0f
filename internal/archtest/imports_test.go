package archtest

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

// mayImport holds the packages of this module that each package may import. Every package must have
// a row, and every row must be of a package.
var mayImport = map[string][]string{
	".":                                {},
	"actors":                           {"actors/actor", "actors/api", "actors/lookups", "actors/ranking", "code/callers", "code/describe", "code/lookup", "fusion", "oracles", "registry/querylog", "store", "store/doc", "store/excerpt"},
	"actors/actor":                     {},
	"actors/api":                       {"belief", "belief/audit", "belief/mine", "belief/standing", "belief/verify", "code/assay", "code/brief", "code/describe", "code/history", "code/impact", "code/lookup", "fusion", "fusion/period", "oracles", "store", "store/doc", "store/excerpt", "store/folder", "store/text"},
	"actors/lookups":                   {"actors/api", "belief", "belief/audit", "belief/knowledge", "belief/mine", "belief/standing", "belief/verify", "code/assay", "code/brief", "code/describe", "code/history", "code/impact", "code/lookup", "oracles", "scrape/openat", "store", "store/doc"},
	"actors/ranking":                   {"actors/api", "code/lookup", "fusion", "fusion/period", "oracles", "store", "store/doc", "store/excerpt", "store/text"},
	"ask":                              {"actors", "actors/actor", "actors/api", "ask/fresh", "ask/project", "ask/visit", "belief", "belief/audit", "belief/knowledge", "belief/mine", "code/assay", "code/impact", "code/lang", "code/lookup", "fusion", "fusion/period", "graph", "memory", "memory/ground", "memory/recall", "registry", "registry/mother", "registry/querylog", "scrape", "scrape/class", "store", "store/doc", "store/text"},
	"ask/clones":                       {"internal/safeio", "registry", "registry/mother", "scrape"},
	"ask/embedders":                    {"internal/safeio", "memory", "oracles/transformer", "registry", "registry/models", "store/doc", "store/vector"},
	"ask/fresh":                        {"actors/actor", "actors/api", "ask/project", "scrape", "scrape/git", "store", "store/build", "store/doc"},
	"ask/govern":                       {"ask/project", "belief", "belief/knowledge", "internal/glob", "internal/lazyregexp", "internal/printable", "internal/safeio", "memory", "scrape/prose", "store", "store/doc", "store/folder", "store/text"},
	"ask/project":                      {"actors", "actors/api", "ask/embedders", "belief/knowledge", "code/assay", "code/lookup", "memory", "memory/recall", "oracles", "oracles/embed", "registry", "registry/mother", "registry/route", "scrape", "scrape/content", "scrape/git", "scrape/openat", "store", "store/build", "store/doc", "store/folder", "store/overlay", "store/text"},
	"ask/session":                      {"ask/govern", "ask/project", "belief/knowledge", "code/brief", "internal/safeio", "memory", "memory/transcript", "memory/turns", "registry", "registry/querylog", "scrape/git", "scrape/openat", "scrape/prose", "scrape/walk", "store"},
	"ask/teamindex":                    {"ask/project", "internal/sshsig", "store/archive"},
	"ask/visit":                        {"actors", "actors/api", "ask/embedders", "ask/project", "code/brief", "code/lookup", "oracles", "oracles/embed", "registry", "registry/mother", "registry/route", "scrape", "store", "store/doc", "store/text"},
	"belief":                           {"internal/lazyregexp", "store/markdown", "store/text"},
	"belief/audit":                     {"belief", "belief/knowledge", "belief/verify", "code/lookup", "store", "store/doc"},
	"belief/knowledge":                 {"belief", "belief/standing", "internal/lazyregexp", "scrape/prose", "store", "store/doc", "store/format", "store/text"},
	"belief/mine":                      {"code/describe", "code/history", "code/lookup", "internal/lazyregexp", "internal/printable", "internal/safeio", "scrape/prose", "store", "store/doc", "store/format", "store/text"},
	"belief/standing":                  {},
	"belief/verify":                    {"belief", "belief/knowledge", "code/lang", "internal/lazyregexp", "store", "store/doc", "store/format", "store/markdown", "store/sqlite"},
	"bench":                            {"actors", "actors/api", "code/lookup", "memory", "memory/recall", "oracles", "oracles/embed", "scrape", "store", "store/doc", "store/sqlite", "store/text", "store/vector"},
	"bench/callers":                    {"code/callers", "code/imports", "code/lookup", "code/xref", "store", "store/doc"},
	"bench/eval":                       {"actors/api", "code/lookup", "fusion", "internal/lazyregexp", "oracles", "scrape/git", "store/doc", "store/text"},
	"bench/eval/ab":                    {"actors/api", "bench/eval", "code/lookup", "fusion", "store/doc", "store/text"},
	"bench/eval/act":                   {"bench/eval", "scrape/git"},
	"bench/eval/conversation":          {"bench/eval", "internal/lazyregexp", "memory/recall", "store/doc"},
	"bench/eval/fixture":               {},
	"bench/eval/patina-eval":           {"actors", "bench/eval", "bench/eval/rankings", "bench/eval/record", "bench/eval/self", "oracles/embed", "scrape", "store", "store/doc"},
	"bench/eval/rankings":              {"actors", "actors/api", "bench/eval", "code/describe", "code/lookup", "oracles", "scrape", "store", "store/doc", "store/literal", "store/text"},
	"bench/eval/record":                {"bench/eval", "bench/eval/self", "internal/safeio"},
	"bench/eval/routes":                {"actors", "actors/api", "ask/project", "ask/visit", "bench/eval", "store/doc"},
	"bench/eval/self":                  {"actors", "actors/api", "belief", "bench/eval", "code/lookup", "internal/lazyregexp", "internal/safeio", "memory", "memory/transcript", "oracles", "oracles/embed", "scrape", "scrape/git", "scrape/prose", "store", "store/doc"},
	"bench/eval/spend":                 {"actors/api", "code/lookup", "store/doc", "store/text"},
	"bench/house":                      {},
	"bench/impact":                     {"code/history", "code/impact", "scrape", "store", "store/doc"},
	"bench/localise":                   {"bench/eval", "scrape/git"},
	"bench/notes":                      {"bench/eval", "memory", "memory/recall", "oracles/embed", "store/doc"},
	"bench/nodes":                      {"actors", "actors/api", "ask/project", "ask/visit", "bench/eval/routes", "code/assay", "code/lookup", "oracles", "oracles/embed", "registry/route", "scrape", "store/doc", "wire", "wire/config", "wire/nodepb", "wire/peer", "wire/pki", "wire/serve"},
	"bench/turns":                      {"bench/eval/conversation", "memory/recall", "memory/transcript", "memory/turns"},
	"bench/torture":                    {"actors", "actors/api", "bench/eval", "oracles", "oracles/embed", "scrape", "store", "store/storetest"},
	"cmd/internal/agentcmd":            {"cmd/internal/cli", "cmd/internal/dialect", "cmd/internal/layout", "internal/safeio", "registry"},
	"cmd/internal/beliefcmd":           {"actors/api", "ask", "belief", "belief/mine", "cmd/internal/cli", "cmd/internal/deliver/beliefs", "cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/print", "code/lookup", "internal/printable", "internal/safeio", "store/text"},
	"cmd/internal/cli":                 {"actors", "actors/api", "ask", "ask/project", "cmd/internal/dialect", "cmd/internal/layout", "registry", "scrape", "store", "store/folder", "store/sqlite", "wire/local", "wire/mother"},
	"cmd/internal/deliver":             {"actors/api", "belief", "belief/knowledge", "belief/mine", "cmd/internal/dialect", "cmd/internal/layout", "code/assay", "code/brief", "code/describe", "code/history", "code/lookup", "fusion", "internal/lazyregexp", "memory", "store/doc"},
	"cmd/internal/deliver/beliefs":     {"actors/api", "ask", "belief", "belief/audit", "belief/knowledge", "belief/mine", "belief/standing", "belief/verify", "cmd/internal/deliver", "cmd/internal/drawing", "cmd/internal/layout", "graph", "store/doc"},
	"cmd/internal/deliver/impacts":     {"actors/api", "ask", "belief/verify", "cmd/internal/deliver", "cmd/internal/layout", "code/impact", "store/doc"},
	"cmd/internal/dialect":             {"cmd/internal/layout", "internal/printable"},
	"cmd/internal/doctorcmd":           {"ask/embedders", "ask/project", "cmd/internal/cli", "cmd/internal/dialect", "cmd/internal/layout", "code/lookup", "internal/secrets", "oracles/transformer", "registry", "registry/models", "scrape", "store", "store/doc", "store/sqlite", "wire", "wire/local", "wire/mother", "wire/nodepb", "wire/pki"},
	"cmd/internal/drawing":             {"cmd/internal/layout", "graph", "internal/printable"},
	"cmd/internal/evalcmd":             {"actors/api", "ask", "ask/project", "ask/visit", "bench/eval", "bench/eval/ab", "bench/eval/act", "bench/eval/conversation", "bench/eval/record", "bench/eval/routes", "bench/eval/self", "bench/eval/spend", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/memorycmd", "internal/printable", "memory", "oracles/embed", "registry/querylog", "store/doc"},
	"cmd/internal/hookcmd":             {"ask/govern", "ask/project", "ask/session", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/layout", "memory", "store"},
	"cmd/internal/indexcmd":            {"ask/project", "ask/teamindex", "cmd/internal/cli", "cmd/internal/dialect", "cmd/internal/layout", "internal/sshsig", "scrape", "store/archive", "store/build"},
	"cmd/internal/layout":              {"internal/printable"},
	"cmd/internal/layout/layouttest":   {"internal/printable"},
	"cmd/internal/loopback":            {},
	"cmd/internal/mcp":                 {"cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/loopback"},
	"cmd/internal/mcp/mcptest":         {},
	"cmd/internal/memorycmd":           {"ask/project", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "internal/safeio", "internal/secrets", "memory", "memory/ground", "memory/persona", "memory/recall", "memory/transcript", "memory/turns", "registry", "store/doc", "store/sqlite", "store/text"},
	"cmd/internal/modelcmd":            {"ask/embedders", "ask/project", "cmd/internal/cli", "cmd/internal/dialect", "cmd/internal/layout", "oracles/transformer", "registry", "registry/models", "store/doc"},
	"cmd/internal/mothercmd":           {"actors/api", "ask", "ask/clones", "ask/project", "ask/visit", "cmd/internal/cli", "cmd/internal/drawing", "cmd/internal/layout", "code/lookup", "graph", "registry", "registry/mother", "scrape", "store/sqlite", "wire/mother"},
	"cmd/internal/nodecmd":             {"actors", "ask/embedders", "ask/project", "cmd/internal/cli", "cmd/internal/dialect", "cmd/internal/layout", "internal/lazyregexp", "internal/safeio", "registry", "scrape", "scrape/git", "wire/config", "wire/enrol", "wire/front", "wire/host", "wire/metrics", "wire/mother", "wire/nodepb", "wire/peer", "wire/pki", "wire/placement", "wire/serve"},
	"cmd/internal/print":               {"actors/api", "ask", "ask/project", "ask/visit", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/deliver/beliefs", "cmd/internal/deliver/impacts", "cmd/internal/dialect", "cmd/internal/drawing", "cmd/internal/layout", "code/assay", "fusion", "graph", "store/doc"},
	"deploy/check/registry":            {},
	"cmd/internal/serve":               {"actors", "actors/api", "ask", "ask/embedders", "ask/fresh", "ask/project", "ask/visit", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/layout", "cmd/internal/mcp", "cmd/internal/memorycmd", "cmd/internal/mothercmd", "cmd/internal/print", "code/assay", "memory", "memory/recall", "registry", "registry/mother", "registry/querylog", "scrape", "store", "wire/local", "wire/mother"},
	"cmd/internal/ui":                  {"actors", "actors/api", "ask", "ask/embedders", "ask/project", "ask/visit", "belief", "belief/audit", "belief/verify", "cmd/internal/beliefcmd", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/doctorcmd", "cmd/internal/drawing", "cmd/internal/layout", "cmd/internal/loopback", "cmd/internal/memorycmd", "cmd/internal/print", "cmd/internal/serve", "cmd/internal/ui/paint", "code/assay", "code/describe", "code/lookup", "fusion", "graph", "memory", "registry", "registry/querylog", "scrape", "scrape/git", "store", "store/doc", "third_party/web", "wire/local"},
	"cmd/internal/ui/paint":            {"third_party/web"},
	"cmd/internal/uninstallcmd":        {"cmd/internal/agentcmd", "cmd/internal/cli", "cmd/internal/layout", "internal/lazyregexp", "internal/safeio", "registry", "store/folder", "wire/local"},
	"cmd/patina":                       {"actors/api", "ask", "ask/project", "cmd/internal/agentcmd", "cmd/internal/beliefcmd", "cmd/internal/cli", "cmd/internal/deliver", "cmd/internal/dialect", "cmd/internal/doctorcmd", "cmd/internal/drawing", "cmd/internal/evalcmd", "cmd/internal/hookcmd", "cmd/internal/indexcmd", "cmd/internal/layout", "cmd/internal/memorycmd", "cmd/internal/modelcmd", "cmd/internal/mothercmd", "cmd/internal/nodecmd", "cmd/internal/print", "cmd/internal/serve", "cmd/internal/ui", "cmd/internal/uninstallcmd", "code/assay", "internal/printable", "memory", "registry", "registry/querylog", "scrape", "store"},
	"code/assay":                       {"code/callers", "code/history", "code/imports", "code/lang", "code/lookup", "code/xref", "internal/glob", "scrape/markup", "scrape/syntax", "store", "store/doc", "store/format", "store/text"},
	"code/brief":                       {"belief", "belief/knowledge", "code/describe", "code/history", "code/manifest", "internal/glob", "internal/lazyregexp", "scrape/prose", "store", "store/doc", "store/markdown", "store/text"},
	"code/callers":                     {"code/imports", "code/lang", "code/lookup", "code/xref", "store", "store/doc", "store/format", "store/text"},
	"code/describe":                    {"belief", "belief/knowledge", "code/callers", "code/history", "code/imports", "code/lang", "code/lookup", "code/xref", "internal/lazyregexp", "scrape/prose", "store", "store/doc", "store/excerpt", "store/format", "store/markdown", "store/text"},
	"code/history":                     {"code/lookup", "internal/lazyregexp", "store", "store/doc", "store/format", "store/text"},
	"code/impact":                      {"code/assay", "code/brief", "code/callers", "code/history", "code/lang", "code/lookup", "code/xref", "scrape/prose", "store", "store/doc", "store/format", "store/text"},
	"code/imports":                     {"code/lang", "code/manifest", "internal/glob", "store/doc", "store/format", "store/text"},
	"code/lang":                        {"internal/lazyregexp", "store/doc", "store/text"},
	"code/lookup":                      {"belief/knowledge", "code/imports", "code/xref", "internal/glob", "internal/lazyregexp", "store", "store/doc", "store/format", "store/text"},
	"code/manifest":                    {"internal/lazyregexp"},
	"code/xref":                        {"code/imports", "code/lang", "internal/lazyregexp", "store/doc", "store/text"},
	"deploy/check":                     {},
	"fusion":                           {},
	"fusion/period":                    {},
	"graph":                            {},
	"internal/archtest":                {},
	"internal/glob":                    {},
	"internal/lazyregexp":              {},
	"internal/printable":               {},
	"internal/safeio":                  {},
	"internal/secrets":                 {"internal/lazyregexp"},
	"internal/sshsig":                  {"internal/safeio"},
	"memory":                           {"internal/printable", "internal/safeio", "internal/secrets", "memory/merge", "memory/persona", "memory/recall", "oracles/embed", "store/doc", "store/sqlite", "store/text", "store/vector"},
	"memory/ground":                    {"internal/lazyregexp", "scrape/content", "scrape/git", "scrape/openat", "scrape/parse", "store/doc"},
	"memory/merge":                     {"internal/lazyregexp", "store/text"},
	"memory/persona":                   {"internal/lazyregexp", "internal/safeio"},
	"memory/recall":                    {"store/doc", "store/text"},
	"memory/turns":                     {"internal/safeio", "internal/secrets", "memory/recall", "memory/transcript", "store/sqlite", "store/text"},
	"memory/transcript":                {"internal/lazyregexp", "memory/recall", "scrape/content", "scrape/openat", "scrape/prose", "store/doc", "store/markdown"},
	"oracles":                          {"belief/knowledge", "belief/standing", "code/history", "code/lang", "code/lookup", "code/xref", "internal/lazyregexp", "memory", "memory/persona", "memory/recall", "oracles/dictionary", "oracles/embed", "scrape/prose", "store", "store/doc", "store/format", "store/literal", "store/overlay", "store/text", "store/vector"},
	"oracles/dictionary":               {},
	"oracles/embed":                    {"store/doc"},
	"oracles/embed/train":              {"oracles/embed", "scrape", "store/doc", "store/text"},
	"oracles/embed/train/patina-train": {"oracles/embed", "oracles/embed/train"},
	"oracles/transformer":              {"actors/actor", "oracles/transformer/onnx", "oracles/transformer/tokenize", "store/doc"},
	"oracles/transformer/graphtest":    {},
	"oracles/transformer/onnx":         {},
	"oracles/oracletest":               {"oracles", "oracles/embed", "scrape", "store", "store/doc", "store/text"},
	"oracles/transformer/tokenize":     {"internal/safeio"},
	"registry":                         {"internal/safeio", "store", "store/folder", "store/sqlite"},
	"registry/models":                  {"internal/safeio", "registry", "store/doc", "store/folder"},
	"registry/mother":                  {"code/lang", "code/manifest", "internal/lazyregexp", "registry", "store/sqlite"},
	"registry/querylog":                {"internal/lazyregexp", "internal/secrets"},
	"registry/route":                   {"store/text"},
	"scrape":                           {"belief", "code/lang", "code/manifest", "scrape/class", "scrape/content", "scrape/git", "scrape/openat", "scrape/parse", "scrape/prose", "scrape/walk", "store", "store/build", "store/doc", "store/folder"},
	"scrape/chunk":                     {"code/lang", "internal/lazyregexp", "store/doc"},
	"scrape/class":                     {"code/lang", "internal/lazyregexp", "scrape/chunk", "store/doc", "store/text"},
	"scrape/content":                   {"code/lang", "internal/lazyregexp", "scrape/openat", "store/doc", "store/text"},
	"scrape/git":                       {"internal/safeio", "store/doc"},
	"scrape/markup":                    {"code/lang", "internal/lazyregexp", "store/text"},
	"scrape/openat":                    {"store/doc"},
	"scrape/parse":                     {"belief", "code/lang", "internal/lazyregexp", "scrape/chunk", "scrape/class", "scrape/markup", "scrape/prose", "scrape/split", "scrape/syntax", "store/doc", "store/literal", "store/markdown", "store/text"},
	"scrape/prose":                     {"belief", "code/lang", "internal/lazyregexp", "store/markdown", "store/text"},
	"scrape/scrapetest":                {"scrape/openat"},
	"scrape/split":                     {"code/lang", "scrape/chunk", "store/text"},
	"scrape/syntax":                    {"code/lang", "internal/lazyregexp", "scrape/markup", "store/doc", "store/text"},
	"scrape/walk":                      {"internal/printable", "internal/safeio", "scrape/class", "scrape/content", "scrape/git", "scrape/openat", "store/doc", "store/folder"},
	"store":                            {"store/doc", "store/folder", "store/format", "store/sqlite", "store/text", "store/vector"},
	"store/archive":                    {},
	"store/build":                      {"belief", "store", "store/doc", "store/folder", "store/format", "store/sqlite", "store/text", "store/vector"},
	"store/doc":                        {"belief", "fusion/period", "internal/glob", "internal/lazyregexp", "store/text"},
	"store/excerpt":                    {"internal/lazyregexp", "store/doc", "store/markdown", "store/text"},
	"store/folder":                     {"internal/lazyregexp", "internal/safeio", "store/doc"},
	"store/format":                     {"belief", "internal/safeio", "store/doc", "store/folder", "store/sqlite"},
	"store/literal":                    {"internal/lazyregexp", "store/markdown", "store/text"},
	"store/markdown":                   {"internal/lazyregexp"},
	"store/overlay":                    {"code/lang", "internal/safeio", "scrape/chunk", "store", "store/build", "store/doc", "store/folder", "store/vector"},
	"store/sqlite":                     {},
	"store/storetest":                  {"store", "store/build", "store/doc", "store/format", "store/sqlite", "store/text"},
	"store/text":                       {"internal/lazyregexp", "store/markdown"},
	"store/vector":                     {"internal/safeio"},
	"wire":                             {"actors/api", "internal/lazyregexp", "oracles", "store/doc", "wire/nodepb"},
	"wire/attack":                      {},
	"wire/config":                      {"internal/lazyregexp", "internal/safeio", "scrape/git", "store/doc", "wire/placement"},
	"wire/enrol":                       {"internal/safeio", "wire", "wire/nodepb", "wire/pki"},
	"wire/front":                       {"actors/api", "wire", "wire/config", "wire/enrol", "wire/nodepb", "wire/peer", "wire/pki", "wire/placement", "wire/serve"},
	"wire/host":                        {"actors", "actors/api", "ask/clones", "ask/embedders", "ask/project", "ask/visit", "registry", "registry/mother", "registry/route", "scrape", "store", "store/doc", "wire/config", "wire/nodepb", "wire/peer", "wire/placement", "wire/serve"},
	"wire/local":                       {"actors", "actors/api", "ask", "ask/fresh", "ask/project", "ask/visit", "internal/safeio", "memory/recall", "registry", "scrape", "scrape/git", "store/doc", "wire/nodepb"},
	"wire/metrics":                     {"wire/config", "wire/nodepb", "wire/peer", "wire/serve"},
	"wire/mother":                      {"actors/api", "internal/safeio", "oracles", "registry", "registry/route", "store/text", "wire", "wire/config", "wire/enrol", "wire/nodepb", "wire/peer", "wire/pki"},
	"wire/nodepb":                      {},
	"wire/peer":                        {"actors/api", "oracles", "wire", "wire/config", "wire/nodepb"},
	"wire/pki":                         {"internal/lazyregexp", "internal/safeio", "wire/config"},
	"wire/pki/pkitest":                 {"wire/pki"},
	"wire/placement":                   {"internal/safeio"},
	"wire/serve":                       {"actors", "actors/api", "registry/route", "wire", "wire/nodepb", "wire/pki"},
}

// testsMayImport holds further imports of a package's tests, besides its own and the package
// itself. Tests fill a store, run the conformance tests, and read a damaged store and this
// project's beliefs.
var testsMayImport = map[string][]string{
	"actors":                       {"code/assay", "code/impact", "memory", "memory/persona", "oracles/embed", "scrape"},
	"ask/embedders":                {"actors/api", "ask/project", "ask/visit", "oracles", "oracles/transformer/graphtest", "registry/route", "scrape", "store/storetest", "store/text"},
	"ask/fresh":                    {"registry"},
	"ask/govern":                   {"scrape", "scrape/scrapetest"},
	"ask/session":                  {"belief"},
	"ask/teamindex":                {"scrape", "scrape/scrapetest", "store/build"},
	"belief/audit":                 {"scrape", "scrape/scrapetest", "store/storetest"},
	"belief/knowledge":             {"scrape", "scrape/scrapetest", "store/build", "store/storetest"},
	"belief/mine":                  {"scrape", "scrape/scrapetest", "store/storetest"},
	"belief/verify":                {"store/build", "store/storetest"},
	"bench/eval":                   {"actors", "bench/eval/fixture"},
	"bench/eval/ab":                {"belief", "belief/knowledge", "belief/verify"},
	"bench/eval/conversation":      {"oracles/embed"},
	"bench/eval/patina-eval":       {"bench/eval/fixture"},
	"bench/eval/rankings":          {"bench/eval/fixture", "oracles/embed"},
	"bench/eval/routes":            {"registry", "registry/mother", "scrape", "scrape/scrapetest"},
	"bench/eval/self":              {"bench/eval/fixture", "scrape/scrapetest", "store/folder"},
	"bench/torture":                {"bench/eval/fixture"},
	"cmd/internal/deliver":         {"actors", "cmd/internal/layout/layouttest", "oracles/oracletest", "scrape/parse", "store"},
	"cmd/internal/deliver/beliefs": {"cmd/internal/dialect"},
	"cmd/internal/deliver/impacts": {"cmd/internal/dialect", "code/brief", "code/history"},
	"cmd/internal/dialect":         {"cmd/internal/layout/layouttest", "cmd/internal/mcp/mcptest"},
	"cmd/internal/doctorcmd":       {"wire/pki/pkitest"},
	"cmd/internal/hookcmd":         {"cmd/internal/agentcmd", "code/brief", "internal/printable", "scrape/prose", "scrape/walk"},
	"cmd/internal/layout":          {"cmd/internal/layout/layouttest"},
	"cmd/internal/ui":              {"registry/mother", "scrape/scrapetest"},
	"cmd/internal/ui/paint":        {"code/lang"},
	"deploy/check/registry":        {"ask/project", "cmd/internal/cli", "cmd/internal/indexcmd", "scrape"},
	"cmd/patina":                   {"actors", "bench/eval", "bench/eval/ab", "bench/eval/fixture", "cmd/internal/mcp/mcptest", "internal/safeio", "memory/persona", "oracles/transformer", "oracles/transformer/graphtest", "registry/models", "scrape/scrapetest", "store/folder", "store/sqlite", "wire/config", "wire/local", "wire/peer", "wire/pki", "wire/pki/pkitest"},
	"code/brief":                   {"code/lookup", "scrape", "scrape/scrapetest", "store/storetest"},
	"code/callers":                 {"store/storetest"},
	"code/describe":                {"scrape", "scrape/scrapetest", "store/storetest"},
	"code/history":                 {"store/storetest"},
	"code/impact":                  {"scrape", "scrape/scrapetest", "store/storetest"},
	"code/imports":                 {"store"},
	"code/lookup":                  {"store/storetest"},
	"internal/archtest":            {"belief", "code/lang", "store/markdown"},
	"oracles":                      {"oracles/oracletest", "scrape", "store/build", "store/storetest"},
	"oracles/transformer":          {"oracles/embed", "oracles/transformer/graphtest"},
	"oracles/transformer/onnx":     {"oracles/transformer/graphtest"},
	"scrape":                       {"code/assay", "code/describe", "oracles", "scrape/scrapetest", "store/storetest", "store/text"},
	"scrape/content":               {"scrape/scrapetest"},
	"scrape/parse":                 {"scrape/content"},
	"scrape/walk":                  {"scrape/scrapetest"},
	"store/overlay":                {"actors", "actors/api", "oracles", "oracles/embed", "oracles/oracletest", "scrape", "store/text"},
	"store":                        {"belief", "belief/knowledge", "code/assay", "code/describe", "code/history", "code/lookup", "oracles", "store/build", "store/excerpt", "store/storetest"},
	"wire":                         {"actors", "code/assay", "code/impact", "code/lookup", "oracles/embed", "scrape", "scrape/scrapetest"},
	"wire/attack":                  {"scrape/scrapetest", "wire", "wire/nodepb", "wire/pki", "wire/pki/pkitest", "wire/serve"},
	"wire/enrol":                   {"wire/pki/pkitest"},
	"wire/front":                   {"actors", "code/assay", "code/impact", "code/lookup", "fusion", "oracles", "oracles/embed", "registry/route", "scrape", "scrape/scrapetest", "store/doc"},
	"wire/host":                    {"scrape/scrapetest"},
	"wire/metrics":                 {"actors", "actors/api", "oracles/embed", "scrape", "scrape/scrapetest"},
	"wire/mother":                  {"wire/front", "wire/pki/pkitest"},
	"wire/peer":                    {"actors", "code/assay", "code/impact", "code/lookup", "fusion", "oracles/embed", "scrape", "scrape/scrapetest", "store", "store/doc", "store/overlay", "store/storetest", "wire/serve"},
	"wire/serve":                   {"oracles/embed", "scrape", "scrape/scrapetest"},
}

// mayName holds the names that a package may use from another one, if not all. The commands know
// only the store's errors, because ask/project and actors open, read and write indexes.
var mayName = map[string]map[string][]string{
	"cmd/patina": {
		"store": {"ErrLocked"},
	},
	"cmd/internal/cli": {
		"store":        {"ErrDamaged", "ErrForeign", "ErrLocked", "ErrNewer", "ErrNoIndex", "ErrOlder"},
		"store/folder": {"ErrNotStore", "ErrUnsafe"},
	},
	"cmd/internal/doctorcmd": {
		"store":       {"ErrDamaged", "ErrForeign", "ErrNewer", "ErrNoIndex", "ErrOlder", "Examination", "Format"},
		"code/lookup": {"Text"},
	},
}

// onlyIn holds the packages that may import a heavy dependency, tests included. With "/..." a
// folder of packages may. YAML has two, because one edits settings as bytes and the other reads
// front matter. bench/nodes makes calls that
// no client makes.
var onlyIn = map[string]string{
	"github.com/zricethezav/gitleaks":         "internal/secrets",
	"github.com/mattn/go-sqlite3":             "store/sqlite",
	"github.com/klauspost/compress":           "store/format store/archive scrape/syntax",
	"github.com/blevesearch/go-porterstemmer": "store/text",
	"github.com/spf13/cobra":                  "cmd/...",
	"go.yaml.in/yaml":                         "cmd/internal/agentcmd store/markdown",
	"github.com/mark3labs/mcp-go":             "cmd/internal/mcp",
	"github.com/fsnotify/fsnotify":            "ask/fresh",
	"github.com/tree-sitter":                  "scrape/syntax",
	"github.com/tree-sitter-grammars":         "scrape/syntax",
	"google.golang.org/grpc":                  "wire/... bench/nodes",
	"google.golang.org/protobuf":              "wire/... bench/nodes oracles/transformer/graphtest",
	"github.com/yalue/onnxruntime_go":         "oracles/transformer",
	"github.com/prometheus":                   "wire/metrics",
	"go.opentelemetry.io":                     "wire/metrics",
	"github.com/google/licensecheck":          "oracles/embed/train",
	"golang.org/x/crypto":                     "internal/sshsig ask/teamindex deploy/check/registry",
	"oras.land/oras-go":                       "ask/teamindex",
	"github.com/distribution/distribution":    "deploy/check/registry",
	"github.com/alecthomas/chroma":            "cmd/internal/ui/paint",
}

// alsoInTests holds packages whose tests may also import a heavy dependency, because they are
// clients.
var alsoInTests = map[string]string{"github.com/mark3labs/mcp-go": "cmd/patina"}

// mayStart holds the packages that may start other programs, besides tests. In the product they are
// six: one starts git, so that no program named by a repository runs; two start programs that the
// user has named: an editor, and a judge of answers; "patina ui" starts the browser of the system;
// "patina node up" starts patina itself; "patina eval act" starts patina and the user's agent in
// copies. The others measure, train, and prepare tests.
var mayStart = []string{"scrape/git", "cmd/internal/beliefcmd", "cmd/internal/nodecmd", "cmd/internal/ui", "bench", "bench/callers", "bench/impact", "bench/localise", "bench/nodes", "bench/eval/ab", "bench/eval/act", "bench/eval/fixture", "bench/eval/patina-eval", "bench/torture", "oracles/embed/train", "oracles/oracletest", "scrape/scrapetest"}

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

// The tables must not allow anything that is unused.
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

// USearch and SimSIMD are C, so imports do not show their use. Only store/vector may link them.
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

// The test itself is tested with cases that it must catch, and cases that it must let pass.
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

// violations returns the faults in a file's imports. If source is not nil, it is read instead of
// the file.
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

// below reports whether a package is the home of a dependency or is in the folder of its home.
func below(dir, home string) bool {
	folder, whole := strings.CutSuffix(home, "/...")
	return dir == home || whole && (dir == folder || strings.HasPrefix(dir, folder+"/"))
}

// importsOf returns the paths that a file imports. If source is not nil, it is read instead of the
// file.
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

// goFiles returns every Go file of the project, with slashes, whatever its build tags.
func goFiles(t *testing.T) []string {
	t.Helper()
	// The test cache sees a change of folder only while a test runs. Without it, a cached result
	// would hide changes, because the cache looks for the files in the folder of this package.
	if err := os.Chdir("."); err != nil {
		t.Fatal(err)
	}
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

// namesOf returns the names that a package uses from another one, without tests, each with a file
// that uses it.
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
