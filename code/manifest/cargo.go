package manifest

import "strings"

// A Cargo is the content of a Cargo.toml.
type Cargo struct {
	Name    string // of the package; "" for a workspace without a package
	Hidden  bool   // not published
	Edition string
	Lib     string   // name of its library; "" if it has the package's name
	LibPath string   // root of its library, relative to the folder; "" for the usual one
	Targets []string // paths of other roots
	Needs   []CargoNeed
	Shares  []CargoNeed       // [workspace.dependencies]
	Patches map[string]string // from a package to the folder that replaces it
}

// A CargoNeed is a dependency on the package Name.
type CargoNeed struct {
	Need
	As      string // its name in sources
	Path    string // of its folder; "" if it comes from a registry
	Inherit bool   // the workspace has the rest
	table   string
}

// cargoScopes are the tables that list dependencies. Those of a build script are needed to use the
// crate.
var cargoScopes = map[string]Scope{"dependencies": ForUse, "build-dependencies": ForUse, "dev-dependencies": ForTests}

// cargoRoots are the tables that list further roots of crates.
var cargoRoots = map[string]bool{"bin": true, "test": true, "bench": true, "example": true}

// ReadCargo reads a Cargo.toml up to the first mistake.
func ReadCargo(text string) Cargo {
	c := Cargo{Patches: map[string]string{}}
	eachTOML(text, func(t tomlText) bool {
		switch k := t.keys; {
		case k[0] == "package":
			c.readPackage(t)
		case t.hasKeys("lib", "name"):
			c.Lib = t.value
		case t.hasKeys("lib", "path"):
			c.LibPath = t.value
		case len(k) == 2 && k[1] == "path" && cargoRoots[k[0]]:
			c.Targets = append(c.Targets, t.value)
		case len(k) == 4 && k[0] == "patch" && k[3] == "path":
			c.Patches[k[2]] = t.value
		case len(k) > 3 && k[0] == "target":
			c.Needs = withCargoNeed(c.Needs, k[2:], t)
		case len(k) > 2 && k[0] == "workspace":
			c.Shares = withCargoNeed(c.Shares, k[1:], t)
		default:
			c.Needs = withCargoNeed(c.Needs, k, t)
		}
		return true
	})
	return c
}

// readPackage reads a value of [package].
func (c *Cargo) readPackage(t tomlText) {
	switch {
	case t.hasKeys("package", "name"):
		c.Name = t.value
	case t.hasKeys("package", "publish"):
		c.Hidden = t.value == "false"
	case len(t.keys) > 1 && t.keys[1] == "edition":
		c.Edition = t.value
	}
}

// withCargoNeed adds a line of dependencies: a new dependency, or more about the last one.
func withCargoNeed(needs []CargoNeed, keys []string, t tomlText) []CargoNeed {
	scope, ok := cargoScopes[keys[0]]
	if !ok || len(keys) < 2 {
		return needs
	}
	if n := len(needs); n == 0 || needs[n-1].As != keys[1] || needs[n-1].table != keys[0] {
		needs = append(needs, CargoNeed{Need: Need{keys[1], scope, t.line}, As: keys[1], table: keys[0]})
	}
	if n := &needs[len(needs)-1]; len(keys) == 3 {
		switch keys[2] {
		case "path":
			n.Path = t.value
		case "workspace":
			n.Inherit = t.value == "true"
		case "package":
			n.Name = t.value
		}
	}
	return needs
}

// cargoName returns the name of a package, or "". It stops reading at the name.
func cargoName(text string) (name string) {
	eachTOML(text, func(t tomlText) bool {
		if t.isString && !t.listed && t.hasKeys("package", "name") {
			name = t.value
		}
		return name == ""
	})
	return name
}

// CrateName returns the name of a crate as paths in sources spell it.
func CrateName(s string) string { return strings.ReplaceAll(s, "-", "_") }
