//go:build !linux

package main

import "errors"

func exchange(string, string) error { return errors.New("churn needs Linux") }
