package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"syscall"

	"patina/store"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

func main() {
	f, _ := os.Create("/tmp/assay2/cpu.prof")
	c0 := cpu()
	s, err := store.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	pprof.StartCPUProfile(f)
	for i := 0; i < 5; i++ {
		p, err := s.Pin(context.Background(), 1)
		if err != nil {
			panic(err)
		}
		x, err := p.Readers[0].Assay(context.Background(), store.Assay{Type: os.Args[2], Pattern: os.Args[3]})
		if err != nil {
			panic(err)
		}
		n := 0
		for _, f := range x.Facts {
			if !f.Candidate {
				n++
			}
		}
		fmt.Println(len(x.Facts), n, cpu()-c0)
		c0 = cpu()
		p.Close()
	}
	pprof.StopCPUProfile()
	f.Close()
}
