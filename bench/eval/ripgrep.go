package eval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Flags of ripgrep a set may use. Others are refused, because some start programs.
var (
	plainFlags = []string{"-n", "-i", "-l", "-w", "-F", "-S", "-U", "--hidden"}
	valueFlags = []string{"-e", "-g", "-t", "-T", "--glob", "--type"}
)

// RipgrepArgs reads arguments for ripgrep as typed into a shell. It knows single and double quotes
// and the backslash, and starts no shell. Unknown flags are an error.
func RipgrepArgs(line string) ([]string, error) {
	args, err := shellWords(line)
	if err != nil {
		return nil, fmt.Errorf("read arguments %q: %w", line, err)
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("read arguments %q: %w", line, errors.New("there are none"))
	}
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case !strings.HasPrefix(a, "-") || slices.Contains(plainFlags, a):
		case slices.Contains(valueFlags, a) && i+1 < len(args):
			i++ // its value may begin with a dash
		default:
			return nil, fmt.Errorf("read arguments %q: flag %q is not allowed", line, a)
		}
	}
	return args, nil
}

// shellWords splits a line into words.
func shellWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for s := []rune(line); len(s) > 0; s = s[1:] {
		switch c := s[0]; {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '\\':
			word.WriteRune(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && len(s) == 1:
			return nil, errors.New("a backslash at the end")
		case c == '\\':
			if quote == '"' && !strings.ContainsRune("\"\\$`", s[1]) {
				word.WriteRune(c)
			}
			word.WriteRune(s[1])
			inWord, s = true, s[1:]
		case c == '\'' || c == '"':
			inWord, quote = true, c
		case strings.ContainsRune(" \t\n", c):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote without its end")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
