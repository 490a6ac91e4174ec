// Package mail writes the mails that inform attendee and host about a booking: subject, plain text, HTML and the
// invite, in one complete message. It sends nothing and reads nothing.
package mail

// Message is one complete mail and its envelope.
type Message struct {
	ID   string // the same for every try of the same mail; usable as a file name
	From string // envelope sender, a bare address
	To   string // envelope recipient, a bare address
	Data []byte // headers and body; lines end in CRLF
}
