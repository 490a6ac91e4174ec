package delivery

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

func TestProbe_LogsInAndSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := pipedFake(nil)
		if err := f.pipedSender(t).Probe(ctx); err != nil {
			t.Fatal(err)
		}
		if f.count("MAIL") != 0 || f.count("AUTH") != 1 || f.count("QUIT") != 1 {
			t.Errorf("%d MAIL, %d AUTH, %d QUIT", f.count("MAIL"), f.count("AUTH"), f.count("QUIT"))
		}
	})
}

func TestProbe_SaysWhatTheServerSaysWithoutThePassword(t *testing.T) {
	for _, stage := range sessionStages {
		f := startFake(t, map[string]string{stage: "535 5.7.8 " + hostile})
		err := f.sender(t).Probe(ctx)
		if err == nil || !strings.Contains(err.Error(), "535") ||
			slices.ContainsFunc([]string{password, "\x1b"},
				func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%s: %v", stage, err)
		}
	}
}
