package govern

import (
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// simpleCommands returns the words of each command in a line of a shell, without assignments, sudo
// and its like in front. Changes of folder are left out.
func simpleCommands(line string) (all [][]string) {
	for _, part := range strings.FieldsFunc(line, func(r rune) bool {
		return r == ';' || r == '&' || r == '|' || r == '\n'
	}) {
		words := plainWords(part)
		for len(words) > 0 && (isAssignment(words[0]) || isWrapper(words[0])) {
			words = words[1:]
		}
		if len(words) > 2 && launchers[words[0]+" "+words[1]] {
			words = words[2:]
		}
		if len(words) > 0 && words[0] != "cd" {
			all = append(all, words)
		}
	}
	return all
}

// launchers are the pairs of words that start the command behind them.
var launchers = map[string]bool{
	"bundle exec": true, "poetry run": true, "uv run": true, "pipenv run": true, "pdm run": true, "npm exec": true, "pnpm exec": true,
	"yarn exec": true,
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// isWrapper reports whether a word starts the command behind it.
func isWrapper(word string) bool {
	switch word {
	case "sudo", "time", "env", "nice", "nohup", "exec", "command", "heavy", "xargs", "then", "do", "!":
		return true
	}
	return false
}

// broad holds the programs with many uses. Alone, they do not name a command.
var broad = map[string]bool{
	"git": true, "go": true, "npm": true, "yarn": true, "pnpm": true, "cargo": true, "make": true, "docker": true,
	"python": true, "python3": true, "node": true, "ls": true, "cat": true, "grep": true, "rm": true, "echo": true,
	"bash": true, "sh": true, "find": true, "sed": true, "cp": true, "mv": true, "mkdir": true, "kubectl": true, "pip": true,
}

// namedCommand returns the words of a sentence that name one of the commands in a line, or "".
//
// A part between back-ticks names a command if the command begins with its first word and has its
// other words in this order: "git push --force" names "git push origin --force" and not "git push".
// A command that the sentence recommends is not named: in "use `a`, not `b`" only b is. Without
// back-ticks, the first two words of a command must stand side by side in the sentence, or its one
// word must be a name by its form, such as golangci-lint.
func namedCommand(sentence, line string) string {
	commands := simpleCommands(line)
	sentence = recommended().ReplaceAllString(sentence, " ")
	spans := codeSpans(sentence)
	for _, command := range commands {
		quoted := false
		for _, span := range spans {
			words := plainWords(span)
			if len(words) == 0 || words[0] != command[0] {
				continue
			}
			quoted = true
			if len(words) == 1 && broad[words[0]] && len(command) > 1 {
				continue
			}
			if isSubsequence(words, command) {
				return strings.Join(words, " ")
			}
		}
		said := plainWords(strings.ReplaceAll(sentence, "`", " "))
		if !quoted && isCompound(command[0]) && slices.Contains(said, command[0]) {
			return command[0]
		}
		if quoted || len(command) < 2 {
			continue
		}
		for n := min(4, len(command)); n >= 2; n-- {
			if at := runAt(said, command[:n]); at >= 0 {
				if next := at + n; next < len(said) && strings.HasPrefix(said[next], "-") && !slices.Contains(command, said[next]) {
					break // it is about the command with this flag
				}
				return strings.Join(command[:n], " ")
			}
		}
	}
	return ""
}

// recommended matches a command that a sentence tells to use.
var recommended = lazyregexp.New("(?i)(?:^|[^`\\w ]\\s*|\\b(?:and|but|please|always|then|or)\\s+)(?:use|prefer|try)\\s+`[^`]*`")

// isCompound reports whether a word is the name of a program by its form.
func isCompound(word string) bool {
	const least = 6
	return len(word) >= least && strings.ContainsAny(word[1:], "-_./") && word[0] != '-'
}

// runAt returns the place of run in words, as neighbours, or -1.
func runAt(words, run []string) int {
	for i := 0; i+len(run) <= len(words); i++ {
		if slices.Equal(words[i:i+len(run)], run) {
			return i
		}
	}
	return -1
}

// isSubsequence reports whether words has those of part in this order. A placeholder in part, such
// as FILE or <name>, was lower-cased and has lost its marks, so only words of two letters or more
// with a mark are wanted besides the first two.
func isSubsequence(part, words []string) bool {
	i := 0
	for _, w := range words {
		if i < len(part) && (part[i] == w || strings.HasPrefix(w, part[i]+"=")) {
			i++
		}
	}
	return i == len(part)
}

// cautions matches sentences that say more of a command than to run it.
var cautions = lazyregexp.New(`(?i)\b(?:never|not|don't|dont|avoid|instead|needs?|requires?|fails?|failed|hangs?|breaks?|first|unless|` +
	`without|otherwise|only|because|careful|slow|takes|wrong|forbidden|rather|crashes|deletes|overwrites|loses)\b`)

// saysMore reports whether a sentence warns of a command or names a need of it.
func saysMore(sentence string) bool { return cautions().MatchString(sentence) }

// failing matches lines of output about an error.
var failing = lazyregexp.New(`(?i)error|fail|panic|fatal|cannot|can't|could not|couldn't|not found|undefined|undeclared|no such|denied|` +
	`refused|exception|missing|unable|invalid|unexpected|unknown|timed? ?out|deadlock|conflict|mismatch|locked|aborted|killed|exceeded|must `)

// failed matches the output of a command that failed although its client does not say so: a line
// that begins as the errors of compilers, test runners and shells do.
var failed = lazyregexp.New(`(?im)^\s*(?:(?:fatal |runtime )?error\b|fatal:|panic:|traceback \(|fail(?:ed|ure)?[:\s]|--- fail|e {3,}\S|npm err!)` +
	`|:\d+: (?:fatal )?error\b|: (?:command not found|no such file or directory|permission denied)$|^exit (?:code|status) [1-9]`)

// IsFailure reports whether the output of a command says that it failed.
func IsFailure(output string) bool {
	return failed().MatchString(output[max(0, len(output)-maxTexts):])
}

// maxLines bounds the lines of output that are compared.
const maxLines = 40

// errorLines returns the last lines of output about an error, or the last ten if there is no such
// line.
func errorLines(output string) (lines []string) {
	all := strings.Split(output, "\n")
	for _, line := range all {
		if line = strings.TrimSpace(line); line != "" && failing().MatchString(line) {
			lines = append(lines, line[:min(len(line), 400)])
		}
	}
	if len(lines) == 0 {
		for _, line := range all[max(0, len(all)-10):] {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line[:min(len(line), 400)])
			}
		}
	}
	return lines[max(0, len(lines)-maxLines):]
}
