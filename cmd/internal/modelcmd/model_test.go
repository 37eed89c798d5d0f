package modelcmd

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"patina/registry/models"
	"patina/store/doc"
)

func TestTimeText(t *testing.T) {
	for seconds, want := range map[float64]string{
		0.2: "less than a second", 1.4: "about 1 second", 42: "about 42 seconds", 119: "about 2 minutes",
		3000: "about 50 minutes", 90000: "about 25 hours",
	} {
		if got := timeText(seconds); got != want {
			t.Errorf("%v: %q, want %q", seconds, got, want)
		}
	}
}

func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{900: "1 kB", 438e6: "438 MB", 2.5e9: "2.5 GB"} {
		if got := sizeText(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSplitGroups(t *testing.T) {
	got, err := splitGroups("Beliefs, code,beliefs")
	if err != nil || !slices.Equal(got, []string{"beliefs", "code"}) {
		t.Error(got, err)
	}
	for _, wrong := range []string{"", "poems", "code,"} {
		if got, err := splitGroups(wrong); !errors.Is(err, models.ErrGroup) {
			t.Errorf("%q: %v, %v", wrong, got, err)
		}
	}
}

func TestCompleteGroups(t *testing.T) {
	got, _ := completeGroups(nil, nil, "code,co")
	if !slices.Equal(got, []string{"code,commits"}) {
		t.Error(got)
	}
}

// slow is an embedder that takes some time for each text.
type slow struct{ texts, most int }

func (s *slow) Model() string  { return "slow" }
func (s *slow) Dimension() int { return 64 }
func (s *slow) EmbedPassages(ctx context.Context, _ []int8, passages []doc.Passage) error {
	s.texts += len(passages)
	s.most = max(s.most, len(passages))
	time.Sleep(time.Duration(len(passages)) * time.Millisecond)
	return ctx.Err()
}

func (s *slow) EmbedQuestion(context.Context, []doc.QuestionPart) ([]float32, error) {
	return make([]float32, 64), nil
}

func TestMeasure(t *testing.T) {
	texts := []doc.Passage{{Body: "a"}, {Body: "b"}, {Body: "c"}}
	s := &slow{}
	rate, err := measure(context.Background(), s, texts, 20*time.Millisecond)
	if err != nil || rate <= 0 || rate > 1000 { // a text takes at least a millisecond
		t.Error(rate, err)
	}
	if s.texts < 2 || s.most > 32 {
		t.Errorf("%d texts, at most %d at once", s.texts, s.most)
	}
	once := &slow{}
	if _, err := measure(context.Background(), once, texts, 0); err != nil || once.texts != 2 {
		t.Errorf("without time: %d texts, %v", once.texts, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := measure(ctx, s, texts, time.Second); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCosine(t *testing.T) {
	a, b := []int8{3, 4, 0}, []int8{0, 0, 5}
	if cosine(a, a) != 1 || cosine(a, b) != 0 || cosine(a, []int8{0, 0, 0}) != 0 {
		t.Error(cosine(a, a), cosine(a, b))
	}
}
