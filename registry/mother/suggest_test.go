package mother

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// languages maps extensions to the languages of the sources in the tests.
var languages = map[string]string{
	"go": "Go", "js": "JavaScript", "ts": "TypeScript", "rs": "Rust", "py": "Python", "rb": "Ruby", "php": "PHP",
	"java": "Java", "kt": "Kotlin",
	"cs": "C#", "ex": "Elixir", "exs": "Elixir", "dart": "Dart",
}

// repositories reads an archive: the first folder of each file is its repository. A line "imports
// X" in a source is an import that a parser would find.
func repositories(archive string) (all []SuggestRepository) {
	for _, x := range txtar.Parse([]byte(archive)).Files {
		name, path, _ := strings.Cut(x.Name, "/")
		i := slices.IndexFunc(all, func(r SuggestRepository) bool { return r.ID == name })
		if i < 0 {
			i, all = len(all), append(all, SuggestRepository{ID: name})
		}
		f := File{
			Path: path, Language: languages[path[strings.LastIndexByte(path, '.')+1:]], Text: string(x.Data),
			Vendored: strings.HasPrefix(path, "vendor/"),
		}
		f.Test = strings.Contains(path, "_test.")
		for _, line := range strings.Split(f.Text, "\n") {
			if imported, ok := strings.CutPrefix(line, "imports "); ok {
				f.Imports = append(f.Imports, imported)
			}
		}
		all[i].Files = append(all[i].Files, f)
	}
	return all
}

// lines formats suggestions for comparison.
func lines(all []Suggestion) (out []string) {
	for _, s := range all {
		out = append(out, fmt.Sprintf("%s %s %s [%s] %s", s.From, s.Relation, s.To, s.Class, s.Evidence()))
	}
	return out
}

func TestEcosystems(t *testing.T) {
	for _, test := range []struct {
		name, archive string
		want          []string
	}{
		{"go", `
-- app/go.mod --
module example.org/app

require (
	example.org/lib/v2 v2.0.0
	example.org/library v1.0.0 // indirect
	example.org/assert v1.0.0
)
require example.org/unused v1.0.0
-- app/main.go --
imports example.org/lib/v2/sub
imports fmt
-- app/a_test.go --
imports example.org/assert
-- lib/go.mod --
module example.org/lib/v2
-- library/go.mod --
module example.org/library
-- assert/go.mod --
module "example.org/assert"
-- assert/vendor/x/go.mod --
module example.org/unused
-- unused/go.mod --
module example.org/unused
`, []string{
			"app USES lib [declared and imported] go.mod:4 declares example.org/lib/v2; imported by 1 file (main.go)",
			"app USES unused [declared] go.mod:8 declares example.org/unused",
			"app TESTS_WITH assert [for tests] go.mod:6 declares example.org/assert; imported by 1 test (a_test.go)",
		}},
		{"npm", `
-- app/package.json --
{
  "name": "app",
  "dependencies": {
    "left": "^1.0.0",
    "other": "npm:@scope/right@2"
  },
  "devDependencies": {"tester": "1"}
}
-- app/src/a.ts --
imports left/deep
imports ./right
imports other
-- app/src/b.ts --
imports left
-- left/package.json --
{"name": "left"}
-- right/package.json --
{"name": "monorepo", "private": true, "dependencies": {"monorepo": "1"}}
-- right/packages/right/package.json --
{"name": "@scope/right", "version": "1"}
-- tester/package.json --
{"name": "tester"}
-- leftover/package.json --
{"name": "leftover", "description": "left", "dependencies": {"lef": "1"}}
`, []string{
			"app USES left [declared and imported] package.json:4 declares left; imported by 2 files (src/a.ts, src/b.ts)",
			"app USES right [declared and imported] package.json:5 declares @scope/right; imported by 1 file (src/a.ts)",
			"app TESTS_WITH tester [for tests] package.json:7 declares tester",
		}},
		{"cargo", `
-- app/Cargo.toml --
[package]
name = "app"
[dependencies]
my-lib = { version = "1", optional = true }
renamed = { package = "long-name", version = "1" }
own = { path = "own" }
[target.'cfg(unix)'.dependencies.unix_only]
version = "1"
[dev-dependencies]
checker = "1"
[workspace.dependencies]
unused = "1"
-- app/own/Cargo.toml --
[package]
name = "own"
-- app/src/lib.rs --
imports my_lib::Thing
imports renamed::Other
imports crate::unused::x
-- mylib/Cargo.toml --
package = { name = "my-lib" }
-- long/Cargo.toml --
[package]
name = "long-name"
-- unix/Cargo.toml --
[package]
name = "unix-only"
-- checker/Cargo.toml --
[package]
name = "checker"
-- unused/Cargo.toml --
[package]
name = "unused"
-- own/Cargo.toml --
[package]
name = "own"
`, []string{
			"app USES long [declared and imported] Cargo.toml:5 declares long-name; imported by 1 file (src/lib.rs)",
			"app USES mylib [declared and imported] Cargo.toml:4 declares my-lib; imported by 1 file (src/lib.rs)",
			"app USES unix [declared] Cargo.toml:8 declares unix-only",
			"app TESTS_WITH checker [for tests] Cargo.toml:10 declares checker",
		}},
		{"python", `
-- app/pyproject.toml --
[project]
name = "app"
dependencies = [
  "The_Lib[extra]>=1; python_version > '3'",
]
[project.optional-dependencies]
fast = ["speed~=1.0"]
test = ["checker"]
[dependency-groups]
docs = ["sphinxlike>1", {include-group = "test"}]
-- app/app/__init__.py --
imports libmodule.deep
imports .own
imports speed
imports undeclared.x
-- app/requirements.txt --
-e .
pinned==1.0
-- lib/setup.py --
setup(
    name="the-lib",
    install_requires=[
        "speed",
        "pinned>=2",
    ],
)
-- lib/src/libmodule/__init__.py --
-- lib/tests/__init__.py --
imports checker
-- speed/setup.cfg --
[metadata]
name = speed
[options]
install_requires =
    # a comment
    pinned>=1
-- checker/pyproject.toml --
[tool.poetry]
name = "checker"
[tool.poetry.dependencies]
python = "^3"
speed = { version = "1", optional = true }
-- sphinxlike/setup.py --
setup(name='sphinxlike')
-- pinned/Pipfile --
[packages]
speed = "*"
-- pinned/pyproject.toml --
[project]
name = "pinned"
-- undeclared/undeclared/__init__.py --
-- unnamed/utils.py --
`, []string{
			"app USES lib [declared and imported] pyproject.toml:4 declares the-lib; imported by 1 file (app/__init__.py)",
			"app USES speed [declared and imported] pyproject.toml:7 declares speed; imported by 1 file (app/__init__.py)",
			"app USES undeclared [imported] imported by 1 file (app/__init__.py)",
			"app TESTS_WITH checker [for tests] pyproject.toml:8 declares checker",
			"app TESTS_WITH pinned [for tests] requirements.txt:2 declares pinned",
			"app TESTS_WITH sphinxlike [for tests] pyproject.toml:10 declares sphinxlike",
			"lib USES pinned [declared] setup.py:5 declares pinned",
			"lib USES speed [declared] setup.py:4 declares speed",
			"lib TESTS_WITH checker [imported] imported by 1 test (tests/__init__.py)",
			"speed USES pinned [declared] setup.cfg:6 declares pinned",
			"checker USES speed [declared] pyproject.toml:5 declares speed",
			"pinned USES speed [declared] Pipfile:2 declares speed",
		}},
		{"ruby", `
-- app/Gemfile --
gem "rail"
group :development, :test do
  gem 'checker'
end
gem 'lint', group: :test
-- app/app/a.rb --
imports rail/engine
imports ./own
-- rail/rail.gemspec --
Gem::Specification.new do |s|
  s.name = "rail"
  s.add_dependency "base-lib", "~> 1"
  s.add_development_dependency("checker")
end
-- rail/Gemfile --
gem "lint"
-- rail/lib/rail/engine.rb --
imports base/lib
-- base/base-lib.gemspec --
s.name = 'base-lib'
-- checker/checker.gemspec --
s.name = 'checker'
-- lint/lint.gemspec --
s.name = 'lint'
`, []string{
			"app USES rail [declared and imported] Gemfile:1 declares rail; imported by 1 file (app/a.rb)",
			"app TESTS_WITH checker [for tests] Gemfile:3 declares checker",
			"app TESTS_WITH lint [for tests] Gemfile:5 declares lint",
			"rail USES base [declared and imported] rail.gemspec:3 declares base-lib; imported by 1 file (lib/rail/engine.rb)",
			"rail TESTS_WITH checker [for tests] rail.gemspec:4 declares checker",
			"rail TESTS_WITH lint [for tests] Gemfile:1 declares lint",
		}},
		{"php", `
-- app/composer.json --
{"name": "me/app", "require": {"php": ">=8", "ext-json": "*",
 "Them/Http": "^1"}, "require-dev": {"them/part": "^1"}, "autoload": {"psr-4": {"Them\\Http\\App\\": "src/"}},
 "autoload-dev": {"psr-4": {"Them\\Http\\Tests\\": "tests/"}}}
-- app/src/a.php --
imports Them\Http\Client
imports Them\Http\App\Own
-- app/tests/b.php --
imports Them\Http\Tests\Own
-- http/composer.json --
{"name": "them/http", "autoload": {"psr-4": {"Them\\Http\\": "src"}}}
-- framework/composer.json --
{"name": "them/framework", "replace": {"them/part": "self.version"}}
`, []string{
			"app USES http [declared and imported] composer.json:2 declares them/http; imported by 1 file (src/a.php)",
			"app TESTS_WITH framework [for tests] composer.json:2 declares them/part",
		}},
		{"maven and gradle", `
-- app/pom.xml --
<?xml version="1.0" encoding="ISO-8859-1"?>
<project>
  <parent><groupId>org.app</groupId><artifactId>parent</artifactId></parent>
  <artifactId>app</artifactId>
  <dependencyManagement><dependencies><dependency><groupId>org.managed</groupId><artifactId>managed</artifactId></dependency></dependencies></dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>org.lib</groupId><artifactId>lib</artifactId>
    </dependency>
    <dependency><groupId>org.check</groupId><artifactId>check</artifactId><scope>test</scope></dependency>
    <dependency><groupId>${project.groupId}</groupId><artifactId>own</artifactId></dependency>
  </dependencies>
  <build><plugins><plugin><dependencies><dependency><groupId>org.managed</groupId><artifactId>managed</artifactId></dependency></dependencies></plugin></plugins></build>
</project>
-- app/src/main/java/org/app/A.java --
imports org.lib.deep.Thing
imports org.lib.Lib
-- lib/pom.xml --
<project><groupId>org.lib</groupId><artifactId>lib</artifactId></project>
-- lib/src/main/java/org/lib/Lib.java --
-- own/pom.xml --
<project><groupId>org.app</groupId><artifactId>own</artifactId></project>
-- managed/pom.xml --
<project><groupId>org.managed</groupId><artifactId>managed</artifactId></project>
-- check/gradle.properties --
GROUP=org.check
-- check/settings.gradle --
rootProject.name = 'check'
-- kot/build.gradle.kts --
kotlin {
  sourceSets {
    val commonMain by getting {
      dependencies {
        api(libs.lib.core)
      }
    }
    val commonTest by getting {
      dependencies { 
        implementation("org.check:check:1.0")
      }
    }
  }
}
-- kot/gradle/libs.versions.toml --
[libraries]
lib-core = { module = "org.lib:lib", version.ref = "x" }
unused = "org.check:check:1"
-- kot/src/commonMain/kotlin/kot/A.kt --
package kot
import org.lib.Lib
`, []string{
			"app USES lib [declared and imported] pom.xml:7 declares org.lib:lib; imported by 1 file (src/main/java/org/app/A.java)",
			"app USES own [declared] pom.xml:11 declares org.app:own",
			"app TESTS_WITH check [for tests] pom.xml:10 declares org.check:check",
			"kot USES lib [declared and imported] build.gradle.kts:5 declares org.lib:lib; imported by 1 file (src/commonMain/kotlin/kot/A.kt)",
			"kot TESTS_WITH check [for tests] build.gradle.kts:10 declares org.check:check",
		}},
		{"nuget", `
-- app/src/App/App.csproj --
<Project><ItemGroup>
  <PackageReference Include="Their.Log" Version="1" />
  <PackageReference Include="Style" PrivateAssets="all" />
</ItemGroup></Project>
-- app/test/App.Tests/App.Tests.csproj --
<Project><ItemGroup><PackageReference Include="Checker" /></ItemGroup></Project>
-- app/src/App/A.cs --
imports Their.Log.Core
imports System.IO
-- log/src/Their.Log/Their.Log.csproj --
<Project/>
-- style/style.csproj --
<Project><PropertyGroup><PackageId>Style</PackageId></PropertyGroup></Project>
-- checker/checker.csproj --
<Project/>
`, []string{
			"app USES log [declared and imported] src/App/App.csproj:2 declares their.log; imported by 1 file (src/App/A.cs)",
			"app TESTS_WITH checker [for tests] test/App.Tests/App.Tests.csproj:1 declares checker",
			"app TESTS_WITH style [for tests] src/App/App.csproj:3 declares style",
		}},
		{"hex and pub", `
-- app/mix.exs --
  def project, do: [app: :app]
  defp deps do
    [
      {:plugged, "~> 1.0"},
      {:docs, ">= 0.0.0", only: [:dev, :test]},
      {:ok, value}
    ]
-- app/lib/a.ex --
  alias Plugged.Conn
-- plugged/mix.exs --
  [app: :plugged,
-- plugged/lib/conn.ex --
defmodule Plugged.Conn do
-- docs/mix.exs --
app: :docs
-- ok/mix.exs --
app: :ok
-- dart/pubspec.yaml --
name: dart
dependencies:
  widget: ^1.0.0
  sdk:
    docs: 1
dev_dependencies:
  checker: any
-- widget/pubspec.yaml --
name: widget
-- checker/pubspec.yaml --
name: "checker"
`, []string{
			"app USES plugged [declared and imported] mix.exs:4 declares plugged; imported by 1 file (lib/a.ex)",
			"app TESTS_WITH docs [for tests] mix.exs:5 declares docs",
			"dart USES widget [declared] pubspec.yaml:3 declares widget",
			"dart TESTS_WITH checker [for tests] pubspec.yaml:7 declares checker",
		}},
		{"ecosystems stay apart", `
-- py/setup.py --
setup(name="py", install_requires=["h2"])
-- h2/Cargo.toml --
[package]
name = "h2"
`, nil},
		{"a copy further in is not the owner", `
-- app/package.json --
{"name": "app", "dependencies": {"lib": "1"}}
-- copy/packages/forks/lib/package.json --
{"name": "lib"}
-- lib/package.json --
{"name": "lib"}
`, []string{"app USES lib [declared] package.json:1 declares lib"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := lines(Suggest(repositories(test.archive))); !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// A name given by a user counts in every ecosystem.
func TestGivenPackages(t *testing.T) {
	all := repositories(`
-- app/package.json --
{"dependencies": {"inhouse": "1"}}
-- lib/README --
`)
	all[1].Packages = []string{"inhouse"}
	want := []string{"app USES lib [declared] package.json:1 declares inhouse"}
	if got := lines(Suggest(all)); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Reading any manifest must end, and each declaration must be in a line of it.
func FuzzManifests(f *testing.F) {
	for _, seed := range []string{"go.mod\nmodule a\nrequire b v1\n", "package.json\n{\"name\": \"a\", \"dependencies\": {\"b\": \"1\"}}", "Cargo.toml\n[dependencies]\nb = {package='c'}\n", "pom.xml\n<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId></dependency></dependencies></project>", "build.gradle\n api 'a:b:1'\n}}}", "setup.py\nsetup(name='a', install_requires=['b'])", "setup.cfg\n[options]\ninstall_requires =\n  b\n", "mix.exs\n{:b, \"~> 1\"}", "x.gemspec\ns.add_dependency 'b'", "Gemfile\ngroup :test do\ngem 'b'\nend", "pubspec.yaml\ndependencies:\n  b: 1\n", "x.csproj\n<P><PackageReference Include='b'/></P>", "pyproject.toml\n[tool.poetry.group.dev.dependencies]\nb='1'\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, body, _ := strings.Cut(text, "\n")
		if !IsManifest(name) {
			return
		}
		said := readFacts(SuggestRepository{Files: []File{{Path: name, Text: body}}})
		for _, n := range said.needs {
			if most := 1 + strings.Count(body, "\n"); n.Line < 1 || n.Line > most {
				t.Errorf("%q declares %q in line %d of %d", body, n.Name, n.Line, most)
			}
		}
	})
}
