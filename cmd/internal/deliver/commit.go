package deliver

import (
	"fmt"
	"strings"
	"time"

	"patina/cmd/internal/layout"
	"patina/store/doc"
)

// A commit is named by its sha and subject.
func init() {
	printers[doc.Commit] = printer{
		name:    subject,
		excerpt: authored,
		above:   authorship,
		json:    func(r *jsonResult, d doc.Description) { r.SHA = d.SHA },
	}
}

func subject(d doc.Description) string {
	sha := d.SHA
	if sha == "" {
		sha = strings.TrimPrefix(d.DocID, doc.Commit.Traits().Prefix)
	}
	return layout.Clip(layout.Head(sha, 7), 7) + " " + layout.Quote(d.Title, layout.MaxName)
}

// authored returns the day and the author.
func authored(d doc.Description) []string {
	if d.Time.IsZero() {
		return nil
	}
	return []string{layout.Day(d.Time) + "  " + layout.Clip(d.Author, layout.MaxName)}
}

// authorship returns the full sha, the minute and the author.
func authorship(d doc.Description) []string {
	if d.Time.IsZero() {
		return nil
	}
	return []string{layout.Clip(d.SHA, 64) + "  " + d.Time.UTC().Format("2006-01-02 15:04") + "  " +
		layout.Clip(d.Author, layout.MaxName)}
}

// maxTouched is how many touched files are named beneath a commit in Recent.
const maxTouched = 4

// recentCommit returns a commit in Recent, with its touched files.
func recentCommit(d doc.Description) block {
	b := block{head: layout.Strong(fmt.Sprintf("%s %s  %s", layout.Day(d.Time), name(d), layout.Clip(d.Author, 40)))}
	var paths []string
	for i, l := range d.Links {
		if i == maxTouched {
			paths = append(paths, fmt.Sprintf("%d more", len(d.Links)-i+d.Unlinked))
			break
		}
		paths = append(paths, layout.ShortPath(l.Target, layout.MaxShortPath))
	}
	if len(paths) > 0 {
		b.rest = []layout.Line{layout.Faint(layout.Indent + strings.Join(paths, ", "))}
	}
	return b
}

// A jsonCommit is a commit from Recent in JSON.
type jsonCommit struct {
	jsonResult
	Time   time.Time `json:"time"`
	Author string    `json:"author"`
}

func jsonCommitOf(d doc.Description, rank int) jsonCommit {
	r := document(d)
	r.Rank = rank
	return jsonCommit{r, d.Time.UTC(), d.Author}
}
