package git

import (
	"context"
	"os"
	"strings"
)

// Identity returns the e-mail address by which the user commits in a folder. It comes from the
// environment, else from the settings of the user and the machine. The repository's own settings do
// not count, because a stranger may have written them. It returns "" if no address is set or git
// fails.
func Identity(ctx context.Context, folder string) string {
	if email := os.Getenv("GIT_AUTHOR_EMAIL"); email != "" {
		return email
	}
	out, err := Output(ctx, Call{
		Folder: folder, Settings: true, Args: []string{"config", "-z", "--show-scope", "--get-all", "user.email"},
	})
	if err != nil { // no address is set, or git is older than 2.26
		return ""
	}
	email, fields := "", strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 { // a scope and a value
		if scope := fields[i]; scope == "system" || scope == "global" {
			email = fields[i+1]
		}
	}
	return strings.TrimSpace(email)
}
