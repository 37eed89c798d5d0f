// Functions measures how high a function stands among a thousand when the first sentence of its comment is asked.
//
//	go run -tags sqlite_fts5 ./bench/eval/functions a/scraped/folder another/scraped/folder
//
// The folders are those that bench/eval/commits has made, or any that "patina scrape" has read; their functions are shuffled
// together. What is ranked is the code alone, without comment and path.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"patina/bench/eval/locate"
	"patina/store"
)

func main() {
	size := flag.Int("pool", 1000, "functions of a pool")
	table := flag.String("table", "", "file with a table of the embedder; without it, the built-in one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, flag.Args(), *size, *table); err != nil {
		fmt.Fprintln(os.Stderr, "functions:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, folders []string, size int, table string) error {
	model, err := locate.ModelOf(table)
	if err != nil {
		return err
	}
	var all []locate.Function
	for _, dir := range folders {
		fs, err := read(ctx, dir)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d functions\n", filepath.Base(dir), len(fs))
		all = append(all, fs...)
	}
	pools := locate.Pools(all, size)
	if len(pools) == 0 {
		return errors.New("the folders have too few functions with comments for one pool")
	}
	for _, x := range []struct {
		title string
		leave locate.Leave
	}{
		{"as it stands", locate.LeaveNothing},
		{"without the function's name", locate.LeaveName},
		{"without any word that is in the name", locate.LeaveNameParts},
	} {
		fmt.Printf("\nthe sentence %s\n\n", x.title)
		if err := locate.Describe(pools, model, x.leave).Text(os.Stdout); err != nil {
			return err
		}
	}
	return nil
}

func read(ctx context.Context, dir string) ([]locate.Function, error) {
	index, err := store.Open(filepath.Join(dir, ".patina"))
	if err != nil {
		return nil, err
	}
	defer index.Close()
	pin, err := index.Pin(ctx, 1)
	if err != nil {
		return nil, err
	}
	defer pin.Close()
	return locate.ReadFunctions(ctx, locate.Index{Reader: pin.Readers[0]})
}
