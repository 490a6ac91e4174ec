// Package payments tests the built program with a fake Stripe, as guests who pay, hosts who cancel and operators who
// watch the money: servers that are killed, webhooks that are lost or forged, and secrets that must not leak.
package payments
