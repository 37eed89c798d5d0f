// Apart checks that the questions of a set have no word in common with the files that answer them: not in the path, not in a
// comment, not in the code. Words are compared as the index does, by their stems and with identifiers split, stop words left out.
//
//	go run -tags sqlite_fts5 ./bench/eval/apart -q bench/eval/sets/paraphrase-caddy.json -C a/checked/out/tree
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"patina/bench/eval"
)

func main() {
	set := flag.String("q", "", "set of questions")
	dir := flag.String("C", ".", "folder that their paths are relative to")
	flag.Parse()
	shared, err := check(*set, *dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "apart:", err)
		os.Exit(1)
	}
	if shared > 0 {
		fmt.Printf("%d questions share words with their answers\n", shared)
		os.Exit(1)
	}
}

func check(set, dir string) (shared int, err error) {
	questions, err := eval.Load(set)
	if err != nil {
		return 0, err
	}
	for _, q := range questions {
		var common []string
		for _, path := range q.Expect {
			b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
			if err != nil {
				return 0, fmt.Errorf("question %q: %w", q.ID, err)
			}
			common = append(common, eval.Common(q.Query, path+"\n"+string(b))...)
		}
		if len(common) > 0 {
			shared++
			fmt.Printf("%s: %s\n", q.ID, strings.Join(common, " "))
		}
	}
	return shared, nil
}
