package xref

import (
	"slices"

	"patina/store/doc"
)

// maxIncluded bounds the headers that are reached from one file through others. Files of redis,
// curl and Linux reach some hundreds.
const maxIncluded = 400

// includedBy adds the headers that the targets of a C file include.
func (s *environment) includedBy() {
	seen := make(map[int]bool)
	for _, t := range s.targets {
		for _, i := range t.At {
			seen[i] = true
		}
	}
	for at := 0; at < len(s.targets) && len(s.targets) < maxIncluded; at++ {
		for _, i := range s.targets[at].At {
			f := s.resolver.File(i)
			for _, name := range s.othersOf(f).Imports {
				t, ok := s.resolver.Resolve(f.Language, f.Path, name)
				if !ok || seen[t.At[0]] {
					continue
				}
				seen[t.At[0]] = true
				s.targets = append(s.targets, t)
			}
		}
	}
	s.included = seen
}

// includes reports whether a C file includes another one, directly or through others.
func (s *environment) includes(p string) bool {
	i, ok := s.resolver.Number(p)
	return ok && s.included[i]
}

// usesStandard reports whether "using std::f" in the file binds a name, so that f() may mean that.
func (s *environment) usesStandard(name string) bool {
	return slices.ContainsFunc(s.bindings, func(b doc.Binding) bool {
		return b.Name == name && isStandard(b.Import+b.Of)
	})
}
