package imports_test

import (
	"path"
	"strings"
	"testing"

	"patina/code/imports"
	"patina/store"
	"patina/store/doc"
)

// languages are those of the files in the tables, by extension.
var languages = map[string]string{
	".go": "Go", ".py": "Python", ".js": "JavaScript", ".ts": "TypeScript", ".rs": "Rust",
	".java": "Java", ".php": "PHP", ".c": "C", ".h": "C", ".cpp": "C++", ".rb": "Ruby",
	".cs": "C#", ".md": "Markdown", ".sh": "Bash", ".lua": "Lua", ".zig": "Zig", ".ex": "Elixir", ".hs": "Haskell",
	".kt": "Kotlin", ".scala": "Scala", ".swift": "Swift",
}

// resolver makes one of a view: paths by words, and manifests by their path.
func resolver(paths string, manifests map[string]string) *imports.Resolver {
	var files []doc.ListedFile
	for i, p := range strings.Fields(paths) {
		files = append(files, doc.ListedFile{
			Key: int64(i + 1), Path: p, Language: languages[path.Ext(p)],
		})
	}
	var named imports.Manifests
	for p, body := range manifests {
		named.Read(p, body)
	}
	return imports.NewResolver(files, named)
}

func goModule(folder, name string) map[string]string {
	return map[string]string{path.Join(folder, "go.mod"): "// A module.\nmodule " + name + " // note\n"}
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		name      string
		files     string
		manifests map[string]string
		from      string
		imported  string
		want      string // "" for outside of the view
	}{
		{"module", "main.go queue/q.go", goModule("", "x.org/app"), "main.go", "x.org/app/queue", "queue"},
		{"root of the module", "a.go", goModule("", "x.org/app"), "b/b.go", "x.org/app", "."},
		{"standard library", "strings/a.go", goModule("", "x.org/app"), "main.go", "strings", ""},
		{"longer module path", "app/queue/q.go", goModule("app", "x.org/app"), "main.go", "x.org/apple/queue", ""},
		{"module in a folder", "tools/lint/l.go", goModule("tools", "x.org/tools"), "main.go", "x.org/tools/lint", "tools/lint"},
		{"folder without source", "docs/readme.md", goModule("", "x.org/app"), "main.go", "x.org/app/docs", ""},
		{"vendored", "vendor/y.org/lib/l.go", goModule("", "x.org/app"), "main.go", "y.org/lib", "vendor/y.org/lib"},
		{"vendored in a module", "app/vendor/y.org/lib/l.go", goModule("app", "x.org/app"), "app/main.go", "y.org/lib", "app/vendor/y.org/lib"},
		{"no go.mod", "pkg/queue/q.go", nil, "main.go", "x.org/app/pkg/queue", "pkg/queue"},
		{"the library itself", "src/strings/s.go", goModule("src", "std"), "src/fmt/f.go", "strings", "src/strings"},

		{"relative", "shop/cart.py shop/money.py", nil, "shop/cart.py", ".money", "shop/money.py"},
		{"relative, two levels", "shop/a/cart.py shop/money.py", nil, "shop/a/cart.py", "..money", "shop/money.py"},
		{"relative to the package", "shop/__init__.py shop/cart.py", nil, "shop/cart.py", ".", "shop/__init__.py"},
		{"package", "shop/__init__.py app.py", nil, "app.py", "shop", "shop/__init__.py"},
		{"module of a package", "shop/__init__.py shop/money.py", nil, "app.py", "shop.money", "shop/money.py"},
		{"name in a module", "shop/__init__.py shop/money.py", nil, "app.py", "shop.money.total", "shop/money.py"},
		{"beside a script", "bin/run.py bin/helper.py", nil, "bin/run.py", "helper", "bin/helper.py"},
		{"not beside in a package", "shop/__init__.py shop/json.py", nil, "shop/cart.py", "json", ""},
		{"source folder", "src/shop.py", nil, "tests/a.py", "shop", "src/shop.py"},
		{"library folder", "lib/shop.py", nil, "tests/a.py", "shop", "lib/shop.py"},
		{"deep module of one word", "lib/deep/json.py", nil, "app.py", "json", ""},

		{"relative path", "ts/view.ts ts/clock.ts", nil, "ts/view.ts", "./clock", "ts/clock.ts"},
		{"index", "ts/index.ts ts/deep/view.ts", nil, "ts/deep/view.ts", "..", "ts/index.ts"},
		{"name after compiling", "ts/clock.ts", nil, "ts/view.ts", "./clock.js", "ts/clock.ts"},
		{"query", "ts/clock.ts", nil, "ts/view.ts", "./clock?raw", "ts/clock.ts"},
		{"package of the view", "ts/src/index.ts", map[string]string{"ts/package.json": `{"name": "@app/ts"}`}, "web/page.ts", "@app/ts", "ts/src/index.ts"},
		{"part of a package", "ts/src/clock.ts", map[string]string{"ts/package.json": `{"name": "@app/ts"}`}, "web/page.ts", "@app/ts/clock", "ts/src/clock.ts"},
		{"paths of tsconfig", "web/src/ui/clock.ts web/src/clock.ts", map[string]string{"web/tsconfig.json": "{\n// paths\n\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"src/*\"], \"@/ui/*\": [\"src/ui/*\"],}}, /* http://x */\n}"}, "web/src/page.ts", "@/ui/clock", "web/src/ui/clock.ts"},
		{"paths of another tsconfig", "web/src/clock.ts", map[string]string{"web/tsconfig.json": `{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}`}, "app/page.ts", "@/clock", ""},
		{"other package", "react/index.js", nil, "web/page.ts", "react", ""},
		{"broken manifest", "ts/index.ts", map[string]string{"ts/package.json": `{"name":`}, "web/page.ts", "ts", ""},

		{"crate", "src/lib.rs src/a.rs", nil, "src/b.rs", "crate::a::shape", "src/a.rs"},
		{"name of the crate's root", "src/lib.rs src/a.rs", nil, "src/a.rs", "crate::shape", "src/lib.rs"},
		{"mod", "src/a/mod.rs src/a/b.rs", nil, "src/a/mod.rs", "self::b", "src/a/b.rs"},
		{"super", "src/lib.rs src/a.rs src/b.rs", nil, "src/a.rs", "super::b::f", "src/b.rs"},
		{"super, twice", "src/lib.rs src/x/a.rs src/b.rs", nil, "src/x/a.rs", "super::super::b", "src/b.rs"},
		{"other crate by its manifest", "lib/pen-core/src/lib.rs", map[string]string{"lib/pen-core/Cargo.toml": "[dependencies]\nname = \"no\"\n[package]\nname = \"pen-kit\"\n"}, "app/src/main.rs", "pen_kit::Pen", "lib/pen-core/src/lib.rs"},
		{"other crate by its folder", "pen-core/src/lib.rs", nil, "app/src/main.rs", "pen_core::Pen", "pen-core/src/lib.rs"},
		{"standard library of Rust", "src/lib.rs", nil, "src/lib.rs", "std::fmt", ""},

		{"class", "src/main/java/org/x/A.java", nil, "src/main/java/org/y/B.java", "org.x.A", "src/main/java/org/x/A.java"},
		{"member of a class", "src/main/java/org/x/A.java", nil, "src/main/java/org/y/B.java", "org.x.A.of", "src/main/java/org/x/A.java"},
		{"package of Java", "src/main/java/org/x/A.java", nil, "B.java", "org.x.*", "src/main/java/org/x"},
		{"members of a class", "org/x/A.java", nil, "B.java", "org.x.A.*", "org/x/A.java"},
		{"nearest of two", "a/org/x/A.java b/org/x/A.java", nil, "b/org/y/B.java", "org.x.A", "b/org/x/A.java"},
		{"tie", "a/org/x/A.java b/org/x/A.java", nil, "c/B.java", "org.x.A", ""},

		{"namespace", "src/Http/Client.php", nil, "index.php", `App\Http\Client`, ""},
		{"namespace by its folders", "src/App/Http/Client.php", nil, "index.php", `\App\Http\Client`, "src/App/Http/Client.php"},
		{"function of a namespace", "App/util.php", nil, "index.php", `App\util\k`, "App/util.php"},
		{"file of PHP", "lib/util.php", nil, "lib/a.php", "util.php", "lib/util.php"},

		{"beside", "src/a.c src/a.h", nil, "src/a.c", "a.h", "src/a.h"},
		{"from the root", "include/x/a.h", nil, "src/a.cpp", "include/x/a.h", "include/x/a.h"},
		{"in an include folder", "include/x/a.h", nil, "src/a.cpp", "x/a.h", "include/x/a.h"},
		{"system header", "src/a.c", nil, "src/a.c", "stdio.h", ""},
		{"system header and a stray file", "src/a.c deps/test/math.h src/math.h", nil, "src/a.c", "<math.h>", ""},
		{"own header of that name", "src/a.c src/math.h", nil, "src/a.c", "math.h", "src/math.h"},
		{"header of the system itself", "src/a.c include/math.h", nil, "src/a.c", "<math.h>", "include/math.h"},
		{"header of C++ and a folder", "src/a.cpp src/vector.h x/vector/a.h", nil, "src/a.cpp", "<vector>", ""},
		{"own header in brackets", "src/a.c deps/lua/src/lua.h", nil, "src/a.c", "<lua.h>", "deps/lua/src/lua.h"},

		{"require", "lib/shop/cart.rb", nil, "bin/run.rb", "shop/cart", "lib/shop/cart.rb"},
		{"require_relative", "lib/shop/cart.rb", nil, "lib/shop.rb", "./shop/cart.rb", "lib/shop/cart.rb"},
		{"library of one word", "vendor/deep/json.rb", nil, "bin/run.rb", "json", ""},
		{"own library of one word", "lib/shop.rb", nil, "bin/run.rb", "shop", "lib/shop.rb"},

		{"module of Lua", "lua/shop/cart.lua", nil, "plugin/a.lua", "shop.cart", "lua/shop/cart.lua"},
		{"folder of Lua", "lua/shop/init.lua lua/x/shop/init.lua", nil, "plugin/a.lua", "shop", "lua/shop/init.lua"},
		{"library of Lua", "lua/shop/cart.lua", nil, "plugin/a.lua", "cart", ""},
		{"module of Elixir", "lib/shop/http_cart.ex", nil, "lib/shop.ex", "Shop.HTTPCart", "lib/shop/http_cart.ex"},
		{"library of Elixir", "lib/shop/cart.ex", nil, "lib/shop.ex", "Logger", ""},
		{"module of Haskell", "src/Shop/Cart.hs", nil, "app/Main.hs", "Shop.Cart", "src/Shop/Cart.hs"},
		{"library of Haskell", "src/Shop/Map.hs", nil, "app/Main.hs", "Data.Map", ""},
		{"class of Kotlin", "src/main/kotlin/org/x/Cart.kt", nil, "src/main/kotlin/org/x/a/B.kt", "org.x.Cart", "src/main/kotlin/org/x/Cart.kt"},
		{"package of Scala", "src/main/scala/org/x/a/B.scala", nil, "A.scala", "org.x.a.*", "src/main/scala/org/x/a"},
		{"file of Zig", "src/cart.zig src/a/cart.zig", nil, "src/main.zig", "cart.zig", "src/cart.zig"},
		{"library of Zig", "src/std.zig", nil, "src/main.zig", "std", ""},

		{"module of Swift", "Sources/Cart/a/B.swift Sources/Shop/Cart.swift", nil, "Tests/CartTests/T.swift", "Cart", "Sources/Cart/a"},
		{"module of Swift by its manifest", "Source/Cart.swift Cart/X.swift", map[string]string{"Package.swift": `.target(name: "Cart", dependencies: [.product(name: "X", package: "x")], path: "Source", exclude: [])`}, "Tests/T.swift", "Cart", "Source"},
		{"library of Swift", "Sources/Cart/B.swift", nil, "Tests/CartTests/T.swift", "Foundation", ""},

		{"namespace of C#", "System/Text.cs", nil, "a.cs", "System.Text", ""},
		{"script", "lib/util.sh", nil, "lib/run.sh", "util.sh", "lib/util.sh"},
		{"another language", "shop/money.py", nil, "shop/a.ts", "./money", ""},
	} {
		r := resolver(c.files, c.manifests)
		got := ""
		if to, ok := r.Resolve(languages[path.Ext(c.from)], c.from, c.imported); ok {
			got = to.Path()
		}
		if got != c.want {
			t.Errorf("%s: %s imports %s: leads to %q, want %q", c.name, c.from, c.imported, got, c.want)
		}
	}
}

// Reach must tell exact targets of an import from files near them.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		name, files, from, imported, to string
		want                            imports.Reach
	}{
		{"the file", "shop/money.py", "app.py", "shop.money", "shop/money.py", imports.Exact},
		{"below an index file", "shop/__init__.py shop/money.py", "app.py", "shop", "shop/money.py", imports.Nearby},
		{"elsewhere", "shop/__init__.py", "app.py", "shop", "store/money.py", imports.Unreached},
		{"package of Go", "queue/a.go queue/b.go", "main.go", "queue", "queue/b.go", imports.Exact},
		{"package of Go below", "queue/a.go queue/in/b.go", "main.go", "queue", "queue/in/b.go", imports.Unreached},
		{"source of a header", "src/a.h src/a.c", "src/b.c", "a.h", "src/a.c", imports.Exact},
		{"source of that name", "include/a.h src/a.c", "src/b.c", "include/a.h", "src/a.c", imports.Nearby},
		{"nowhere", "shop/money.py", "app.py", "json", "shop/money.py", imports.Unreached},
	} {
		to, _ := resolver(c.files, nil).Resolve(languages[path.Ext(c.from)], c.from, c.imported)
		if got := to.Reach(c.to); got != c.want {
			t.Errorf("%s: reach %d, want %d", c.name, got, c.want)
		}
	}
}

// A resolver that probes folders must find the same packages as one with a list, probe each folder
// once, and keep the first error.
func TestGoResolverByLookUp(t *testing.T) {
	const files = "main.go queue/q.go vendor/y.org/lib/l.go"
	asked := make(map[string]int)
	var named imports.Manifests
	named.Read("go.mod", "module x.org/app\n")
	r := imports.NewGoResolver(named, func(folder string) (bool, error) {
		asked[folder]++
		if folder == "broken" {
			return false, store.ErrDamaged
		}
		return folder == "" || folder == "queue" || folder == "vendor/y.org/lib", nil
	})
	list := resolver(files, goModule("", "x.org/app"))
	for _, imported := range []string{"x.org/app", "x.org/app/queue", "y.org/lib", "fmt", "x.org/app/none"} {
		for range 2 {
			want, wantOK := list.Resolve("Go", "main.go", imported)
			got, ok := r.Resolve("Go", "main.go", imported)
			if ok != wantOK || ok && got.Path() != want.Path() {
				t.Errorf("%s: found %v, with a list %v", imported, ok, wantOK)
			}
		}
	}
	for folder, n := range asked {
		if n != 1 {
			t.Errorf("folder %q was looked up %d times", folder, n)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	if _, ok := r.Resolve("Go", "main.go", "x.org/app/broken"); ok || r.Err() == nil {
		t.Errorf("after a failed look-up: found %v, error %v", ok, r.Err())
	}
}
