// Package registrytest holds the tests of "patina index push" and "pull" against the registry that
// the field maintains, distribution, which they start in this process.
package registrytest
