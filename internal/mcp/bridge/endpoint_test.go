package bridge

import (
	"io"
	"net"
	"strings"
	"testing"
)

// unreadable fails the test when it is read.
type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the input was read")
	return 0, io.EOF
}

func TestRun_RefusesBeforeItReadsAnything(t *testing.T) {
	plainHTTP := "http://192.0.2.1/api/mcp"
	for name, o := range map[string]Options{
		"token, plain http":          {URL: plainHTTP, Token: token},
		"token, a name":              {URL: "http://book.example/api/mcp", Token: token},
		"token, looks like loopback": {URL: "http://127.0.0.1.evil.example/", Token: token},
		"token, localhost in front":  {URL: "http://localhost.evil.example/", Token: token},
		"token, a short address":     {URL: "http://127.1/", Token: token},
		"token, every address":       {URL: "http://0.0.0.0/", Token: token},
		"authorization, plain http":  {URL: plainHTTP, Headers: []string{"AUTHORIZATION: Bearer x"}},
		"cookie, plain http":         {URL: plainHTTP, Headers: []string{"Cookie: session=1"}},
		"token under another name": {URL: plainHTTP, Token: token,
			Headers: []string{"Authorization:", "X-Key: " + token}},
		"both, plain http":            {URL: plainHTTP, Token: token, Headers: []string{"Authorization: Bearer x"}},
		"user in the URL":             {URL: "https://ada:" + token + "@book.example/", Token: token},
		"loopback as the user":        {URL: "http://localhost:80@evil.example/"},
		"no URL":                      {},
		"another scheme":              {URL: "ftp://book.example/" + token},
		"no scheme":                   {URL: "book.example/api/mcp"},
		"no host":                     {URL: "https:///api/mcp"},
		"broken URL":                  {URL: "https://ada:" + token + "@book example/%zz"},
		"header without a colon":      {URL: plainHTTP, Headers: []string{"Authorization Bearer " + token}},
		"header without a name":       {URL: plainHTTP, Headers: []string{": " + token}},
		"header name with a space":    {URL: plainHTTP, Headers: []string{"X Y: " + token}},
		"header with a line break":    {URL: plainHTTP, Headers: []string{"X: a\r\nY: " + token}},
		"token with a line break":     {URL: "https://book.example/", Token: token + "\nX: y"},
		"token with a foreign letter": {URL: "https://book.example/", Token: token + "é"},
	} {
		t.Run(name, func(t *testing.T) {
			var log strings.Builder
			o.In, o.Out, o.Log = unreadable{t}, io.Discard, &log
			err := Run(t.Context(), o)
			if err == nil {
				t.Fatal("Run = nil, want an error")
			}
			if strings.Contains(err.Error()+log.String(), token) {
				t.Errorf("the token is shown: %v %s", err, &log)
			}
		})
	}
}

func TestRun_SecretOverPlainHTTPIsExplained(t *testing.T) {
	err := Run(t.Context(), Options{URL: "http://book.example/api/mcp?k=v", Token: token, In: unreadable{t},
		Out: io.Discard, Log: io.Discard})
	if err == nil || !strings.Contains(err.Error(), "use https") ||
		!strings.Contains(err.Error(), "http://book.example/api/mcp ") {
		t.Errorf("Run = %v", err)
	}
}

func TestRun_SecretMayGoToLoopbackOrOverHTTPS(t *testing.T) {
	for _, o := range []Options{
		{URL: "http://localhost:1/", Token: token},
		{URL: "http://LOCALHOST:1/", Token: token},
		{URL: "http://127.0.0.1/", Token: token},
		{URL: "http://127.9.9.9:1/", Token: token},
		{URL: "http://[::1]:1/", Token: token},
		{URL: "http://[::1]:1/", Headers: []string{"Authorization: Bearer x"}},
		{URL: "https://book.example/", Token: token},
		{URL: "http://book.example/"},
		// an empty header removes the token
		{URL: "http://book.example/", Token: token, Headers: []string{"Authorization:"}},
	} {
		o.In, o.Out, o.Log = strings.NewReader(""), io.Discard, io.Discard
		if err := Run(t.Context(), o); err != nil {
			t.Errorf("%s: %v", o.URL, err)
		}
	}
}

func TestRun_SecretToLoopbackGoesThroughNoProxy(t *testing.T) {
	endpoint, err := parseEndpoint("http://LocalHost:1/")
	if err != nil {
		t.Fatal(err)
	}
	if newTransport(endpoint, true).Proxy != nil {
		t.Error("a proxy could be asked")
	}
}

func TestRun_SecretIsNotSentToALocalhostThatIsElsewhere(t *testing.T) {
	endpoint, err := parseEndpoint("http://localhost:1/")
	if err != nil {
		t.Fatal(err)
	}
	dial := newTransport(endpoint, true).DialContext
	// This is the address that a malicious DNS server could return for localhost; no server is needed here.
	conn, err := dial(t.Context(), "tcp", "192.0.2.1:1")
	if err == nil {
		conn.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "is another machine") {
		t.Errorf("dial = %v, want a refusal", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err = dial(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatalf("dial loopback: %v", err)
	}
	conn.Close()
}
