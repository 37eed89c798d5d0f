package oracles

// aside runs f on another goroutine. wait returns its error when it has ended. A panic in f is
// raised by wait, where the caller's guard sees it; elsewhere it would end the process.
func aside(f func() error) (wait func() error) {
	type outcome struct {
		err   error
		panic any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.err = f()
	}()
	return func() error {
		o := <-done
		if o.panic != nil {
			panic(o.panic)
		}
		return o.err
	}
}
