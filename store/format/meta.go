package format

// The keys and values of the table meta that both a writer and a reader name.
const (
	// ListedKey begins the key for the time when a view's tree was last listed whole.
	ListedKey = "listed "
	// CalibrationKey begins the key for a view's calibration.
	CalibrationKey = "random_cosines "

	// OwnWork is the value of the key "own" where a commit is the user's. Otherwise the value is
	// the last revision that was looked at.
	OwnWork = "yes"

	// DraftMark ends the embedder's name in an index that the next update builds anew.
	DraftMark = " draft"
	// WordsOnlyMark ends the embedder's name in an index that has no vectors yet.
	WordsOnlyMark = " words only"
)

// SelectListed reads a value of meta by its key.
const SelectListed = `SELECT value FROM meta WHERE key = ?`
