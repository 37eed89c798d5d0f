package govern

import (
	"strings"
	"unicode"

	"patina/internal/lazyregexp"
	"patina/internal/printable"
)

// A text that reads like an instruction to a model is refused whoever wrote it, because a note may
// repeat a page that an agent has read. The list is a second line of defence: the first is that
// only what the user or the user's agent wrote is found at all.
var commands = []struct {
	why string
	re  func(string) bool
}{
	{"it overrides instructions", matches(`\b(?:ignor\w*|disregard\w*|forget\w*|override\w*|bypass\w*|supersede\w*|neglect\w*|skip)\b.{0,40}\b` +
		`(?:instruction|prompt|guideline|directive|system message|safety|guardrail|previous message|prior message|rules? (?:above|before)|(?:above|previous|prior|earlier) (?:rule|text|context|message|order))`)},
	{"it overrides instructions", matches(`ignorier\w*.{0,40}anweisung|ignor\w*.{0,40}(?:instrucc|instruç|istruzion|instructions? pr)|oublie\w*.{0,40}instruction|忽略.{0,20}(?:指令|指示|提示)|игнориру\w*.{0,40}(?:инструкц|указан)|無視.{0,20}(?:指示|命令)|(?:指示|命令).{0,10}無視`)},
	{"it gives a role", matches(`\byou (?:are|act) now\b|\bfrom now on,? (?:you|act|behave|respond)|\b(?:act|behave|respond|pretend)\b.{0,10}\bas (?:if you|an? (?:unrestricted|admin|root|system|developer|different))|` +
		`\bnew (?:system )?(?:instruction|prompt)s?\b|\b(?:system|developer) (?:prompt|message|mode|override)\b|\bjailbreak|\bdan mode\b|\bas an? (?:ai|llm|language model|assistant|agent),|\b(?:dear|hey|attention|note to)\b.{0,12}\b(?:assistant|agent|ai|llm|model|claude|gpt|copilot|gemini|cursor)\b`)},
	{"it has the marks of a role", matches(`</?\s*(?:system|assistant|user|human|tool|function|instruction|prompt|admin|developer|invoke|parameter|thinking|context|result|document|reminder|important)[\w:-]*[^<>]*>?|` +
		`<\|[^|]*\|>|\[/?inst\]|<</?sys>>|^\W*(?:system|assistant|human|user|developer)\s*[:：>]|[\n.]\s*(?:system|assistant|human|developer)\s*[:：]|#{2,}\s*(?:system|instruction|response|assistant|human)`)},
	{"it has the form of a call", matches(`function_?calls?\b|\btool_?(?:use|calls?|result|name|input)\b|\binvoke\b.{0,20}=|"(?:tool|name|function|command|arguments|hookspecificoutput|permissiondecision|additionalcontext)"\s*:|\bantml\b|\bmcp__\w+`)},
	{"it downloads and runs", matches(`\b(?:curl|wget|fetch|iwr|invoke-webrequest)\b[^|;&]*[|;&]+\s*(?:sudo\s+)?(?:ba|z|da|k|fi)?sh\b|` +
		`\b(?:ba|z|da)?sh\s+(?:-c\s+)?[<"'$(]*\(?\s*(?:curl|wget)|\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\|\s*(?:python3?|perl|ruby|node)\b|base64\s+(?:-d|--decode)|\beval\s*[("$` + "`" + `]|\biex\b|\bpowershell\b.{0,20}-e|\bnc\s+-\w*e|/dev/tcp/|` +
		`\b(?:run|execute|install|paste|download)\b.{0,60}https?://|\bchmod\s+(?:\+x|777)|\bpip3? install\b.{0,40}(?:https?:|git\+)|\bnpx\s+-y`)},
	{"it sends something away", matches(`\b(?:send|upload|post|exfiltrat\w*|email|mail|leak|transmit|forward|submit|copy|append|include|print|reveal|output|paste|commit)\b.{0,60}(?:\bsecrets?\b|\bcredentials?\b|\bpasswords?\b|\bapi.?keys?\b|\b(?:private|ssh) keys?\b|\b(?:access|auth\w*|bearer|session) tokens?\b|\.env\b|id_rsa|\benvironment variables?|\benv vars?|\bsystem prompt|\bconversation|/etc/passwd)|` +
		`\b(?:send|upload|post|exfiltrat\w*|forward|submit|visit|open|fetch|load|browse)\b.{0,60}https?://|\?(?:data|q|d|c|token|key)=`)},
	{"it hides something from the user", matches(`\b(?:do not|don't|dont|never|without)\b.{0,20}\b(?:tell|telling|inform\w*|ask\w*|mention\w*|show\w*|notify\w*|alert\w*|confirm\w*|warn\w*)\b.{0,25}\b(?:user|human|owner|developer|anyone|anybody|them|permission|confirmation|approval)\b|` +
		`\b(?:silently|secretly|covertly|quietly)\b.{0,30}\b(?:run|add|remove|delete|send|insert|execute|install|change|commit|push)|\bwithout (?:asking|confirmation|approval|permission|telling|review)\b`)},
	{"it destroys", matches(`\brm\s+-\w*[rf]\w*\s+(?:-\w+\s+)*(?:/|~|\$|\*|\.(?:\s|$|/))|\bmkfs|\bdd\s+if=|:\(\)\s*\{|\bdrop (?:table|database)\b|\bformat c:|--dangerously\b`)},
	{"it is markup", matches(`<!--|-->|<script|<img|<iframe|javascript:|data:text|!\[[^\]]*\]\(|` + "```" + `|^\s*---\s*$`)},
}

func matches(pattern string) func(string) bool {
	re := lazyregexp.New(`(?is)` + pattern)
	return func(s string) bool { return re().MatchString(s) }
}

// longWord is the length, in bytes, from which a word may hide data. A path or a hash is shorter.
const longWord = 100

// spaced matches letters with something between them: "i g n o r e".
var spaced = lazyregexp.New(`(?:\b\pL[\s.\-_*]{1,2}){6,}`)

// Refused returns why a text must not be shown to a model at an act, or "". It reads the text as a
// model may: without case, and with letters for those that they imitate.
func Refused(s string) string {
	for _, r := range s {
		if r != '\n' && r != '\t' && printable.IsHidden(r) || unicode.Is(unicode.Co, r) || isStyled(r) {
			return "it has characters that hide or imitate others"
		}
	}
	if mixesScripts(s) || spaced().MatchString(s) {
		return "it has characters that hide or imitate others"
	}
	for _, word := range strings.Fields(s) {
		if len(word) > longWord {
			return "it has a word that may hide data"
		}
	}
	folded := strings.Join(strings.Fields(s), " ")
	for _, c := range commands {
		if c.re(s) || c.re(folded) {
			return c.why
		}
	}
	return ""
}

// isStyled reports whether a character is a letter in another style: full width, mathematical,
// circled.
func isStyled(r rune) bool {
	return 0xff01 <= r && r <= 0xff5e || 0x1d400 <= r && r <= 0x1d7ff || 0x2460 <= r && r <= 0x24ff ||
		0x1f100 <= r && r <= 0x1f1ff
}

// mixesScripts reports whether a word has letters of Latin and of a script that looks like it.
func mixesScripts(s string) bool {
	var latin, alike bool
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee):
			alike = true
		case unicode.IsMark(r):
		default:
			latin, alike = false, false
		}
		if latin && alike {
			return true
		}
	}
	return false
}
