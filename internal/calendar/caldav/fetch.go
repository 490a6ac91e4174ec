package caldav

import (
	"context"
	"net/url"
	"strings"
)

// batchSize is how many items are requested at once: the largest allowed response has room for 160 KiB each.
const batchSize = 200

// fetchTexts fetches items; the text is nil if an item no longer exists. Items that the server does not include in
// the batch are requested separately.
func (d *dav) fetchTexts(ctx context.Context, c collection, ids []string) (map[string]*string, error) {
	sent, err := d.multiget(ctx, c, ids)
	if err != nil && (ctx.Err() != nil || isClientRejected(err)) {
		return nil, err
	}
	texts := make(map[string]*string, len(ids))
	for _, id := range ids {
		text, ok := sent[unescaped(id)]
		if !ok {
			if text, err = d.fetchText(ctx, c, id); err != nil {
				return nil, err
			}
		}
		texts[id] = text
	}
	return texts, nil
}

// multiget returns texts by unescaped id: servers do not always repeat the spelling of the request.
func (d *dav) multiget(ctx context.Context, c collection, ids []string) (map[string]*string, error) {
	sent := make(map[string]*string, len(ids))
	req := request{method: "REPORT", url: c.url, depth: "1", xml: multigetQuery(ids)}
	_, err := d.multistatus(ctx, req, func(_ *url.URL, r *response) error {
		id, err := d.memberID(c, r.Href)
		if err != nil {
			return err
		}
		if text := r.properties().Data; text != nil || r.isGone() {
			sent[unescaped(id)] = text
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sent, nil
}

func (d *dav) fetchText(ctx context.Context, c collection, id string) (*string, error) {
	at, err := d.resolve(c.url, id)
	if err != nil {
		return nil, err
	}
	text, ok, err := d.get(ctx, at)
	if err != nil || !ok {
		return nil, err
	}
	return &text, nil
}

// hasOnlyTasks reports whether an item contains to-dos or journals and no event.
func hasOnlyTasks(text string) bool {
	tasks := false
	for line := range strings.SplitSeq(unfold.Replace(text), "\n") {
		switch strings.ToUpper(strings.TrimSpace(line)) {
		case "BEGIN:VTODO", "BEGIN:VJOURNAL":
			tasks = true
		case "BEGIN:VEVENT", "BEGIN:VFREEBUSY":
			return false
		}
	}
	return tasks
}

// hasUID reports whether the item has exactly this UID.
func hasUID(text, uid string) bool {
	for line := range strings.SplitSeq(unfold.Replace(text), "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		name, _, _ = strings.Cut(name, ";")
		if strings.EqualFold(name, "UID") && value == uid {
			return true
		}
	}
	return false
}

// unfold joins folded lines (RFC 5545, 3.1).
var unfold = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "")
