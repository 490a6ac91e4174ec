package delivery

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// These are answers of a hostile server: they repeat addresses and the password, move the cursor and never end. The
// server knows the recipient's name only after RCPT.
var (
	hostile = "\x1b[2J\x07\u202e\u009b <Alice.Liddell@guest.example> " + password + " " +
		base64.StdEncoding.EncodeToString([]byte("\x00ada\x00"+password)) + strings.Repeat(" and on", 200)
	hostileByName = "ALICE.LIDDELL alice.lid\x00dell " + hostile
)

var (
	sessionStages = []string{"greeting", "EHLO", "AUTH"}
	mailStages    = []string{"MAIL", "RCPT", "DATA", "message"}
)

func sendOnce(t *testing.T, script map[string]string) (*fake, *SMTP, error) {
	t.Helper()
	f := startFake(t, script)
	s := f.sender(t)
	_, err := s.Send(ctx, hello)
	return f, s, err
}

// stepName returns the stage as errors name it: the library reads the greeting when it sends EHLO.
func stepName(stage string) string {
	if stage == "greeting" {
		return "EHLO"
	}
	return stage
}

func TestTemporaryAnswer_MayPass(t *testing.T) {
	for _, stage := range append(sessionStages, mailStages...) {
		for _, code := range []string{"421", "450", "451", "452", "454"} {
			_, _, err := sendOnce(t, map[string]string{stage: code + " 4.3.0 " + hostile})
			wantRetry(t, err, stepName(stage), code+" 4.3.0")
		}
	}
}

func TestPermanentAnswer_ToTheMailIsARefusal(t *testing.T) {
	for _, stage := range mailStages {
		for _, code := range []string{"550", "552", "553", "554", "501"} {
			f, s, err := sendOnce(t, map[string]string{stage: code + " 5.1.1 " + hostileByName})
			wantRefused(t, err, stepName(stage), code+" 5.1.1", "and on")
			s.Send(ctx, hello)
			if f.connections.Load() != 1 || f.count("RSET") != 1 {
				t.Errorf("%s at %s: %d connections, %d RSET", code, stage, f.connections.Load(), f.count("RSET"))
			}
		}
	}
}

func TestPermanentAnswer_ToTheSessionMayBeMended(t *testing.T) {
	for _, stage := range sessionStages {
		for _, code := range []string{"530", "535", "550", "554"} {
			_, _, err := sendOnce(t, map[string]string{stage: code + " 5.7.0 " + hostile})
			wantRetry(t, err, stepName(stage), code+" 5.7.0")
		}
	}
}

func TestPermanentAnswer_ThatWantsALoginOrTLSMayBeMended(t *testing.T) {
	for _, stage := range mailStages {
		for _, code := range []string{"502", "503", "530", "534", "535", "538"} {
			_, _, err := sendOnce(t, map[string]string{stage: code + " 5.7.0 " + hostile})
			wantRetry(t, err, stepName(stage), code+" 5.7.0")
		}
	}
}

func TestPermanentAnswer_ToEHLOOnAReusedConnectionIsNotAboutTheMail(t *testing.T) {
	f := startFake(t, nil)
	s := f.sender(t)
	mustSend(t, s, hello)
	f.withLock(func() { f.script = map[string]string{"EHLO": "550 no more"} })
	_, err := s.Send(ctx, hello)
	wantRetry(t, err, "EHLO: 550 no more")
}

func TestClosingAnswer_EndsTheConnection(t *testing.T) {
	for _, stage := range mailStages {
		f, s, err := sendOnce(t, map[string]string{stage: "421 4.3.2 shutting down"})
		wantRetry(t, err, "421")
		s.Send(ctx, hello)
		if f.connections.Load() != 2 || f.count("RSET") != 0 {
			t.Errorf("%s: %d connections, %d RSET", stage, f.connections.Load(), f.count("RSET"))
		}
	}
}

func TestNonsense_MayPassAndEndsTheConnection(t *testing.T) {
	for _, stage := range append(sessionStages, mailStages...) {
		for _, answer := range []string{"", "hello", "99", "2500 x", "299 what", "354 go",
			"550" + strings.Repeat("x", 10_000), "\x1b[2J" + hostile} {
			if answer == "354 go" && stage == "DATA" {
				continue
			}
			f, s, err := sendOnce(t, map[string]string{stage: answer})
			if err == nil && stage == "RCPT" {
				continue // RFC 5321: any 25x, and only those
			}
			wantRetry(t, err, stepName(stage))
			s.Send(ctx, hello)
			if f.connections.Load() != 2 {
				t.Errorf("%.10q at %s: the connection is used on", answer, stage)
			}
		}
	}
}

func TestAnswer_WithoutEndIsCutOff(t *testing.T) {
	_, _, err := sendOnce(t, map[string]string{"EHLO": strings.Repeat("250-more\r\n", 100_000) + "250 end"})
	wantRetry(t, err, "too long")
}

func TestReceipt_IsCleanToo(t *testing.T) {
	f := startFake(t, nil)
	if got := mustSend(t, f.sender(t), hello); got != "250 2.0.0 Ok: queued as ABC" {
		t.Errorf("receipt %q", got)
	}
	f = startFake(t, map[string]string{"message": "250-2.0.0 queued\r\n250 " + hostileByName})
	wantClean(t, mustSend(t, f.sender(t), hello), "250 2.0.0 queued")
}

func TestConnectionThatBreaks_MayPass(t *testing.T) {
	for _, stage := range append(sessionStages, mailStages...) {
		f, s, err := sendOnce(t, map[string]string{stage: hangsUp})
		wantRetry(t, err, stepName(stage))
		s.Send(ctx, hello)
		if f.connections.Load() != 2 {
			t.Errorf("%s: %d connections", stage, f.connections.Load())
		}
	}
}

func TestNobodyListens_MayPass(t *testing.T) {
	f := startFake(t, nil)
	s := f.sender(t)
	s.server.host, s.server.port = "127.0.0.1", "1"
	_, err := s.Send(ctx, hello)
	wantRetry(t, err, "connect", "refused")
	s.server.host = "nowhere.invalid"
	_, err = s.Send(ctx, hello)
	wantRetry(t, err, "connect", "nowhere.invalid")
}

// A connection that nobody accepts or refuses is given up, like every other step.
func TestSilentServer_IsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := pipedFake(nil).pipedSender(t)
		s.dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		began := time.Now()
		_, err := s.Send(ctx, hello)
		wantRetry(t, err, "connect", "no answer within 10s")
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it was given up after %v", took)
		}
	})
}

// The other limits of a sender.
func TestNewSMTP_Limits(t *testing.T) {
	s, err := NewSMTP("smtp://127.0.0.1")
	if err != nil || s.limits.command != time.Minute || s.limits.content != 5*time.Minute ||
		s.limits.idle != 30*time.Second {
		t.Errorf("got %+v, %v", s.limits, err)
	}
}

// long does not fit into the buffers between client and server.
var long = []byte(strings.Repeat("all work and no play\r\n", 1<<20))

func TestHangingServer_IsGivenUp(t *testing.T) {
	for _, stage := range append(sessionStages, mailStages...) {
		t.Run(stage, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := pipedFake(map[string]string{stage: hangs}).pipedSender(t)
				want := s.limits.command
				if stage == "message" {
					want = s.limits.content
				}
				m := hello
				m.Data = long
				began := time.Now()
				_, err := s.Send(ctx, m)
				wantRetry(t, err, stepName(stage), "no answer within "+want.String())
				if took := time.Since(began); took != want {
					t.Errorf("it was given up after %v, want %v", took, want)
				}
			})
		})
	}
}

func TestHangingServer_EndingTheContextInterrupts(t *testing.T) {
	for _, stage := range append(sessionStages, mailStages...) {
		f := startFake(t, map[string]string{stage: hangs})
		s := f.sender(t)
		s.limits.command, s.limits.content = time.Hour, time.Hour
		short, cancel := context.WithCancel(ctx)
		go func() { <-f.reached; cancel() }()
		m := hello
		m.Data = long
		_, err := s.Send(short, m)
		wantRetry(t, err, "canceled")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", stage, err)
		}
	}
}

func TestHangingServer_AtReuseIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := pipedFake(map[string]string{"RSET": hangs})
		s := f.pipedSender(t)
		mustSend(t, s, hello)
		mustSend(t, s, hello)
		if f.connections.Load() != 2 {
			t.Errorf("%d connections", f.connections.Load())
		}
	})
}
