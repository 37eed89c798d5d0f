package main

import "context"

type mutationOptions struct {
	each    int
	seed    uint64
	verbose bool
}

func measureMutations(ctx context.Context, o mutationOptions, trees []string) error { return nil }
