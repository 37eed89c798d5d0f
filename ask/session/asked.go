package session

import (
	"slices"
	"time"

	"patina/registry/querylog"
)

// A Question is one that was asked before, with its first results.
type Question struct {
	Text, ID string
	Results  []string // doc_ids, by rank
}

// Limits for the questions and documents of a session.
const (
	maxAsked  = 30
	maxOpened = 30
	maxFirst  = 3                  // results of a question
	longAgo   = 7 * 24 * time.Hour // older answers should be asked for again
	sameDay   = 24 * time.Hour     // of a session whose beginning is not known
)

// readLog fills in the questions and documents of the project since the session began, the newest
// first. If the beginning is not known, they are those of the last client of "patina mcp".
func (m Moment) readLog(o *Opening) {
	since := m.Now.Add(-longAgo)
	if o.Began.IsZero() {
		since = m.Now.Add(-sameDay)
	} else if o.Began.After(since) {
		since = o.Began
	}
	queries := map[string]querylog.Query{}
	var sent []querylog.Delivery
	err := querylog.In(m.Place.Home).Each(since, func(q querylog.Query) {
		if q.Root == m.Place.Root {
			queries[q.ID] = q
		}
	}, func(d querylog.Delivery) {
		if d.Root == m.Place.Locator() && !d.Failed {
			sent = append(sent, d)
		}
	})
	if err != nil {
		o.Unknown = append(o.Unknown, err)
		return
	}
	if o.Began.IsZero() {
		sent = ofLastClient(sent)
	}
	for _, d := range slices.Backward(sent) {
		if q, ok := queries[d.Query]; ok {
			o.addQuestion(q)
		}
		if d.DocID != "" && len(o.Opened) < maxOpened && !slices.Contains(o.Opened, d.DocID) {
			o.Opened = append(o.Opened, d.DocID)
		}
	}
}

// ofLastClient returns the deliveries to the client that was served last, or nil if there was no
// client.
func ofLastClient(all []querylog.Delivery) []querylog.Delivery {
	for _, d := range slices.Backward(all) {
		if d.Session != "" {
			return slices.DeleteFunc(all, func(x querylog.Delivery) bool { return x.Session != d.Session })
		}
	}
	return nil
}

// addQuestion adds a question unless it is known.
func (o *Opening) addQuestion(q querylog.Query) {
	if len(o.Asked) == maxAsked || slices.ContainsFunc(o.Asked, func(k Question) bool { return k.Text == q.Text }) {
		return
	}
	asked := Question{Text: q.Text, ID: q.ID}
	for _, r := range q.Results[:min(len(q.Results), maxFirst)] {
		id := r.DocID
		if r.Shown != "" {
			id = r.Shown
		}
		asked.Results = append(asked.Results, id)
	}
	o.Asked = append(o.Asked, asked)
}
