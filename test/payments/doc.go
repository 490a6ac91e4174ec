// Package payments holds the tests that drive the built program as guests who pay, hosts who cancel and operators who
// look after the money do, with a stand-in for Stripe: servers that are killed, webhooks that are lost or forged, and
// secrets that must stay where they are.
package payments
