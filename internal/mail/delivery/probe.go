package delivery

import "context"

// Probe connects, encrypts and logs in as for a mail, and sends none. It uses a connection of its own: mails do not
// wait for it.
func (s *SMTP) Probe(ctx context.Context) error {
	session, err := open(ctx, s.server, s.roots, s.limits)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, session.drop)() // saying goodbye takes no longer than all of it may
	session.quit()
	return nil
}
