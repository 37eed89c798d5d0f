package parse

import (
	"slices"
	"testing"
)

// Macros that define functions, mark classes or loop must not hide a name, and must not add one.
func TestMacrosOfC(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string
	}{
		{"call.c", "SYSCALL_DEFINE2(open_it, pid_t, pid, int, sig)\n{\n\treturn find(pid);\n}\n" +
			"int find(int a) { return a; }\n", []string{"function open_it", "function find"}},
		{
			"names.c", "static void NAME(set_size)(double *v)\n{\n  *v = 1;\n}\n" +
				"int *PRE(get_size)(void) { return 0; }\n", []string{"function set_size", "function get_size"},
		},
		{
			"check.c", "TEST(lamp, lights_up)\n{\n  light();\n}\nDEFINE_TEST(\"of one\") { light(); }\n",
			[]string{"method lamp.lights_up", "function of one"},
		},
		{
			"check.cpp", "TEST(Lamp, LightsUp) { light(); }\nTEST_F(LampTest, GoesOut) { light(); }\n" +
				"TEST_CASE(\"a lamp\", \"[lamp]\") { light(1, 2); }\nBENCHMARK_DEFINE_F(Speed, Fast)(State& s) { " +
				"light(1); }\nBOOST_AUTO_TEST_CASE(adds_up) { light(); }\nnamespace a {\n" +
				"  TEST(Desk, Stands) { light(); }\n}\nint last() { return 1; }\n",
			[]string{
				"method Lamp.LightsUp", "method LampTest.GoesOut", "function a lamp", "method Speed.Fast",
				"function adds_up", "method Desk.Stands", "function last",
			},
		},
		{
			"own.cpp", "class LAMP {\n  LAMP(int a) { light(a); }\n  ~LAMP() {}\n};\nOUT::OUT(int a) {}\n",
			[]string{"type LAMP", "method LAMP.LAMP", "method LAMP.~LAMP", "method OUT.OUT"},
		},
		{"mark.cpp", "class API Lamp {\n public:\n  int light() { return 1; }\n};\nstruct API Desk : Thing {\n" +
			"  int legs();\n};\nstruct FOO bar;\nvoid run() { struct FOO local; }\n", []string{
			"type Lamp",
			"method Lamp.light", "type Desk", "method Desk.legs", "variable bar", "function run",
		}},
		{
			"view.cpp", "class View : public Base {\n    Q_OBJECT\n    Q_CLASSINFO(\"bus\", \"org.view\")\n" +
				"    Q_PROPERTY(int size READ size NOTIFY changed)\n    Q_DISABLE_COPY(View)\npublic:\n    View();\n" +
				"    int size() const;\npublic slots:\n    void draw();\n};\n\nvoid View::draw()\n{\n" +
				"    foreach (const QString& a, list(1)) {\n        show(a);\n    }\n" +
				"    Q_FOREACH (QPair<int, int> p, all) {\n        show(p);\n    }\n    forever {\n        step();\n" +
				"    }\n}\n\nint behind() { return 1; }\n",
			[]string{
				"type View", "method View.View", "method View.size", "method View.draw", "method View.draw#2",
				"function behind",
			},
		},
	} {
		f, trouble := Parse(Input{Path: c.path, Text: []byte(c.text)})
		got := definitionsOf(c.text, c.path)
		if !slices.Equal(got, c.want) || trouble != Fine {
			t.Errorf("%s (%s): %q, want %q", c.path, trouble, got, c.want)
		}
		for _, call := range f.Calls {
			if call.Caller < 0 {
				t.Errorf("%s: nothing is around the call of %s", c.path, call.Name)
			}
		}
	}
}

// A header that only C++ can read is C++, even if no word of it says so.
func TestHeaders(t *testing.T) {
	for text, want := range map[string]string{
		"int f(int &a);\nint g(int &a) { return a ? 1 : 2; }\n": "C++",
		"int f(int *a);\nSTART(a\nint g(void);\n":               "C",
		"int f(int *a);\n": "C",
	} {
		if f, _ := Parse(Input{Path: "a.h", Text: []byte(text)}); f.Language != want {
			t.Errorf("%q is in %s, want %s", text, f.Language, want)
		}
	}
}
