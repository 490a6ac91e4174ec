package calendar

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"slotd/internal/lib/safehttp"
)

func TestRequestError_SaysWhetherWaitingHelps(t *testing.T) {
	ask := func(address string) error {
		r, err := http.NewRequest(http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = safehttp.New(nil).Do(r)
		return err
	}
	for name, c := range map[string]struct {
		cause  error
		kind   Kind
		advice Advice
	}{
		"no such name": {safehttp.SanitizeError("dav.example", &net.DNSError{IsNotFound: true}), Unreachable, CheckAddress},
		"no answer":    {safehttp.SanitizeError("dav.example", errors.New("reset")), Unreachable, Wait},
		"private":      {ask("http://10.0.0.1/secret"), Unusable, ChangeSettings},
		"not http":     {ask("ftp://dav.example/secret"), Unusable, CheckAddress},
	} {
		e := RequestError(c.cause)
		if e.Kind != c.kind || e.Advice != c.advice || !strings.HasSuffix(e.Message, ".") ||
			strings.Contains(e.Message, "secret") {
			t.Errorf("%s: %+v", name, *e)
		}
	}
}

func TestUnreadable_KeepsTheAdviceOfItsCause(t *testing.T) {
	e := Unreadable(Errorf(Unusable, "Line 7: no DTSTART.").Advise(CorrectEvent), "%s sends nonsense.", "dav.example")
	if e.Kind != Unusable || e.Advice != CorrectEvent || e.Message != "dav.example sends nonsense. Line 7: no DTSTART." {
		t.Errorf("%+v", *e)
	}
	if e := Unreadable(errors.New("the disk is full"), "It can't be read."); e.Advice != NoAdvice {
		t.Errorf("%+v", *e)
	}
}
