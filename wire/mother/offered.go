package mother

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"patina/internal/safeio"
	"patina/wire/nodepb"
	"patina/wire/peer"
)

// An Offered is a repository that the user may ask on other machines.
type Offered struct {
	Name      string    `json:"name"` // on all machines
	Head      string    `json:"head"` // commit of its index
	ScrapedAt time.Time `json:"scraped_at"`
}

// A list is the last known list of the repositories.
type list struct {
	Fronts       []string  `json:"fronts"` // whose list it is
	Tag          string    `json:"tag"`    // of the list at the fronts
	Repositories []Offered `json:"repositories"`
}

const (
	keptFolder = "mother"
	listFile   = "repositories.json"
	maxList    = 32 << 20 // bytes; 10,000 repositories have some 2 MB
	folderMode = 0o700
)

// Repositories returns the repositories that the user may ask, by name. What has not changed is not
// transferred again.
func (c *Client) Repositories(ctx context.Context) ([]Offered, error) {
	set, err := c.open()
	if err != nil {
		return nil, err
	}
	fronts, err := c.Fronts()
	if err != nil {
		return nil, err
	}
	kept := c.readList(fronts)
	reply, err := askFronts(ctx, set, &nodepb.RepositoriesRequest{Etag: kept.Tag})
	if err != nil {
		return nil, err
	}
	if reply.GetUnchanged() {
		return kept.Repositories, nil
	}
	kept = list{Fronts: fronts, Tag: reply.GetEtag(), Repositories: []Offered{}}
	for _, h := range reply.GetRepositories() {
		o := Offered{Name: h.GetRepository(), Head: h.GetHead()}
		if t := h.GetScrapedAtUnix(); t > 0 {
			o.ScrapedAt = time.Unix(t, 0).UTC()
		}
		kept.Repositories = append(kept.Repositories, o)
	}
	slices.SortFunc(kept.Repositories, func(a, b Offered) int { return strings.Compare(a.Name, b.Name) })
	c.writeList(kept)
	return kept.Repositories, nil
}

// Offers reports whether the user may ask the repository with a name on all machines. It costs less
// than the list of all.
func (c *Client) Offers(ctx context.Context, repository string) (bool, error) {
	set, err := c.open()
	if err != nil {
		return false, err
	}
	reply, err := askFronts(ctx, set, &nodepb.RepositoriesRequest{Repositories: []string{repository}})
	return slices.ContainsFunc(reply.GetRepositories(), func(h *nodepb.Hosted) bool {
		return h.GetRepository() == repository
	}), err
}

func askFronts(ctx context.Context, set *peer.Set, m *nodepb.RepositoriesRequest) (*nodepb.RepositoriesReply, error) {
	reply, call, err := peer.TryAny(ctx, set, peer.How{Hedge: true},
		func(life context.Context, c *peer.Call) (*nodepb.RepositoriesReply, error) {
			return nodepb.NewFrontClient(c.Conn).Repositories(life, m)
		})
	if err != nil {
		return nil, explain(err)
	}
	call.End()
	return reply, nil
}

// explain returns an error of a call to fronts.
func explain(err error) error {
	f := failureOf(err)
	if call, ok := errors.AsType[*peer.CallError](err); ok && status.Code(call.Err) == codes.Unimplemented {
		f.Detail = call.Node + " is no front: name the address of a front in PATINA_MOTHER"
	}
	return f
}

// readList returns the kept list of some fronts, or an empty one.
func (c *Client) readList(fronts []string) (l list) {
	b, err := safeio.ReadFile(filepath.Join(c.home, keptFolder, listFile), maxList)
	if err != nil || json.Unmarshal(b, &l) != nil || !slices.Equal(l.Fronts, fronts) {
		return list{}
	}
	return l
}

// writeList keeps a list. It ignores errors, because the next call then only takes longer.
func (c *Client) writeList(l list) {
	b, err := json.Marshal(l)
	if err == nil && os.MkdirAll(filepath.Join(c.home, keptFolder), folderMode) == nil {
		_ = replaceFile(filepath.Join(c.home, keptFolder, listFile), b)
	}
}

// replaceFile replaces a file by rename, so that a reader sees either the old content or the new.
func replaceFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
