// Package viper replaces the settings reader that gitleaks links. It reads no settings.
//
// patina needs only the text of the rules, which gitleaks embeds in its package config.
// internal/secrets/rules.go reads it with the TOML library that patina links anyway. The package is
// replaced because the real one would link a dozen more modules.
package viper

import (
	"errors"
	"io"
)

// ErrUnavailable is returned by every function that reads.
var ErrUnavailable = errors.New("this build reads no settings of gitleaks")

// ConfigFileUsed returns "".
func ConfigFileUsed() string { return "" }

// SetConfigType does nothing.
func SetConfigType(string) {}

// SetConfigFile does nothing.
func SetConfigFile(string) {}

// ReadConfig returns ErrUnavailable.
func ReadConfig(io.Reader) error { return ErrUnavailable }

// ReadInConfig returns ErrUnavailable.
func ReadInConfig() error { return ErrUnavailable }

// Unmarshal returns ErrUnavailable.
func Unmarshal(any) error { return ErrUnavailable }
