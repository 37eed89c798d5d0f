package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A peer is another program that indexes a folder. This project does not build it. It is measured
// if it is installed.
type peer struct {
	name    string
	path    string
	args    func(out string) []string // out is an empty folder to write to
	options []string                  // environment variables
	took    []usage
	size    int64 // of the output, in bytes
}

// indexers returns the peers for a first scrape: zoekt-index with universal-ctags, and only
// universal-ctags. They come from $ZOEKT_INDEX and $CTAGS, or from the path. The report notes peers
// that are missing.
func (b *bench) indexers(ctx context.Context) []*peer {
	var out []*peer
	ctags := found("CTAGS", "universal-ctags", "ctags-universal", "ctags")
	if ctags != "" {
		v, err := output(ctx, "", ctags, "--version")
		if v, _, _ = strings.Cut(v, "\n"); err != nil || !strings.Contains(v, "Universal Ctags") {
			ctags = ""
		} else {
			b.report.note("%s; `ctags -R` on the same tree, in turn with the first scrapes", v)
		}
	}
	if ctags == "" {
		b.report.note("universal-ctags is not on PATH nor in $CTAGS: no comparison with it")
		return nil
	}
	out = append(out, &peer{name: "universal-ctags alone", path: ctags, args: func(out string) []string {
		return []string{"-R", "-f", filepath.Join(out, "tags"), "./"}
	}})
	zoekt := found("ZOEKT_INDEX", "zoekt-index")
	if zoekt == "" {
		b.report.note("zoekt-index is not on PATH nor in $ZOEKT_INDEX: no comparison with it")
		return out
	}
	b.report.note("`zoekt-index -require_ctags` on the same tree, in turn with the first scrapes")
	return append(out, &peer{
		name: "zoekt-index with universal-ctags", path: zoekt, options: []string{"CTAGS_COMMAND=" + ctags},
		args: func(out string) []string { return []string{"-require_ctags", "-index", out, "./"} },
	})
}

// found returns the program that an environment variable names, or the first of names that is on
// the path, or "".
func found(variable string, names ...string) string {
	for _, name := range append([]string{os.Getenv(variable)}, names...) {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// run indexes the tree once with a peer.
func (p *peer) run(ctx context.Context, b *bench) error {
	dir, err := os.MkdirTemp(b.work, "peer-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	u, err := b.process(ctx, nil, "env", append(append(p.options[:len(p.options):len(p.options)], p.path),
		p.args(dir)...)...)
	if err != nil {
		return err
	}
	p.took = append(p.took, u)
	p.size, err = folderSize(dir)
	return err
}

// peerFigures reports the peers and their ratios to the first scrapes, which took turns with them.
func (b *bench) peerFigures(ours []usage, peers []*peer) {
	for _, p := range peers {
		b.report.add(
			figure{p.name, "s", each(p.took, wallSeconds)},
			figure{"— CPU time", "s", each(p.took, cpuSeconds)},
			figure{"— peak memory of its largest process", "MB", each(p.took, peakMegabytes)},
			figure{"— what it wrote", "MB", []float64{float64(p.size) / megabyte}},
			figure{"first scrape to " + p.name, "×", ratios(ours, p.took, wallSeconds)},
			figure{"— CPU time", "×", ratios(ours, p.took, cpuSeconds)},
		)
	}
}

// ratios divides the figures of two commands, run by run.
func ratios(ours, theirs []usage, of func(usage) float64) []float64 {
	var out []float64
	for i := range min(len(ours), len(theirs)) {
		out = append(out, of(ours[i])/cmp.Or(of(theirs[i]), 1e-9))
	}
	return out
}
