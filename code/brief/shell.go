package brief

import (
	"regexp"
	"strings"

	"patina/internal/lazyregexp"
	"patina/store/markdown"
)

// maxCommand is the greatest length of a command, in bytes.
const maxCommand = 100

// uses are known kinds of commands, by the words with which they begin.
var uses = []struct {
	use    Use
	begins func() *regexp.Regexp
}{
	{Check, lazyregexp.New(`^(?:golangci-lint run|cargo (?:clippy|fmt)|ruff (?:check|format)|pre-commit run|` +
		`make (?:lint|fmt|format|check-format|vet)|go vet|staticcheck|mypy|black|(?:npm|pnpm|yarn|` +
		`bun)(?: run)? (?:lint|format|typecheck|check)|npx eslint|eslint|bundle exec rubocop|rubocop|` +
		`(?:\./)?(?:scripts?|bin|tools|hack|dev)/(?:lint|check|format|fmt)(?:\.sh|\.py)?|(?:tox|` +
		`nox) (?:run )?-[es] (?:lint|style|check)|mix format)\b`)},
	{Test, lazyregexp.New(`^(?:go test|cargo (?:\+\S+ )?(?:nextest run|test)|(?:python3? -m |uv run |poetry run |` +
		`hatch run |pdm run )?(?:pytest|unittest)|tox|nox|uv run tox|hatch (?:run )?test|(?:npm|pnpm|yarn|` +
		`bun)(?: run)? (?:test|unit|test-unit)|(?:npx )?(?:vitest|jest|mocha)|` +
		`mvn(?:w)?(?: -\S+)* (?:clean )?(?:test|verify)|\./mvnw(?: -\S+)* (?:clean )?(?:test|verify)|` +
		`(?:\./)?gradlew?(?: -\S+)* (?:test|check)|ctest|dotnet test|bundle exec (?:rspec|rake test|rake spec|m)|` +
		`(?:bundle exec )?rake(?: test| spec)?$|rspec|composer (?:run )?test|(?:\./)?vendor/bin/(?:phpunit|pest)|` +
		`phpunit|mix test|sbt (?:clean )?test|swift test|bazel(?:isk)? test|(?:make|just) (?:check|tests?|` +
		`unit\S*)|meson test|ninja test|stack test|cabal (?:v2-)?test|busted|deno test|prove|bats|\./runtest\S*|` +
		`\./run[-_]tests?\S*|\./test\S*\.sh|(?:\./)?(?:scripts?|bin|tools|hack|dev)/(?:run[-_])?tests?(?:\.sh|` +
		`\.py)?)(?:\s|$)`)},
	{Build, lazyregexp.New(`^(?:go build|cargo (?:\+\S+ )?(?:build|check)|(?:npm|pnpm|yarn|bun) (?:run )?build|` +
		`(?:npm|pnpm|yarn|bun) (?:ci|install)$|mvn(?: -\S+)* (?:clean )?(?:package|install|compile)|` +
		`\./mvnw(?: -\S+)* (?:clean )?(?:package|install|compile)|(?:\./)?gradlew?(?: -\S+)* (?:build|assemble)|` +
		`cmake (?:-[SBD]\S*|--build|--preset|\.\.?)|dotnet build|\./configure|(?:sh )?(?:\./)?autogen\.sh|` +
		`make(?: -j\S*)?(?: all| build)?$|just build|mix compile|(?:python3? -m )?pip install -e|` +
		`python3? -m build|uv (?:sync|build)|poetry install|bazel(?:isk)? build|meson setup|ninja(?: -C \S+)?$|` +
		`stack build|cabal (?:v2-)?build|sbt compile|swift build|bundle install|composer install|` +
		`(?:\./)?(?:scripts?|bin|tools|hack|dev)/(?:build|install|setup|bootstrap)(?:\.sh|\.py)?)(?:\s|$)`)},
	{Run, lazyregexp.New(`^(?:go run|cargo run|(?:npm|pnpm|yarn|bun) (?:run )?(?:start|dev|serve)|docker compose up|` +
		`docker-compose up|(?:make|just) (?:run|serve|start|dev|demo)|uvicorn|flask (?:--app \S+ )?run|rails (?:s|` +
		`server)|bin/rails s|dotnet run|mix phx\.server)\b`)},
}

// useOf returns the use of a command line. It returns false for a line with a placeholder.
func useOf(line string) (Use, bool) {
	if line == "" || len(line) > maxCommand || strings.ContainsAny(line, "<>{}|;…") ||
		strings.Contains(line, "...") && !strings.Contains(line, "./...") {
		return "", false
	}
	if strings.HasSuffix(line, "\\") {
		return "", false
	}
	if first, rest, several := strings.Cut(line, "&&"); several { // each part must be known
		if _, ok := useOf(strings.TrimSpace(first)); !ok {
			return "", false
		}
		return useOf(strings.TrimSpace(rest))
	}
	for _, u := range uses {
		if u.begins().MatchString(line) {
			return u.use, true
		}
	}
	return "", false
}

// cutPrompt cuts the prompt before a command.
func cutPrompt(line string) string {
	line = strings.TrimSpace(line)
	for _, prompt := range []string{"$ ", "> ", "% ", "# "} {
		line = strings.TrimPrefix(line, prompt)
	}
	return strings.TrimSpace(line)
}

// inDocument finds commands in Markdown and reStructuredText: in blocks of code, after a prompt,
// and between backticks.
func inDocument(path, source string) (found []Command) {
	var fence markdown.Fence
	eachLine(source, func(n int, line string) {
		bare := strings.TrimSpace(line)
		place := fence.Step(line)
		if place == markdown.Edge {
			return
		}
		isCode := place == markdown.Inside || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") ||
			strings.HasPrefix(bare, "$ ")
		candidates := []string{cutPrompt(line)}
		if !isCode {
			candidates = codeSpans(line)
		}
		for _, c := range candidates {
			c, _, _ = strings.Cut(c, " #") // a comment
			c = strings.TrimSpace(c)
			if use, ok := useOf(c); ok {
				found = append(found, Command{use, Quote{c, path, n}})
			}
		}
	})
	return found
}

// codeSpans returns the texts between back-ticks in a line. One word alone may be a program's name.
func codeSpans(line string) (out []string) {
	for i, part := range strings.Split(strings.ReplaceAll(line, "``", "`"), "`") {
		if i%2 == 1 && strings.ContainsAny(part, " /") {
			out = append(out, part)
		}
	}
	return out
}

// inWorkflow finds the commands of a continuous integration.
func inWorkflow(path, source string) (found []Command) {
	eachLine(source, func(n int, line string) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
		bare := line
		for _, key := range []string{"run:", "script:", "command:", "commands ="} {
			line = strings.TrimSpace(strings.TrimPrefix(line, key))
		}
		line = strings.Trim(line, `'"`)
		if bare == line && !strings.Contains(line, " ") {
			return // a word alone may be a name
		}
		if use, ok := useOf(line); ok && !strings.Contains(line, "$") {
			found = append(found, Command{use, Quote{line, path, n}})
		}
	})
	return found
}

// These bound the text in which commands are looked for.
const (
	maxLines = 20_000
	maxLine  = 2_000 // bytes; longer lines are skipped
)

// eachLine calls f with each line of a text and its number from 1. It skips lines longer than
// maxLine and stops after maxLines.
func eachLine(source string, f func(n int, line string)) {
	n := 0
	for line := range strings.Lines(source) {
		if n++; n > maxLines {
			return
		}
		if len(line) <= maxLine {
			f(n, strings.TrimRight(line, "\r\n"))
		}
	}
}
