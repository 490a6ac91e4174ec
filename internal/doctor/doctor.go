// Package doctor checks a server and its workspaces, and says in one sentence how to fix each problem.
//
// It changes nothing and sends no mail. Its results contain no secrets, no file paths and nothing about workspaces
// outside the requested scope, except for server-wide counts.
package doctor

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"slotd/internal/availability/snapshot"
	"slotd/internal/calendar/calsync"
	"slotd/internal/lib/say"
	"slotd/internal/lib/seal"
	"slotd/internal/mail/delivery"
	"slotd/internal/money/accounts"
	"slotd/internal/store"
)

// State is the result of a check.
type State string

const (
	OK      State = "ok"
	Warn    State = "warn"    // works, but not as it should
	Fail    State = "fail"    // does not work
	Unknown State = "unknown" // could not be checked
)

// Check is the result of one check.
type Check struct {
	Name  say.Sentence `json:"name"`
	State State        `json:"state"`
	Found string       `json:"found"`
	Do    string       `json:"do,omitempty"` // how to fix it; empty if there is nothing to do
}

// Server holds what the checks need to know about a server.
type Server struct {
	DB        *store.DB
	Keys      *seal.Keys // nil if there is no key file
	Accounts  *accounts.Service
	Calendars *calsync.Service
	Sender    delivery.Sender
	Now       func() time.Time
	Log       *slog.Logger
	Client    *http.Client  // for requests to the server's own base URL; nil for a default client
	Timeout   time.Duration // for contacting other machines; zero for the default

	BaseURL           string
	DataDir           string
	ToFiles           bool          // mails are written to files instead of being sent
	ClockOffset       time.Duration // by SLOTD_CLOCK_OFFSET, for tests
	LimitsOff         bool
	DebugLog          bool
	SignUpOpen        bool
	OperatorKeyHidden bool // the running server has a Stripe key, but this process does not have it

	networkMu   sync.Mutex
	lastNetwork *networkResult // the last network results, cached for a short time
}

// Scope selects what to check.
type Scope struct {
	Workspaces []*snapshot.Config
	Named      bool // add the workspace's slug to the names of its checks
	Network    bool // also contact other machines, not only the database
}

// networkTimeout limits all requests to other machines together.
const networkTimeout = 5 * time.Second

// Examine runs all checks in the scope.
func (s *Server) Examine(ctx context.Context, scope Scope) []Check {
	network := &networkResult{base: notChecked("base URL"), mail: notChecked("mail")}
	if scope.Network {
		network = s.checkNetwork(ctx)
	}
	if s.ToFiles {
		network.mail = Check{"mail", Warn,
			say.T("Emails aren't sent; they're saved as files in the outbox of the data directory."),
			say.T("Start slotd serve with --smtp.")}
	}
	checks := []Check{network.base, s.https(), network.mail, s.database(ctx), s.clock(ctx), s.zones(), s.disk()}
	checks = append(checks, s.jobs(ctx)...)
	if scope.Named {
		checks = append(checks, s.operator())
	}
	for _, c := range scope.Workspaces {
		checks = append(checks, s.workspace(ctx, c, scope.Named)...)
	}
	return append(checks, s.settings()...)
}

func notChecked(name say.Sentence) Check { return Check{name, Unknown, say.T("Not checked yet."), ""} }

// checkFailed returns the result of a check that could not run. The reason goes only to the log, because it may contain
// file names.
func (s *Server) checkFailed(name say.Sentence, err error) Check {
	s.Log.Error("the doctor could not look", "at", name, "error", err)
	return Check{name, Unknown, say.T("This check couldn't run."), say.T("The server's log says why.")}
}

// severity orders the states. An unknown state is worse than OK, because something may be wrong.
var severity = map[State]int{OK: 0, Unknown: 1, Warn: 2, Fail: 3}

// Compare returns a negative number if s is better than o.
func (s State) Compare(o State) int { return severity[s] - severity[o] }

// Worst returns the worst state of the checks.
func Worst(checks []Check) State {
	worst := OK
	for _, c := range checks {
		if c.State.Compare(worst) > 0 {
			worst = c.State
		}
	}
	return worst
}
