package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Settings are the values that a user or a team can choose.
type Settings struct {
	Timeout    time.Duration // how long a question waits for its oracles
	Limit      int           // results of an answer
	Budget     int           // ceiling of an answer in tokens; 0: the front end's own
	LogQueries bool          // whether query ids are kept for --detail
	CodeRule   string        // how channels of code are joined: "blend" or "rrf", as package fusion names them
}

// A Setting is one value as it holds now, and where it came from.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Origin string `json:"origin"` // "default", a file, "PATINA_LIMIT", "--limit"
	About  string `json:"about"`
}

// A key is a setting that exists: its name in a file, its default, and what a value must be.
type key struct {
	name, value, about string
	set                func(s *Settings, value string) error
}

// keys in the order in which they are printed.
var keys = []key{
	{"timeout", "1500ms", "how long a question waits for its oracles (10ms to 10m)", func(s *Settings, v string) (err error) {
		if s.Timeout, err = time.ParseDuration(v); err != nil {
			return errors.New(`want a duration such as "1500ms"`)
		}
		return within(int64(s.Timeout/time.Millisecond), 10, 600_000, "10ms", "10m")
	}},
	{"limit", "10", "results of an answer (1 to 100)", func(s *Settings, v string) (err error) {
		s.Limit, err = number(v, 1, 100)
		return err
	}},
	{"budget", "0", "most tokens of a text answer, bytes / 4 (100 to 100000; 0 means 900)", func(s *Settings, v string) (err error) {
		if v == "0" {
			s.Budget = 0
			return nil
		}
		s.Budget, err = number(v, 100, 100_000)
		return err
	}},
	{"log.queries", "true", "keep query ids for 30 days, so that --detail finds them", func(s *Settings, v string) (err error) {
		if s.LogQueries, err = strconv.ParseBool(v); err != nil {
			return errors.New("want true or false")
		}
		return nil
	}},
	{"fusion.code", "blend", `how channels of code are joined: "blend" or "rrf"`, func(s *Settings, v string) error {
		if s.CodeRule = v; v != "blend" && v != "rrf" {
			return errors.New(`want "blend" or "rrf"`)
		}
		return nil
	}},
}

func number(v string, low, high int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, errors.New("want a whole number")
	}
	return n, within(int64(n), int64(low), int64(high), strconv.Itoa(low), strconv.Itoa(high))
}

func within(n, low, high int64, lowText, highText string) error {
	if n < low || n > high {
		return fmt.Errorf("want %s to %s", lowText, highText)
	}
	return nil
}

// Sources is where settings come from, besides the environment. Later ones give way to earlier ones: flags, PATINA_*
// variables, .patina.toml of the root, config.toml of the home, defaults.
type Sources struct {
	Flags map[string]string // by key, those that were given
	Root  string            // the project's folder; empty: none
	Home  string
}

// Settings reads every source. The second value lists each setting with its origin, in a fixed order.
func (s Sources) Settings() (Settings, []Setting, error) {
	var merged Settings
	user, err := readFile(filepath.Join(s.Home, "config.toml"))
	if err != nil {
		return merged, nil, err
	}
	team := map[string]string{}
	teamFile := filepath.Join(s.Root, ".patina.toml")
	if s.Root != "" {
		if team, err = readFile(teamFile); err != nil {
			return merged, nil, err
		}
	}
	var list []Setting
	for _, k := range keys {
		chosen := Setting{Key: k.name, Value: k.value, Origin: "default", About: k.about}
		take := func(value, origin string, ok bool) {
			if ok {
				chosen.Value, chosen.Origin = value, origin
			}
		}
		value, ok := user[k.name]
		take(value, filepath.Join(s.Home, "config.toml"), ok)
		value, ok = team[k.name]
		take(value, teamFile, ok)
		value, ok = os.LookupEnv(variable(k.name))
		take(value, variable(k.name), ok && value != "")
		value, ok = s.Flags[k.name]
		take(value, "--"+k.name, ok)
		if err := k.set(&merged, chosen.Value); err != nil {
			return merged, nil, fmt.Errorf("read %s from %s: %q: %w", k.name, chosen.Origin, chosen.Value, err)
		}
		list = append(list, chosen)
	}
	return merged, list, nil
}

// variable names the environment variable of a key: log.queries is PATINA_LOG_QUERIES.
func variable(name string) string {
	return "PATINA_" + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// maxConfig bounds a configuration file: it comes with a repository.
const maxConfig = 1 << 20

// readFile reads a TOML file as text values by dotted key. A missing file is empty; an unknown key is an error.
func readFile(file string) (map[string]string, error) {
	values := map[string]string{}
	info, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) {
		return values, nil
	}
	if err == nil && (info.Size() > maxConfig || !info.Mode().IsRegular()) {
		err = errors.New("not a configuration file")
	}
	var content []byte
	if err == nil {
		content, err = os.ReadFile(file)
	}
	tree := map[string]any{}
	if err == nil {
		err = toml.Unmarshal(content, &tree)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return values, flatten(values, tree, "", file)
}

func flatten(values map[string]string, tree map[string]any, prefix, file string) error {
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	slices.Sort(names) // the first unknown key is named, the same one each time
	for _, name := range names {
		full := prefix + name
		if sub, ok := tree[name].(map[string]any); ok && !known(full) {
			if err := flatten(values, sub, full+".", file); err != nil {
				return err
			}
			continue
		}
		if !known(full) {
			return fmt.Errorf("read %s: unknown key %q", file, full)
		}
		switch v := tree[name].(type) {
		case string, bool, int64:
			values[full] = fmt.Sprint(v)
		default:
			return fmt.Errorf("read %s: key %q holds neither text nor number nor true or false", file, full)
		}
	}
	return nil
}

func known(name string) bool {
	return slices.ContainsFunc(keys, func(k key) bool { return k.name == name })
}

// Defaults lists every setting that exists, as it is where nothing else is said.
func Defaults() []Setting {
	var list []Setting
	for _, k := range keys {
		list = append(list, Setting{Key: k.name, Value: k.value, Origin: "default", About: k.about})
	}
	return list
}
