package wire

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/oracles"
	"patina/wire/nodepb"
)

// ErrInvalid is the error for a request that no replica would answer.
var ErrInvalid = errors.New("invalid request")

// EncodeAsk returns a question to a repository as a message. budget is what is left of its time,
// relative to its arrival. It leaves out the query, which is the stream.
func EncodeAsk(repository string, m *api.Ask, budget time.Duration) (*nodepb.AskRequest, error) {
	out := &nodepb.AskRequest{
		Repository: repository, Text: valid(m.Text), Limit: int32Of(m.Limit), BudgetUs: budget.Microseconds(),
		AsWritten: m.AsWritten, Visit: m.Visit,
	}
	for _, o := range m.Oracles {
		out.Oracles = append(out.Oracles, valid(o))
	}
	for _, v := range m.Vectors {
		out.Vectors = append(out.Vectors, &nodepb.QuestionVector{Model: valid(v.Model), Vector: v.Vector})
	}
	if !m.Now.IsZero() {
		out.NowUnixNs = m.Now.UnixNano()
	}
	var errs [3]error
	out.Filter, errs[0] = toJSONUnlessZero(m.Filter)
	out.Counts, errs[1] = toJSONUnlessZero(m.Counts)
	out.Tuning, errs[2] = toJSONUnlessZero(m.Tuning)
	return out, cmp.Or(errs[0], errs[1], errs[2])
}

// DecodeAsk returns the question that a peer sent, under a name that the caller gives to it. The
// name must be unique in the engine. An error wraps ErrInvalid.
func DecodeAsk(m *nodepb.AskRequest, query string) (*api.Ask, error) {
	out := &api.Ask{
		Query: query, Text: m.GetText(), Limit: int(m.GetLimit()), Oracles: m.GetOracles(), Budget: BudgetOf(m.GetBudgetUs()),
		AsWritten: m.GetAsWritten(), Visit: m.GetVisit(), Vectors: decodeVectors(m.GetVectors()),
	}
	if ns := m.GetNowUnixNs(); ns != 0 {
		out.Now = time.Unix(0, ns).UTC()
	}
	err := cmp.Or(
		fromJSON(m.GetFilter(), &out.Filter, ofRequest),
		fromJSON(m.GetCounts(), &out.Counts, ofRequest),
		fromJSON(m.GetTuning(), &out.Tuning, ofRequest),
	)
	switch {
	case err != nil:
	case strings.TrimSpace(out.Text) == "":
		err = errors.New("the question is empty")
	case out.Limit < 0:
		err = fmt.Errorf("limit %d", out.Limit)
	default:
		err = out.Filter.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return out, nil
}

// decodeVectors returns the vectors that a peer sent. It leaves out those that cannot be one of any
// model. Whether a vector has the form of a certain model is seen by the one who knows it.
func decodeVectors(all []*nodepb.QuestionVector) (out []oracles.QuestionVector) {
	for _, v := range all[:min(len(all), mostVectors)] {
		x := oracles.QuestionVector{Model: v.GetModel(), Vector: v.GetVector()}
		infinite := slices.ContainsFunc(x.Vector, func(f float32) bool {
			return math.IsNaN(float64(f)) || math.IsInf(float64(f), 0)
		})
		if x.Model != "" && len(x.Vector) > 0 && len(x.Vector) <= mostDimensions && !infinite {
			out = append(out, x)
		}
	}
	return out
}

// BudgetOf returns the time of a call, from microseconds that a peer sent. It is MaxBudget for a
// longer time, and for none.
func BudgetOf(us int64) time.Duration {
	if us <= 0 || us > MaxBudget.Microseconds() {
		return MaxBudget
	}
	return time.Duration(us) * time.Microsecond
}

// EncodeDescribe returns the request for descriptions as a message.
func EncodeDescribe(m *api.Describe, budget time.Duration) (*nodepb.DescribeRequest, error) {
	wants, err := toJSON(m.Wants)
	return &nodepb.DescribeRequest{Wants: wants, BudgetUs: budget.Microseconds()}, err
}

// DecodeDescribe returns the request for descriptions that a peer sent, for the query of its
// stream. An error wraps ErrInvalid.
func DecodeDescribe(m *nodepb.DescribeRequest, query string) (*api.Describe, error) {
	out := &api.Describe{Query: query, Budget: BudgetOf(m.GetBudgetUs())}
	if err := fromJSON(m.GetWants(), &out.Wants, ofRequest); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return out, nil
}

// EncodeDescriptions returns descriptions as a message, without what stays at home.
func EncodeDescriptions(m *api.Descriptions) (*nodepb.Descriptions, error) {
	found := make([]api.Described, len(m.Found))
	for i, d := range m.Found {
		d.Stat = stayingStat(d.Stat)
		found[i] = d
	}
	data, err := toJSON(found)
	out := &nodepb.Descriptions{Found: data}
	if m.Problem.Status != "" {
		out.Problem = EncodeChannel(m.Problem)
	}
	return out, err
}

// DecodeDescriptions returns the descriptions that a peer sent, for a query of this engine, under
// its name for the project.
func DecodeDescriptions(m *nodepb.Descriptions, query, project string) (*api.Descriptions, error) {
	out := &api.Descriptions{Query: query, From: project}
	if m.GetProblem() != nil {
		out.Problem = DecodeChannel(m.GetProblem(), project)
	}
	return out, fromJSON(m.GetFound(), &out.Found, ofReply)
}
