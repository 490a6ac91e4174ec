package main

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var printedToken = regexp.MustCompile(`slotd_mcp_[0-9A-Za-z]{49}\b`)

func lineWith(t *testing.T, text, part string) string {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, part) {
			return strings.TrimSpace(line)
		}
	}
	t.Fatalf("no line with %q in:\n%s", part, text)
	return ""
}

func TestDemo_PrintsWhatWorks(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		s := pl.serve(nil, "--demo")
		said := s.printed()
		if !regexp.MustCompile(regexp.QuoteMeta(s.url) + `/demo\b`).MatchString(said) {
			t.Errorf("no booking page in:\n%s", said)
		}
		if strings.Contains(s.Log.String(), "slotd_mcp_") {
			t.Errorf("the token is in the log: %s", s.Log)
		}
		tokens := printedToken.FindAllString(said, -1)
		if len(tokens) != 1 {
			t.Fatalf("%d tokens in:\n%s", len(tokens), said)
		}

		answer, err := exec.Command("bash", "-c", lineWith(t, said, "curl ")).Output()
		if err != nil {
			t.Fatalf("the curl line: %v", err)
		}
		text, failed := readTool(t, string(answer))
		slots, _ := parse(t, text)["slots"].([]any)
		if failed != "" || len(slots) == 0 {
			t.Fatalf("the curl line: %s", answer)
		}
		s.mustBook(tokens[0], "intro", slots[len(slots)-1].(string))

		var config struct {
			MCPServers map[string]struct {
				URL     string            `json:"url"`
				Headers map[string]string `json:"headers"`
			} `json:"mcpServers"`
		}
		if err := json.Unmarshal([]byte(lineWith(t, said, "mcpServers")), &config); err != nil {
			t.Fatal(err)
		}
		if c := config.MCPServers["slotd"]; c.URL != s.url+"/api/mcp" ||
			c.Headers["Authorization"] != "Bearer "+tokens[0] {
			t.Errorf("%+v", config)
		}
	})
}

func TestDemo_HasAFreeVideoCallAFreePhoneCallAndAPaidType(t *testing.T) {
	t.Parallel()
	s := onSQLite(t).serve(nil, "--demo")
	var listed struct {
		EventTypes []struct {
			LocationType string `json:"location_type"`
			Price        any
		} `json:"event_types"`
	}
	if err := json.Unmarshal([]byte(s.list("demo")), &listed); err != nil {
		t.Fatal(err)
	}
	e := listed.EventTypes
	if len(e) != 3 || e[0].LocationType != "video" || e[0].Price != nil || e[1].LocationType != "phone" ||
		e[1].Price != nil || e[2].Price == nil {
		t.Errorf("%+v", e)
	}
}

func TestDemo_AddsNothingToADatabaseThatIsNotEmpty(t *testing.T) {
	eachDB(t, func(t *testing.T, pl *deployment) {
		pl.mustApply(acme)
		before := pl.versions()
		s := pl.serve(env{"SLOTD_DEMO": "true"})
		said := s.printed()
		if !strings.Contains(said, "not empty") || strings.Contains(said, "slotd_mcp_") {
			t.Errorf("%s", said)
		}
		pl.wantSame("versions", pl.versions(), before)
		pl.run("export", "--workspace", "demo").exits(t, 1)
		pl.wantSame("tokens", len(pl.listTokens("acme")), 0)
	})
}

func TestDemo_ASecondStartPrintsNoSecondToken(t *testing.T) {
	t.Parallel()
	pl := onSQLite(t)
	first := pl.serve(nil, "--demo")
	token := printedToken.FindString(first.printed())
	first.Terminate(t)
	if exit := first.Wait(t); exit != 0 {
		t.Fatal(exit)
	}
	second := pl.serve(nil, "--demo")
	if said := second.printed(); !strings.Contains(said, "not empty") || printedToken.MatchString(said) {
		t.Error(said)
	}
	pl.wantSame("tokens", len(pl.listTokens("demo")), 1)
	if _, failed := second.call(token, "create_booking",
		bookingOf("workshop", slotIn(3))); failed != "payment_required" {
		t.Error(failed)
	}
}
