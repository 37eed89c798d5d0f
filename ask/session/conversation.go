package session

import (
	"context"
	"slices"
	"strings"
	"time"

	"patina/memory/transcript"
	"patina/memory/turns"
	"patina/scrape/prose"
)

// A Conversation is the end of the last conversation with an agent that the user has ingested.
type Conversation struct {
	Agent   string
	At      time.Time // of the request
	Request string    // the last one of the user, on one line
	Goals   []string  // work that the agent's last answer leaves open
}

// lastTurns is the number of turns at the end of a conversation that are read.
const lastTurns = 60

// readConversation reads the last request of the user and the open goals of the answer to it. A
// session that goes on may be this conversation itself, so then nothing is read.
func (m Moment) readConversation(ctx context.Context) (put func(*Opening), err error) {
	if m.GoesOn || m.Place.ID == "" {
		return nil, nil
	}
	list, err := turns.LastSession(ctx, turns.File(m.Place.Home, m.Place.ID), lastTurns)
	if err != nil {
		return nil, err
	}
	var c Conversation
	for _, t := range slices.Backward(list) {
		if t.Role == transcript.RoleAgent && len(c.Goals) == 0 {
			for _, g := range prose.OpenGoals(t.Text) {
				c.Goals = append(c.Goals, g.Text)
			}
		}
		if t.Role == transcript.RoleUser {
			c.Agent, c.At, c.Request = t.Agent, t.At, strings.Join(strings.Fields(t.Text), " ")
			return func(o *Opening) { o.Conversation = &c }, nil
		}
	}
	return nil, nil
}
