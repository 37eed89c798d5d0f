package metrics

import (
	"maps"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"patina/wire/peer"
	"patina/wire/serve"
)

// A Repository is the state of one that a node keeps.
type Repository struct {
	Name         string
	Hosted       bool      // it is answered for
	ScrapedAt    time.Time // of its index; zero without one
	Fetches      int64     // tried, the first clone included
	FetchErrors  int64     // of them
	Scrapes      int64     // tried
	ScrapeErrors int64     // of them
}

// A description is a metric that is read when it is asked for.
type description struct {
	*prometheus.Desc
	kind prometheus.ValueType
}

// gauge returns a metric that may go up and down.
func gauge(name, help string, labels ...string) description {
	return description{prometheus.NewDesc("patina_"+name, help, labels, nil), prometheus.GaugeValue}
}

// counter returns a metric that only goes up.
func counter(name, help string, labels ...string) description {
	return description{prometheus.NewDesc("patina_"+name, help, labels, nil), prometheus.CounterValue}
}

// is sends a value.
func (d description) is(to chan<- prometheus.Metric, value float64, labels ...string) {
	to <- prometheus.MustNewConstMetric(d.Desc, d.kind, value, labels...)
}

// A reading is a collector that reads a source.
type reading struct {
	all  []description
	read func(chan<- prometheus.Metric)
}

// Describe implements prometheus.Collector.
func (r reading) Describe(to chan<- *prometheus.Desc) {
	for _, d := range r.all {
		to <- d.Desc
	}
}

// Collect implements prometheus.Collector.
func (r reading) Collect(to chan<- prometheus.Metric) { r.read(to) }

// AddServer adds the metrics of the server of this process.
func (r *Recorder) AddServer(s *serve.Base) {
	running := gauge("node_in_flight", "Calls under way.")
	slots := gauge("node_slots", "Calls that are taken at once, at most.")
	draining := gauge("node_draining", "Whether new calls are refused because the process ends: 1 or 0.")
	refused := counter("node_refused_total", "Calls that were refused, by the reason.", "reason")
	r.registry.MustRegister(reading{[]description{running, slots, draining, refused}, func(to chan<- prometheus.Metric) {
		running.is(to, float64(s.Running()))
		slots.is(to, float64(s.Slots()))
		draining.is(to, number(s.IsDraining()))
		n := s.Refused()
		refused.is(to, float64(n.Draining), "draining")
		refused.is(to, float64(n.Full), "full")
		refused.is(to, float64(n.AtOnce), "at_once")
		refused.is(to, float64(n.Rate), "rate")
		refused.is(to, float64(n.Unknown), "no_certificate")
		refused.is(to, float64(n.Revoked), "revoked")
	}})
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// AddNodes adds the metrics of the nodes that this process asks.
func (r *Recorder) AddNodes(s *peer.Set) {
	state := gauge("peer_state", "Whether the node is in this state: 1 or 0.", "node", "state")
	since := gauge("peer_state_since_timestamp_seconds", "Since when the node is in its state.", "node")
	running := gauge("peer_in_flight", "Calls to the node under way from here.", "node")
	said := gauge("peer_node_in_flight", "Calls under way at the node, from everywhere, as it said.", "node")
	slots := gauge("peer_node_slots", "Calls that the node takes at once, as it said.", "node")
	draining := gauge("peer_draining", "Whether the node refuses new calls: 1 or 0.", "node")
	rtt := gauge("peer_round_trip_seconds", "The shortest round trip to the node.", "node")
	hosted := gauge("peer_repositories", "Repositories that the node hosts.", "node")
	oldest := gauge("peer_oldest_index_timestamp_seconds", "When the oldest index of the node was scraped.", "node")
	expires := gauge("peer_certificate_expiry_timestamp_seconds", "When the certificate of the node expires.", "node")
	hedges := counter("peer_hedges_total", "How often the node was asked beside a slow replica.", "node")
	failovers := counter("peer_failovers_total", "How often the node was asked instead of one that had failed.", "node")
	all := gauge("repositories", "Repositories that nodes host.")
	lost := gauge("repositories_unreachable", "Repositories that no node answers for now.")
	r.registry.MustRegister(reading{[]description{
		state, since, running, said, slots, draining, rtt, hosted, oldest, expires, hedges, failovers, all, lost,
	}, func(to chan<- prometheus.Metric) {
		answered := map[string]bool{}
		for _, n := range s.States() {
			for c := peer.Up; c <= peer.Down; c++ {
				state.is(to, number(n.Condition == c), n.Name, c.String())
			}
			since.is(to, seconds(n.Since), n.Name)
			running.is(to, float64(n.Calls), n.Name)
			said.is(to, float64(n.InFlight), n.Name)
			slots.is(to, float64(n.Slots), n.Name)
			draining.is(to, number(n.Draining), n.Name)
			hosted.is(to, float64(len(n.Hosted)), n.Name)
			hedges.is(to, float64(n.Hedges), n.Name)
			failovers.is(to, float64(n.Failovers), n.Name)
			if n.RTT > 0 {
				rtt.is(to, n.RTT.Seconds(), n.Name)
			}
			if !n.Expires.IsZero() {
				expires.is(to, seconds(n.Expires), n.Name)
			}
			first := int64(0)
			for _, h := range n.Hosted {
				if at := h.GetScrapedAtUnix(); at > 0 && (first == 0 || at < first) {
					first = at
				}
				answered[h.GetRepository()] = answered[h.GetRepository()] || n.Condition <= peer.Suspect
			}
			if first > 0 {
				oldest.is(to, float64(first), n.Name)
			}
		}
		all.is(to, float64(len(answered)))
		silent := slices.DeleteFunc(slices.Collect(maps.Values(answered)), func(up bool) bool { return up })
		lost.is(to, float64(len(silent)))
	}})
}

// seconds returns a time as Prometheus has it.
func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// AddRepositories adds the metrics of the repositories that this node keeps. all must be safe for
// concurrent use.
func (r *Recorder) AddRepositories(all func() []Repository) {
	hosted := gauge("repository_hosted", "Whether the repository is answered for: 1 or 0.", "repository")
	at := gauge("repository_index_timestamp_seconds", "When the index of the repository was scraped.", "repository")
	fetches := counter("repository_fetches_total", "Fetches and clones that have ended, with and without success.", "repository")
	lost := counter("repository_fetch_errors_total", "Fetches and clones that have failed.", "repository")
	scrapes := counter("repository_scrapes_total", "Scrapes that have ended, with and without success.", "repository")
	broken := counter("repository_scrape_errors_total", "Scrapes that have failed.", "repository")
	r.registry.MustRegister(reading{[]description{hosted, at, fetches, lost, scrapes, broken}, func(to chan<- prometheus.Metric) {
		for _, x := range all() {
			hosted.is(to, number(x.Hosted), x.Name)
			if !x.ScrapedAt.IsZero() {
				at.is(to, seconds(x.ScrapedAt), x.Name)
			}
			fetches.is(to, float64(x.Fetches), x.Name)
			lost.is(to, float64(x.FetchErrors), x.Name)
			scrapes.is(to, float64(x.Scrapes), x.Name)
			broken.is(to, float64(x.ScrapeErrors), x.Name)
		}
	}})
}

// AddCertificate adds when the certificate of this process expires.
func (r *Recorder) AddCertificate(expires func() time.Time) {
	at := gauge("certificate_expiry_timestamp_seconds", "When the certificate of this process expires.")
	r.registry.MustRegister(reading{[]description{at}, func(to chan<- prometheus.Metric) { at.is(to, seconds(expires())) }})
}
