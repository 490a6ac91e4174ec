// Package doctor looks whether a server and its workspaces are in order, and says in a sentence what to do where they
// are not.
//
// It changes nothing and sends no mail. What it finds holds no secret, no path, and nothing of a workspace that was not
// asked about: of those it knows server-wide numbers only.
package doctor

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/seal"
	"slotd/internal/mail/delivery"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
)

// State is how something is.
type State string

const (
	OK      State = "ok"
	Warn    State = "warn"    // works, but not as it should
	Fail    State = "fail"    // does not work
	Unknown State = "unknown" // could not be looked at
)

// Check is one thing that was looked at.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // nothing has to be done where it is empty
}

// Server is what one server is made of.
type Server struct {
	DB        *store.DB
	Keys      *seal.Keys // nil: there is no key file
	Accounts  *accounts.Service
	Calendars *calsync.Service
	Sender    delivery.Sender
	Now       func() time.Time
	Log       *slog.Logger
	Client    *http.Client // for asking ourselves; nil: an ordinary one

	BaseURL        string
	DataDir        string
	ToFiles        bool          // mails are not sent but written as files
	ClockMoved     time.Duration // for tests
	LimitsOff      bool
	DebugLog       bool
	SignUpOpen     bool
	HiddenOperator bool // the server that runs has a Stripe key, and we were not given it

	asking sync.Mutex
	asked  *outside // what was last found outside; kept for a short time
}

// Scope is what to look at.
type Scope struct {
	Workspaces []*snapshot.Config
	Named      bool // checks of workspaces carry their slugs
	Network    bool // ask other machines too, and not only the database
}

// within bounds what asks other machines, all of it together.
const within = 5 * time.Second

// Examine looks at everything.
func (s *Server) Examine(ctx context.Context, scope Scope) []Check {
	out := &outside{base: notAsked("base URL"), mail: notAsked("mail")}
	if scope.Network {
		out = s.askOutside(ctx)
	}
	if s.ToFiles {
		out.mail = Check{"mail", Warn, "Mails are not sent but written as files into the outbox of the data directory.",
			"Start slotd serve with --smtp."}
	}
	checks := []Check{out.base, s.https(), out.mail, s.database(ctx), s.clock(ctx), s.zones(), s.disk()}
	checks = append(checks, s.jobs(ctx)...)
	if scope.Named {
		checks = append(checks, s.operator())
	}
	for _, c := range scope.Workspaces {
		checks = append(checks, s.workspace(ctx, c, scope.Named)...)
	}
	return append(checks, s.settings()...)
}

func notAsked(name string) Check { return Check{name, Unknown, "Not asked yet.", ""} }

// broken is for what could not be looked at. Why is the log's: it may name files.
func (s *Server) broken(name string, err error) Check {
	s.Log.Error("the doctor could not look", "at", name, "error", err)
	return Check{name, Unknown, "It could not be looked at.", "The server's log says why."}
}

// ranks order states: what is not known may be wrong.
var ranks = map[State]int{OK: 0, Unknown: 1, Warn: 2, Fail: 3}

// Compare is negative if s is better than o.
func (s State) Compare(o State) int { return ranks[s] - ranks[o] }

// Worst is the worst state of all.
func Worst(checks []Check) State {
	worst := OK
	for _, c := range checks {
		if c.State.Compare(worst) > 0 {
			worst = c.State
		}
	}
	return worst
}
