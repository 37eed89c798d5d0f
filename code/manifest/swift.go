package manifest

import "patina/internal/lazyregexp"

// A SwiftTarget is a module and its folder.
type SwiftTarget struct{ Name, Folder string }

var swiftTarget = lazyregexp.New(`\.(?:target|executableTarget|testTarget|macro|` +
	`plugin)\(\s*name:\s*"([^"\n]+)"[^()]*?(?:\([^()]*\)[^()]*?)*?\bpath:\s*"([^"\n]+)"`)

// ReadPackageSwift returns the targets of a Package.swift that have a path.
func ReadPackageSwift(text string) (targets []SwiftTarget) {
	for _, m := range swiftTarget().FindAllStringSubmatch(text, -1) {
		targets = append(targets, SwiftTarget{m[1], m[2]})
	}
	return targets
}
