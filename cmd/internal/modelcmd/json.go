package modelcmd

import (
	"time"

	"patina/cmd/internal/layout"
	"patina/oracles/transformer"
	"patina/registry/models"
)

// A modelJSON is a model in JSON: docs/models.md.
type modelJSON struct {
	Name          string    `json:"name"`
	ID            string    `json:"id"`
	Dir           string    `json:"dir"`
	Graph         string    `json:"graph"` // relative to dir
	Runtime       string    `json:"runtime"`
	Pooling       string    `json:"pooling"`
	QueryPrefix   string    `json:"query_prefix"`
	PassagePrefix string    `json:"passage_prefix"`
	Dimension     int       `json:"dimension"`
	MaxTokens     int       `json:"max_tokens"`
	Bytes         int64     `json:"bytes"`
	Added         time.Time `json:"added"`
	Tested        bool      `json:"tested"`
	Groups        []string  `json:"groups"` // for which it is chosen in this project
}

func jsonOf(m models.Model, chosen models.Choice) modelJSON {
	return modelJSON{
		m.Name, m.ID, m.Dir, m.Graph, m.Runtime, m.Pooling, m.QueryPrefix, m.PassagePrefix, m.Dimension, m.MaxTokens,
		m.Bytes, m.Added, m.Tested, layout.NonNil(chosen.For(m.Name)),
	}
}

// writeModelJSON prints a model that was added.
func (s *command) writeModelJSON(m models.Model, d transformer.Description, runtime string) error {
	chosen, err := models.ChoiceOf(s.home, s.projectID())
	if err != nil {
		return err
	}
	return layout.Encode(s.Out, struct {
		Schema int `json:"schema"`
		modelJSON
		Tokenizer   string `json:"tokenizer"`
		Type        string `json:"type"`
		PoolingFrom string `json:"pooling_from"`
		PrefixFrom  string `json:"prefix_from"`
		Opened      string `json:"runtime_opened"` // empty: none was
	}{layout.Schema, jsonOf(m, chosen), d.Tokenizer, d.Type, d.PoolingFrom, d.PrefixFrom, runtime})
}

func (s *command) writeListJSON(all []models.Model, chosen models.Choice) error {
	list := []modelJSON{}
	for _, m := range all {
		list = append(list, jsonOf(m, chosen))
	}
	return layout.Encode(s.Out, struct {
		Schema int           `json:"schema"`
		Models []modelJSON   `json:"models"`
		Choice models.Choice `json:"choice"`
	}{layout.Schema, list, chosen})
}

func (s *command) writeShownJSON(m models.Model, d transformer.Description, uses []use, changed error) error {
	chosen, err := models.ChoiceOf(s.home, s.projectID())
	if err != nil {
		return err
	}
	fault := ""
	if changed != nil {
		fault = changed.Error()
	}
	return layout.Encode(s.Out, struct {
		Schema int `json:"schema"`
		modelJSON
		Tokenizer string `json:"tokenizer"`
		Type      string `json:"type"`
		Uses      []use  `json:"uses"`
		Changed   string `json:"changed"` // empty: as it was added
	}{layout.Schema, jsonOf(m, chosen), d.Tokenizer, d.Type, uses, fault})
}

func (s *command) writeUsedJSON(name, project string, groups []string, costs []cost) error {
	return layout.Encode(s.Out, struct {
		Schema  int      `json:"schema"`
		Name    string   `json:"name"`
		Project string   `json:"project"` // empty: all projects that choose nothing themselves
		Groups  []string `json:"groups"`
		Costs   []cost   `json:"costs"`
	}{layout.Schema, name, project, groups, layout.NonNil(costs)})
}

func (s *command) writeRemovedJSON(m models.Model, uses []use, vectors bool) error {
	return layout.Encode(s.Out, struct {
		Schema  int    `json:"schema"`
		Name    string `json:"name"`
		ID      string `json:"id"`
		Uses    []use  `json:"uses"`
		Vectors bool   `json:"vectors_removed"` // of this project
	}{layout.Schema, m.Name, m.ID, uses, vectors})
}
