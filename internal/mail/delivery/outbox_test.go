package delivery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"slotd/internal/mail"
)

var _, _ Sender = (*SMTP)(nil), (*Outbox)(nil)

func newOutbox(t *testing.T) (*Outbox, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data [1]", "outbox")
	o, err := NewOutbox(dir)
	if err != nil {
		t.Fatal(err)
	}
	return o, dir
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

func TestOutbox_WritesOneFilePerMail(t *testing.T) {
	o, dir := newOutbox(t)
	again := hello
	again.Data = []byte("Subject: second try\r\n\r\n")
	for _, m := range []mail.Message{hello, again} {
		if receipt := mustSend(t, o, m); receipt != "written to outbox/0198c2f4.booked-attendee.eml" {
			t.Errorf("receipt %q", receipt)
		}
		got, err := os.ReadFile(filepath.Join(dir, m.ID+".eml"))
		if err != nil || !bytes.Equal(got, m.Data) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if names := namesIn(t, dir); len(names) != 1 {
		t.Errorf("%q", names)
	}
}

func TestOutbox_IsForItsOwnerOnly(t *testing.T) {
	o, dir := newOutbox(t)
	mustSend(t, o, hello)
	for name, want := range map[string]os.FileMode{dir: 0o700 | os.ModeDir,
		filepath.Join(dir, hello.ID+".eml"): 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestRace_AReaderNeverSeesHalfAMail(t *testing.T) {
	o, dir := newOutbox(t)
	written := make(chan struct{})
	go func() {
		defer close(written)
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				for try := range 5 { // also under the same name
					body := bytes.Repeat([]byte{byte('a' + try)}, 1<<18)
					if _, err := o.Send(ctx, mail.Message{ID: fmt.Sprint(i),
						Data: append(body, "\r\nend\r\n"...)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	}()
	for looking := true; looking; {
		select {
		case <-written:
			looking = false
		default:
		}
		wantWholeMails(t, dir)
	}
	if names := namesIn(t, dir); len(names) != 20 {
		t.Errorf("%q", names)
	}
}

func wantWholeMails(t *testing.T, dir string) {
	t.Helper()
	for _, name := range namesIn(t, dir) {
		if !strings.HasSuffix(name, ".eml") {
			if !strings.HasPrefix(name, ".") {
				t.Errorf("%s is not hidden", name)
			}
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(data) != 1<<18+7 || !bytes.HasSuffix(data, []byte("end\r\n")) ||
			bytes.Count(data, data[:1]) < 1<<18 {
			t.Fatalf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

func TestOutbox_RefusesIDsThatAreNoFileNames(t *testing.T) {
	o, dir := newOutbox(t)
	for _, id := range []string{"", ".", "..", ".hidden", "../escaped", "/tmp/x", "a/b", `a\b`, "a\x00b", "a\nb", "A",
		"a b", "é", "a\n", strings.Repeat("a", 201), "..%2fx"} {
		m := hello
		m.ID = id
		_, err := o.Send(ctx, m)
		wantRefused(t, err)
	}
	if names := append(namesIn(t, dir), namesIn(t, filepath.Dir(dir))...); len(names) != 1 { // the outbox itself
		t.Errorf("%q", names)
	}
	m := hello
	m.ID = strings.Repeat("a", 200)
	mustSend(t, o, m)
}

func TestOutbox_FailsWithoutATrace(t *testing.T) {
	o, dir := newOutbox(t)
	blocked := filepath.Join(dir, hello.ID+".eml", "x")
	if err := os.MkdirAll(blocked, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := o.Send(ctx, hello)
	wantRetry(t, err, "outbox")
	if names := namesIn(t, dir); len(names) != 1 {
		t.Errorf("%q", names)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := o.Send(canceled, mail.Message{ID: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := NewOutbox(filepath.Join(dir, "file")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "plain"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewOutbox(filepath.Join(dir, "plain")); err == nil {
		t.Error("a file is taken as the outbox")
	}
}

func TestNewOutbox_RemovesOnlyWhatACrashLeft(t *testing.T) {
	o, dir := newOutbox(t)
	mustSend(t, o, hello)
	mine, err := os.Stat(filepath.Join(dir, hello.ID+".eml"))
	if err != nil {
		t.Fatal(err)
	}
	age := map[string]time.Duration{".writing-old": 2 * time.Hour, ".writing-young": time.Minute,
		".other": 2 * time.Hour, "old.eml": 2 * time.Hour}
	for name, age := range age {
		path := filepath.Join(dir, name)
		at := mine.ModTime().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte("half"), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := NewOutbox(dir); err != nil {
		t.Fatal(err)
	}
	want := ".other .writing-young 0198c2f4.booked-attendee.eml old.eml"
	if got := strings.Join(namesIn(t, dir), " "); got != want {
		t.Errorf("left %s", got)
	}
}
