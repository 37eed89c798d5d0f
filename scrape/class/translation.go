package class

import (
	"strings"

	"patina/store/text"
)

// languages are the codes of the languages into which documents and messages are translated.
// English is not among them, because texts are translated from it.
var languages = text.Set(`ar az be bg bn bs ca cs cy da de el eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is
	it ja ka kk km kn ko ku lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl ps pt ro ru si sk sl sq sr sv sw ta te tg
	th tl tr uk ur uz vi zh`)

// Folders with one folder, or one file, a language.
var (
	messageFolders = text.Set("locale locales i18n l10n translations translation")
	manualFolders  = text.Set("doc docs documentation content website site readme readmes i18n locale locales " +
		"translations translation")
)

// manualEndings are the extensions of documents, whose name may end with a language:
// README.zh-CN.md.
var manualEndings = text.Set("md mdx markdown rst adoc txt html")

// catalogues are the extensions of files that contain only messages in another language.
var catalogues = text.Set("po xlf xliff")

// isTranslation reports whether a path is that of a text in another language than English: a
// catalogue of messages, locales/fr.json, docs/zh/index.md, README.zh-CN.md.
func isTranslation(name string) bool {
	parts := strings.Split(strings.ToLower(name), "/")
	base := parts[len(parts)-1]
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 {
		return false
	}
	stem, ending := base[:dot], base[dot+1:]
	if catalogues.Has(ending) {
		return true
	}
	for i, folder := range parts[:len(parts)-1] {
		next := parts[i+1]
		if i+1 == len(parts)-1 {
			next = stem
		}
		inside := messageFolders.Has(folder) || manualFolders.Has(folder) && manualEndings.Has(ending)
		if inside && isLanguage(next) {
			return true
		}
	}
	// README.zh-CN, README_ja, README-fr
	cut := strings.LastIndexByte(stem, '.')
	if manualEndings.Has(ending) && cut < 0 && strings.HasPrefix(stem, "readme") {
		cut = strings.IndexAny(stem, "_-")
	}
	return manualEndings.Has(ending) && cut > 0 && isLanguage(stem[cut+1:])
}

// isLanguage knows "zh", "pt-br", "zh_hans" in lower case.
func isLanguage(s string) bool {
	code, region, found := strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	if !languages.Has(code) || found && (len(region) < 2 || len(region) > 7) {
		return false
	}
	return strings.Trim(region, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
