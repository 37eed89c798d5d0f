package embed

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"patina/store/doc"
)

// fullSize returns a table of the largest size: the pieces of the stand-in, and invented ones.
func fullSize(t testing.TB) *Table {
	pieces := slices.Clone(standIn().words.pieces)
	for i := 0; len(pieces) < MaxPieces; i++ {
		pieces = append(pieces, fmt.Sprintf("made%dup", i))
	}
	words, err := NewVocabulary(pieces)
	if err != nil {
		t.Fatal(err)
	}
	return NewTrainer(MaxPieces, 256, 1).Quantise(words)
}

// slowVector computes the vector of a passage by its definition, from words to length, in float64.
func slowVector(m *Model, p doc.Passage) []float64 {
	var ids []uint16
	path, _, _ := doc.Passage{Path: p.Path}.Parts(len(p.Path))
	for _, text := range []string{path, p.Doc, p.Body} {
		for word := range Words(text) {
			for _, id := range m.table.words.Encode(nil, word) {
				if id != 0 && len(ids) < 256 {
					ids = append(ids, id)
				}
			}
		}
	}
	counts := map[uint16]int{}
	for _, id := range ids {
		counts[id]++
	}
	vector, row, sum := make([]float64, m.table.dim), make([]float32, m.table.dim), 0.0
	for id, n := range counts {
		m.table.Row(row, id)
		for i, x := range row {
			vector[i] += float64(x) * math.Sqrt(float64(n))
		}
	}
	for _, x := range vector {
		sum += x * x
	}
	for i := range vector {
		vector[i] /= max(math.Sqrt(sum), 1e-300)
	}
	return vector
}

func TestEmbedIsTheDefinition(t *testing.T) {
	m := New(standIn())
	got, exact := make([]int8, 256), make([]float32, 256)
	for i, p := range source().passages {
		if i%5 > 0 || len(p.Path)+len(p.Doc)+len(p.Body) > passageBytes {
			continue
		}
		m.Embed(got, m.Encode(nil, p))
		m.Exact(exact, m.Encode(nil, p))
		for k, x := range slowVector(m, p) {
			want := min(max(x*doc.VectorScale, -127), 127)
			if math.Abs(float64(got[k])-want) > 0.51 {
				t.Fatalf("passage %d, component %d: %d, want %.2f", i, k, got[k], want)
			}
			if math.Abs(float64(exact[k])-x) > 1e-4 { // weights have 16 bits
				t.Fatalf("passage %d, component %d: exactly %g, want %g", i, k, exact[k], x)
			}
		}
	}
}

// The nearest ten by quantised vectors must be the nearest ten by exact ones.
func TestRecallOfQuantisedVectors(t *testing.T) {
	m := New(standIn())
	passages := source().passages[:700]
	exact, bytes := make([][]float64, len(passages)), make([][]int8, len(passages))
	for i, p := range passages {
		body, _ := doc.ClipText(p.Body, 1500)
		p.Body = body
		exact[i], bytes[i] = slowVector(m, p), make([]int8, 256)
		m.Embed(bytes[i], m.Encode(nil, p))
	}
	found, asked := 0, 0
	for i, p := range passages {
		if p.Doc == "" || i%5 > 0 {
			continue
		}
		question := m.Question([]doc.QuestionPart{{Text: p.Doc, Weight: 1}})
		near := func(cosine func(i int) float64) []int {
			order, cosines := make([]int, len(passages)), make([]float64, len(passages))
			for k := range order {
				order[k], cosines[k] = k, cosine(k)
			}
			slices.SortStableFunc(order, func(a, b int) int {
				switch {
				case cosines[a] > cosines[b]:
					return -1
				case cosines[a] < cosines[b]:
					return 1
				}
				return 0
			})
			return order[:10]
		}
		byBytes := near(func(k int) float64 { return dot(question, bytes[k]) })
		for _, k := range near(func(k int) float64 { return dot(question, exact[k]) }) {
			if slices.Contains(byBytes, k) {
				found++
			}
		}
		asked += 10
	}
	recall := float64(found) / float64(asked)
	t.Logf("recall@10 %.4f of %d questions over %d passages", recall, asked/10, len(passages))
	if recall < 0.98 {
		t.Errorf("recall@10 is %.4f, want 0.98", recall)
	}
}

func dot[T float64 | int8](a []float32, b []T) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// checkVector checks that both sides of a text are valid vectors: of length 1, or zero.
func checkVector(t *testing.T, m *Model, text string) {
	t.Helper()
	for _, x := range m.Question([]doc.QuestionPart{{Text: text, Weight: 1}}) {
		if math.IsNaN(float64(x)) || math.Abs(float64(x)) > 1.0001 {
			t.Fatalf("question %.40q has a component %g", text, x)
		}
	}
	vector := make([]int8, m.Dimension())
	encoded := m.Encode(nil, doc.Passage{Path: text, Doc: text, Body: text})
	if len(encoded) > encodedHeader+2*passageTokens {
		t.Fatalf("passage %.40q is encoded in %d bytes", text, len(encoded))
	}
	m.Embed(vector, encoded)
	m.Closest(text, doc.Passage{Path: text, Doc: text, Body: text}, 3, none)
}

func TestStrangeTexts(t *testing.T) {
	m := New(standIn())
	random := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 768<<10)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for _, text := range []string{
		"", " ", "a", "store", "\x00", "a\x00b", string(noise), base64.StdEncoding.EncodeToString(noise),
		"😀😀 👩\u200d👩\u200d👧 🇩🇪", "שלום עולם", "\u202eoverride\u202c store", "数据库索引", "データベースを開く", "한국어",
		"ไม่มีช่องว่าง", "e\u0301\u0301\u0301", strings.Repeat("x", 1<<20), strings.Repeat("store ", 1<<17),
		strings.Repeat("/", 5000), strings.Repeat("读", 5000), "\xff\xfe\xfd",
	} {
		checkVector(t, m, text)
	}
	if length(m.Question([]doc.QuestionPart{{Text: "ቋንቋ 😀", Weight: 1}})) != 0 {
		t.Error("a question without a known word has a vector")
	}
	if l := length(m.Question([]doc.QuestionPart{{Text: "store", Weight: 1}})); math.Abs(l-1) > 1e-5 {
		t.Errorf("a question of one known word has length %g", l)
	}
}

func TestForeignEncodings(t *testing.T) {
	m := New(standIn())
	random := rand.New(rand.NewPCG(1, 1))
	vector := make([]int8, 256)
	for range 2000 {
		encoded := make([]byte, random.IntN(700))
		for i := range encoded {
			encoded[i] = byte(random.Uint32())
		}
		m.Embed(vector, encoded)
		if random.IntN(2) == 0 && len(encoded) > 1 { // possible counts
			encoded[1] = 0
		}
		path, doc, body := splitEncoded(encoded)
		if len(path)+len(doc)+len(body) > len(encoded) || len(path)%2+len(doc)%2+len(body)%2 > 0 {
			t.Fatalf("%d bytes give parts of %d, %d and %d", len(encoded), len(path), len(doc), len(body))
		}
	}
}

func TestPartsOfEncoding(t *testing.T) {
	m := New(standIn())
	text := func(ids []byte) string {
		var b strings.Builder
		for i := 0; i < len(ids); i += 2 {
			piece, continued := strings.CutPrefix(m.table.words.Piece(binary.LittleEndian.Uint16(ids[i:])), Continued)
			if !continued && i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(piece)
		}
		return b.String()
	}
	p := doc.Passage{Path: "far/away/a/b/store/rank.go", Doc: "Rank orders files.", Body: "func Rank(files []File) {}"}
	path, comment, body := splitEncoded(m.Encode([]byte("before")[6:], p))
	for _, test := range []struct{ got, want string }{
		{text(path), "a b store rank go"},
		{text(comment), "rank orders files"},
		{text(body), "func rank files file"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	if got := m.Encode([]byte("before"), p); string(got[:6]) != "before" || len(got) <= 10 {
		t.Errorf("Encode does not append: %q", got)
	}
	long := m.Encode(nil, doc.Passage{Body: strings.Repeat("读 store ", 1000)})
	if before, _, rest := splitEncoded(long); len(before) > 0 || len(rest) > 512 {
		t.Errorf("a long body has %d bytes", len(rest))
	}
}

func TestQuestionWeights(t *testing.T) {
	m := New(standIn())
	ask := func(parts ...doc.QuestionPart) []float32 { return m.Question(parts) }
	one := ask(doc.QuestionPart{Text: "rank files", Weight: 1})
	nan := float32(math.NaN())
	for name, same := range map[string][]float32{
		"another weight": ask(doc.QuestionPart{Text: "rank files", Weight: 3e30}),
		"a part that is NaN": ask(doc.QuestionPart{Text: "rank files", Weight: 1},
			doc.QuestionPart{Text: "store", Weight: nan}),
		"a part of no weight": ask(doc.QuestionPart{Text: "rank files", Weight: 1}, doc.QuestionPart{Text: "store"}),
		"the same twice": ask(doc.QuestionPart{Text: "rank files", Weight: 1},
			doc.QuestionPart{Text: "rank files", Weight: 2}),
	} {
		if c := innerProduct(one, same); math.Abs(float64(c)-1) > 1e-5 {
			t.Errorf("%s: cosine %g with the question", name, c)
		}
	}
	light := ask(doc.QuestionPart{Text: "rank", Weight: 1}, doc.QuestionPart{Text: "store", Weight: 0.2})
	heavy := ask(doc.QuestionPart{Text: "rank", Weight: 1}, doc.QuestionPart{Text: "store", Weight: 5})
	if word := ask(doc.QuestionPart{Text: "store", Weight: 1}); innerProduct(word, light) >= innerProduct(word, heavy) {
		t.Error("a part's weight does not move the question towards it")
	}
	long := ask(doc.QuestionPart{Text: "rank", Weight: 1},
		doc.QuestionPart{Text: strings.Repeat("store ", 50), Weight: 1})
	short := ask(doc.QuestionPart{Text: "rank", Weight: 1}, doc.QuestionPart{Text: "store", Weight: 1})
	if c := innerProduct(long, short); math.Abs(float64(c)-1) > 1e-5 {
		t.Errorf("a part that repeats itself outweighs the other: cosine %g", c)
	}
	if length(ask()) != 0 {
		t.Error("no question has a vector")
	}
}

func none(string) bool { return false }

func TestClosest(t *testing.T) {
	m := New(standIn())
	p := doc.Passage{Path: "store/rank.go", Doc: "Rank orders files.", Body: "return files"}
	pairs := m.Closest("how are files ranked in the store", p, 2, none)
	if len(pairs) != 2 || pairs[0].Cosine < 0.999 || pairs[1].Cosine < 0.999 {
		t.Fatalf("%+v, want two pairs of equal words", pairs)
	}
	words := []string{pairs[0].Question, pairs[1].Question}
	slices.Sort(words)
	if !slices.Equal(words, []string{"files", "store"}) || pairs[0].Question != pairs[0].Passage {
		t.Errorf("%+v, want files and store", pairs)
	}
	got := m.Closest("how are files", p, 3, func(w string) bool { return w == "files" })
	if slices.ContainsFunc(got, func(x Pair) bool {
		return x.Question == "files" || x.Passage == "files"
	}) {
		t.Errorf("a skipped word is in %+v", got)
	}
	if got := m.Closest("ቋንቋ", p, 3, none); len(got) != 0 {
		t.Errorf("unknown words give %+v", got)
	}
	if got := m.Closest("files", p, -1, none); len(got) != 0 {
		t.Errorf("no pairs asked for, %+v given", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	m := New(standIn())
	want := make([][]int8, 300)
	for i := range want {
		want[i] = make([]int8, 256)
		m.Embed(want[i], m.Encode(nil, source().passages[i]))
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			got := make([]int8, 256)
			for i := range want {
				m.Embed(got, m.Encode(nil, source().passages[i]))
				if !slices.Equal(got, want[i]) {
					t.Errorf("passage %d has another vector", i)
					return
				}
				m.Question([]doc.QuestionPart{{Text: "rank files", Weight: 1}})
			}
		})
	}
	group.Wait()
}

func TestNothingIsAllocated(t *testing.T) {
	if raced {
		t.Skip("pools do not keep what they hold under the race detector")
	}
	m := New(standIn())
	vector, encoded := make([]int8, 256), make([]byte, 0, 1024)
	p := source().passages[7]
	if n := testing.AllocsPerRun(100, func() {
		encoded = m.Encode(encoded[:0], p)
		m.Embed(vector, encoded)
	}); n >= 1 {
		t.Errorf("a passage costs %g allocations", n)
	}
}

func TestBase(t *testing.T) {
	m := Base()
	if m.Dimension() != 256 || m.Table() != nil || len(baseTable) > 5e6 {
		t.Errorf("dimension %d, adapted %t, %d bytes", m.Dimension(), m.Table() != nil, len(baseTable))
	}
	if again, err := ReadTable(baseTable); err != nil || again.Model() != m.Model() {
		t.Errorf("read again: %v", err)
	}
}
