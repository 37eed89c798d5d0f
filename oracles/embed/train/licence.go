package train

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// permissive holds the admitted licences, by SPDX identifier.
var permissive = map[string]bool{
	"0BSD": true, "Apache-2.0": true, "BSD-1-Clause": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "BSL-1.0": true,
	"CC0-1.0": true, "ISC": true, "MIT": true, "MIT-0": true, "NCSA": true, "PostgreSQL": true, "PSF-2.0": true,
	"Python-2.0": true,
	"Unlicense":  true, "WTFPL": true, "X11": true, "Zlib": true, "libpng-2.0": true, "zlib-acknowledgement": true,
	"BSD-2-Clause-Views": true, "BSD-3-Clause-Clear": true, "curl": true, "BlueOak-1.0.0": true,
	"Unicode-DFS-2016": true,
}

// recognised is the percentage of a licence file that must match known licences.
const recognised = 40

var licenceFile = regexp.MustCompile(
	`(?i)^(un)?licen[cs]e([-_.](apache|mit|bsd|isc|zlib|unlicense|.*2\.0)[-_.0-9a-z]*|\.(txt|md|rst|markdown))?$` +
		`|^copying(\.(txt|md|rst))?$|^mit-license(\.(txt|md))?$`)

// isLicence reports whether a path is that of a licence for the whole source.
func isLicence(name string) bool {
	return !strings.Contains(name, "/") && licenceFile.MatchString(path.Base(name))
}

// detect returns a source's licences, joined by commas, from the texts of its licence files. It
// returns an error unless every one is permissive, even if the source leaves the choice.
func detect(texts map[string][]byte) (string, error) {
	if len(texts) == 0 {
		return "", fmt.Errorf("no licence file")
	}
	var ids []string
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		cover := licensecheck.Scan(texts[name])
		if cover.Percent < recognised {
			continue // a notice, or a pointer to other files
		}
		for _, m := range cover.Match {
			if m.IsURL {
				continue
			}
			if !permissive[m.ID] {
				return "", fmt.Errorf("licence %q in %q", m.ID, name)
			}
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return "", fmt.Errorf("no licence recognised in %q", slices.Sorted(maps.Keys(texts)))
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), ","), nil
}
