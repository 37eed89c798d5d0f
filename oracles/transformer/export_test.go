package transformer

// Names for the tests.
var (
	UsualFolders   = usualFolders
	LibrariesIn    = librariesIn
	FromHalf       = fromHalf
	ExplainFailure = explainFailure
)

// OpenUsual tries the libraries in folders. It must fail, for a test with a model opens another
// one.
func OpenUsual(folders []string) error {
	opened.Lock()
	defer opened.Unlock()
	return openUsual(folders)
}
