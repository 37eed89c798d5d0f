package config

import "patina/scrape/git"

// NameOfURL returns the name on the wire of a repository that git fetches from an address, as
// git.NameOfURL does.
func NameOfURL(address string) string { return git.NameOfURL(address) }
