package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
)

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  patina version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Out, versionLine())
			return err
		},
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
