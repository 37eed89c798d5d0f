package manifest

import "strings"

// A Project is a project of .NET, or a file of properties shared by several projects.
type Project struct {
	PackageIDs []string
	Assemblies []string
	Needs      []Need
}

// ReadProject reads a project, a .props file or a packages.config. base must be the file's name.
func ReadProject(base, text string) (p Project) {
	eachElement(text, func(e element) {
		switch e.name() {
		case "PackageReference":
			scope := ForUse
			if strings.EqualFold(e.attrs["PrivateAssets"], "all") ||
				strings.EqualFold(e.children["PrivateAssets"], "all") {
				scope = ForTests
			}
			p.Needs = append(p.Needs, Need{e.attrs["Include"], scope, e.line})
		case "package":
			if base == "packages.config" {
				scope := ForUse
				if e.attrs["developmentDependency"] == "true" {
					scope = ForTests
				}
				p.Needs = append(p.Needs, Need{e.attrs["id"], scope, e.line})
			}
		case "PackageId":
			p.PackageIDs = append(p.PackageIDs, e.text)
		case "AssemblyName":
			p.Assemblies = append(p.Assemblies, e.text)
		}
	})
	return p
}

// packageName returns the first non-empty package id, otherwise the first assembly, or "".
func (p Project) packageName() string {
	for _, names := range [][]string{p.PackageIDs, p.Assemblies} {
		for _, name := range names {
			if name != "" {
				return name
			}
		}
	}
	return ""
}
