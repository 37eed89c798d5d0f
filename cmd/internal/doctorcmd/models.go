package doctorcmd

import (
	"fmt"
	"slices"
	"strings"

	"patina/ask/embedders"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/oracles/transformer"
	"patina/registry/models"
	"patina/store/doc"
)

// models checks the models that are chosen for the project. Without them, it says nothing. No
// library is opened.
func (e *examination) models() {
	chosen, err := models.ChoiceOf(e.place.Home, e.place.ID)
	if err != nil {
		e.say("models", warned, err.Error()+": the built-in model answers", "")
		return
	}
	var names []string
	for _, g := range models.Groups() {
		if name := chosen[g]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		e.model(name, chosen.For(name))
	}
}

// model checks one model, which is chosen for some groups.
func (e *examination) model(name string, groups []string) {
	use := dialect.Command("model", "use", models.BuiltIn, "--for", strings.Join(groups, ","))
	detail := name + " for " + strings.Join(groups, ", ")
	values := []any{"name", name, "groups", groups}
	m, err := models.Find(e.place.Home, name)
	if err != nil {
		e.say("model", warned, detail+": "+err.Error()+"; the built-in model answers", use, values...)
		return
	}
	values = append(values, "id", m.ID, "dir", m.Dir)
	add := dialect.Command("model", "add", m.Dir, "--graph", m.Graph, "--name", name)
	if _, err := transformer.Describe(embedders.Options(m)); err != nil {
		e.say("model", warned, detail+": "+err.Error()+"; the built-in model answers", orCommand(add, "go back", use), values...)
		return
	}
	library, err := transformer.FindRuntime(m.Runtime)
	if err != nil {
		e.say("model", warned, detail+": "+err.Error()+"; the built-in model answers",
			"export "+transformer.RuntimeVariable+"=FILE (docs/models.md)", values...)
		return
	}
	values = append(values, "runtime", library)
	texts, left, err := e.unembedded(m.ID, groups)
	values = append(values, "texts", texts, "left", left)
	switch {
	case err != nil:
		e.say("model", warned, detail+": "+err.Error(), e.call("scrape"), values...)
	case left > 0:
		e.say("model", warned, fmt.Sprintf("%s: %d of %s are embedded; kinds with missing ones have the built-in model",
			detail, texts-left, cli.Plural(texts, "text")), e.call("scrape"), values...)
	default:
		e.say("model", fine, fmt.Sprintf("%s: %s embedded, by %s", detail, cli.Plural(texts, "text"), cli.Quoted(library)), "", values...)
	}
}

// unembedded counts the texts of groups, and those without a vector of a model.
func (e *examination) unembedded(model string, groups []string) (texts, left int, err error) {
	var kinds []doc.Kind
	for _, g := range groups {
		kinds = append(kinds, models.Kinds(g)...)
	}
	found, err := project.Unembedded(e.ctx, e.place, model, kinds)
	for _, amount := range found.Kinds {
		texts += amount.Texts
		left += amount.Left
	}
	return texts, left, err
}
