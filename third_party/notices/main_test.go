package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// THIRD-PARTY.md must be as the tool would write it.
func TestCurrent(t *testing.T) {
	t.Chdir("../..")
	if err := run("THIRD-PARTY.md", true); err != nil {
		t.Error(err)
	}
}

// A file that is not current is an error that names the way out, and run corrects it.
func TestRun(t *testing.T) {
	t.Chdir("../..")
	file := filepath.Join(t.TempDir(), "LIST.md")
	for text, bad := range map[string]bool{"about C\n\n" + heading + "\nold\n": false, "no heading": true} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := run(file, true); err == nil {
			t.Errorf("%q is current", text)
		}
		if err := run(file, false); (err != nil) != bad {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLicencesOf(t *testing.T) {
	for text, want := range map[string][]string{
		"MIT License\n\nPermission is hereby granted,\nfree of charge, to any person":                 {"MIT"},
		"Apache License\n  Version 2.0, January 2004":                                                 {"Apache-2.0"},
		"Redistributions in binary form must reproduce … may be used to\nendorse or promote products": {"BSD-3-Clause"},
		"Redistributions in binary form must reproduce the above":                                     {"BSD-2-Clause"},
		"All yours.": nil,
	} {
		if got := licencesOf(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCopyrightsOf(t *testing.T) {
	text := `Copyright (c) 2019 A. Body <a@b.example>. All rights reserved.
// Copyright 2020 B|C
Copyright © d Authors.
copyright notice, this list of conditions
   Copyright [yyyy] [name of copyright owner]
copyright staring in 2011 when it moved:`
	want := []string{"2019 A. Body", `2020 B\|C`, "d Authors"}
	if got := copyrightsOf(text); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
