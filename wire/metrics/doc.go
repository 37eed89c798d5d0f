// Package metrics lets others see how a node or a front is: as metrics of Prometheus, as health by
// HTTP and grpc, and as traces of OpenTelemetry.
//
// calls.go counts and times calls, collect.go reads the rest when it is asked for, and listen.go
// answers on one port of this machine. traces.go sends spans, where the standard variables of
// OpenTelemetry say to whom. No text of a question is in any of them: names of calls, nodes and
// repositories are, and numbers.
package metrics
