package owner

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"slotd/internal/jobs"
	"slotd/internal/store"
	"slotd/test/await"
)

// healthy serves the base URL, and counts the requests.
func (w *world) healthy() *atomic.Int32 {
	asked := &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		out.Write([]byte("ok\n"))
	}))
	w.T.Cleanup(s.Close)
	w.Doctor.BaseURL, w.Doctor.Timeout = s.URL, await.Patience
	return asked
}

func TestDoctor_AsksOthersOnlyOnRequest(t *testing.T) {
	w := lite(t)
	asked := w.healthy()
	ada, before := w.ada(), w.export("acme")
	ada.get("/settings/doctor").says(200, "Run checks", "So far, only the database was checked", "Unknown Base URL")
	if asked.Load() != 0 {
		t.Error("opening the page asked the base URL")
	}
	p := ada.submit("/settings/doctor", "workspace", "acme").says(200, "OK Base URL", "can be reached", "Warning Email delivery")
	if asked.Load() != 1 || !strings.Contains(p.Body, `role="status"`) {
		t.Errorf("asked %d times", asked.Load())
	}
	if w.export("acme") != before {
		t.Error("examining changed the workspace")
	}
}

func TestDoctor_ShowsNothingOfOtherWorkspaces(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id, now := w.id("acme"), w.Clock.Now()
		w.Must(w.DB.InTx(background, func(ctx context.Context, tx *store.Tx) error {
			return jobs.Enqueue(ctx, tx, []jobs.Job{{WorkspaceID: id, ID: "acme-secret-job", Queue: jobs.Mail,
				Kind: "tell", Booking: uuid.New(), CreatedAt: now, DueAt: now}})
		}))
		ctx, cancel := context.WithCancel(background)
		refused := func(context.Context, *jobs.Job) (func(context.Context, *store.Tx) error, error) {
			defer cancel()
			return nil, jobs.Permanent(context.Canceled)
		}
		handlers := map[string]jobs.Handler{"tell": refused}
		jobs.New(w.DB, jobs.Mail, handlers, w.Clock.Now, w.Guard.Log).Run(ctx, background)
		w.ada().get("/settings/doctor").says(200, "Failed Emails 1 email couldn't be sent",
			"1 job on this server has failed")
		p := w.bo().get("/settings/doctor").says(200, "OK Emails", "Failed Failed jobs 1 job on this server has failed")
		for _, foreign := range []string{"acme", "Acme", "ada@", w.outbox, "secret.key"} {
			if strings.Contains(p.Body, foreign) {
				t.Errorf("bo reads %q: %s", foreign, p.Text())
			}
		}
	})
}

func TestDoctor_EveryCheckHasATitle(t *testing.T) {
	w := lite(t)
	w.Doctor.ClockOffset = time.Hour
	p := w.ada().get("/settings/doctor").says(200, "Warning Clock offset")
	if strings.Contains(p.Body, `<span class="title"></span>`) {
		t.Error(p.Body)
	}
}

func TestDoctor_PaysHeedToItsPrice(t *testing.T) {
	w := lite(t)
	w.ada().get("/settings/doctor").says(200, "Warning Payments 1 event type has a price, but nobody can pay",
		"Open Payments")
	w.bo().get("/settings/doctor").says(200, "OK Payments Payments aren't set up")
}

func TestDoctor_IsForMembers(t *testing.T) {
	w := lite(t)
	asked := w.healthy()
	w.stranger().get("/settings/doctor").leads("/login?to=%2Fsettings%2Fdoctor")
	w.stranger().post("/settings/doctor", "workspace", "acme").says(403, "signed out")
	w.bo().post("/settings/doctor", "workspace", "acme").says(409, "another workspace")
	r := httptest.NewRequest(http.MethodPost, "/settings/doctor", strings.NewReader("workspace=acme"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	w.ada().send(r).says(403)
	if asked.Load() != 0 {
		t.Error("a refused form had the base URL asked")
	}
}
