package xref_test

import (
	"slices"
	"strings"
	"testing"

	"patina/code/imports"
	"patina/code/xref"
	"patina/store/doc"
)

// edges resolves the calls of the first file: "path::name (reason)", with "?" before candidates.
func edges(t *testing.T, manifests map[string]string, files []tiny) []string {
	t.Helper()
	var paths []string
	var read []*imports.File
	for i, f := range files {
		paths = append(paths, f.path)
		read = append(read, f.file(t, int64(i+1)))
	}
	r := resolver(strings.Join(paths, " "), manifests)
	s := xref.NewScope(*read[0], r, func(f doc.ListedFile) xref.Outside {
		return xref.Outside{Imports: read[f.Key-1].Imports, Bindings: read[f.Key-1].Bindings}
	}).ReadTypes(func(f doc.ListedFile) []xref.OuterType {
		return xref.TypesIn(read[f.Key-1].Entries, read[f.Key-1].Typed)
	})
	named := func(name string) (defs []xref.Definition) {
		for _, f := range read {
			for i, e := range f.Entries {
				if doc.LastName(e.Name) == name {
					defs = append(defs, xref.NewDefinition(*f, i))
				}
			}
		}
		return defs
	}
	s.ReadDefinitions(named)
	var out []string
	for _, c := range read[0].Calls {
		defs := named(s.Unalias(c.Name))
		found := s.Resolve(c, defs)
		if d := s.Certain(c, defs); (d != nil) != (len(found) > 0 && found[0].Certain) || d != nil && d.Path != found[0].Path {
			t.Errorf("%v is certainly %v, and Resolve finds %v", c, d, found)
		}
		for _, e := range found {
			if e.Candidates != len(found) {
				t.Errorf("%s: %d of %d", c.Name, e.Candidates, len(found))
			}
			mark := ""
			if !e.Certain {
				mark = "? "
			}
			out = append(out, mark+e.Path+"::"+e.Entry.Name+" ("+e.Reason+")")
		}
	}
	return out
}

var (
	app   = goModule("", "x.org/app")
	queue = tiny{path: "queue/q.go", defines: []string{
		"function New", "function grow", "type Queue", "method Queue.Close: func (q *Queue) Close()",
	}}
	stack = tiny{path: "queue/s.go", defines: []string{"method Stack.Close: func (s *Stack) Close()"}}
	money = tiny{path: "shop/money.py", defines: []string{"function total", "function refund"}}
	clock = tiny{path: "ts/clock.ts", defines: []string{
		"function now", "type Clock: class Clock", ">method Clock.make", ">method Clock.wind",
	}}
	rustA = tiny{path: "src/a.rs", defines: []string{
		"function shape", "type Pen", "method Pen.draw",
	}}
	rustLib = tiny{path: "src/lib.rs"}
	javaA   = tiny{path: "src/main/java/org/x/A.java", defines: []string{
		"type A: public class A", ">method A.of: static void of()",
	}}
)

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name      string
		manifests map[string]string
		from      tiny // with the calls
		others    []tiny
		want      []string
	}{
		{
			"import of Go", app,
			tiny{path: "main.go", defines: []string{"function main"}, imports: "x.org/app/queue", calls: []string{"main: queue.New"}},
			[]tiny{queue},
			[]string{"queue/q.go::New (imported)"},
		},
		{
			"import under another name", app,
			tiny{path: "main.go", binds: "q = @x.org/app/queue", calls: []string{": q.New"}},
			[]tiny{queue},
			[]string{"queue/q.go::New (imported)"},
		},
		{
			"module of Lua", nil,
			tiny{path: "a.lua", binds: "cart = @shop.cart", calls: []string{": cart.add", ": add"}},
			[]tiny{{path: "lua/shop/cart.lua", defines: []string{"method M.add"}}, {path: "lua/b.lua", defines: []string{"method M.add"}}},
			[]string{"lua/shop/cart.lua::M.add (imported)"},
		},
		{
			"module of Elixir", nil,
			tiny{path: "lib/a.ex", defines: []string{"type A", ">method A.f", ">method A.g"}, binds: "C = @Shop.Cart", calls: []string{"A.f: C.add", "A.f: g"}},
			[]tiny{{path: "lib/shop/cart.ex", defines: []string{"type Cart", ">method Cart.add"}}, {path: "lib/bag.ex", defines: []string{"type Bag", ">method Bag.add"}}},
			[]string{"lib/shop/cart.ex::Cart.add (imported)", "lib/a.ex::A.g (same type)"},
		},
		{
			"module of Zig", nil,
			tiny{path: "src/a.zig", binds: "cart = @cart.zig", calls: []string{": cart.add", ": add"}},
			[]tiny{{path: "src/cart.zig", defines: []string{"function add"}}},
			[]string{"src/cart.zig::add (imported)"},
		},
		{
			"qualified name of Haskell", nil,
			tiny{path: "src/A.hs", binds: "C = @Shop.Cart", calls: []string{": C.add"}},
			[]tiny{{path: "src/Shop/Cart.hs", defines: []string{"function add"}}, {path: "src/Shop/Bag.hs", defines: []string{"function add"}}},
			[]string{"src/Shop/Cart.hs::add (imported)"},
		},
		{
			"package named unlike its path", app,
			tiny{path: "main.go", imports: "x.org/app/queue", calls: []string{": jobs.New"}},
			[]tiny{queue},
			[]string{"? queue/q.go::New (module under another name?)"},
		},
		{
			"lower case of another package", app,
			tiny{path: "main.go", imports: "x.org/app/queue", calls: []string{": queue.grow", ": grow"}},
			[]tiny{queue},
			nil,
		},
		{
			"same package", app,
			tiny{path: "queue/s.go", calls: []string{": grow"}},
			[]tiny{queue},
			[]string{"queue/q.go::grow (same package)"},
		},
		{
			"definitions in tests", app,
			tiny{path: "queue/s.go", calls: []string{": Fill"}},
			[]tiny{{path: "queue/q_test.go", defines: []string{"function Fill"}, testFile: true}},
			nil,
		},
		{
			"receiver of Go", app,
			tiny{path: "queue/q.go", defines: []string{"method Queue.Push: func (q *Queue) Push()", "method Queue.grow: func (q *Queue) grow()"}, calls: []string{"Queue.Push: q.grow"}},
			nil,
			[]string{"queue/q.go::Queue.grow (own type)"},
		},
		{
			"method of two types", app,
			tiny{path: "main.go", imports: "x.org/app/queue", calls: []string{": s.Close", ": stack.Close"}},
			[]tiny{queue, stack},
			[]string{
				"? queue/q.go::Queue.Close (receiver unknown)", "? queue/s.go::Stack.Close (receiver unknown)",
				"? queue/s.go::Stack.Close (receiver unknown)", "? queue/q.go::Queue.Close (receiver unknown)",
			},
		},
		{
			"method of one type", app,
			tiny{path: "main.go", imports: "x.org/app/queue", calls: []string{": x.Drain"}},
			[]tiny{{path: "queue/q.go", defines: []string{"method Queue.Drain"}}},
			[]string{"queue/q.go::Queue.Drain (only definition)"},
		},
		{
			"method of one type, file that does not know it", app,
			tiny{path: "main.go", calls: []string{": x.Drain"}},
			[]tiny{{path: "queue/q.go", defines: []string{"method Queue.Drain"}}},
			[]string{"? queue/q.go::Queue.Drain (only definition)"},
		},
		{
			"method of a type in a function", app,
			tiny{path: "queue/s.go", calls: []string{": x.Drain"}},
			[]tiny{{path: "queue/q.go", defines: []string{"function run", ">type drain", ">>method drain.Drain"}}},
			[]string{"? queue/q.go::drain.Drain (only definition)"},
		},
		{
			"method that built-in values have", app,
			tiny{path: "main.go", imports: "x.org/app/queue", calls: []string{": x.Close", ": queue.Close"}},
			[]tiny{queue},
			[]string{"? queue/q.go::Queue.Close (only definition)"},
		},
		{
			"parameter", app,
			tiny{path: "main.go", defines: []string{"function run: func run(n int, build func())", "function build"}, calls: []string{"run: build"}},
			nil, nil,
		},

		{
			"name from a module of Python", nil,
			tiny{path: "shop/cart.py", binds: "total = total@.money", calls: []string{": total"}},
			[]tiny{money},
			[]string{"shop/money.py::total (imported)"},
		},
		{
			"re-export of a package", nil,
			tiny{path: "app.py", binds: "add_up = total@shop", calls: []string{": add_up"}},
			[]tiny{{path: "shop/__init__.py", binds: "total = total@.money"}, money},
			[]string{"shop/money.py::total (imported)"},
		},
		{
			"re-export under another name", nil,
			tiny{path: "app.py", binds: "shop = @shop", calls: []string{": shop.back"}},
			[]tiny{{path: "shop/__init__.py", binds: "back = refund@.money"}, money},
			nil, // found under the name in the package alone
		},
		{
			"re-export of all names", nil,
			tiny{path: "app.py", binds: "shop = @shop", calls: []string{": shop.refund"}},
			[]tiny{{path: "shop/__init__.py", binds: "* = *@.money"}, money},
			[]string{"shop/money.py::refund (imported)"},
		},
		{
			"re-exports in a circle", nil,
			tiny{path: "app.py", binds: "a = @a", calls: []string{": a.total"}},
			[]tiny{{path: "a.py", binds: "* = *@b"}, {path: "b.py", binds: "* = *@a"}, money},
			nil,
		},
		{
			"all names of a module", nil,
			tiny{path: "app.py", binds: "* = *@shop.money", calls: []string{": total"}},
			[]tiny{money},
			[]string{"shop/money.py::total (imported)"},
		},
		{
			"module under another name", nil,
			tiny{path: "app.py", binds: "m = @shop.money", calls: []string{": m.refund"}},
			[]tiny{money},
			[]string{"shop/money.py::refund (imported)"},
		},
		{
			"import from outside", nil,
			tiny{path: "app.py", binds: "total = total@json", calls: []string{": total"}},
			[]tiny{money},
			nil,
		},
		{
			"no import", nil,
			tiny{path: "app.py", calls: []string{": total"}},
			[]tiny{money},
			nil,
		},
		{
			"import from outside, same package", nil,
			tiny{path: "org/y/B.java", binds: "A = @java.util.A", calls: []string{": A"}},
			[]tiny{{path: "org/y/A.java", defines: []string{"type A"}}},
			nil,
		},
		{
			"near an import", nil,
			tiny{path: "app.py", binds: "shop = @shop", calls: []string{": shop.total"}},
			[]tiny{{path: "shop/__init__.py"}, money},
			[]string{"shop/money.py::total (near an import)"},
		},
		{
			"function in a function", nil,
			tiny{path: "a.py", defines: []string{"function outer", ">function inner", "function inner"}, calls: []string{"outer: inner", ": inner"}},
			nil,
			[]string{"a.py::inner (same function)", "a.py::inner (same file)"},
		},
		{
			"self, base and super", nil,
			tiny{
				path:    "a.py",
				defines: []string{"type Base: class Base", ">method Base.check", "type Cart: class Cart(Base)", ">method Cart.add", ">method Cart.check", "type Other: class Other", ">method Other.check"},
				calls:   []string{"Cart.add: self.check", "Cart.add: super.check"},
			},
			nil,
			[]string{"a.py::Cart.check (own type)", "a.py::Base.check (base type)"},
		},
		{
			"a type that its name brings", nil,
			tiny{path: "shop/cart.py", binds: "Clock = @time", calls: []string{": Clock.make"}},
			[]tiny{{path: "shop/time.py", defines: []string{"type Clock", ">method Clock.make"}}},
			nil,
		},

		{
			"import of TypeScript", nil,
			tiny{path: "ts/view.ts", binds: "current = now@./clock", calls: []string{": current"}},
			[]tiny{clock},
			[]string{"ts/clock.ts::now (imported)"},
		},
		{
			"re-export of an index file", nil,
			tiny{path: "web/page.ts", binds: "now = now@../ts", calls: []string{": now"}},
			[]tiny{{path: "ts/index.ts", binds: "* = *@./clock"}, clock},
			[]string{"ts/clock.ts::now (imported)"},
		},
		{
			"default export", nil,
			tiny{path: "ts/view.ts", binds: "Clock = default@./clock", calls: []string{": Clock.make"}},
			[]tiny{{path: "ts/clock.ts", defines: clock.defines, binds: "default = Clock@"}},
			[]string{"ts/clock.ts::Clock.make (imported)"},
		},
		{
			"type of the language", nil,
			tiny{path: "ts/view.ts", calls: []string{": Number.make"}},
			[]tiny{clock},
			nil,
		},
		{
			"this", nil,
			tiny{path: "ts/clock.ts", defines: clock.defines, calls: []string{"Clock.make: this.wind"}},
			nil,
			[]string{"ts/clock.ts::Clock.wind (own type)"},
		},

		{
			"use under another name", nil,
			tiny{path: "src/b.rs", binds: "P = @crate::a::Pen", calls: []string{": P::draw"}},
			[]tiny{rustLib, rustA},
			[]string{"src/a.rs::Pen.draw (imported)"},
		},
		{
			"pub use", nil,
			tiny{path: "src/b.rs", binds: "form = @crate::shape", calls: []string{": form"}},
			[]tiny{{path: "src/lib.rs", binds: "shape = @a::shape"}, rustA},
			[]string{"src/a.rs::shape (imported)"},
		},
		{
			"path of Rust", nil,
			tiny{path: "src/b.rs", calls: []string{": crate::a::shape", ": super::a::shape", ": shape"}},
			[]tiny{rustLib, rustA},
			[]string{"src/a.rs::shape (imported)", "src/a.rs::shape (imported)"},
		},
		{
			"macro of Rust", nil,
			tiny{path: "src/b.rs", calls: []string{": pens"}},
			[]tiny{{path: "src/m.rs", defines: []string{"function pens: macro_rules! pens"}}},
			[]string{"src/m.rs::pens (only definition)"},
		},

		{
			"declared types of Rust", nil,
			tiny{
				path: "src/b.rs", binds: "Pen = @crate::a::Pen, File = @std::fs::File",
				defines: []string{"type Desk: struct Desk", "method Desk.use: fn use(&self, a: Pen, b: Option<Pen>)", "function other"},
				typed:   "Desk pen Arc<Pen>, Desk nib File, Desk.use a Pen, Desk.use b Option<Pen>, Desk.use c File, Desk.use c _, Desk.use _.draw ~File, Desk.use _.clear File",
				calls: []string{
					"Desk.use: a.draw", "Desk.use: self.pen.draw", "Desk.use: self.pen.clone", "Desk.use: self.nib.draw",
					"Desk.use: b.map", "Desk.use: b.draw", "Desk.use: c.clear", "Desk.use: _.draw", "Desk.use: _.clear", "other: self.nib.clear",
				},
			},
			[]tiny{
				rustLib, rustA,
				{path: "src/c.rs", defines: []string{"type Ink", "method Ink.draw", "method Ink.clone", "method Ink.map", "method Ink.clear", "type Wipe: pub trait Wipe", ">method Wipe.clear"}},
			},
			[]string{
				"src/a.rs::Pen.draw (declared type)", "src/a.rs::Pen.draw (declared type)", "src/a.rs::Pen.draw (declared type)",
				"? src/c.rs::Ink.clear (likely a library's)", "? src/c.rs::Wipe.clear (likely a library's)",
				"? src/c.rs::Wipe.clear (likely a library's)",
				"? src/c.rs::Ink.clear (likely a library's)", "? src/c.rs::Wipe.clear (likely a library's)",
			},
		},
		{
			"chain of Rust that calls one name twice", nil,
			tiny{
				path: "src/b.rs", binds: "Pen = @crate::a::Pen", defines: []string{"function once", "function mixed"},
				typed: "once _.draw Pen, once _.draw ~Pen, mixed _.draw Pen, mixed _.draw _",
				calls: []string{"once: _.draw", "mixed: _.draw"},
			},
			[]tiny{rustLib, rustA, {path: "src/c.rs", defines: []string{"type Ink", "method Ink.draw"}}},
			[]string{
				"src/a.rs::Pen.draw (declared type)",
				"? src/a.rs::Pen.draw (receiver unknown)", "? src/c.rs::Ink.draw (receiver unknown)",
			},
		},
		{
			"path of Rust into a crate from outside",
			map[string]string{"Cargo.toml": "[package]\nname = \"desk\"\n[dependencies]\nquill = \"1\"\n"},
			tiny{path: "src/b.rs", calls: []string{": quill::Feather::shape", ": quill::Feather::wipe", ": quill::shape"}},
			[]tiny{
				rustLib, {path: "src/c.rs", defines: []string{"type Ink", "method Ink.shape", "type Wipe: pub trait Wipe", ">method Wipe.wipe"}},
			},
			[]string{"? src/c.rs::Wipe.wipe (only definition)"},
		},
		{
			"calls handed on", nil,
			tiny{
				path: "src/b.rs", defines: []string{"method Sock.turn: fn turn(&self)", "function spin: fn spin()"},
				calls: []string{"Sock.turn: self.io.turn", "spin: self::imp::spin", "spin: x.turn"},
			},
			[]tiny{rustLib},
			[]string{"? src/b.rs::Sock.turn (only definition)", "src/b.rs::Sock.turn (only definition)"},
		},
		{
			"method of a foreign type", nil,
			tiny{path: "src/b.rs", binds: "Sock = @std::net::Sock", defines: []string{"method Sock.turn: fn turn(&self)", "method Own.turn: fn turn(&self)"}, calls: []string{"Sock.turn: Self::turn", "Own.turn: Self::turn"}},
			[]tiny{rustLib},
			[]string{"? src/b.rs::Own.turn (may be inherited)", "src/b.rs::Own.turn (own type)"},
		},
		{
			"self outside of a class", nil,
			tiny{path: "a.py", defines: []string{"function visit: def visit(self, node)", "type Tex: class Tex", ">method Tex.escape"}, calls: []string{"visit: self.escape"}},
			nil,
			[]string{"? a.py::Tex.escape (may be inherited)"},
		},
		{
			"method of a crate that an import reaches", nil,
			tiny{path: "src/b.rs", binds: "shape = @crate::shape", calls: []string{": _.wind", ": x.wind"}},
			[]tiny{{path: "src/lib.rs", binds: "shape = @a::shape"}, rustA, {path: "src/c.rs", defines: []string{"type Clock", "method Clock.wind"}}},
			[]string{"? src/c.rs::Clock.wind (only definition)", "? src/c.rs::Clock.wind (only definition)"},
		},
		{
			"static import and package of Java", nil,
			tiny{path: "src/main/java/org/y/B.java", binds: "of = @org.x.A.of, * = *@org.x.*", calls: []string{": of", ": A"}},
			[]tiny{javaA},
			[]string{"src/main/java/org/x/A.java::A.of (imported)", "src/main/java/org/x/A.java::A (only definition)"},
		},
		{
			"tests of Java", nil,
			tiny{path: "src/test/java/org/x/ATest.java", calls: []string{": A", ": A.of"}},
			[]tiny{javaA},
			[]string{"src/main/java/org/x/A.java::A (same package)", "src/main/java/org/x/A.java::A.of (names the type)"},
		},
		{
			"constructor of Java", nil,
			tiny{path: "B.java", binds: "A = @org.x.A", calls: []string{": A"}},
			[]tiny{{path: "org/x/A.java", defines: []string{"type A", ">method A.A"}}},
			[]string{"org/x/A.java::A (imported)"},
		},
		{
			"implicit this", nil,
			tiny{path: "B.java", defines: []string{"type B: class B", ">method B.f", ">method B.g"}, calls: []string{"B.f: g"}},
			nil,
			[]string{"B.java::B.g (same type)"},
		},

		{
			"use of PHP", nil,
			tiny{path: "index.php", binds: `C = @App\Http\Client`, calls: []string{": C::send"}},
			[]tiny{{path: "src/App/Http/Client.php", defines: []string{"type Client", ">method Client.send"}}},
			[]string{"src/App/Http/Client.php::Client.send (imported)"},
		},

		{
			"header", nil,
			tiny{path: "src/b.c", imports: "a.h", calls: []string{": grow"}},
			[]tiny{{path: "src/a.h"}, {path: "src/a.c", defines: []string{"function grow"}}, {path: "old/a.c", defines: []string{"function grow"}}},
			[]string{"src/a.c::grow (included)"},
		},
		{
			"prototype and definition", nil,
			tiny{path: "src/b.c", imports: "all.h", calls: []string{": grow", ": wind"}},
			[]tiny{
				{path: "src/all.h", imports: "a.h"},
				{path: "src/a.h", defines: []string{"prototype grow: int grow(int n)", "prototype wind: int wind(void)"}},
				{path: "src/impl.c", defines: []string{"function grow: int grow(int n)"}},
				{path: "deps/x/impl.c", defines: []string{"function grow: int grow(int n)"}},
				{path: "src/own.c", defines: []string{"function grow: static int grow(int n)"}},
			},
			[]string{"src/impl.c::grow (included)", "src/a.h::wind (included)"},
		},
		{
			"static function of C", nil,
			tiny{path: "src/b.c", imports: "part.c", calls: []string{": grow", ": turn", ": spin"}},
			[]tiny{
				{path: "src/a.c", defines: []string{"function grow: static int grow(int n)"}},
				{path: "src/part.c", defines: []string{"function turn: static void turn(void)"}},
				{path: "src/c.c", defines: []string{"prototype spin: static void spin(void)", "function spin#2: static void spin(void)"}},
			},
			[]string{"src/part.c::turn (included)"},
		},
		{
			"method declared in a class", nil,
			tiny{path: "b.cpp", imports: "pen.h", calls: []string{": Pen::draw"}},
			[]tiny{{path: "pen.h", defines: []string{"type Pen: class Pen", ">proto Pen.draw: void draw()"}}, {path: "pen.cpp", defines: []string{"method Pen.draw: void Pen::draw()"}}},
			[]string{"pen.cpp::Pen.draw (names the type)"},
		},
		{
			"declared type of a parameter", nil,
			tiny{path: "org/x/B.java", defines: []string{"type B: class B", ">method B.f: void f(Reader in)"}, typed: "B.f in Reader", calls: []string{"B.f: in.close"}},
			[]tiny{
				{path: "org/x/Reader.java", defines: []string{"type Reader: class Reader", ">method Reader.close: void close()"}},
				{path: "org/x/Writer.java", defines: []string{"type Writer: class Writer", ">method Writer.close: void close()"}},
			},
			[]string{"org/x/Reader.java::Reader.close (declared type)"},
		},
		{
			"declared type in Go", goModule("", "x.org/app"),
			tiny{path: "a/b.go", imports: "x.org/app/q", defines: []string{"function f: func f(m *Message, n q.Message)"}, typed: "f m Message, f n q.Message", calls: []string{"f: m.Get", "f: n.Get"}},
			[]tiny{
				{path: "a/m.go", defines: []string{"type Message: type Message struct", "method Message.Get: func (m *Message) Get() int"}},
				{path: "q/m.go", defines: []string{"type Message: type Message struct", "method Message.Get: func (m *Message) Get() int"}},
			},
			[]string{"a/m.go::Message.Get (declared type)", "q/m.go::Message.Get (declared type)"},
		},
		{
			"declared type of a field, from elsewhere", nil,
			tiny{path: "org/x/B.java", defines: []string{"type B: class B", ">method B.f: void f()"}, binds: "Socket = @java.net.Socket", typed: "B in Socket", calls: []string{"B.f: this.in.close", "B.f: out.close"}},
			[]tiny{
				{path: "org/x/Reader.java", defines: []string{"type Reader: class Reader", ">method Reader.close: void close()"}},
				{path: "org/x/Mock.java", defines: []string{"type Mock: class Mock extends Socket", ">method Mock.close: void close()"}},
			},
			[]string{
				"? org/x/Mock.java::Mock.close (may override)",
				"? org/x/Reader.java::Reader.close (likely a library's)", "? org/x/Mock.java::Mock.close (likely a library's)",
			},
		},
		{
			"parameter of C++ that hides methods of other types", nil,
			tiny{path: "src/b.cpp", defines: []string{"function each: void each(F&& f, int n)", "function other: void other(int n)"}, calls: []string{"each: f", "other: f"}},
			[]tiny{{path: "src/a.cpp", defines: []string{"type A: struct A", ">method A.f"}}},
			[]string{"? src/a.cpp::A.f (only definition)"},
		},
		{
			"no include", nil,
			tiny{path: "src/b.c", calls: []string{": grow"}},
			[]tiny{{path: "old/a.c", defines: []string{"function grow"}}, {path: "src/a.c", defines: []string{"function grow"}}},
			[]string{"? src/a.c::grow (name)", "? old/a.c::grow (name)"},
		},
		{
			"alias of C++", nil,
			tiny{path: "b.cpp", binds: "P = shapes::Pen@", calls: []string{": P::draw"}},
			[]tiny{{path: "a.cpp", binds: "package = shapes@", defines: []string{"method Pen.draw"}}, {path: "c.cpp", defines: []string{"method Ink.draw"}}},
			[]string{"a.cpp::Pen.draw (names the type)"},
		},

		{
			"alias of a library's function", nil,
			tiny{path: "a.py", binds: "_abort = abort@werkzeug", defines: []string{"function abort"}, calls: []string{"abort: _abort", ": abort"}},
			nil,
			[]string{"a.py::abort (same file)"},
		},
		{
			"method that an object is written with", nil,
			tiny{path: "b.js", imports: "./a", calls: []string{": options.condition", ": condition"}},
			[]tiny{{path: "a.js", defines: []string{"function make: function make()", ">function condition: condition(arg)", ">function other: const other = () => 1"}}},
			[]string{"? a.js::condition (only definition)"},
		},

		{
			"another language", nil,
			tiny{path: "app.rb", calls: []string{": total"}},
			[]tiny{money},
			nil,
		},
		{
			"function of Ruby", nil,
			tiny{path: "app.rb", calls: []string{": total"}},
			[]tiny{{path: "lib/money.rb", defines: []string{"function total"}}},
			[]string{"lib/money.rb::total (only definition)"},
		},
		{
			"section of a document", nil,
			tiny{path: "app.rb", calls: []string{": total"}},
			[]tiny{{path: "lib/money.rb", defines: []string{"section total"}}},
			nil,
		},
	} {
		got := edges(t, c.manifests, append([]tiny{c.from}, c.others...))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
