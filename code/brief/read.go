package brief

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"patina/code/describe"
	"patina/code/history"
	"patina/internal/lazyregexp"
	"patina/scrape/prose"
	"patina/store"
	"patina/store/doc"
)

// Changes are the commits of the last month. If nothing changed in that month, they are the commits
// of the last month before the newest commit.
type Changes struct {
	history.Period
	Until time.Time
}

const (
	month      = 30 * 24 * time.Hour
	year       = 365 * 24 * time.Hour
	maxChanges = 20
)

// Read gathers the brief of a project from one generation. Pieces with words of the topic come
// first. An empty topic orders nothing. The survey must be of the same generation. Read returns
// lookup.ErrNoDocument if the index is empty.
func Read(
	ctx context.Context, r *store.Reader, s *describe.Survey, topic string, now time.Time,
) (*Brief, error) {
	over, err := s.Orient(ctx, r, "", doc.Filter{})
	if err != nil {
		return nil, err
	}
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	g, files, err := newGatherer(ctx, r)
	if err != nil {
		return nil, err
	}
	b := &Brief{Central: distinctFiles(over.Central)}
	b.Central = b.Central[:min(len(b.Central), maxCentral)]
	if err := errors.Join(g.writing(b, files), g.packages(b, over.Central), g.layer(b, snap, files, topic)); err != nil {
		return nil, err
	}
	if b.Authors, err = countAuthors(ctx, r, snap); err != nil {
		return nil, err
	}
	if b.Recent, err = listChanges(ctx, r, now); err != nil {
		return nil, err
	}
	b.sort(topic)
	return b, nil
}

// distinctFiles returns the central files without repetitions.
func distinctFiles(all []describe.Central) (out []describe.Central) {
	for _, c := range all {
		if !slices.ContainsFunc(out, func(o describe.Central) bool { return o.Path == c.Path }) {
			out = append(out, c)
		}
	}
	return out
}

func (b *Brief) sort(topic string) {
	b.Commands, b.Rules = bestCommands(b.Commands), bestRules(b.Rules)
	said := func(q Quote) string { return q.Text }
	byTopic(b.Rules, topic, said)
	byTopic(b.Conventions, topic, said)
	byTopic(b.Packages, topic, func(p Package) string { return p.Folder + " " + p.Purpose.Text })
	byTopic(b.Owners, topic, func(o Owner) string { return o.Pattern })
	byTopic(b.Recent.Commits, topic, func(d doc.Description) string {
		if Routine(d.Title) > 0 || Vague(d.Title) {
			return ""
		}
		return d.Title
	})
	b.Packages = b.Packages[:min(len(b.Packages), maxPackages)]
}

// A gatherer reads files of one generation.
type gatherer struct {
	ctx  context.Context
	r    *store.Reader
	keys map[string]int64
}

func (g *gatherer) exists(name string) bool { _, ok := g.keys[name]; return ok }

// readText returns the text of a file, or "" if the index has no text of it.
func (g *gatherer) readText(name string) (string, error) {
	key, ok := g.keys[name]
	if !ok {
		return "", nil
	}
	s, err := g.r.Text(g.ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return s, err
}

// maxFiles bounds the files that are read for commands, conventions and rules.
const maxFiles = 200

// writing reads the files about the whole project: purpose, commands, conventions, rules and
// owners.
func (g *gatherer) writing(b *Brief, files []doc.ListedFile) error {
	left := maxFiles
	var guessed *Quote // the purpose, if it is below the second heading
	for _, f := range files {
		name := f.Path
		isRule := prose.RuleSourceOf(name) != prose.NoRules
		atRoot := !strings.Contains(name, "/")
		if !isRule && !(atRoot && isReadme(name)) && sourceOf(name) == noCommands && !maybeConvention(name) {
			continue
		}
		if left--; left < 0 {
			return nil
		}
		source, err := g.readText(name)
		if err != nil {
			return err
		}
		if atRoot && isReadme(name) {
			q, sure, ok := PurposeOf(name, source)
			switch {
			case ok && sure && b.Purpose == nil:
				b.Purpose = &q
			case ok && guessed == nil:
				guessed = &q
			}
		}
		b.Commands = append(b.Commands, CommandsIn(name, source, g.exists)...)
		b.Conventions = append(b.Conventions, ConventionsIn(name, source)...)
		if isRule {
			b.Rules = append(b.Rules, RulesIn(name, source)...)
		}
	}
	if b.Purpose == nil {
		if err := g.readPurpose(b); err != nil {
			return err
		}
		b.Purpose = cmp.Or(b.Purpose, guessed)
	}
	for _, name := range ownerFiles {
		source, err := g.readText(name)
		if b.Owners = OwnersIn(name, source); err != nil || len(b.Owners) > 0 {
			return err
		}
	}
	return nil
}

// describing are the manifests that may have a description.
var describing = []string{"package.json", "Cargo.toml", "pyproject.toml", "composer.json"}

// readPurpose takes the purpose from the first manifest at the root that has a description.
func (g *gatherer) readPurpose(b *Brief) error {
	for _, name := range describing {
		source, err := g.readText(name)
		if err != nil {
			return err
		}
		if q, ok := LeadOf(name, source); ok {
			b.Purpose = &q
			return nil
		}
	}
	return nil
}

var conventionFile = lazyregexp.New(`(?:^|/)(?:\.golangci\.\w+|\.eslintrc[\w.]*|eslint\.config\.\w+|` +
	`\.?(?:cargo-)?deny\.toml|\.importlinter)$|^(?:go\.mod|setup\.cfg|pyproject\.toml)$`)

func maybeConvention(name string) bool { return conventionFile().MatchString(name) }

// packages finds the parts of a project that state their purpose.
func (g *gatherer) packages(b *Brief, central []describe.Central) error {
	for _, u := range unitsOf(central, g.exists) {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		for _, name := range u.leads {
			source, err := g.readText(name)
			if err != nil {
				return err
			}
			if q, ok := LeadOf(name, source); ok {
				b.Packages = append(b.Packages, Package{u.folder, q})
				break
			}
		}
	}
	return nil
}

// countAuthors counts the commits of each author in the last year of the history, the most first.
// It leaves out merges and bots.
func countAuthors(ctx context.Context, r *store.Reader, snap *store.Snapshot) ([]Author, error) {
	var newest sql.NullInt64
	if err := r.QueryRow(ctx, `SELECT max(time) FROM revision`).Scan(&newest); err != nil {
		return nil, store.Damaged(err)
	}
	var all []Author
	since := newest.Int64 - int64(year/time.Second)
	err := r.EachRevision(ctx, snap, `WHERE time >= ?`, []any{since}, func(v store.RevisionRow) error {
		if v.Merge || prose.IsBot(v.Author) {
			return nil
		}
		i := slices.IndexFunc(all, func(a Author) bool { return a.Name == v.Author })
		if i < 0 {
			i, all = len(all), append(all, Author{Name: v.Author})
		}
		all[i].Commits++
		return nil
	})
	slices.SortFunc(all, func(a, b Author) int {
		return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(len(all), maxAuthors)], err
}

// listChanges lists the commits of the last month, routine ones last.
func listChanges(ctx context.Context, r *store.Reader, now time.Time) (Changes, error) {
	p, err := history.Recent(ctx, r, now.Add(-month), doc.Filter{}, maxChanges)
	if err == nil && p.Total == 0 && !p.Newest.IsZero() {
		now = p.Newest
		p, err = history.Recent(ctx, r, now.Add(-month), doc.Filter{}, maxChanges)
	}
	slices.SortStableFunc(p.Commits, func(a, b doc.Description) int {
		return cmp.Compare(Routine(a.Title), Routine(b.Title))
	})
	seen := map[string]bool{} // a squashed change and its merge have one subject
	p.Commits = slices.DeleteFunc(p.Commits, func(d doc.Description) bool {
		subject := strings.TrimRight(numbered().ReplaceAllString(d.Title, ""), ". ")
		again := seen[subject] && !Vague(d.Title)
		seen[subject] = true
		return again
	})
	return Changes{p, now}, err
}

// numbered matches the number of a pull request at the end of a subject.
var numbered = lazyregexp.New(`\s*\(#\d+\)\.?$`)

var routineSubject = lazyregexp.New(`(?i)^(?:v?\d+\.\d|[\w-]+[- ]v?\d+\.\d[\w.]*$|bump|prep(?:are)? (?:for )?release|` +
	`release|changelog|merge|re-?fmt|(?:chore|build|ci|docs|style|test)[(:]|fix typos?|typo|ci\b|bundle update|` +
	`update (?:the )?(?:[A-Z_]+\.(?:md|txt|rst)$|links\b|(?:[\w-]+ )?dependencies|deps\b|lock|` +
	`\S+ (?:action )?(?:from \S+ )?to v?\d)|add .*\bchangelog$)|\[(?:ci skip|skip ci)\]|\bchangelog entry\b`)

// Routine returns 1 for the subject of a commit that says nothing about the code, otherwise 0.
func Routine(subject string) int {
	if routineSubject().MatchString(subject) {
		return 1
	}
	return 0
}

var vagueSubject = lazyregexp.New(`(?i)^(?:(?:minor|small|quick|more|some|various|misc\.?|final|` +
	`another)\s+)*(?:fix(?:es|ed)?|bug ?fix(?:es)?|wip|updates?|updated|changes?|clean ?up|tweaks?|improvements?|` +
	`refactor(?:ing)?|stuff|misc|oops|save|progress|commit)(?:\s+(?:fix(?:es)?|changes?|updates?|tests?|it|this|` +
	`things|stuff|bugs?|build))?[.!]*$|^(?:apply (?:suggestions?|review|format)\S*(?: (?:from|of) .*)?|` +
	`address (?:review|comments?|feedback).*|add(?:ed)? (?:more )?tests?|updated? doc(?:s|ument(?:s|ation)?)?|` +
	`update \S+/\S+\.\w+)$`)

// Vague reports whether the subject of a commit does not say what it changes: "Fix", "Minor fixes".
func Vague(subject string) bool { return vagueSubject().MatchString(strings.TrimSpace(subject)) }
