package parse

import (
	"strings"
	"testing"

	"patina/store/doc"
)

const notebookText = `{
 "cells": [
  {
   "cell_type": "markdown",
   "source": ["# How heavy is it?"]
  },
  {
   "cell_type": "code",
   "outputs": [{"data": {"image/png": "iVBORw0KGgoAAAANSUhEUgAA"}}],
   "source": [
    "import scale\n",
    "%matplotlib inline\n",
    "def weigh(x):\n",
    "    return scale.of(x)"
   ]
  }
 ],
 "metadata": {"kernelspec": {"language": "KERNEL"}}
}
`

// A notebook is a program with the lines of the file. It must keep no line of JSON, and no output.
func TestNotebook(t *testing.T) {
	f, trouble := Parse(Input{Path: "lab/heavy.ipynb", Text: []byte(strings.Replace(notebookText, "KERNEL", "python",
		1))})
	checkFile(t, f)
	if trouble != Fine || f.Language != "Python" || len(f.Entries) != 1 || f.Entries[0].Name != "weigh" ||
		f.Entries[0].Line != 13 {
		t.Errorf("%s, %q, %+v", f.Language, trouble, f.Entries)
	}
	if len(f.Calls) != 1 || f.Calls[0].Name != "scale.of" || f.Calls[0].Line != 14 || len(f.Imports) != 1 {
		t.Errorf("calls %+v, imports %q", f.Calls, f.Imports)
	}
	if body := string(f.Body); strings.Contains(body, "iVBOR") || strings.Contains(body, "cell_type") ||
		!strings.Contains(body, "# # How heavy is it?") {
		t.Errorf("the body is\n%s", body)
	}
	if f, _ := Parse(Input{Path: "x.ipynb", Text: []byte(strings.Replace(notebookText, "KERNEL", "R",
		1))}); f.Language != "R" {
		t.Errorf("the language of the kernel is %q", f.Language)
	}
}

// A text that is no notebook is found by its path alone.
func TestBrokenNotebook(t *testing.T) {
	f, _ := Parse(Input{Path: "x.ipynb", Text: []byte(`{"cells": [{"outputs": "iVBORw0KGgo`)})
	if f.Class&doc.PathOnly == 0 || len(f.Body) > 0 {
		t.Errorf("%+v", f)
	}
}
