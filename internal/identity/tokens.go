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

// Tokens mints, lists, revokes and recognises tokens. It keeps none in memory: every look is a
// look into the database, so that revoking holds at the next request on every server.
type Tokens struct {
	DB  *store.DB
	Now func() time.Time

	mu    sync.Mutex
	noted map[string]time.Time // when this process last tried to note a token's use
}

// Create mints a token. The plaintext exists only in its answer.
func (t *Tokens) Create(ctx context.Context, workspaceID int64, name string, by Actor) (plaintext string,
	token slotd.Token, err error) {
	plaintext, token = t.mint("tok_"+rand.Text()[:idLength], workspaceID, name)
	err = t.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return t.keep(ctx, tx, plaintext, token, by) })
	if err != nil {
		return "", slotd.Token{}, fmt.Errorf("keep the token: %w", err)
	}
	return plaintext, token, nil
}

// MostTokens is how many a workspace's owners can have at once.
const MaxTokens = 100

// ErrMinted is a request that was answered already. Its plaintext is gone.
var ErrMinted = errors.New("the token was made already")

// CreateOnce mints a token for a request that may come twice, such as a form that a browser sends again when the page
// is loaded anew. The token's id follows from the request, so that the database itself tells, on every server, that it
// was answered: also after the token was revoked. Another workspace's request cannot meet the same id, and other words
// make another request.
func (t *Tokens) CreateOnce(ctx context.Context, workspaceID int64, name, request string, by Actor) (plaintext string,
	token slotd.Token, err error) {
	plaintext, token = t.mint(idOf(workspaceID, name, request), workspaceID, name)
	err = t.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.LockNumber(ctx, workspaceID); err != nil { // two at once must see each other's count
			return err
		}
		switch _, err := tx.TokenName(ctx, sqlcgen.TokenNameParams{WorkspaceID: workspaceID, ID: token.ID}); {
		case err == nil:
			return ErrMinted
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		if n, err := tx.CountTokens(ctx, workspaceID); err != nil {
			return err
		} else if n >= MaxTokens {
			return slotd.Errorf(slotd.InvalidArgument,
				"There are %d tokens, which is the most there can be. Revoke one that is not used any more.", n)
		}
		return t.keep(ctx, tx, plaintext, token, by)
	})
	if err != nil {
		return "", slotd.Token{}, fmt.Errorf("keep the token: %w", err)
	}
	return plaintext, token, nil
}

const idLength = 12 // 60 bits, in base32

func idOf(workspaceID int64, name, request string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %q", workspaceID, name, request))
	return "tok_" + base32.StdEncoding.EncodeToString(sum[:])[:idLength]
}

func (t *Tokens) mint(id string, workspaceID int64, name string) (plaintext string, token slotd.Token) {
	plaintext = newSecret()
	return plaintext, slotd.Token{ID: id, WorkspaceID: workspaceID, Name: name,
		LastFour: plaintext[len(plaintext)-lastShown:], CreatedAt: t.Now()}
}

func (t *Tokens) keep(ctx context.Context, tx *store.Tx, plaintext string, token slotd.Token, by Actor) error {
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

// List shows a workspace's tokens that are not revoked, oldest first.
func (t *Tokens) List(ctx context.Context, workspaceID int64) ([]slotd.Token, error) {
	rows, err := t.DB.Read().Tokens(ctx, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	tokens := make([]slotd.Token, len(rows))
	for i, row := range rows {
		tokens[i] = tokenOf(sqlcgen.TokenByHashRow(row))
	}
	return tokens, nil
}

// Revoke ends a token's power at once. It reports whether there was such a token.
func (t *Tokens) Revoke(ctx context.Context, workspaceID int64, id string, by Actor) (found bool, err error) {
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

// Recognise finds the token's row. Whatever is wrong with it, the answer is the same.
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
	return tokenOf(row), nil
}

func unauthorized() error {
	return slotd.Errorf(slotd.Unauthorized,
		"This tool needs a valid access token in the header `Authorization: Bearer slotd_mcp_…`. The workspace's "+
			"owner makes one with `slotd token create`.")
}

// usedEvery is how exact "last used" is: once a minute is enough to see whether a token is in
// use, and costs next to nothing.
const usedEvery = time.Minute

// Used notes the use, after what the token was used for and beside its transaction. A database
// that is busy delays one call a minute by it, and not being able to note it refuses none.
func (t *Tokens) Used(ctx context.Context, token slotd.Token) {
	now := t.Now()
	if now.Sub(token.LastUsedAt) < usedEvery || !t.firstTry(token.ID, now) {
		return
	}
	err := t.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.TouchToken(ctx, sqlcgen.TouchTokenParams{
			WorkspaceID: token.WorkspaceID, ID: token.ID,
			LastUsedAt: now.UnixMilli(), LastUsedAt_2: now.Add(-usedEvery).UnixMilli(),
		})
	})
	if err != nil && ctx.Err() == nil {
		slog.Warn("could not note that a token was used", "token", token.ID, "error", err)
	}
}

// maxNoted bounds the memory; forgetting only means to try once more.
const maxNoted = 10_000

func (t *Tokens) firstTry(id string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, ok := t.noted[id]; ok && now.Sub(last).Abs() < usedEvery {
		return false
	}
	if t.noted == nil || len(t.noted) >= maxNoted {
		t.noted = map[string]time.Time{}
	}
	t.noted[id] = now
	return true
}

func tokenOf(row sqlcgen.TokenByHashRow) slotd.Token {
	token := slotd.Token{
		ID: row.ID, WorkspaceID: row.WorkspaceID, Name: row.Name, LastFour: row.LastFour,
		CreatedAt: time.UnixMilli(row.CreatedAt).UTC(),
	}
	if row.LastUsedAt != 0 {
		token.LastUsedAt = time.UnixMilli(row.LastUsedAt).UTC()
	}
	return token
}
