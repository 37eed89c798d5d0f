package git

// ObjectFormat returns the hash by which the repository names its objects: "sha1" or "sha256".
func (t Tree) ObjectFormat() string {
	if t.config()["extensions.objectformat"] == "sha256" {
		return "sha256"
	}
	return "sha1"
}

// FileSettings returns the repository's settings of how its files lie on this disk, for
// Call.Options. None of them names a program.
func (t Tree) FileSettings() (out []string) {
	c := t.config()
	for _, key := range []string{"core.filemode", "core.symlinks", "core.ignorecase", "core.trustctime"} {
		switch {
		case c[key] == "":
		case c.is(key):
			out = append(out, key+"=true")
		default:
			out = append(out, key+"=false")
		}
	}
	if c["core.checkstat"] == "minimal" {
		out = append(out, "core.checkStat=minimal")
	}
	return out
}
