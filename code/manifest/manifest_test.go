package manifest

import "testing"

// Name must return for any text.
func FuzzName(f *testing.F) {
	bases := []string{
		"go.mod", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "pom.xml", "package.json", "CMakeLists.txt", "x.gemspec", "x.csproj",
	}
	for i, base := range bases {
		f.Add(i, "name = \"x\"\n[package]\nname = 'y'\nproject(z)\nmodule m\n<a><PropertyGroup/></a>{\"name\": 1}"+base)
	}
	f.Fuzz(func(t *testing.T, i int, text string) { Name(bases[uint(i)%uint(len(bases))], text) })
}
