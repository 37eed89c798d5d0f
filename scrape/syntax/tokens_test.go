package syntax

import (
	"slices"
	"strings"
	"testing"
)

// callsOf returns the calls of a text as "caller: name".
func callsOf(t *testing.T, language, text string) (list []string) {
	t.Helper()
	o, err := Read(language, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range o.Calls {
		caller := "-"
		if c.Symbol >= 0 {
			caller = o.Symbols[c.Symbol].Name
		}
		if last := c.Name[strings.LastIndexAny(c.Name, ".:")+1:]; !strings.HasPrefix(text[c.At:], last) &&
			!strings.HasPrefix(text[c.At:], "r#"+last) {
			t.Errorf("%s: the call %q stands at %q", language, c.Name, text[c.At:min(len(text), c.At+20)])
		}
		list = append(list, caller+": "+c.Name)
	}
	return list
}

// Functions in the arguments of a macro are called by the function around the macro. Symbols that a
// macro defines outside functions are defined.
func TestRustMacros(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		calls []string
		names []string
	}{
		"arguments": {
			`fn f() { println!("{} {x}", size(), x = width(1)); }`, []string{"f: size", "f: width"}, []string{"f"},
		},
		"list": {
			`fn f() { let v = vec![a(), b::c()]; let w = vec![d(); 3]; }`,
			[]string{"f: a", "f: b::c", "f: d"},
			[]string{"f"},
		},
		"nested": {
			`fn f() { assert!(matches!(kind(x), K::A)); assert_eq!(vec![one()], vec![two()]); }`,
			[]string{"f: kind", "f: matches", "f: one", "f: two"},
			[]string{"f"},
		},
		"method": {
			`fn f() { log::info!(target: "net", "{}", self.pool.size()); }`,
			[]string{"f: log::info", "f: self.pool.size"},
			[]string{"f"},
		},
		"chain": {
			`fn f() { dbg!(Tool::new().sharpen(3)); }`,
			[]string{"f: Tool::new", "f: _.sharpen", "f: dbg"},
			[]string{"f"},
		},
		"closure": {
			`fn f() { run!(|x| inner(x), move || { outer(); }); }`,
			[]string{"f: inner", "f: outer", "f: run"},
			[]string{"f"},
		},
		"no expressions": {
			`fn f() { select! { r = first() => { second(r) }, _ = x.third::<u8>() => {} } }`,
			[]string{"f: first", "f: second", "f: select", "f: x.third"},
			[]string{"f"},
		},
		"guard": {
			`fn f() -> bool { matches!(pick(a), Some(n) if check(n)) }`,
			[]string{"f: check", "f: matches", "f: pick"},
			[]string{"f"},
		},
		"statics": {
			"lazy_static! {\n  pub static ref TABLE: Vec<u8> = fill();\n}",
			[]string{"-: lazy_static", "TABLE: fill"},
			[]string{"TABLE"},
		},
		"conditions": {
			"cfg_if! {\n  if #[cfg(unix)] {\n    pub fn home() { path() }\n  } else if #[cfg(windows)] {\n" +
				"    fn drive() {}\n  } else {\n    fn none() { stop!(now()) }\n  }\n}",
			[]string{"-: cfg_if", "home: path", "none: now", "none: stop"},
			[]string{"drive", "home", "none"},
		},
		"items in parentheses": {
			"wrap!(\n  pub fn inside() { deep() }\n);", []string{"-: wrap", "inside: deep"}, []string{"inside"},
		},
		"methods": {
			"task! {\n  impl Pump { fn start(&self) { self.prime() } }\n}",
			[]string{"-: task", "Pump.start: self.prime"},
			[]string{"Pump.start"},
		},
		"inside of a type": {
			"impl Pump {\n  each! { fn stop(&self) { self.drain() } }\n}",
			[]string{"-: each", "Pump.stop: self.drain"},
			[]string{"Pump.stop"},
		},
		"definition": {
			"macro_rules! make {\n  ($n:ident) => { fn $n() -> u8 { base($n.size()) + " +
				"$crate::util::more() } };\n}",
			[]string{"make: _.size", "make: base", "make: crate::util::more"},
			[]string{"make"},
		},
		"attributes": {
			"struct S {\n  #[serde(default = \"S::limit\", rename(serialize = \"a\"))]\n  a: u8,\n" +
				"  #[arg(default_value_t = port())]\n  b: u8,\n}\n#[error(\"{}\", first(.0))]\n" +
				"#[cfg(all(unix, not(test)))]\nstruct E(u8);",
			[]string{"-: first", "S: S::limit", "S: port"},
			[]string{"E", "S"},
		},
		"no functions inside functions": {
			`fn f() { quote! { fn made() { used() } } }`, []string{"f: quote", "f: used"}, []string{"f"},
		},
		"raw names": {
			`fn r#match() { r#match(); println!("{}", r#match()) }`,
			[]string{"match: match", "match: match"},
			[]string{"match"},
		},
		"not a macro": {`fn f() { if a != (b) { g!(x != (y)) } }`, []string{"f: g"}, []string{"f"}},
	} {
		got := callsOf(t, "Rust", c.text)
		slices.Sort(got)
		got = slices.DeleteFunc(got, func(s string) bool { return strings.HasSuffix(s, "macro_rules") })
		if !slices.Equal(got, c.calls) {
			t.Errorf("%s: calls %q, want %q", name, got, c.calls)
		}
		o, _ := Read("Rust", []byte(c.text))
		var names []string
		for _, s := range o.Symbols {
			names = append(names, s.Name)
		}
		slices.Sort(names)
		if !slices.Equal(names, c.names) {
			t.Errorf("%s: symbols %q, want %q", name, names, c.names)
		}
	}
}

// A macro that the grammar cannot read as expressions must not hide the others.
func TestRustMacroBesideBroken(t *testing.T) {
	got := callsOf(t, "Rust", "fn f() { bad!(=> => ) x { one() ); good!(two()); }\nfn g() { good!(three()); }\n")
	for _, want := range []string{"f: two", "g: three"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing among %q", want, got)
		}
	}
}

// A name in the arguments of a macro is used as it is written there.
func TestUsesInRustMacro(t *testing.T) {
	uses, _, err := Uses("Rust", []byte(`fn f() { say!("{}", self.pool.size(), size); }`), "size")
	if err != nil || len(uses) != 2 || uses[0].Name != "self.pool.size" || uses[0].As != Calls ||
		uses[1].Name != "size" || uses[1].As != Reads {
		t.Errorf("%+v, %v", uses, err)
	}
}
