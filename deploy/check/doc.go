// Package check holds the tests of the files in deploy: the Dockerfile, compose.yaml, the manifests
// and the units.
//
// Each is read by the tool that its field maintains, with the published schema that the tool has:
// the linter of "docker build --check", the loader of Compose, the types of the Kubernetes API
// decoded strictly, and systemd-analyze where systemd is installed. Further tests hold what no
// schema knows: that names lead somewhere, that the files agree with each other, and that no
// process has more rights than it needs.
package check
