package wire

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"patina/actors/api"
	"patina/oracles"
	"patina/store/doc"
	"patina/wire/nodepb"
)

// EncodeLists returns the answer to an Ask as a message. It leaves out the query, which is the
// stream, the names of the project, because each side has its own, and what stays at home.
func EncodeLists(l *api.Lists) (*nodepb.Lists, error) {
	index, err := encodeIndex(l.Index)
	if err != nil {
		return nil, err
	}
	m := &nodepb.Lists{Index: index, Unknown: l.Unknown, Exact: encodeRanked(l.Exact)}
	for _, x := range l.Lists {
		m.Lists = append(m.Lists, encodeList(x))
	}
	if len(l.Evidence) > 0 {
		m.Evidence = make(map[string]*nodepb.Evidence, len(l.Evidence))
		for k, e := range l.Evidence {
			m.Evidence[valid(k)] = encodeEvidence(e)
		}
	}
	for _, c := range l.Channels {
		m.Channels = append(m.Channels, EncodeChannel(c))
	}
	for _, n := range l.Notes {
		m.Notes = append(m.Notes, valid(withoutRoot(n, l.Index.Root)))
	}
	if m.Read, err = toJSONUnlessZero(l.Read); err != nil {
		return nil, err
	}
	m.More, err = toJSONUnlessZero(l.More)
	return m, err
}

// DecodeLists returns the lists that a peer sent, in answer to a query of this engine, under its
// name for the project.
func DecodeLists(m *nodepb.Lists, query, project string) (*api.Lists, error) {
	index, err := decodeIndex(m.GetIndex(), project)
	if err != nil {
		return nil, err
	}
	l := &api.Lists{Query: query, From: project, Index: index, Unknown: m.GetUnknown(), Notes: m.GetNotes(), Exact: decodeRanked(m.GetExact())}
	for _, x := range m.GetLists() {
		l.Lists = append(l.Lists, decodeList(x))
	}
	if err := checkNumbers(m); err != nil {
		return nil, err
	}
	if n := len(m.GetEvidence()); n > 0 {
		l.Evidence = make(map[string]doc.Evidence, n)
		for k, e := range m.GetEvidence() {
			l.Evidence[k] = decodeEvidence(e)
		}
	}
	for _, c := range m.GetChannels() {
		l.Channels = append(l.Channels, DecodeChannel(c, project))
	}
	if err := fromJSON(m.GetRead(), &l.Read, ofReply); err != nil {
		return nil, err
	}
	return l, fromJSON(m.GetMore(), &l.More, ofReply)
}

// checkNumbers refuses lists with a number that cannot be ranked: one NaN would spoil the order of
// all projects.
func checkNumbers(m *nodepb.Lists) error {
	hits := [][]*nodepb.Ranked{m.GetExact()}
	for _, l := range m.GetLists() {
		hits = append(hits, l.GetHits())
	}
	for _, h := range slices.Concat(hits...) {
		if !finite(h.GetRaw()) || !finite(h.GetChance()) || !finite(h.GetNear()...) {
			return fmt.Errorf("decode lists: the score of %q is no number", h.GetDocId())
		}
	}
	for id, e := range m.GetEvidence() {
		if !finite(e.GetShare(), e.GetBreadth(), e.GetDemotion(), e.GetStem(), e.GetCoverage(), e.GetSymbol(), e.GetPaths(), e.GetFrames(),
			e.GetNames(), e.GetMessages(), e.GetKnown(), e.GetPassage(), e.GetCosine(), e.GetLone()) {
			return fmt.Errorf("decode lists: the evidence of %q is no number", id)
		}
	}
	return nil
}

func finite(numbers ...float64) bool {
	return !slices.ContainsFunc(numbers, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

func encodeIndex(x api.IndexState) (*nodepb.Index, error) {
	generation, err := toJSON(x.Generation)
	if err != nil {
		return nil, err
	}
	m := &nodepb.Index{Generation: generation, Behind: int32Of(x.Behind), ChangedFiles: int32Of(x.ChangedFiles), Reparse: x.Reparse}
	if x.Lag != nil {
		m.Lag, err = toJSON(x.Lag)
	}
	return m, err
}

// decodeIndex returns the state of a far index. An absent one is of no generation.
func decodeIndex(m *nodepb.Index, project string) (api.IndexState, error) {
	x := api.IndexState{Project: project, Behind: -1}
	if m == nil {
		return x, nil
	}
	x.Behind, x.ChangedFiles, x.Reparse = int(m.GetBehind()), int(m.GetChangedFiles()), m.GetReparse()
	if err := fromJSON(m.GetGeneration(), &x.Generation, ofReply); err != nil {
		return x, err
	}
	return x, fromJSON(m.GetLag(), &x.Lag, ofReply)
}

func encodeList(l oracles.List) *nodepb.List {
	m := &nodepb.List{
		Channel: valid(l.Channel), Kind: valid(string(l.Kind)), Generation: l.Generation, Hits: encodeRanked(l.Hits),
		Companions: l.Companions, Words: int32Of(l.Words), Known: int32Of(l.Known),
	}
	if len(l.Stems) > 0 {
		m.Stems = make(map[string]string, len(l.Stems))
		for k, v := range l.Stems {
			m.Stems[valid(k)] = valid(v)
		}
	}
	return m
}

func decodeList(m *nodepb.List) oracles.List {
	return oracles.List{
		Channel: m.GetChannel(), Kind: doc.Kind(m.GetKind()), Generation: m.GetGeneration(), Hits: decodeRanked(m.GetHits()),
		Companions: m.GetCompanions(), Words: int(m.GetWords()), Known: int(m.GetKnown()), Stems: m.GetStems(),
	}
}

func encodeRanked(hits []doc.Ranked) []*nodepb.Ranked {
	if len(hits) == 0 {
		return nil
	}
	out, all := make([]*nodepb.Ranked, len(hits)), make([]nodepb.Ranked, len(hits))
	for i, h := range hits {
		m := &all[i]
		m.DocId, m.Path, m.Raw, m.Near, m.Chance, m.Line = valid(h.DocID), valid(h.Path), h.Raw, h.Near, h.Chance, int32Of(h.Line)
		for _, c := range h.Chunks {
			m.Chunks = append(m.Chunks, int32Of(c))
		}
		out[i] = m
	}
	return out
}

func decodeRanked(of []*nodepb.Ranked) []doc.Ranked {
	if len(of) == 0 {
		return nil
	}
	out := make([]doc.Ranked, len(of))
	for i, m := range of {
		out[i] = doc.Ranked{DocID: m.GetDocId(), Path: m.GetPath(), Raw: m.GetRaw(), Near: m.GetNear(), Chance: m.GetChance(), Line: int(m.GetLine())}
		for _, c := range m.GetChunks() {
			out[i].Chunks = append(out[i].Chunks, int(c))
		}
	}
	return out
}

func encodeEvidence(e doc.Evidence) *nodepb.Evidence {
	return &nodepb.Evidence{
		Share: e.Share, Breadth: e.Breadth, Demotion: e.Demotion, Stem: e.Stem, Coverage: e.Coverage, Symbol: e.Symbol,
		Paths: e.Paths, Frames: e.Frames, Names: e.Names, Messages: e.Messages, Known: e.Known, Passage: e.Passage,
		Cosine: e.Cosine, Time: e.Time, Terse: e.Terse, Lone: e.Lone,
	}
}

func decodeEvidence(m *nodepb.Evidence) doc.Evidence {
	return doc.Evidence{
		Share: m.GetShare(), Breadth: m.GetBreadth(), Demotion: m.GetDemotion(), Stem: m.GetStem(), Coverage: m.GetCoverage(),
		Symbol: m.GetSymbol(), Paths: m.GetPaths(), Frames: m.GetFrames(), Names: m.GetNames(), Messages: m.GetMessages(),
		Known: m.GetKnown(), Passage: m.GetPassage(), Cosine: m.GetCosine(), Time: m.GetTime(), Terse: m.GetTerse(), Lone: m.GetLone(),
	}
}

// EncodeChannel returns the state of a channel as a message.
func EncodeChannel(c api.ChannelState) *nodepb.Channel {
	return &nodepb.Channel{
		Channel: valid(c.Channel), Status: valid(string(c.Status)), Hits: int32Of(c.Hits), ElapsedUs: c.Elapsed.Microseconds(),
		Detail: valid(withoutPaths(c.Detail)),
	}
}

// DecodeChannel returns the state of a channel that a peer sent. A status that this build does not
// know is Failed, because an answer must not look whole.
func DecodeChannel(m *nodepb.Channel, project string) api.ChannelState {
	c := api.ChannelState{
		Project: project, Channel: m.GetChannel(), Status: api.Status(m.GetStatus()), Hits: int(m.GetHits()),
		Elapsed: time.Duration(min(max(m.GetElapsedUs(), 0), mostElapsed.Microseconds())) * time.Microsecond, Detail: m.GetDetail(),
	}
	if c.Status != api.OK && c.Status != api.Empty && !c.Status.OfFailure() {
		c.Detail = strings.TrimSuffix("status "+m.GetStatus()+": "+c.Detail, ": ")
		c.Status = api.Failed
	}
	return c
}

// mostElapsed bounds the time that a peer says it took.
const mostElapsed = time.Hour

// valid returns a text as UTF-8: protobuf refuses a message with any other, and paths of git may be
// of any bytes.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// int32Of returns a number for the wire, the nearest that there is.
func int32Of(n int) int32 { return int32(min(max(n, math.MinInt32), math.MaxInt32)) }
