// Package conversation measures recall on long conversations: the ranks of the turns that answer a
// question, and whether an injected set has the answer.
//
// load.go reads the form of LoCoMo, and beam.go that of BEAM. Users must fetch the files
// themselves, because LoCoMo's licence forbids copies.
package conversation

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"patina/internal/lazyregexp"
	"patina/memory/recall"
)

// A Conversation is a dialogue, with questions about it.
type Conversation struct {
	Name      string
	Turns     []recall.Item
	Questions []Question
}

// A Question has the indexes of the turns that answer it. Evidence is empty if that is not known.
type Question struct {
	Text     string
	Answer   string
	Category string
	Evidence []int
}

// maxFile bounds a file of conversations, in bytes.
const maxFile = 256 << 20

// Load reads conversations in the form of LoCoMo: a file with a list of them, or a folder with
// files. They are in the order of the file names. It returns an error if there is no conversation.
func Load(path string) ([]Conversation, error) {
	files, err := filesIn(path, ".json")
	if err != nil {
		return nil, err
	}
	var out []Conversation
	for _, f := range files {
		list, err := loadFile(f)
		if err != nil {
			return nil, fmt.Errorf("read conversations %q: %w", f, err)
		}
		out = append(out, list...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no conversations in %q", path)
	}
	return out, nil
}

// filesIn returns path itself if it is a file, otherwise the files below it whose names have the
// given end.
func filesIn(path, end string) (files []string, err error) {
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && (strings.HasSuffix(p, end) || p == path) {
			files = append(files, p)
		}
		return err
	})
	return files, err
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxFile {
		err = fmt.Errorf("more than %d bytes", maxFile)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func loadFile(path string) ([]Conversation, error) {
	b, err := readFile(path)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), ".json")
	return Parse(name, b)
}

// Parse reads one conversation, or a list of them. name is used for conversations without a name.
func Parse(name string, b []byte) ([]Conversation, error) {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		var one map[string]json.RawMessage
		if err := json.Unmarshal(b, &one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	out := make([]Conversation, 0, len(list))
	for i, fields := range list {
		c, err := parse(fields)
		if err != nil {
			return nil, err
		}
		if c.Name == "" && len(list) > 1 {
			c.Name = fmt.Sprint(name, "-", i+1)
		} else if c.Name == "" {
			c.Name = name
		}
		out = append(out, c)
	}
	return out, nil
}

// categories are the names of LoCoMo's categories, by number.
var categories = map[int]string{1: "several turns", 2: "time", 3: "open", 4: "one turn", 5: adversarial}

// adversarial questions are about the other person's words. They have no answer.
const adversarial = "adversarial"

type turn struct {
	Speaker string `json:"speaker"`
	ID      string `json:"dia_id"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
}

type question struct {
	Question string          `json:"question"`
	Answer   json.RawMessage `json:"answer"` // text or a number
	Evidence []string        `json:"evidence"`
	Category int             `json:"category"`
}

func parse(fields map[string]json.RawMessage) (c Conversation, err error) {
	if id, ok := fields["sample_id"]; ok {
		_ = json.Unmarshal(id, &c.Name)
	}
	var asked []question
	if err := json.Unmarshal(fields["qa"], &asked); err != nil {
		return c, fmt.Errorf("qa: %w", err)
	}
	if inner, ok := fields["conversation"]; ok {
		fields = nil
		if err := json.Unmarshal(inner, &fields); err != nil {
			return c, err
		}
	}
	places := map[string]int{}
	for _, n := range sessions(fields) {
		key := "session_" + strconv.Itoa(n)
		var turns []turn
		if err := json.Unmarshal(fields[key], &turns); err != nil {
			return c, fmt.Errorf("%s: %w", key, err)
		}
		var date string
		_ = json.Unmarshal(fields[key+"_date_time"], &date)
		at, _ := time.Parse("3:04 pm on 2 January, 2006", date)
		for _, t := range turns {
			places[t.ID] = len(c.Turns)
			text := strings.TrimSpace(t.Text + " " + t.Caption)
			c.Turns = append(c.Turns, recall.Item{Text: text, Speaker: t.Speaker, Session: key, At: at})
		}
	}
	for _, q := range asked {
		c.Questions = append(c.Questions, Question{
			Text: q.Question, Answer: strings.Trim(string(q.Answer), `"`), Category: categories[q.Category],
			Evidence: evidence(q.Evidence, places),
		})
	}
	return c, nil
}

var sessionName = lazyregexp.New(`^session_(\d{1,4})$`)

func sessions(fields map[string]json.RawMessage) (numbers []int) {
	for k := range fields {
		if m := sessionName().FindStringSubmatch(k); m != nil {
			n, _ := strconv.Atoi(m[1])
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

var turnID = lazyregexp.New(`D:?(\d+):(\d+)`)

// evidence returns the indexes of turns by their ids. Some lists have several ids in one string, or
// zeros before numbers.
func evidence(ids []string, places map[string]int) (out []int) {
	for _, id := range ids {
		for _, m := range turnID().FindAllStringSubmatch(id, -1) {
			session, _ := strconv.Atoi(m[1])
			number, _ := strconv.Atoi(m[2])
			if p, ok := places[fmt.Sprintf("D%d:%d", session, number)]; ok && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
