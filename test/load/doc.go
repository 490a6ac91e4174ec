// Package load holds the tests that need a real server under real load or in real trouble: races for
// a slot, servers that are killed while they book and send mails, mail servers that are not well, and
// days that pass.
package load
