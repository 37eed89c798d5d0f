package imports_test

import (
	"path"
	"strings"
	"testing"

	"patina/code/imports"
	"patina/store/doc"
)

// This is an npm workspace: packages whose builds are not in the tree, an application, and a
// project in tests.
var npmWorkspace = map[string]string{
	"package.json": `{"name": "root", "workspaces": ["packages/*", "!packages/old"]}`,
	"packages/core/package.json": `{"name": "@x/core", "main": "./lib/no.js", "exports": {
		".": {"import": {"types": "./dist/index.d.mts", "default": "./dist/index.mjs"}, "require": "./dist/cjs/index.cjs"},
		"./adapters/*": {"types": "./dist/adapters/*.d.ts", "default": ["./dist/adapters/*.js"]},
		"./adapters/hidden/*": null, "./react": "./dist/react/x-react.modern.mjs", "./source": {"source": "./lib/source.ts", "default": "./dist/other.js"},
		"./types": "./types.d.ts", "./folder/": "./src/deep/"},
		"imports": {"#own/*": "./src/own/*.js", "#util": {"default": "@x/util"}}}`,
	"packages/util/package.json":                  `{"name": "@x/util", "main": "dist/main.js", "types": "dist/main.d.ts"}`,
	"packages/bare/package.json":                  `{"name": "bare"}`,
	"packages/app/package.json":                   `{"name": "app", "dependencies": {"there": "link:../../other/there", "alias": "workspace:bare@*"}}`,
	"packages/old/package.json":                   `{"name": "old"}`,
	"other/there/package.json":                    `{"name": "there-really", "source": "code/a.ts"}`,
	"tests/react/package.json":                    `{"name": "react"}`,
	"tests/fixture/node_modules/dep/package.json": `{"name": "dep"}`,
}

const npmFiles = `packages/core/src/index.ts packages/core/src/adapters/http.ts packages/core/src/adapters/hidden/a.ts packages/core/src/react/index.ts
	packages/core/lib/source.ts packages/core/types.d.ts packages/core/src/deep/b.ts packages/core/src/own/c.ts packages/core/src/secret.ts
	packages/util/src/main.ts packages/bare/index.js packages/bare/src/part.ts packages/app/src/a.ts packages/old/index.js other/there/code/a.ts
	tests/react/index.js tests/fixture/a.js tests/fixture/node_modules/dep/index.js yaml.js`

// This is a Cargo workspace, with a renamed crate, a library at another path, and a patch.
var cargoWorkspace = map[string]string{
	"Cargo.toml":             "[workspace]\nmembers = [\"core\", \"app\"]\n[workspace.dependencies]\npen-core = { path = \"core\" }\nserde = \"1\"\n[patch.crates-io]\nink = { path = \"ink\" }\n",
	"core/Cargo.toml":        "[package]\nname = \"pen-core\"\nedition = \"2021\"\n[lib]\nname = \"pen\"\npath = \"source/root.rs\"\n",
	"ink/Cargo.toml":         "[package]\nname = \"ink\"\nedition.workspace = true\n",
	"app/Cargo.toml":         "[package]\nname = \"my-app\"\nedition = \"2021\"\n[dependencies]\nquill = { package = \"pen-core\", path = \"../core\" }\npen-core.workspace = true\nserde = { workspace = true }\nink = \"2\"\ntokio = \"1\"\n[target.'cfg(unix)'.dev-dependencies]\nextra = { path = \"../ink\" }\n[[bin]]\nname = \"tool\"\npath = \"tools/tool.rs\"\n",
	"old/Cargo.toml":         "[package]\nname = \"old\"\n",
	"tests/tokio/Cargo.toml": "[package]\nname = \"tokio\"\n",
}

const cargoFiles = `core/source/root.rs core/source/nib.rs ink/src/lib.rs ink/src/color.rs app/src/lib.rs app/src/main.rs app/src/a/mod.rs app/src/a/b.rs
	app/src/serde.rs app/tests/run.rs app/tests/common/mod.rs app/src/bin/two.rs app/tools/tool.rs app/tools/part.rs app/tests/big/main.rs app/tests/big/x.rs
	old/src/lib.rs old/src/a.rs old/src/b.rs tests/tokio/src/lib.rs app/examples/one.rs app/examples/rand.rs`

// These are Python projects: one with src, one with a setup.cfg, and one in tests.
var pythonTree = map[string]string{
	"pyproject.toml":            "[project]\nname = \"shop\"\n[tool.setuptools.packages.find]\nwhere = [\"source\"]\n[tool.setuptools.package-dir]\nextra = \"more/extra\"\n",
	"libs/a/setup.cfg":          "[options]\npackage_dir =\n    = code\npackages = find:\n[tool:pytest]\npythonpath = helpers\n",
	"libs/b/setup.py":           "from setuptools import *\nsetup(name='b', package_dir={'': 'py'}, packages=find_packages(where='py2'))\n",
	"libs/c/pyproject.toml":     "[tool.poetry]\nname = \"c\"\npackages = [{ include = \"pc\", from = \"in\" }]\n",
	"libs/d/pyproject.toml":     "[tool.hatch.build.targets.wheel]\npackages = [\"deep/pd\"]\n",
	"tests/projects/x/setup.py": "setup()",
}

const pythonFiles = `source/shop/__init__.py source/shop/cart.py source/shop/types.py source/name/space/mod.py more/extra/__init__.py more/extra/z.py
	tests/test_shop.py tests/yaml.py tests/deep/test_a.py tests/deep/helper.py tests/projects/x/requests/__init__.py tests/projects/x/use.py
	libs/a/code/pa/__init__.py libs/a/helpers/h.py libs/a/tests/test_pa.py libs/b/py/pb/__init__.py libs/b/py2/pb2.py libs/c/in/pc/__init__.py
	libs/d/deep/pd/__init__.py tests/json.py queue/__init__.py queue/a.py docs/conf.py`

func TestImportsByManifests(t *testing.T) {
	for _, c := range []struct {
		name, files string
		manifests   map[string]string
		from        string
		imported    string
		want        string
	}{
		{"export", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core", "packages/core/src/index.ts"},
		{"export by a pattern", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core/adapters/http", "packages/core/src/adapters/http.ts"},
		{"longer pattern that is closed", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core/adapters/hidden/a", ""},
		{"export of a bundle", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core/react", "packages/core/src/react/index.ts"},
		{"condition source", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core/source", "packages/core/lib/source.ts"},
		{"types alone", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core/types", "packages/core/types.d.ts"},
		{"export of a folder", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core/folder/b.js", "packages/core/src/deep/b.ts"},
		{"export called like a format", npmFiles + " packages/core/src/browser.ts packages/core/browser.d.ts", map[string]string{"packages/core/package.json": `{"name": "c", "exports": {"./b": "./dist/browser.js"}}`}, "packages/core/src/a.ts", "c/b", "packages/core/src/browser.ts"},
		{"export of a bundle that no file bears", "p/src/public/index.ts p/index.cjs p/a.ts", map[string]string{"p/package.json": `{"name": "p", "exports": {"./x": "./dist/index.js"}}`}, "p/a.ts", "p/x", ""},
		{"not exported", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/core/secret", ""},
		{"main", npmFiles, npmWorkspace, "packages/app/src/a.ts", "@x/util", "packages/util/src/main.ts"},
		{"no main", npmFiles, npmWorkspace, "packages/app/src/a.ts", "bare", "packages/bare/index.js"},
		{"path without exports", npmFiles, npmWorkspace, "packages/app/src/a.ts", "bare/part", "packages/bare/src/part.ts"},
		{"private name", npmFiles, npmWorkspace, "packages/core/src/own/c.ts", "#own/c", "packages/core/src/own/c.ts"},
		{"private name of a package", npmFiles, npmWorkspace, "packages/core/src/own/c.ts", "#util", "packages/util/src/main.ts"},
		{"private name of another package", npmFiles, npmWorkspace, "packages/app/src/a.ts", "#own/c", ""},
		{"itself", npmFiles, npmWorkspace, "packages/core/src/own/c.ts", "@x/core", "packages/core/src/index.ts"},
		{"linked", npmFiles, npmWorkspace, "packages/app/src/a.ts", "there", "other/there/code/a.ts"},
		{"linked, from elsewhere", npmFiles, npmWorkspace, "packages/core/src/index.ts", "there", ""},
		{"alias", npmFiles, npmWorkspace, "packages/app/src/a.ts", "alias", "packages/bare/index.js"},
		{"no member", npmFiles, npmWorkspace, "packages/app/src/a.ts", "old", ""},
		{"package of a test", npmFiles, npmWorkspace, "packages/app/src/a.ts", "react", ""},
		{"stray file", npmFiles, npmWorkspace, "packages/app/src/a.ts", "yaml", ""},
		{"fake of a test", npmFiles + " packages/tests/fake/index.js", map[string]string{"package.json": `{"workspaces": ["packages/**"]}`, "packages/bare/package.json": `{"name": "bare"}`, "packages/tests/fake/package.json": `{"name": "bare"}`}, "packages/tests/a/b.ts", "bare", "packages/bare/index.js"},
		{"installed above", npmFiles, npmWorkspace, "tests/fixture/a.js", "dep", "tests/fixture/node_modules/dep/index.js"},
		{"installed elsewhere", npmFiles, npmWorkspace, "packages/app/src/a.ts", "dep", ""},
		{"folder with a manifest", "lib/code/a.js tests/b.js", map[string]string{"lib/package.json": `{"main": "code/a.js"}`}, "tests/b.js", "../lib", "lib/code/a.js"},
		{"a build beside", "p/src/diff.ts p/diff.d.ts", map[string]string{"p/package.json": `{}`}, "p/diff.d.ts", "./dist/diff.js", "p/src/diff.ts"},
		{
			"members of pnpm", "pkgs/a/src/index.ts b/x.ts",
			map[string]string{"pnpm-workspace.yaml": "# all\npackages:\n  # ours\n  - 'pkgs/*' # here\ncatalog:\n  - no\n", "pkgs/a/package.json": `{"name": "a"}`},
			"b/x.ts", "a", "pkgs/a/src/index.ts",
		},
		{
			"members of pnpm in one line", "pkgs/a/src/index.ts b/x.ts",
			map[string]string{"pnpm-workspace.yaml": "packages: ['libs/*', \"pkgs/**\"]\n", "pkgs/a/package.json": `{"name": "a"}`},
			"b/x.ts", "a", "pkgs/a/src/index.ts",
		},
		{"a folder of sources called like one of builds", "p/src/a.ts p/x.js p/lib/b.js", map[string]string{"p/package.json": `{}`}, "p/x.js", "./lib/a", ""},
		{"no module", "p/src/a.ts p/x.js", map[string]string{"p/package.json": `{}`}, "p/x.js", "./dist/a.wasm", ""},
		{"base of tsconfig", "app/src/ui/a.ts", map[string]string{"app/tsconfig.json": `{"compilerOptions": {"baseUrl": "src"}}`}, "app/b.ts", "ui/a", "app/src/ui/a.ts"},
		{"second place of tsconfig", "gen/a.ts", map[string]string{"tsconfig.json": `{"compilerOptions": {"paths": {"~/*": ["./src/*", "./gen/*"]}}}`}, "b.ts", "~/a", "gen/a.ts"},

		{"crate under another name", cargoFiles, cargoWorkspace, "app/src/lib.rs", "quill::nib::Nib", "core/source/nib.rs"},
		{"library named unlike its package", cargoFiles, cargoWorkspace, "app/src/lib.rs", "pen::nib", "core/source/nib.rs"},
		{"dependency of the workspace", cargoFiles, cargoWorkspace, "app/src/lib.rs", "pen_core::Pen", "core/source/root.rs"},
		{"registry by the workspace", cargoFiles, cargoWorkspace, "app/src/lib.rs", "serde::Serialize", ""},
		{"patched", cargoFiles, cargoWorkspace, "app/src/a/b.rs", "ink::color::Red", "ink/src/color.rs"},
		{"dependency of a target", cargoFiles, cargoWorkspace, "app/src/a/b.rs", "extra::color", "ink/src/color.rs"},
		{"registry, though a crate is called so", cargoFiles, cargoWorkspace, "app/src/lib.rs", "tokio::spawn", ""},
		{"no dependency", cargoFiles, cargoWorkspace, "app/src/lib.rs", "old::a", ""},
		{"own library from a test", cargoFiles, cargoWorkspace, "app/tests/run.rs", "my_app::a::b::f", "app/src/a/b.rs"},
		{"crate of a test", cargoFiles, cargoWorkspace, "app/tests/run.rs", "crate::common::f", "app/tests/common/mod.rs"},
		{"module of a test", cargoFiles, cargoWorkspace, "app/tests/run.rs", "common::f", "app/tests/common/mod.rs"},
		{"file of an inline module", cargoFiles + " app/tests/support/mpsc.rs", cargoWorkspace, "app/tests/run.rs", "support::mpsc::f", "app/tests/support/mpsc.rs"},
		{"beside an example", cargoFiles, cargoWorkspace, "app/examples/one.rs", "rand::random", ""},
		{"crate of a test in a folder", cargoFiles, cargoWorkspace, "app/tests/big/x.rs", "crate::f", "app/tests/big/main.rs"},
		{"crate of a program", cargoFiles, cargoWorkspace, "app/src/bin/two.rs", "crate::f", "app/src/bin/two.rs"},
		{"crate of a named program", cargoFiles, cargoWorkspace, "app/tools/part.rs", "crate::f", "app/tools/tool.rs"},
		{"crate of main", cargoFiles, cargoWorkspace, "app/src/main.rs", "crate::f", "app/src/main.rs"},
		{"crate of a module", cargoFiles, cargoWorkspace, "app/src/a/b.rs", "crate::f", "app/src/lib.rs"},
		{"module of the root", cargoFiles, cargoWorkspace, "core/source/nib.rs", "super::f", "core/source/root.rs"},
		{"child", cargoFiles, cargoWorkspace, "app/src/a/mod.rs", "b::f", "app/src/a/b.rs"},
		{"from the root, in 2021", cargoFiles, cargoWorkspace, "app/src/a/b.rs", "a::b::f", ""},
		{"from the root, in 2015", cargoFiles, cargoWorkspace, "old/src/a.rs", "b::f", "old/src/b.rs"},
		{"library of Rust", cargoFiles, cargoWorkspace, "app/src/lib.rs", "std::fmt", ""},

		{"named root", pythonFiles, pythonTree, "tests/test_shop.py", "shop.cart.Cart", "source/shop/cart.py"},
		{"named package", pythonFiles, pythonTree, "tests/test_shop.py", "extra.z", "more/extra/z.py"},
		{"namespace of Python", pythonFiles, pythonTree, "tests/test_shop.py", "name.space.mod", "source/name/space/mod.py"},
		{"stray module", pythonFiles, pythonTree, "source/shop/cart.py", "yaml", ""},
		{"stray module above", pythonFiles, pythonTree, "tests/deep/test_a.py", "yaml", ""},
		{"beside a test", pythonFiles, pythonTree, "tests/deep/test_a.py", "helper", "tests/deep/helper.py"},
		{"project of a test", pythonFiles, pythonTree, "source/shop/cart.py", "requests", ""},
		{"project of a test, in it", pythonFiles, pythonTree, "tests/projects/x/use.py", "requests.x", "tests/projects/x/requests/__init__.py"},
		{"package_dir", pythonFiles, pythonTree, "libs/a/tests/test_pa.py", "pa", "libs/a/code/pa/__init__.py"},
		{"pythonpath", pythonFiles, pythonTree, "libs/a/tests/test_pa.py", "h", "libs/a/helpers/h.py"},
		{"package_dir of setup.py", pythonFiles, pythonTree, "libs/a/tests/test_pa.py", "pb", "libs/b/py/pb/__init__.py"},
		{"where of setup.py", pythonFiles, pythonTree, "libs/a/tests/test_pa.py", "pb2", "libs/b/py2/pb2.py"},
		{"Poetry", pythonFiles, pythonTree, "tests/test_shop.py", "pc", "libs/c/in/pc/__init__.py"},
		{"Hatch", pythonFiles, pythonTree, "tests/test_shop.py", "pd", "libs/d/deep/pd/__init__.py"},
		{"library of Python", pythonFiles, pythonTree, "tests/test_shop.py", "json", ""},
		{"library of Python in a package", pythonFiles, pythonTree, "source/shop/cart.py", "types", ""},
		{"library of Python, shadowed", pythonFiles, pythonTree, "tests/test_shop.py", "queue.a", "queue/a.py"},
		{"relative, library's name", pythonFiles, pythonTree, "source/shop/cart.py", ".types", "source/shop/types.py"},
		{"above the own package", "back/app/__init__.py back/app/a.py back/app/b.py", nil, "back/app/a.py", "app.b", "back/app/b.py"},
		{"above a test", "back/app/__init__.py back/app/b.py back/tests/t.py", nil, "back/tests/t.py", "app.b", "back/app/b.py"},
	} {
		got := ""
		if to, ok := resolver(c.files, c.manifests).Resolve(languages[path.Ext(c.from)], c.from, c.imported); ok {
			got = to.Path()
		}
		if got != c.want {
			t.Errorf("%s: %s imports %s: leads to %q, want %q", c.name, c.from, c.imported, got, c.want)
		}
	}
}

// This is a tree of Java, Kotlin and Scala: path, package and top-level names of each file.
const packagedFiles = `
a/src/main/java/org/x/Cart.java org.x Cart Hidden
b/src/main/java/org/x/Cart.java org.x Cart
b/src/test/java/org/x/CartTest.java org.x CartTest
a/src/main/java/org/x/in/Money.java org.x.in Money
odd/place/Thing.java org.y Thing
k/src/main/kotlin/util/Text.kt org.k.util String.shout Shout
k/src/main/kotlin/util/Numbers.kt org.k.util half
s/jvm/src/main/scala/org/s/Clock.scala org.s Clock
s/js/src/main/scala/org/s/Clock.scala org.s Clock
s/shared/src/main/scala/org/s/deep/Use.scala org.s.deep Use
s/shared/src/main/scala/org/s/package.scala org s
stray/java/util/List.java org.stray List
`

func TestImportsByPackages(t *testing.T) {
	var listed []doc.ListedFile
	var files []imports.File
	for i, line := range strings.Split(strings.TrimSpace(packagedFiles), "\n") {
		w := strings.Fields(line)
		f := imports.File{Key: int64(i + 1), Path: w[0], Language: languages[path.Ext(w[0])]}
		for part := range strings.SplitSeq(w[1], "/") {
			f.Bindings = append(f.Bindings, doc.Binding{Name: doc.PackageName, Of: part})
		}
		for _, name := range w[2:] {
			f.Entries = append(f.Entries, doc.Entry{Name: name, Sort: doc.Type, Parent: -1}, doc.Entry{Name: name + ".inner", Sort: doc.Method})
		}
		files = append(files, f)
		listed = append(listed, doc.ListedFile{Key: f.Key, Path: f.Path, Language: f.Language})
	}
	r := imports.NewResolver(listed, imports.Manifests{})
	r.Declare(files)
	for _, c := range []struct{ name, from, imported, want string }{
		{"class, nearest module", "b/src/main/java/org/z/B.java", "org.x.Cart", "b/src/main/java/org/x/Cart.java"},
		{"class, tie", "c/B.java", "org.x.Cart", ""},
		{"class in a file of another name", "b/src/main/java/org/z/B.java", "org.x.Hidden", "a/src/main/java/org/x/Cart.java"},
		{"static import", "a/src/main/java/org/z/B.java", "org.x.in.Money.of", "a/src/main/java/org/x/in/Money.java"},
		{"static imports of a class", "a/src/main/java/org/z/B.java", "org.x.in.Money.*", "a/src/main/java/org/x/in/Money.java"},
		{"class of a package at another path", "a/B.java", "org.y.Thing", "odd/place/Thing.java"},
		{"by its path, but of another package", "a/B.java", "java.util.List", ""},
		{"package", "a/B.java", "org.x.in.*", "a/src/main/java/org/x/in"},
		{"package from outside", "a/B.java", "org.junit.*", ""},
		{"no name of the package", "a/B.java", "org.x.in.Cart", ""},
		{"function", "k/A.kt", "org.k.util.half", "k/src/main/kotlin/util/Numbers.kt"},
		{"function of a type", "k/A.kt", "org.k.util.shout", "k/src/main/kotlin/util/Text.kt"},
		{"member of a type", "k/A.kt", "org.k.util.Shout.Companion.of", "k/src/main/kotlin/util/Text.kt"},
		{"Java from Kotlin", "k/A.kt", "org.x.in.Money", "a/src/main/java/org/x/in/Money.java"},
		{"library of Kotlin", "k/A.kt", "kotlin.math.max", ""},
		{"of one platform", "s/js/src/main/scala/org/s/deep/A.scala", "org.s.Clock", "s/js/src/main/scala/org/s/Clock.scala"},
		{"of each platform", "s/shared/src/main/scala/org/s/deep/Use.scala", "org.s.Clock", "s/jvm/src/main/scala/org/s/Clock.scala"},
		{"inside the package around", "s/shared/src/main/scala/org/s/deep/Use.scala", "Clock.Now", "s/jvm/src/main/scala/org/s/Clock.scala"},
		{"from outside, in a package", "s/shared/src/main/scala/org/s/deep/Use.scala", "java.util.concurrent.Lock", ""},
		{"package that only holds packages", "s/shared/src/main/scala/org/s/deep/Use.scala", "org.*", ""},
		{"from the root", "s/shared/src/main/scala/org/s/deep/Use.scala", "_root_.org.s.Clock", "s/jvm/src/main/scala/org/s/Clock.scala"},
	} {
		got := ""
		if to, ok := r.Resolve(languages[path.Ext(c.from)], c.from, c.imported); ok {
			got = to.Path()
		}
		if got != c.want {
			t.Errorf("%s: %s imports %s: leads to %q, want %q", c.name, c.from, c.imported, got, c.want)
		}
	}
}

// A manifest that is broken, deep, endless or hostile must not break the resolver or lead out of
// the tree.
func TestHostileManifests(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	for name, bodies := range map[string][]string{
		"package.json": {
			"", "{", "null", "[]", `{"exports": 3}`, `{"name": ["x"], "exports": {"./": null}}`, `{"exports": ` + deep + `}`,
			`{"name": "x", "main": "../../../../etc/passwd", "workspaces": ["**/**/**/*", "[", "{a"]}`,
			`{"name": "x", "exports": {"*": "*", "./*": "./*", "./*/*": "./../*"}, "dependencies": {"a": "file:/"}}`,
		},
		"pnpm-workspace.yaml": {"packages", "packages:\n-", "packages: [", ":\n- ["},
		"Cargo.toml": {
			"[package", "[package]\nname = 3\n[lib]\npath = \"/../../x\"\n", "[dependencies]\na = { path = \"../../..\" }\n[a.b.c.d.e.f.g.h.i.j]\nx=1",
			"a = " + strings.Repeat("[", 10_000), "[workspace.dependencies]\nx = { workspace = true }\n[dependencies]\nx = { workspace = true }\n",
		},
		"pyproject.toml": {"[tool", "[tool.setuptools]\npackage-dir = { \"\" = \"../..\" }\n", "[tool.poetry]\npackages = [ [ { include = 1 } ] ]"},
		"setup.cfg":      {"[options]\n = \n  =\npackage_dir\n", " = x", "[options]\npackage_dir =\n ="},
		"setup.py":       {"package_dir={'': '", "find_packages(" + strings.Repeat("(", 10_000)},
	} {
		for _, body := range bodies {
			ask(resolver(npmFiles+" "+cargoFiles+" "+pythonFiles, map[string]string{name: body, "packages/app/" + name: body}))
		}
	}
}

// ask resolves imports of each family.
func ask(r *imports.Resolver) {
	for _, imported := range []string{"x", "x/y", "#x", "@x/core/a", ".", "..", "a", "@"} {
		r.Resolve("TypeScript", "packages/app/src/a.ts", imported)
	}
	for _, imported := range []string{"x::y", "crate::a", "super::super::super::a", "self::x", "::a", "a::b", ""} {
		r.Resolve("Rust", "app/src/a/b.rs", imported)
		r.Resolve("Rust", "packages/app/src/b.rs", imported)
	}
	for _, imported := range []string{"x.y", "shop", ".", "...", "json", ""} {
		r.Resolve("Python", "tests/deep/test_a.py", imported)
	}
}

// FuzzManifests reads one manifest of any kind, twice in a tree.
func FuzzManifests(f *testing.F) {
	kinds := []string{"package.json", "pnpm-workspace.yaml", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "tsconfig.json"}
	for _, tree := range []map[string]string{npmWorkspace, cargoWorkspace, pythonTree} {
		for name, body := range tree {
			for i, kind := range kinds {
				if path.Base(name) == kind {
					f.Add(byte(i), body)
				}
			}
		}
	}
	f.Add(byte(1), "packages:\n  - 'pkgs/*' # here\n")
	f.Add(byte(6), `{"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["a/*"]}}}`)
	f.Fuzz(func(t *testing.T, kind byte, body string) {
		name := kinds[int(kind)%len(kinds)]
		r := resolver(npmFiles+" "+cargoFiles+" "+pythonFiles, map[string]string{name: body, "packages/app/" + name: body})
		ask(r)
		if to, ok := r.Resolve("TypeScript", "packages/app/src/a.ts", "x"); ok && len(to.Files()) == 0 {
			t.Error("leads to no file")
		}
	})
}
