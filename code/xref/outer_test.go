package xref_test

import (
	"slices"
	"testing"
)

// The examples have the shapes of redis, libuv, curl, leveldb, abseil, gson and petclinic.
func TestTypesOfOtherFiles(t *testing.T) {
	slice := tiny{path: "include/slice.h", defines: []string{"type Slice: class Slice", ">method Slice.size: size_t size() const"}}
	pet := tiny{path: "org/x/Pet.java", defines: []string{"type Pet: public class Pet extends Named", ">method Pet.age"}}
	named := tiny{path: "org/x/Named.java", defines: []string{"type Named: class Named extends Entity", ">method Named.getName"}}
	entity := tiny{path: "org/x/Entity.java", defines: []string{"type Entity: class Entity", ">method Entity.getName", ">method Entity.id"}}
	other := tiny{path: "org/y/Other.java", defines: []string{"type Other: class Other", ">method Other.getName", ">method Other.id"}}
	for _, c := range []struct {
		name   string
		from   tiny
		others []tiny
		want   []string
	}{
		{
			"a field that the header of the class declares",
			tiny{path: "db/iter.cpp", imports: "iter.h", defines: []string{"method Iter.parse: void Iter::parse()"}, calls: []string{"Iter.parse: db_->sample"}},
			[]tiny{
				{path: "db/iter.h", imports: "impl.h", defines: []string{"type Iter: class Iter", ">proto Iter.parse: void parse()"}, typed: "Iter db_ Impl"},
				{path: "db/impl.h", defines: []string{"type Impl: class Impl", ">proto Impl.sample: void sample()"}},
				{path: "db/impl.cpp", defines: []string{"method Impl.sample: void Impl::sample()"}},
				{path: "db/version.cpp", defines: []string{"method Version.sample: void Version::sample()"}},
			},
			[]string{"db/impl.cpp::Impl.sample (declared type)"},
		},
		{
			"a class in a class of the same name elsewhere",
			tiny{path: "issues/a_test.cpp", imports: "iterator.h list.h", defines: []string{"function f"}, typed: "f iter Iterator", calls: []string{"f: iter->Prev"}},
			[]tiny{
				{path: "include/iterator.h", defines: []string{"type Iterator: class Iterator", ">proto Iterator.Prev: virtual void Prev() = 0"}},
				{path: "db/list.h", defines: []string{"type List: class List", ">type Iterator: class Iterator", ">>proto Iterator.Prev: void Prev()", "method Iterator.Prev#2: inline void List::Iterator::Prev()"}},
			},
			[]string{"include/iterator.h::Iterator.Prev (declared type)"},
		},
		{
			"an enumerator of a header, bare; one of an enum class is a candidate",
			tiny{path: "db/write.cpp", imports: "format.h", defines: []string{"function write: void write()"}, calls: []string{"write: kDeletion", "write: kBlue"}},
			[]tiny{
				{path: "db/format.h", defines: []string{"type Kind: enum Kind", ">constant Kind.kDeletion: kDeletion = 0", "type Color: enum class Color", ">constant Color.kBlue: kBlue"}},
				{path: "test/other.cpp", defines: []string{"type Op: enum Op", ">constant Op.kDeletion: kDeletion"}},
			},
			[]string{"db/format.h::Kind.kDeletion (included)", "? db/format.h::Color.kBlue (only definition)"},
		},
		{
			"a chain of fields",
			tiny{path: "bench/b.cpp", defines: []string{"type Stats: class Stats", ">method Stats.done: void done()", "type Thread: struct Thread", "function run: void run(Thread* thread)"}, typed: "Thread stats Stats, run thread Thread", calls: []string{"run: thread->stats.done"}},
			[]tiny{{path: "bench/c.cpp", defines: []string{"type Stats: class Stats", ">method Stats.done: void done()"}}},
			[]string{"bench/b.cpp::Stats.done (declared type)"},
		},
		{
			"bases of a declared type, the nearest first",
			tiny{path: "org/x/Use.java", defines: []string{"type Use: class Use", ">method Use.f: void f(Pet pet)"}, typed: "Use.f pet Pet", calls: []string{"Use.f: pet.getName", "Use.f: pet.id", "Use.f: pet.age"}},
			[]tiny{pet, named, entity, other},
			[]string{"org/x/Named.java::Named.getName (base of the declared type)", "org/x/Entity.java::Entity.id (base of the declared type)", "org/x/Pet.java::Pet.age (declared type)"},
		},
		{
			"an own method that a base in another file has",
			tiny{path: "org/x/Dog.java", defines: []string{"type Dog: class Dog extends Pet", ">method Dog.bark"}, calls: []string{"Dog.bark: getName", "Dog.bark: this.id"}},
			[]tiny{pet, named, entity, other},
			[]string{"org/x/Named.java::Named.getName (base type)", "org/x/Entity.java::Entity.id (base type)"},
		},
		{
			"a base that an import of TypeScript brings",
			tiny{path: "src/b.ts", binds: "Base = Root@./a", defines: []string{"type B: class B extends Base", ">method B.run"}, calls: []string{"B.run: this.stop", "B.run: this.io.log"}},
			[]tiny{
				{path: "src/a.ts", binds: "Logger = Logger@./log", defines: []string{"type Root: class Root", ">method Root.stop"}, typed: "Root io Logger"},
				{path: "src/log.ts", defines: []string{"type Logger: class Logger", ">method Logger.log"}},
				{path: "src/z.ts", defines: []string{"type Z: class Z", ">method Z.log", ">method Z.stop"}},
			},
			[]string{"src/a.ts::Root.stop (base type)", "src/log.ts::Logger.log (declared type)"},
		},
		{
			"a parameter of a generic base is no base",
			tiny{path: "org/x/Use.java", defines: []string{"type Use: class Use", ">method Use.f: void f(String s)"}, typed: "Use.f s String", calls: []string{"Use.f: s.id"}},
			[]tiny{{path: "org/x/Text.java", defines: []string{"type Text: class Text implements Builder<String>", ">method Text.id"}}},
			nil,
		},
		{
			"a type inside of another one is seen by its own file",
			tiny{path: "org/x/A.java", defines: []string{"type A: class A", ">type A.Cycle: static class Cycle", ">method A.f"}, calls: []string{"A.f: Cycle"}},
			[]tiny{{path: "org/x/B.java", defines: []string{"type B: class B", ">type B.Cycle: static class Cycle"}}},
			[]string{"org/x/A.java::A.Cycle (same file)"},
		},
		{
			"the type of the own file hides one of its name",
			tiny{path: "bench/b.cpp", defines: []string{"type Gen: class Gen", ">method Gen.make: int make()", ">method Gen.all"}, calls: []string{"Gen.all: make"}},
			[]tiny{{path: "bench/c.cpp", defines: []string{"type Gen: class Gen", ">method Gen.make: int make()"}}},
			[]string{"bench/b.cpp::Gen.make (same type)"},
		},
		{
			"body of a test with a fixture",
			tiny{path: "db/cache_test.cpp", defines: []string{"type CacheTest: class CacheTest : public Test", ">method CacheTest.Erase: void Erase(int key)", "function TEST_F: TEST_F(CacheTest, Erase)"}, calls: []string{"TEST_F: Erase"}},
			[]tiny{{path: "db/cache.cpp", defines: []string{"method Cache.Erase: void Cache::Erase()"}}},
			[]string{"db/cache_test.cpp::CacheTest.Erase (same type)"},
		},
		{
			"a name of the C++ library, and of a namespace",
			tiny{path: "b.cpp", imports: "include/slice.h util.h", calls: []string{": std::move", ": std::chrono::seconds", ": lib::move", ": ::size"}},
			[]tiny{slice, {path: "util.h", defines: []string{"function move: T move(T t)", "function seconds: int seconds()"}}},
			[]string{"util.h::move (included)"},
		},
		{
			"a bare call of a method of another type",
			tiny{path: "test/a.cpp", defines: []string{"function f"}, calls: []string{"f: fileno"}},
			[]tiny{{path: "test/mock.cpp", defines: []string{"method test.fileno: int test::fileno(FILE*)"}}},
			[]string{"? test/mock.cpp::test.fileno (only definition)"},
		},
	} {
		got := edges(t, nil, append([]tiny{c.from}, c.others...))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestMacrosAndPlatforms(t *testing.T) {
	api := tiny{path: "include/uv.h", defines: []string{"prototype run: int run(void)"}}
	unix := tiny{path: "src/unix/core.c", defines: []string{"function run: int run(void)"}}
	win := tiny{path: "src/win/core.c", defines: []string{"function run: int run(void)"}}
	for _, c := range []struct {
		name   string
		from   tiny
		others []tiny
		want   []string
	}{
		{
			"the body for the own platform",
			tiny{path: "src/win/tcp.c", imports: "uv.h", calls: []string{": run"}},
			[]tiny{api, unix, win},
			[]string{"src/win/core.c::run (included)"},
		},
		{
			"a body for each platform",
			tiny{path: "test/a.c", imports: "uv.h", calls: []string{": run"}},
			[]tiny{api, unix, win},
			[]string{"? src/unix/core.c::run (included)", "? src/win/core.c::run (included)"},
		},
		{
			"a macro of a source",
			tiny{path: "src/a.c", imports: "server.h", calls: []string{": UNUSED"}},
			[]tiny{
				{path: "src/server.h", defines: []string{"function UNUSED: #define UNUSED(x)"}},
				{path: "src/b.c", defines: []string{"function UNUSED: #define UNUSED(x)"}},
			},
			[]string{"src/server.h::UNUSED (included)"},
		},
		{
			"a macro for builds without the function, in its header",
			tiny{path: "examples/a.c", imports: "curl.h", calls: []string{": setopt"}},
			[]tiny{
				{path: "include/curl.h", imports: "easy.h", defines: []string{"function setopt: #define setopt(a, b)"}},
				{path: "include/easy.h", defines: []string{"prototype setopt: int setopt(int a, int b)"}},
				{path: "lib/setopt.c", defines: []string{"function setopt: int setopt(int a, int b)"}},
			},
			[]string{"lib/setopt.c::setopt (included)"},
		},
		{
			"another name that a header gives to a library's function",
			tiny{path: "lib/md5.c", imports: "setup.h", calls: []string{": MD5_Final"}},
			[]tiny{{path: "lib/setup.h", defines: []string{"constant MD5_Final: #define MD5_Final MD5_FINAL"}}},
			[]string{"? lib/setup.h::MD5_Final (only definition)"},
		},
	} {
		got := edges(t, nil, append([]tiny{c.from}, c.others...))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
