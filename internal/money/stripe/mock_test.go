package stripe

import (
	"go/build"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"slotd/internal/store/testdb"
	"slotd/test/process"
)

// startMock runs Stripe's own mock, which checks every request against Stripe's API description and stores nothing.
func startMock(t *testing.T) (api string) {
	t.Helper()
	path, err := exec.LookPath("stripe-mock")
	if err != nil {
		path, err = exec.LookPath(filepath.Join(build.Default.GOPATH, "bin", "stripe-mock"))
	}
	if err != nil {
		testdb.SkipOrFailInCI(t, "stripe-mock", err)
	}
	addr := testdb.FreeAddr(t)
	process.StartService(t, exec.Command(path, "-http-addr", addr, "-https-addr", testdb.FreeAddr(t)),
		regexp.MustCompile("Listening for HTTP at"))
	return "http://" + addr
}

const mockKey = "sk_test_123"

func TestRequests_AreSuchAsStripeTakes(t *testing.T) {
	api := startMock(t)
	c := New(api, mockKey)
	t.Run("checkout", func(t *testing.T) {
		for currency, amount := range map[string]int64{"usd": 5000, "eur": 4999, "jpy": 5000, "kwd": 12340} {
			for _, email := range []string{"grace@guest.example", ""} {
				o := Order{
					Booking: booking, Title: "Consulting", When: "Monday", Amount: amount, Currency: currency,
					Email:      email,
					SuccessURL: "https://book.example/b/x", CancelURL: "https://book.example/u/x",
					ExpiresAt: time.Unix(1_900_000_000, 0),
				}
				if _, err := c.Checkout(background, o); err != nil {
					t.Errorf("%s: %v", currency, err)
				}
			}
		}
	})
	for about, ask := range map[string]func() error{
		"session":      func() error { return second(c.Session(background, "cs_1")) },
		"expire":       func() error { return second(c.Expire(background, "cs_1")) },
		"refund":       func() error { return third(c.Refund(background, booking, "pi_1", 5000, 0)) },
		"later refund": func() error { return third(c.Refund(background, booking, "pi_1", 5000, 3)) },
		"returned":     func() error { return third(c.Refunds(background, "pi_1")) },
	} {
		if err := ask(); err != nil {
			t.Errorf("%s: %v", about, err)
		}
	}
	mockRefuses(t, api)
}

// mockRefuses checks that the mock is strict; otherwise its acceptance would prove nothing.
func mockRefuses(t *testing.T, api string) {
	t.Helper()
	for _, request := range []string{
		"POST /v1/checkout/sessions", "GET /v1/checkout/sessions/cs_1", "POST /v1/checkout/sessions/cs_1/expire",
		"POST /v1/refunds", "GET /v1/refunds", "GET /v1/disputes",
	} {
		method, path, _ := strings.Cut(request, " ")
		const bogus = "no_such_parameter=1"
		r, err := http.NewRequestWithContext(t.Context(), method, api+path+"?"+bogus, nil)
		if method == http.MethodPost {
			r, err = http.NewRequestWithContext(t.Context(), method, api+path, strings.NewReader(bogus))
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Authorization", "Bearer "+mockKey)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s with a parameter that there is not: %d", request, answer.StatusCode)
		}
	}
}
