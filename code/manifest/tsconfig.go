package manifest

import (
	"encoding/json"

	"patina/internal/lazyregexp"
)

// A TSConfig is a tsconfig.json or a jsconfig.json, as far as it sends imports elsewhere.
type TSConfig struct {
	BaseURL string              `json:"baseUrl"`
	Paths   map[string][]string `json:"paths"`
}

// configComments are what JSON does not have and a tsconfig.json does: comments and commas before a
// closing bracket. A string is matched first, so that "http://x" stays.
var configComments = lazyregexp.New(`"(?:[^"\\]|\\.)*"|//[^\n]*|/\*[^*]*(?:\*[^/][^*]*)*\*/|,(\s*[}\]])`)

// ReadTSConfig reads a configuration. One with a mistake is not read.
func ReadTSConfig(text string) (c TSConfig, ok bool) {
	var config struct {
		CompilerOptions TSConfig `json:"compilerOptions"`
	}
	err := json.Unmarshal(plainJSON(plainJSON([]byte(text))), &config)
	return config.CompilerOptions, err == nil
}

// plainJSON takes out comments and commas. Once more, it takes out a comma that stood before a
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
