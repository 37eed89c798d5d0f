package main

import (
	"fmt"

	"patina/cmd/internal/print"
)

// A jsonFlag is the value of scry's --json: empty, brief or full. Without "=" it means brief.
type jsonFlag string

// String implements pflag.Value.
func (j *jsonFlag) String() string { return string(*j) }

// Type implements pflag.Value. The help shows the flag as a switch.
func (*jsonFlag) Type() string { return "bool" }

// Set implements pflag.Value. It also accepts "true" and "false".
func (j *jsonFlag) Set(s string) error {
	switch s {
	case print.Brief, "true":
		*j = print.Brief
	case print.Full:
		*j = print.Full
	case "false":
		*j = ""
	default:
		return fmt.Errorf("want %s or %s", print.Brief, print.Full)
	}
	return nil
}
