package paint

import "github.com/alecthomas/chroma/v2"

// goLexer returns the rules of Go.
func goLexer() chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: "Go", Aliases: []string{"go"}, EnsureNL: true}, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `[ \t\n]+`, Type: chroma.Text},
			{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
			{Pattern: `/\*[\s\S]*?(?:\*/|\z)`, Type: chroma.CommentMultiline},
			{Pattern: "`[^`]*`?", Type: chroma.LiteralString},
			{Pattern: `"(?:\\.|[^"\\\n])*"?`, Type: chroma.LiteralString},
			{Pattern: `'(?:\\.[^'\n]*|[^'\\\n])'`, Type: chroma.LiteralStringChar},
			{Pattern: `\b(?:break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|` +
				`interface|map|package|range|return|select|struct|switch|type|var|true|false|nil|iota)\b`, Type: chroma.Keyword},
			{Pattern: `\b(?:any|bool|byte|comparable|complex64|complex128|error|float32|float64|int|int8|int16|int32|` +
				`int64|rune|string|uint|uint8|uint16|uint32|uint64|uintptr)\b`, Type: chroma.KeywordType},
			{Pattern: `[\p{L}_][\p{L}\p{N}_]*(?=\()`, Type: chroma.NameFunction},
			{Pattern: `[\p{L}_][\p{L}\p{N}_]*`, Type: chroma.Name},
			{Pattern: `(?:0[xXbBoO])?[0-9][0-9a-fA-F_.]*(?:[eEpP][+-]?[0-9]+)?i?`, Type: chroma.LiteralNumber},
			{Pattern: `.`, Type: chroma.Operator},
		}}
	})
}

// markdownLexer returns rules for the marks of Markdown: headings, code, and emphasis.
func markdownLexer() chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: "Markdown", Aliases: []string{"md"}, EnsureNL: true}, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `^#{1,6} [^\n]*`, Type: chroma.GenericHeading},
			{Pattern: "^ {0,3}(```|~~~)[\\s\\S]*?(?:^ {0,3}\\1[^\\n]*|\\z)", Type: chroma.LiteralString},
			{Pattern: "`[^`\\n]+`", Type: chroma.LiteralString},
			{Pattern: `\*\*[^*\n]+\*\*`, Type: chroma.GenericStrong},
			{Pattern: `\[[^\]\n]*\]\([^)\n]*\)`, Type: chroma.NameFunction},
			{Pattern: `^\s*(?:[-*+]|\d+\.) `, Type: chroma.Keyword},
			{Pattern: `^>[^\n]*`, Type: chroma.Comment},
			{Pattern: `[^\n#` + "`" + `*\[>~-]+`, Type: chroma.Text},
			{Pattern: `[\s\S]`, Type: chroma.Text},
		}}
	})
}
