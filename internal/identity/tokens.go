package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base32"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"slotd"
	"slotd/internal/store"
	"slotd/internal/store/sqlcgen"
)

// Tokens creates, lists, revokes and recognizes access tokens. It caches none of them: each check queries the database,
// so that a revocation takes effect at the next request on every server.
type Tokens struct {
	DB  *store.DB
	Now func() time.Time

	mu        sync.Mutex
	lastTouch map[string]time.Time // when this process last tried to record a token's use
}

// Create creates a token. The plaintext is returned here and never stored.
func (t *Tokens) Create(ctx context.Context, workspaceID int64, name string, by slotd.Actor) (plaintext string,
	token slotd.Token, err error) {
	plaintext, token = t.newToken("tok_"+rand.Text()[:tokenIDLength], workspaceID, name)
	err = t.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return t.insert(ctx, tx, plaintext, token, by)
	})
	if err != nil {
		return "", slotd.Token{}, fmt.Errorf("keep the token: %w", err)
	}
	return plaintext, token, nil
}

// MaxTokens limits the tokens of one workspace.
const MaxTokens = 100

// ErrAlreadyCreated means that the request already created a token. Its plaintext is no longer available.
var ErrAlreadyCreated = errors.New("the token was made already")

// CreateOnce creates a token for a request that may arrive twice, such as a form that the browser submits again when
// the page is reloaded. The token's id is derived from the request, so the database of all servers detects a repeated
// request, even after the token was revoked. A request of another workspace cannot produce the same id, and another
// name makes it another request.
func (t *Tokens) CreateOnce(ctx context.Context, workspaceID int64, name, request string, by slotd.Actor) (plaintext string,
	token slotd.Token, err error) {
	plaintext, token = t.newToken(tokenIDForRequest(workspaceID, name, request), workspaceID, name)
	err = t.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockKey(ctx, workspaceID); err != nil { // concurrent requests must see each other's count
			return err
		}
		switch _, err := tx.TokenName(ctx, sqlcgen.TokenNameParams{WorkspaceID: workspaceID, ID: token.ID}); {
		case err == nil:
			return ErrAlreadyCreated
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		if n, err := tx.CountTokens(ctx, workspaceID); err != nil {
			return err
		} else if n >= MaxTokens {
			return slotd.Because(slotd.TooManyTokens, slotd.Facts{Count: int(n)})
		}
		return t.insert(ctx, tx, plaintext, token, by)
	})
	if err != nil {
		return "", slotd.Token{}, fmt.Errorf("keep the token: %w", err)
	}
	return plaintext, token, nil
}

const tokenIDLength = 12 // 60 bits in base32

func tokenIDForRequest(workspaceID int64, name, request string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %q", workspaceID, name, request))
	return "tok_" + base32.StdEncoding.EncodeToString(sum[:])[:tokenIDLength]
}

func (t *Tokens) newToken(id string, workspaceID int64, name string) (plaintext string, token slotd.Token) {
	plaintext = newSecret()
	return plaintext, slotd.Token{ID: id, WorkspaceID: workspaceID, Name: name,
		LastFour: plaintext[len(plaintext)-shownLength:], CreatedAt: t.Now()}
}

func (t *Tokens) insert(ctx context.Context, tx *store.Tx, plaintext string, token slotd.Token, by slotd.Actor) error {
	hash := HashToken(plaintext)
	err := tx.InsertToken(ctx, sqlcgen.InsertTokenParams{
		ID: token.ID, Hash: hash[:], WorkspaceID: token.WorkspaceID, Name: token.Name,
		LastFour: token.LastFour, CreatedAt: token.CreatedAt.UnixMilli(),
	})
	if err != nil {
		return err
	}
	return RecordActivity(ctx, tx, token.WorkspaceID, by, "token.created", token.ID+" "+token.Name, t.Now())
}

// List returns a workspace's tokens that are not revoked, oldest first.
func (t *Tokens) List(ctx context.Context, workspaceID int64) ([]slotd.Token, error) {
	rows, err := t.DB.Read().Tokens(ctx, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	tokens := make([]slotd.Token, len(rows))
	for i, row := range rows {
		tokens[i] = tokenFromRow(sqlcgen.TokenByHashRow(row))
	}
	return tokens, nil
}

// Revoke invalidates a token immediately. It reports whether the token existed.
func (t *Tokens) Revoke(ctx context.Context, workspaceID int64, id string, by slotd.Actor) (found bool, err error) {
	err = t.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		n, err := tx.RevokeToken(ctx, sqlcgen.RevokeTokenParams{WorkspaceID: workspaceID, ID: id,
			RevokedAt: t.Now().UnixMilli()})
		if found = n > 0; err != nil || !found {
			return err
		}
		name, err := tx.TokenName(ctx, sqlcgen.TokenNameParams{WorkspaceID: workspaceID, ID: id})
		if err != nil {
			return err
		}
		return RecordActivity(ctx, tx, workspaceID, by, "token.revoked", id+" "+name, t.Now())
	})
	if err != nil {
		return false, fmt.Errorf("revoke token %s: %w", id, err)
	}
	return found, nil
}

// Recognize returns the token with the given plaintext. The error is the same for every kind of invalid token.
func (t *Tokens) Recognize(ctx context.Context, plaintext string) (slotd.Token, error) {
	if !IsToken(plaintext) {
		return slotd.Token{}, unauthorized()
	}
	hash := HashToken(plaintext)
	row, err := t.DB.Read().TokenByHash(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return slotd.Token{}, unauthorized()
	} else if err != nil {
		return slotd.Token{}, fmt.Errorf("look up the token: %w", err)
	}
	return tokenFromRow(row), nil
}

func unauthorized() error { return slotd.NewError(slotd.Unauthorized, slotd.Facts{}) }

// tokenTouchInterval is the precision of "last used". A minute is enough to see whether a token is in use, and costs
// next to nothing.
const tokenTouchInterval = time.Minute

// RecordUse records the use of a token. Callers call it after the work that the token was used for, outside of its
// transaction. A busy database delays at most one call per minute, and a failure to record the use rejects no call.
func (t *Tokens) RecordUse(ctx context.Context, token slotd.Token) {
	now := t.Now()
	if now.Sub(token.LastUsedAt) < tokenTouchInterval || !t.shouldTouch(token.ID, now) {
		return
	}
	err := t.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.TouchToken(ctx, sqlcgen.TouchTokenParams{
			WorkspaceID: token.WorkspaceID, ID: token.ID,
			LastUsedAt: now.UnixMilli(), LastUsedAt_2: now.Add(-tokenTouchInterval).UnixMilli(),
		})
	})
	if err != nil && ctx.Err() == nil {
		slog.Warn("could not note that a token was used", "token", token.ID, "error", err)
	}
}

// maxLastTouch bounds the memory. A forgotten entry only causes one more write attempt.
const maxLastTouch = 10_000

func (t *Tokens) shouldTouch(id string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, ok := t.lastTouch[id]; ok && now.Sub(last).Abs() < tokenTouchInterval {
		return false
	}
	if t.lastTouch == nil || len(t.lastTouch) >= maxLastTouch {
		t.lastTouch = map[string]time.Time{}
	}
	t.lastTouch[id] = now
	return true
}

func tokenFromRow(row sqlcgen.TokenByHashRow) slotd.Token {
	token := slotd.Token{
		ID: row.ID, WorkspaceID: row.WorkspaceID, Name: row.Name, LastFour: row.LastFour,
		CreatedAt: time.UnixMilli(row.CreatedAt).UTC(),
	}
	if row.LastUsedAt != 0 {
		token.LastUsedAt = time.UnixMilli(row.LastUsedAt).UTC()
	}
	return token
}
