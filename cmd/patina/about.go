package main

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/memory"
	"patina/registry"
)

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version. If a newer patina has written your notes or your registry,
this is said: this one then reads and writes neither.`,
		Example: "  patina version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Out, versionLine())
			a.warnNewer()
			return err
		},
	}
}

// warnNewer names the databases of the home that a newer patina has written. A home that cannot be
// used is no business of a version.
func (a *app) warnNewer() {
	home, err := registry.Home()
	if err != nil {
		return
	}
	files, _ := filepath.Glob(memory.File(home, "*"))
	newer := []error{registry.CheckVersion(home)}
	for _, f := range files {
		newer = append(newer, memory.CheckVersion(f))
	}
	for _, err := range newer {
		if err != nil {
			a.Warn("%v: use the newer patina; this one leaves the file as it is", err)
		}
	}
}

func versionLine() string {
	return fmt.Sprintf("patina %s %s/%s %s", cli.Version, runtime.GOOS, runtime.GOARCH, runtime.Version())
}

func (a *app) completion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print a script that completes commands in a shell",
		Long:  "Print a script that completes the commands and flags of patina in a shell.",
		Example: `  source <(patina completion bash)            # in ~/.bashrc
  patina completion zsh > "${fpath[1]}/_patina"
  patina completion fish > ~/.config/fish/completions/patina.fish`,
		Args:                  cli.OneOf("bash", "zsh", "fish"),
		ValidArgs:             []string{"bash", "zsh", "fish"},
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			switch args[0] {
			case "zsh":
				return c.Root().GenZshCompletion(a.Out)
			case "fish":
				return c.Root().GenFishCompletion(a.Out, true)
			}
			return c.Root().GenBashCompletionV2(a.Out, true)
		},
	}
}
