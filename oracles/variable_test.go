package oracles_test

import (
	"fmt"
	"slices"
	"testing"

	"patina/oracles"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// The place that reads an environment variable comes first, then those that ask for it or set it.
// The others are counted.
func TestVariables(t *testing.T) {
	files := map[string]string{
		"app/run.py": "import os\n\ndef run():\n    if \"APP_DEBUG\" in os.environ:\n        start()\n",
		"app/settings.py": "import os\n\n# APP_DEBUG turns the debugger on.\ndef debug():\n" +
			"    return os.environ.get(\"APP_DEBUG\")\n",
		"app/set.py":       "import os\n\ndef on():\n    os.environ[\"APP_DEBUG\"] = \"1\"\n",
		"app/used.py":      "def hint():\n    print(\"set APP_DEBUG to see more\")\n",
		"tests/test_it.py": "def test_it(env):\n    env[\"APP_DEBUG\"] = \"1\"\n    assert env.get(\"APP_DEBUG\")\n",
		"README.md":        "# App\n\nSet APP_DEBUG=1.\n",
		"app/limits.py":    "POOL_LIMIT = 8\n\ndef take(n):\n    return min(n, POOL_LIMIT)\n",
	}
	for i := range 5 {
		files[fmt.Sprintf("app/words%d.py", i)] = "def app():\n    debug = 1\n    return debug, \"NOT_APP_DEBUG\"\n"
	}
	r := pinned(t, files)
	for _, test := range []struct {
		question string
		want     []string
		line     int // in the first
		more     int
	}{
		{"APP_DEBUG", []string{"app/settings.py", "app/run.py", "app/set.py"}, 5, 3},
		{"`APP_DEBUG`", []string{"app/settings.py", "app/run.py", "app/set.py"}, 5, 3},
		{"where is APP_DEBUG read", []string{"app/settings.py", "app/run.py"}, 5, 4},
		{"APP_NOTHING", nil, 0, 0},
		{"POOL_LIMIT", nil, 0, 0}, // a symbol
	} {
		c, err := oracles.Literals(t.Context(), r, text.ParseQuestion(test.question), doc.Filter{})
		storetest.Check(t, err)
		var got []string
		line, more := 0, 0
		for i, d := range c.Found {
			got = append(got, d.Path)
			if i == 0 {
				line = d.Line
			}
		}
		for _, m := range c.More {
			more += m.Files
		}
		if !slices.Equal(got, test.want) || line != test.line || more != test.more {
			t.Errorf("%s: %q at line %d, %d more; want %q at %d, %d more",
				test.question, got, line, more, test.want, test.line, test.more)
		}
	}
}

// Besides the source that prints a message, the files that quote it are counted. A list of changes
// never replaces the source.
func TestMoreOfAMessage(t *testing.T) {
	r := pinned(t, literalFiles)
	c, err := oracles.Literals(t.Context(), r, text.ParseQuestion("bad magic number"), doc.Filter{})
	storetest.Check(t, err)
	if want := []oracles.Places{{Text: "bad magic number", Files: 1}}; !slices.Equal(c.More, want) {
		t.Errorf("more %+v, want %+v", c.More, want)
	}
}
