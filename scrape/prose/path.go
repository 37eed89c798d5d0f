package prose

import (
	"path"
	"strings"

	"patina/store/text"

	"patina/internal/lazyregexp"
)

// A RuleSource is the kind of file that rules come from.
type RuleSource int8

// The sources. A guide is written for people, so only sentences that name code are rules there.
const (
	NoRules RuleSource = iota
	AgentRules
	GuideRules
)

// agentFiles are read by agents, in any folder. The same names in small letters count only at the
// root, because documents about agents have them too.
var agentFiles = text.Set("AGENTS.md AGENTS.override.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md " +
	"CRUSH.md WARP.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules .goosehints .rules")

// agentFolders have files for agents. They are the folders' names with their parents.
var agentFolders = []string{
	".cursor/rules/", ".windsurf/rules/", ".clinerules/", ".roo/rules/", ".github/instructions/", ".junie/",
	".amazonq/rules/", ".continue/rules/", ".trae/rules/", ".kiro/steering/", ".augment/rules/", ".claude/rules/",
	".agents/rules/",
}

// guideFile matches the name of a guide for contributors.
var guideFile = lazyregexp.New(`^(?:contributing|conventions|hacking|(?:coding|code|style)[-_ ]?(?:style|guide` +
	`|guidelines|conventions|standards)|styleguide|style)(?:[-_](?:guide|guidelines|style))?\.(?:md|markdown|rst` +
	`|adoc|asciidoc)$|(?:style[-_ ]?guide|coding[-_](?:style|standards|guidelines|conventions))\.(?:md|markdown|rst` +
	`|adoc|asciidoc)$`)

// notRules are folders whose rules are not those of the project.
var notRules = text.Set("test tests testdata testing fixture fixtures example examples sample samples template " +
	"templates vendor node_modules third_party")

// RuleSourceOf returns the kind of rules that a file has. It returns NoRules for files in folders
// of tests, examples and templates.
func RuleSourceOf(name string) RuleSource {
	low := strings.ToLower(name)
	dir, base := path.Split(low)
	for part := range strings.SplitSeq(dir, "/") {
		if notRules.Has(part) {
			return NoRules
		}
	}
	if agentFiles.Has(path.Base(name)) || dir == "" && (base == "agents.md" || base == "claude.md" || base == "gemini.md") {
		return AgentRules
	}
	ext := path.Ext(base)
	if ext == ".md" || ext == ".mdc" || ext == ".txt" {
		for _, folder := range agentFolders {
			if strings.HasPrefix(low, folder) || strings.Contains(low, "/"+folder) {
				return AgentRules
			}
		}
	}
	if guideFile().MatchString(base) {
		return GuideRules
	}
	return NoRules
}
