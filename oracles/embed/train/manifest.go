package train

import (
	"fmt"
	"io"
	"text/tabwriter"

	"patina/oracles/embed"
)

// WriteManifest writes the origin of a table: each source with its version, its licence and the
// amount read.
func WriteManifest(w io.Writer, c *Corpus, table *embed.Table, steps int) error {
	var total Entry
	for _, e := range c.Manifest {
		total.Files += e.Files
		total.Bytes += e.Bytes
		total.Examples += e.Examples
		total.Shared += e.Shared
		total.Copies += e.Copies
	}
	fmt.Fprintf(w, "# What base.table was trained on; written by \"make train-embedder\".\n")
	fmt.Fprintf(w, "# Table %s: %d pieces of dimension %d, %d steps.\n",
		table.Model(), table.Vocabulary().Len(), table.Dimension(), steps)
	const counts = "# %d sources, %d files, %d bytes, %d examples; " +
		"left out: %d shared with evaluation files, %d copies.\n"
	fmt.Fprintf(w, counts,
		len(c.Manifest), total.Files, total.Bytes, total.Examples, total.Shared, total.Copies)
	fmt.Fprintf(w, "# \"held\" sources were not trained on but measured with.\n\n")
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "source\tversion\tlicence\tfiles\tbytes\texamples\tuse")
	for _, e := range c.Manifest {
		use := "trained"
		if e.Held {
			use = "held"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\t%s\n", e.Name, e.Version, e.Licence, e.Files, e.Bytes, e.Examples, use)
	}
	return t.Flush()
}
