package caldav

import (
	"context"
	"net/url"
	"strings"
)

// batch is how many items are asked for at once: an answer of the largest size allows each 160 KiB.
const batch = 200

// texts fetches items; nil for one that is not there any more. What the server does not send in a batch is asked for by
// itself.
func (d *dav) texts(ctx context.Context, c collection, ids []string) (map[string]*string, error) {
	sent, err := d.multiget(ctx, c, ids)
	if err != nil && (ctx.Err() != nil || refusesTheAsker(err)) {
		return nil, err
	}
	texts := make(map[string]*string, len(ids))
	for _, id := range ids {
		text, ok := sent[unescaped(id)]
		if !ok {
			if text, err = d.text(ctx, c, id); err != nil {
				return nil, err
			}
		}
		texts[id] = text
	}
	return texts, nil
}

// multiget is by unescaped id: servers do not always repeat the spelling that they were asked with.
func (d *dav) multiget(ctx context.Context, c collection, ids []string) (map[string]*string, error) {
	sent := make(map[string]*string, len(ids))
	ask := request{method: "REPORT", at: c.at, depth: "1", xml: askTexts(ids)}
	_, err := d.multi(ctx, ask, func(_ *url.URL, r *response) error {
		id, err := d.member(c, r.Href)
		if err != nil {
			return err
		}
		if text := r.found().Data; text != nil || r.gone() {
			sent[unescaped(id)] = text
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return sent, nil
}

func (d *dav) text(ctx context.Context, c collection, id string) (*string, error) {
	at, err := d.resolve(c.at, id)
	if err != nil {
		return nil, err
	}
	text, ok, err := d.read(ctx, at)
	if err != nil || !ok {
		return nil, err
	}
	return &text, nil
}

// onlyTasks is true for an item that holds to-dos or journals and no event.
func onlyTasks(text string) bool {
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

// hasUID reports whether the item is about exactly that UID.
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

// unfold joins the lines that were folded (RFC 5545, 3.1).
var unfold = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "")
