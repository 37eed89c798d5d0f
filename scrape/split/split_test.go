package split_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"patina/code/lang"
	"patina/scrape/chunk"
	"patina/scrape/split"
)

// found returns the parts of a file: "name first-last".
func found(name, text string) (list []string) {
	src := chunk.NewSource([]byte(text))
	l := lang.Of(name, []byte(text))
	for _, p := range split.Parts(l.Name, src, src.CommentLines(&l.Comments)) {
		list = append(list, fmt.Sprintf("%s %d-%d", p.Name, p.First, p.Last))
	}
	return list
}

func TestParts(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"a.R", "library(x)\n\n#' Adds.\nadd <- function(a, b = 2) {\n  f <- function(x) x\n\n  a\n}\n" +
				"`%+%` = function(a, b) a\nhalf <- \\(x) x / 2\nsetMethod(\"show\", \"A\", function(object) 1)\n" +
				"Stack <- R6Class(\"Stack\",\n  public = list(\n    push = function(x) {\n      1\n    }\n  )\n)\n" +
				"x <- 3\n",
			"add 4-8, %+% 9-9, half 10-10, show 11-11, Stack 12-19, Stack.push 14-16",
		},
		{"a.pl", "package My::Cache;\nuse strict;\n\nhas size => 0;\n\nsub get {\n  my $x = shift;\n\n  return 1;\n" +
			"}\n\n# Clears.\nsub _clear { 1 }\n\n1;\n", "Cache 1-2, size 4-4, get 6-10, _clear 13-13"},
		{"a.dart", "import 'x';\n\nabstract class Cache<K> extends Base {\n  final int size;\n\n  " +
			"Cache(this.size);\n\n  Cache.open(String path) : size = 1 {\n    load(path);\n  }\n\n  @override\n" +
			"  Future<String> get(K key) async {\n    if (key == null) {\n      return x;\n    }\n    return y;\n" +
			"  }\n\n  bool get isEmpty => true;\n}\n\nenum Mode { fast, slow }\n\n" +
			"void main(List<String> args) => run(args);\n", "Cache 3-21, Cache.open 8-10, Cache.get 13-18, " +
			"Cache.isEmpty 20-20, Mode 23-23, main 25-25"},
		{
			"a.jl", "module Lib\nusing X\n\nstruct Point{T}\n    x::T\nend\n\n\"\"\"Adds.\"\"\"\n" +
				"function Base.push!(a, b)\n    if a\n    end\n\n    a\nend\n\nhalf(x::Int) = x / 2\n\nend\n",
			"Lib 1-2, Point 4-6, push! 9-14, half 16-18",
		},
		{
			"a.clj", "(ns lib.cache\n  (:require [x :as y]))\n\n(def limit 10)\n\n(defn- get-value\n  \"Gets.\"\n" +
				"  [k]\n\n  (y/f k))\n\n(defmulti area :kind)\n(defmethod area :square [x] 1)\n",
			"cache 1-2, limit 4-4, get-value 6-10, area 12-12, area 13-13",
		},
		{"a.ml", "open Base\n\n(** Gets. *)\nlet rec get key t =\n  let x = 1 in\n\n  match x with\n  | 1 -> t\n\n" +
			"and put k = k\n\nmodule M : S = struct\n  type t = int\n\n  let make () = 1\nend\n\nlet ( + ) a b = a\n" +
			"let () = run ()\n", "get 4-8, put 10-10, M 12-16, M.t 13-13, M.make 15-15, + 18-18"},
		{"a.sql", "-- Users.\nCREATE TABLE IF NOT EXISTS app.users (\n  id int,\n\n  name text\n);\n\n" +
			"CREATE UNIQUE INDEX users_name ON users (name);\n" +
			"create or replace function f(a int) returns int as $$\nbegin\n  return 1;\n\nend;\n" +
			"$$ language plpgsql;\n\nINSERT INTO users VALUES (1);\n", "users 2-6, users_name 8-8, f 9-14"},
		{"a.tf", "terraform {\n  x = 1\n}\n\nresource \"aws_vpc\" \"main\" {\n  cidr = var.cidr\n\n  tags {\n" +
			"    a = 1\n  }\n}\n\nvariable \"cidr\" {}\n", "terraform 1-3, aws_vpc.main 5-11, cidr 13-13"},
		{
			"a.proto", "syntax = \"proto3\";\n\n// A user.\nmessage User {\n  string name = 1;\n\n  enum Mode {\n" +
				"    FAST = 0;\n  }\n}\n\nservice Users {\n  rpc Get(Id) returns (User) {}\n}\n",
			"User 4-10, User.Mode 7-9, Users 12-14, Users.Get 13-13",
		},
		{
			"Makefile", "CC := gcc\n.PHONY: all\n\nall: build test\n\n# Builds.\n" +
				"build: $(OBJS) | need\n\t$(CC) -o $@\n\n\techo done\n\n%.o: %.c\n\tcc\nX = 1\n\nY = 2\n",
			"all 4-4, build 7-10, %.o 12-14",
		},
		{"a.erl", "-module(cache).\n-record(state, {size}).\n\nget(Key, #state{}) ->\n    Key;\nget(_, _) ->\n" +
			"    none.\n", "state 2-2, get 4-5, get 6-7"},
		{"a.sv", "module adder(input a);\n  task run;\n  endtask\nendmodule\n", "adder 1-4, adder.run 2-3"},
		{"a.el", "(defun my-get (key)\n  \"Gets.\"\n  key)\n\n(defvar my-limit 10)\n", "my-get 1-3, my-limit 5-5"},
		{"a.ps1", "function Get-Cache {\n  param($x)\n\n  1\n}\n", "Get-Cache 1-5"},
		{"a.vim", "function! s:Get(key) abort\n  return 1\nendfunction\n", "Get 1-3"},
		{"a.cmake", "function(add_cache name)\n  x()\nendfunction()\n", "add_cache 1-3"},
		{
			"a.m", "#import <x.h>\n@implementation Cache\n\n- (void)clear {\n  return;\n}\n\n@end\n",
			"Cache 2-2, clear 4-6",
		},
		{
			"a.groovy", "class Cache {\n  def get(String key) {\n    if (a) {\n    }\n  }\n}\n",
			"Cache 1-6, Cache.get 2-5",
		},
		{
			"a.f90", "module cache\ncontains\n  pure integer function get(k)\n  end function get\nend module\n",
			"cache 1-5, cache.get 3-4",
		},
		{"b.tf", "locals {\n  short = \"eu\"\n  nested = {\n    a = 1\n  }\n}\n\nresource \"a\" \"b\" {\n" +
			"  size = 1\n}\n", "locals 1-6, locals.short 2-2, locals.nested 3-5, a.b 8-10"},
		{"a.tfvars", "region = \"eu\"\nsizes = {\n  a = 1\n}\n", "region 1-1, sizes 2-4"},
		{"_a.tpl", "{{/* Names. */}}\n{{- define \"shop.name\" -}}\n{{ .Name }}\n{{- end -}}\n\n" +
			"{{ define \"shop.label\" }}\nx\n{{ end }}\n", "shop.name 2-4, shop.label 6-8"},
		{"b.sql", "{{ config(x) }}\n{% macro cents(x) %} {{ x }} {% endmacro %}\n{%- macro euros(x, y) -%}\n" +
			"{{ y }}\n{%- endmacro -%}\n", "cents 2-2, euros 3-5"},
		{
			"b.nix", "{\n  outputs = { self }: let\n    mkShop = pkgs: { name }: pkgs.make { inherit name; };\n" +
				"    mkDoor = { a, b ? 1 }@args: b;\n    version = \"1\";\n  in { x = mkShop; };\n}\n",
			"outputs 2-6, outputs.mkShop 3-3, outputs.mkDoor 4-5",
		},
		{"a.css", ":root {\n  --gap: 3px;\n}\n.card-title {\n  color: red;\n  --own: 1;\n}\n\n" +
			".card .card-title:hover { color: blue }\na { color: red }\n#main, .b {\n}\n@keyframes spin {\n" +
			"  from { x: 1 }\n}\n", "--gap 2-2, card-title 4-7, card-title.--own 6-6, main 11-12, spin 13-15"},
		{"a.scss", "$space-small: 3px;\n@mixin wide($a) {\n  width: $a;\n}\n%box {\n  x: 1;\n}\n.menu {\n  .item {\n" +
			"    x: 1;\n  }\n  &:hover { x: 2 }\n}\n", "space-small 1-1, wide 2-4, box 5-7, menu 8-13, menu.item 9-12"},
		{
			"a.bicep", "param site string\nresource web 'Microsoft.Web/sites@2022' = {\n  name: site\n}\n",
			"site 1-1, web 2-4",
		},
		{"a.nix", "{ pkgs }:\n\nlet x = 1; in x\n", ""},
	} {
		if got := strings.Join(found(c.name, c.text), ", "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A piece must begin after a blank line if there is one, and must not be longer than asked.
func TestCuts(t *testing.T) {
	text := strings.Repeat("a\n  b\n\n  c\n\n", 20)
	src := chunk.NewSource([]byte(text))
	got := split.Cuts(src, 1, src.Lines(), 12)
	if want := []int{1, 11, 21, 31}; !slices.Equal(got[:4], want) {
		t.Errorf("cut at %v, want %v first", got, want)
	}
	src = chunk.NewSource([]byte(strings.Repeat("a\n", 100)))
	if got := split.Cuts(src, 1, 100, 60); !slices.Equal(got, []int{1, 61}) {
		t.Errorf("without blank lines cut at %v", got)
	}
	if got := split.Cuts(src, 5, 4, 60); got != nil {
		t.Errorf("nothing cut at %v", got)
	}
}

// A file that has only definitions is data.
func TestMany(t *testing.T) {
	src := chunk.NewSource(bytes.Repeat([]byte("sub f { 1 }\n"), 6000))
	if got := split.Parts("Perl", src, make([]bool, src.Lines())); got != nil {
		t.Errorf("%d parts", len(got))
	}
}

// FuzzParts checks the promises to callers, for every language.
func FuzzParts(f *testing.F) {
	for _, name := range names {
		f.Add(name, []byte("class A {\n  def f(a, b) {\n\n  }\n}\n\nlet x = 1\n"))
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		check(t, name, text)
	})
}

// names are files of languages that have definitions for the splitter, and of others.
var names = strings.Fields("a.r a.pl a.dart a.jl a.clj a.ml a.sql a.tf a.proto Makefile a.cmake a.erl a.fs a.elm " +
	"a.purs a.f90 a.m a.vim a.nix a.asm a.tcl a.odin a.coffee a.nim a.pro a.ps1 a.scm a.el a.cu a.groovy a.sol " +
	"a.thrift a.graphql Dockerfile a.vue a.cr a.ada a.pas a.v a.st")

func check(t *testing.T, name string, text []byte) {
	t.Helper()
	src := chunk.NewSource(text)
	l := lang.Of(name, text)
	parts := split.Parts(l.Name, src, src.CommentLines(&l.Comments))
	last := 0
	for i, p := range parts {
		switch {
		case p.Name == "" || strings.ContainsAny(p.Name, "#\n"):
			t.Fatalf("%s: name %q", name, p.Name)
		case p.First <= last || p.Last < p.First || p.Last > src.Lines():
			t.Fatalf("%s: %q at %d-%d of %d lines, behind %d", name, p.Name, p.First, p.Last, src.Lines(), last)
		case p.Parent < -1 || p.Parent >= i:
			t.Fatalf("%s: %q in %d", name, p.Name, p.Parent)
		case p.Parent >= 0 && (parts[p.Parent].First >= p.First || parts[p.Parent].Last < p.Last):
			t.Fatalf("%s: %q at %d-%d in %q at %d-%d", name, p.Name, p.First, p.Last, parts[p.Parent].Name,
				parts[p.Parent].First, parts[p.Parent].Last)
		}
		last = p.First
	}
	for i, n := range split.Cuts(src, 1, src.Lines(), chunk.MaxLines) {
		if n > 1+(i+1)*chunk.MaxLines {
			t.Fatalf("%s: piece %d at line %d", name, i, n)
		}
	}
}

// Hostile texts must not break the promises.
func TestHostile(t *testing.T) {
	var deep bytes.Buffer
	for i := range 2000 {
		deep.WriteString(strings.Repeat(" ", i) + "class A {\n")
	}
	for _, name := range names {
		for _, text := range [][]byte{
			nil,
			{0},
			[]byte("\xff\xfe\n"), deep.Bytes(), bytes.Repeat([]byte("a "), 1<<20),
			bytes.Repeat([]byte("(def (def "), 1<<16), bytes.Repeat([]byte("\t\n\n a\n"), 1<<14),
			bytes.Repeat([]byte("class A\xff\xc3{\r\n"), 1<<12), bytes.Repeat([]byte("}\n"), 1<<16),
		} {
			check(t, name, text)
		}
	}
}
