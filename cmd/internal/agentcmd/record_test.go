package agentcmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// own writes an installation's text into a client's file, as a user would by hand.
func own(t *testing.T, path string, e edit, before string) {
	t.Helper()
	after, state, err := e.putInto([]byte(before))
	check(t, err)
	if state != Missing {
		t.Fatalf("%s: %s", path, state)
	}
	put(t, path, string(after), 0o644)
}

// An entry that the user wrote must stay, byte for byte: alone in its file or beside others, with
// hooks installed beside it and removed again, in each client's form.
func TestOwnEntriesStay(t *testing.T) {
	for _, c := range Clients() {
		for _, scope := range []Scope{User, Project} {
			spot := c.entry[scope.index()]
			if len(spot.paths) == 0 {
				continue
			}
			for kind, mode := range map[string]os.FileMode{"nothing": 0o600, "commented": 0o644} {
				e := machine(t)
				own(t, e.path(spot.paths[0]), spot.edit, samples(spot.edit)[kind])
				check(t, os.Chmod(e.path(spot.paths[0]), mode))
				before := tree(t, e.Home)
				plan := e.Uninstall(Clients(), scope, false)
				check(t, plan.Apply())
				if plan.Changes() || !plan.Left() {
					t.Errorf("%s, %s, %s: %+v", c.Name, scope, kind, plan.Steps)
				}
				same(t, c.Name+", uninstalled alone", tree(t, e.Home), before)
				plan = e.Install(Request{Clients: []Client{c}, Scope: scope, Hooks: SafeHooks})
				check(t, plan.Apply())
				if plan.Steps[0].Action != Keep {
					t.Errorf("%s, %s, %s: %+v", c.Name, scope, kind, plan.Steps[0])
				}
				check(t, e.Uninstall(Clients(), scope, false).Apply())
				same(t, c.Name+", "+kind, tree(t, e.Home), before)
			}
		}
	}
}

// If the user has an entry of another form, hooks and the backup must go.
func TestHooksBesideOwnEntry(t *testing.T) {
	for _, entry := range []string{
		`{"mcpServers": {"patina": {"command": "/opt/patina", "args": ["mcp"]}}}`,
		`{"mcpServers": {"patina": {"command": "patina", "args": ["mcp"]}}}`,
	} {
		for _, recorded := range []bool{true, false} {
			e := machine(t)
			c, _ := Named("gemini")
			put(t, filepath.Join(e.Home, ".gemini", "settings.json"), entry, 0o644)
			before := tree(t, e.Home)
			plan := e.Install(Request{Clients: []Client{c}, Scope: User, Hooks: SafeHooks})
			check(t, plan.Apply())
			if !plan.Changes() {
				t.Errorf("%+v", plan.Steps)
			}
			if !recorded {
				check(t, os.Remove(e.Record))
			}
			plan = e.Uninstall(Clients(), User, false)
			check(t, plan.Apply())
			if plan.Left() || plan.Refused() {
				t.Errorf("%+v", plan.Steps)
			}
			same(t, entry, tree(t, e.Home), before)
		}
	}
}

// Two installations into an empty home must leave nothing, and no record.
func TestTwoSteps(t *testing.T) {
	for _, scope := range []Scope{User, Project} {
		e := machine(t)
		before := tree(t, filepath.Dir(e.Home))
		check(t, e.Install(Request{Clients: Clients(), Scope: scope}).Apply())
		check(t, e.Install(requestAll(Clients(), scope)).Apply())
		for path := range tree(t, e.Home) {
			if strings.HasSuffix(path, backupSuffix) {
				t.Errorf("%s: there was no file before ours", path)
			}
		}
		if _, err := os.Stat(e.Record); err != nil {
			t.Error(err)
		}
		check(t, e.Uninstall(Clients(), scope, false).Apply())
		check(t, os.Remove(filepath.Dir(e.Record)))
		same(t, string(scope), tree(t, filepath.Dir(e.Home)), before)
	}
}

// Installations by versions without a record go without a trace: the pieces that a backup lacks
// and, on request, a whole file that they made. Nothing tells that file from a user's own.
func TestInstalledWithoutRecord(t *testing.T) {
	for _, c := range Clients() {
		for _, scope := range []Scope{User, Project} {
			spot := c.entry[scope.index()]
			if len(spot.paths) == 0 {
				continue
			}
			for _, kind := range []string{"nothing", "commented"} {
				e := machine(t)
				if text, ok := samples(spot.edit)[kind]; ok {
					put(t, e.path(spot.paths[0]), text, 0o640)
				}
				before := tree(t, e.Home)
				check(t, e.Install(Request{Clients: []Client{c}, Scope: scope, Hooks: SafeHooks}).Apply())
				check(t, os.Remove(e.Record))
				plan := e.Uninstall(Clients(), scope, true)
				check(t, plan.Apply())
				if plan.Left() || plan.Refused() {
					t.Errorf("%s, %s, %s: %+v", c.Name, scope, kind, plan.Steps)
				}
				same(t, c.Name+", "+kind, tree(t, e.Home), before)
			}
		}
	}
	// Their second step made a backup of their own file.
	e := machine(t)
	c, _ := Named("gemini")
	path := filepath.Join(e.Home, ".gemini", "settings.json")
	before := tree(t, e.Home)
	check(t, e.Install(Request{Clients: []Client{c}, Scope: User}).Apply())
	first, err := os.ReadFile(path)
	check(t, err)
	check(t, e.Install(requestAll([]Client{c}, User)).Apply())
	put(t, path+backupSuffix, string(first), 0o600)
	check(t, os.Remove(e.Record))
	check(t, e.Uninstall(Clients(), User, true).Apply())
	same(t, "two steps", tree(t, e.Home), before)
}

// A piece installed without a record is recorded once something is added to its file.
func TestRecordIsTakenUp(t *testing.T) {
	e := machine(t)
	c, _ := Named("gemini")
	path := filepath.Join(e.Home, ".gemini", "settings.json")
	put(t, path, "{\n  \"a\": 1\n}\n", 0o644)
	before := tree(t, e.Home)
	check(t, e.Install(Request{Clients: []Client{c}, Scope: User}).Apply())
	check(t, os.Remove(e.Record))
	check(t, e.Install(requestAll([]Client{c}, User)).Apply())
	if got, err := os.ReadFile(path + backupSuffix); err != nil || string(got) != "{\n  \"a\": 1\n}\n" {
		t.Errorf("the backup of the first time: %q, %v", got, err)
	}
	record, err := os.ReadFile(e.Record)
	check(t, err)
	if !bytes.Contains(record, []byte(`"mcpServers.patina"`)) ||
		!bytes.Contains(record, []byte(`"hooks.SessionStart"`)) {
		t.Errorf("%s", record)
	}
	check(t, e.Uninstall([]Client{c}, User, false).Apply())
	same(t, "taken up", tree(t, e.Home), before)
}

// Text that the user wrote after ours was removed, by patina or by hand, is the user's.
func TestOwnEntryAfterOurs(t *testing.T) {
	e := machine(t)
	c, _ := Named("cursor")
	spot := c.entry[0]
	path := e.path(spot.paths[0])
	put(t, path, "{}\n", 0o644)
	for _, hand := range []bool{false, true} {
		check(t, e.Install(Request{Clients: []Client{c}, Scope: User}).Apply())
		if hand {
			put(t, path, "{}\n", 0o644)
		}
		check(t, e.Uninstall([]Client{c}, User, false).Apply())
		own(t, path, spot.edit, "{}\n")
		before := tree(t, e.Home)
		check(t, e.Uninstall([]Client{c}, User, false).Apply())
		same(t, "own", tree(t, e.Home), before)
		put(t, path, "{}\n", 0o644)
		check(t, e.Uninstall([]Client{c}, User, false).Apply())
	}
}

// Concurrent installations must all be recorded, and uninstalling must remove all of them.
func TestInstallationsAtOnce(t *testing.T) {
	for range 5 {
		e := machine(t)
		before := tree(t, e.Home)
		failed := make(chan error, len(Clients()))
		for _, c := range Clients() {
			plan := e.Install(Request{Clients: []Client{c}, Scope: User})
			go func() { failed <- plan.Apply() }()
		}
		for range Clients() {
			check(t, <-failed)
		}
		plan := e.Uninstall(Clients(), User, false)
		check(t, plan.Apply())
		if plan.Left() {
			t.Errorf("%+v", plan.Steps)
		}
		same(t, "at once", tree(t, e.Home), before)
	}
}

// A record that cannot be read or written must stop both calls before they write.
func TestDamagedRecord(t *testing.T) {
	e := machine(t)
	c, _ := Named("cursor")
	before := tree(t, e.Home)
	for _, text := range []string{"", "{", `{"schema": 9}`} {
		put(t, e.Record, text, 0o600)
		for _, plan := range []*Plan{e.Install(requestAll([]Client{c}, User)), e.Uninstall([]Client{c}, User, false)} {
			if !plan.Refused() || plan.Changes() || !strings.Contains(plan.Steps[0].Why, e.Record) {
				t.Errorf("%q: %+v", text, plan.Steps)
			}
			check(t, plan.Apply())
		}
	}
	check(t, os.RemoveAll(filepath.Dir(e.Record)))
	put(t, filepath.Dir(e.Record), "a file", 0o600)
	if plan := e.Install(requestAll([]Client{c}, User)); !plan.Refused() || plan.Changes() {
		t.Errorf("%+v", plan.Steps)
	}
	same(t, "no record", tree(t, e.Home), before)
}
