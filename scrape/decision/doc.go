// Package decision reads decision records: the files in which a project keeps what it decided.
//
// It knows the forms in public use: Nygard's records and those of adr-tools, MADR, log4brains, the
// RFCs of Rust and its kin, Kubernetes Enhancement Proposals, and headers as of Python's PEPs.
// path.go says which files are records, record.go what one holds, status.go what its status means,
// edge.go which records stand in the place of others, and names.go tells records of one name apart.
//
// All that a record says is quoted with its line. It is pure and tolerant: any bytes give a record
// or none, in bounded time.
package decision
