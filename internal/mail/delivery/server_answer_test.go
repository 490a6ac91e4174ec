package delivery

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

func TestServerAnswer_IsTheServersOwnAnswerWithoutItsName(t *testing.T) {
	for _, stage := range append(sessionStages, mailStages...) {
		for _, code := range []string{"451", "550"} {
			f, _, err := sendOnce(t, map[string]string{stage: code + " 5.1.1 " + hostileByName})
			answer := ServerAnswer(fmt.Errorf("send: %w", err))
			if !strings.Contains(answer, "the mail server failed at "+stepName(stage)+": "+code+" 5.1.1 ") ||
				strings.Contains(answer, f.address) || strings.Contains(answer, password) {
				t.Errorf("%s %s: %s", stage, code, answer)
			}
		}
	}
}

func TestServerAnswer_OfTheNetworkNamesNoMachine(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for address, want := range map[string]string{
		"smtp://" + closed.Addr().String(): "the mail server can't be reached",
		"smtp://secret-mx.invalid:25":      "the mail server has an unknown host name",
	} {
		s, err := NewSMTP(address)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Send(ctx, hello)
		if answer := ServerAnswer(err); answer != want || err.Error() == answer {
			t.Errorf("%s: %s; %v", address, answer, err)
		}
	}
}

func TestStoredAnswer_NamesNoMachineEither(t *testing.T) {
	for text, want := range map[string]string{
		"mail server secret-mx:25, connect: dial tcp: lookup secret-mx on 10.9.8.7:53: no such host": "the mail server can't be reached or doesn't answer in time",
		"mail server secret-mx:25, EHLO: no answer within 1m0s":                                      "the mail server can't be reached or doesn't answer in time",
		"mail refused: mail server secret-mx:25, RCPT: 550 5.1.1 no such user":                       "mail refused: the mail server, RCPT: 550 5.1.1 no such user",
		"mail server secret-mx:25 offers no TLS":                                                     "the mail server offers no TLS",
		"wait for the mail server secret-mx:25: context deadline exceeded":                           "wait for the mail server: context deadline exceeded",
		"mail refused: the envelope's addresses cannot be sent":                                      "mail refused: the envelope's addresses cannot be sent",
		"": "",
	} {
		if got := StoredAnswer(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestServerAnswer_OfASlowOrSilentServer(t *testing.T) {
	s := &session{server: server{host: "secret-mx", port: "25"}}
	late, cancel := context.WithTimeoutCause(ctx, time.Nanosecond, tooSlow(time.Minute))
	defer cancel()
	<-late.Done()
	slow := s.explain(late, "EHLO", net.ErrClosed)
	if got := ServerAnswer(slow); got != "the mail server doesn't answer in time" {
		t.Error(got)
	}
	if got := ServerAnswer(s.unusable("%s offers no TLS")); got != "the mail server offers no TLS" {
		t.Error(got)
	}
	if got := ServerAnswer(&Refused{Reason: "the envelope's addresses cannot be sent"}); got != "the envelope's addresses cannot be sent" {
		t.Error(got)
	}
	gone, end := context.WithCancel(ctx)
	end()
	if got := ServerAnswer(s.explain(gone, "EHLO", net.ErrClosed)); got != "the mail server can't be reached" {
		t.Error(got)
	}
}
