package lookup

import "testing"

func TestWrittenFile(t *testing.T) {
	for question, want := range map[string]string{
		"what does redis.conf say about eviction":     "redis.conf",
		"What does `src/a.go` do?":                    "src/a.go",
		"where in README.md is the licence":           "README.md",
		"how is it set in ./conf/app.ini?":            "conf/app.ini",
		"where is redis.conf parsed":                  "",
		"redis.conf":                                  "",
		"what does it do in 2.5 seconds":              "",
		"what is in it. Then it ends":                 "",
		"callers of main.go":                          "",
		"what does http.Client retry":                 "",
		"why does parser.c fail":                      "",
		"inside the lock e.g. here":                   "",
		"which keys does settings.example.yaml hold ": "settings.example.yaml",
	} {
		if got, ok := WrittenFile(question); got != want || ok != (want != "") {
			t.Errorf("%q names %q, %v, want %q", question, got, ok, want)
		}
	}
}

func FuzzWrittenFile(f *testing.F) {
	f.Add("what does redis.conf say about eviction")
	f.Add("in \xff.c in ./.a")
	f.Fuzz(func(t *testing.T, question string) {
		if name, ok := WrittenFile(question); ok && (name == "" || len(name) > len(question)) {
			t.Errorf("%q names %q", question, name)
		}
	})
}
