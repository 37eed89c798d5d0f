package brief

import (
	"cmp"
	"slices"
	"strings"

	"patina/code/describe"
	"patina/store/text"
)

// A Quote is text from the repository, on one line. It must be treated as untrusted.
type Quote struct {
	Text string `json:"text"`
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
}

// A Brief introduces a repository. The best pieces come first in each list.
type Brief struct {
	Purpose     *Quote
	Commands    []Command
	Packages    []Package
	Central     []describe.Central
	Owners      []Owner
	Authors     []Author
	Conventions []Quote // enforced by a program
	Rules       []Quote // for people and agents
	Recent      Changes
	Layer       Layer
}

// IsLayered reports whether the repository keeps beliefs or core patterns of its own.
func (b Brief) IsLayered() bool { return len(b.Layer.Beliefs)+b.Layer.Core > 0 }

// maxRuleFiles bounds the files whose rules are ordered by a topic, because each becomes a filter.
const maxRuleFiles = 20

// RuleFiles returns the first files that contain rules, as globs that match nothing else. It leaves
// out paths with wildcards.
func (b Brief) RuleFiles() (paths []string) {
	for _, q := range b.Rules {
		if len(paths) < maxRuleFiles && !slices.Contains(paths, q.Path) && !strings.ContainsAny(q.Path, `*?[]{}\!`) {
			paths = append(paths, q.Path)
		}
	}
	return paths
}

// A Use is the purpose of a command.
type Use string

// These are the uses, in the order in which a newcomer needs them.
const (
	Build Use = "build"
	Test  Use = "test"
	Check Use = "check"
	Run   Use = "run"
)

// A Command is a command line for this repository, as its documents spell it.
type Command struct {
	Use Use `json:"use"`
	Quote
}

// A Package is a folder of code and its purpose.
type Package struct {
	Folder  string `json:"folder"`
	Purpose Quote  `json:"purpose"`
}

// An Owner is a line of a CODEOWNERS file.
type Owner struct {
	Pattern string `json:"pattern"`
	Quote          // the owners
}

// An Author is a committer and the number of commits in the last year of the history.
type Author struct {
	Name    string `json:"name"`
	Commits int    `json:"commits"`
}

// These bound the lists. A budget of 600 tokens shows fewer.
const (
	maxCommands = 12
	maxPackages = 24
	maxCentral  = 10
	maxOwners   = 50
	maxAuthors  = 5
	maxRules    = 200
)

// stemsOf returns the stems of a text without stop words.
func stemsOf(s string) map[string]bool {
	stems := map[string]bool{}
	text.Runs(s, func(run string) {
		if text.IsStop(strings.ToLower(run)) {
			return
		}
		text.Words(run, func(word string) { stems[word] = true })
	})
	return stems
}

// byTopic stably sorts a list by the number of a topic's words in each piece, most first. A topic
// without words changes nothing.
func byTopic[T any](list []T, topic string, textOf func(T) string) {
	wanted := stemsOf(topic)
	if len(wanted) == 0 {
		return
	}
	type scored struct {
		item  T
		score int
	}
	all := make([]scored, len(list))
	for i, x := range list {
		n := 0
		for stem := range stemsOf(textOf(x)) {
			if wanted[stem] {
				n++
			}
		}
		all[i] = scored{x, n}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for i, x := range all {
		list[i] = x.item
	}
}

// onTopic returns the items whose texts share a word with a topic, those with most of its words
// first. Without a topic it returns all, in their order.
func onTopic[T any](list []T, topic string, textOf func(T) string) []T {
	byTopic(list, topic, textOf)
	wanted := stemsOf(topic)
	return slices.DeleteFunc(list, func(x T) bool {
		if len(wanted) == 0 {
			return false
		}
		for stem := range stemsOf(textOf(x)) {
			if wanted[stem] {
				return false
			}
		}
		return true
	})
}
