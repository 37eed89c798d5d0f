// Ladder prints what each lever of the ranking of code is worth on a set of questions, from plain BM25 up to what users see.
//
//	go run -tags sqlite_fts5 ./bench/eval/ladder -q bench/eval/sets/gostd.json -C "$(go env GOROOT)/src"
//
// The folder must have been scraped. It is a measurement of its own, so that the product has no switch for baselines.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"patina/actors"
	"patina/bench/eval"
	"patina/store"
)

func main() {
	set := flag.String("q", "", "set of questions")
	dir := flag.String("C", ".", "top folder of the project")
	rows := flag.Bool("rows", false, "print the rank of each question on each step, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := climb(ctx, *set, *dir, *rows); err != nil {
		fmt.Fprintln(os.Stderr, "ladder:", err)
		os.Exit(1)
	}
}

func climb(ctx context.Context, set, dir string, rows bool) error {
	questions, err := eval.Load(set)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	home := filepath.Join(dir, ".patina")
	index, err := store.Open(home)
	if err != nil {
		return err
	}
	defer index.Close()
	pin, err := index.Pin(ctx, 1)
	if err != nil {
		return err
	}
	defer pin.Close()
	name := filepath.Base(dir)
	engine, err := actors.Open(actors.Options{Projects: []actors.Project{{ID: name, Name: name, Root: dir, StoreDir: home}}})
	if err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = engine.Close(end) // the report is out
	}()
	report, err := eval.Ladder(ctx, eval.Reader{Reader: pin.Readers[0]}, engine, questions)
	if err != nil {
		return err
	}
	if err := report.Text(os.Stdout); err != nil || !rows {
		return err
	}
	return report.Ranks(os.Stdout)
}
