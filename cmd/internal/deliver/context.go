package deliver

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/code/brief"
	"patina/memory"
	"patina/store/doc"
)

// ContextTokens is the ceiling of a context without a budget.
const ContextTokens = 600

// maxQuoted bounds a sentence quoted from a repository, in bytes.
const maxQuoted = 140

// A Context is what an agent should know before it changes a project.
type Context struct {
	api.BriefAnswer
	IsEmpty bool // the index has no documents
	Project string
	Topic   string
	OnTopic []api.Result // files that answer the topic
	Beliefs []api.Result // beliefs on the topic
	Commits []api.Result // commits on the topic

	Elsewhere Elsewhere // beliefs of linked projects on the topic

	Memories []memory.Found // notes on the topic; pinned ones without a topic
	Now      time.Time      // the ages of notes are counted to it
}

// Introduce writes the context of a project, within the ceiling. All words of the repository are in
// quotes, with their place. The recall directive is written in any case.
func Introduce(w io.Writer, c Context, o Options) error {
	top := "context of " + layout.Clip(c.Project, 60)
	if c.Topic != "" {
		top += ", on " + layout.Quote(c.Topic, 80)
	}
	sections, must := briefSections(c), []layout.Line{layout.Faint(standingOf(c, o.Dialect))}
	if c.IsLayered() {
		sections, must = layerSections(c), nil
	}
	must = append(must, recallDirective(c, o)...)
	for _, more := range []section{elsewhereSection(c.Elsewhere, o), memorySection(c)} {
		if !more.empty() {
			sections = append(sections, more)
		}
	}
	must = append(must, missedElsewhere(c.Elsewhere)...)
	must = append(must, recentFooter(Recent{Index: c.Index}, o)...)
	return layout.Write(w, sectioned([]layout.Line{layout.Faint(top)}, sections, must, o), o.Colour)
}

// memorySection lists notes of the user and of agents.
func memorySection(c Context) section {
	s := section{title: "## Relevant Memories", noun: "memory"}
	for _, f := range c.Memories {
		s.items = append(s.items, "- "+NoteLine(f, c.Now, MaxRemembered))
	}
	return s
}

// MaxRemembered bounds a note's text in a context, in bytes.
const MaxRemembered = 300

// standingOf returns how many beliefs the context leaves out, and how many sentences are proposed
// as beliefs.
func standingOf(c Context, d dialect.Dialect) string {
	if c.IsEmpty {
		return "the index is empty"
	}
	l, held := c.Layer, "no accepted beliefs"
	if l.Active > 0 {
		held = layout.Count(l.Active, "accepted belief")
	}
	if l.Decided > 0 {
		held += "; " + layout.Count(l.Decided, "decision") + " in force"
	}
	if l.Proposed > 0 {
		held += fmt.Sprintf("; %d not decided yet", l.Proposed)
	}
	if call := d.Propose(); c.Sentences > 0 && call != "" {
		held += fmt.Sprintf("; %d proposed: %s", c.Sentences, call)
	}
	return held
}

// briefSections returns the sections of a brief, in reading order.
func briefSections(c Context) []section {
	purpose := section{title: "## Purpose", noun: "sentence"}
	if c.Purpose != nil {
		purpose.items = []string{layout.Quote(c.Purpose.Text, maxPurposeShown) + " " + placeOf(*c.Purpose)}
	}
	packages := section{title: "## Packages", noun: "package"}
	for _, p := range c.Packages {
		packages.items = append(packages.items, layout.ShortPath(p.Folder, layout.MaxShortPath)+"/ "+quote(p.Purpose))
	}
	rules := section{title: titleOf("## Rules that people wrote", c.Index), noun: "rule"}
	for _, q := range c.Conventions {
		rules.items = append(rules.items, "enforced: "+quote(q))
	}
	for _, q := range c.Rules {
		rules.items = append(rules.items, layout.Quote(q.Text, maxRule)+" "+placeOf(q))
	}
	return slices.DeleteFunc([]section{
		purpose, commandSection(c.Commands), packages, centralSection(c), ownerSection(c), rules, decisionSection(c),
		changeSection(c),
	}, section.empty)
}

// maxPurposeShown bounds the first paragraph of a README, in bytes.
const maxPurposeShown = 300

// maxRule bounds a rule with the sentence that governs it, in bytes.
const maxRule = 220

// quote writes a repository's words with their place.
func quote(q brief.Quote) string {
	return layout.Quote(q.Text, maxQuoted) + " " + placeOf(q)
}

func placeOf(q brief.Quote) string { return fmt.Sprintf("%s:%d", layout.OpenPath(q.Path), q.Line) }

func commandSection(commands []brief.Command) section {
	s := section{title: "## Build, test, run", noun: "command"}
	for _, c := range commands {
		s.items = append(s.items,
			fmt.Sprintf("%s: `%s` %s", c.Use, layout.Clip(c.Text, layout.MaxName), placeOf(c.Quote)))
	}
	return s
}

// centralSection lists the files on the topic. Without any, it lists the files that others depend
// on.
func centralSection(c Context) section {
	if len(c.OnTopic) > 0 {
		s := section{title: "## Files on the topic", noun: "file", inline: true}
		seen := map[string]bool{}
		for _, r := range c.OnTopic {
			if seen[r.Path] {
				continue
			}
			seen[r.Path] = true
			at := layout.OpenPath(r.Path)
			if r.Line > 0 {
				at = fmt.Sprintf("%s:%d", at, r.Line)
			}
			s.items = append(s.items, strings.TrimRight(at+" "+layout.Clip(r.Symbol, 40), " "))
		}
		return s
	}
	s := section{title: "## Central files (files that use each)", noun: "file", inline: true}
	for _, f := range c.Central {
		item := layout.OpenPath(f.Path)
		if f.Users > 0 { // else ranked by its commits
			item += fmt.Sprintf(" (%d)", f.Users)
		}
		s.items = append(s.items, item)
	}
	return s
}

// maxOwnersShown bounds the lines of owners.
const maxOwnersShown = 3

func ownerSection(c Context) section {
	s := section{title: "## Owners", noun: "owner"}
	for _, o := range c.Owners[:min(len(c.Owners), maxOwnersShown)] {
		s.items = append(s.items, fmt.Sprintf("%s %s", layout.Clip(o.Pattern, layout.MaxName), quote(o.Quote)))
	}
	if len(s.items) == 0 && len(c.Authors) > 0 {
		s.title, s.inline = "## Who commits (last year of git log)", true
		for _, a := range c.Authors {
			s.items = append(s.items, fmt.Sprintf("%s %d", layout.Clip(a.Name, 40), a.Commits))
		}
	}
	return s
}

func changeSection(c Context) section {
	p := c.Recent
	s := section{noun: "commit"}
	if len(c.Commits) > 0 {
		s.title = "## Commits on the topic"
		for _, r := range c.Commits {
			s.items = append(s.items, layout.Day(r.Time)+" "+name(r.Description))
		}
		return s
	}
	if p.Total == 0 {
		return s
	}
	s.title = fmt.Sprintf("## Changed in the 30 days to %s: %s, %s", layout.Day(p.Until),
		layout.Count(p.Total, "commit"), layout.Count(p.Touched, "file"))
	var routine, vague []doc.Description
	for _, d := range p.Commits {
		switch {
		case brief.Vague(d.Title):
			vague = append(vague, d)
		case brief.Routine(d.Title) > 0:
			routine = append(routine, d)
		default:
			s.items = append(s.items, layout.Day(d.Time)+" "+name(d))
		}
	}
	if len(s.items) >= enoughChanges {
		s.items = append(s.items, summed(routine, "of routine")...)
	} else {
		for _, d := range routine {
			s.items = append(s.items, layout.Day(d.Time)+" "+name(d))
		}
	}
	s.items = append(s.items, summed(vague, "that do not say what they change")...)
	return s
}

// enoughChanges is the number of other commits at which routine commits are only counted.
const enoughChanges = 3

// summed returns one item for several commits: their number, their days and two subjects. It
// returns nil for no commits.
func summed(commits []doc.Description, what string) []string {
	if len(commits) == 0 {
		return nil
	}
	first, last := commits[0].Time, commits[0].Time
	var subjects []string
	for _, d := range commits {
		if d.Time.Before(first) {
			first = d.Time
		}
		if d.Time.After(last) {
			last = d.Time
		}
		if s := fmt.Sprintf("%q", layout.Clip(d.Title, maxSummed)); len(subjects) < 2 && !slices.Contains(subjects, s) {
			subjects = append(subjects, s)
		}
	}
	when := layout.Day(first)
	if layout.Day(last) != when {
		when += " to " + layout.Day(last)
	}
	return []string{fmt.Sprintf("%s %s %s: %s", when, layout.Count(len(commits), "commit"), what,
		strings.Join(subjects, ", "))}
}

// maxSummed bounds a subject among several, in bytes.
const maxSummed = 40
