package prose

import (
	"slices"
	"strings"

	"patina/store/text"

	"patina/internal/lazyregexp"
)

// verbs begin an instruction.
var verbs = text.Set("abandon abort abstract accept adapt add address adhere adjust adopt advise aim align " +
	"allow always amend analyze annotate answer append apply ask assert assign assume attach audit avoid await base " +
	"batch be begin bind bump bundle call capitalize catch choose cite clarify clean clone close collect combine " +
	"comply compose configure confirm consider consult convert copy correct create cover declare define delegate " +
	"delete depend derive describe detect determine disable discard discuss distinguish do document don't dont " +
	"draft drop duplicate edit emit employ enable encapsulate encode ensure escape establish evaluate examine " +
	"exclude execute expect explain expose express extend extract fail favor favour fetch fill find fix flag follow " +
	"forget gather generate get give go grep group guard handle honor honour ignore implement import improve " +
	"include indent infer inform initialize inject insert inspect install instrument invoke isolate justify keep " +
	"launch lean leave let leverage limit link list load look maintain make mark match maximize merge migrate " +
	"minimize mirror modify move name navigate nest never normalize note notify obtain omit only open optimize " +
	"organize outline override parse pass perform pick pin place populate pay preserve prefer prefix prepare " +
	"present prevent prioritize proceed produce propagate propose protect provide pull push put quote raise re-run " +
	"read reconsider record recreate reduce refactor refer reference refrain regenerate register reject rely " +
	"remember remove rename render reorder replace report reproduce request require rerun research reserve resolve " +
	"respect respond restart restore restrict retain rethrow return reuse revert review rewrite run sanitize save " +
	"scan scope search select send separate serialize set share ship simplify skip sort specify split squash stage " +
	"start stay stick stop store structure submit suggest summarize suppress surface switch sync take target tell " +
	"test think throw track translate treat trim trust try turn type update upgrade use utilize validate verify " +
	"view wait watch when wire wrap write")

// nouns are verbs that begin other sentences as often, because they are nouns too. They count only
// before a word that a verb takes.
var nouns = text.Set("base batch be call clone cover document draft duplicate edit escape expect fail flag " +
	"group guard handle import limit link list load look mark match name nest note open override pass pin place " +
	"present prefix pull push quote record reference report request research return review scan scope search share " +
	"ship sort split stage start stop store structure surface switch sync target test track trust try turn type " +
	"update upgrade view watch wait address answer audit close copy drop function increase index input install key " +
	"lean merge mock move order output patch plan process release reset result reuse schema shell sign state step " +
	"submit support tag collect abstract separate ")

// takers follow a verb: determiners, pronouns, prepositions, adverbs.
var takers = text.Set("a an the this that these those any all each every both your our its their it them one no " +
	"not only new existing appropriate proper explicit clear meaningful descriptive consistent for to in on at with " +
	"without from into by of over before after when where whenever if unless until through via across between under " +
	"between as like up down out off back away always never directly explicitly carefully sparingly exactly first " +
	"either more most fewer less small short long simple specific relevant multiple two three same correct actual " +
	"strong typed type-safe immutable private public absolute relative named what which how who why whether and or " +
	"& lowercase uppercase")

// pointers refer to the sentence before. "Consult them first" is not understood alone.
var pointers = text.Set("these those them it one")

// conditions begin a clause before an instruction: "When adding a route, update the table".
var conditions = text.Set("when if before after whenever while once unless for in on during until where to at " +
	"with as within by")

// demands are the words of a demand. Most count anywhere in a sentence. "never", "always" and "do
// not" count only at the start of a clause, because elsewhere they report as often as they rule.
var demands = lazyregexp.New(`(?i)\b(?:must|mustn['’]t|should|shouldn['’]t|shall|prefer|prefers|preferred|avoid` +
	`|forbidden|prohibited|required to|not allowed)\b|\b(?:is|are|be) (?:never|always) [a-z]+ed\b` +
	`|(?:^|[,;:(.!]\s*|[—–-]\s+|\b(?:and|but|so|please|or|then|instead|we|you)\s+)(?:do not|don['’]t|never|always)\b`)

// demandStems are parts of all demand words. A text without them need not be matched, which saves
// time.
var demandStems = strings.Fields("must should shall prefer avoid forbid prohib required allowed never always not " +
	"n't n’t")

// demandsSomething reports whether a sentence contains a demand.
func demandsSomething(text string) bool {
	low := strings.ToLower(text)
	if !slices.ContainsFunc(demandStems, func(stem string) bool { return strings.Contains(low, stem) }) {
		return false
	}
	return demands().MatchString(text) && !describes().MatchString(text)
}

// describes finds a demand word in a sentence that reports rather than rules.
var describes = lazyregexp.New(`(?i)\b(?:you should (?:see|get|now|be able|have)|should (?:see|now be|now see|appear` +
	`|look like|output|print|open)|you (?:must|should) (?:have|be using)|how (?:to|you) should|as you prefer` +
	`|if you prefer|you may prefer|your preferred|preferred (?:editor|ide)|should you|whether or not|(?:do not` +
	`|don['’]t) (?:need|have|want) to)\b`)

// listing finds a command with its name: "Run all tests: `make test`".
var listing = lazyregexp.New("^[^`:]{1,60}:\\s*`[^`]+`\\s*(?:\\(.*\\))?\\.?$")

// instructs reports whether a sentence begins with an imperative, after a label or a condition.
func instructs(text string) bool {
	words := strings.Fields(text)
	if len(words) < minRuleWords {
		return false
	}
	if imperative(words) {
		return true
	}
	if rest, ok := unlabelled(text); ok && imperative(strings.Fields(rest)) {
		return true
	}
	if first := bareWord(words[0]); first == "please" || first == "and" || first == "then" || first == "also" ||
		first == "instead" {
		return imperative(words[1:])
	}
	if !conditions.Has(bareWord(words[0])) {
		return false
	}
	if _, rest, ok := strings.Cut(text, ", "); ok {
		words = strings.Fields(rest)
		return len(words) > 1 && imperative(words)
	}
	return false
}

// imperative reports whether words begin with a verb in the imperative.
func imperative(words []string) bool {
	if len(words) < 2 || strings.HasPrefix(words[0], "`") {
		return false
	}
	first, next := bareWord(words[0]), bareWord(words[1])
	if first == "please" && len(words) > 2 {
		first, next = next, bareWord(words[2])
	}
	if !verbs.Has(first) || conditions.Has(first) || pointers.Has(next) || first == "use" && strings.HasPrefix(next, "case") {
		return false
	}
	if strings.HasSuffix(words[0], ":") || strings.HasSuffix(words[0], ",") {
		return false
	}
	return !nouns.Has(first) || takers.Has(next) || strings.HasPrefix(words[1], "`") || next != "" && strings.HasSuffix(next, "ly")
}

// bareWord returns a word in lower case without marks around it.
func bareWord(word string) string {
	return strings.Trim(strings.ToLower(word), "*_\"'`.,;:!()[]“”✅❌⚠️🚫-–—")
}

// maxLabel is the most words of a label before a rule.
const maxLabel = 6

// unlabelled returns the rest of a text after a label: "Imports: use absolute paths". A label of
// code does not count, because it begins a description.
func unlabelled(text string) (string, bool) {
	for _, mark := range []string{": ", " — ", " – ", " - "} {
		label, rest, ok := strings.Cut(text, mark)
		if ok && len(strings.Fields(label)) <= maxLabel && !strings.HasPrefix(label, "`") {
			return rest, true
		}
	}
	return "", false
}
