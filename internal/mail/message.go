// Package mail writes the mails that tell attendee and host what happened to a booking: subject,
// plain text, HTML, the invite, all in one complete message. It sends nothing and reads nothing.
package mail

// Message is one complete mail and its envelope.
type Message struct {
	ID   string // stable across tries of the same mail, fit for a file's name
	From string // envelope sender, a bare address
	To   string // envelope recipient, a bare address
	Data []byte // headers and body, lines end in CRLF
}
