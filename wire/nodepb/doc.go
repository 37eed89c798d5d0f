// Package nodepb holds the messages and services of node.proto. "make proto" generates its code.
package nodepb
