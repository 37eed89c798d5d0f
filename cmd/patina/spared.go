package main

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pasting are the commands whose words may be pasted.
var pasting = []string{"scry", "grep", "why"}

// spared moves pasted texts in a call of scry, grep or why behind "--". Such a text begins with
// "-", as a line of a diff or a list does. It also has white space, which no flag has before its
// "=".
func spared(root *cobra.Command, args []string) []string {
	at := slices.IndexFunc(args, func(arg string) bool { return slices.Contains(pasting, arg) })
	if at < 0 || at > 0 && !strings.HasPrefix(args[0], "-") {
		return args
	}
	asked, _, err := root.Find(args[at : at+1])
	if err != nil {
		return args
	}
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	var kept, pasted []string
	for i, arg := range args[:end] {
		if i > at && isPasted(asked, arg) && !wantsValue(asked, args[i-1]) {
			pasted = append(pasted, arg)
		} else {
			kept = append(kept, arg)
		}
	}
	if len(pasted) == 0 {
		return args
	}
	kept = append(append(kept, "--"), pasted...)
	return append(kept, args[min(end+1, len(args)):]...)
}

// isPasted reports whether an argument only begins like a flag.
func isPasted(c *cobra.Command, arg string) bool {
	if !strings.HasPrefix(arg, "-") || !strings.ContainsFunc(arg, unicode.IsSpace) {
		return false
	}
	name, _, isSet := strings.Cut(arg, "=")
	return !isSet || flagNamed(c, name) == nil
}

// wantsValue reports whether an argument is a flag with its value in the next argument.
func wantsValue(c *cobra.Command, arg string) bool {
	f := flagNamed(c, arg)
	return f != nil && f.NoOptDefVal == ""
}

// flagNamed returns the flag in an argument, or nil: "--limit", or "n" as the last of short ones.
func flagNamed(c *cobra.Command, arg string) *pflag.Flag {
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		return c.Flag(long)
	}
	short := strings.TrimPrefix(arg, "-")
	if short == arg || short == "" || short[len(short)-1] > unicode.MaxASCII {
		return nil
	}
	return c.Flags().ShorthandLookup(short[len(short)-1:])
}
