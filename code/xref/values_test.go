package xref

import (
	"testing"

	"patina/code/lang"
)

// The signatures are as scrapes store them: without bodies, with white space folded.
func TestResultTypes(t *testing.T) {
	for _, c := range []struct{ family, owner, name, title, result, want string }{
		{"Go", "", "New", "func New(a int) *Node", "", "Node"},
		{"Go", "", "Open", "func Open(p string, f func(int) error) (db *sql.DB, err error)", "", "sql.DB"},
		{"Go", "", "Open", "func Open(p string) (*sql.DB, error)", "1", "error"},
		{"Go", "S", "Get", "func (s *S) Get[T any](k string) T", "", "T"},
		{"Go", "", "All", "func All() []Node", "", "_"},
		{"Go", "", "Run", "func Run(ctx context.Context)", "", ""},
		{"Python", "", "make", "def make(a: int) -> Optional[Node]", "", "Node"},
		{"Python", "", "make", "def make(a: int) -> 'Node'", "", "Node"},
		{"Java", "A", "make", "public static <T> Map<String, T> make(int a)", "", "Map"},
		{"Java", "A", "make", "Node make(int a)", "", "Node"},
		{"C#", "A", "Make", "public async Task<Node> Make(int a)", "", "Node"},
		{"JavaScript", "", "make", "export async function make(a: (x: number) => void): Promise<Node>", "", "Node"},
		{"JavaScript", "", "make", "function make(a)", "", ""},
		{"PHP", "A", "make", "public function make(int $a): ?Node", "", "Node"},
		{"Kotlin", "", "make", "fun make(a: Int): Node?", "", "Node"},
		{"Scala", "", "make", "def make[A](a: Int)(implicit b: B): Node[A]", "", "Node"},
		{"Swift", "", "make", "func make(a: Int) async throws -> Node?", "", "Node"},
		{"C", "A", "make", "static const Node* A::make(int a)", "", "Node"},
		{"C", "A", "make", "std::unique_ptr<Node> make(int a)", "", "Node"},
		{"C", "", "make", "auto make(int a) -> ns::Node&", "", "ns::Node"},
	} {
		d := Definition{family: c.family, rules: lang.Named(c.family).Names(), owner: c.owner, name: c.name}
		d.Entry.Title = c.title
		if got := resultType(&d, c.result); got != c.want {
			t.Errorf("%s: %q of %q, want %q", c.title, got, c.result, c.want)
		}
	}
}

func TestTypesOfVariables(t *testing.T) {
	for _, c := range []struct{ family, title, want string }{
		{"Go", "var spare = shop.Make()", "shop.Make()"},
		{"Go", "var spare sync.Map", "sync.Map"},
		{"Go", "var spare = &sync.Map{}", "sync.Map"},
		{"JavaScript", "export const spare = new Map<string, Lamp>()", "Map"},
		{"JavaScript", "const spare: Lamp = make()", "Lamp"},
		{"Python", "spare = boto3.client('s3')", "boto3.client()"},
		{"Python", "spare: Lamp = make()", "Lamp"},
		{"Go", "var spare", ""},
	} {
		d := Definition{family: c.family, rules: lang.Named(c.family).Names(), name: "spare"}
		d.Entry.Title = c.title
		if got := typeOfVariable(&d); got != c.want {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
	}
}
