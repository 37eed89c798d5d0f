package excerpt

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Words of a script without spaces overlap. A line of them is cut like any other.
func TestCutLongLinesOfEveryScript(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("缓存失效", 30) + " token",
		strings.Repeat("使用 OAuth2 的密码（和哈希），", 12) + "token",
		"缓 缓 存" + strings.Repeat("缓存", 60) + " token",
		strings.Repeat("ünder été ", 30) + "token",
		strings.Repeat("plain words ", 20) + "token",
	} {
		got := NewWords(weights("token")).Cut(line)
		if !utf8.ValidString(got) || len(got) > Width || !strings.HasSuffix(got, "token") {
			t.Errorf("%q is cut to %q", line, got)
		}
	}
}
