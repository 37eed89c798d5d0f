package lookup

import (
	"testing"
)

func TestAsked(t *testing.T) {
	for question, want := range map[string]string{
		"HandlerFunc":                              "HandlerFunc",
		"http.HandlerFunc":                         "HandlerFunc",
		"where is HandlerFunc defined?":            "HandlerFunc",
		"Where is `http.HandlerFunc` declared":     "HandlerFunc",
		"definition of scry":                       "scry",
		"what is arg_matches":                      "arg_matches",
		"what is ArgMatches?":                      "ArgMatches",
		"the class KafkaProducer":                  "KafkaProducer",
		"show me Engine::query":                    "query",
		"what is a list":                           "", // a plain word
		"what is Kafka":                            "",
		"where is it all defined":                  "", // two words
		"how does ArgMatches handle subcommand":    "",
		"where are commands defined in ArgMatches": "",
		"where is it?":                             "",
		"definition of":                            "",
		"where is a/b.go":                          "",
		"where is 42 defined":                      "",
	} {
		if n, ok := Asked(question); ok != (want != "") || ok && n.Last != want {
			t.Errorf("%q asks for %q, %v, want %q", question, n.Last, ok, want)
		}
	}
}

func TestAskedSetting(t *testing.T) {
	for question, want := range map[string]string{
		"maxmemory-policy":            ".maxmemory-policy",
		"server.port":                 "server.port",
		"`license`":                   ".license",
		"what is `license`?":          ".license",
		"the license setting":         ".license",
		"jest config":                 ".jest",
		"what is the maxmemory-size":  ".maxmemory-size",
		"license":                     "", // a topic
		"port":                        "",
		"where is it":                 "",
		"settings":                    "",
		"how is the port setting set": "", // two words
	} {
		n, ok := AskedSetting(question)
		if got := n.Scope + "." + n.Last; ok != (want != "") || ok && got != want {
			t.Errorf("%q asks for %q, %v, want %q", question, got, ok, want)
		}
	}
}
