// Package load holds the tests that need a real server under real load: races for a slot, and
// servers that are killed while they book.
package load
