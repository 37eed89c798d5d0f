// This file reads the values that a user or a team can choose, and says where each came from.
//
// A repository may be a stranger's. So its file must be small enough before it is parsed, and may
// only lower limits. The front ends act on the values.

package registry

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"patina/internal/safeio"
)

// Settings are the values that a user or a team can choose.
type Settings struct {
	Timeout    time.Duration // longest time of a question or a look-up
	Limit      int           // number of results in an answer
	Budget     int           // most tokens of an answer; 0 means the default of the front end
	LogQueries bool          // whether query ids are kept for --detail
	AllRepos   bool          // whether a question follows the edges to other projects
	Learn      bool          // whether the use of other projects' results is counted
	Share      string        // the kinds that other projects see of this one, separated by commas
	Refresh    time.Duration // longest time for reading changes before a question; 0: no refresh
	CodeRule   string        // "blend" or "rrf": how the channels of code are joined
	Open       int           // number of projects that one patina mcp keeps open
	Idle       time.Duration // how long it keeps an unused one open
	Repos      string        // projects that clients of patina mcp may name, separated by commas
	Scoring    string        // a recall.Scoring
	Dedup      string        // "sequence" or "specification": which notes are merged when one is added
	Mother     string        // addresses of fronts (Fronts), or empty
	Turns      int64         // bytes of text kept of the transcripts of agents
}

// A Setting is the current value of one setting, and its origin.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"` // "default", a file, "PATINA_LIMIT", "--limit"
	About  string `json:"about"`
	Note   string `json:"note"` // the repository's value, if it is refused; else empty
}

// A key describes a setting: its name in a file, its default, and its legal values. A repository
// may only lower a limit, because it may be a stranger's.
type key struct {
	name, value, about string
	set                func(s *Settings, value string) error
	limit              func(s Settings) int64 // the amount allowed; nil if it is no limit
}

// keys is sorted as the settings are printed.
var keys = []key{
	{
		"timeout", "10s", "longest wait for an answer on a busy machine (10ms to 10m); patina mcp waits 20s",
		func(s *Settings, v string) (err error) {
			if s.Timeout, err = time.ParseDuration(v); err != nil {
				return errors.New(`want a duration such as "10s"`)
			}
			return checkRange(int64(s.Timeout/time.Millisecond), 10, 600_000, "10ms", "10m")
		}, func(s Settings) int64 { return int64(s.Timeout) },
	},
	{"limit", "10", "results of an answer (1 to 100)", func(s *Settings, v string) (err error) {
		s.Limit, err = parseNumber(v, 1, 100)
		return err
	}, func(s Settings) int64 { return int64(s.Limit) }},
	{
		"budget", "0", "most tokens of a text answer, bytes / 4 (100 to 100000; 0 means 900)",
		func(s *Settings, v string) (err error) {
			if v == "0" {
				s.Budget = 0
				return nil
			}
			s.Budget, err = parseNumber(v, 100, 100_000)
			return err
		}, func(s Settings) int64 { return int64(cmp.Or(s.Budget, usualBudget)) },
	},
	{
		"log.queries", "true", "keep query ids for 30 days, so that --detail finds them",
		func(s *Settings, v string) (err error) {
			if s.LogQueries, err = strconv.ParseBool(v); err != nil {
				return errors.New("want true or false")
			}
			return nil
		}, func(s Settings) int64 {
			if s.LogQueries {
				return 1
			}
			return 0
		},
	},
	{
		"all-repos", "false", "whether a question asks the projects, too, that edges lead to",
		func(s *Settings, v string) (err error) {
			if s.AllRepos, err = strconv.ParseBool(v); err != nil {
				return errors.New("want true or false")
			}
			return nil
		}, nil,
	},
	{
		"learn", "true", "whether what is used of other projects' results is counted, for patina mother learn",
		func(s *Settings, v string) (err error) {
			if s.Learn, err = strconv.ParseBool(v); err != nil {
				return errors.New("want true or false")
			}
			return nil
		}, nil,
	},
	{
		"share", "code,docs,commits,beliefs", "the content types that other projects of yours find here",
		func(s *Settings, v string) error {
			s.Share = v
			return nil
		}, nil,
	},
	{"refresh", "true", `whether a question reads what changed since the scrape first: ` +
		`"true" (within 250ms), "false", or a duration`, func(s *Settings, v string) error {
		if on, err := strconv.ParseBool(v); err == nil {
			s.Refresh = 0
			if on {
				s.Refresh = usualRefresh
			}
			return nil
		}
		d, err := time.ParseDuration(v)
		if err != nil {
			return errors.New(`want true, false or a duration such as "250ms"`)
		}
		s.Refresh = d
		return checkRange(int64(d/time.Millisecond), 0, 600_000, "0", "10m")
	}, func(s Settings) int64 { return int64(s.Refresh) }},
	{"fusion.code", "blend", `how channels of code are joined: "blend" or "rrf"`, func(s *Settings, v string) error {
		if s.CodeRule = v; v != "blend" && v != "rrf" {
			return errors.New(`want "blend" or "rrf"`)
		}
		return nil
	}, nil},
	{
		"mcp.open", "12", "projects that patina mcp holds open at once, the ones elsewhere among them (6 to 200)",
		func(s *Settings, v string) (err error) {
			s.Open, err = parseNumber(v, 6, 200)
			return err
		}, func(s Settings) int64 { return int64(s.Open) },
	},
	{
		"mcp.idle", "15m", "how long patina mcp holds a project open that nobody asks (10s to 24h)",
		func(s *Settings, v string) (err error) {
			if s.Idle, err = time.ParseDuration(v); err != nil {
				return errors.New(`want a duration such as "15m"`)
			}
			return checkRange(int64(s.Idle/time.Second), 10, 86_400, "10s", "24h")
		}, func(s Settings) int64 { return int64(s.Idle) },
	},
	{private, "", "further projects that clients of patina mcp may ask, beside their own, " +
		"the linked and the registered ones: names or paths", func(s *Settings, v string) error {
		s.Repos = v
		return nil
	}, nil},
	{
		"memory.scoring", "measured", `how memories are scored: "measured", or as the baseline ` +
			`"specification" (words and meaning) or "specification-words"`,
		func(s *Settings, v string) error {
			if s.Scoring = v; v != "measured" && v != "specification" && v != "specification-words" {
				return errors.New(`want "measured", "specification" or "specification-words"`)
			}
			return nil
		}, nil,
	},
	{
		turns, "256MB", "text kept of the transcripts of agents; the oldest goes first (1MB to 16GB)",
		func(s *Settings, v string) (err error) {
			s.Turns, err = parseSize(v)
			return err
		}, nil,
	},
	{
		dedup, "sequence", `which notes "add" merges: "sequence" (the same words in order), or ` +
			`"specification" (word overlap .7 or cosine .85)`,
		func(s *Settings, v string) error {
			if s.Dedup = v; v != "sequence" && v != "specification" {
				return errors.New(`want "sequence" or "specification"`)
			}
			return nil
		}, nil,
	},
	{
		front, "", "where repositories on other machines are asked: host:port of one or two fronts",
		func(s *Settings, v string) error {
			_, err := parseAddresses(v)
			s.Mother = v
			return err
		}, nil,
	},
}

// private is the setting that would open other projects, front the one that names whom questions
// are sent to, turns the one that deletes what the user keeps, and dedup the one that merges notes.
// A repository must not change them.
const (
	private = "mcp.repos"
	front   = "mother"
	turns   = "memory.transcripts.size"
	dedup   = "memory.dedup"
)

// isOwn reports whether only the user may give a setting.
func isOwn(key string) bool { return key == private || key == front || key == turns || key == dedup }

// parseSize parses a number of bytes such as "256MB".
func parseSize(v string) (int64, error) {
	unit := int64(1 << 20)
	number, ok := strings.CutSuffix(strings.ToUpper(strings.TrimSpace(v)), "MB")
	if !ok {
		unit = 1 << 30
		number, ok = strings.CutSuffix(number, "GB")
	}
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if !ok || err != nil {
		return 0, errors.New(`want a size such as "256MB" or "1GB"`)
	}
	return int64(n) * unit, checkRange(int64(n)*(unit>>20), 1, 16<<10, "1MB", "16GB")
}

// Fronts returns the addresses in the setting mother: host:port or unix:PATH.
func (s Settings) Fronts() []string {
	all, _ := parseAddresses(s.Mother) // it was checked when it was read
	return all
}

// mostFronts bounds the addresses of fronts, because each is watched.
const mostFronts = 8

// parseAddresses returns the addresses in a text with commas.
func parseAddresses(text string) (all []string, err error) {
	for address := range strings.SplitSeq(text, ",") {
		if address = strings.TrimSpace(address); address == "" {
			continue
		}
		if path, ok := strings.CutPrefix(address, "unix:"); ok {
			if !filepath.IsAbs(path) {
				return nil, fmt.Errorf("%.80q: want unix: and an absolute path", address)
			}
		} else if err := checkAddress(address); err != nil {
			return nil, err
		}
		all = append(all, address)
	}
	if len(all) > mostFronts {
		return nil, fmt.Errorf("%d addresses: want at most %d", len(all), mostFronts)
	}
	return all, nil
}

// checkAddress returns an error unless an address is host:port.
func checkAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err == nil && host != "" && !strings.ContainsAny(host, " /@") {
		if n, err := strconv.Atoi(port); err == nil && n > 0 && n < 1<<16 {
			return nil
		}
	}
	return fmt.Errorf("%.80q: want host:port, such as front.example.com:7470", address)
}

// usualRefresh is the time that "true" allows for a refresh.
const usualRefresh = 250 * time.Millisecond

// usualBudget replaces a budget of 0 in comparisons.
const usualBudget = 900

func parseNumber(v string, low, high int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, errors.New("want a whole number")
	}
	return n, checkRange(int64(n), int64(low), int64(high), strconv.Itoa(low), strconv.Itoa(high))
}

func checkRange(n, low, high int64, lowText, highText string) error {
	if n < low || n > high {
		return fmt.Errorf("want %s to %s", lowText, highText)
	}
	return nil
}

// SettingSources are the places of settings, besides the environment. The order of precedence is:
// flags, PATINA_* variables, the root's .patina.toml, the home's config.toml, defaults. A limit in
// .patina.toml counts only if it lowers the value of the home and the defaults.
type SettingSources struct {
	Flags map[string]string // given flags, by key; may be nil
	Root  string            // the project's folder; empty without a project
	Home  string
}

// Read reads every source. It returns the settings, and a list of each with its origin in a fixed
// order. The error names the file or the variable, and the bad value or unknown key.
func (s SettingSources) Read() (Settings, []Setting, error) {
	var merged Settings
	userFile, teamFile := filepath.Join(s.Home, "config.toml"), filepath.Join(s.Root, ".patina.toml")
	// Resolve a link, because a user may keep the settings elsewhere.
	if real, err := filepath.EvalSymlinks(userFile); err == nil {
		userFile = real
	}
	user, err := readSettings(userFile)
	if err != nil {
		return merged, nil, err
	}
	team := map[string]string{}
	if s.Root != "" {
		if team, err = readSettings(teamFile); err != nil {
			return merged, nil, err
		}
	}
	var list []Setting
	for _, k := range keys {
		chosen, decided := s.ownValue(k, user, userFile)
		if err := k.readValue(&merged, chosen.Value, chosen.Origin); err != nil {
			return merged, nil, err
		}
		if value, ok := team[k.name]; ok && !decided && isOwn(k.name) {
			chosen.Note = fmt.Sprintf("%s asks for %s: a repository has no say", teamFile, value)
		} else if ok && !decided {
			asked := merged
			if err := k.readValue(&asked, value, teamFile); err != nil {
				return merged, nil, err
			}
			if k.limit == nil || k.limit(asked) <= k.limit(merged) {
				merged, chosen.Value, chosen.Origin = asked, value, teamFile
			} else {
				chosen.Note = fmt.Sprintf("%s asks for %s: a repository may only lower it", teamFile, value)
			}
		}
		list = append(list, chosen)
	}
	return merged, list, nil
}

// ownValue returns the user's value of a setting, or the default. decided reports whether a flag or
// the environment set it, so that the repository cannot.
func (s SettingSources) ownValue(k key, user map[string]string, userFile string) (chosen Setting, decided bool) {
	chosen = Setting{Key: k.name, Value: k.value, Origin: "default", About: k.about}
	if value, ok := user[k.name]; ok {
		chosen.Value, chosen.Origin = value, userFile
	}
	if value := os.Getenv(variableOf(k.name)); value != "" {
		chosen.Value, chosen.Origin, decided = value, variableOf(k.name), true
	}
	if value, ok := s.Flags[k.name]; ok {
		chosen.Value, chosen.Origin, decided = value, "--"+k.name, true
	}
	return chosen, decided
}

// readValue sets a setting to a value, or returns an error for an illegal one.
func (k key) readValue(s *Settings, value, origin string) error {
	if err := k.set(s, value); err != nil {
		return fmt.Errorf("read %s from %s: %q: %w", k.name, origin, value, err)
	}
	return nil
}

// variableOf returns the environment variable of a key: log.queries is PATINA_LOG_QUERIES.
func variableOf(name string) string {
	return "PATINA_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
}

// Bounds of a configuration file, which are needed because it comes with a repository. The parser
// compares each key with its neighbours, so ten thousand would take a second.
const (
	maxConfig = 64 << 10 // bytes
	maxMarks  = 1000     // signs that begin a key, a table or an array
)

// readSettings reads a TOML file into texts by dotted key. It returns an empty map for a missing
// file, and an error for an unknown key.
func readSettings(file string) (map[string]string, error) {
	values := map[string]string{}
	content, err := safeio.ReadFile(file, maxConfig)
	if errors.Is(err, os.ErrNotExist) {
		return values, nil
	}
	marks := 0
	for _, sign := range []string{"=", "[", "{", "."} {
		marks += bytes.Count(content, []byte(sign))
	}
	if err == nil && marks > maxMarks {
		err = errors.New("too many keys")
	}
	tree := map[string]any{}
	if err == nil {
		err = toml.Unmarshal(content, &tree)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return values, flattenTree(values, tree, "", file)
}

func flattenTree(values map[string]string, tree map[string]any, prefix, file string) error {
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	slices.Sort(names) // so that the error always names the same unknown key
	for _, name := range names {
		full := prefix + name
		if sub, ok := tree[name].(map[string]any); ok && !isKnown(full) {
			if err := flattenTree(values, sub, full+".", file); err != nil {
				return err
			}
			continue
		}
		if !isKnown(full) {
			return fmt.Errorf("read %s: unknown key %q", file, full)
		}
		switch v := tree[name].(type) {
		case string, bool, int64:
			values[full] = fmt.Sprint(v)
		case []any:
			text, ok := joinTexts(v)
			if !ok || full != "share" && !isOwn(full) {
				return fmt.Errorf("read %s: key %q holds neither text nor number nor true or false", file, full)
			}
			values[full] = text
		default:
			return fmt.Errorf("read %s: key %q holds neither text nor number nor true or false", file, full)
		}
	}
	return nil
}

// joinTexts joins a list of texts with commas. It reports false if a value is not text.
func joinTexts(values []any) (string, bool) {
	parts := make([]string, len(values))
	for i, v := range values {
		part, ok := v.(string)
		if !ok {
			return "", false
		}
		parts[i] = part
	}
	return strings.Join(parts, ","), true
}

func isKnown(name string) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return k.name == name })
}

// DefaultSettings returns every setting with its default.
func DefaultSettings() []Setting {
	var list []Setting
	for _, k := range keys {
		list = append(list, Setting{Key: k.name, Value: k.value, Origin: "default", About: k.about})
	}
	return list
}
