package doctorcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	sys "golang.org/x/sys/unix"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/registry"
	"patina/scrape"
	"patina/store"
	"patina/store/doc"
	"patina/store/sqlite"
)

// An examination is one run of doctor.
type examination struct {
	ctx   context.Context
	place project.Place
	given bool // --store names the store
	deep  bool
	git   bool // git is installed
	found []Finding

	secrets  bool // look for secrets
	progress func(what string, done, total int)
}

// say adds a finding. values must alternate names and values.
func (e *examination) say(name, status, detail, mend string, values ...any) {
	f := Finding{Name: name, Status: status, Detail: detail, Mend: mend, Values: map[string]any{}}
	for i := 0; i+1 < len(values); i += 2 {
		f.Values[values[i].(string)] = values[i+1]
	}
	e.found = append(e.found, f)
}

// call returns a patina call for the same store. It is empty if the store's path cannot be quoted
// for a shell.
func (e *examination) call(words ...string) string {
	if e.given {
		words = append(words, "--store", e.place.Store)
	}
	return dialect.Command(words...)
}

// chainCommands joins commands. It is empty if any command is.
func chainCommands(commands ...string) string {
	if slices.Contains(commands, "") {
		return ""
	}
	return strings.Join(commands, " && ")
}

// orCommand adds an alternative command to a way out, unless the command is empty.
func orCommand(way, text, command string) string {
	if command == "" {
		return way
	}
	return way + ", or " + text + ": " + command
}

// programs checks the versions of patina and git.
func (e *examination) programs() {
	e.say("patina", fine, fmt.Sprintf("%s %s/%s, schema %d, extractor %s", cli.Version, runtime.GOOS, runtime.GOARCH,
		store.Format, scrape.Version()), "",
		"version", cli.Version, "schema", store.Format, "extractor", scrape.Version())
	v, err := scrape.GitVersion(e.ctx)
	if err != nil {
		e.say("git", warned, err.Error()+": nothing can be scraped", "install git, and see that it is on PATH")
		return
	}
	e.git = true
	e.say("git", fine, v, "", "version", v)
}

// repository checks the working tree, and whether its history is complete.
func (e *examination) repository() {
	r, err := e.place.Repository()
	switch {
	case err != nil:
		e.say("repository", failed, err.Error(), "git status")
	case r == nil:
		e.say("repository", fine, cli.Quoted(e.place.Root)+" is in no git repository: there is no history to search",
			"", "root", e.place.Root)
	case r.HeadErr != nil:
		e.say("repository", warned, r.HeadErr.Error(), "git fsck", "root", e.place.Root)
	default:
		detail := cli.Quoted(e.place.Root) + ", " + headName(r.Head, r.Branch)
		if r.Bare {
			detail += ", bare: only its history is indexed"
		}
		e.say("repository", fine, detail, "", "root", e.place.Root, "head", r.Head, "branch", r.Branch, "bare", r.Bare,
			"linked", r.Linked)
		e.completeness(r)
	}
}

// completeness checks for parts of a repository that a clone left out.
func (e *examination) completeness(r *project.Repository) {
	var lacks, mends []string
	if r.Shallow {
		lacks, mends = append(lacks, "shallow: older commits are not there"), append(mends, "git fetch --unshallow")
	}
	if r.Partial {
		lacks, mends = append(lacks, "a partial clone: commits whose trees are not there are left out"),
			append(mends, "git fetch --refetch --no-filter")
	}
	if r.Sparse {
		lacks, mends = append(lacks, "a sparse checkout: only its files are indexed"),
			append(mends, "git sparse-checkout disable")
	}
	values := []any{"shallow", r.Shallow, "partial", r.Partial, "sparse", r.Sparse}
	if len(lacks) == 0 {
		e.say("history", fine, "whole", "", values...)
		return
	}
	e.say("history", warned, strings.Join(lacks, "; "), chainCommands(append(mends, e.call("scrape"))...), values...)
}

func headName(head, branch string) string {
	switch {
	case head == "":
		return "no commits yet"
	case branch == "":
		return "detached at " + head[:min(12, len(head))]
	}
	return branch + " at " + head[:min(12, len(head))]
}

// motherVariable names the fronts for one call.
const motherVariable = "PATINA_MOTHER"

// home checks the user's folder, the settings, and the fronts that they name.
func (e *examination) home() {
	settings, _, err := registry.SettingSources{Root: e.place.Root, Home: e.place.Home}.Read()
	if err != nil {
		mend := "patina config --help"
		if strings.Contains(err.Error(), motherVariable) {
			mend = "export " + motherVariable + "=HOST:PORT, or unset " + motherVariable
		}
		e.say("settings", failed, err.Error(), mend)
		return
	}
	defer e.fronts(settings)
	if err := registry.Check(e.place.Home); errors.Is(err, sqlite.ErrNewer) {
		e.say("registry", warned, err.Error(), "install the newer patina")
	} else if err != nil {
		e.say("registry", warned, err.Error(), cli.RegistryMend)
	}
	info, err := os.Stat(e.place.Home)
	switch {
	case errors.Is(err, os.ErrNotExist):
		e.say("home", fine, cli.Quoted(e.place.Home)+" will be made when something is to be kept there", "", "home",
			e.place.Home)
	case err == nil && !info.IsDir(), err == nil && sys.Access(e.place.Home, sys.W_OK) != nil:
		e.say("home", warned, cli.Quoted(e.place.Home)+" cannot be written: query ids are not kept", "PATINA_HOME=DIR",
			"home", e.place.Home)
	case err != nil:
		e.say("home", warned, err.Error(), "PATINA_HOME=DIR", "home", e.place.Home)
	default:
		e.say("home", fine, cli.Quoted(e.place.Home), "", "home", e.place.Home)
	}
}

// stored checks the store, from its folder to the lists in the index.
func (e *examination) stored() {
	x, err := project.Examine(e.ctx, e.place)
	if err != nil {
		e.say("index", failed, err.Error(), e.call("scrape"), "store", e.place.Store)
		return
	}
	e.checkFolder(x)
	e.disk(x)
	if !e.index(x) {
		return
	}
	i, err := project.Inspect(e.ctx, e.place)
	if err != nil {
		e.say("integrity", failed, err.Error(), e.call("scrape", "--full"))
		return
	}
	defer func() { _ = i.Close() }()
	e.integrity(i)
	if e.git { // only git tells which files count
		e.freshness(i)
	}
	if e.secrets {
		e.tokens(i)
	}
}

func (e *examination) checkFolder(x store.Examination) {
	values := []any{"store", e.place.Store, "bytes", x.Bytes, "writable", !x.ReadOnly, "holder", x.Holder}
	detail := cli.Quoted(e.place.Store)
	switch {
	case !x.Exists && sys.Access(filepath.Dir(e.place.Store), sys.W_OK) == nil:
		e.say("store", fine, detail+" will be made by the first scrape", "", values...)
	case !x.Exists:
		e.say("store", warned, detail+" cannot be made", "patina scrape --store DIR", values...)
	case x.ReadOnly:
		e.say("store", warned, detail+" cannot be written: questions are answered, a scrape needs another folder",
			"patina scrape --store DIR", values...)
	default:
		e.say("store", fine, detail+", "+bytesText(x.Bytes), "", values...)
	}
	if x.Holder != "" {
		e.say("lock", fine, "a scrape is under way: "+x.Holder, "", "holder", x.Holder)
	}
}

// index checks the published index, and reports whether it can answer questions.
func (e *examination) index(x store.Examination) bool {
	g := x.Generation
	values := []any{
		"file", x.File, "schema", x.Format, "extractor", x.Extractor, "generation", g.Number, "head", g.Head, "branch",
		g.Branch,
		"files", g.Files, "chunks", g.Chunks, "commits", g.Commits, "history", g.History, "model", x.Model,
		"documents", x.Documents,
	}
	switch {
	case errors.Is(x.Err, store.ErrNoIndex):
		e.say("index", failed, "there is none", e.call("scrape"))
	case errors.Is(x.Err, store.ErrNewer):
		e.say("index", failed, fmt.Sprintf("%v: schema %d, this one reads %d", x.Err, x.Format, store.Format),
			orCommand("install the newer patina", "build the index anew",
				chainCommands(e.call("clean"), e.call("scrape"))), values...)
	case errors.Is(x.Err, store.ErrOlder), errors.Is(x.Err, store.ErrDamaged), errors.Is(x.Err, store.ErrForeign):
		e.say("index", failed, x.Err.Error(), e.call("scrape", "--full"), values...)
	case x.Err != nil:
		e.say("index", failed, x.Err.Error(), "", values...)
	case x.Extractor != scrape.Version():
		e.say("index", warned, fmt.Sprintf("written by another version of the parsers: %s, this one has %s",
			x.Extractor, scrape.Version()), e.call("scrape"), values...)
		return true
	case g.WordsOnly:
		e.say("index", warned, "words and history answer, the model is not fitted yet", e.call("scrape"), values...)
		return true
	default:
		detail := fmt.Sprintf("generation %d, scraped %s: %s, %s", g.Number, g.ScrapedAt.Local().Format(time.DateTime),
			cli.Plural(g.Files, "file"), cli.Plural(g.Commits, "commit"))
		for _, k := range doc.Kinds() {
			if n, unit := x.Documents[k], k.Traits().Unit; n > 0 && unit != "" {
				detail += ", " + cli.Plural(n, unit)
			}
		}
		if g.History != "" {
			detail += " (" + g.History + ")"
		}
		if x.Model == "" {
			detail += ", no vectors"
		}
		e.say("index", fine, detail, "", append(values, "scraped_at", g.ScrapedAt)...)
		return true
	}
	return false
}

func (e *examination) integrity(i *project.Inspection) {
	v, err := i.Verify(e.ctx, e.deep)
	values := []any{
		"lists", v.Lists, "files", v.Files, "commits", v.Commits, "vectors", v.Vectors, "texts", v.Bodies,
		"deep", e.deep,
	}
	if err != nil {
		e.say("integrity", failed, err.Error(), e.call("scrape", "--full"), values...)
		return
	}
	detail := fmt.Sprintf("sound: %s, %s, %s", cli.Plural(v.Lists, "posting list"), cli.Plural(v.Files, "file"),
		cli.Plural(v.Commits, "commit"))
	if v.Vectors > 0 {
		detail += ", " + cli.Plural(v.Vectors, "vector")
	}
	if e.deep {
		detail += ", " + cli.Plural(v.Bodies, "text")
	}
	e.say("integrity", fine, detail, "", values...)
}

// freshness compares the index with HEAD and with the working tree.
func (e *examination) freshness(i *project.Inspection) {
	behind, note := e.commitsBehind(i)
	p, err := i.Pending(e.ctx)
	if err != nil {
		e.say("freshness", warned, err.Error(), "git status")
		return
	}
	if len(p.Missing) > 0 {
		e.say("submodules", warned, cli.Plural(len(p.Missing), "submodule")+" not checked out: "+
			strings.Join(p.Missing, ", "),
			chainCommands("git submodule update --init --recursive", e.call("scrape")), "missing", p.Missing)
	}
	values := []any{"behind_commits", behind, "added", p.Added, "changed", p.Changed, "removed", p.Removed}
	var late []string
	switch {
	case note != "":
		late = append(late, note)
	case behind > 0:
		late = append(late, cli.Plural(behind, "commit")+" behind HEAD")
	}
	if p.Files() > 0 {
		late = append(late, fmt.Sprintf("files that differ: %d (%d new, %d changed, %d gone)", p.Files(), p.Added,
			p.Changed, p.Removed))
	}
	if len(late) > 0 {
		again := []string{"scrape"}
		if p.Secrets {
			again = append(again, "--include-secrets") // as in the last scrape
		}
		e.say("freshness", warned, strings.Join(late, "; "), e.call(again...), values...)
		return
	}
	e.say("freshness", fine, "the index shows the working tree as it is", "", values...)
}

// gitWithin bounds the time for git to count commits.
const gitWithin = 30 * time.Second

// commitsBehind counts the commits in HEAD that the index lacks. It returns -1 if git cannot count
// them, with a note if that matters.
func (e *examination) commitsBehind(i *project.Inspection) (int, string) {
	ctx, cancel := context.WithTimeout(e.ctx, gitWithin)
	defer cancel()
	return i.Behind(ctx)
}

// disk warns if there may be no room for a full scrape, which writes a second database beside the
// first.
func (e *examination) disk(x store.Examination) {
	const spare = 64 << 20 // further bytes for the log and a growing repository
	dir := e.place.Store
	if !x.Exists {
		dir = e.place.Root
	}
	var fs sys.Statfs_t
	if err := sys.Statfs(dir, &fs); err != nil {
		e.say("disk", warned, fmt.Sprintf("look at %s: %v", cli.Quoted(dir), err), "")
		return
	}
	free := int64(fs.Bavail) * int64(fs.Bsize)
	values := []any{"free_bytes", free}
	if free < x.Bytes+spare {
		e.say("disk", warned, bytesText(free)+" free: a full scrape may find no room",
			"make room, or name a folder on another disk with --store DIR", values...)
		return
	}
	e.say("disk", fine, bytesText(free)+" free", "", values...)
}

// bytesText writes a size for people.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
}
