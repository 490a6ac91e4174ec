// Package load tests the built server under load and in trouble: races for a slot, servers that are killed while they
// book and send mails, mail servers that fail, and outages of days.
package load
