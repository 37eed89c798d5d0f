// Package onnx reads the outline of an ONNX file: its inputs and outputs, the kinds of its
// operators and the files that hold its weights. It skips the weights, so a file of gigabytes
// costs no memory.
//
// A file may be anything: reading returns an error or an outline, in bounded memory.
package onnx
