package owner

import (
	"encoding/base64"
	"encoding/json"
	"net/http"

	"slotd"
	"slotd/internal/identity"
	"slotd/internal/web/kit"
	"slotd/internal/workspace"
)

// A passkey is asked for and answered by a script: the first door of each pair answers with the question as JSON, and
// the second takes the device's answer as JSON in a field of an ordinary form.
var passkeyRoutes = []route{
	{accountPath + "/passkey/begin", signedIn, nil, (*visit).beginPasskey},
	{accountPath + "/passkey", signedIn, nil, (*visit).addPasskey},
	{accountPath + "/passkey/remove", signedIn, nil, (*visit).removePasskey},
	{"/login/passkey/begin", anyone, nil, (*visit).beginPasskeyLogin},
	{"/login/passkey", anyone, nil, (*visit).passkeyLogin},
}

func (v *visit) passkeysWork() bool {
	_, err := identity.NewRelyingParty(v.BaseURL)
	return err == nil
}

// party is this site as devices know it.
func (v *visit) party() (*identity.RelyingParty, error) {
	at, err := identity.NewRelyingParty(v.BaseURL)
	if err != nil {
		return nil, slotd.Errorf(slotd.InvalidArgument,
			"This server's address cannot have passkeys: they need a host name.")
	}
	return at, nil
}

// question answers with what the script is to ask the device.
func (v *visit) question(q *identity.PasskeyChallenge) error {
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	v.protect(&kit.Page{Personal: true})
	v.w.Header().Set("Content-Type", "application/json")
	v.w.Write(body)
	return nil
}

func (v *visit) beginPasskey() error {
	if !v.proved() {
		return v.proveFirst()
	}
	at, err := v.party()
	if err != nil {
		return err
	}
	q, err := v.Owners.ChallengeNewPasskey(v.r.Context(), at, v.session, v.client)
	if err != nil {
		return err
	}
	return v.question(q)
}

func (v *visit) addPasskey() error {
	if !v.proved() {
		return v.proveFirst()
	}
	at, err := v.party()
	if err != nil {
		return err
	}
	name := v.value("name")
	if name == "" {
		name = v.client.Browser
	}
	if reason := workspace.CheckName(name); reason != "" {
		c := &accountContent{Name: v.session.User.Name}
		c.wrong("passkey", sentence("The passkey's name", reason))
		return v.showAccount(http.StatusUnprocessableEntity, c)
	}
	err = v.Owners.AddPasskey(v.r.Context(), at, v.session, v.value("ticket"), v.r.PostFormValue("answer"), name,
		v.client)
	return v.accountChanged(err, "passkey")
}

func (v *visit) removePasskey() error {
	if !v.proved() {
		return v.proveFirst()
	}
	id, err := base64.RawURLEncoding.DecodeString(v.value("passkey"))
	if err != nil {
		return slotd.Errorf(slotd.InvalidArgument, "This is no passkey of yours.")
	}
	found, err := v.Owners.RemovePasskey(v.r.Context(), v.session, id, !v.ToFiles, v.client)
	if err == nil && !found {
		return v.showAccount(http.StatusNotFound,
			&accountContent{form: form{Trouble: "That passkey is removed already."}, Name: v.session.User.Name})
	}
	return v.accountChanged(err, "passkey-removed")
}

func (v *visit) beginPasskeyLogin() error {
	at, err := v.party()
	if err != nil {
		return err
	}
	q, err := v.Owners.ChallengeSignIn(v.r.Context(), at, v.client)
	if err != nil {
		return err
	}
	return v.question(q)
}

func (v *visit) passkeyLogin() error {
	at, err := v.party()
	if err != nil {
		return err
	}
	to := localPath(v.value("to"))
	a, err := v.Owners.SignInByPasskey(v.r.Context(), at, v.value("ticket"), v.r.PostFormValue("answer"), v.cookie(),
		v.client)
	if slotd.Is(err, slotd.Unauthorized) {
		return v.showLogin(http.StatusForbidden, loginContent{To: to, Trouble: message(err)})
	} else if err != nil {
		return err
	}
	return v.arrive(a, to)
}
