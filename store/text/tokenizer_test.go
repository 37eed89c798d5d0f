package text

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func runsOf(s string) (all []string) {
	Runs(s, func(run string) { all = append(all, run) })
	return all
}

func partsOf(run string) (all []string) {
	Parts(run, func(part string) { all = append(all, part) })
	return all
}

func wordsOf(s string) (all []string) {
	Runs(s, func(run string) { Words(run, func(w string) { all = append(all, w) }) })
	return all
}

func TestWords(t *testing.T) {
	long := strings.Repeat("x", MaxRun)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"QueryEngine", "queryengin queri engin"},
		{"query engines", "queri engin"},
		{"HTTPServer", "httpserver http server"},
		{"HTTP2Server", "http2server http2 server"},
		{"utf8", "utf8"},
		{"2fa", "2fa 2 fa"},
		{"snake_case", "snake case"},
		{"std::env", "std env"},
		{"QueryEngine::query", "queryengin queri engin queri"},
		{"wal-mode", "wal mode"},
		{"execute()", "execut"},
		{"O'Brien", "o brien"},
		{"'", ""},
		{"nul\x00separates", "nul separ"},
		{"bro\xffken", "bro ken"},
		{"cut\xe4\xb8", "cut"},
		{"ÉcoleÜber", "écoleüber école über"},
		{"E\u0301coleU\u0308ber", "écoleüber école über"},
		{"ＪＷＴ令牌", "jwt 令牌"},
		{"ﬁle ｻｰﾊﾞｰ", "file サー ーバ バー"},
		{"\ufdfa", "صلى الله عليه وسلم"},
		{"\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국"},
		{"\u0301alone", "alon"},
		{"数据库 连接", "数据 据库 连接"},
		{"锁 と", "锁 と"},
		{"第10章サーバーの設定", "第 10 章サ サー ーバ バー ーの の設 設定"},
		{"か\u3099き\u3099く", "がぎ ぎく"},
		{"서버에서", "서버 버에 에서"},
		{strings.Repeat("字", 30) + "x", strings.TrimSpace(strings.Repeat("字字 ", 29)) + " x"},
		{long + "y字", "字"},
		{"HTTP服务器ID", "http 服务 务器 id"},
		{"كِتَاب والسلام", "كِتَاب والسلام"},
		{"सर्वर", "सर्वर"},
		{"٤٢", "٤٢"},
		{"done 🎉🎉 ship👍it", "done ship it"},
		{long, long},
		{long + "y short", "short"},
		{strings.Repeat("é", 21) + " short", "short"},
	} {
		if got := strings.Join(wordsOf(c.text), " "); got != c.want {
			t.Errorf("words of %q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestParts(t *testing.T) {
	for run, want := range map[string]string{
		"QueryEngine": "Query Engine", "queryEngine2Go": "query Engine2 Go", "ABc": "A Bc", "Ab": "Ab", "aB": "a B",
		"IDs": "I Ds", "X509": "X509", "7zip": "7 zip", "HTML": "HTML", "v2Alpha10": "v2 Alpha10", "用户ID3": "用户 ID3",
		"": "",
	} {
		if got := strings.Join(partsOf(run), " "); got != want {
			t.Errorf("parts of %q: %q, want %q", run, got, want)
		}
	}
}

// slowParts is the regular expression of Parts, alternative by alternative, on ASCII.
func slowParts(s string) (all []string) {
	is := func(i int, lo, hi byte) bool { return i < len(s) && lo <= s[i] && s[i] <= hi }
	many := func(i int, lo, hi byte) int {
		for is(i, lo, hi) {
			i++
		}
		return i
	}
	for i := 0; i < len(s); {
		end := i
		for j := many(i, 'A', 'Z'); j > i; j-- { // [A-Z]+(?=[A-Z][a-z]), greedy
			if is(j, 'A', 'Z') && is(j+1, 'a', 'z') {
				end = j
				break
			}
		}
		if end == i {
			j := i
			if is(i, 'A', 'Z') {
				j++
			}
			if k := many(j, 'a', 'z'); k > j { // [A-Z]?[a-z]+[0-9]*
				end = many(k, '0', '9')
			}
		}
		if end == i { // [A-Z]+[0-9]* | [0-9]+
			end = many(many(i, 'A', 'Z'), '0', '9')
		}
		all = append(all, s[i:end])
		i = end
	}
	return all
}

func TestPartsAgainstExpression(t *testing.T) {
	const letters = "aB3"
	var try func(s string)
	try = func(s string) {
		if got, want := partsOf(s), slowParts(s); !slices.Equal(got, want) {
			t.Fatalf("parts of %q: %q, want %q", s, got, want)
		}
		if len(s) < 9 {
			for _, c := range letters {
				try(s + string(c))
			}
		}
	}
	try("")
}

func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"releases": "releas", "connections": "connect", "running": "run", "filing": "file", "is": "is", "a": "a",
		"":      "",
		"utf8s": "utf8s", "cafés": "cafés", "日本語": "日本語", "3des": "3des", "sky": "sky", "happy": "happi",
		// The stemmer's time is quadratic, so long words must not reach it.
		strings.Repeat("y", 1<<20): strings.Repeat("y", 1<<20),
	} {
		if got := Stem(word); got != want {
			t.Errorf("Stem(%.40q) = %.40q, want %.40q", word, got, want)
		}
	}
}

func TestIsStop(t *testing.T) {
	for word, want := range map[string]bool{"the": true, "handle": true, "handler": false, "": false, "The": false} {
		if IsStop(word) != want {
			t.Errorf("IsStop(%q) = %v", word, !want)
		}
	}
}

func FuzzRuns(f *testing.F) {
	for _, s := range []string{
		"QueryEngine::query", "E\u0301a", "a\x00b\xff", "数据库🎉x", "aか\u3099\u0301b字",
		"字" + strings.Repeat("\u0301", 30) + "字", strings.Repeat("Ⱥ", 20),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := runsOf(s), slowRuns(s); norm.NFKC.IsNormalString(s) && !slices.Equal(got, want) {
			t.Fatalf("runs %q, want %q", got, want)
		}
		for _, run := range runsOf(s) {
			if !norm.NFKC.IsNormalString(run) {
				t.Fatalf("run %q of %q is not normal", run, s)
			}
			if joined := strings.Join(partsOf(run), ""); joined != run {
				t.Fatalf("parts of %q make %q", run, joined)
			}
			Words(run, func(w string) {
				if w == "" || len(w) > 3*MaxRun || !utf8.ValidString(w) {
					t.Fatalf("run %q has word %q", run, w)
				}
			})
		}
	})
}

// slowRuns is Runs, character by character, without its fast paths.
func slowRuns(s string) (all []string) {
	run := ""
	var pairs []string // characters of CJK, each with its marks
	end := func() {
		if run != "" && len(run) <= MaxRun {
			all = append(all, run)
		}
		if len(pairs) == 1 {
			pairs = append(pairs, "")
		}
		for i := 1; i < len(pairs); i++ {
			if pair := pairs[i-1] + pairs[i]; len(pair) <= MaxRun {
				all = append(all, pair)
			}
		}
		run, pairs = "", nil
	}
	for _, r := range s {
		switch {
		case unicode.IsMark(r) && pairs != nil:
			pairs[len(pairs)-1] += string(r)
		case (unicode.IsLetter(r) || unicode.IsDigit(r)) && isCJK(r):
			if run != "" {
				end()
			}
			pairs = append(pairs, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || run != "" && unicode.IsMark(r):
			if pairs != nil {
				end()
			}
			run += string(r)
		default:
			end()
		}
	}
	end()
	return all
}

func FuzzStem(f *testing.F) {
	for _, s := range []string{"ing", "eed", "ies", "yyyyyyyyyy", "sses", "bility", "ational", "sion", "e", "ll"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Stem(s)
		if (got == "") != (s == "") || len(got) > len(s) {
			t.Fatalf("Stem(%q) = %q", s, got)
		}
		if kept := got[:max(0, len(got)-2)]; !strings.HasPrefix(s, kept) { // FileName.Named relies on it
			t.Fatalf("Stem(%q) = %q changes more than two letters", s, got)
		}
	})
}
