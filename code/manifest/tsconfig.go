package manifest

import (
	"encoding/json"

	"patina/internal/lazyregexp"
)

// A TSConfig is the part of a tsconfig.json or a jsconfig.json that redirects imports.
type TSConfig struct {
	BaseURL string              `json:"baseUrl"`
	Paths   map[string][]string `json:"paths"`
}

// configComments matches the extensions of JSON in a tsconfig.json: comments, and commas before a
// closing bracket. It must match strings first, so that "http://x" is kept.
var configComments = lazyregexp.New(`"(?:[^"\\]|\\.)*"|//[^\n]*|/\*[^*]*(?:\*[^/][^*]*)*\*/|,(\s*[}\]])`)

// ReadTSConfig reads a configuration. It returns false if the text is not valid.
func ReadTSConfig(text string) (c TSConfig, ok bool) {
	var config struct {
		CompilerOptions TSConfig `json:"compilerOptions"`
	}
	err := json.Unmarshal(plainJSON(plainJSON([]byte(text))), &config)
	return config.CompilerOptions, err == nil
}

// plainJSON removes comments and commas. It must be applied twice to remove a comma before a
// comment.
func plainJSON(body []byte) []byte {
	return configComments().ReplaceAllFunc(body, func(b []byte) []byte {
		switch b[0] {
		case '"':
			return b
		case ',':
			return b[1:]
		}
		return nil
	})
}
