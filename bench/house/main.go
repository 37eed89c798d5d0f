// Command house measures how a Go tree reads: the sizes of its packages and types, the names of its
// functions, and the words of its comments.
//
//	go run ./bench/house [-skip FOLDER,...] [ROOT]
//
// It counts code that is neither a test nor generated. It leaves out folders that are skipped,
// hidden, or named testdata, vendor, node_modules, examples or third_party. ROOT may be any Go
// tree, because figures should be compared between trees.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	skip := flag.String("skip", "bench,oracles/embed/train",
		"`FOLDERS` that are not counted, below the root, separated by commas")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"Usage: go run ./bench/house [-skip FOLDERS] [ROOT]\n\nMeasure how a Go tree reads.")
		flag.PrintDefaults()
	}
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	h, err := Measure(root, strings.Split(*skip, ","))
	if err == nil {
		err = h.Write(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}
