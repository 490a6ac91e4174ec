package access

import (
	"encoding/base64"
	"encoding/json"
	"net/http"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/lib/say"
	"slotd/internal/web/kit"
	"slotd/internal/web/owner/page"
	"slotd/internal/workspace"
)

// A script talks to the passkey. The first route of each pair returns the challenge as JSON, and the second takes the
// device's answer as JSON in a field of an ordinary form.
var passkeyRoutes = []page.Route[visit]{
	page.At(accountPath+"/passkey/begin", page.SignedIn, nil, (*visit).beginPasskey),
	page.At(accountPath+"/passkey", page.SignedIn, nil, (*visit).addPasskey),
	page.At(accountPath+"/passkey/remove", page.SignedIn, nil, (*visit).removePasskey),
	page.At("/login/passkey/begin", page.Anyone, nil, (*visit).beginPasskeyLogin),
	page.At("/login/passkey", page.Anyone, nil, (*visit).passkeyLogin),
}

func (v *visit) passkeysSupported() bool {
	_, err := identity.NewRelyingParty(v.BaseURL)
	return err == nil
}

// relyingParty returns this site as passkeys know it.
func (v *visit) relyingParty() (*identity.RelyingParty, error) {
	rp, err := identity.NewRelyingParty(v.BaseURL)
	if err != nil {
		return nil, page.Refuse(slotd.InvalidArgument,
			say.T("Passkeys don't work at this address: they need a host name."))
	}
	return rp, nil
}

// sendChallenge answers with the challenge that the script passes to the device.
func (v *visit) sendChallenge(q *identity.PasskeyChallenge) error {
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	v.Protect(&kit.Page{Personal: true})
	v.W.Header().Set("Content-Type", "application/json")
	v.W.Write(body)
	return nil
}

func (v *visit) beginPasskey() error {
	if !v.isFresh() {
		return v.signInAgain()
	}
	rp, err := v.relyingParty()
	if err != nil {
		return err
	}
	q, err := v.Owners.ChallengeNewPasskey(v.R.Context(), rp, v.Session, v.Client)
	if err != nil {
		return err
	}
	return v.sendChallenge(q)
}

func (v *visit) addPasskey() error {
	if !v.isFresh() {
		return v.signInAgain()
	}
	rp, err := v.relyingParty()
	if err != nil {
		return err
	}
	name := v.Value("name")
	if name == "" {
		name = v.Client.Browser
	}
	if err := workspace.CheckName(name); err != nil {
		c := &accountContent{Name: v.Session.User.Name}
		c.AddProblem("passkey", page.Sentence(say.T("The passkey's name"), err))
		return v.showAccount(http.StatusUnprocessableEntity, c)
	}
	err = v.Owners.AddPasskey(v.R.Context(), rp, v.Session, v.Value("ticket"), v.R.PostFormValue("answer"), name,
		v.Client)
	return v.accountChanged(err, "passkey")
}

func (v *visit) removePasskey() error {
	if !v.isFresh() {
		return v.signInAgain()
	}
	id, err := base64.RawURLEncoding.DecodeString(v.Value("passkey"))
	if err != nil {
		return page.Refuse(slotd.InvalidArgument, say.T("This isn't one of your passkeys."))
	}
	found, err := v.Owners.RemovePasskey(v.R.Context(), v.Session, id, !v.ToFiles, v.Client)
	if err == nil && !found {
		return v.showAccount(http.StatusNotFound,
			&accountContent{Form: page.Form{Trouble: say.T("This passkey has already been removed.")},
				Name: v.Session.User.Name})
	}
	return v.accountChanged(err, "passkey-removed")
}

func (v *visit) beginPasskeyLogin() error {
	rp, err := v.relyingParty()
	if err != nil {
		return err
	}
	q, err := v.Owners.ChallengeSignIn(v.R.Context(), rp, v.Client)
	if err != nil {
		return err
	}
	return v.sendChallenge(q)
}

func (v *visit) passkeyLogin() error {
	rp, err := v.relyingParty()
	if err != nil {
		return err
	}
	to := page.LocalPath(v.Value("to"))
	a, err := v.Owners.SignInByPasskey(v.R.Context(), rp, v.Value("ticket"), v.R.PostFormValue("answer"), v.Cookie(),
		v.Client)
	if slotd.Is(err, slotd.Unauthorized) {
		return v.showLogin(http.StatusForbidden, loginContent{To: to, Trouble: page.ErrorText(err)})
	} else if err != nil {
		return err
	}
	return v.finishSignIn(a, to)
}
