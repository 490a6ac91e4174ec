package agents

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

var mcpRoutes = []page.Route[visit]{
	page.At("/settings/mcp", page.Fresh, (*visit).mcpPage, (*visit).mintToken),
	page.At("/settings/mcp/revoke", page.Fresh, nil, (*visit).revokeToken),
	page.At("/settings/mcp/try", page.Member, (*visit).tryPage, (*visit).try),
}

type mcpContent struct {
	page.Form
	Name        string // of the token to create
	RequestID   string // identifies the form, so that sending it twice creates only one token
	Plaintext   string // of a token that was just created; it is never shown again
	NewName     string // the new token's name
	Revoked     bool
	URL         string
	Unencrypted bool // tokens are sent unencrypted, where others can read them
	Tokens      []tokenLine
	Max         int
	Snippets    []snippet
	Try         tryChoice
}

type tokenLine struct{ ID, Name, LastFour, Created, Used string }

func (v *visit) mcpPage() error {
	return v.showMCP(http.StatusOK, &mcpContent{Form: v.NewForm(""), Revoked: v.Value("revoked") != ""})
}

func (v *visit) showMCP(status int, c *mcpContent) error {
	tokens, err := v.Tokens.List(v.R.Context(), v.Snapshot.WorkspaceID)
	if err != nil {
		return err
	}
	local := v.Local()
	for _, t := range tokens {
		line := tokenLine{t.ID, t.Name, t.LastFour, local.ShortInstant(t.CreatedAt), ""}
		if !t.LastUsedAt.IsZero() {
			line.Used = local.ShortInstant(t.LastUsedAt)
		}
		c.Tokens = append(c.Tokens, line)
	}
	c.RequestID, c.Max, c.URL, c.Unencrypted = rand.Text(), identity.MaxTokens, v.endpointURL(), v.isUnencrypted()
	c.Try = v.tryChoice()
	c.Snippets = snippets(c.URL, c.Plaintext, v.Snapshot.Slug, c.Try.Chosen)
	return v.Show(status, "mcp", say.T("MCP access"), c)
}

func (v *visit) endpointURL() string { return v.BaseURL + "/api/mcp" }

// isUnencrypted reports whether tokens cross a network in plain text. Loopback traffic never leaves the machine.
func (v *visit) isUnencrypted() bool {
	u, err := url.Parse(v.BaseURL)
	return err == nil && u.Scheme == "http" && !isLoopback(u.Hostname())
}

// minRequestID and maxRequestID bound the length of what our own form sends, which is 26 characters.
const minRequestID, maxRequestID = 20, 100

// mintToken shows the plaintext in the response itself. It is stored nowhere, so no later request could show it.
func (v *visit) mintToken() error {
	c := &mcpContent{Form: v.NewForm(""), Name: v.Value("name")}
	requestID := v.Value("once")
	c.AddProblem("name", page.Sentence(say.T("The name"), workspace.CheckName(c.Name)))
	if len(requestID) < minRequestID || len(requestID) > maxRequestID {
		c.Trouble = say.T("The form was incomplete. Please send it again.")
	}
	if len(c.Problems) > 0 || c.Trouble != "" {
		return v.showMCP(http.StatusUnprocessableEntity, c)
	}
	plaintext, token, err := v.Tokens.CreateOnce(v.R.Context(), v.Snapshot.WorkspaceID, c.Name, requestID, v.Actor())
	var e *slotd.Error
	switch {
	case errors.Is(err, identity.ErrAlreadyCreated):
		c.Trouble = say.T("This form was already sent, and the token was created then. It can't be shown again: if " +
			"you haven't copied it, revoke it and create another one.")
		c.Name = ""
		return v.showMCP(http.StatusConflict, c)
	case errors.As(err, &e) && e.Code == slotd.InvalidArgument:
		c.Trouble = page.ErrorText(e)
		return v.showMCP(http.StatusUnprocessableEntity, c)
	case err != nil:
		return err
	}
	c.Plaintext, c.NewName, c.Name = plaintext, token.Name, ""
	return v.showMCP(http.StatusOK, c)
}

// revokeToken revokes a token, which takes effect at the next request on every server. It succeeds if the token is
// already gone.
func (v *visit) revokeToken() error {
	if _, err := v.Tokens.Revoke(v.R.Context(), v.Snapshot.WorkspaceID, v.Value("id"), v.Actor()); err != nil {
		return err
	}
	return v.Redirect("/settings/mcp?revoked=1")
}
