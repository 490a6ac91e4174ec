package public

import (
	"crypto/sha256"
	"encoding/hex"

	"slotd/internal/snapshot"
	"slotd/internal/web/ui"
)

// made is a page that was made and may be kept for others.
type made struct {
	name    string
	page    *ui.Page
	listing *listing // nil: no time is on it
}

// sendKept answers with a page that was made before, as long as it is what would be made now. The
// question says everything that the page depends on besides the workspace and the time.
func (v *visit) sendKept(p *snapshot.Picture, q snapshot.Question, build func() made) error {
	answer, ok := v.kept.Find(q)
	if !ok || !answer.TrueFor(p, v.now) {
		var err error
		if answer, err = v.answer(p, build()); err != nil {
			return err
		}
		v.kept.Keep(q, answer)
	} else if answer.Version != p.Version { // so that it need not be remembered what happened before
		answer.Version = p.Version
		v.kept.Keep(q, answer)
	}
	v.protect(v.page(p))
	ui.SendCompressed(v.w, v.r, answer.Tag, answer.Body)
	return nil
}

func (v *visit) answer(p *snapshot.Picture, m made) (snapshot.Answer, error) {
	html, err := ui.Render(m.name, m.page)
	if err != nil {
		return snapshot.Answer{}, err
	}
	answer := snapshot.Answer{Version: p.Version, HoldsFrom: v.now, Body: ui.Compress(html)}
	if m.listing != nil {
		answer.Reach, answer.HoldsUntil = m.listing.reach, m.listing.holdsUntil
	}
	sum := sha256.Sum256(answer.Body)
	answer.Tag = hex.EncodeToString(sum[:8])
	return answer, nil
}
