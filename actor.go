package slotd

import (
	"strconv"
	"strings"
)

// Actor is who did something, as histories and the activity show it.
type Actor struct {
	Kind    ActorKind
	ID      string // of a user or a token; empty for other kinds
	Address string // of the client; empty if unknown
}

// ActorKind is a kind of actor.
type ActorKind string

const (
	UserActor      ActorKind = "user"      // an owner, on the pages
	TokenActor     ActorKind = "token"     // an agent with one of the workspace's tokens
	OperatorActor  ActorKind = "operator"  // a command on the server itself
	PageActor      ActorKind = "page"      // a guest who books on a page
	AttendeeActor  ActorKind = "attendee"  // a guest who uses one of the booking's links
	PaymentActor   ActorKind = "payments"  // the payment service
	ConsentActor   ActorKind = "consent"   // whoever opened a calendar's link
	RetentionActor ActorKind = "keep-days" // the server, which erases old data
)

// Operator is the actor for commands that run on the server itself.
var Operator = Actor{Kind: OperatorActor, Address: "terminal"}

// NewUserActor returns the actor for an owner who uses the pages.
func NewUserActor(userID int64, address string) Actor {
	return Actor{UserActor, strconv.FormatInt(userID, 10), address}
}

// String returns the actor as it is stored, such as "user:12" or "operator".
func (a Actor) String() string {
	if a.ID == "" {
		return string(a.Kind)
	}
	return string(a.Kind) + ":" + a.ID
}

// ParseActor reads what String returns. The address is not part of it.
func ParseActor(text string) Actor {
	kind, id, _ := strings.Cut(text, ":")
	return Actor{Kind: ActorKind(kind), ID: id}
}

// IsHostSide reports whether the host's side acts: an owner, a token or the operator.
func (a Actor) IsHostSide() bool {
	return a.Kind == UserActor || a.Kind == TokenActor || a.Kind == OperatorActor
}
