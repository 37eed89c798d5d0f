package ui

import (
	"cmp"
	"errors"
	"fmt"
	"path"

	"patina/ask"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/layout"
	"patina/code/describe"
)

// mostFolders bounds each list of a folder.
const mostFolders = 40

// A folder is the overview of a folder, as its page shows it.
type folder struct {
	Name, Size string
	Crumbs     []crumb
	Readme     *edge
	Lists      []edgeList
	Rest       []string // how many more there are
}

// folderInstead shows the folder that the address names, if no document has that name. cause is the
// error about the document, which it returns if there is no such folder.
func (v *view) folderInstead(t trail, name string, cause error) error {
	if _, unknown := errors.AsType[*ask.NotFoundError](cause); !unknown {
		return cause
	}
	c, err := v.beginCall("orient", 0)
	if err != nil {
		return cause
	}
	dir, ok, err := c.Place.Folder(name)
	if err != nil || !ok {
		return cause
	}
	a, err := c.Ask(v.r.Context(), ask.Request{Form: ask.Orient, Name: dir})
	if err != nil {
		return explain(err, c)
	}
	if a.Folder == nil {
		return cause
	}
	return v.page("folder", dir, "", folderOf(a.Folder.Overview, t))
}

// folderOf returns the overview of a folder with its links.
func folderOf(o describe.Overview, t trail) folder {
	name := cmp.Or(o.Folder, ".")
	f := folder{
		Name: name + "/", Size: layout.Count(o.Files, "file") + ", " + layout.Count(o.Lines, "line"), Crumbs: t.crumbs(),
	}
	past := t.past(name)
	if r := o.Readme; r != nil {
		f.Readme = &edge{Name: deliver.Name(*r), Link: past.link(r.DocID, 0)}
	}
	var files, folders, starts edgeList
	for _, x := range o.Central[:min(len(o.Central), mostFolders)] {
		files.Edges = append(files.Edges, edge{
			Name: layout.ShortPath(x.Path, layout.MaxShortPath), Link: past.link(x.Path, 0),
			Note: fmt.Sprintf("%s, %s", layout.Count(x.Users, "user"), layout.Count(x.Commits, "commit")),
		})
	}
	for _, x := range o.Folders[:min(len(o.Folders), mostFolders)] {
		folders.Edges = append(folders.Edges, edge{
			Name: layout.Clip(x.Name, layout.MaxShortPath), Link: past.link(path.Join(o.Folder, path.Base(x.Name)), 0),
			Note: layout.Count(x.Files, "file"),
		})
	}
	for _, x := range o.EntryPoints[:min(len(o.EntryPoints), mostFolders)] {
		starts.Edges = append(starts.Edges, edge{
			Name: layout.ShortPath(x.Path, layout.MaxShortPath), Link: past.link(x.Path, x.Line), Note: layout.Clip(x.Symbol, 40),
		})
	}
	for _, l := range []edgeList{{"Where to start", starts.Edges}, {"Central files", files.Edges}, {"Folders", folders.Edges}} {
		if len(l.Edges) > 0 {
			f.Lists = append(f.Lists, l)
		}
	}
	return f
}
