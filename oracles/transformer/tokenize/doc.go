// Package tokenize turns texts into the numbers that a transformer model takes: the ids of pieces
// of words, as the model's own tokenizer.json says, or its vocab.txt.
//
// A text is normalized, cut into words, and each word into pieces of the vocabulary: by WordPiece
// (E5, bge, MiniLM), by byte-level BPE (RoBERTa, CodeBERT, jina's models of code) or by Unigram
// (XLM-R, multilingual-e5). Special tokens stand around the ids. Ids are those of Hugging Face's
// tokenizers library, of which this package knows the steps that models of text use. A file that
// asks for another step, or for an option that is not known, is an error that names it: other ids
// than those that a model was trained with would make its vectors worse without a word.
//
// Three differences from that library are known. Characters that Unicode has added lately may count
// as punctuation or marks in one of the two and not in the other. "Metaspace" with the scheme
// "first" puts its sign before a text whose first characters the normalizer removed, and the
// library does not. And a text counts up to its first MiB.
//
// The package is our own because the one library in pure Go that reads such files gives other ids
// for most lines of Japanese by WordPiece and for two of five lines of code by Unigram, panics on
// some texts and files, and makes a binary 3 MB larger (bench/history/tokenizers.md).
package tokenize
