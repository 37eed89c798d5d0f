package rule

import (
	"path"
	"strings"

	"patina/internal/lazyregexp"
)

// A Source is the kind of file that rules come from.
type Source int8

// The sources. A guide is written for people: only sentences that name code are rules there.
const (
	None Source = iota
	Agent
	Guide
)

// agentFiles are read by agents, in any folder. Documents about agents have such names as well, in
// small letters: those count at the root alone.
var agentFiles = newWordSet("AGENTS.md AGENTS.override.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md CRUSH.md WARP.md " +
	"copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .rules")

// agentFolders hold files for agents: the folders' names with those above them.
var agentFolders = []string{
	".cursor/rules/", ".windsurf/rules/", ".clinerules/", ".roo/rules/", ".github/instructions/", ".junie/",
	".amazonq/rules/", ".continue/rules/", ".trae/rules/", ".kiro/steering/", ".augment/rules/", ".claude/rules/",
	".agents/rules/",
}

// guideFile matches the name of a guide for contributors.
var guideFile = lazyregexp.New(`^(?:contributing|conventions|hacking|(?:coding|code|style)[-_ ]?(?:style|guide|guidelines|conventions|standards)|styleguide|style)` +
	`(?:[-_](?:guide|guidelines|style))?\.(?:md|markdown|rst|adoc|asciidoc)$|(?:style[-_ ]?guide|coding[-_](?:style|standards|guidelines|conventions))\.(?:md|markdown|rst|adoc|asciidoc)$`)

func newWordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// notRules are folders whose rules are not those of the project.
var notRules = newWordSet("test tests testdata testing fixture fixtures example examples sample samples template templates " +
	"vendor node_modules third_party")

// SourceOf says whose rules a file holds. Files in folders of tests, examples and templates hold
// none.
func SourceOf(name string) Source {
	low := strings.ToLower(name)
	dir, base := path.Split(low)
	for part := range strings.SplitSeq(dir, "/") {
		if notRules[part] {
			return None
		}
	}
	if agentFiles[path.Base(name)] || dir == "" && (base == "agents.md" || base == "claude.md" || base == "gemini.md") {
		return Agent
	}
	ext := path.Ext(base)
	if ext == ".md" || ext == ".mdc" || ext == ".txt" {
		for _, folder := range agentFolders {
			if strings.HasPrefix(low, folder) || strings.Contains(low, "/"+folder) {
				return Agent
			}
		}
	}
	if guideFile().MatchString(base) {
		return Guide
	}
	return None
}
