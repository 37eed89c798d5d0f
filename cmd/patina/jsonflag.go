package main

import "fmt"

// A jsonFlag is the value of scry's --json: empty, brief or full. Without "=" it is brief.
type jsonFlag string

const (
	briefJSON = "brief"
	fullJSON  = "full"
)

// String implements pflag.Value.
func (j *jsonFlag) String() string { return string(*j) }

// Type implements pflag.Value.
func (*jsonFlag) Type() string { return "form" }

// Set implements pflag.Value. The words of a switch stay valid.
func (j *jsonFlag) Set(s string) error {
	switch s {
	case briefJSON, "true":
		*j = briefJSON
	case fullJSON:
		*j = fullJSON
	case "false":
		*j = ""
	default:
		return fmt.Errorf("want %s or %s", briefJSON, fullJSON)
	}
	return nil
}
