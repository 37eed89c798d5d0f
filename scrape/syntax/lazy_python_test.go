package syntax

import (
	"slices"
	"testing"

	"patina/store/doc"
)

// A module that a call imports must be bound like that of an import statement.
func TestLazyImports(t *testing.T) {
	for text, want := range map[string][]doc.Binding{
		"gp = _LazyImport(\"app._gp.gp\")\n": {{
			Name: "gp", Import: "app._gp.gp",
		}},
		"np = LazyLoader(\"np\", globals(), \"numpy\")\n": {{
			Name: "np", Import: "numpy",
		}},
		"def f():\n    m = importlib.import_module('.size', package=__package__)\n    m.of()\n": {{
			Name: "m", Import: ".size",
		}},
		"m = lazy.load(f\"{x}\")\nn = import_module(\"not a module\")\no = lazily(3)\n": nil,
		"if TYPE_CHECKING:\n    from app import gp\nelse:\n    gp = LazyModule('app.gp')\n": {
			{Name: "gp", Import: "app", Of: "gp"}, {Name: "gp", Import: "app.gp"},
		},
		"_import_structure = {'size': ['of', 'Size'], 'rest': []}\n_import_structure['more'] = ['less']\n": {
			{Name: "of", Import: ".size", Of: "of"},
			{Name: "Size", Import: ".size", Of: "Size"},
			{Name: "less", Import: ".more", Of: "less"},
		},
		"__getattr__, __dir__, _ = lazy.attach(__name__, submodules=['io'], submod_attrs={'a.b': ['c']})\n": {
			{Name: "io", Import: ".io"}, {Name: "c", Import: ".a.b", Of: "c"},
		},
	} {
		o, err := Read("Python", []byte(text))
		if err != nil || !slices.Equal(o.Bindings, want) {
			t.Errorf("%s: %+v, %v", text, o.Bindings, err)
		}
		if len(want) > 0 && slices.ContainsFunc(o.Typed, func(y Typed) bool { return y.Name == want[0].Name }) {
			t.Errorf("%s: a module has a type: %+v", text, o.Typed)
		}
	}
}
