// Package viper stands in for the settings reader that gitleaks links, and reads nothing.
//
// Only the text of its rules is wanted, which the package config of gitleaks embeds.
// internal/secrets/rules.go reads it by the TOML library that patina has. The real package would
// link a dozen modules more.
package viper

import (
	"errors"
	"io"
)

// ErrUnavailable is the error of everything that reads.
var ErrUnavailable = errors.New("this build reads no settings of gitleaks")

// ConfigFileUsed returns "".
func ConfigFileUsed() string { return "" }

// SetConfigType does nothing.
func SetConfigType(string) {}

// SetConfigFile does nothing.
func SetConfigFile(string) {}

// ReadConfig fails.
func ReadConfig(io.Reader) error { return ErrUnavailable }

// ReadInConfig fails.
func ReadInConfig() error { return ErrUnavailable }

// Unmarshal fails.
func Unmarshal(any) error { return ErrUnavailable }
