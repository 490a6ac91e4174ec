package delivery

import "context"

// Probe connects, encrypts and logs in as it would for a mail, but sends none. It uses its own connection, so that
// mails do not wait for it.
func (s *SMTP) Probe(ctx context.Context) error {
	session, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, session.close)() // QUIT must not outlast ctx
	session.quit()
	return nil
}
