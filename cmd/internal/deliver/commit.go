package deliver

import (
	"fmt"
	"strings"
	"time"

	"patina/store"
)

// A commit is named by its sha and subject.
func init() {
	printers[store.Commit] = printer{
		name:    subject,
		excerpt: authored,
		above:   authorship,
		json:    func(r *jsonResult, d store.Description) { r.SHA = d.SHA },
	}
}

func subject(d store.Description) string {
	sha := d.SHA
	if sha == "" {
		sha = strings.TrimPrefix(d.DocID, store.Commit.Traits().Prefix)
	}
	return clip(head(sha, 7), 7) + " " + quoteText(d.Title, maxName)
}

// authored returns the day and the author.
func authored(d store.Description) []string {
	if d.Time.IsZero() {
		return nil
	}
	return []string{day(d.Time) + "  " + clip(d.Author, maxName)}
}

// authorship returns the same with the whole sha and the minute.
func authorship(d store.Description) []string {
	if d.Time.IsZero() {
		return nil
	}
	return []string{clip(d.SHA, 64) + "  " + d.Time.UTC().Format("2006-01-02 15:04") + "  " + clip(d.Author, maxName)}
}

// maxTouched is how many touched files are named beneath a commit in Recent.
const maxTouched = 4

// recentCommit returns a commit in Recent, with its touched files.
func recentCommit(d store.Description) block {
	b := block{head: line{strong, fmt.Sprintf("%s %s  %s", day(d.Time), name(d), clip(d.Author, 40))}}
	var paths []string
	for i, l := range d.Links {
		if i == maxTouched {
			paths = append(paths, fmt.Sprintf("%d more", len(d.Links)-i+d.Unlinked))
			break
		}
		paths = append(paths, shortPath(l.Target, maxShortPath))
	}
	if len(paths) > 0 {
		b.rest = []line{{faint, indent + strings.Join(paths, ", ")}}
	}
	return b
}

// A jsonCommit is a commit from Recent in JSON.
type jsonCommit struct {
	jsonResult
	Time   time.Time `json:"time"`
	Author string    `json:"author"`
}

func jsonCommitOf(d store.Description, rank int) jsonCommit {
	r := document(d)
	r.Rank = rank
	return jsonCommit{r, d.Time.UTC(), d.Author}
}
