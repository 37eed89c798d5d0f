package mother

import (
	"path"
	"strings"

	"patina/code/manifest"
)

// A declaration is a manifest whose names are being added to the facts.
type declaration struct {
	*facts
	path, text string
	aside      bool              // it is among tests, examples or tools
	published  bool              // another manifest in its folder publishes the package
	above      bool              // a manifest in the folder above does
	catalog    map[string]string // of Gradle: alias → package; may be nil
}

// enterers maps the names of manifests, or "*.x" for an extension, to the functions that read them.
var enterers = map[string]func(*declaration){
	"go.mod":              (*declaration).goMod,
	"package.json":        (*declaration).packageJSON,
	"composer.json":       (*declaration).composer,
	"Cargo.toml":          (*declaration).cargo,
	"pyproject.toml":      func(d *declaration) { d.python(manifest.ReadPyproject(d.text)) },
	"Pipfile":             func(d *declaration) { d.need(pypi, manifest.ReadPipfile(d.text)...) },
	"setup.cfg":           func(d *declaration) { d.python(manifest.ReadSetupCfg(d.text)) },
	"setup.py":            func(d *declaration) { d.python(manifest.ReadSetupPy(d.text)) },
	"Gemfile":             (*declaration).gemfile,
	"*.gemspec":           (*declaration).gemspec,
	"pom.xml":             (*declaration).pom,
	"build.gradle":        (*declaration).gradle,
	"build.gradle.kts":    (*declaration).gradle,
	"settings.gradle":     (*declaration).gradleSettings,
	"settings.gradle.kts": (*declaration).gradleSettings,
	"gradle.properties":   (*declaration).gradleProperties,
	"*.csproj":            (*declaration).project,
	"*.fsproj":            (*declaration).project,
	"*.vbproj":            (*declaration).project,
	"*.props":             (*declaration).project,
	"packages.config":     (*declaration).project,
	"mix.exs":             (*declaration).mix,
	"pubspec.yaml":        (*declaration).pubspec,
}

// enterer returns the function that reads a manifest, or nil if the file is not a manifest.
func enterer(p string) func(*declaration) {
	base := path.Base(p)
	if f := enterers[base]; f != nil {
		return f
	}
	if f := enterers["*"+path.Ext(base)]; f != nil && path.Ext(base) != base {
		return f
	}
	switch {
	case strings.HasSuffix(base, ".gradle"), strings.HasSuffix(base, ".gradle.kts"):
		// Conventions that several builds share.
		return (*declaration).gradle
	case manifest.IsRequirements(p):
		return (*declaration).requirements
	}
	return nil
}

// IsManifest reports whether Suggest needs the text of the file with this path.
func IsManifest(p string) bool { return enterer(p) != nil || isCatalog(p) }

// isCatalog reports whether a file holds the aliases of Gradle's packages.
func isCatalog(p string) bool {
	return p == manifest.GradleCatalog || strings.HasSuffix(p, "/"+manifest.GradleCatalog)
}

// gradleCatalog returns the package names that the builds of a repository share, by alias.
func gradleCatalog(files []File) map[string]string {
	catalog := map[string]string{}
	for _, x := range files {
		if isCatalog(x.Path) {
			manifest.ReadGradleCatalog(x.Text, catalog)
		}
	}
	return catalog
}

// publish adds packages that the repository publishes. It ignores those of tests and examples.
func (d *declaration) publish(ecosystem string, names ...string) {
	for _, name := range names {
		if !d.aside {
			d.provide(ecosystem, name, d.path)
		}
	}
}

// need adds dependencies. Those of tests and examples count as dependencies of tests.
func (d *declaration) need(ecosystem string, needs ...manifest.Need) {
	for _, n := range needs {
		if n.Name = clean(ecosystem, n.Name); n.Name == "" {
			continue
		}
		if d.aside {
			n.Scope = manifest.ForTests
		}
		d.needs = append(d.needs, need{n, ecosystem, d.path})
	}
}

func (d *declaration) goMod() {
	m := manifest.ReadGoMod(d.text)
	d.publish(golang, m.Module)
	d.need(golang, m.Needs...)
}

// packageJSON adds a package of npm. It does not publish a private one, because others cannot
// depend on it by name.
func (d *declaration) packageJSON() {
	p := manifest.ReadNPM(d.text)
	for _, n := range p.Needs {
		if n.Name != n.As {
			d.renamed[npm+" "+n.As] = n.Name
		}
		d.need(npm, n.Need)
	}
	if !p.Private {
		d.publish(npm, p.Name)
	}
}

func (d *declaration) composer() {
	c := manifest.ReadComposer(d.text)
	d.publish(packagist, c.Names...)
	d.need(packagist, c.Needs...)
	for _, namespace := range c.Namespaces {
		if !d.aside {
			d.module(packagist, namespace, d.path)
		}
	}
}

func (d *declaration) cargo() {
	c := manifest.ReadCargo(d.text)
	if c.Lib != "" && !d.aside {
		d.module(cargo, c.Lib, d.path)
	}
	if !c.Hidden {
		d.publish(cargo, c.Name)
	}
	for _, n := range c.Needs {
		if n.Name != n.As {
			d.renamed[cargo+" "+manifest.CrateName(n.As)] = manifest.CrateName(n.Name)
		}
		d.need(cargo, n.Need)
	}
}

func (d *declaration) python(p manifest.Python) {
	d.publish(pypi, p.Name, p.OtherName)
	d.need(pypi, p.Needs...)
}

// requirements adds a list of pip. Beside a manifest that publishes, it lists dependencies of
// developers.
func (d *declaration) requirements() {
	scope := manifest.ScopeOfGroup(strings.TrimSuffix(path.Base(d.path), path.Ext(d.path)))
	if d.published || isWithin(d.path, aside) || path.Base(path.Dir(d.path)) == "requirements" && d.above {
		scope = manifest.ForTests
	}
	for _, n := range manifest.ReadRequirements(d.text) {
		n.Scope = scope
		d.need(pypi, n)
	}
}

func (d *declaration) gemspec() {
	g := manifest.ReadGemspec(d.text)
	d.publish(gems, g.Name)
	d.need(gems, g.Needs...)
}

// gemfile adds the gems of an application. Beside a gemspec they are dependencies of developers.
func (d *declaration) gemfile() {
	for _, n := range manifest.ReadGemfile(d.text) {
		if d.published {
			n.Scope = manifest.ForTests
		}
		d.need(gems, n)
	}
}

func (d *declaration) pom() {
	p := manifest.ReadPom(d.text)
	d.publish(maven, p.Group+":"+p.Artifact)
	d.need(maven, p.Needs...)
}

func (d *declaration) gradle() {
	g := manifest.ReadGradle(d.text, d.catalog)
	d.enterGradle(g)
	d.need(maven, g.Needs...)
	if folder := path.Base(path.Dir(d.path)); folder != "." && !d.aside {
		d.artifacts = append(d.artifacts, provided{maven, folder, depthOf(d.path)})
	}
}

func (d *declaration) gradleSettings()   { d.enterGradle(manifest.ReadGradleSettings(d.text)) }
func (d *declaration) gradleProperties() { d.enterGradle(manifest.ReadGradleProperties(d.text)) }

// enterGradle adds the groups and artifacts in a file of Gradle.
func (d *declaration) enterGradle(g manifest.Gradle) {
	d.groups = append(d.groups, g.Groups...)
	for _, name := range g.Artifacts {
		if !d.aside {
			d.artifacts = append(d.artifacts, provided{maven, name, depthOf(d.path)})
		}
	}
}

// gradlePublished adds the artifacts of Gradle's builds in each of their groups, because the files
// do not say which artifact belongs to which group.
func (f *facts) gradlePublished() {
	for _, group := range f.groups {
		for _, a := range f.artifacts {
			f.provides = append(f.provides, provided{maven, group + ":" + a.name, a.depth})
		}
	}
}

// project adds a project of .NET. It publishes its package ids, its assemblies and its own name.
func (d *declaration) project() {
	p := manifest.ReadProject(path.Base(d.path), d.text)
	d.publish(nuget, p.PackageIDs...)
	d.publish(nuget, p.Assemblies...)
	if ext := path.Ext(d.path); strings.HasSuffix(ext, "proj") {
		d.publish(nuget, strings.TrimSuffix(path.Base(d.path), ext))
	}
	d.need(nuget, p.Needs...)
}

func (d *declaration) mix() {
	m := manifest.ReadMix(d.text)
	d.publish(hex, m.App)
	d.need(hex, m.Needs...)
}

func (d *declaration) pubspec() {
	p := manifest.ReadPubspec(d.text)
	d.publish(pub, p.Name)
	d.need(pub, p.Needs...)
}
