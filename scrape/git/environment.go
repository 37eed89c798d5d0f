package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// options are the settings overridden in every call, because each names a program or opens a way to
// one. The command line wins over all files. The keys are in the order of git help --config.
var options = []string{
	// A remote helper named like the only allowed transport would be looked up among the aliases.
	"alias.remote-none=false",
	"core.alternateRefsCommand=false",
	"core.askPass=",
	"core.editor=false",
	"core.fsmonitor=false",
	"core.gitProxy=",
	"core.hooksPath=" + os.DevNull,
	"core.pager=cat",
	"core.sshCommand=false",
	"credential.helper=",
	"diff.external=",
	"fetch.bundleURI=",
	"gc.auto=0",
	"gpg.program=false",
	"gpg.ssh.program=false",
	"gpg.x509.program=false",
	"gpg.ssh.defaultKeyCommand=",
	"log.showSignature=false",
	"maintenance.auto=false",
	"protocol.allow=never",
	// A clone may contain a bare repository in a folder, with its own settings.
	"safe.bareRepository=explicit",
	"uploadpack.packObjectsHook=",
}

// fixed are the variables set in every call.
var fixed = []string{
	"GIT_ALLOW_PROTOCOL=none",  // wins over every protocol.*.allow
	"GIT_NO_LAZY_FETCH=1",      // since git 2.45: no missing object is requested
	"GIT_NO_REPLACE_OBJECTS=1", // objects match their names
	"GIT_OPTIONAL_LOCKS=0",     // nothing is written
	"GIT_TERMINAL_PROMPT=0",    // nothing is asked
	"GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_SSH_COMMAND=false",
	"GIT_PAGER=cat", "GIT_EDITOR=false",
	"GIT_FLUSH=0", // full buffers, not one line at a time
	"LC_ALL=C",    // complaints in one language
}

// kept are git's variables that are passed on from a caller's environment. They locate git and its
// settings, and limit the search for a repository. All others are dropped, because inside a hook
// they point to another repository or index, and many name programs.
var kept = []string{
	"GIT_ATTR_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
	"GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH",
}

// alone are the variables that switch off system and user settings.
var alone = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1"}

// Environment returns the variables of this process that decide which git is called, with which
// settings, and where it looks for a repository. Two processes of one user with equal ones get
// equal answers from git.
func Environment() (out []string) {
	program, _ := findGit()
	out = append(out, "git="+program)
	for _, name := range slices.Concat(kept, []string{"HOME", "XDG_CONFIG_HOME", "GIT_AUTHOR_EMAIL"}) {
		if value, ok := os.LookupEnv(name); ok {
			out = append(out, name+"="+value)
		}
	}
	return out
}

// environmentFor returns the environment of a call, made from this process's own.
func environmentFor(env []string) []string {
	out := make([]string, 0, len(env)+len(fixed)+8)
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH":
			out = append(out, "PATH="+strings.Join(absoluteFolders(value), string(os.PathListSeparator)))
		case strings.HasPrefix(name, "GIT_") && !slices.Contains(kept, name):
		default:
			out = append(out, v)
		}
	}
	return append(out, fixed...)
}

// absoluteFolders returns the absolute folders of a PATH. Relative ones are dropped because they
// would be in the repository.
func absoluteFolders(path string) []string {
	return slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool { return !filepath.IsAbs(dir) })
}
