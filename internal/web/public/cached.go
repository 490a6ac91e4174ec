package public

import (
	"crypto/sha256"
	"encoding/hex"

	"slotd/internal/availability/snapshot"
	"slotd/internal/web/kit"
)

// sendCached sends a page from the cache if rendering it now would give the same page; otherwise it renders and caches
// it. The key holds everything that the page depends on besides the workspace and the time. The listing says how long
// the page stays valid; it is nil if the page shows no times.
//
// A page is compressed at its second request: compressing takes as long as rendering, and many pages are requested
// once.
func (v *visit) sendCached(p *snapshot.Snapshot, key snapshot.ResponseKey, l *listing,
	render func() ([]byte, error)) error {
	response, ok := v.responses.Get(key)
	if !ok || !response.ValidFor(p, v.now) {
		html, err := render()
		if err != nil {
			return err
		}
		sum := sha256.Sum256(html)
		tag := hex.EncodeToString(sum[:8])
		if tag == response.Tag { // most bookings do not change most pages: the day still has open times
			html = response.Body
		}
		response = snapshot.Response{Version: p.Version, ValidFrom: v.now, Body: html, Tag: tag}
		if l != nil {
			response.Reach, response.ValidUntil = l.reach, l.validUntil
		}
		v.responses.Put(key, response)
	} else if response.Version != p.Version || !kit.IsCompressed(response.Body) {
		response.Version = p.Version // older changes no longer have to be compared
		response.Body = kit.Compress(response.Body)
		v.responses.Put(key, response)
	}
	v.protect(v.page(p))
	kit.SendCached(v.w, v.r, response.Tag, response.Body)
	return nil
}
