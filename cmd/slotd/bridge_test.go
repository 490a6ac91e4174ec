package main

import (
	"encoding/json"
	"strings"
	"testing"

	"slotd/internal/store/testdb"
	"slotd/internal/web/webtest"
	"slotd/test/harness"
)

// bridgeRun runs the built program with these lines as its complete input.
func bridgeRun(t *testing.T, e []string, lines []string, args ...string) (exit int, answers map[string]object,
	errs string) {
	t.Helper()
	cmd := harness.Command(t, e, append([]string{"bridge"}, args...)...)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	p := harness.Start(t, cmd)
	exit = p.Wait(t)
	answers = map[string]object{}
	for _, line := range strings.Split(strings.TrimSpace(p.Out.String()), "\n") {
		if line == "" {
			continue
		}
		answer := parse(t, line)
		id, _ := json.Marshal(answer["id"])
		answers[string(id)] = answer
	}
	return exit, answers, p.Log.String()
}

var session = []string{
	`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	`{"jsonrpc":"2.0","id":"two","method":"tools/list"}`,
}

func TestBridge_ListsAndBooksAndEndsWithItsInput(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		token := pl.token("acme")
		s := pl.serve(nil)
		lines := append(append([]string{}, session...),
			strings.Replace(webtest.ToolCall("create_booking", bookingOf("intro", slotIn(2))), `"id":1`, `"id":3`, 1))
		exit, answers, log := bridgeRun(t, []string{"SLOTD_TOKEN=" + token}, lines, "--url", s.url+"/api/mcp")
		if exit != 0 || len(answers) != 3 {
			t.Fatalf("exit %d, %v, %s", exit, answers, log)
		}
		result := func(id string) object { o, _ := answers[id]["result"].(object); return o }
		if result("1")["protocolVersion"] != "2025-06-18" {
			t.Errorf("initialize: %v", answers["1"])
		}
		if tools, _ := result(`"two"`)["tools"].([]any); len(tools) != 5 {
			t.Errorf("tools/list: %v", answers[`"two"`])
		}
		if booked, _ := result("3")["structuredContent"].(object); booked["booked"] != true {
			t.Errorf("create_booking: %v", answers["3"])
		}
		if n := pl.rows("SELECT CAST(COUNT(*) AS TEXT) FROM idempotency_keys"); n[0] != "1" {
			t.Errorf("%s idempotency keys", n[0])
		}
		if strings.Contains(log, token[10:]) {
			t.Errorf("the token is in the log: %s", log)
		}
	})
}

func TestBridge_TakesURLTokenAndHeadersFromTheEnvironment(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	pl.mustApply(acme)
	good := pl.token("acme")
	s := pl.serve(nil)
	book := []string{webtest.ToolCall("create_booking", bookingOf("intro", slotIn(2)))}
	for _, c := range []struct {
		name string
		env  []string
		args []string
		want string // the error's code
	}{
		{"no token", nil, []string{"--url", s.url + "/api/mcp"}, "unauthorized"},
		{"a file", []string{"SLOTD_URL=" + s.url + "/api/mcp", "SLOTD_TOKEN_FILE=" + write(t, "token", good+"\n")}, nil,
			""},
		{"a header wins", []string{"SLOTD_TOKEN=" + good},
			[]string{"--url", s.url + "/api/mcp", "--header", "Authorization: Bearer nonsense"}, "unauthorized"},
		{"headers", []string{"SLOTD_HEADER=X-One: 1\nAuthorization: Bearer " + good},
			[]string{"--url", s.url + "/api/mcp"}, "slot_unavailable"},
	} {
		exit, answers, log := bridgeRun(t, c.env, book, c.args...)
		text, _ := json.Marshal(answers["1"])
		if exit != 0 {
			t.Errorf("%s: exit %d: %s", c.name, exit, log)
		} else if _, failed := readTool(t, string(text)); failed != c.want {
			t.Errorf("%s: %q, want %q", c.name, failed, c.want)
		}
	}
}

func TestBridge_NeverSendsATokenInTheClear(t *testing.T) {
	t.Parallel()
	token := "slotd_mcp_" + strings.Repeat("a", 49)
	for _, url := range []string{"http://192.0.2.1/api/mcp", "http://book.example/api/mcp",
		"http://127.0.0.1.example/api/mcp", "http://localhost.example:8080/api/mcp"} {
		exit, answers, log := bridgeRun(t, []string{"SLOTD_TOKEN=" + token}, session, "--url", url)
		if exit != 1 || len(answers) != 0 || !strings.Contains(log, "https") || strings.Contains(log, token) {
			t.Errorf("%s: exit %d, %v, %s", url, exit, answers, log)
		}
	}
}

func TestBridge_AServerThatIsDownIsAnAnswerNotAnEnd(t *testing.T) {
	t.Parallel()
	exit, answers, log := bridgeRun(t, nil, []string{`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`}, "--url",
		"http://"+testdb.FreeAddr(t)+"/api/mcp")
	failure, _ := answers["7"]["error"].(object)
	if exit != 0 || failure["code"] != float64(-32603) {
		t.Errorf("exit %d, %v, %s", exit, answers, log)
	}
}

func TestBridge_RefusesBadURLs(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"book.example", "ftp://book.example/", "https://ada:hunter2@book.example/api/mcp"} {
		if exit, _, log := bridgeRun(t, nil, session, "--url", url); exit == 0 || strings.Contains(log, "hunter2") {
			t.Errorf("%s: exit %d, %s", url, exit, log)
		}
	}
}
