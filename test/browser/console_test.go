package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// endOfTest in the console tells that all before it has arrived.
const endOfTest = "slotd-end-of-test"

// console collects what a person would find in the developer tools' console: errors and warnings of
// scripts, failed requests, violations of the Content-Security-Policy.
type console struct {
	mu    sync.Mutex
	lines []string
	news  chan struct{}
}

// checkConsole fails the test at its end if the console holds what is not expected, or lacks what is.
func checkConsole(t *testing.T, p *rod.Page, expects []string) {
	t.Helper()
	c := &console{news: make(chan struct{}, 1)}
	ctx, stop := context.WithCancel(context.Background()) // it listens longer than the page may take
	go p.Context(ctx).EachEvent(c.logged, c.called, c.thrown)()
	enable := []setting{proto.RuntimeEnable{}, proto.LogEnable{}}
	for _, e := range enable {
		if err := e.Call(p); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		defer stop()
		for _, trouble := range c.judge(p, expects) {
			t.Error(trouble)
		}
	})
}

func (c *console) logged(e *proto.LogEntryAdded) {
	if e.Entry.Level == proto.LogLogEntryLevelError || e.Entry.Level == proto.LogLogEntryLevelWarning {
		c.add(fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	}
}

func (c *console) called(e *proto.RuntimeConsoleAPICalled) {
	var words []string
	for _, a := range e.Args {
		words = append(words, strings.TrimSpace(a.Value.Str()+" "+a.Description))
	}
	text := strings.Join(words, " ")
	if e.Type == proto.RuntimeConsoleAPICalledTypeError || e.Type == proto.RuntimeConsoleAPICalledTypeWarning ||
		text == endOfTest {
		c.add(fmt.Sprintf("%s: %s", e.Type, text))
	}
}

func (c *console) thrown(e *proto.RuntimeExceptionThrown) {
	text := e.ExceptionDetails.Text
	if x := e.ExceptionDetails.Exception; x != nil {
		text += " " + x.Description
	}
	c.add("exception: " + text)
}

func (c *console) add(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line)
	select {
	case c.news <- struct{}{}:
	default:
	}
}

// judge waits for what is expected, then for the end, and says what is wrong.
func (c *console) judge(p *rod.Page, expects []string) (troubles []string) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	for _, part := range expects {
		if !c.await(ctx, part) {
			troubles = append(troubles, fmt.Sprintf("the console lacks %q", part))
		}
	}
	if _, err := p.Context(ctx).Eval(`end => console.debug(end)`, endOfTest); err != nil || !c.await(ctx, endOfTest) {
		troubles = append(troubles, fmt.Sprintf("the page does not answer: %v", err))
	}
	return append(troubles, c.unexpected(expects)...)
}

func (c *console) await(ctx context.Context, part string) bool {
	for !c.holds(part) {
		select {
		case <-c.news:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (c *console) holds(part string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.lines, func(l string) bool { return strings.Contains(l, part) })
}

func (c *console) unexpected(expects []string) (troubles []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.lines {
		inLine := func(part string) bool { return strings.Contains(line, part) }
		if !slices.ContainsFunc(append(expects, endOfTest), inLine) {
			troubles = append(troubles, "console: "+line)
		}
	}
	return troubles
}
