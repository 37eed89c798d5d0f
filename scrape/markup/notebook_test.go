package markup

import (
	"strings"
	"testing"
)

const sample = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Weights\n",
    "![x](data:image/png;base64,iVBORw0KGgo=)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "metadata": {"source": ["not this"]},
   "outputs": [
    {"data": {"image/png": "iVBORw0KGgo=", "text": ["def fake(): pass\n"]}}
   ],
   "source": [
    "%matplotlib inline\n",
    "import scale\n",
    "def weigh(x):\n",
    "    return scale.of(x)\n",
    "%time weigh(1)\n",
    "weigh?"
   ]
  },
  {
   "cell_type": "code",
   "source": "%%bash\nls -l\nexit"
  }
 ],
 "metadata": {"kernelspec": {"language": "python", "name": "python3"}},
 "nbformat": 4
}
`

func mark(language string) string {
	if language == "scala" {
		return "//"
	}
	return "#"
}

func TestNotebookRead(t *testing.T) {
	s, ok := ReadNotebook([]byte(sample), mark)
	if !ok || s.Language != "python" {
		t.Fatalf("%+v, %t", s, ok)
	}
	got := strings.Split(string(s.Text), "\n")
	for line, want := range map[int]string{
		3: "# %% [markdown] cell 1", 7: "# # Weights", 8: "# ![x](data:)", 11: "# %% cell 2",
		19: "# %matplotlib inline", 20: "import scale", 21: "def weigh(x):", 22: "    return scale.of(x)",
		23: "weigh(1)", 24: "# weigh?", 27: "# %% cell 3", 29: "# %%bash", 30: "# ls -l", 31: "# exit",
	} {
		if got[line-1] != want {
			t.Errorf("line %d is %q, want %q", line, got[line-1], want)
		}
	}
	if strings.Contains(string(s.Text), "iVBOR") || strings.Contains(string(s.Text), "fake") ||
		strings.Contains(string(s.Text), "not this") {
		t.Errorf("outputs and metadata are no program:\n%s", s.Text)
	}
}

// A notebook on one line, and one of another language.
func TestReadOneLine(t *testing.T) {
	s, ok := ReadNotebook([]byte(`{"metadata":{"language_info":{"name":"scala"},"kernelspec":{"language":"x"}},"cells":[{"source":["val a","\n","%b"],"cell_type":"code"},{"cell_type":"raw","source":"text"}]}`), mark)
	if want := "// %% cell 1\nval a\n%b\n// %% [raw] cell 2\n// text\n"; !ok || string(s.Text) != want ||
		s.Language != "scala" {
		t.Errorf("%+v, %t", s, ok)
	}
}

func TestNoNotebook(t *testing.T) {
	for _, raw := range []string{
		"", "{", "[]", "{}", "{\"cells\": 1}", "{\"cells\": [1]}", "{\"cells\": [{\"source\": [1]}]}", "{\"cells\": [",
		"\x00", strings.Repeat("[", 100_000),
	} {
		if s, ok := ReadNotebook([]byte(raw), mark); ok {
			t.Errorf("%.40q: %+v", raw, s)
		}
	}
}

func FuzzNotebookRead(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, raw string) { ReadNotebook([]byte(raw), mark) })
}
