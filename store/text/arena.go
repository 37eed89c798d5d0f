package text

import "encoding/binary"

// An arena holds many growing byte strings without an allocation for each. A string is a chain of
// blocks on shared pages, and each block is twice as long as the last one. Blocks grow because half
// of all words occur in one chunk and a few in nearly all: neither blocks of one size nor a slice
// for each word would suit both. An arena holds at most 4 GiB.
type arena struct {
	pages [][]byte
	page  int // the page being filled
	used  int // bytes used on that page
}

// A chain is one byte string in an arena. The zero value is empty.
type chain struct {
	head, at, end uint32 // addresses: first byte, next byte to write, last block's end
	blocks        uint32
}

const pageBits = 16

const (
	firstBlock uint32 = 8    // bytes; holds the one posting for a rare word
	lastBlock  uint32 = 4096 // bytes; blocks grow no longer
	linkSize          = 4    // at a block's end: the address of the next one
)

// blockSize returns the size in bytes of a chain's k-th block, without its link.
func blockSize(k uint32) uint32 { return min(firstBlock<<min(k, 16), lastBlock) }

// alloc returns the address of n free bytes on one page. n must not exceed the size of a page.
func (a *arena) alloc(n int) uint32 {
	if len(a.pages) == 0 || a.used+n > 1<<pageBits {
		if len(a.pages) > 0 {
			a.page++
		}
		if a.page == len(a.pages) {
			a.pages = append(a.pages, make([]byte, 1<<pageBits))
		}
		a.used = 0
	}
	address := uint32(a.page)<<pageBits | uint32(a.used)
	a.used += n
	return address
}

// pageAt returns the page's bytes from an address on.
func (a *arena) pageAt(address uint32) []byte {
	return a.pages[address>>pageBits][address&(1<<pageBits-1):]
}

// appendTo appends b to c.
func (a *arena) appendTo(c *chain, b []byte) {
	for len(b) > 0 {
		if c.at == c.end {
			a.grow(c)
		}
		n := copy(a.pageAt(c.at)[:c.end-c.at], b)
		c.at += uint32(n)
		b = b[n:]
	}
}

// grow appends another block to c.
func (a *arena) grow(c *chain) {
	size := blockSize(c.blocks)
	address := a.alloc(int(size) + linkSize)
	if c.blocks == 0 {
		c.head = address
	} else {
		binary.LittleEndian.PutUint32(a.pageAt(c.end), address)
	}
	c.at, c.end = address, address+size
	c.blocks++
}

// readFrom appends the bytes in c to into.
func (a *arena) readFrom(c *chain, into []byte) []byte {
	address := c.head
	for k := range c.blocks {
		size := blockSize(k)
		block := a.pageAt(address)
		if k == c.blocks-1 {
			return append(into, block[:c.at-address]...)
		}
		into = append(into, block[:size]...)
		address = binary.LittleEndian.Uint32(block[size:])
	}
	return into
}

// clearPages drops every chain and keeps the pages for reuse. Chains of the arena must not be used
// afterwards.
func (a *arena) clearPages() { a.page, a.used = 0, 0 }
