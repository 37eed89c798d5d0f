package transcript

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"patina/internal/lazyregexp"
)

// A Marker is a note that an agent marks in a transcript:
//
//	[MEMORY] type=gotcha tags=a,b: text
//
// A marker may have list bullets, bold and back-ticks around it, options in any order, spaces after
// commas, and any case. Missing options are zero.
type Marker struct {
	Line       int // from 1
	Type       string
	Tags       []string
	Confidence float64
	Text       string
}

// A Fault is a marker that cannot be read.
type Fault struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (f Fault) Error() string { return fmt.Sprintf("line %d: %s", f.Line, f.Text) }

var (
	markerOpening = lazyregexp.New("(?i)^[\\s>]*(?:(?:[-*+•]|\\d{1,3}[.)])\\s+)?[*_`]*\\[memory\\][*_`]*:?\\s*")
	markerOption  = lazyregexp.New("(?i)^[*_`]*(type|tags|confidence)\\s*=\\s*")
	markerValue   = lazyregexp.New(`^[^\s,:]*(?:\s*,\s*[^\s,:=]+)*`)
)

// IsMarker reports whether a line begins like a marker.
func IsMarker(line string) bool { return markerOpening().MatchString(line) }

// MaxMarkers bounds the markers that are read from one text. A day of work has dozens.
const MaxMarkers = 10_000

// ParseMarkers returns the markers in a text, and those it cannot read. Together they are at most
// MaxMarkers+1, which means that the text has too many. types are the valid types.
func ParseMarkers(text string, types []string) (found []Marker, faults []Fault) {
	number := 0
	for line := range strings.Lines(text) {
		if number++; len(found)+len(faults) > MaxMarkers {
			break
		}
		start := markerOpening().FindString(line)
		if start == "" {
			continue
		}
		m, err := readMarker(strings.TrimSpace(line[len(start):]), types)
		if m.Line = number; err != nil {
			faults = append(faults, Fault{number, err.Error()})
			continue
		}
		found = append(found, m)
	}
	return found, faults
}

// readMarker parses the rest of a line after the marker.
func readMarker(rest string, types []string) (m Marker, err error) {
	for {
		name := markerOption().FindStringSubmatch(rest)
		if name == nil {
			break
		}
		rest = rest[len(name[0]):]
		v := markerValue().FindString(rest)
		rest = strings.TrimLeft(rest[len(v):], " \t;")
		if err := m.setField(strings.ToLower(name[1]), strings.Trim(v, "*_`\"'"), types); err != nil {
			return m, err
		}
	}
	m.Text = strings.TrimSpace(strings.TrimLeft(rest, "*_`: \t"))
	if m.Text == "" {
		return m, fmt.Errorf("the marker has no text")
	}
	return m, nil
}

func (m *Marker) setField(name, v string, types []string) (err error) {
	switch name {
	case "type":
		if m.Type = strings.ToLower(v); !slices.Contains(types, m.Type) {
			return fmt.Errorf("unknown type %.12q, there are: %s", v, strings.Join(types, ", "))
		}
	case "confidence":
		m.Confidence, err = strconv.ParseFloat(v, 64)
		if err != nil || !(m.Confidence > 0 && m.Confidence <= 1) {
			return fmt.Errorf("confidence %.12q is not above 0 and at most 1", v)
		}
	case "tags":
		for t := range strings.SplitSeq(v, ",") {
			if t = strings.ToLower(strings.TrimSpace(t)); t != "" {
				m.Tags = append(m.Tags, t)
			}
		}
	}
	return nil
}
