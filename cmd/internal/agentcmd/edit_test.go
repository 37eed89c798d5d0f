package agentcmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	testEntry = object{{"type", "stdio"}, {"command", "patina"}, {"args", []any{"mcp"}}}
	testJSON  = jsonEdit{path: []string{"mcpServers", "patina"}, with: testEntry}
	testHook  = jsonEdit{
		path: []string{"hooks", "SessionStart"}, list: true, mark: "patina hook",
		with: object{{
			"hooks",
			[]any{object{{"type", "command"}, {"command", "patina hook session-start"}, {"timeout", 2}}},
		}},
	}
	testHead = jsonEdit{
		path: []string{"hooks", "start"}, list: true, mark: "patina hook",
		head: object{{"version", 1}}, with: object{{"command", "patina hook"}},
	}
	testTOML = tomlEdit{table: []string{"mcp_servers", "patina"}, with: testEntry[1:]}
	testYAML = yamlEdit{
		top: "extensions", key: "patina",
		with: append(object{{"enabled", true}, {"timeout", 300}, {"envs", object{}}}, testEntry...),
	}
	testBlock = blockEdit{lines: "one\ntwo"}
)

// roundTrip checks the rules for every file: putInto keeps the bytes of others and adds once, and
// cutFrom undoes it. It reports whether the file was accepted.
func roundTrip(t *testing.T, e edit, file []byte) bool {
	t.Helper()
	before := bytes.Clone(file)
	after, state, err := putProved(e, file)
	if !bytes.Equal(file, before) {
		t.Fatalf("%q was changed in place", before)
	}
	if err != nil {
		return false
	}
	if state != Missing {
		if !bytes.Equal(after, file) {
			t.Fatalf("%s: %q became %q", state, file, after)
		}
		return true
	}
	if !within(file, after) {
		t.Fatalf("bytes of others changed: %q became %q", file, after)
	}
	if _, ok := e.(jsonEdit); ok && json.Valid(file) && !json.Valid(after) {
		t.Fatalf("no JSON any more: %q became %q", file, after)
	}
	again, state, err := putProved(e, after)
	if err != nil || state != Intact || !bytes.Equal(again, after) {
		t.Fatalf("a second time: %v, %v: %q became %q", state, err, after, again)
	}
	back, state, err := e.cutFrom(after, file)
	if err != nil || state != Intact || !bytes.Equal(back, file) {
		t.Fatalf("undone: %v, %v: %q became %q", state, err, file, back)
	}
	if _, state, err = e.putInto(back); err != nil || state != Missing {
		t.Fatalf("after undoing: %v, %v", state, err)
	}
	return true
}

// within reports whether longer contains the bytes of text in their order.
func within(text, longer []byte) bool {
	for _, c := range text {
		n := bytes.IndexByte(longer, c)
		if n < 0 {
			return false
		}
		longer = longer[n+1:]
	}
	return true
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		e            edit
		before, want string
	}{
		{testJSON, "", "{\n  \"mcpServers\": {\n    \"patina\": {\n      \"type\": \"stdio\",\n      \"command\": \"patina\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"},
		{testJSON, "{}", "{\n  \"mcpServers\": {\n    \"patina\": {\n      \"type\": \"stdio\",\n      \"command\": \"patina\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}"},
		{testJSON, `{"a":1}`, `{"a":1,"mcpServers":{"patina":{"type":"stdio","command":"patina","args":["mcp"]}}}`},
		{
			testJSON, `{"a": 1}`,
			`{"a": 1, "mcpServers": {"patina": {"type": "stdio", "command": "patina", "args": ["mcp"]}}}`,
		},
		{
			testJSON, "{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {}, // last\r\n\t},\r\n}\r\n",
			"{\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {}, // last\r\n\t\t\"patina\": {\r\n\t\t\t\"type\": \"stdio\",\r\n\t\t\t\"command\": \"patina\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t},\r\n\t},\r\n}\r\n",
		},
		{
			testJSON, "{\n  \"mcpServers\": {\n    \"x\": {} // last\n  }\n}",
			"{\n  \"mcpServers\": {\n    \"x\": {}, // last\n    \"patina\": {\n      \"type\": \"stdio\",\n      \"command\": \"patina\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}",
		},
		{
			testHook, `{"hooks":{"SessionStart":[]}}`,
			`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"patina hook session-start","timeout":2}]}]}}`,
		},
		{testHead, "", "{\n  \"version\": 1,\n  \"hooks\": {\n    \"start\": [\n      {\n        \"command\": \"patina hook\"\n      }\n    ]\n  }\n}\n"},
		{testTOML, "", "[mcp_servers.patina]\ncommand = \"patina\"\nargs = [\"mcp\"]\n"},
		{testTOML, "a = 1", "a = 1\n[mcp_servers.patina]\ncommand = \"patina\"\nargs = [\"mcp\"]\n"},
		{testTOML, "a = 1\r\n", "a = 1\r\n\r\n[mcp_servers.patina]\r\ncommand = \"patina\"\r\nargs = [\"mcp\"]\r\n"},
		{
			yamlEdit{"extensions", "patina", testEntry},
			"extensions:\n    # first\n    dev:\n        a: 1\n",
			"extensions:\n    patina:\n        type: stdio\n        command: patina\n        args: [\"mcp\"]\n    # first\n    dev:\n        a: 1\n",
		},
		{
			yamlEdit{"extensions", "patina", testEntry},
			"a: 1\n",
			"a: 1\n\nextensions:\n  patina:\n    type: stdio\n    command: patina\n    args: [\"mcp\"]\n",
		},
		{testBlock, "text\n", "text\n\n<!-- patina:begin " + digestOf("one\ntwo") +
			" -->\none\ntwo\n<!-- patina:end -->\n"},
	} {
		got, state, err := putProved(c.e, []byte(c.before))
		if err != nil || state != Missing || string(got) != c.want {
			t.Errorf("%q: %v, %v:\n%s\nwant\n%s", c.before, state, err, got, c.want)
		}
		roundTrip(t, c.e, []byte(c.before))
	}
}

func TestRefusedFiles(t *testing.T) {
	for _, c := range []struct {
		e    edit
		file string
	}{
		{testJSON, "{"},
		{testJSON, "[]"},
		{testJSON, `{"mcpServers": []}`},
		{testJSON, `{"mcpServers": {}, "mcpServers": {}}`},
		{testJSON, `{"a": 1 "b": 2}`},
		{testJSON, `{"a": 01}`},
		{testJSON, `{"a": "` + "\n" + `"}`},
		{testJSON, strings.Repeat("[", 1<<20)},
		{testHook, `{"hooks": {"SessionStart": {}}}`},
		{testTOML, "a = "},
		{testTOML, "mcp_servers = {x = {command = \"y\"}}"},
		{testTOML, "[[mcp_servers]]\na = 1"},
		{testYAML, "extensions: {dev: {a: 1}}\n"},
		{testYAML, "extensions: {}\n"},
		{testYAML, "extensions:\n- a\n"},
		{testYAML, "a: [\n"},
		{testYAML, "a: 1\n---\nb: 2\n"},
		{testBlock, blockHead + "12 -->\n"},
		{testBlock, blockHead + blockTail + blockHead + blockTail},
	} {
		if got, state, err := putProved(c.e, []byte(c.file)); err == nil ||
			!bytes.Equal(got, []byte(c.file)) && got != nil {
			t.Errorf("%.40q: %v, %q", c.file, state, got)
		}
	}
}

// A change inside our text must be seen, and neither call may touch it.
func TestEditedByHand(t *testing.T) {
	for _, c := range []struct {
		e        edit
		old, new string
		want     State
	}{
		{testJSON, `"mcp"`, `"mcp", "--project", "x"`, Edited},
		{testJSON, `"patina",`, `"/opt/patina",`, Edited},
		{testJSON, `"type": "stdio",`, `"type": "stdio", "env": {}, // mine` + "\n", Intact},
		{testJSON, `"type": "stdio",`, `"env": {"A": "b"}, "type": "stdio",`, Edited},
		{testHook, "session-start", "session-start --x", Edited},
		{testTOML, `["mcp"]`, `["mcp", "-v"]`, Edited},
		{testTOML, "args", "# mine\nargs", Intact},
		{testYAML, "stdio", "sse", Edited},
		{testYAML, "    type", "    bundled: null\n    type", Intact},
		{testBlock, "two", "three", Edited},
	} {
		file, _, err := putProved(c.e, nil)
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Replace(file, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(changed, file) {
			t.Fatalf("%q is not in %q", c.old, file)
		}
		after, state, err := putProved(c.e, changed)
		if err != nil || state != c.want || !bytes.Equal(after, changed) {
			t.Errorf("%q: %v, %v: %q", c.new, state, err, after)
		}
		back, state, err := c.e.cutFrom(changed, nil)
		if err != nil || state != c.want || c.want == Edited && !bytes.Equal(back, changed) ||
			c.want == Intact && len(back) > 0 {
			t.Errorf("cut %q: %v, %v: %q", c.new, state, err, back)
		}
	}
}

// Text that others add around ours must stay when ours is removed.
func TestCutBetweenOthers(t *testing.T) {
	for _, c := range []struct {
		e                   edit
		before, more, after string
	}{
		{
			testJSON, "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n",
			"\n    }\n  }\n}\n|\n    },\n    \"b\": {}\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    \"a\": {},\n    \"b\": {}\n  }\n}\n",
		},
		{testTOML, "a = 1", "\"]\n|\"]\n# next\n[b]\nc = 1\n", "a = 1\n# next\n[b]\nc = 1\n"},
		{testTOML, "a = 1\n", "\"]\n|\"]\n\n[b]\nc = 1\n", "a = 1\n\n[b]\nc = 1\n"},
		{
			testYAML, "a: 1\n", "[\"mcp\"]\n|[\"mcp\"]\n  dev:\n    b: 1\nc: 2\n",
			"a: 1\n\nextensions:\n  dev:\n    b: 1\nc: 2\n",
		},
		{testBlock, "text", "end -->\n|end -->\nmore\n", "text\nmore\n"},
	} {
		file, _, err := putProved(c.e, []byte(c.before))
		if err != nil {
			t.Fatal(err)
		}
		old, new, _ := strings.Cut(c.more, "|")
		changed := strings.Replace(string(file), old, new, 1)
		if changed == string(file) {
			t.Fatalf("%q is not in %q", old, file)
		}
		for _, origin := range [][]byte{[]byte(c.before), nil} {
			if got, state, err := c.e.cutFrom([]byte(changed), origin); err != nil || state != Intact ||
				string(got) != c.after {
				t.Errorf("%q: %v, %v: %q, want %q", changed, state, err, got, c.after)
			}
		}
	}
}

// The rules hold for a thousand random files of each format.
func TestRandomFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of files, one after another")
	}
	for _, c := range []struct {
		name string
		make func(*rand.Rand) string
		all  []edit
	}{
		{"json", randomJSON, []edit{testJSON, testHook, testHead}},
		{"toml", randomTOML, []edit{testTOML}},
		{"yaml", randomYAML, []edit{testYAML}},
		{"text", randomText, []edit{testBlock}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, e := range c.all {
				accepted := 0
				for seed := range 1000 {
					if roundTrip(t, e, []byte(c.make(rand.New(rand.NewPCG(uint64(seed), 28))))) {
						accepted++
					}
				}
				if accepted < 900 {
					t.Errorf("%s: only %d of 1000 files were accepted", e.name(), accepted)
				}
			}
		})
	}
}

func pick(r *rand.Rand, all ...string) string { return all[r.IntN(len(all))] }

// endings converts a text to a random line ending, sometimes with a byte order mark.
func endings(r *rand.Rand, text string) string {
	if r.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.IntN(8) == 0 {
		text = "\xef\xbb\xbf" + text
	}
	return text
}

func randomJSON(r *rand.Rand) string {
	blank := func() string {
		return pick(r, "", "", " ", "\n", "\n  ", "\t", " // note, { \" \n", "/* {\n\" */", "\n\n")
	}
	if r.IntN(2) == 0 {
		unit := pick(r, "  ", "\t", "    ")
		blank = func() string { return pick(r, "\n"+unit, "\n"+unit, " ") }
	}
	var value func(depth int) string
	list := func(open, last string, n int, item func(i int) string) string {
		out := open + blank()
		for i := range n {
			out += item(i) + blank()
			if i < n-1 || r.IntN(4) == 0 {
				out += "," + blank()
			}
		}
		return out + last
	}
	value = func(depth int) string {
		switch r.IntN(6 - min(depth, 3)) {
		case 5:
			return list("[", "]", r.IntN(3), func(int) string { return value(depth + 1) })
		case 4, 3:
			return list("{", "}", r.IntN(4), func(i int) string {
				return fmt.Sprintf(`"%s%d"%s:%s%s`, pick(r, "a", "é", `\"`, "//", "}"), i, blank(), blank(),
					value(depth+1))
			})
		case 2:
			return pick(r, "1", "-0.5e9", "true", "null", "12345678901234567890")
		}
		return pick(r, `""`, `"a // b"`, `"\"{,"`, `"\\"`)
	}
	known := []string{"x", "mcpServers", "hooks", "y"}
	return endings(r, pick(r, "", "\n", "// head\n")+list("{", "}", r.IntN(5), func(i int) string {
		if i == 4 || i == 0 || i == 3 {
			return fmt.Sprintf(`"k%d":%s%s`, i, blank(), value(0))
		}
		inner := list("{", "}", r.IntN(3), func(i int) string {
			return fmt.Sprintf(`"%s":%s`, pick(r, "a", "b", "c")+fmt.Sprint(i),
				list("{", "}", r.IntN(2), func(int) string { return `"command": "x"` }))
		})
		if known[i] == "hooks" && r.IntN(2) == 0 {
			inner = `{"SessionStart":` + blank() + list("[", "]", r.IntN(3), func(int) string { return value(2) }) +
				blank() + `}`
		}
		return `"` + known[i] + `":` + blank() + inner
	})+pick(r, "", "\n", "\n// tail", " \n"))
}

func randomTOML(r *rand.Rand) string {
	var b strings.Builder
	for i := range r.IntN(4) {
		fmt.Fprintf(&b, "%skey%d = %s%s\n", pick(r, "", "# note [x]\n", "\n"), i,
			pick(r, "1", `"a # b"`, "'[mcp_servers.patina]'", "[1,\n  2, # c\n]",
				"\"\"\"\n[mcp_servers.patina]\n\\\"\"\" x\"\"\"", "'''\n[a]\n'''", "1979-05-27"), pick(r, "", " # [t]"))
	}
	for i := range r.IntN(4) {
		fmt.Fprintf(&b, "%s[%s%d]%s\n", pick(r, "", "\n", "# about\n"),
			pick(r, "t", "mcp_servers.t", " mcp_servers . 't'.x", "[arr]#"), i, pick(r, "", " # c"))
		for j := range r.IntN(3) {
			fmt.Fprintf(&b, "%sv%d = %s\n", pick(r, "", "  "), j, pick(r, `"x"`, "{ a = 1 }", "true"))
		}
	}
	text := strings.ReplaceAll(b.String(), "[[arr]#", "[[arr")
	text = fixArrays(text)
	return endings(r, strings.TrimRight(text, "\n")+pick(r, "", "\n", "\n\n", "\n# end", "\n  "))
}

// fixArrays closes the headers of arrays of tables.
func fixArrays(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "[[arr") {
			lines[i] = strings.Replace(line, "]", "]]", 1)
		}
	}
	return strings.Join(lines, "\n")
}

func randomYAML(r *rand.Rand) string {
	var b strings.Builder
	plain := func(n int) {
		for i := range r.IntN(3) {
			fmt.Fprintf(&b, "%sK%d_%d: %s\n", pick(r, "", "# note\n", "\n"), n, i,
				pick(r, "1", `"a: b"`, "{a: 1}", "[x, y]", "|\n  text\n  extensions:\n  more", ">-\n  folded\n\n  text",
					"\n  deep:\n    - 1\n    - two: 2"))
		}
	}
	plain(0)
	if r.IntN(3) > 0 {
		unit := pick(r, "  ", "    ", " ")
		fmt.Fprintf(&b, "extensions:%s\n", pick(r, "", " # all", "  "))
		for i := range r.IntN(3) {
			fmt.Fprintf(&b, "%s%se%d:%s\n%s%sa: 1\n%s%sargs:\n%s%s- x\n", pick(r, "", unit+"# note\n", "\n"), unit, i,
				pick(r, "", " # c"), unit, unit, unit, unit, unit, unit)
		}
	}
	plain(1)
	return endings(r, strings.TrimRight(b.String(), "\n")+pick(r, "", "\n", "\n\n", "\n# end", "\n# end\n"))
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pick(r, "# Title\n", "text\n", "\n", "<!-- note -->\n", "patina\n", "no end"))
	}
	return endings(r, b.String())
}

// The scanner must accept all JSON, and read the same values as encoding/json.
func FuzzScanJSON(f *testing.F) {
	for seed := range 20 {
		f.Add([]byte(randomJSON(rand.New(rand.NewPCG(uint64(seed), 1)))))
	}
	f.Add([]byte(`{"a":[1,2,{"b":null}],"a":1.5e3,"\u00e9":"\ud83d"}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		root, err := scanJSON(file)
		var want any
		if json.Unmarshal(file, &want) != nil {
			return
		}
		if err != nil {
			if strings.Contains(err.Error(), "too deep") {
				return
			}
			t.Fatalf("%q: %v", file, err)
		}
		got, _ := json.Marshal(root.plainValue(file))
		same, _ := json.Marshal(want)
		if !bytes.Equal(got, same) {
			t.Fatalf("%q: %s, want %s", file, got, same)
		}
	})
}

func FuzzJSONEdit(f *testing.F) { fuzzEdits(f, randomJSON, testJSON, testHook, testHead) }

func FuzzTOMLEdit(f *testing.F) { fuzzEdits(f, randomTOML, testTOML) }

func FuzzYAMLEdit(f *testing.F) { fuzzEdits(f, randomYAML, testYAML) }

func FuzzBlockEdit(f *testing.F) { fuzzEdits(f, randomText, testBlock) }

func fuzzEdits(f *testing.F, make func(*rand.Rand) string, all ...edit) {
	for seed := range 20 {
		f.Add([]byte(make(rand.New(rand.NewPCG(uint64(seed), 2)))))
	}
	for _, e := range all {
		f.Add([]byte(e.entryText()))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, e := range all {
			roundTrip(t, e, file)
			if _, _, err := e.cutFrom(file, nil); err != nil {
				continue
			}
		}
	})
}

// Another tool adds an entry beside ours in random files. When ours is removed, its entry stays
// whole. When that is removed too, the file must be as before, except for an added last line break.
func TestOthersStay(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of files, one after another")
	}
	other := object{{"command", "other"}, {"args", []any{"serve"}}}
	for _, c := range []struct {
		name string
		make func(*rand.Rand) string
		ours edit
		them []edit
	}{
		{"json", randomJSON, testJSON, []edit{
			jsonEdit{path: []string{"mcpServers", "zz"}, with: other},
			jsonEdit{path: []string{"top"}, with: other},
		}},
		{"list", randomJSON, testHook, []edit{
			jsonEdit{path: []string{"hooks", "SessionStart"}, list: true, mark: "other", with: other},
			jsonEdit{path: []string{"hooks", "Stop"}, list: true, mark: "other", with: other},
		}},
		{
			"toml", randomTOML, testTOML,
			[]edit{tomlEdit{[]string{"mcp_servers", "zz"}, other}, tomlEdit{[]string{"zz"}, other}},
		},
		{"yaml", randomYAML, testYAML, []edit{yamlEdit{"extensions", "zz", other}, yamlEdit{"top", "zz", other}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, them := range c.them {
				for seed := range 300 {
					besides(t, c.ours, them, []byte(c.make(rand.New(rand.NewPCG(uint64(seed), 29)))))
				}
			}
		})
	}
}

func besides(t *testing.T, ours, them edit, file []byte) {
	t.Helper()
	first, state, err := putProved(ours, file)
	if err != nil || state != Missing {
		return
	}
	both, state, err := putProved(them, first)
	if err != nil || state != Missing {
		return
	}
	without, state, err := ours.cutFrom(both, file)
	if err != nil || state != Intact {
		t.Fatalf("%q: %v, %v", both, state, err)
	}
	if _, state, err := ours.putInto(without); err != nil || state != Missing {
		t.Fatalf("ours is still there: %v, %v: %q", state, err, without)
	}
	back, state, err := them.cutFrom(without, file)
	if err != nil || state != Intact || !bytes.Equal(back, file) && string(back) != string(file)+eolOf(both) {
		t.Fatalf("%v, %v:\n%q\nbecame\n%q\nthen\n%q\nthen\n%q", state, err, file, both, without, back)
	}
}
