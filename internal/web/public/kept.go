package public

import (
	"crypto/sha256"
	"encoding/hex"

	"slotd/internal/availability/snapshot"
	"slotd/internal/web/kit"
)

// sendKept answers with a page that was made before, as long as it is what would be made now. The
// question says everything that the page depends on besides the workspace and the time; the listing
// says for how long it holds, and is nil if no time is on the page.
//
// A page is compressed when it is asked for again: that takes as long as making it, and many are
// asked for once.
func (v *visit) sendKept(p *snapshot.Snapshot, q snapshot.ResponseKey, l *listing, write func() ([]byte, error)) error {
	answer, ok := v.kept.Find(q)
	if !ok || !answer.ValidFor(p, v.now) {
		html, err := write()
		if err != nil {
			return err
		}
		sum := sha256.Sum256(html)
		tag := hex.EncodeToString(sum[:8])
		if tag == answer.Tag { // most bookings leave most pages as they are: the day still has open times
			html = answer.Body
		}
		answer = snapshot.Response{Version: p.Version, ValidFrom: v.now, Body: html, Tag: tag}
		if l != nil {
			answer.Reach, answer.ValidUntil = l.reach, l.holdsUntil
		}
		v.kept.Keep(q, answer)
	} else if answer.Version != p.Version || !kit.IsCompressed(answer.Body) {
		answer.Version = p.Version // so that it need not be remembered what happened before
		answer.Body = kit.Compressed(answer.Body)
		v.kept.Keep(q, answer)
	}
	v.protect(v.page(p))
	kit.SendKept(v.w, v.r, answer.Tag, answer.Body)
	return nil
}
