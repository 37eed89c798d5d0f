// Package impact finds what a change of files or symbols may reach: who calls it, which tests reach
// it, which files mostly change together with it, and who owns it.
//
// It reads one generation of an index and runs nothing. Callers are those of package assay, the
// files that change together come from package history, and owners from package brief. Files are
// ranked by the probability that a change of the first needs a change of the others (rank.go).
// Facts that no parser finds are in Impact.Unknown, because no callers then means unknown, not
// zero. Every search is bounded, and Impact.Notes says where a bound was reached.
//
// It leaves to others: reading a diff (scrape/git), the beliefs about the files (belief/verify),
// and all printing. Functions leave nothing open in the store.Reader.
package impact
